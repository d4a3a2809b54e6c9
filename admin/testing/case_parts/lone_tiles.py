"""Positions that are easy to play: every tile in the player's hand stays unincorporated.

For cases that do not test the rules. All tiles on the board and in the player's hand are on
cells of one colour of a chequered board, so no two of them are adjacent.
"""

from ....game.tiles import ROWS, Tile, column_of, row_of, tile_name
from ...refereeing.play.dealer import Dealer

SHORT_TURN = "setup turn tile state score"
"""All questions in one turn with a lone tile, and before and after it."""

LOOSE_TILES = """
    o.........o.
    ............
    ............
    ............
    ............
    ............
    ............
    ............
    ..........o.
"""
LONE = "player 2B 6B 10B 3E 7E 6H"
"""The player's seat, with six lone tiles."""
FIRST_LONE, SECOND_LONE = "5A 9A 4D 8D 12D 1I", "3A 7A 6D 10D 9G 3I"
"""Two more hands of lone tiles."""


def lone_tiles(first: str = "ann", second: str = "bob", *others: str) -> str:
    """Return a position in which the player moves first, by default against two opponents."""
    return LOOSE_TILES + " | ".join([LONE, first, second, *others])


def _has_other_colour(tile: Tile) -> bool:
    return (column_of(tile) + ROWS.index(row_of(tile))) % 2 == 0


LONE_DRAWS = " ".join(tile_name(tile) for tile in Dealer(0).bag if not _has_other_colour(tile))
"""Lone tiles, to be first in the bag."""
