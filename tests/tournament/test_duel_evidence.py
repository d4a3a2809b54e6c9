"""When a duel is decided, and what it says."""

import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from acquire.admin.studying.statistics.intervals import Bounds
from acquire.admin.tournament.dueling.contestants import Contestant
from acquire.admin.tournament.dueling.duel_evidence import (
    DuelEvidence,
    DuelQuestion,
    DuelVerdict,
    Losses,
    Measure,
)
from acquire.admin.tournament.dueling.duel_plan import Lineup
from acquire.admin.tournament.dueling.duel_report import (
    DuelReport,
    draw_interval,
    forecast_in_words,
    show_report,
    signed,
    verdict_sentence,
)
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult

MINE, OTHERS = ("new", "new.2"), ("old", "old.2")
LINEUP = Lineup((Contestant("n", "new"), Contestant("o", "old")), 4, (MINE, OTHERS), 1)


def game(
    order: Sequence[str], game: str = "d1-t1-s1", ejected: Sequence[str] = (), money: int = 1000
) -> GameResult:
    """Return a game with the players in the order of their places; the ejected are behind."""
    seats = [
        SeatResult(name, PlayerVerdict.FINISHED, rank, money * (5 - rank))
        for rank, name in enumerate(order, 1)
    ]
    seats += [SeatResult(name, PlayerVerdict.CRASHED, 4, 0) for name in ejected]
    return GameResult(game, "", 0, "", 40, None, tuple(seats))


WON, LOST = (*MINE, *OTHERS), (*OTHERS, *MINE)
EVEN = ("new", "old", "old.2", "new.2")


def question(margin: float = 0.2, measure: Measure = Measure.POINTS) -> DuelQuestion:
    return DuelQuestion(LINEUP, measure, margin, 0.05)


def after(orders: Sequence[Sequence[str]], asked: DuelQuestion | None = None) -> DuelEvidence:
    evidence = DuelEvidence(asked or question())
    for deal, order in enumerate(orders, 1):
        for seat in (1, 2, 3, 4):
            evidence.add(game(order, f"d{deal}-t1-s{seat}"))
    return evidence


# -- measures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "won", "alone"),
    [(Measure.POINTS, 2, 2.5), (Measure.WINS, 0.5, 0.5), (Measure.MONEY, 0.2, 0.5)],
)
def test_difference_is_that_of_the_means(measure: Measure, won: float, alone: float) -> None:
    asked = question(measure=measure)
    assert asked.difference(game(WON)) == pytest.approx(won)
    assert asked.difference(game(LOST)) == pytest.approx(-won)
    assert asked.difference(game(MINE, ejected=OTHERS)) <= alone + 1e-9
    assert asked.difference(game((), ejected=(*MINE, *OTHERS))) == 0
    assert asked.bounds == (-alone, alone)


def test_bounds_depend_on_who_has_how_many_seats() -> None:
    def bounds(measure: Measure, seats: int) -> tuple[float, float]:
        lineup = Lineup(LINEUP.contestants, seats, (("new",), ()))
        return question(measure=measure)._replace(lineup=lineup).bounds

    assert bounds(Measure.POINTS, 4) == (-2.0, 3.0)
    assert bounds(Measure.POINTS, 2) == (-1.0, 1.0)
    assert bounds(Measure.WINS, 6) == (-0.2, 1.0)


def test_margin_in_points_is_to_win_55_of_100_meetings() -> None:
    """Of four seats, two are mine: each meets two others, so 0.55 - 0.45 of two, twice."""
    assert [Measure.POINTS.default_margin(seats) for seats in (2, 4, 6)] == [0.1, 0.2, 0.3]


# -- evidence -----------------------------------------------------------------------------------


def test_who_keeps_winning_is_stronger() -> None:
    evidence = after([WON] * 40)
    assert evidence.verdict is DuelVerdict.STRONGER and evidence.decided
    assert 5 <= evidence.blocks < 15 and evidence.blocks == len(evidence.games) / 4
    assert 0 < evidence.bounds.low < evidence.value == 2 < evidence.bounds.high
    assert after([LOST] * 40).verdict is DuelVerdict.WEAKER


def test_verdict_comes_at_the_first_block_that_gives_one_and_stays() -> None:
    evidence = after([WON] * 40)
    blocks = evidence.blocks
    assert not after([WON] * (blocks - 1)).decided
    assert after([WON] * blocks + [LOST] * 60).verdict is DuelVerdict.STRONGER


def test_equal_means_that_the_whole_interval_is_within_the_margin() -> None:
    evidence = after([EVEN] * 100, question(margin=0.5))
    assert evidence.verdict is DuelVerdict.EQUAL and evidence.value == 0
    assert -0.5 <= evidence.bounds.low < 0 < evidence.bounds.high <= 0.5
    assert not after([EVEN] * 30, question(margin=0.1)).decided


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.01, 0.1, DuelVerdict.STRONGER),
        (-0.1, -0.01, DuelVerdict.WEAKER),
        (-0.2, 0.2, DuelVerdict.EQUAL),
        (-0.21, 0.1, DuelVerdict.UNDECIDED),
        (-0.1, 0.21, DuelVerdict.UNDECIDED),
    ],
)
def test_interval_decides(low: float, high: float, verdict: DuelVerdict) -> None:
    assert question().verdict(Bounds(low, high)) is verdict


