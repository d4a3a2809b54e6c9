"""The grid: 108 tiles as bits of one integer.

A tile is the index of its bit, ``row * 13 + column`` (both from 0). The 13th bit of every row is
never set, so a shift by one cannot wrap from one row into the next. Ascending order of tiles is
row by row: 1A, 2A .. 12A, 1B .. 12I.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Tile: TypeAlias = int
"""Index of a tile's bit, 0 (1A) to 115 (12I)."""

Mask: TypeAlias = int
"""A set of tiles: bit ``t`` is set when tile ``t`` is in it."""

COLUMNS: Final = 12
ROWS: Final = "ABCDEFGHI"
STRIDE: Final = COLUMNS + 1
ROW_MASK: Final = (1 << COLUMNS) - 1
GRID: Final = sum(ROW_MASK << (STRIDE * row) for row in range(len(ROWS)))


def near(mask: Mask) -> Mask:
    """Return the cells directly above, below, left or right of a tile in ``mask``.

    Diagonal cells are not adjacent, and row A does not continue in row B:

    >>> tile_names(near(parse_tiles("12A")))
    '11A 12B'
    """
    return ((mask << 1) | (mask >> 1) | (mask << STRIDE) | (mask >> STRIDE)) & GRID


def connected(seed: Mask, within: Mask) -> Mask:
    """Return ``seed`` and the part of ``within`` that is connected to it.

    >>> tile_names(connected(parse_tiles("3A"), within=parse_tiles("1A 2A 2B 5A")))
    '1A 2A 3A 2B'
    """
    reached = seed
    frontier = seed
    while frontier:
        frontier = near(frontier) & within & ~reached
        reached |= frontier
    return reached


def tiles_in(mask: Mask) -> list[Tile]:
    """List the tiles of a mask row by row."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(tiles: Iterable[Tile]) -> Mask:
    """Return the set of the given tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def tile_at(column: int, row: str) -> Tile:
    """Return the tile at column 1..12 and row A..I; ``ValueError`` off the grid.

    >>> tile_at(1, "A"), tile_at(1, "B"), tile_at(12, "I")
    (0, 13, 115)
    """
    if not 1 <= column <= COLUMNS or len(row) != 1 or row not in ROWS:
        raise ValueError(f"no tile {column}{row}: columns are 1..12, rows A..I")
    return ROWS.index(row) * STRIDE + column - 1


def column_of(tile: Tile) -> int:
    """Return the tile's column, 1..12."""
    return tile % STRIDE + 1


def row_of(tile: Tile) -> str:
    """Return the tile's row, A..I."""
    return ROWS[tile // STRIDE]


def tile_name(tile: Tile) -> str:
    """Write a tile as the rule text does, column first.

    >>> tile_name(115)
    '12I'
    """
    return TILE_NAMES[tile]


def parse_tile(name: str) -> Tile:
    """Read a tile such as ``12I``; ``ValueError`` if there is no such tile.

    >>> parse_tile("13A")
    Traceback (most recent call last):
    ValueError: no tile 13A: columns are 1..12, rows A..I
    """
    if not name[:-1].isdecimal():
        raise ValueError(f"not a tile: {name!r}; a tile is written like 12I")
    return tile_at(int(name[:-1]), name[-1:])


def parse_tiles(names: str) -> Mask:
    """Read a set of tiles such as ``1A 12I``; ``ValueError`` if one does not exist."""
    return mask_of(map(parse_tile, names.split()))


def tile_names(mask: Mask) -> str:
    """Write a set of tiles row by row, as :func:`parse_tiles` reads it.

    >>> tile_names(parse_tiles("12I 1B 2A"))
    '2A 1B 12I'
    """
    return " ".join(map(tile_name, tiles_in(mask)))


TILES: Final[tuple[Tile, ...]] = tuple(tiles_in(GRID))

TILE_NAMES: Final[dict[Tile, str]] = {tile: f"{column_of(tile)}{row_of(tile)}" for tile in TILES}

NEIGHBOURS: Final[tuple[Mask, ...]] = tuple(
    near(1 << tile & GRID) for tile in range(max(TILES) + 1)
)
"""For each tile the two to four cells beside it."""
