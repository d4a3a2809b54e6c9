"""What a referee reports while it runs, as values. Games are numbered from 1.

An observer is called with each event, and returns at once. It reads those that it is for, and
passes nothing on: :func:`to_each` is how several observers see the same events. Anyone can make
thousands of connections that get no seat: :class:`.crowds.Crowds` limits what is said of them.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from ....protocol.faults import Fault
from ..log.recorder import Header, SeatRecord
from ..play import events
from ..play.outcome import Outcome

E = TypeVar("E")


class Listening(NamedTuple):
    """Players can connect at these addresses."""

    addresses: Sequence[str]


class SignUpsChanged(NamedTuple):
    """These players have signed up for a game with as many free ``seats``."""

    number: int
    names: Sequence[str]
    seats: int


class TurnedAway(NamedTuple):
    """A connection got no seat, or lost it before the game; ``name`` is empty if unknown."""

    address: str
    name: str
    fault: Fault


class Unfilled(NamedTuple):
    """A game was given up: too few players had signed up at the deadline."""

    number: int
    signed_up: int
    needed: int


class GameBegan(NamedTuple):
    """A game begins."""

    number: int
    header: Header


Milestone: TypeAlias = events.TurnBegan | events.Declared | events.Ejected | events.Ended
MILESTONES = (events.TurnBegan, events.Declared, events.Ejected, events.Ended)


class Happened(NamedTuple):
    """A milestone of a game. The log has all else, and most turns have ten other events."""

    number: int
    event: Milestone


class LogWritten(NamedTuple):
    """Bytes were written to a game's log; the first ones before the game begins."""

    number: int
    data: bytes


class GameEnded(NamedTuple):
    """A game ended, in whichever way."""

    number: int
    log: Path
    seats: tuple[SeatRecord, ...]
    outcome: Outcome


class GameAbandoned(NamedTuple):
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
