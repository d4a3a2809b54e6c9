"""What a turning point has changed, and by which decision, in words."""

from collections.abc import Sequence

from ...refereeing.view.plain_text import printable
from .chances import TurningPoint


def point_words(point: TurningPoint, names: Sequence[str]) -> str:
    """Return how the chance has changed for whom it changed most, and by what."""
    seat, at = point.seat, point.decisive
    before, after = point.before[seat], point.after[seat]
    text = f"{printable(names[seat])} from {before * 100:.0f} % to {after * 100:.0f} %"
    if not point.steps:
        return text
    parts = [round(each * 100) for each in point.by_decision]
    draw = f"{_points(round(point.change * 100) - sum(parts))} by the draw"
    if at is None:
        return f"{text}: {_points(sum(parts))} by decisions, {draw}"
    decision = point.steps[at][0]
    chosen = decision.options[decision.recorded].text
    others = sum(parts) - parts[at]
    return (
        f"{text}: {_points(parts[at])} by \N{LEFT DOUBLE QUOTATION MARK}{chosen}"
        f"\N{RIGHT DOUBLE QUOTATION MARK} of {printable(decision.name)}"
        f"{f', {_points(others)} by other decisions' if others else ''}, {draw}"
    )


def _points(change: int) -> str:
    """Write a change in percentage points, with a minus sign."""
    return f"{change:+}".replace("-", "\N{MINUS SIGN}")
