"""The results of a game that was played on: who played, the statistics, the real result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ....game.rulebook import Hands
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Verifier
from ...refereeing.play.outcome import Standing
from .single_game import GameSetup, SeatOutcome
from .spread import Spread, spread_of
from .variant import Variant


class Opponent(NamedTuple):
    """Who plays for a seat unless a variant does; ``instead`` of whom, or empty."""

    name: str
    strategy: str
    instead: str


class RealResult(NamedTuple):
    """The real result of a seat: its standing, ``None`` if the game did not end.

    ``left_in`` is the turn in which the player was ejected, 0 at the set-up.
    """

    standing: Standing | None
    left_in: int | None


class VariantResult(NamedTuple):
    """A variant and the statistics of its games, ``None`` if none was played."""

    variant: Variant
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class WhatIfReport:
    """All results; ``results`` are by seat, in the order in which variants were given.

    ``opponents`` are those who played in at least one game. ``hands``: whether hands were dealt
    again besides the bag.
    """

    log: str
    turn: int
    mover: str
    seed: int
    hands: bool
    opponents: tuple[Opponent, ...]
    results: dict[str, tuple[VariantResult, ...]]
    real: dict[str, RealResult]


def real_results(record: RecordedGame, left_in: Mapping[str, int]) -> dict[str, RealResult]:
    """Return the real result of every seat of a game that verifies."""
    verifier = Verifier(record)
    verifier.verify()
    standings = {standing.name: standing for standing in verifier.outcome.standings}
    return {
        seat.name: RealResult(standings.get(seat.name), left_in.get(seat.name))
        for seat in record.header.seats
    }


def report_of(
    log: str,
    turn: int,
    setup: GameSetup,
    opponents: Sequence[Opponent],
    games_of: Mapping[Variant, Sequence[SeatOutcome]],
    real: Mapping[str, RealResult],
) -> WhatIfReport:
    """Make a report; the variants of a seat are compared with the seat's first one."""
    first: dict[str, Sequence[SeatOutcome]] = {}
    results: dict[str, tuple[VariantResult, ...]] = {}
    for variant, games in games_of.items():
        seat = variant.seat
        spread = spread_of(games, first.get(seat)) if games else None
        first.setdefault(seat, games)
        results[seat] = (*results.get(seat, ()), VariantResult(variant, spread))
    return WhatIfReport(
        log,
        turn,
        setup.position.mover.name,
        setup.seed,
        setup.rulebook.hands is Hands.HIDDEN,
        tuple(opponent for opponent in opponents if set(results) != {opponent.name}),
        results,
        {seat: real[seat] for seat in results},
    )
