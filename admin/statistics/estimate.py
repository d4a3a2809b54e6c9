"""A mean and its confidence interval."""

from typing import NamedTuple


class Estimate(NamedTuple):
    """A mean and the bounds of its 95 % interval, ``None`` if there are too few blocks for one."""

    value: float
    low: float | None = None
    high: float | None = None
