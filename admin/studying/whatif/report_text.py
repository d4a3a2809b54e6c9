"""The report for a terminal: tables, and box plots on one axis.

Marks differ in shape; colour carries no meaning.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...refereeing.view.plain_text import plural, printable
from ..statistics.estimate import INTERVAL, Estimate
from ..statistics.plots import Scale, number, scale_of
from .report import RealResult, VariantResult, WhatIfReport
from .single_game import ABSENT
from .spread import Spread

WIDEST, LABEL, NARROW = 100, 26, 12
"""Columns of a box plot at most, of its label, and of a label in a table at least."""
RANGE, LEFT, RIGHT, MIDDLE, MEDIAN, REAL = "─├┤▒┃◆"
"""The characters of a box plot: the range with its ends, the middle half, two marks."""
ASCII = str.maketrans(f"{RANGE}{LEFT}{RIGHT}{MIDDLE}{MEDIAN}{REAL}\N{MINUS SIGN}", "-[]=|*-")
"""The same in ASCII."""

ToText: TypeAlias = Callable[[str], Text]
"""Makes a text of characters that the terminal has."""


def draw_report(report: WhatIfReport, width: int, *, ascii_only: bool = False) -> RenderableType:
    """Draw a report for a terminal of ``width`` columns."""

    def to_text(text: str) -> Text:
        return Text(text.translate(ASCII) if ascii_only else text)

    parts: list[RenderableType] = [_head(report)]
    for seat, results in report.results.items():
        played = [result for result in results if result.spread is not None]
        real = report.real[seat]
        parts += [Text(), _table(seat, played, real, to_text)]
        parts += [to_text(line) for line in _box_plots(played, real, width)]
        parts += [Text(line) for line in _notes(results)]
    if any(found for results in report.results.values() for _, found in results):
        parts += [Text(), to_text(_legend(report))]
    return Group(*parts)


def _head(report: WhatIfReport) -> Text:
    dealt = "the other players' hands and the bag" if report.hands else "the bag"
    text = Text.assemble(
        (f"From turn {report.turn}, {printable(report.mover)} to move", "bold"),
        f": played on with {dealt} redealt, seed {report.seed}.",
    )
    for name, strategy, instead in report.opponents:
        why = f", in place of {instead}" if instead else ", as in the game"
        text.append(f"\n  {printable(f'{name} is played by {strategy}{why}')}.")
    return text


# -- the table ----------------------------------------------------------------------------------


def _table(seat: str, results: Sequence[VariantResult], real: RealResult, to_text: ToText) -> Table:
    table = Table(
        title=f"Score of {printable(seat)}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("played by", overflow="fold", min_width=NARROW, max_width=LABEL)
    for column in ("games", "mean", "median", "wins %", "vs the first"):
        table.add_column(column, justify="right", no_wrap=True)
    for place, result in enumerate(results, start=1):
        assert result.spread is not None
        label = f"{place} {printable(result.variant.label)}"
        table.add_row(Text(label), *map(to_text, _cells(result.spread)))
    table.add_row("the real game", "1", _real_score(real), "", _rank(real), "")
    return table


def _cells(found: Spread) -> tuple[str, ...]:
    lower, median, upper = found.quartiles
    difference = found.difference
    return (
        str(len(found.scores)),
        estimate_lines(found.mean),
        f"{number(median)}\n{number(lower)}..{number(upper)}",
        estimate_lines(times(found.wins, 100)),
        "" if difference is None else estimate_lines(difference.score, signed=True),
    )


def times(estimate: Estimate, factor: int) -> Estimate:
    """Return an estimate in other units: so many of them are one of the old."""
    value, low, high = estimate
    if low is None or high is None:
        return Estimate(value * factor)
    return Estimate(value * factor, low * factor, high * factor)


def estimate_lines(estimate: Estimate, *, signed: bool = False) -> str:
    """Write a mean, and under it the bounds of its interval where there is one."""
    write = _signed if signed else number
    value, low, high = estimate
    if low is None or high is None:
        return write(value)
    return f"{write(value)}\n{write(low)}..{write(high)}"


def _signed(value: float) -> str:
    return f"+{number(value)}" if round(value) > 0 else number(value)


def _real_score(real: RealResult) -> str:
    standing = real.standing
    return number(standing.score) if standing and standing.finished else "-"


def _rank(real: RealResult) -> str:
    if real.left_in is not None:
        return f"ejected in turn {real.left_in}" if real.left_in else "ejected at the set-up"
    return f"rank {real.standing.rank}" if real.standing else "interrupted"


def _notes(results: Sequence[VariantResult]) -> list[str]:
    """Return what went wrong in the games."""
    lines: list[str] = []
    for variant, found in results:
        label = printable(variant.label)
        if found is None:
            lines.append(f"{label}: no game was played.")
            continue
        for reason, count in found.lost.items():
            what = "did not connect for" if reason == ABSENT else f"ejected ({reason}) in"
            lines.append(f"{label}: {what} {plural(count, 'game')}, which score 0.")
        if found.amended:
            lines.append(
                f"{label}: in {plural(found.amended, 'game')} part of the move was no longer legal."
            )
    return lines


def _legend(report: WhatIfReport) -> str:
    """Explain the numbers and marks."""
    results = [result for each in report.results.values() for result in each]
    few = any(found and found.mean.low is None for _, found in results)
    intervals = f"under a mean its {INTERVAL}"
    if few:
        intervals = "there are no intervals for fewer than five games"
    return (
        f"Under a median are the quartiles; {intervals}.\n"
        f"{_pairing(results)}"
        f"{LEFT}{RANGE}{RIGHT} lowest to highest score, {MIDDLE} the middle half, {MEDIAN} median, "
        f"{REAL} the real game."
    )


def _pairing(results: Sequence[VariantResult]) -> str:
    """Explain over what differences are taken, if there are any."""
    pairs = {found.difference.games for _, found in results if found and found.difference}
    if not pairs:
        return ""
    fewest, most = min(pairs), max(len(found.scores) for _, found in results if found)
    only = "" if fewest == most else " Only games that both have played count."
    return (
        '"vs the first" is the mean difference from player 1, game by game: in the same game all\n'
        f"have the same deal, and the others the same random choices.{only}\n"
    )


# -- the box plots ------------------------------------------------------------------------------


def _box_plots(results: Sequence[VariantResult], real: RealResult, width: int) -> list[str]:
    """Draw the spread of every result, and the real score, on one axis."""
    spreads = [found for _, found in results if found is not None]
    if not spreads:
        return []
    finished = real.standing is not None and real.standing.finished
    score = real.standing.score if real.standing and finished else None
    scale = scale_of(
        [
            *(end(found.scores) for found in spreads for end in (min, max)),
            *([] if score is None else [score]),
        ]
    )
    columns = min(width, WIDEST) - LABEL - 2
    lines = [f"{'':{LABEL}}  {_axis(scale, columns)}"]
    for place, (variant, found) in enumerate(results, start=1):
        if found is not None:
            label = f"{place} {printable(variant.label)}"
            short = label if len(label) <= LABEL else f"{label[: LABEL - 2]}.."
            lines.append(f"{short:{LABEL}}  {_box_plot(found, score, scale, columns)}")
    return lines


def _place(value: float, scale: Scale, columns: int) -> int:
    return round((value - scale.low) / (scale.high - scale.low) * (columns - 1))


def _box_plot(found: Spread, real_score: int | None, scale: Scale, columns: int) -> str:
    """Draw one spread; the real score hides the median in the same place."""
    lower, median, upper = (_place(value, scale, columns) for value in found.quartiles)
    least, most = (_place(end(found.scores), scale, columns) for end in (min, max))
    cells = [" "] * columns
    cells[least : most + 1] = RANGE * (most + 1 - least)
    cells[least], cells[most] = LEFT, RIGHT
    cells[lower : upper + 1] = MIDDLE * (upper + 1 - lower)
    cells[median] = MEDIAN
    if real_score is not None:
        cells[_place(real_score, scale, columns)] = REAL
    return "".join(cells).rstrip()


def _axis(scale: Scale, columns: int) -> str:
    """Write the labels of an axis, as many as fit."""
    cells = [" "] * columns
    free = 0
    for tick in scale.ticks:
        written = number(tick, scale.digits)
        begin = min(_place(tick, scale, columns) - len(written) // 2, columns - len(written))
        begin = max(begin, 0)
        if begin >= free:
            cells[begin : begin + len(written)] = written
            free = begin + len(written) + 2
    return "".join(cells).rstrip()
