"""How likely each player is to win as a turn begins, and the turning points of a game.

All hands are known here, also those that the players could not see; only the order of the bag is
drawn again, and in a game all turns meet the same order. So a chance belongs to the table and not
to a player. Some games find the turns that changed the chances; the chances that are shown are
those of others, so that a turning point has not been chosen for its luck in them.

What a turn has changed has two parts. Its answers are given again, and the rest is played on: that
differs from the chance before by what the players decided, compared with what analysts would have.
The other part is what the draw at its end has changed.
"""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ....game.state import State
from ....game.tiles import TILES
from ..statistics.intervals import Estimate, share_interval
from ..whatif.single_game import WIN
from .decision_log import Decision, DecisionStart
from .playing import AnalysedTable, play, result_of

MOST_POINTS = 3
"""How many turning points a game has at most."""
LEAST_CHANGE = 0.25
"""How much chance has to move from some players to others in a turning point, by some games."""
LEAST_PART = 0.05
"""How much of the change a decision has to bring to be named."""

Shares = tuple[float, ...]
"""The share of the games that each seat won; 0 for a player that has left."""


class Chances(NamedTuple):
    """The chances in a position by seat, and the shares of other games, which find the changes."""

    win: tuple[Estimate, ...]
    found_by: Shares


class TurningPoint(NamedTuple):
    """A turn that changed the chances, above all those of ``seat``.

    ``steps`` are the chances after each of its decisions, in order, in the games of ``before`` and
    ``after``.
    """

    turn: int
    seat: int
    before: Shares
    after: Shares
    steps: tuple[tuple[Decision, Shares], ...]

    @property
    def change(self) -> float:
        """By how much the chance of the seat has changed, between -1 and 1."""
        return self.after[self.seat] - self.before[self.seat]

    @property
    def by_decision(self) -> list[float]:
        """The parts of the change that each decision has, in order."""
        chances = [self.before, *(shares for _, shares in self.steps)]
        return [after[self.seat] - before[self.seat] for before, after in pairwise(chances)]

    @property
    def by_draw(self) -> float:
        """The part that the draws have, 0 if the decisions are not known."""
        return self.change - sum(self.by_decision) if self.steps else 0.0

    @property
    def decisive(self) -> int | None:
        """The place of the decision with the largest part of the change, ``None`` if it is none."""
        parts = [part if self.change > 0 else -part for part in self.by_decision]
        most = max(parts, default=0.0)
        return parts.index(most) if most >= LEAST_PART else None


def chances(table: AnalysedTable, position: State, games: int) -> Chances:
    """Return the chances as a turn begins."""
    shown = games_shown(games)
    win = shares(table, position, shown)
    return Chances(
        tuple(Estimate(share, *share_interval(share, len(shown))) for share in win),
        shares(table, position, range(shown.start)),
    )


def games_shown(games: int) -> range:
    """Return which games give the chances that are shown; those before find the changes."""
    return range(2 * games, 5 * games)


def shares(
    table: AnalysedTable, position: State, games: Sequence[int], done: DecisionStart | None = None
) -> Shares:
    """Return who wins from a position; ``done``, if given, is answered in its first turn."""
    wins = [0] * len(table.names)
    drawn = 0 if done is None else len(done.drawn)
    for game in games:
        bag = (*position.bag[:drawn], *_in_order(table, position.bag[drawn:], game))
        scores = play(table, position._replace(bag=bag), done, game)
        for seat, name in enumerate(table.names):
            if name in scores:
                wins[seat] += result_of(scores, name).win
    return tuple(won / WIN / len(games) for won in wins)


def _in_order(table: AnalysedTable, bag: Sequence[int], game: int) -> list[int]:
    """Return the tiles in an order that a tile less does not change: turns meet the same luck."""
    chance = random.Random(f"acquire bag in order {table.seed} {game}")
    order = {tile: chance.random() for tile in TILES}
    return sorted(bag, key=order.__getitem__)


def change(before: Shares, after: Shares) -> float:
    """Return how much chance has moved from some players to others.

    >>> change((0.5, 0.5, 0.0), (0.25, 0.5, 0.25))
    0.25
    """
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2


def gainer(before: Shares, after: Shares) -> int:
    """Return the seat whose chance has changed most.

    >>> gainer((0.5, 0.5, 0.0), (0.25, 0.625, 0.125))
    0
    """
    return max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))


def turning_turns(turns: Sequence[int], found: Sequence[Shares]) -> list[int]:
    """Return the turns after which the chances differ most, in order.

    There is one chance more than turns, unless the last one is not known.
    """
    changes = {turn: change(*found[at : at + 2]) for at, turn in enumerate(turns[: len(found) - 1])}
    most = sorted(changes, key=lambda turn: (-changes[turn], turn))[:MOST_POINTS]
    return sorted(turn for turn in most if changes[turn] >= LEAST_CHANGE)


def decisive_turn(
    turns: Sequence[int], found: Sequence[Shares], seat: int, *, for_better: bool
) -> int:
    """Return the turn that raised, or else lowered, the chance of a seat most.

    >>> decisive_turn([1, 2], [(0.5, 0.5), (0.4, 0.6), (0.0, 1.0)], 0, for_better=False)
    2
    """
    sign = 1 if for_better else -1
    changes = {
        turn: sign * (found[at + 1][seat] - found[at][seat])
        for at, turn in enumerate(turns[: len(found) - 1])
    }
    return max(changes, key=lambda turn: changes[turn])
