"""Positions as text: boards and players."""

import pytest

from acquire.game.notation import initials, parse_board, parse_player, parse_position
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.tiles import COLUMNS, ROWS, mask_of, parse_tile


def test_each_row_of_a_drawing_is_a_row_of_the_board() -> None:
    board = parse_board(CLASSIC, "AA.o\n\n..TT/.....o")
    assert board.hotels[0] == mask_of(map(parse_tile, ("1A", "2A")))
    assert board.hotels[5] == mask_of(map(parse_tile, ("3C", "4C")))
    assert board.loose == mask_of(map(parse_tile, ("4A", "6D")))


def test_given_letters_stand_for_hotels_instead_of_the_initials() -> None:
    letters = {"X": 6, "Y": 0}
    board = parse_board(CORPORATIONS, "XX.YY", letters)
    assert (board.sizes[6], board.sizes[0]) == (2, 2)
    assert parse_player(CORPORATIONS, "ann X3", letters).shares[6] == 3
    with pytest.raises(KeyError):
        parse_board(CORPORATIONS, next(iter(initials(CORPORATIONS))) * 2, letters)


@pytest.mark.parametrize("drawing", ["." * COLUMNS + "o", "/" * len(ROWS) + "o"])
def test_cell_off_the_board_is_refused(drawing: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_board(REVISED, drawing)


def test_board_may_fill_all_cells() -> None:
    board = parse_board(REVISED, "/".join(["A" * COLUMNS] * len(ROWS)))
    assert board.sizes[0] == COLUMNS * len(ROWS)


def test_more_certificates_than_there_are_is_refused() -> None:
    parse_position(REVISED, "AA", ["ann A20", "bob A5"])
    with pytest.raises(ValueError, match=r"."):
        parse_position(REVISED, "AA", ["ann A20", "bob A6"])
