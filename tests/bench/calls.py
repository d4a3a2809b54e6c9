"""Python function calls per game: a measure of speed that no other work on the machine changes.

A test fails when there are more than recorded here: find out why, or record the new figures, which
``python -m bench`` prints, in ``tests/``. Compare a figure with an earlier one only: a call
of a constructor is cheaper than one of ``refill``. From Python 3.12 on there are fewer calls,
because comprehensions are none.
"""

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.in_process import play
from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.player.strategies.simple import Random
from acquire.protocol.dialect import Dialect
from bench import engine
from bench.rows import Figure, Row

RECORDED = {
    "rules, classic": 2421.9,
    "rules, revised": 1869.0,
    "game, classic": 17697.1,
    "game, revised": 11736.3,
}
"""Calls per game, under Python 3.11."""
TOLERANCE = 1.02
"""More calls than this times the recorded ones are a regression."""
GAMES = 10


def calls_of(run: Callable[[], object]) -> int:
    """Count the calls of Python functions in a run; those of compiled functions are not seen."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        if event == "call":
            count += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return count


def per_game() -> dict[str, float]:
    """Return the calls per game of the rules alone, and of games of ``random`` players."""
    found = {}
    for rulebook in (CLASSIC, REVISED):
        found[f"rules, {rulebook.id}"] = _of_rules(rulebook)
        found[f"game, {rulebook.id}"] = _of_games(rulebook)
    return found


def _of_rules(rulebook: Rulebook) -> float:
    bags = engine.bags(GAMES)
    calls = calls_of(lambda: [engine.fast(rulebook, bag, seed) for seed, bag in enumerate(bags)])
    return calls / GAMES


def _of_games(rulebook: Rulebook) -> float:
    return calls_of(lambda: [_game(rulebook, seed) for seed in range(GAMES)]) / GAMES


def _game(rulebook: Rulebook, seed: int) -> Outcome:
    dealer = Dealer(seed)
    referee = Referee(rulebook, engine.NAMES, dealer.bag, dealer.shuffle, lambda _: None)
    players = {name: Random(rulebook, seed) for name in engine.NAMES}
    return play(referee.play(), players, Dialect.of(rulebook))


def _measure(what: str, _quick: bool) -> Figure:
    calls, recorded = per_game()[what], RECORDED[what]
    return Figure(calls / recorded, f"{calls:,.1f}", f"{recorded:,.1f}")


ROWS = tuple(
    Row(
        f"calls-{what.replace(', ', '-')}",
        f"Python functions called in a {what.replace(',', ' of')} / recorded",
        TOLERANCE,
        partial(_measure, what),
    )
    for what in RECORDED
)
