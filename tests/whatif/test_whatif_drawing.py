"""The tables and strips of a game played on, and the same for a program."""

from __future__ import annotations

import io
import json

from rich.console import Console

from acquire.admin.refereeing.play.outcome import Standing
from acquire.admin.studying.whatif.report import Opponent, RealResult, WhatIfReport, as_json
from acquire.admin.studying.whatif.report_text import draw_report
from acquire.admin.studying.whatif.single_game import ABSENT, WIN, SeatOutcome
from acquire.admin.studying.whatif.spread import spread_of
from acquire.admin.studying.whatif.variant import Variant

SEAT = "al[i]ce"
MINUS = "\N{MINUS SIGN}"
GAMES = [SeatOutcome(21_000 + 1_000 * game, WIN * (game % 2)) for game in range(11)]
WORSE = [game._replace(score=game.score - 21_000, win=0) for game in GAMES]
FAILING = [
    *WORSE[:8],
    SeatOutcome(0, 0, ABSENT),
    SeatOutcome(0, 0, "timed-out"),
    SeatOutcome(0, 0, amended=True),
]
PROGRAM = Variant(
    SEAT, words=("/a/long/way/to/python3", "my player.py", "{host}", "{port}", "{name}")
)


def report(actual: RealResult) -> WhatIfReport:
    return WhatIfReport(
        "game.xml",
        57,
        SEAT,
        7,
        True,
        (Opponent("bob", "ordered", ""), Opponent("cyd", "investor", "a program")),
        {
            SEAT: {
                Variant(SEAT, "investor"): spread_of(GAMES, None),
                Variant(SEAT, "investor", recorded=True): spread_of(WORSE, GAMES),
                PROGRAM: spread_of(FAILING, GAMES),
                Variant(SEAT, "random"): None,
            }
        },
        {SEAT: actual},
    )


FINISHED = RealResult(Standing(2, SEAT, 26_000, finished=True), None)


def drawn(width: int, actual: RealResult = FINISHED, *, ascii_only: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, legacy_windows=False)
    console.print(draw_report(report(actual), width, ascii_only=ascii_only))
    return file.getvalue()


def test_table_has_means_quartiles_wins_and_differences() -> None:
    lines = drawn(120).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith(" 1 investor"))
    assert lines[first].split() == ["1", "investor", "11", "26,000", "26,000", "45"]
    assert "23,500..28,500" in lines[first + 1]
    second = next(line for line in lines if "2 recorded, then investor" in line)
    assert second.split()[-1] == f"{MINUS}21,000"
    assert next(line for line in lines if "the real game" in line).split()[-2:] == [*("rank", "2")]


def test_strips_stand_on_one_axis_with_the_real_score_on_each() -> None:
    lines = drawn(100).splitlines()
    strips = [line for line in lines if "┤" in line and "lowest" not in line]
    assert len(strips) == 3
    better, worse, _ = strips
    assert len({line.index("◆") for line in strips}) == 1
    assert better.index("├") > worse.rindex("┤"), "no game of one is as good as one of the other"
    assert worse.index("├") < worse.index("▒") < worse.index("┃") < worse.rindex("▒")
    assert better.count("┃") == 0, "its median is the real score, which is drawn over it"


def test_nothing_is_cut_on_a_terminal_of_eighty_columns() -> None:
    shown = drawn(80)
    assert "…" not in shown
    assert "vs the first" in shown and f"{MINUS}21,000..{MINUS}21,000" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_terminal_without_unicode_gets_ascii() -> None:
    shown = drawn(80, ascii_only=True)
    body = [line for line in shown.splitlines() if "─" not in line]  # the table's own rule
    assert all(line.isascii() for line in body)
    assert "-21,000..-21,000" in shown
    assert "[-] lowest to highest score, = the middle half, | median, * the real" in shown


def test_what_went_wrong_is_counted_and_said() -> None:
    shown = " ".join(drawn(120).split())
    name = "/a/long/way/to/python3 'my player.py' {host} {port} {name}"
    assert f"{name}: did not connect for 1 game, which score 0." in shown
    assert f"{name}: ejected (timed-out) in 1 game, which score 0." in shown
    assert f"{name}: in 1 game part of the move was no longer legal." in shown
    assert "random: no game was played." in shown


def test_others_and_what_was_dealt_are_named() -> None:
    shown = drawn(120)
    assert f"From turn 57, {SEAT} to move" in shown
    assert "the other players' hands and the bag redealt, seed 7" in shown
    assert "bob is played by ordered, as in the game." in shown
    assert "cyd is played by investor, in place of a program." in shown


def test_ejected_player_has_no_real_score_to_show() -> None:
    shown = drawn(120, RealResult(Standing(3, SEAT, 0, finished=False), 60))
    assert "ejected in turn 60" in shown
    assert shown.count("◆") == 1, "in the legend"


def test_program_reads_the_same() -> None:
    found = json.loads(json.dumps(as_json(report(FINISHED))))
    (seat,) = found["seats"]
    assert [each["kind"] for each in seat["variants"]] == ["house", "recorded", "command", "house"]
    assert seat["variants"][0]["score"]["median"] == 26_000
    assert seat["variants"][1]["difference"]["score"] == {
        "mean": -21_000, "low": -21_000, "high": -21_000
    }  # fmt: skip
    assert seat["variants"][2]["lost"] == {"absent": 1, "timed-out": 1}
    assert seat["variants"][3] == {"player": "random", "kind": "house", "games": 0}
    assert seat["really"]["rank"] == 2
