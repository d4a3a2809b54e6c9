"""The grid: "12 columns, labeled 1 through 12, and 9 rows, labeled A through I" (Game Pieces)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each
from positions import mask, names

from acquire.game.tiles import (
    GRID,
    NEIGHBOURS,
    ROW_MASK,
    STRIDE,
    TILE_NAMES,
    TILES,
    column_of,
    connected,
    mask_of,
    near,
    parse_tile,
    row_of,
    tile_at,
    tile_name,
    tiles_in,
)
from reference.game import neighbours
from reference.rulebooks import ALL_TILES

SOME_TILES = st.sets(st.sampled_from(TILES))


def test_grid_has_108_tiles_row_by_row() -> None:
    assert [tile_name(tile) for tile in TILES] == ALL_TILES
    assert list(TILES) == sorted(TILES)
    assert GRID.bit_count() == 108
    assert mask_of(TILES) == GRID


@pytest.mark.parametrize(
    ("name", "column", "row", "tile"),
    [("1A", 1, "A", 0), ("12A", 12, "A", 11), ("1B", 1, "B", STRIDE), ("12I", 12, "I", 115)],
)
def test_tile_is_its_column_and_its_row(name: str, column: int, row: str, tile: int) -> None:
    assert tile_at(column, row) == parse_tile(name) == tile
    assert (column_of(tile), row_of(tile), tile_name(tile)) == (column, row, name)


def test_every_tile_is_read_as_it_is_written() -> None:
    for tile in TILES:
        assert parse_tile(tile_name(tile)) == tile
        assert tile_at(column_of(tile), row_of(tile)) == tile
        assert TILE_NAMES[tile] == tile_name(tile)


@for_each(
    ("column", "row"), [(0, "A"), (13, "A"), (-1, "A"), (1, "J"), (1, "a"), (1, ""), (1, "AB")]
)
def test_there_is_no_tile_off_the_grid(column: int, row: str) -> None:
    with pytest.raises(ValueError, match=f"no tile {column}{row}: columns are 1..12, rows A..I"):
        tile_at(column, row)


@for_each("name", ["", "A", "1", "12", "A1", "0A", "13A", "1J", "1a", "-1A", "1.5A", "1AA", "²A"])
def test_what_is_no_tile_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"not a tile|no tile"):
        parse_tile(name)


def test_bit_between_two_rows_is_never_a_tile() -> None:
    between = [STRIDE * row + 12 for row in range(9)]
    assert not any(GRID >> bit & 1 for bit in between)
    assert ROW_MASK.bit_count() == 12


# "vertically or horizontally next to" (Play 1.1)


def test_neighbours_are_those_of_the_reference_for_every_tile() -> None:
    for tile in TILES:
        expected = neighbours(tile_name(tile))
        assert set(names(NEIGHBOURS[tile]).split()) == expected


@given(SOME_TILES)
def test_near_is_all_that_any_of_the_tiles_has_beside_it(tiles: set[int]) -> None:
    expected = 0
    for tile in tiles:
        expected |= NEIGHBOURS[tile]
    assert near(mask_of(list(tiles))) == expected


# "all connected tiles" (Play 1.1)


@for_each(
    ("seed", "within", "reached"),
    [
        ("1A", "1A", "1A"),
        ("1A", "2A 3A 5A", "1A 2A 3A"),
        ("1A", "2B", "1A"),
        ("12A", "1B 11A", "11A 12A"),
        ("3C", "3B 3A 2A 1A 1B 1C 2C 4D", "1A 2A 3A 1B 3B 1C 2C 3C"),
        ("1A 9I", "2A 8I 5E", "1A 2A 8I 9I"),
    ],
    ids=["alone", "in a row", "not across a corner", "not round the edge", "round a hole", "two"],
)
def test_connected_tiles_hang_together_by_their_sides(seed: str, within: str, reached: str) -> None:
    assert names(connected(mask(seed), mask(within))) == reached


@given(SOME_TILES)
def test_mask_holds_its_tiles_and_lists_them_row_by_row(tiles: set[int]) -> None:
    assert tiles_in(mask_of(list(tiles))) == sorted(tiles)
    assert mask_of(sorted(tiles)).bit_count() == len(tiles)
