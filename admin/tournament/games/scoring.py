"""The points of a game.

Each place is worth points, and players who tie share the points of the places that they occupy
together. A player who did not finish has the last place and no points; points that remain are
given to nobody.
"""

from collections import Counter
from collections.abc import Sequence

from .result import GameResult


def game_points(result: GameResult, points: Sequence[float]) -> dict[str, float]:
    """Return each player's points; ``points`` are those of the places, first place first."""
    finished = [seat for seat in result.seats if seat.finished]
    sharing = Counter(seat.rank for seat in finished)
    earned = dict.fromkeys(result.players, 0.0)
    for seat in finished:
        places = range(seat.rank - 1, seat.rank - 1 + sharing[seat.rank])
        earned[seat.player] = sum(points[place] for place in places) / len(places)
    return earned