def test_blocks_count_in_the_order_of_their_deals() -> None:
    """Whatever ends first: games that are lost slowly must not be counted later."""
    evidence = DuelEvidence(question())
    for name in ("d2-t1-s1", "d2-t1-s2", "d2-t1-s3", "d2-t1-s4", "d1-t1-s2", "d1-t1-s3"):
        evidence.add(game(WON, name))
    evidence.add(game(LOST, "d1-t1-s1"))
    assert evidence.blocks == 0
    evidence.add(game(LOST, "d1-t1-s4"))
    assert evidence.blocks == 2 and evidence.value == 1
    assert [each.game[:2] for each in evidence.games] == ["d1"] * 4 + ["d2"] * 4


def test_deal_that_cannot_be_played_is_left_out() -> None:
    evidence = DuelEvidence(question())
    for seat in (1, 2, 3, 4):
        evidence.add(game(WON, f"d2-t1-s{seat}"))
    assert evidence.blocks == 0
    evidence.leave_out(1)
    assert evidence.blocks == 1


def test_forecast_is_when_it_is_decided_if_it_stays_so() -> None:
    orders = [WON, LOST, WON] * 4
    evidence = after(orders)
    more = evidence.forecast()
    assert more is not None and not evidence.decided
    later = after(orders + [WON, LOST, WON] * (more // 12 + 1))
    assert later.verdict is DuelVerdict.STRONGER
    assert len(later.games) == pytest.approx(4 * len(orders) + more, abs=36)
    assert after(orders[:3]).forecast() is None, "too few to tell"


# -- words --------------------------------------------------------------------------------------


def report(evidence: DuelEvidence) -> DuelReport:
    played = len(evidence.games)
    return DuelReport(evidence, Losses(), Path("duels/x"), played, 100 - played)


def test_verdict_is_one_sentence() -> None:
    stronger = after([WON] * 40)
    low, high = (f"{bound:.2f}" for bound in stronger.bounds)
    found = f"+2.00 points per game [{low}, {high}], {4 * stronger.blocks} games."
    assert verdict_sentence(stronger) == f"new is stronger than old: {found}"
    weaker = after([LOST] * 40, question(measure=Measure.WINS))
    assert verdict_sentence(weaker).startswith(
        "new is weaker than old: \N{MINUS SIGN}50.0 % wins [\N{MINUS SIGN}"
    )
    equal = after([EVEN] * 100, question(margin=0.5))
    assert "new and old are equal within 0.5: 0.00 points" in verdict_sentence(equal)
    undecided = verdict_sentence(after([WON]))
    early = "Undecided, new against old: +2.00 points per game so far, too early to tell, 4 games."
    assert undecided == early
    assert "no block of 4 games was" in verdict_sentence(after([]))


def test_rounded_zero_has_no_sign() -> None:
    assert signed(-0.001, Measure.POINTS) == "0.00"
    assert signed(-0.01, Measure.POINTS) == "\N{MINUS SIGN}0.01"


def test_forecast_names_the_games_that_are_left() -> None:
    evidence = after([WON, LOST, WON] * 4)
    more = evidence.forecast()
    assert forecast_in_words(evidence, 5) == (
        f"About {more} more games if it stays like this; --max-games leaves 5."
    )
    assert forecast_in_words(evidence, 500) == f"About {more} more games if it stays like this."
    assert "cannot be told" in forecast_in_words(after([WON]), 5)
    assert forecast_in_words(after([WON] * 40), 5) == ""


def test_picture_shows_interval_margin_and_zero() -> None:
    evidence = after([WON] * 40)
    bar, axis, labels = (line.plain for line in draw_interval(evidence, 80))
    zero = axis.index("┼")
    assert zero <= bar.index("┣") < bar.index("●") < bar.index("┫") < 76
    assert axis.index("┴") < zero < axis.rindex("┴") and len(axis) == 76
    assert labels.startswith("weaker") and labels.endswith("stronger") and labels[zero] == "0"
    drawn = "\n".join(line.plain for line in draw_interval(evidence, 40, ascii_only=True))
    assert drawn.isascii() and max(map(len, drawn.splitlines())) == 40


def test_picture_of_no_games_is_everything_possible() -> None:
    bar, *_ = draw_interval(after([], question(margin=0.35)), 80)
    assert bar.plain.strip() == "┣" + "━" * (round(75 * 2.5 / 2.8) - 1) + "┫"


def test_report_says_which_games_count() -> None:
    """Others end after the verdict, or are of a block that was not played to its end."""
    said = []
    for evidence in (after([WON] * 40), after([WON])):
        for more in (0, 3):
            console = Console(width=120, record=True, file=StringIO())
            show_report(console, report(evidence)._replace(played=len(evidence.games) + more))
            said += re.findall("Of .* count: .*", console.export_text())
    decided = len(after([WON] * 40).games)
    assert said == [
        f"Of {decided + 3} games {decided} count: whole blocks up to the verdict.",
        "Of 7 games 4 count: whole blocks.",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_report_fits_the_terminal(width: int) -> None:
    console = Console(width=width, record=True, file=StringIO())
    show_report(console, report(after([WON] * 40)))
    lines = console.export_text().splitlines()
    assert max(len(line.rstrip()) for line in lines if "acquire" not in line) <= width
    assert "new is stronger than old" in " ".join(" ".join(lines).split())
