"""The grid: 108 tiles as bits of one integer.

A tile is the index of its bit, ``row * 13 + column`` (both from 0). The 13th bit of every row is
never set, so a shift by one cannot wrap from one row into the next. Ascending order of tiles is
row by row: 1A, 2A .. 12A, 1B .. 12I.
"""

from typing import TypeAlias

Tile: TypeAlias = int
"""Index of a tile's bit, 0 (1A) to 115 (12I)."""

Mask: TypeAlias = int
"""A set of tiles: bit ``t`` is set when tile ``t`` is in it."""

COLUMNS = 12
ROWS = "ABCDEFGHI"
STRIDE = COLUMNS + 1
ROW_MASK: Mask = (1 << COLUMNS) - 1
GRID: Mask = sum(ROW_MASK << (STRIDE * row) for row in range(len(ROWS)))


def near(mask: Mask) -> Mask:
    """Return the cells that touch ``mask`` from above, below, left or right."""
    return ((mask << 1) | (mask >> 1) | (mask << STRIDE) | (mask >> STRIDE)) & GRID


def connected(seed: Mask, within: Mask) -> Mask:
    """Return the part of ``within`` that hangs together with ``seed``, ``seed`` included."""
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


def mask_of(tiles: "tuple[Tile, ...] | list[Tile]") -> Mask:
    """Return the set of the given tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


def tile_at(column: int, row: str) -> Tile:
    """Return the tile of a column 1..12 and a row A..I; ``ValueError`` off the grid."""
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
    """Write a tile as the rule text does: ``12I``."""
    return TILE_NAMES[tile]


def parse_tile(name: str) -> Tile:
    """Read a tile such as ``12I``; ``ValueError`` when there is no such tile."""
    if not name[:-1].isdecimal():
        raise ValueError(f"not a tile: {name!r}; a tile is written like 12I")
    return tile_at(int(name[:-1]), name[-1:])


TILES: tuple[Tile, ...] = tuple(tiles_in(GRID))
"""All 108 tiles, row by row."""

TILE_NAMES: dict[Tile, str] = {tile: f"{column_of(tile)}{row_of(tile)}" for tile in TILES}

NEIGHBOURS: tuple[Mask, ...] = tuple(near(1 << tile & GRID) for tile in range(max(TILES) + 1))
"""For each tile the two to four cells beside it."""
