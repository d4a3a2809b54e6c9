"""Whole games, from the deal to the scores."""

from dataclasses import replace
from functools import partial

from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.lone_tiles import SHORT_TURN
from ..case_parts.position_text import OPPONENTS, deal_game
from ..case_parts.scenario import Scenario
from ..case_parts.special_opponents import leaves, plays
from .framing import IN_MERGER

TURNS_PLAYED = 5
"""How many turns the first leaver plays before it leaves."""

SCORE = CaseSource("The conversation", "`A> score` to every player still at the table")


def _dealt(seats: int, seed: int, strategy: str = "ordered") -> Scenario:
    """Return a whole game; the seed is one with which ``ordered`` is asked in mergers."""
    deal = partial(deal_game, seats=seats, seed=seed, place=seats // 2)
    return Scenario(deal, turns=None, others=dict.fromkeys(OPPONENTS, plays(strategy)))


_game = partial(
    CaseRow,
    source=SCORE,
    expected="Answer everything legally until the score.",
    hint="failing in a position that no other case has. The log of the case shows it.",
    tested=f"{SHORT_TURN} {IN_MERGER}",
    must_answer="score",
)

CASES = (
    _game(
        "two",
        "Two players and the stock market",
        source=CaseSource("Two players", "a table of two has a third holder, the stock market"),
        scenario=_dealt(2, 5),
        expected="Answer everything legally until the score, and <market> with <void/>.",
        tested=f"{SHORT_TURN} {IN_MERGER} market merger",
        when=lambda rulebook: rulebook.market_for_two,
    ),
    _game(
        "three-ordered",
        "Three players; the opponents place the first playable tile",
        scenario=_dealt(3, 165),
    ),
    _game(
        "four-random",
        "Four players; the opponents make random legal moves",
        scenario=_dealt(4, 439, "random"),
    ),
    _game(
        "six-investors",
        "Six players; the opponents play to win",
        scenario=_dealt(6, 571, "investor"),
    ),
    _game(
        "ejections",
        "Four players; two opponents are ejected",
        source=CaseSource("The conversation", "The game goes on with those who remain"),
        scenario=replace(
            _dealt(4, 4),
            others={"ann": leaves("turn", after=TURNS_PLAYED), "bob": leaves("keep", "dispose")},
        ),
        expected="Answer everything legally until the score, even as players leave.",
        hint="expecting the players of the first position in all later ones.",
    ),
)
