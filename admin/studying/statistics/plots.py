"""Plots of estimates as SVG elements for a page.

Horizontal positions are percentages, so that a plot fills the width of the page and its text keeps
its size. Colours and fonts come from the page's style sheet, by class.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from typing import NamedTuple
from xml.sax.saxutils import escape

from .intervals import Estimate

ROW = 25
"""Height of a row, in pixels."""
TOP, AXIS = 6, 26
LABELS, FIELD, WIDTH, NOTES, TAGS = 30, 32, 46, 89, 91
"""Horizontal positions in per cent: the end of labels, the start and width of the field with the
marks, the end of notes, and the start of tags."""
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
    scale = scale_of(shown)
    height = TOP + ROW * len(marks)
    parts = [
        f'<svg class="plot" width="100%" height="{height + AXIS}" role="img" '
        f'aria-labelledby="{escape(key)}-title {escape(key)}-words">',
        f'<title id="{escape(key)}-title">{escape(title)}</title>',
        f'<desc id="{escape(key)}-words">{escape(description)}</desc>',
        f'<svg x="0" y="0" width="{LABELS}%" height="{height}">',
        *(_label(mark, row) for row, mark in enumerate(marks)),
        "</svg>",
        f'<svg x="{FIELD}%" y="0" width="{WIDTH}%" height="{height}" overflow="visible">',
        *_axis(scale, height),
        *([] if reference is None else [_vertical("reference", scale.place(reference), height)]),
        *(_mark(mark, row, scale) for row, mark in enumerate(marks)),
        "</svg>",
        *(_note(mark, row) for row, mark in enumerate(marks)),
        "</svg>",
    ]
    return "\n".join(parts)


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
    ticks = tuple(round(number * step, digits) for number in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks, digits)


def _middle(row: int) -> float:
    return TOP + ROW * (row + 0.5)


def _label(mark: Mark, row: int) -> str:
    return f'<text class="label" x="0" y="{_middle(row) + 4:g}">{escape(mark.label)}</text>'


def _note(mark: Mark, row: int) -> str:
    y = f"{_middle(row) + 4:g}"
    return (
        f'<text x="{NOTES}%" y="{y}" text-anchor="end">{escape(mark.note)}</text>'
        f'<text x="{TAGS}%" y="{y}">{escape(mark.tag)}</text>'
    )


def _axis(scale: Scale, height: int) -> Iterator[str]:
    for tick in scale.ticks:
        yield _vertical("grid", scale.place(tick), height)
        yield (
            f'<text class="tick" x="{scale.place(tick)}" y="{height + 16}" text-anchor="middle">'
            f"{number(tick, scale.digits)}</text>"
        )


def _vertical(kind: str, place: str, height: int) -> str:
    return f'<line class="{kind}" x1="{place}" x2="{place}" y1="0" y2="{height}"/>'


def _mark(mark: Mark, row: int, scale: Scale) -> str:
    value, low, high = mark.estimate
    y = f"{_middle(row):g}"
    interval, words = "", f"{mark.label}: {number(value, 2)}"
    if low is not None and high is not None:
        ends = f'x1="{scale.place(low)}" x2="{scale.place(high)}"'
        interval = f'<line class="interval" {ends} y1="{y}" y2="{y}"/>'
        words += f", interval from {number(low, 2)} to {number(high, 2)}"
    return (
        f"<g><title>{escape(words)}</title>{interval}"
        f'<circle class="mark" cx="{scale.place(value)}" cy="{y}" r="4.5"/></g>'
    )


def number(value: float, digits: int = 0) -> str:
    """Format a number with commas between thousands, and a true minus sign."""
    written = f"{value:,.{digits}f}"
    if not written.strip("-0.,"):  # zero has no sign
        written = written.removeprefix("-")
    return written.replace("-", "\N{MINUS SIGN}")
