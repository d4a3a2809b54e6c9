"""A row of the table of benchmarks, and how its two sides are measured.

A module of rows has ``ROWS``, a tuple of them, and is listed in ``bench.__main__``.
"""

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Figure(NamedTuple):
    """The ratio measured, and what was measured on both sides, with units."""

    ratio: float
    ours: str
    theirs: str


class Row(NamedTuple):
    """One benchmark: ``name`` is what ``python -m bench NAME`` is given.

    The ratio is to be at most ``goal``, or at least, where ``fast`` says that it is a speed.
    ``measure`` is called with whether to be quick, and has half a minute or so.
    """

    name: str
    what: str
    goal: float
    measure: Callable[[bool], Figure]
    fast: bool = False

    def met(self, figure: Figure) -> bool:
        """Whether the goal is reached."""
        return figure.ratio >= self.goal if self.fast else figure.ratio <= self.goal


def seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of one run in this process."""
    began = time.process_time()
    run()
    return time.process_time() - began


def compare(
    ours: Callable[[], float],
    theirs: Callable[[], float],
    rounds: int,
    unit: str = "us",
    scale: float = 1.0,
) -> Figure:
    """Compare the medians of two measurements taken in turn, shown times ``scale``."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    one, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    return Figure(one / other, *(f"{value * scale:.3g} {unit}" for value in (one, other)))
