"""How likely each player is to win as a turn begins, and the turning points of a game.

All hands are known here, also those that the players could not see; only the order of the bag is
drawn again. So a chance belongs to the table and not to a player.

What a turn has changed has two parts. Its answers are given again, and the rest is played on: that
differs from the chance before by what the players decided, compared with what analysts would have.
The other part is what the draw at its end has changed.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from ....game.state import State
from ....game.tiles import TILES
from ..whatif.single_game import WIN
from .decision import DecisionStart
from .playing import AnalysedTable, play, result_of

MOST_POINTS = 3
"""How many turning points a game has at most."""
CANDIDATES = 6
"""How many turns are looked at more closely, those that seem to have changed most."""
LEAST_CHANGE = 0.1
"""How much a chance has to change in a turning point."""

Chances = tuple[float, ...]
"""The chance to win by seat; 0 for a player that has left."""


class TurningPoint(NamedTuple):
    """A turn that changed the chances: before it, after its decisions, and after its draw.

    ``decided`` is ``None`` if a player was ejected in the turn.
    """

    turn: int
    before: Chances
    decided: Chances | None
    after: Chances


def chances(
    table: AnalysedTable, position: State, games: Sequence[int], done: DecisionStart | None = None
) -> Chances:
    """Return the chances in a position; ``done``, if given, is answered in its first turn."""
    wins = [0] * len(table.names)
    drawn = 0 if done is None else len(done.drawn)
    for game in games:
        bag = (*position.bag[:drawn], *_in_order(table, position.bag[drawn:], game))
        outcome = play(table, position._replace(bag=bag), done, game)
        for seat, name in enumerate(table.names):
            if any(player.name == name for player in position.players):
                wins[seat] += result_of(outcome, name).win
    return tuple(won / WIN / len(games) for won in wins)


def _in_order(table: AnalysedTable, bag: Sequence[int], game: int) -> list[int]:
    """Return the tiles in an order that a tile less does not change: turns meet the same luck."""
    chance = random.Random(f"acquire bag in order {table.seed} {game}")
    order = {tile: chance.random() for tile in TILES}
    return sorted(bag, key=order.__getitem__)


def change(before: Chances, after: Chances) -> float:
    """Return how much chance has moved from some players to others.

    >>> change((0.5, 0.5, 0.0), (0.25, 0.5, 0.25))
    0.25
    """
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2


def gainer(before: Chances, after: Chances) -> int:
    """Return the seat whose chance has changed most.

    >>> gainer((0.5, 0.5, 0.0), (0.25, 0.625, 0.125))
    0
    """
    return max(range(len(before)), key=lambda seat: abs(after[seat] - before[seat]))


def most_changed(turns: Sequence[int], found: Sequence[Chances], count: int) -> list[int]:
    """Return the turns after which the chances differ most; there is one chance more than turns."""
    changes = {turn: change(*found[at : at + 2]) for at, turn in enumerate(turns)}
    return sorted(changes, key=lambda turn: (-changes[turn], turn))[:count]


def turning_points(candidates: Sequence[TurningPoint]) -> tuple[TurningPoint, ...]:
    """Return those that changed most, if they changed enough, in the order of the turns."""
    found = [
        point
        for point in candidates
        if max(abs(b - a) for b, a in zip(point.after, point.before, strict=True)) >= LEAST_CHANGE
    ]
    found.sort(key=lambda point: (-change(point.before, point.after), point.turn))
    return tuple(sorted(found[:MOST_POINTS], key=lambda point: point.turn))


def point_words(point: TurningPoint) -> str:
    """Return how the chance of the player has changed for whom it changed most, and by what.

    >>> point_words(TurningPoint(9, (0.5, 0.5), (0.7, 0.3), (0.75, 0.25)))
    ' from 50 % to 75 %: +20 by decisions, +5 by the draw'
    """
    seat = gainer(point.before, point.after)
    before, after = point.before[seat], point.after[seat]
    text = f" from {before * 100:.0f} % to {after * 100:.0f} %"
    if point.decided is None:
        return text
    decided = point.decided[seat]
    by_decisions, by_draw = round((decided - before) * 100), round((after - decided) * 100)
    return f"{text}: {_points(by_decisions)} by decisions, {_points(by_draw)} by the draw"


def _points(change: int) -> str:
    """Write a change in percentage points, with a minus sign."""
    return f"{change:+}".replace("-", "\N{MINUS SIGN}")
