"""The standings of a tournament so far, counted game by game."""

from collections import Counter, defaultdict

from ..games.result import GameResult, game_points
from ..planning.plan import Plan


class RunningStandings:
    """Points, games and lost games of each player; a game not finished is lost."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._points: defaultdict[str, float] = defaultdict(float)
        self.games: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()

    def count(self, result: GameResult) -> None:
        """Add a game that counts."""
        for player, points in game_points(result, self._plan.points).items():
            self._points[player] += points
            self.games[player] += 1
        for seat in result.seats:
            self.lost[seat.player] += not seat.finished

    def average(self, player: str) -> float:
        """Return a player's points per game, 0 before the first game."""
        return self._points[player] / self.games[player] if self.games[player] else 0.0

    @property
    def order(self) -> list[str]:
        """All players, by points per game, then by name."""
        return sorted(self._plan.names, key=lambda name: (-self.average(name), name))
