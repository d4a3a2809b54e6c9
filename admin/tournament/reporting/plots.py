"""Plots of estimates as SVG elements for a page; ``plot.svg.jinja`` draws them."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from ...pages.html.html_page import template
from ...studying.statistics.intervals import Estimate

PACKAGE = "acquire.admin.tournament.reporting"
MAX_STEPS = 6
STEPS = (1, 2, 5, 10)


class Mark(NamedTuple):
    """One row of a plot: an estimate, its label on the left, a note and a tag on the right."""

    label: str
    estimate: Estimate
    note: str = ""
    tag: str = ""


class Scale(NamedTuple):
    """The range of an axis, the values of its ticks, and how many decimals they have."""

    low: float
    high: float
    ticks: tuple[float, ...]
    digits: int

    def place(self, value: float) -> str:
        """Return the position of a value, in per cent of the axis."""
        return f"{100 * (value - self.low) / (self.high - self.low):.2f}%"


def interval_plot(
    key: str, title: str, description: str, marks: Sequence[Mark], reference: float | None = None
) -> str:
    """Draw a dot and its interval for every mark, and a dashed line at ``reference``.

    ``key`` identifies the plot on the page; ``title`` and ``description`` are for readers who
    cannot see it.
    """
    shown = [value for mark in marks for value in (*mark.estimate, reference) if value is not None]
    return template(PACKAGE, "plot.svg.jinja").render(
        key=key,
        title=title,
        description=description,
        marks=marks,
        reference=reference,
        scale=scale_of(shown),
    )


def scale_of(values: Sequence[float]) -> Scale:
    """Choose an axis from one round number to another that contains all values."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if high - low < 1e-9:  # a single value is in the middle of its axis
        low, high = low - 0.5, high + 0.5
    size = 10.0 ** floor(log10((high - low) / MAX_STEPS))
    step = next(
        step * size
        for step in STEPS
        if ceil(high / (step * size)) - floor(low / (step * size)) <= MAX_STEPS or step == 10
    )
    first, last = floor(low / step), ceil(high / step)
    digits = max(0, -floor(log10(step)))
    ticks = tuple(round(count * step, digits) for count in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks, digits)
