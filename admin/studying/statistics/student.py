"""Student's distribution, for whole degrees of freedom.

Intervals are Student's over blocks of games. The percentile bootstrap was worse with few blocks,
which is what tournaments have, and no narrower with many.
"""

from functools import cache
from math import atan, cos, pi, sin, sqrt

MAX_FREEDOM = 1000
"""More degrees of freedom change a quantile by less than a thousandth."""
NEGLIGIBLE = 1e-17
STEPS = 60
"""Halvings of the range in which a quantile is searched."""


def probability_within(distance: float, freedom: int) -> float:
    """Return how likely a value is at most this far from 0 (Abramowitz and Stegun, 26.7.3 and 4).

    >>> round(probability_within(2.776, 4), 4)
    0.95
    """
    freedom = min(freedom, MAX_FREEDOM)
    angle = atan(distance / sqrt(freedom))
    if freedom == 1:
        return 2 * angle / pi
    odd = freedom % 2
    term = total = cos(angle) if odd else 1.0
    shrink = cos(angle) ** 2
    for number in range(3 if odd else 2, freedom - 1, 2):
        term *= shrink * (number - 1) / number
        total += term
        if term < NEGLIGIBLE:
            break
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


@cache
def critical_distance(confidence: float, freedom: int) -> float:
    """Return the distance from 0 that a value exceeds with probability 1 - ``confidence``.

    >>> round(critical_distance(0.95, 4), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while probability_within(high, freedom) < confidence:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        if probability_within(middle, freedom) < confidence:
            low = middle
        else:
            high = middle
    return high
