"""What is played in a trial: segments of turns, the seats, and what the other players do."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from admin.match.events import Event
from admin.match.in_process import Answerer
from admin.match.referee import Segment
from game.rulebook import Rulebook
from game.state import State

Make: TypeAlias = Callable[[], Answerer]
"""A way to make one of the other players anew for each trial."""


class Reader(Protocol):
    """Somebody who follows a trial in order to play in it."""

    subject: str

    def __call__(self, event: Event, /) -> None:
        """Take an event."""
        ...


@dataclass(frozen=True, slots=True)
class Script:
    """The seats in sign-up order, one of them the ``subject``, and what is played.

    ``others`` makes the players of all other seats. In positions fewer may sit at the table than
    there are seats: the rest have left. ``thinking`` are the seconds that each of the others takes
    for a turn. ``seed`` and ``game`` are those of the shuffles after ejections; ``reader`` is told
    the events, and, by ``subject``, the name that the subject was given.
    """

    rulebook: Rulebook
    seats: tuple[str, ...]
    subject: str
    segments: tuple[Segment, ...]
    others: Mapping[str, Make]
    thinking: float = 0.0
    seed: int = 0
    game: int = 1
    reader: Reader | None = None

    def named(self, name: str) -> "Script":
        """Return the same script with another name for the subject."""
        if name == self.subject:
            return self
        return replace(
            self,
            subject=name,
            seats=tuple(name if seat == self.subject else seat for seat in self.seats),
            segments=tuple(
                Segment(_renamed(position, self.subject, name), turns)
                for position, turns in self.segments
            ),
        )


def _renamed(state: State, old: str, new: str) -> State:
    """Return the same position with another name for one player."""
    players = tuple(
        player._replace(name=new) if player.name == old else player for player in state.players
    )
    return state._replace(players=players)
