"""Tiles and hotels on the grid, and the cells where no tile may go (Play 1.1 to 1.3)."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import for_each
from positions import board, hotel, hotels, mask, names, reference_game

from acquire.game.board import Board, empty_board, lay_out, with_loose, with_merger, with_more
from acquire.game.rulebook import EighthHotel, ForbiddenMerger, LooseNeighbours, Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import position
from acquire.game.tiles import GRID, near, parse_tile, tile_name, tiles_in

ABSORBED = replace(REVISED, loose_neighbours=LooseNeighbours.ABSORBED)
NO_EIGHTH = replace(REVISED, eighth_hotel=EighthHotel.REFUSED)
TWO_SAFE = replace(REVISED, forbidden_merger=ForbiddenMerger.TWO_SAFE)
NONE_OF_REVISED = replace(
    TWO_SAFE, loose_neighbours=LooseNeighbours.ABSORBED, eighth_hotel=EighthHotel.REFUSED
)
RULEBOOKS = for_each(
    "rulebook",
    [REVISED, ABSORBED, NO_EIGHTH, TWO_SAFE, NONE_OF_REVISED],
    ids=["revised", "absorbed", "no-eighth", "two-safe", "none-of-revised"],
)


def forbidden(laid: Board) -> str:
    """The free cells where no tile may be placed."""
    return names(laid.unplayable & ~laid.occupied & GRID)


def test_empty_board_lets_every_tile_be_placed() -> None:
    laid = empty_board(REVISED)
    assert laid.occupied == laid.unplayable == laid.loose == 0
    assert laid.hotels == laid.sizes == (0,) * 7
    assert laid == board("")


def test_occupied_are_loose_tiles_and_hotels() -> None:
    laid = board("TT.o\n..SS")
    assert names(laid.occupied) == "1A 2A 4A 3B 4B"
    assert names(laid.loose) == "4A"


def test_size_is_the_number_of_a_hotels_tiles() -> None:
    laid = board("TT.SSS")
    sizes = {name: laid.size(hotel(name)) for name in ("American", "Sackson", "Tower")}
    assert sizes == {"American": 0, "Sackson": 3, "Tower": 2}


@for_each(
    ("tile", "touched"),
    [
        ("3A", "Sackson Tower"),
        ("6B", "American Sackson"),
        ("2B", "Tower"),
        ("8B", "American"),
        ("9A", ""),
        ("12A", ""),
        ("1C", "Tower"),
    ],
)
def test_touched_are_the_hotels_beside_a_cell_alphabetically(tile: str, touched: str) -> None:
    laid = board("""
        TT.SSS.o....
        T.....A.....
        .....AA.....
    """)
    assert laid.touched(parse_tile(tile)) == list(hotels(touched))


def test_tile_can_touch_four_hotels() -> None:
    laid = board("""
        .W.
        .W.
        A.SS
        AT.
        .T.
    """)
    assert laid.touched(parse_tile("2C")) == list(hotels("American Sackson Tower Worldwide"))


@RULEBOOKS
def test_occupied_cells_are_unplayable(rulebook: Rulebook) -> None:
    laid = board("TT.o\n..SS", rulebook)
    assert laid.unplayable & laid.occupied == laid.occupied


# "The player may not place a tile if the spot is also (vertically or horizontally) connected to a
# region of unassociated tiles." (Play 1.2 and 1.3)


@for_each(
    ("drawing", "cells"),
    [
        pytest.param("TT.o", "3A", id="growing beside a loose tile"),
        pytest.param("TT.SS\n..o", "3A 2B 4B", id="merging beside a loose tile"),
        pytest.param("TT..o", "", id="a cell apart"),
        pytest.param("TT\n..o", "3A 2B", id="loose tile across a corner"),
        pytest.param("...........o\n.TT", "", id="not round the edge"),
        pytest.param("oo.o", "", id="no hotel"),
    ],
)
def test_tile_may_not_touch_a_hotel_and_a_loose_tile(drawing: str, cells: str) -> None:
    assert forbidden(board(drawing)) == cells
    assert forbidden(board(drawing, ABSORBED)) == ""


# "If any of the hotels in a merger is safe [...] the player may not place the tile in this spot."


@for_each(
    ("drawing", "any_safe", "two_safe"),
    [
        pytest.param("TTTTTT.SS\nTTTTTT", "7A", "", id="the larger is safe"),
        pytest.param("TTTTTT.SS\nTTTTT", "", "", id="none is safe"),
        pytest.param("TTTTTT.SSSS\nTTTTTT.SSSS\n.......SSSS", "7A 7B", "7A 7B", id="both are"),
        pytest.param(
            "TTTTTT.SSSS\nTTTTTT.SSSS\n.......SSS", "7A 7B", "", id="one of 12, one of 11"
        ),
        pytest.param("TTTTTT..SS\nTTTTTT", "", "", id="a cell apart"),
        pytest.param("TTTTTT\nTTT.TT\nT", "", "", id="one safe hotel from three sides"),
        pytest.param(
            """
            AA.TTTTTTTTT
            ..S......TTT
            SSSSSSSS....
            SSS.........
            """,
            "3A 1B 2B 4B 5B 6B 7B 8B",
            "3A 4B 5B 6B 7B 8B",
            id="two of three are safe",
        ),
        pytest.param(
            """
            SSSSSSSSSSSS
            ............
            ....AA......
            ............
            TTTTTTTTTTTT
            """,
            "5B 6B 5D 6D",
            "",
            id="one of two safe ones in each merger",
        ),
    ],
)
def test_safe_hotel_cannot_be_merged(drawing: str, any_safe: str, two_safe: str) -> None:
    assert forbidden(board(drawing)) == any_safe
    assert forbidden(board(drawing, TWO_SAFE)) == two_safe


def test_safe_size_is_the_rulebooks() -> None:
    drawing = "TTTTTT.SS\nTTTTT"
    assert forbidden(board(drawing, replace(REVISED, safe_size=11))) == "7A"
    assert forbidden(board(drawing, replace(REVISED, safe_size=12))) == ""


# "If there are no available hotel chains, the player can place the tile" (Play 1.1)

SEVEN_AND_A_LOOSE_TILE = """
    AA.CC.FF.II.
    ............
    SS.TT.WW.o..
