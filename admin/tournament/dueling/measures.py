"""What a duel compares: the mean of the challenger's seats and that of its opponents, in a game."""

from collections.abc import Collection
from enum import Enum
from statistics import fmean
from typing import assert_never

from ..games.result import GameResult, game_points
from ..planning.plan import default_points


class Measure(Enum):
    """What a player has of a game; the value is what the command line contains.

    ``points`` are those of a tournament, one for every player that it is placed before; wins are
    shared by players who tie; money is the share of all money that the players of a table have
    at the end. A player who did not finish has nothing.
    """

    POINTS = "points"
    WINS = "wins"
    MONEY = "money"

    def of(self, result: GameResult) -> dict[str, float]:
        """Return what every player has of a game."""
        match self:
            case Measure.POINTS:
                return game_points(result, default_points(len(result.seats)))
            case Measure.WINS:
                return game_points(result, (1.0, *[0.0] * (len(result.seats) - 1)))
            case Measure.MONEY:
                total = sum(seat.money for seat in result.seats)
                return {seat.player: seat.money / total if total else 0.0 for seat in result.seats}
            case _:
                assert_never(self)

    def difference(self, result: GameResult, mine: Collection[str]) -> float:
        """Return the mean of the challenger's seats minus that of the others."""
        shares = self.of(result)
        own = fmean(share for name, share in shares.items() if name in mine)
        return own - fmean(share for name, share in shares.items() if name not in mine)

    def bounds(self, seats: int, mine: int) -> tuple[float, float]:
        """Return the least and the greatest difference at a table with so many of mine."""
        whole = default_points(seats) if self is Measure.POINTS else (1.0, *[0.0] * (seats - 1))
        return -fmean(whole[: seats - mine]), fmean(whole[:mine])

    def default_margin(self, seats: int) -> float:
        """Return the smallest difference worth knowing, if nobody says another.

        In points it is that of a player who is placed before an opponent in 55 of 100 games. It is
        the same at every table: whoever is placed before an opponent with probability *p* has, at
        *n* seats, a difference of *n* (*p* - 1/2) points, however the seats are shared.
        """
        return {Measure.POINTS: round(0.05 * seats, 2), Measure.WINS: 0.05, Measure.MONEY: 0.01}[
            self
        ]

    @property
    def scale(self) -> int:
        """How many of the units in which people read it: per cent of wins and of money."""
        return 1 if self is Measure.POINTS else 100

    @property
    def digits(self) -> int:
        """The decimals that people read."""
        return 2 if self is Measure.POINTS else 1

    @property
    def unit(self) -> str:
        """What follows a number."""
        return {
            Measure.POINTS: " points per game",
            Measure.WINS: " % wins",
            Measure.MONEY: " % of the money",
        }[self]
