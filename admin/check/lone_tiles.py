"""Positions that are simple to play: whichever tile is placed, it stays alone.

For cases that are about something else than the rules. All tiles on the board and in the player's
hand are on cells of one colour, were the board chequered, so none is beside another.
"""

from admin.check.scene import OTHERS, scene
from game.rulebook import Rulebook
from game.state import State
from game.tiles import ROWS, Tile, column_of, row_of

SHORT_TURN = frozenset({"setup", "turn", "tile", "state", "score"})
"""All that a player is asked in one turn with a lone tile, and before and after it."""

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
"""The player's seat, with six tiles."""
FIRST_LONE, SECOND_LONE = "5A 9A 4D 8D 12D 1I", "3A 7A 6D 10D 9G 3I"
"""Two more hands such as that."""


def lone_tiles(rulebook: Rulebook, *others: str) -> State:
    """Lay out a position in which the player moves first; ``ann`` and ``bob`` sit there as well.

    Others sit there in their place if they are given.
    """
    return scene(rulebook, LOOSE_TILES, LONE, *(others or OTHERS[:2]))


def drawing_lone(state: State) -> State:
    """Return the position with those tiles first in the bag that stay alone as well."""
    return state._replace(bag=tuple(sorted(state.bag, key=_is_dark)))


def _is_dark(tile: Tile) -> bool:
    """Whether the cell of a tile has the other colour."""
    return (column_of(tile) + ROWS.index(row_of(tile))) % 2 == 0
