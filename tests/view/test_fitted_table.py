"""A table in a narrow terminal: the least important columns go first, and what is gone is named."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from acquire.admin.refereeing.view.fitted_table import Column, FittedTable

LONG_NAME = "a-player-with-a-very-long-name-of-44-letters"


def drawn(table: FittedTable, width: int) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width).print(table)
    return file.getvalue().splitlines()


def scores() -> FittedTable:
    table = FittedTable(
        Column("rank"),
        Column("player", text=True),
        Column("hobby", optional=2),
        Column("score"),
        Column("size", optional=1),
        title="Scores",
    )
    table.add_row("1", "ann", "chess" * 4, "12,345", "x" * 10)
    table.add_row("2", Text("[b]bob"), "", "7", "")
    return table


def test_wide_terminal_shows_everything() -> None:
    lines = drawn(scores(), 100)
    assert lines[0].strip() == "Scores"
    assert lines[2].split() == ["rank", "player", "hobby", "score", "size"]
    assert not any("No room for" in line for line in lines)
    assert any("[b]bob" in line for line in lines)


@pytest.mark.parametrize(
    ("width", "kept", "left_out"),
    [
        (50, ["rank", "player", "score", "size"], "hobby"),
        (30, ["rank", "player", "score"], "hobby, size"),
    ],
)
def test_least_important_columns_are_left_out_first(
    width: int, kept: list[str], left_out: str
) -> None:
    lines = drawn(scores(), width)
    assert lines[2].split() == kept
    assert lines[-1] == f"No room for: {left_out}."
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(("dense", "width"), [(False, 20), (True, 14)])
def test_column_is_left_out_only_where_the_table_is_too_wide(dense: bool, width: int) -> None:
    table = FittedTable(Column("one"), Column("two", optional=1), Column("three"), dense=dense)
    table.add_row("1", "漢字", "3")
    assert max(map(cell_len, drawn(table, width))) == width
    assert "漢字" in "".join(drawn(table, width))
    assert "漢字" not in "".join(drawn(table, width - 1))


def test_long_text_is_wrapped_before_a_column_is_left_out() -> None:
    table = FittedTable(Column("player", text=True), Column("money", optional=1))
    table.add_row(LONG_NAME, "12,345")
    lines = drawn(table, 40)
    assert lines[1].split() == ["player", "money"]
    assert "".join(line.split()[0] for line in lines[3:-1]) == LONG_NAME


def test_columns_that_are_never_left_out_remain_in_the_narrowest_terminal() -> None:
    text = " ".join(drawn(scores(), 24))
    assert "12,345" in text and "ann" in text
