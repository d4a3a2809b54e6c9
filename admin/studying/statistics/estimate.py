"""A mean and its confidence interval."""

from typing import NamedTuple

CONFIDENCE = 0.95
INTERVAL = f"{100 * CONFIDENCE:g} % interval"
"""What an interval is called in tables and reports."""
MIN_BLOCKS = 5
"""With fewer independent blocks of games there is no interval."""


class Estimate(NamedTuple):
    """A mean and the bounds of its 95 % interval, ``None`` if there are too few blocks for one."""

    value: float
    low: float | None = None
    high: float | None = None
