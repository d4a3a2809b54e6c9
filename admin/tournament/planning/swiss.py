"""Who meets in a round of a Swiss: players with results alike, and rather some who have not met."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from admin.tournament.results.result import GameResult
from admin.tournament.results.scoring import game_points

MOST_AROUND = 12
"""How many players are looked at, down the standings, for the next one of a table, at most."""


def pair(
    names: Sequence[str],
    seats: int,
    results: Iterable[GameResult],
    points: Sequence[float],
    chance: random.Random,
) -> list[tuple[str, ...]]:
    """Return the tables of the next round: groups of ``seats``, each in the order of ``names``.

    From the top of the standings (mean points a game; equals by lot) each table takes the highest
    who is left, and those near by who have met the table's players least often. Who is left over
    sits out: the lowest among those who have sat out least often.
    """
    games = sorted(results, key=lambda result: result.game)
    order = _standing(names, games, points, chance)
    for name in _sitting_out(order, len(names) % seats, games):
        order.remove(name)
    met = _meetings(games)
    around = max(seats, min(MOST_AROUND, len(order) // 2))
    tables = []
    while order:
        table = [order.pop(0)]
        while len(table) < seats:
            others = order[:around]
            nearest = min(
                others,
                key=lambda name: sum(met[frozenset((name, other))] for other in table),
            )
            order.remove(nearest)
            table.append(nearest)
        tables.append(tuple(sorted(table, key=names.index)))
    return tables


def _standing(
    names: Sequence[str],
    games: Sequence[GameResult],
    points: Sequence[float],
    chance: random.Random,
) -> list[str]:
    """Order the players by mean points; those without a game stand in the middle."""
    total: defaultdict[str, float] = defaultdict(float)
    played: Counter[str] = Counter()
    for game in games:
        for player, gained in game_points(game, points).items():
            total[player] += gained
            played[player] += 1
    middle = sum(points) / len(points)
    order = list(names)
    chance.shuffle(order)
    return sorted(order, key=lambda name: -(total[name] / played[name] if played[name] else middle))


def _sitting_out(order: Sequence[str], count: int, games: Sequence[GameResult]) -> list[str]:
    """Return who plays no game in the next round."""
    played = Counter(seat.player for game in games for seat in game.seats)
    from_below = sorted(order, key=lambda name: (-played[name], -order.index(name)))
    return from_below[:count]


def _meetings(games: Sequence[GameResult]) -> Counter[frozenset[str]]:
    """Count the games that every two players have played together."""
    return Counter(
        frozenset(two) for game in games for two in combinations([s.player for s in game.seats], 2)
    )
