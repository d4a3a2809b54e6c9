"""All that is told of a match played on: who played, what came of it, what really happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from admin.log.reader import RecordedMatch
from admin.log.verifier import Verifier
from admin.match.outcome import Standing
from admin.whatif.playing import Played, Setting
from admin.whatif.spread import Spread, spread
from admin.whatif.variant import Variant
from game.rulebook import Hands


class Other(NamedTuple):
    """Who plays for a name unless a variant does; ``instead`` of what, empty if of nothing."""

    name: str
    strategy: str
    instead: str


class Actual(NamedTuple):
    """What really became of a seat: its standing, ``None`` where the match has not ended.

    ``left_in`` is the turn in which the player was ejected, 0 at the set-up.
    """

    standing: Standing | None
    left_in: int | None


class Result(NamedTuple):
    """A variant and what its games came to, ``None`` where none was played."""

    variant: Variant
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class Report:
    """What is told. ``results`` are by seat, in the order in which they were asked for.

    ``others`` are those who played at least in some of the games. ``hands`` says that hands were
    dealt anew, and not the bag alone.
    """

    log: str
    turn: int
    mover: str
    seed: int
    hands: bool
    others: tuple[Other, ...]
    results: dict[str, tuple[Result, ...]]
    actual: dict[str, Actual]


def actual_results(record: RecordedMatch, left_in: Mapping[str, int]) -> dict[str, Actual]:
    """Return what really became of every seat of a match that verifies."""
    verifier = Verifier(record)
    verifier.verify()
    standings = {standing.name: standing for standing in verifier.outcome.standings}
    return {
        seat.name: Actual(standings.get(seat.name), left_in.get(seat.name))
        for seat in record.header.seats
    }


def report_of(
    log: str,
    turn: int,
    setting: Setting,
    others: Sequence[Other],
    found: Mapping[Variant, Sequence[Played]],
    actual: Mapping[str, Actual],
) -> Report:
    """Make a report; variants of a seat are compared with the first one of the same seat."""
    first: dict[str, Sequence[Played]] = {}
    results: dict[str, tuple[Result, ...]] = {}
    for variant, games in found.items():
        seat = variant.seat
        beside = spread(games, first.get(seat), setting.seed) if games else None
        first.setdefault(seat, games)
        results[seat] = (*results.get(seat, ()), Result(variant, beside))
    return Report(
        log,
        turn,
        setting.position.mover.name,
        setting.seed,
        setting.rulebook.hands is Hands.HIDDEN,
        tuple(other for other in others if set(results) != {other.name}),
        results,
        {seat: actual[seat] for seat in results},
    )
