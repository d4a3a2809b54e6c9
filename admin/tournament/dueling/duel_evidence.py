"""What is compared in a duel, and what the games so far show: the interval, and the verdict.

The value of a block is the mean difference of all its games, with several opponents over all ways
to seat them. Blocks are independent and alike, as each contains all tables.
They are counted in the order of their deals, and not as they end: otherwise a program that loses
slowly would look better in between.

A sequential probability ratio test, as chess engines are compared with, needs about half of the
games. But blocks of a game for several are few, skewed, and for deterministic programs often all
alike: such a test takes their variance from those played so far, and called 20 of 100 equal
programs stronger. And it answers with one of two hypotheses, while here the interval is the test:
what is shown during the duel, the verdict and the sentence at the end cannot disagree, and any
number of looks is allowed. The price is that even a hopeless opponent needs eight to ten blocks.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection
from enum import Enum
from statistics import fmean
from typing import NamedTuple, Self

import numpy as np

from ...studying.statistics.intervals import Bounds, interval
from ..games.result import GameResult, game_points
from ..planning.plan import default_points
from .duel_plan import Lineup

MIN_BROKEN = 8
"""Games of which a side finishes none before the duel ends for that reason alone."""
SPANNING = 0.9
"""An interval that is at least this part of what is possible says nothing yet."""
MIN_FORECAST = 5
"""With fewer blocks nobody knows how it will go on."""
MAX_GROWTH = 100
"""A forecast of more than this many times the blocks played is not worth showing."""
DIGITS = 12
"""Decimals to which values are equal."""


class Measure(Enum):
    """What a player has of a game; the value is what the command line contains.

    ``points`` are those of a tournament, one for every player that it is placed before; wins are
    shared by players who tie; money is the share of all money that the players of a table have
    at the end. A player who did not finish has nothing. People read points, and per cent of wins
    and of money: so many units (``scale``), with so many decimals, before the ``unit``.
    """

    scale: int
    digits: int
    unit: str

    POINTS = ("points", 1, 2, " points per game")
    WINS = ("wins", 100, 1, " % wins")
    MONEY = ("money", 100, 1, " % of the money")

    def __new__(cls, word: str, scale: int, digits: int, unit: str) -> Self:
        """Return what is called so on the command line."""
        measure = object.__new__(cls)
        measure._value_ = word
        measure.scale, measure.digits, measure.unit = scale, digits, unit
        return measure

    def of(self, result: GameResult) -> dict[str, float]:
        """Return what every player has of a game."""
        if self is not Measure.MONEY:
            return game_points(result, self._places(len(result.seats)))
        total = sum(seat.money for seat in result.seats) or 1
        return {seat.player: seat.money / total for seat in result.seats}

    def difference(self, result: GameResult, mine: Collection[str]) -> float:
        """Return the mean of the challenger's seats minus that of the others."""
        shares = self.of(result)
        own = fmean(share for name, share in shares.items() if name in mine)
        return own - fmean(share for name, share in shares.items() if name not in mine)

    def bounds(self, seats: int, mine: int) -> tuple[float, float]:
        """Return the least and the greatest difference at a table with so many of mine."""
        whole = self._places(seats)
        return -fmean(whole[: seats - mine]), fmean(whole[:mine])

    def _places(self, seats: int) -> tuple[float, ...]:
        return default_points(seats) if self is Measure.POINTS else (1.0, *[0.0] * (seats - 1))

    def default_margin(self, seats: int) -> float:
        """Return the smallest difference worth knowing, if nobody says another.

        In points it is that of a player who is placed before an opponent in 55 of 100 games. It is
        the same at every table: whoever is placed before an opponent with probability *p* has, at
        *n* seats, a difference of *n* (*p* - 1/2) points, however the seats are shared.
        """
        margins = {Measure.POINTS: round(0.05 * seats, 2), Measure.WINS: 0.05, Measure.MONEY: 0.01}
        return margins[self]


class DuelVerdict(Enum):
    """What a duel has shown about the challenger; the value is what files contain."""

    STRONGER = "stronger"
    WEAKER = "weaker"
    EQUAL = "equal"
    UNDECIDED = "undecided"


