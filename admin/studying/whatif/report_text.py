"""The report for a terminal: tables, and box plots on one axis.

Marks differ in shape; colour carries no meaning.
"""

from collections.abc import Callable, Mapping, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...refereeing.view.plain_text import plural, printable
from ..statistics.estimate import INTERVAL, Estimate
from ..statistics.plots import Scale, number, scale_of
from .report import RealResult, WhatIfReport
from .single_game import ABSENT
from .spread import Spread
from .variant import Variant

WIDEST, LABEL, NARROW = 100, 26, 12
"""Columns of a box plot at most, of its label, and of a label in a table at least."""
RANGE, LEFT, RIGHT, MIDDLE, MEDIAN, REAL = "─├┤▒┃◆"
"""The characters of a box plot: the range with its ends, the middle half, two marks."""
ASCII = str.maketrans(f"{RANGE}{LEFT}{RIGHT}{MIDDLE}{MEDIAN}{REAL}\N{MINUS SIGN}", "-[]=|*-")


def draw_report(report: WhatIfReport, width: int, *, ascii_only: bool = False) -> RenderableType:
    """Draw a report for a terminal of ``width`` columns."""

    def to_text(text: str) -> Text:
        return Text(text.translate(ASCII) if ascii_only else text)

    parts: list[RenderableType] = [_head(report)]
    for seat, results in report.results.items():
        played = {variant: found for variant, found in results.items() if found is not None}
        real = report.real[seat]
        parts += [Text(), _table(seat, played, real, to_text)]
        parts += [to_text(line) for line in _box_plots(played, real, width)]
        parts += [Text(line) for line in _notes(results)]
    found = [each for results in report.results.values() for each in results.values() if each]
    if found:
        parts += [Text(), to_text(_legend(found))]
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


def _table(
    seat: str, results: Mapping[Variant, Spread], real: RealResult, to_text: Callable[[str], Text]
) -> Table:
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
    for place, (variant, found) in enumerate(results.items(), start=1):
        lower, median, upper = found.quartiles
        cells = (
            str(len(found.scores)),
            estimate_lines(found.mean),
            f"{number(median)}\n{number(lower)}..{number(upper)}",
            estimate_lines(times(found.wins, 100)),
            "" if (more := found.difference) is None else estimate_lines(more.score, signed=True),
        )
        table.add_row(Text(f"{place} {printable(variant.label)}"), *map(to_text, cells))
    score = real.standing.score if real.standing and real.standing.finished else None
    table.add_row("the real game", "1", "-" if score is None else number(score), "", _rank(real))
    return table


def times(estimate: Estimate, factor: int) -> Estimate:
    """Return an estimate in other units: so many of them are one of the old."""
    value, low, high = estimate
    if low is None or high is None:
        return Estimate(value * factor)
    return Estimate(value * factor, low * factor, high * factor)


def estimate_lines(estimate: Estimate, *, signed: bool = False) -> str:
    """Write a mean, and under it the bounds of its interval where there is one."""
    value, *bounds = estimate

    def write(value: float) -> str:
        return f"+{number(value)}" if signed and round(value) > 0 else number(value)

    between = "..".join(write(bound) for bound in bounds if bound is not None)
    return f"{write(value)}\n{between}".rstrip()


def _rank(real: RealResult) -> str:
    if real.left_in is not None:
        return f"ejected in turn {real.left_in}" if real.left_in else "ejected at the set-up"
    return f"rank {real.standing.rank}" if real.standing else "interrupted"


def _notes(results: Mapping[Variant, Spread | None]) -> list[str]:
    """Return what went wrong in the games."""
    lines: list[str] = []
    for variant, found in results.items():
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


def _legend(results: Sequence[Spread]) -> str:
    """Explain the numbers and marks, and over what differences are taken if there are any."""
    intervals = f"under a mean its {INTERVAL}"
    if any(found.mean.low is None for found in results):
        intervals = "there are no intervals for fewer than five games"
    pairs = [found.difference.games for found in results if found.difference]
    pairing = ""
    if pairs:
        some = min(pairs) < max(len(found.scores) for found in results)
        only = " Only games that both have played count." if some else ""
        pairing = (
            '"vs the first" is the mean difference from player 1, game by game: in the same game '
            f"all\nhave the same deal, and the others the same random choices.{only}\n"
        )
    return (
        f"Under a median are the quartiles; {intervals}.\n{pairing}"
        f"{LEFT}{RANGE}{RIGHT} lowest to highest score, {MIDDLE} the middle half, {MEDIAN} median, "
        f"{REAL} the real game."
    )


# -- the box plots ------------------------------------------------------------------------------


def _box_plots(results: Mapping[Variant, Spread], real: RealResult, width: int) -> list[str]:
    """Draw the spread of every result, and the real score, on one axis."""
    if not results:
        return []
    score = real.standing.score if real.standing and real.standing.finished else None
    scores = [score] if score is not None else []
    for found in results.values():
        scores += [min(found.scores), max(found.scores)]
    scale, columns = scale_of(scores), min(width, WIDEST) - LABEL - 2
    lines = [f"{'':{LABEL}}  {_axis(scale, columns)}"]
    for place, (variant, found) in enumerate(results.items(), start=1):
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
