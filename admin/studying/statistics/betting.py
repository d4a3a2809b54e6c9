"""A confidence interval of a mean that holds at all times at once, by betting on bounded values.

For each candidate mean, imagine somebody who bets against it: a share of the capital on "the values
are higher", at odds that are fair if the candidate is the true mean. Then the capital is a
martingale, and by Ville's inequality it ever grows to 1 / e times what it was with probability at
most e, whatever the values are distributed like, and whenever one looks. So a candidate against
which somebody has won that much is refuted. The capital is divided among bettors with different
shares, for the best one depends on how much the values vary
(Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2023).
"""

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SHARES = np.linspace(0.05, 0.95, 10)
"""The share of its capital that each bettor puts at stake, again with every value."""
STEPS = 30
"""Halvings of the range in which a bound is searched."""


class Bounds(NamedTuple):
    """An interval of a mean."""

    low: float
    high: float


def interval(
    values: NDArray[np.float64],
    counts: NDArray[np.float64],
    least: float,
    most: float,
    error_rate: float,
) -> Bounds:
    """Return the interval of the mean of independent values of which each has occurred so often.

    The values lie between ``least`` and ``most``. With a probability of at least 1 -
    ``error_rate`` the intervals after one value, after two, and so on, contain the mean all of
    them; so whoever computes one after every value may stop whenever it is as wanted.
    ``counts`` may be fractions, which asks what more values of the same kind would show.
    """
    scaled = (values - least) / (most - least)
    needed = log(2 / error_rate)
    low = _lower_bound(scaled, counts, needed)
    high = 1 - _lower_bound(1 - scaled, counts, needed)
    return Bounds(least + (most - least) * low, least + (most - least) * high)


def _lower_bound(values: NDArray[np.float64], counts: NDArray[np.float64], needed: float) -> float:
    """Return the highest mean that is refuted by bets on higher values, all between 0 and 1."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _log_capital(values, counts, middle) >= needed:
            low = middle
        else:
            high = middle
    return low


def _log_capital(values: NDArray[np.float64], counts: NDArray[np.float64], mean: float) -> float:
    """Return the logarithm of the capital after bets against a mean; it falls as the mean rises."""
    growth = np.log1p(np.outer(SHARES, values / mean - 1)) @ counts
    best = growth.max()
    return float(best + np.log(np.exp(growth - best).mean()))
