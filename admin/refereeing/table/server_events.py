"""What a referee reports while it runs, as values. Games are numbered from 1.

An observer is called with each event, and returns at once. It reads those that it is for, and
passes nothing on: :func:`to_each` is how several observers see the same events. Anyone can make
thousands of connections that get no seat: :class:`Crowds` is how much is said about them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import trio

from ....protocol.faults import Fault
from ..log.recorder import Header, SeatRecord
from ..play import events
from ..play.outcome import Outcome

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Listening:
    """Players can connect at these addresses."""

    addresses: Sequence[str]


@dataclass(frozen=True, slots=True)
class SignUpsChanged:
    """These players have signed up for a game with as many free ``seats``."""

    number: int
    names: Sequence[str]
    seats: int


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """A connection got no seat, or lost it before the game; ``name`` is empty if unknown."""

    address: str
    name: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class Unfilled:
    """A game was given up: too few players had signed up at the deadline."""

    number: int
    signed_up: int
    needed: int


@dataclass(frozen=True, slots=True)
class GameBegan:
    """A game begins."""

    number: int
    header: Header


Milestone: TypeAlias = events.TurnBegan | events.Declared | events.Ejected | events.Ended
MILESTONES = (events.TurnBegan, events.Declared, events.Ejected, events.Ended)


@dataclass(frozen=True, slots=True)
class Happened:
    """A milestone of a game. The log has all else, and most turns have ten other events."""

    number: int
    event: Milestone


@dataclass(frozen=True, slots=True)
class LogWritten:
    """Bytes were written to a game's log; the first ones before the game begins."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game ended, in whichever way."""

    number: int
    log: Path
    seats: tuple[SeatRecord, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """A game was abandoned through no fault of its players; ``why`` is a sentence."""

    number: int
    why: str


ServerEvent: TypeAlias = (
    Listening
    | SignUpsChanged
    | TurnedAway
    | Unfilled
    | GameBegan
    | Happened
    | LogWritten
    | GameEnded
    | GameAbandoned
)
ServerObserver: TypeAlias = Callable[[ServerEvent], object]


def to_each(*observers: Callable[[E], object]) -> Callable[[E], None]:
    """Return an observer that calls several others, in this order."""

    def observe(event: E) -> None:
        for observer in observers:
            observer(event)

    return observe


SHOWN = 5
"""Connections of a kind that are shown one by one."""
PERIOD = 10.0
"""Seconds after which those that were not shown are summed up."""


class Crowds:
    """Shows the first few of each kind one by one, then one sum of each kind in every period.

    A kind is shown one by one again after a period in which nothing had to be summed up.
    """

    def __init__(self, show_sum: Callable[[str], None]) -> None:
        """``show_sum`` is called with a kind and how many more there were, in words."""
        self._show_sum = show_sum
        self._shown: Counter[str] = Counter()
        self._more: Counter[str] = Counter()
        self._waits = False

    def shows(self, kind: str) -> bool:
        """Count one more of a kind; return whether it is shown by itself."""
        if not self._waits and trio.lowlevel.in_trio_run():
            self._waits = True
            trio.lowlevel.spawn_system_task(self._sum_up_later)
        if self._shown[kind] < SHOWN:
            self._shown[kind] += 1
            return True
        self._more[kind] += 1
        return False

    def sum_up(self) -> None:
        """Show how many were not shown since the last sum."""
        self._shown = Counter(dict.fromkeys(self._more, SHOWN))
        more, self._more = self._more, Counter()
        for kind, count in more.items():
            self._show_sum(f"{count:,} more in the last {PERIOD:g} s ({kind}).")

    async def _sum_up_later(self) -> None:
        while self._shown:
            await trio.sleep(PERIOD)
            self.sum_up()
        self._waits = False
