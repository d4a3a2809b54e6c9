"""The pairing of a Swiss round: players with similar results, preferably ones who have not met."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from ..games.result import GameResult, game_points

MAX_CANDIDATES = 12
"""How many players, in the order of the standings, are considered for the next place of a table."""


def pair(
    names: Sequence[str],
    seats: int,
    results: Iterable[GameResult],
    points: Sequence[float],
    chance: random.Random,
) -> list[tuple[str, ...]]:
    """Return the tables of the next round: groups of ``seats``, each in the order of ``names``.

    From the top of the standings (points per game; ties in random order) each table takes the
    highest player left, and nearby players who have met the table's players least often. Unpaired
    players sit out: the lowest among those who have sat out least often.
    """
    games = sorted(results, key=lambda result: result.game)
    order = _standing(names, games, points, chance)
    for name in _sitting_out(order, len(names) % seats, games):
        order.remove(name)
    met = _meetings(games)
    candidates = max(seats, min(MAX_CANDIDATES, len(order) // 2))
    tables = []
    while order:
        table = [order.pop(0)]
        while len(table) < seats:
            chosen = min(
                order[:candidates],
                key=lambda name: sum(met[frozenset((name, other))] for other in table),
            )
            order.remove(chosen)
            table.append(chosen)
        tables.append(tuple(sorted(table, key=names.index)))
    return tables


def _standing(
    names: Sequence[str],
    games: Sequence[GameResult],
    points: Sequence[float],
    chance: random.Random,
) -> list[str]:
    """Order the players by points per game; those without a game are in the middle."""
    total: defaultdict[str, float] = defaultdict(float)
    played: Counter[str] = Counter()
    for game in games:
        for player, earned in game_points(game, points).items():
            total[player] += earned
            played[player] += 1
    middle = sum(points) / len(points)
    order = list(names)
    chance.shuffle(order)
    return sorted(order, key=lambda name: -(total[name] / played[name] if played[name] else middle))


def _sitting_out(order: Sequence[str], count: int, games: Sequence[GameResult]) -> list[str]:
    """Return the players who sit out the next round."""
    played = Counter(seat.player for game in games for seat in game.seats)
    from_below = sorted(order, key=lambda name: (-played[name], -order.index(name)))
    return from_below[:count]


def _meetings(games: Sequence[GameResult]) -> Counter[frozenset[str]]:
    """Count the games that any two players have played together."""
    return Counter(
        frozenset(two) for game in games for two in combinations([s.player for s in game.seats], 2)
    )
