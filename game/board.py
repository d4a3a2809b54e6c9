"""Tiles and hotels on the grid, and the cells where no tile may go.

A board is a handful of whole-board masks. The cells that cannot be used are worked out once for
a board, so that a hand is checked with one ``&``; what hangs on the hotels alone is kept apart, so
that a board with one tile more is made from the one before it.
"""

from typing import NamedTuple

from game.rulebook import EighthHotel, ForbiddenMerger, LooseNeighbours, Rulebook
from game.tiles import NEIGHBOURS, STRIDE, Mask, Tile, near
from game.tuples import new, put

_APART, _NO_EIGHTH = LooseNeighbours.REFUSED, EighthHotel.REFUSED
_ANY_SAFE = ForbiddenMerger.ANY_SAFE
# looked up once: an Enum's member costs more to find than the question it answers


class Board(NamedTuple):
    """What lies on the grid; make it with :func:`lay_out`.

    ``loose`` are the unincorporated tiles, ``hotels[h]`` the tiles of hotel ``h`` (0 when it is
    not on the board), ``unplayable`` every cell where the rulebook lets no tile be placed now,
    occupied cells included. The others follow from the hotels: ``sizes`` in tiles, ``edges`` the
    cells around each, ``beside`` and ``joining`` the cells that touch at least one and at least
    two of them, ``closed`` the cells that they occupy or where a merger is forbidden.
    """

    loose: Mask
    hotels: tuple[Mask, ...]
    unplayable: Mask
    sizes: tuple[int, ...]
    edges: tuple[Mask, ...]
    beside: Mask
    joining: Mask
    closed: Mask

    @property
    def occupied(self) -> Mask:
        """All tiles on the board, unincorporated or in a hotel."""
        mask = self.loose
        for hotel in self.hotels:
            mask |= hotel
        return mask

    def size(self, hotel: int) -> int:
        """Return the number of tiles of a hotel, 0 when it is not on the board."""
        return self.sizes[hotel]

    def touched(self, tile: Tile) -> list[int]:
        """List the hotels beside a cell, in alphabetical order."""
        if not self.beside >> tile & 1:
            return []
        beside = NEIGHBOURS[tile]
        return [index for index, hotel in enumerate(self.hotels) if hotel & beside]


def lay_out(rulebook: Rulebook, loose: Mask, hotels: tuple[Mask, ...]) -> Board:
    """Make the board of these tiles, and work out where ``rulebook`` lets no tile be placed."""
    sizes = tuple([hotel.bit_count() for hotel in hotels])
    edges = tuple([near(hotel) if hotel else 0 for hotel in hotels])
    return _with_hotels(rulebook, loose, hotels, sizes, edges)


def empty_board(rulebook: Rulebook) -> Board:
    """Return the board before the first tile."""
    return lay_out(rulebook, 0, (0,) * len(rulebook.hotels))


def with_loose(rulebook: Rulebook, board: Board, tile: Mask) -> Board:
    """Return the board with one more unincorporated tile."""
    _, hotels, _, sizes, edges, beside, joining, closed = board
    loose = board.loose | tile
    unplayable = _unplayable(rulebook, loose, sizes, beside, closed)
    return new(Board, (loose, hotels, unplayable, sizes, edges, beside, joining, closed))


def with_more(rulebook: Rulebook, board: Board, hotel: int, more: Mask) -> Board:
    """Return the board on which one hotel has these tiles more, loose until now or just placed."""
    loose, hotels, _, sizes, edges, beside, joining, closed = board
    loose &= ~more
    single = not more & (more - 1)
    edge = NEIGHBOURS[more.bit_length() - 1] if single else near(more)
    added = edge & ~edges[hotel]
    hotels = put(hotels, hotel, hotels[hotel] | more)
    sizes = put(sizes, hotel, hotels[hotel].bit_count())
    edges = put(edges, hotel, edges[hotel] | edge)
    safe = rulebook.safe_size
    if max(sizes) >= safe:
        if rulebook.forbidden_merger is _ANY_SAFE:  # what may be joined changes with every tile
            return _with_hotels(rulebook, loose, hotels, sizes, edges)
        if sizes[hotel] >= safe:
            for other, size in enumerate(sizes):
                if size >= safe and other != hotel:
                    closed |= edges[hotel] & edges[other]
    joining |= added & beside
    beside |= added
    closed |= more
    unplayable = _unplayable(rulebook, loose, sizes, beside, closed)
    return new(Board, (loose, hotels, unplayable, sizes, edges, beside, joining, closed))


def with_merger(
    rulebook: Rulebook, board: Board, survivor: int, others: list[int], more: Mask
) -> Board:
    """Return the board on which one hotel has taken over others, and these tiles between them."""
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
    safe_size = rulebook.safe_size
    if max(sizes) >= safe_size:
        safe = two_safe = 0
        for size, edge in zip(sizes, edges, strict=True):
            if size >= safe_size:
                two_safe |= safe & edge
                safe |= edge
        if rulebook.forbidden_merger is _ANY_SAFE:
            closed |= joining & safe
        else:
            closed |= two_safe
    unplayable = _unplayable(rulebook, loose, sizes, beside, closed)
    return Board(loose, hotels, unplayable, sizes, edges, beside, joining, closed)


def _unplayable(
    rulebook: Rulebook, loose: Mask, sizes: tuple[int, ...], beside: Mask, closed: Mask
) -> Mask:
    if not loose:
        return closed
    unplayable = closed | loose
    # near(loose), but for the cells off the grid, which are in no hand and in no hotel's edge
    around = (loose << 1) | (loose >> 1) | (loose << STRIDE) | (loose >> STRIDE)
    if rulebook.loose_neighbours is _APART:
        unplayable |= around & beside
    if rulebook.eighth_hotel is _NO_EIGHTH and 0 not in sizes:
        unplayable |= around & ~beside
    return unplayable
