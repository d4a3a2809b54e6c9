"""How a match ended, and the standings."""

from collections.abc import Sequence
from typing import NamedTuple

from admin.events import Ejected
from game.turn import Ending


class Standing(NamedTuple):
    """One player's place: equals share a rank, and the next rank is left out."""

    rank: int
    name: str
    score: int
    finished: bool


class Outcome(NamedTuple):
    """The ending, the number of turns begun, the standings, and who was ejected, in order."""

    ending: Ending
    turns: int
    standings: tuple[Standing, ...]
    ejected: tuple[Ejected, ...]


def standings(scores: Sequence[tuple[str, int]], ejected: Sequence[str]) -> tuple[Standing, ...]:
    """Rank those who finished by falling score, ties by name; then the ejected, the last first.

    ``scores`` are dollars by name; an ejected player scores 0 and stands below all who finished.
    """
    table: list[Standing] = []
    for name, score in sorted(scores, key=lambda result: (-result[1], result[0])):
        tied = table and table[-1].score == score
        rank = table[-1].rank if tied else len(table) + 1
        table.append(Standing(rank, name, score, finished=True))
    for name in reversed(ejected):
        table.append(Standing(len(table) + 1, name, 0, finished=False))
    return tuple(table)
