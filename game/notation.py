"""Positions as text, for examples, tests and the cases of ``acquire check``.

A board is one line a row, from row A on, or the rows separated by ``/``. A cell is a hotel's
letter, ``o`` for an unincorporated tile or ``.`` for nothing; empty cells and rows at the end may
be left out. A player is one line: name, tiles, certificates by hotel letter, and cash. A hotel's
letter is its initial unless others are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .board import Board, lay_out
from .rulebook import Rulebook
from .state import Player, State, position
from .tiles import ROWS, Mask, parse_tile, tile_at

LOOSE, EMPTY = "o", "."


def initials(rulebook: Rulebook) -> Mapping[str, int]:
    """Return the hotels by their initials."""
    return {hotel.name[0]: index for index, hotel in enumerate(rulebook.hotels)}


def parse_board(
    rulebook: Rulebook, drawing: str, letters: Mapping[str, int] | None = None
) -> Board:
    """Read a board; ``KeyError`` for an unknown sign, ``ValueError`` for a cell off the grid.

    American has the tiles 1A, 2A and 1B, and 5A is unincorporated:

    >>> from acquire import CLASSIC
    >>> from acquire.game.tiles import tile_names
    >>> board = parse_board(CLASSIC, "AA..o/A")
    >>> board.sizes, tile_names(board.loose)
    ((3, 0, 0, 0, 0, 0, 0), '5A')
    """
    hotels = letters or initials(rulebook)
    cells: dict[str, Mask] = dict.fromkeys([*hotels, LOOSE, EMPTY], 0)
    rows = drawing.replace("/", "\n").split("\n")
    if len(rows) > len(ROWS):
        raise ValueError(f"{len(rows)} rows, but a board has {len(ROWS)}")
    for row, line in zip(ROWS, rows, strict=False):
        for column, sign in enumerate(line, start=1):
            cells[sign] |= 1 << tile_at(column, row)
    masks = [0] * len(rulebook.hotels)
    for letter, hotel in hotels.items():
        masks[hotel] = cells[letter]
    return lay_out(rulebook, cells[LOOSE], tuple(masks))


def parse_player(rulebook: Rulebook, line: str, letters: Mapping[str, int] | None = None) -> Player:
    """Read a player; ``KeyError`` for an unknown hotel, ``ValueError`` for an unknown tile.

    >>> from acquire import CLASSIC
    >>> parse_player(CLASSIC, "ann 1A 2A T5 $600")
    <Player ann $600, (0, 0, 0, 0, 0, 5, 0), 1A 2A>
    """
    hotels = letters or initials(rulebook)
    name, *items = line.split()
    cash, shares, hand = 0, [0] * len(rulebook.hotels), 0
    for item in items:
        if item.startswith("$"):
            cash = int(item[1:])
        elif item[0].isalpha():
            shares[hotels[item[0]]] = int(item[1:])
        else:
            hand |= 1 << parse_tile(item)
    return Player(name, cash, tuple(shares), hand)


def parse_position(
    rulebook: Rulebook, drawing: str, players: Sequence[str], bag: str = ""
) -> State:
    """Read a position: a board, players in turn order from the mover, and the bag.

    ``ValueError`` if the players hold more certificates of a hotel than there are.

    >>> from acquire import CLASSIC
    >>> state = parse_position(CLASSIC, "AA.TTT", ["ann 3A A7", "bob $600"], bag="1I 2I")
    >>> state.mover.name, state.bank[0], len(state.bag)
    ('ann', 18, 2)
    """
    seated = [parse_player(rulebook, line) for line in players]
    tiles = [parse_tile(name) for name in bag.split()]
    return position(rulebook, parse_board(rulebook, drawing), seated, tiles)
