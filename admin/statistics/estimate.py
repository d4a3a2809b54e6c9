"""A mean and how far chance may have moved it."""

from typing import NamedTuple


class Estimate(NamedTuple):
    """A mean and its 95 % interval, which is ``None`` where there are too few blocks for one."""

    value: float
    low: float | None = None
    high: float | None = None