class DuelQuestion(NamedTuple):
    """What a duel asks, and how certain the answer has to be.

    A difference below ``margin`` counts as none. ``error_rate`` is how likely a verdict may be
    wrong.
    """

    lineup: Lineup
    measure: Measure
    margin: float
    error_rate: float

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest difference."""
        return self.measure.bounds(self.lineup.seats, len(self.lineup.teams[0]))

    def difference(self, game: GameResult) -> float:
        """Return what the challenger had more than its opponents in a game."""
        return self.measure.difference(game, self.lineup.teams[0])

    def verdict(self, bounds: Bounds) -> DuelVerdict:
        """Return what an interval shows."""
        if bounds.low > 0:
            return DuelVerdict.STRONGER
        if bounds.high < 0:
            return DuelVerdict.WEAKER
        if bounds.low >= -self.margin and bounds.high <= self.margin:
            return DuelVerdict.EQUAL
        return DuelVerdict.UNDECIDED


class DuelEvidence:
    """The games of a duel so far; those of a deal count when all of them have been played."""

    def __init__(self, question: DuelQuestion) -> None:
        self.question = question
        self.games: list[GameResult] = []
        """The games that count."""
        self.bounds = Bounds(*question.bounds)
        """The interval of the difference."""
        self.verdict = DuelVerdict.UNDECIDED
        """Once there is one, it stays, and no more games count."""
        self.broken = False
        """Whether it is that of a side which has finished no game."""
        self._waiting: defaultdict[int, list[GameResult]] = defaultdict(list)
        self._left_out: set[int] = set()
        self._deal = 1
        self._values = Counter[float]()

    @property
    def blocks(self) -> int:
        """The number of blocks that count."""
        return self._values.total()

    @property
    def value(self) -> float:
        """The mean difference, 0 before the first block."""
        blocks = self.blocks
        return sum(value * count for value, count in self._values.items()) / blocks if blocks else 0

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        return self.verdict is not DuelVerdict.UNDECIDED

    @property
    def spans_everything(self) -> bool:
        """Whether the interval says nothing yet."""
        least, most = self.question.bounds
        return self.bounds.high - self.bounds.low >= SPANNING * (most - least)

    def add(self, result: GameResult) -> None:
        """Add a game; it counts when all games of its deal and of those before it are there."""
        self._waiting[deal_in(result.game)].append(result)
        self._count()

    def leave_out(self, deal: int) -> None:
        """Leave out a deal of which a game could not be played."""
        self._left_out.add(deal)
        self._count()

    def _count(self) -> None:
        while not self.decided:
            played = self._waiting[self._deal]
            if self._deal not in self._left_out:
                if len(played) < self.question.lineup.games_in_block:
                    return
                value = fmean(sorted(map(self.question.difference, played)))
                self._values[round(value, DIGITS)] += 1
                self.games += played
                self.bounds = self._interval()
                self.verdict = self.question.verdict(self.bounds)
                if not self.decided and len(self.games) >= MIN_BROKEN:
                    self._end_if_broken()
            self._deal += 1

    def _end_if_broken(self) -> None:
        """End the duel if the challenger, or else all its opponents, have finished no game."""
        mine = self.question.lineup.teams[0]
        finished = {
            seat.player in mine for game in self.games for seat in game.seats if seat.finished
        }
        if False not in finished:
            self.verdict, self.broken = DuelVerdict.STRONGER, True
        if True not in finished:
            self.verdict, self.broken = DuelVerdict.WEAKER, True

    def _interval(self, times: float = 1) -> Bounds:
        """Return the interval if every block had come so many times."""
        values, counts = np.array([*self._values.items()], np.float64).T
        return interval(values, counts * times, *self.question.bounds, self.question.error_rate)

    def forecast(self) -> int | None:
        """Return how many more games would lead to a verdict if it stays like this.

        ``None`` with too few blocks, and if that needs more than ``MAX_GROWTH`` times as many.
        """
        if self.blocks < MIN_FORECAST or self.decided:
            return None
        times = range(self.blocks, MAX_GROWTH * self.blocks + 1)
        at = bisect_left(times, True, key=self._decided_by)
        return at * self.question.lineup.games_in_block if at < len(times) else None

    def _decided_by(self, blocks: int) -> bool:
        """Whether there would be a verdict after so many blocks if it stays like this."""
        found = self.question.verdict(self._interval(blocks / self.blocks))
        return found is not DuelVerdict.UNDECIDED


def deal_in(game: str) -> int:
    """Return the number of a game's deal, from its id.

    >>> deal_in("d3-t1-s2")
    3
    """
    return int(game.partition("-")[0].removeprefix("d"))
