"""The standings of a tournament so far, counted game by game, for those who look on."""

from collections import Counter, defaultdict

from admin.tournament.planning.plan import Plan
from admin.tournament.results.result import GameResult
from admin.tournament.results.scoring import game_points
from admin.tournament.results.verdict import PlayerVerdict


class RunningStandings:
    """Points, games and lost games of each player; ``lost`` are those that it did not finish."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._points: defaultdict[str, float] = defaultdict(float)
        self.games: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()

    def count(self, result: GameResult) -> None:
        """Take a game that counts."""
        for player, gained in game_points(result, self._plan.points).items():
            self._points[player] += gained
            self.games[player] += 1
        for seat in result.seats:
            self.lost[seat.player] += seat.verdict is not PlayerVerdict.FINISHED

    def mean(self, player: str) -> float:
        """Return the points a game of a player, 0 before the first."""
        return self._points[player] / self.games[player] if self.games[player] else 0.0

    @property
    def order(self) -> list[str]:
        """All players, who has most points a game first, equals by name."""
        return sorted(self._plan.names, key=lambda name: (-self.mean(name), name))
