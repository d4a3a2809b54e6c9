"""Tiles and hotels on the grid, and the cells where no tile can be placed.

A board is a handful of whole-board masks. The unplayable cells are computed once for a board, so
that a hand is checked with one ``&``. What depends on the hotels alone is stored separately: most
tiles change no hotel, and the next board then differs in two masks only.
"""

from collections.abc import Sequence
from typing import Final, final

from .records import Record, put
from .rulebook import EighthHotel, ForbiddenMerger, LooseNeighbours, Rulebook
from .tiles import COLUMNS, NEIGHBOURS, ROWS, STRIDE, TILES, Mask, Tile, near, tiles_in
from .violation import BrokenRule

_APART: Final = LooseNeighbours.REFUSED
_NO_EIGHTH: Final = EighthHotel.REFUSED
_ANY_SAFE: Final = ForbiddenMerger.ANY_SAFE
# Module constants, because looking up an Enum member costs more than the test that uses it.


@final
class Board(Record):
    """The tiles on the grid; make it with :func:`lay_out`.

    ``loose`` are the unincorporated tiles, ``hotels[h]`` the tiles of hotel ``h`` (0 if it is not
    on the board), ``unplayable`` every cell where the rulebook allows no tile now, occupied cells
    included. The other fields follow from the hotels: ``sizes`` in tiles, ``edges`` the cells
    around each, ``beside`` and ``joining`` the cells that touch at least one and at least two of
    them, ``closed`` the cells that they occupy or where a merger is forbidden; ``largest`` is the
    greatest of the sizes.
    """

    __match_args__ = (
        "loose",
        "hotels",
        "unplayable",
        "sizes",
        "edges",
        "beside",
        "joining",
        "closed",
        "largest",
    )
    __slots__ = __match_args__

    def __init__(
        self,
        loose: Mask,
        hotels: tuple[Mask, ...],
        unplayable: Mask,
        sizes: tuple[int, ...],
        edges: tuple[Mask, ...],
        beside: Mask,
        joining: Mask,
        closed: Mask,
        largest: int,
    ) -> None:
        self.loose: Final = loose
        self.hotels: Final = hotels
        self.unplayable: Final = unplayable
        self.sizes: Final = sizes
        self.edges: Final = edges
        self.beside: Final = beside
        self.joining: Final = joining
        self.closed: Final = closed
        self.largest: Final = largest

    @property
    def occupied(self) -> Mask:
        """All tiles on the board, unincorporated or in a hotel."""
        mask = self.loose
        for hotel in self.hotels:
            mask |= hotel
        return mask

    def size(self, hotel: int) -> int:
        """Return the number of tiles of a hotel, 0 if it is not on the board."""
        return self.sizes[hotel]

    def touched(self, tile: Tile) -> list[int]:
        """List the hotels that a tile on this cell would touch, in alphabetical order.

        >>> from acquire import CLASSIC, parse_position, parse_tile
        >>> board = parse_position(CLASSIC, "AA.CC", ["ann"]).board
        >>> board.touched(parse_tile("3A")), board.touched(parse_tile("1B"))
        ([0, 1], [0])
        """
        bit = 1 << tile
        if not self.beside & bit:
            return []
        return [hotel for hotel, edge in enumerate(self.edges) if edge & bit]

    def grown_by(self, tile: Tile) -> int:
        """Return the only hotel that a tile on this cell would touch."""
        bit = 1 << tile
        for hotel, edge in enumerate(self.edges):
            if edge & bit:
                return hotel
        raise BrokenRule("the tile touches no hotel")

    def drawn(self, letters: Sequence[str]) -> str:
        """Return the board as nine lines below the columns, a hotel as its letter.

        An unincorporated tile is ``o``, an empty cell ``.``.
        """
        signs = dict.fromkeys(TILES, ".") | dict.fromkeys(tiles_in(self.loose), "o")
        for letter, hotel in zip(letters, self.hotels, strict=True):
            signs |= dict.fromkeys(tiles_in(hotel), letter)
        lines = ["  " + "".join(f"{column:3}" for column in range(1, COLUMNS + 1))]
        for at, row in enumerate(ROWS):
            cells = (signs[at * STRIDE + column] for column in range(COLUMNS))
            lines.append(f"{row} " + "".join(f"{cell:>3}" for cell in cells))
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return how many tiles there are, hotels by their numbers."""
        hotels = [f"hotel {hotel}: {size}" for hotel, size in enumerate(self.sizes) if size]
        return f"<Board {', '.join([*hotels, f'{self.loose.bit_count()} loose'])}>"

    def __str__(self) -> str:
        """Return the board with every hotel as its number, which is its place in all tuples.

        >>> from acquire import CLASSIC, parse_position
        >>> str(parse_position(CLASSIC, "AA.CC/..o", ["ann"]).board).splitlines()[1]
        'A   0  0  .  1  1  .  .  .  .  .  .  .'
        """
        return self.drawn([str(hotel) for hotel in range(len(self.hotels))])


def lay_out(rulebook: Rulebook, loose: Mask, hotels: tuple[Mask, ...]) -> Board:
    """Make the board of these tiles.

    ``loose`` are the unincorporated tiles, ``hotels`` those of each hotel of the rulebook. The
    unplayable cells depend on the rulebook: a tile beside both a hotel and an unincorporated tile
    is allowed in ``classic`` but not in ``revised``.

    >>> from acquire import CLASSIC, REVISED
    >>> from acquire.game.tiles import parse_tiles, tile_names
    >>> american, loose = parse_tiles("1A 2A"), parse_tiles("4A")
    >>> board = lay_out(CLASSIC, loose, (american, 0, 0, 0, 0, 0, 0))
    >>> tile_names(board.unplayable & ~board.occupied)
    ''
    >>> board = lay_out(REVISED, loose, (american, 0, 0, 0, 0, 0, 0))
    >>> tile_names(board.unplayable & ~board.occupied)
    '3A'
    """
    sizes = tuple([hotel.bit_count() for hotel in hotels])
    edges = tuple([near(hotel) if hotel else 0 for hotel in hotels])
    return _with_hotels(rulebook, loose, hotels, sizes, edges)


def empty_board(rulebook: Rulebook) -> Board:
    """Return the board before the first tile."""
    return lay_out(rulebook, 0, (0,) * len(rulebook.hotels))


def with_loose(rulebook: Rulebook, board: Board, tile: Mask) -> Board:
    """Return the board with one more unincorporated tile, given as a mask."""
    loose = board.loose | tile
    unplayable = _unplayable(rulebook, loose, board.sizes, board.beside, board.closed)
    return Board(
        loose,
        board.hotels,
        unplayable,
        board.sizes,
        board.edges,
        board.beside,
        board.joining,
        board.closed,
        board.largest,
    )


def with_more(rulebook: Rulebook, board: Board, hotel: int, more: Mask) -> Board:
    """Return the board on which a hotel has more tiles: just placed, or unincorporated so far."""
    if more & (more - 1):
        edge, count = near(more), more.bit_count()
    else:
        edge, count = NEIGHBOURS[more.bit_length() - 1], 1
    before, size = board.edges[hotel], board.sizes[hotel] + count
    added = edge & ~before
    hotels = put(board.hotels, hotel, board.hotels[hotel] | more)
    sizes = put(board.sizes, hotel, size)
    edges = put(board.edges, hotel, before | added)
    joining = board.joining | added & board.beside
    beside = board.beside | added
    closed = board.closed | more
    largest = board.largest
    if size > largest:
        largest = size
    if largest >= rulebook.safe_size:  # each cell that was closed before stays so
        closed |= _forbidden(rulebook, sizes, edges, joining)
    loose = board.loose & ~more
    unplayable = _unplayable(rulebook, loose, sizes, beside, closed)
    return Board(loose, hotels, unplayable, sizes, edges, beside, joining, closed, largest)


def with_merger(
    rulebook: Rulebook, board: Board, survivor: int, others: list[int], more: Mask
) -> Board:
    """Return the board on which one hotel has taken over others and the tiles that join them."""
    hotels, sizes, edges = list(board.hotels), list(board.sizes), list(board.edges)
    tiles, edge = hotels[survivor] | more, edges[survivor] | near(more)
    for hotel in others:
        tiles |= hotels[hotel]
        edge |= edges[hotel]
        hotels[hotel] = sizes[hotel] = edges[hotel] = 0
    hotels[survivor], sizes[survivor], edges[survivor] = tiles, tiles.bit_count(), edge
    return _with_hotels(rulebook, board.loose & ~more, tuple(hotels), tuple(sizes), tuple(edges))


def _with_hotels(
    rulebook: Rulebook,
    loose: Mask,
    hotels: tuple[Mask, ...],
    sizes: tuple[int, ...],
    edges: tuple[Mask, ...],
) -> Board:
    beside = joining = 0
    for edge in edges:
        joining |= beside & edge
        beside |= edge
    closed = 0
    for hotel in hotels:
        closed |= hotel
    largest = max(sizes)
    if largest >= rulebook.safe_size:
        closed |= _forbidden(rulebook, sizes, edges, joining)
    unplayable = _unplayable(rulebook, loose, sizes, beside, closed)
    return Board(loose, hotels, unplayable, sizes, edges, beside, joining, closed, largest)


def _forbidden(
    rulebook: Rulebook, sizes: tuple[int, ...], edges: tuple[Mask, ...], joining: Mask
) -> Mask:
    """Return the cells where a merger is forbidden because hotels are safe."""
    safe = two_safe = 0
    safe_size = rulebook.safe_size
    for hotel, size in enumerate(sizes):
        if size >= safe_size:
            edge = edges[hotel]
            two_safe |= safe & edge
            safe |= edge
    return joining & safe if rulebook.forbidden_merger is _ANY_SAFE else two_safe


def _unplayable(
    rulebook: Rulebook, loose: Mask, sizes: tuple[int, ...], beside: Mask, closed: Mask
) -> Mask:
    if not loose:
        return closed
    beside_hotels = rulebook.loose_neighbours is _APART
    beside_none = rulebook.eighth_hotel is _NO_EIGHTH and 0 not in sizes
    if not beside_hotels and not beside_none:
        return closed | loose
    # like near(loose), but not cut to the grid: no hand and no edge has a cell outside it
    around = (loose << 1) | (loose >> 1) | (loose << STRIDE) | (loose >> STRIDE)
    if not beside_none:
        around &= beside
    elif not beside_hotels:
        around &= ~beside
    return closed | loose | around
