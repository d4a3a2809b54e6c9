"""Confidence intervals of means over blocks, by Student's distribution.

Between two bounds, a mean is more uncertain towards the middle than towards the bound. So its
interval is symmetric on the scale of log-odds, and never reaches beyond a bound. How often
intervals miss the true value is simulated in ``tests/bench/coverage.py``.
"""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .block_means import BlockMeans
from .estimate import CONFIDENCE, MIN_BLOCKS, Estimate
from .student import MAX_FREEDOM, critical_distance

MIN_INNER_BLOCKS = 3
"""With fewer blocks away from a bound it is unknown how much blocks vary: there is no interval."""
NORMAL = critical_distance(CONFIDENCE, MAX_FREEDOM)
"""How far from 0 a normally distributed value is with the probability of an interval."""
MAX_LOG_ODDS = 700.0
"""More would overflow."""


class IntervalKind(NamedTuple):
    """What is averaged: the units in which it is summed, the decimals of its mean, its bounds.

    ``bounds`` are the least and the greatest mean that a block can have, ``None`` if there are
    none.
    """

    units: int
    digits: int
    bounds: tuple[float, float] | None = None


def estimates(
    sums: NDArray[np.float64], means: BlockMeans, kinds: Sequence[IntervalKind]
) -> list[list[Estimate]]:
    """Return an estimate for every row and kind, from sums and the means that they give."""
    values, errors, blocks = means.values.tolist(), means.errors.tolist(), means.blocks.tolist()
    inner = [_inner_blocks(sums, at, kind) for at, kind in enumerate(kinds, 1)]
    return [
        [
            _estimate(values[row][at], errors[row][at], blocks[row], inner[at][row], kind)
            for at, kind in enumerate(kinds)
        ]
        for row in range(len(values))
    ]


def share_interval(share: float, games: int) -> tuple[float, float]:
    """Return Wilson's interval of a share of so many independent games, also at 0 and 1.

    >>> [round(bound, 2) for bound in share_interval(0.0, 48)]
    [0.0, 0.07]
    """
    distance = NORMAL**2 / games
    middle = (share + distance / 2) / (1 + distance)
    reach = sqrt(distance * share * (1 - share) + distance**2 / 4) / (1 + distance)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _inner_blocks(sums: NDArray[np.float64], at: int, kind: IntervalKind) -> list[int]:
    """Return, by row, in how many blocks the mean is away from the bound that most are at."""
    games, total = sums[:, :, 0], sums[:, :, at]
    away = [games > 0]
    if kind.bounds is not None:
        ends = [games * kind.units * bound for bound in kind.bounds]
        away = [(games > 0) & (np.abs(total - end) > 0.5) for end in ends]  # sums are whole numbers
    return [int(fewest) for fewest in np.min(np.count_nonzero(away, axis=1), axis=0)]


def _estimate(value: float, error: float, blocks: int, inner: int, kind: IntervalKind) -> Estimate:
    if blocks < MIN_BLOCKS or inner < MIN_INNER_BLOCKS:
        return Estimate(round(value, kind.digits))
    reach = critical_distance(CONFIDENCE, blocks - 1) * error
    low, high = value - reach, value + reach
    if kind.bounds is not None and reach:  # symmetric in log-odds
        least, most = kind.bounds
        share = (value - least) / (most - least)
        middle = log(share / (1 - share))
        reach /= (most - least) * share * (1 - share)
        low, high = (
            least + (most - least) / (1 + exp(min(-odds, MAX_LOG_ODDS)))
            for odds in (middle - reach, middle + reach)
        )
    return Estimate(*(round(bound, kind.digits) for bound in (value, low, high)))
