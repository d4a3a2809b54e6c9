"""A match played on for the terminal: tables, and strips that show the spread on one axis.

Marks differ in shape, and nothing is said by colour.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rich import box
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from admin.statistics.estimate import Estimate
from admin.statistics.plots import Scale, number, scale_of
from admin.view.plain_text import plural, printable
from admin.whatif.playing import ABSENT
from admin.whatif.report import Actual, Report, Result
from admin.whatif.spread import Spread
from admin.whatif.variant import Variant

WIDEST, LABEL, NARROW = 100, 26, 12
"""Columns that strips take at most, with their labels, and how many of them are the labels', which
can do with fewer in a table."""
REACH, LEFT, RIGHT, MIDDLE, MEDIAN, REALLY = "─├┤▒┃◆"
"""What a strip is drawn of: from the lowest score to the highest, the middle half, the marks."""
ASCII = str.maketrans(f"{REACH}{LEFT}{RIGHT}{MIDDLE}{MEDIAN}{REALLY}\N{MINUS SIGN}", "-[]=|*-")
"""The same for a terminal that has nothing else."""

Shown: TypeAlias = Callable[[str], Text]
"""Makes a text that the terminal can show."""


class Bar:
    """Shows how many games have been played; on a terminal only."""

    def __init__(self, console: Console, total: int) -> None:
        self._progress = Progress(
            TextColumn("games"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=total)

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def advance(self, variant: Variant) -> None:
        """Count a game of a variant."""
        label = printable(f"{variant.seat}={variant.label}").replace("[", r"\[")
        self._progress.update(self._task, advance=1, description=label)


def draw_report(report: Report, width: int, *, ascii_only: bool = False) -> RenderableType:
    """Draw a report for a terminal of so many columns."""

    def shown(text: str) -> Text:
        return Text(text.translate(ASCII) if ascii_only else text)

    parts: list[RenderableType] = [_head(report)]
    for seat, results in report.results.items():
        played = [result for result in results if result.spread is not None]
        actual = report.actual[seat]
        parts += [Text(), _table(seat, played, actual, shown)]
        parts += [shown(line) for line in _strips(played, actual, width)]
        parts += [Text(line) for line in _notes(results)]
    if any(found for results in report.results.values() for _, found in results):
        parts += [Text(), shown(_legend(report))]
    return Group(*parts)


def _head(report: Report) -> Text:
    anew = "the other players' hands and the bag" if report.hands else "the bag"
    text = Text.assemble(
        (f"From turn {report.turn}, {printable(report.mover)} to move", "bold"),
        f": played on with {anew} dealt anew, seed {report.seed}.",
    )
    for name, strategy, instead in report.others:
        why = f", in place of {instead}" if instead else ", as in the match"
        text.append(f"\n  {printable(f'{name} is played by {strategy}{why}')}.")
    return text


# -- the table ----------------------------------------------------------------------------------


def _table(seat: str, results: Sequence[Result], actual: Actual, shown: Shown) -> Table:
    table = Table(
        title=f"Score of {printable(seat)}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("played by", overflow="fold", min_width=NARROW, max_width=LABEL)
    for column in ("games", "mean", "median", "wins %", "beside the first"):
        table.add_column(column, justify="right", no_wrap=True)
    for place, result in enumerate(results, start=1):
        assert result.spread is not None
        label = f"{place} {printable(result.variant.label)}"
        table.add_row(Text(label), *map(shown, _cells(result.spread)))
    table.add_row("what really happened", "1", _really(actual), "", _rank(actual), "")
    return table


def _cells(found: Spread) -> tuple[str, ...]:
    lower, median, upper = found.quartiles
    ahead = found.ahead
    return (
        str(len(found.scores)),
        _lines(found.mean),
        f"{number(median)}\n{number(lower)}..{number(upper)}",
        _lines(_times(found.wins, 100)),
        "" if ahead is None else _lines(ahead.score, signed=True),
    )


def _times(estimate: Estimate, factor: int) -> Estimate:
    value, low, high = estimate
    if low is None or high is None:
        return Estimate(value * factor)
    return Estimate(value * factor, low * factor, high * factor)


def _lines(estimate: Estimate, *, signed: bool = False) -> str:
    """Write a mean, and under it the bounds of its interval where there is one."""
    write = _signed if signed else number
    value, low, high = estimate
    if low is None or high is None:
        return write(value)
    return f"{write(value)}\n{write(low)}..{write(high)}"


def _signed(value: float) -> str:
    return f"+{number(value)}" if round(value) > 0 else number(value)


def _really(actual: Actual) -> str:
    standing = actual.standing
    return number(standing.score) if standing and standing.finished else "-"


def _rank(actual: Actual) -> str:
    if actual.left_in is not None:
        return f"ejected in turn {actual.left_in}" if actual.left_in else "ejected at the set-up"
    return f"rank {actual.standing.rank}" if actual.standing else "interrupted"


def _notes(results: Sequence[Result]) -> list[str]:
    """Say what did not go as it was meant to."""
    lines: list[str] = []
    for variant, found in results:
        label = printable(variant.label)
        if found is None:
            lines.append(f"{label}: no game was played.")
            continue
        for why, count in found.lost.items():
            what = "did not come to" if why == ABSENT else f"ejected ({why}) in"
            lines.append(f"{label}: {what} {plural(count, 'game')}, which score 0.")
        if found.amended:
            lines.append(
                f"{label}: in {plural(found.amended, 'game')} the move was no longer legal to its "
                "end."
            )
    return lines


def _legend(report: Report) -> str:
    """Say what numbers and marks are."""
    results = [result for each in report.results.values() for result in each]
    few = any(found and found.mean.low is None for _, found in results)
    intervals = "under a mean its 95 % interval, by bootstrap over games"
    if few:
        intervals = "no interval where there are fewer than five games"
    return (
        f"Under a median are the quartiles, {intervals}.\n"
        f"{LEFT}{REACH}{RIGHT} lowest to highest score, {MIDDLE} the middle half, {MEDIAN} median, "
        f"{REALLY} what really happened."
    )


# -- the strips ---------------------------------------------------------------------------------


def _strips(results: Sequence[Result], actual: Actual, width: int) -> list[str]:
    """Draw the spread of every result, and what really happened, on one axis."""
    spreads = [found for _, found in results if found is not None]
    if not spreads:
        return []
    finished = actual.standing is not None and actual.standing.finished
    really = actual.standing.score if actual.standing and finished else None
    scale = scale_of(
        [
            *(score for found in spreads for score in (min(found.scores), max(found.scores))),
            *([] if really is None else [really]),
        ]
    )
    columns = min(width, WIDEST) - LABEL - 2
    lines = [f"{'':{LABEL}}  {_axis(scale, columns)}"]
    for place, (variant, found) in enumerate(results, start=1):
        if found is not None:
            label = f"{place} {printable(variant.label)}"
            short = label if len(label) <= LABEL else f"{label[: LABEL - 2]}.."
            lines.append(f"{short:{LABEL}}  {_strip(found, really, scale, columns)}")
    return lines


def _place(value: float, scale: Scale, columns: int) -> int:
    return round((value - scale.low) / (scale.high - scale.low) * (columns - 1))


def _strip(found: Spread, really: int | None, scale: Scale, columns: int) -> str:
    """Draw one spread; where marks fall together the one named last is seen."""
    lower, median, upper = (_place(value, scale, columns) for value in found.quartiles)
    least, most = (_place(end(found.scores), scale, columns) for end in (min, max))
    cells = [" "] * columns
    cells[least : most + 1] = REACH * (most + 1 - least)
    cells[least], cells[most] = LEFT, RIGHT
    cells[lower : upper + 1] = MIDDLE * (upper + 1 - lower)
    cells[median] = MEDIAN
    if really is not None:
        cells[_place(really, scale, columns)] = REALLY
    return "".join(cells).rstrip()


def _axis(scale: Scale, columns: int) -> str:
    """Write the values of an axis where they belong, as many as have room."""
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
