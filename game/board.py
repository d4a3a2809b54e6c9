"""Tiles and hotels on the grid, and the cells where no tile may go.

A board is a handful of whole-board masks. The cells that cannot be used are worked out once for
a board, so that a hand is checked with one ``&``.
"""

from typing import NamedTuple

from game.rulebook import EighthHotel, ForbiddenMerger, LooseNeighbours, Rulebook
from game.tiles import NEIGHBOURS, STRIDE, Mask, Tile, near


class Board(NamedTuple):
    """What lies on the grid; make it with :func:`lay_out`.

    ``loose`` are the unincorporated tiles, ``hotels[h]`` the tiles of hotel ``h`` (0 when it is
    not on the board), ``unplayable`` every cell where the rulebook lets no tile be placed now,
    occupied cells included.
    """

    loose: Mask
    hotels: tuple[Mask, ...]
    unplayable: Mask

    @property
    def occupied(self) -> Mask:
        """All tiles on the board, unincorporated or in a hotel."""
        mask = self.loose
        for hotel in self.hotels:
            mask |= hotel
        return mask

    def size(self, hotel: int) -> int:
        """Return the number of tiles of a hotel, 0 when it is not on the board."""
        return self.hotels[hotel].bit_count()

    def touched(self, tile: Tile) -> list[int]:
        """List the hotels beside a cell, in alphabetical order."""
        beside = NEIGHBOURS[tile]
        return [index for index, hotel in enumerate(self.hotels) if hotel & beside]


def lay_out(rulebook: Rulebook, loose: Mask, hotels: tuple[Mask, ...]) -> Board:
    """Make the board of these tiles, and work out where ``rulebook`` lets no tile be placed."""
    occupied = loose
    touching_one = touching_two = touching_safe = touching_two_safe = 0
    absent = 0
    safe_size = rulebook.safe_size
    for hotel in hotels:
        if not hotel:
            absent += 1
            continue
        occupied |= hotel
        # near(hotel), written out: this loop is most of a placement's cost
        edge = (hotel << 1) | (hotel >> 1) | (hotel << STRIDE) | (hotel >> STRIDE)
        touching_two |= touching_one & edge
        touching_one |= edge
        if hotel.bit_count() >= safe_size:
            touching_two_safe |= touching_safe & edge
            touching_safe |= edge
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        unplayable = occupied | (touching_two & touching_safe)
    else:
        unplayable = occupied | touching_two_safe
    if loose:
        beside_loose = near(loose)
        if rulebook.loose_neighbours is LooseNeighbours.REFUSED:
            unplayable |= beside_loose & touching_one
        if not absent and rulebook.eighth_hotel is EighthHotel.REFUSED:
            unplayable |= beside_loose & ~touching_one
    return Board(loose, hotels, unplayable)


def empty_board(rulebook: Rulebook) -> Board:
    """Return the board before the first tile."""
    return Board(0, (0,) * len(rulebook.hotels), 0)
