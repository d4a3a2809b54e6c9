"""What games add up to in whole numbers, block by block.

Sums of whole numbers are exact in any order and with any library. So fractions of points, places
and wins are counted in units small enough to make them whole.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...studying.statistics.rating import Placing
from ..games.result import GameResult, game_points

POINT_DIGITS = 6
"""Decimals of a place's points that count."""
HALVES = 2
"""Units of a place: two players who tie for the second place are at 2.5."""


class Units(NamedTuple):
    """Units per point, per place, per win and per dollar."""

    points: int
    placement: int
    wins: int
    money: int


class Tally(NamedTuple):
    """Sums of games, points, placements, wins and money, the last four in units.

    ``sums`` has the axes block, player or seat (all players, then all seats), and kind of sum.
    ``by_seat`` has the games and points of all blocks, by player and seat.
    """

    units: Units
    sums: NDArray[np.float64]
    by_seat: NDArray[np.int64]


def places(result: GameResult) -> list[int]:
    """Return the place of every seat; players who did not finish share a place behind the last."""
    behind = len(result.seats) + 1
    return [seat.rank if seat.finished else behind for seat in result.seats]


def placing(result: GameResult) -> Placing:
    """Return the players and places of a game, as ratings need them."""
    return Placing(result.players, [*map(float, places(result))])


def tally(players: Sequence[str], games: Sequence[GameResult], points: Sequence[float]) -> Tally:
    """Add up the games; blocks are in the order of their names.

    ``ValueError`` if someone in a game is not among the players.
    """
    seats = max((len(game.seats) for game in games), default=0)
    shares = lcm(*range(1, seats + 1))  # so that those of tied players are whole
    decimals = lcm(*(Fraction(str(round(worth, POINT_DIGITS))).denominator for worth in points))
    units = Units(shares * decimals, HALVES, shares, 1)
    number = {player: at for at, player in enumerate(players)}
    row = {block: at for at, block in enumerate(sorted({game.block for game in games}))}
    sums = np.zeros((len(row), len(players) + seats, 1 + len(units)))
    by_seat = np.zeros((len(players), seats, 2), np.int64)
    for seated in {seat.player for game in games for seat in game.seats} - number.keys():
        raise ValueError(f"{seated!r} is in a game but is not among the players.")
    if games:
        who = np.array(
            [
                (row[game.block], number[seat.player], at)
                for game in games
                for at, seat in enumerate(game.seats)
            ]
        )
        what = np.array([one for game in games for one in _measures(game, points, units)])
        block, player, seat = who.T
        np.add.at(sums, (block, player), what)
        np.add.at(sums, (block, len(players) + seat), what)
        np.add.at(by_seat, (player, seat), what[:, :2])
    return Tally(units, sums, by_seat)


def _measures(
    game: GameResult, points: Sequence[float], units: Units
) -> list[tuple[int, int, int, int, int]]:
    """Return what each seat adds to the sums."""
    order = places(game)
    sharing = Counter(order)
    earned = game_points(game, points)
    measures = []
    for seat, place in zip(game.seats, order, strict=True):
        if not seat.finished:
            measures.append((1, 0, HALVES * len(order), 0, 0))
            continue
        tied = sharing[place]
        worth = round(earned[seat.player] * units.points)
        win = units.wins // tied if place == 1 else 0
        measures.append((1, worth, HALVES * place + tied - 1, win, seat.money))
    return measures
