"""The tables of a tournament in terminals of several widths."""

import io
import re
from typing import Any

import pytest
from rich.console import Console
from summaries import row, summary

from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.standings.summary import Summary, Tie
from acquire.admin.tournament.standings.terminal_tables import (
    show_game,
    show_games_of,
    show_summary,
)

NAMES = ("ann", "bob", "investor-with-a-long-name", "dora", "emil", "fritz", "gina", "henriette")
ALWAYS = ["rank", "player", "points per game"]
EVERYTHING = [*ALWAYS, "group", "games", "place", "wins %", "money", "rating", "lost"]


def cup() -> Summary:
    """Eight players with intervals, as wide as standings get."""
    means = (Estimate(2.5, 2.25, 2.75), Estimate(1.5, 1.25, 1.75), Estimate(0.5, 0.25, 0.75))
    points, placement, wins = means
    rows = (
        row(rank, name, points, "abc", games=1680, placement=placement, wins=wins, lost=12)
        for rank, name in enumerate(NAMES, start=1)
    )
    return summary(*rows, games=1680, blocks=70, out_of_step=0)


def shown(width: int) -> str:
    file = io.StringIO()
    show_summary(Console(file=file, width=width), cup(), 2, [])
    return file.getvalue()


def standings(text: str) -> list[str]:
    lines = text.splitlines()
    begin = next(at for at, line in enumerate(lines) if line.strip() == "Standings")
    return lines[begin + 2 : lines.index(next(x for x in lines[begin:] if "interval" in x))]


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_rank_player_and_points_are_always_shown(width: int) -> None:
    text = shown(width)
    heading, _, *rows = standings(text)
    for column in ALWAYS:
        assert column in heading
    for rank, name in enumerate(NAMES, start=1):
        line = next(line for line in rows if line.split()[:1] == [str(rank)])
        assert name[:12] in line and "2.50 [2.25, 2.75]" in line
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (60, [*ALWAYS, "group", "lost"]),
        (80, [*ALWAYS, "group", "wins %", "lost"]),
        (200, EVERYTHING),
    ],
)
def test_width_decides_which_columns_are_shown(width: int, columns: list[str]) -> None:
    heading = standings(shown(width))[0]
    assert [column for column in EVERYTHING if column in heading] == [
        column for column in EVERYTHING if column in columns
    ]


def test_headings_have_an_empty_line_above_and_sentences_fit() -> None:
    file = io.StringIO()
    show_summary(Console(file=file, width=80), cup()._replace(skipped={"ann": 9}), 2, [])
    lines = [line.rstrip() for line in file.getvalue().splitlines()]
    for title in ("Standings", "Row placed before column, %", "By seat", "Verdicts"):
        assert lines[lines.index(title) - 1] == "", title
    assert max(map(len, lines)) <= 80


def test_crosstable_of_eight_fits_80_columns() -> None:
    lines = shown(80).splitlines()
    begin = next(at for at, line in enumerate(lines) if line.startswith("Row placed before"))
    assert lines[begin + 2].split() == [str(number) for number in range(1, 9)]
    assert lines[begin + 4].split() == ["1", "ann", *["73"] * 7]


def shown_with(**tables: Any) -> str:
    file = io.StringIO()
    show_summary(Console(file=file, width=80), cup()._replace(**tables), 2, [])
    return " ".join(file.getvalue().split())


def test_what_would_separate_neighbours_is_shown_for_the_first_five() -> None:
    ties = (
        Tie("ann", "bob", 0.12, 40),
        Tie("bob", "cyd", 0.13, 1),
        Tie("cyd", "dora", 0.01, None),
        Tie("dora", "emil", 0.0, None),
    )
    text = shown_with(ties=ties)
    stays = "of each would separate them if the difference stays"
    assert f"ann and bob: about 40 more blocks {stays} 0.12." in text
    assert f"bob and cyd: about 1 more block {stays} 0.13." in text
    assert "cyd and dora: not even 100 times their games would separate them" in text
    assert "dora and emil: they have equal points." in text and "more neighbours" not in text
    many = shown_with(ties=ties * 2)
    assert "3 more neighbours share a letter" in many and many.count("ann and bob") == 2


def test_player_without_games_has_no_figures() -> None:
    *others, last = cup().rows
    text = shown_with(rows=(*others, last._replace(games=0, player="zoe")))
    assert re.search(r" zoe \w+ \d+ No room for", text), "group and losses alone"


def test_intervals_that_are_missing_are_explained() -> None:
    rows = [each._replace(points=Estimate(2.5)) for each in cup().rows]
    assert "There are too few blocks for intervals." in shown_with(rows=tuple(rows))
    some = (*rows[:1], *cup().rows[1:])
    assert "There is none with too few blocks, or if nearly all are won or" in shown_with(rows=some)
    assert "There is none" not in shown(80)


def test_verdicts_are_listed_in_words() -> None:
    assert "5 finished, 17 timed-out" in shown(80)


RESULT = GameResult(
    "d1-t1-s01",
    "d1-t1",
    7,
    "large-hotel",
    70,
    5,
    (
        SeatResult("ann", PlayerVerdict.FINISHED, 1, 29500),
        SeatResult("bob", PlayerVerdict.TIMED_OUT, 2, 0, "The limit for <turn> was 15 s.", 7),
    ),
)


@pytest.mark.parametrize("width", [60, 80])
def test_games_of_a_player_keep_place_and_verdict(width: int) -> None:
    file = io.StringIO()
    show_games_of(Console(file=file, width=width), "bob", [RESULT])
    text = file.getvalue()
    assert "d1-t1-s01" in text and "timed-out" in text and "The limit" in text


def test_one_game_is_shown_with_every_seat() -> None:
    file = io.StringIO()
    show_game(Console(file=file, width=60), RESULT, {})
    text = file.getvalue()
    assert "29,500" in text and "bob: timed-out in turn 7." in text