"""


@pytest.mark.parametrize(
    ("rulebook", "cells"),
    [
        pytest.param(REVISED, "10B 9C", id="stays loose"),
        pytest.param(NO_EIGHTH, "10B 9C 11C 10D", id="refused"),
        pytest.param(NONE_OF_REVISED, "11C 10D", id="refused, hotels absorb"),
    ],
)
def test_tile_that_would_found_an_eighth_hotel(rulebook: Rulebook, cells: str) -> None:
    assert forbidden(board(SEVEN_AND_A_LOOSE_TILE, rulebook)) == cells


def test_eighth_hotel_is_refused_only_while_all_seven_are_on_the_board() -> None:
    six = SEVEN_AND_A_LOOSE_TILE.replace("A", ".")
    assert forbidden(board(six, NONE_OF_REVISED)) == ""


# Every board


def scattered(rulebook: Rulebook, seed: int) -> Board:
    """A board of loose tiles and 2 to 7 hotels, some of them safe, none beside another."""
    chance = random.Random(seed)
    free, regions = GRID, []
    for _ in range(chance.choice([3, 5, 8, 8])):
        if not free:
            break
        region = 1 << chance.choice(tiles_in(free))
        for _ in range(chance.choice([1, 2, 6, 11, 14])):
            if beside := tiles_in(near(region) & free & ~region):
                region |= 1 << chance.choice(beside)
        free &= ~(region | near(region))
        regions.append(region)
    loose, *laid = regions
    laid += [0] * (len(rulebook.hotels) - len(laid))
    chance.shuffle(laid)
    return lay_out(rulebook, loose, tuple(laid))


SEEDS = st.integers(0, 10**9)


@for_each("rulebook", [REVISED, CLASSIC])
@given(seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_unplayable_cells_are_those_of_the_reference(rulebook: Rulebook, seed: int) -> None:
    laid = scattered(rulebook, seed)
    reference = reference_game(position(rulebook, laid, []))
    for tile in tiles_in(GRID & ~laid.occupied):
        assert bool(laid.unplayable >> tile & 1) is not bool(reference.choices(tile_name(tile)))


@RULEBOOKS
@given(seed=SEEDS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_board_with_one_more_loose_tile_equals_a_new_layout(
    rulebook: Rulebook, seed: int, data: st.DataObject
) -> None:
    laid = scattered(rulebook, seed)
    tile = 1 << data.draw(st.sampled_from(tiles_in(GRID & ~laid.occupied)))
    assert with_loose(rulebook, laid, tile) == lay_out(rulebook, laid.loose | tile, laid.hotels)


@RULEBOOKS
@given(seed=SEEDS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_board_with_a_larger_hotel_equals_a_new_layout(
    rulebook: Rulebook, seed: int, data: st.DataObject
) -> None:
    """Founded, grown by one tile, or by one and the loose tiles that it connects."""
    laid = scattered(rulebook, seed)
    index = data.draw(st.integers(0, 6))
    more = 1 << data.draw(st.sampled_from(tiles_in(GRID & ~laid.occupied)))
    if data.draw(st.booleans()):
        more |= laid.loose
    expected = list(laid.hotels)
    expected[index] |= more
    grown = with_more(rulebook, laid, index, more)
    assert grown == lay_out(rulebook, laid.loose & ~more, tuple(expected))


@RULEBOOKS
@given(seed=SEEDS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_board_after_a_merger_equals_a_new_layout(
    rulebook: Rulebook, seed: int, data: st.DataObject
) -> None:
    laid = scattered(rulebook, seed)
    survivor, *others = data.draw(st.permutations(range(7)))[: data.draw(st.integers(2, 4))]
    more = 1 << data.draw(st.sampled_from(tiles_in(GRID & ~laid.occupied))) | laid.loose
    expected = list(laid.hotels)
    expected[survivor] |= more
    for hotel_taken in others:
        expected[survivor] |= expected[hotel_taken]
        expected[hotel_taken] = 0
    joined = with_merger(rulebook, laid, survivor, others, more)
    assert joined == lay_out(rulebook, 0, tuple(expected))


def test_old_board_stays_as_it_was() -> None:
    laid = board("TT.o\n..SS")
    before = tuple(laid)
    with_loose(REVISED, laid, mask("9I"))
    with_more(REVISED, laid, hotel("Tower"), mask("1B"))
    with_merger(REVISED, laid, hotel("Tower"), [hotel("Sackson")], mask("3A"))
    assert tuple(laid) == before
