"""How a game ended, and the standings."""

from collections.abc import Sequence
from typing import NamedTuple

from ....game.turn import Ending
from . import events
from .events import Ejected, Event


class Standing(NamedTuple):
    """A player's place: tied players share a rank, and the next rank is skipped."""

    rank: int
    name: str
    score: int
    finished: bool

    @property
    def won(self) -> bool:
        """Whether the player won, alone or with others; nobody has where nobody finished."""
        return self.finished and self.rank == 1


class Outcome(NamedTuple):
    """The ending, the number of turns begun, the standings, and the ejections in order.

    ``ejected_in`` are the turns of the ejections, as far as they are known; 0 is the set-up.
    """

    ending: Ending
    turns: int
    standings: tuple[Standing, ...]
    ejected: tuple[Ejected, ...]
    ejected_in: tuple[int, ...] = ()


def standings(scores: Sequence[tuple[str, int]], ejected: Sequence[str]) -> tuple[Standing, ...]:
    """Rank those who finished by falling score, ties by name; then the ejected, the last first.

    ``scores`` are dollars by name; an ejected player scores 0 and stands below all who finished.
    """
    order = sorted(scores, key=lambda result: (-result[1], result[0]))
    ranks = shared_ranks([score for _, score in order])
    table = [
        Standing(rank, name, score, finished=True)
        for rank, (name, score) in zip(ranks, order, strict=True)
    ]
    for name in reversed(ejected):
        table.append(Standing(len(table) + 1, name, 0, finished=False))
    return tuple(table)


def shared_ranks(order: Sequence[object]) -> list[int]:
    """Return the rank of each in an order: equal neighbours share one, and the next is skipped.

    >>> shared_ranks([900, 700, 700, 500])
    [1, 2, 2, 4]
    """
    return [order.index(value) + 1 for value in order]


class OutcomeSoFar:
    """The outcome as far as events have come, for a game that may be interrupted."""

    def __init__(self) -> None:
        self._turns = 0
        self._ending = Ending.INTERRUPTED
        self._standings: list[Standing] = []
        self._ejected: list[Ejected] = []
        self._ejected_in: list[int] = []

    def __call__(self, event: Event) -> None:
        """Take one event."""
        match event:
            case events.TurnBegan(number):
                self._turns = number
            case events.Ejected():
                self._ejected.append(event)
                self._ejected_in.append(self._turns)
            case events.Ended(ending):
                self._ending = ending
            case events.Ranked():
                self._standings.append(Standing(*event))

    def outcome(self) -> Outcome:
        """Return the outcome as far as it is known."""
        ejected, turns = tuple(self._ejected), tuple(self._ejected_in)
        return Outcome(self._ending, self._turns, tuple(self._standings), ejected, turns)
