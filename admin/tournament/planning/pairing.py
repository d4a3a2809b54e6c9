"""Who meets whom in a round of a Swiss tournament.

Players with similar results meet, preferably ones who have not met.
"""

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
    total: defaultdict[str, float] = defaultdict(float)
    for game in games:
        for player, earned in game_points(game, points).items():
            total[player] += earned
    played = Counter(name for game in games for name in game.players)
    middle = sum(points) / len(points)  # for those without a game
    order = list(names)
    chance.shuffle(order)
    order.sort(key=lambda name: -(total[name] / played[name] if played[name] else middle))
    from_below = sorted(order, key=lambda name: (-played[name], -order.index(name)))
    for name in from_below[: len(names) % seats]:
        order.remove(name)
    met = Counter(frozenset(two) for game in games for two in combinations(game.players, 2))
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
