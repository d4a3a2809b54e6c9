"""What is played in a trial: segments of a game, the seats, and how the opponents play."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from ....game.rulebook import Rulebook
from ....game.state import State
from ...refereeing.play.events import Event
from ...refereeing.play.in_process import Answerer
from ...refereeing.play.referee import Segment

MakePlayer: TypeAlias = Callable[[Rulebook], Answerer]
"""Makes a new player for each trial, given the rulebook."""


@dataclass(frozen=True, slots=True)
class Script:
    """The seats in sign-up order, one of them the ``subject``, and what is played.

    ``opponents`` makes the players of all other seats. A position may have fewer players than
    there are seats: the others have left. ``think_time`` is how many seconds each opponent takes
    for a turn. ``seed`` and ``game`` determine the shuffles after ejections. ``reader`` reads the
    events while the trial runs.
    """

    rulebook: Rulebook
    seats: tuple[str, ...]
    subject: str
    segments: tuple[Segment, ...]
    opponents: Mapping[str, MakePlayer]
    think_time: float = 0.0
    seed: int = 0
    game: int = 1
    reader: Callable[[Event], None] | None = None

    def with_subject_named(self, name: str) -> "Script":
        """Return the same script with another name for the subject."""
        if name == self.subject:
            return self
        return replace(
            self,
            subject=name,
            seats=tuple(name if seat == self.subject else seat for seat in self.seats),
            segments=tuple(
                Segment(renamed(position, {self.subject: name}), turns)
                for position, turns in self.segments
            ),
        )


def renamed(state: State, names: Mapping[str, str]) -> State:
    """Return the position with other names for some players."""
    players = tuple(
        player._replace(name=names.get(player.name, player.name)) for player in state.players
    )
    return state._replace(players=players)
