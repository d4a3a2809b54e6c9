"""What a game is worth to each of its players.

Places give points, and players who tie share those of the places that they hold together. Who did
not finish has the last place and no points; what that leaves over is given to nobody.
"""

from collections import Counter
from collections.abc import Sequence

from admin.tournament.results.result import GameResult
from admin.tournament.results.verdict import PlayerVerdict


def game_points(result: GameResult, points: Sequence[float]) -> dict[str, float]:
    """Return each player's points, where ``points`` are those of the places, first to last."""
    finished = [seat for seat in result.seats if seat.verdict is PlayerVerdict.FINISHED]
    sharing = Counter(seat.rank for seat in finished)
    gained = dict.fromkeys([seat.player for seat in result.seats], 0.0)
    for seat in finished:
        places = range(seat.rank - 1, seat.rank - 1 + sharing[seat.rank])
        gained[seat.player] = sum(points[place] for place in places) / len(places)
    return gained
