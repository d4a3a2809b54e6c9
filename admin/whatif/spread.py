"""Statistics of the games of a variant: mean, quartiles, wins, and differences to another variant.

As in a tournament, tied winners share a win, and an ejected player has no money and no win. A game
is a block of the bootstrap: two variants play it with the same deal, so their difference is taken
game by game.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from admin.statistics.bootstrap import MIN_BLOCKS, means, percentile_interval, quantile, resample
from admin.statistics.estimate import Estimate
from admin.whatif.single_game import WIN, SeatResult

DIGITS = 4
"""Decimals of the estimates."""
QUARTERS = (0.25, 0.5, 0.75)


class Difference(NamedTuple):
    """The mean difference to another variant, over the games that both played.

    ``score`` is in dollars per game, ``wins`` in wins per game.
    """

    games: int
    score: Estimate
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Spread:
    """The games of one variant: scores in dollars, wins as a share of the games.

    ``quartiles`` are the lower one, the median and the upper one. ``lost`` counts the games that
    were not finished, by reason; ``amended`` those in which part of the recorded move was illegal.
    ``difference`` is to the first variant, which itself has none.
    """

    scores: tuple[int, ...]
    mean: Estimate
    quartiles: tuple[float, float, float]
    wins: Estimate
    lost: dict[str, int]
    amended: int
    difference: Difference | None

    @property
    def median(self) -> float:
        """The middle quartile."""
        return self.quartiles[1]


def spread_of(games: Sequence[SeatResult], first: Sequence[SeatResult] | None, seed: int) -> Spread:
    """Return the statistics of at least one game, compared with the games of ``first``."""
    scores = tuple(game.score for game in games)
    mean, wins = _estimates([(game.score, game.win) for game in games], seed)
    ordered = np.sort(np.array(scores, np.float64))
    lower, median, upper = (quantile(ordered, share) for share in QUARTERS)
    return Spread(
        scores,
        mean,
        (lower, median, upper),
        wins,
        dict(sorted(Counter(game.lost for game in games if game.lost).items())),
        sum(game.amended for game in games),
        _difference(games, first, seed) if first else None,
    )


def _difference(games: Sequence[SeatResult], first: Sequence[SeatResult], seed: int) -> Difference:
    pairs = list(zip(games, first, strict=False))
    differences = [(one.score - other.score, one.win - other.win) for one, other in pairs]
    return Difference(len(pairs), *_estimates(differences, seed))


def _estimates(rows: Sequence[tuple[int, int]], seed: int) -> tuple[Estimate, Estimate]:
    """Return the means of dollars, and of wins (given in units), with their intervals."""
    sums = np.array([(1, *row) for row in rows], np.float64)
    units = (1, WIN)
    observed = means(sums.sum(axis=0), units)
    if len(rows) < MIN_BLOCKS:
        money, wins = (Estimate(round(float(value), DIGITS)) for value in observed)
        return money, wins
    resampled = means(resample(sums, seed), units)
    money, wins = (
        Estimate(
            round(float(observed[at]), DIGITS),
            *(round(bound, DIGITS) for bound in percentile_interval(resampled[:, at])),
        )
        for at in range(len(units))
    )
    return money, wins
