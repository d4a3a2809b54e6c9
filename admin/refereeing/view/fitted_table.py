"""A table that leaves out its least important columns where the terminal is too narrow."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

R = TypeVar("R")

UNBOUNDED = 1000  # columns in which any table can be measured
TEXT_WIDTH = 16
"""Columns of a text that is kept before another column is; beyond them it is wrapped."""


class Column(NamedTuple):
    """A column of numbers or text."""

    heading: str
    optional: int = 0  # of those that do not fit, the highest is left out first; 0 never is
    text: bool = False  # of text, which can be wrapped
    left: bool = False  # aligned to the left


class FittedTable:
    """A table with a heading for each column, and below it what was left out, if anything was.

    A ``dense`` one has no empty lines, and less space between the columns.
    """

    def __init__(self, *columns: Column, title: str | None = None, dense: bool = False) -> None:
        self._columns = columns
        self._title = title
        self._dense = dense
        self._rows: list[tuple[Text, ...]] = []

    def add_row(self, *cells: str | Text) -> None:
        """Add a row with a cell for each column."""
        texts = [Text(cell) if isinstance(cell, str) else cell for cell in cells]
        assert len(texts) == len(self._columns), "a cell for each column"
        self._rows.append(tuple(texts))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        shown = list(range(len(self._columns)))
        out: list[int] = []
        while self._least_width(console, options, shown) > options.max_width:
            last = max(shown, key=lambda at: self._columns[at].optional)
            if not self._columns[last].optional:
                break
            shown.remove(last)
            out.append(last)
        yield self._table(shown)
        if out:
            left_out = ", ".join(self._columns[at].heading for at in sorted(out))
            yield Text(f"No room for: {left_out}.", "dim")

    def _least_width(self, console: Console, options: ConsoleOptions, shown: Sequence[int]) -> int:
        table = self._table(shown, TEXT_WIDTH)
        return Measurement.get(console, options.update_width(UNBOUNDED), table).maximum

    def _table(self, shown: Sequence[int], text_width: int | None = None) -> Table:
        """Make a table of these columns; texts may be measured as if they were narrower."""
        table = Table(
            title=self._title,
            title_justify="left",
            box=None if self._dense else box.SIMPLE_HEAD,
            padding=(0, 1, 0, 0) if self._dense else (0, 1),
            pad_edge=False,
        )
        for column in (self._columns[at] for at in shown):
            if column.text:
                table.add_column(column.heading, overflow="fold", max_width=text_width)
            else:
                justify: JustifyMethod = "left" if column.left else "right"
                table.add_column(column.heading, justify=justify, no_wrap=True)
        for row in self._rows:
            table.add_row(*(row[at] for at in shown))
        return table


def fitted(
    rows: Iterable[R], *columns: tuple[Column, Callable[[R], str]], title: str | None = None
) -> FittedTable:
    """Return a table of some values: every column comes with what it shows of each."""
    table = FittedTable(*(column for column, _ in columns), title=title)
    for row in rows:
        table.add_row(*(cell(row) for _, cell in columns))
    return table
