"""Placing a tile: what it does, whether it is legal, and doing it.

Mergers are verified here and carried out in :mod:`acquire.game.merger`, because they involve every
player. Rule texts: "Acquire, Revised", Play, step 1; "Playing a tile", "Creating chains", "Tile
placement" in the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import permutations
from typing import Final, final

from .board import Board, with_loose, with_more
from .records import Record, add
from .rulebook import EighthHotel, EqualAcquired, ForbiddenMerger, LooseNeighbours, Rulebook
from .state import Player, State
from .tiles import NEIGHBOURS, Mask, Tile, connected, near, tile_name, tile_names, tiles_in
from .violation import BrokenRule, Illegal, Violation


class Kind(Enum):
    """What placing a tile does."""

    SINGLETON = "singleton"
    FOUNDING = "founding"
    GROWING = "growing"
    MERGING = "merging"


_SINGLETON: Final = Kind.SINGLETON
_FOUNDING: Final = Kind.FOUNDING
GROWING: Final = Kind.GROWING
MERGING: Final = Kind.MERGING
# Module constants, because looking up an Enum member costs more than the test that uses it.


@final
class Placement(Record):
    """A tile, and the hotel that it founds or that survives its merger.

    ``equals`` are the acquired hotels of equal size, in the order in which the placer wants them
    resolved; empty for alphabetical order.
    """

    __match_args__ = ("tile", "hotel", "equals")
    __slots__ = __match_args__

    def __init__(self, tile: Tile, hotel: int | None = None, equals: tuple[int, ...] = ()) -> None:
        self.tile: Final = tile
        self.hotel: Final = hotel
        self.equals: Final = equals

    def __repr__(self) -> str:
        """Return the tile by its name: ``<Placement 3A, hotel 1>``."""
        hotel = "" if self.hotel is None else f", hotel {self.hotel}"
        equals = f", then {self.equals}" if self.equals else ""
        return f"<Placement {tile_name(self.tile)}{hotel}{equals}>"


def kind_of(board: Board, tile: Tile) -> Kind:
    """Return what placing ``tile`` on a free cell would do, whether or not it is legal.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> board = parse_position(CLASSIC, "AA.CC...o", ["ann"]).board
    >>> [kind_of(board, parse_tile(name)).value for name in ("9E", "9B", "1B", "3A")]
    ['singleton', 'founding', 'growing', 'merging']
    """
    if board.joining >> tile & 1:
        return MERGING
    if board.beside >> tile & 1:
        return GROWING
    if NEIGHBOURS[tile] & board.loose and 0 in board.sizes:
        return _FOUNDING
    return _SINGLETON


def playable(state: State) -> Mask:
    """Return the tiles of the mover's hand that can be placed now.

    >>> from acquire import CLASSIC, REVISED, parse_position
    >>> from acquire.game.tiles import tile_names
    >>> tile_names(playable(parse_position(CLASSIC, "AA.o", ["ann 3A 9I"])))
    '3A 9I'
    >>> tile_names(playable(parse_position(REVISED, "AA.o", ["ann 3A 9I"])))
    '9I'
    """
    return state.players[0].hand & ~state.board.unplayable


def largest_of(board: Board, hotels: list[int]) -> list[int]:
    """Return the largest of ``hotels``, or all of them that tie for it, alphabetically."""
    most = max([board.sizes[hotel] for hotel in hotels])
    return [hotel for hotel in hotels if board.sizes[hotel] == most]


def hotel_choices(board: Board, tile: Tile) -> list[int | None]:
    """Return the hotels that a placement of ``tile`` can name, ``[None]`` if it names none.

    A founding names a hotel that is not on the board, a merger the largest of the hotels that the
    tile touches.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> board = parse_position(CLASSIC, "AA.CC...o", ["ann"]).board
    >>> [hotel_choices(board, parse_tile(name)) for name in ("9E", "9B", "1B", "3A")]
    [[None], [2, 3, 4, 5, 6], [None], [0, 1]]
    """
    bit = 1 << tile
    if board.beside & bit:
        return [*largest_of(board, board.touched(tile))] if board.joining & bit else [None]
    if not NEIGHBOURS[tile] & board.loose:
        return [None]
    return [index for index, size in enumerate(board.sizes) if not size] or [None]


def equal_acquired(board: Board, tile: Tile, survivor: int) -> list[int]:
    """Return the acquired hotels of a merger that are equal in size, alphabetically.

    At most three hotels are acquired, so there is at most one such group.
    """
    acquired = [hotel for hotel in board.touched(tile) if hotel != survivor]
    if len(acquired) < 2:
        return []
    sizes = [board.sizes[hotel] for hotel in acquired]
    return [hotel for hotel, size in zip(acquired, sizes, strict=True) if sizes.count(size) > 1]


def equals_choices(
    rulebook: Rulebook, board: Board, tile: Tile, hotel: int | None
) -> list[tuple[int, ...]]:
    """Return what the ``equals`` of a placement can be, each order once.

    The first is ``()``, which stands for alphabetical order:

    >>> from acquire import CLASSIC, REVISED, parse_position, parse_tile
    >>> board = parse_position(CLASSIC, "AA.CC/..F/..F/..F", ["ann"]).board
    >>> equals_choices(CLASSIC, board, parse_tile("3A"), hotel=2)
    [(), (1, 0)]
    >>> equals_choices(REVISED, board, parse_tile("3A"), hotel=2)
    [()]
    """
    if (
        rulebook.equal_acquired is EqualAcquired.ALPHABETICAL
        or hotel is None
        or not board.joining >> tile & 1
        or len(equals := equal_acquired(board, tile, hotel)) < 2
    ):
        return [()]
    return [(), *list(permutations(equals))[1:]]


def named_equals(rulebook: Rulebook, board: Board, placement: Placement) -> list[int]:
    """Return the equal hotels in the order of a placement, which may be the alphabetical one."""
    last = equals_choices(rulebook, board, placement.tile, placement.hotel)[-1]
    return [*placement.equals] or sorted(last)


def placements_of(rulebook: Rulebook, board: Board, tile: Tile) -> list[Placement]:
    """List every placement of a playable tile, in a hand or not, hotels in alphabetical order.

    A placement that lists equal hotels in alphabetical order is left out, because it is the same as
    the one that lists none.
    """
    hotels = hotel_choices(board, tile)
    if not board.joining >> tile & 1:
        return [Placement(tile, hotel) for hotel in hotels]
    return [
        Placement(tile, hotel, equals)
        for hotel in hotels
        for equals in equals_choices(rulebook, board, tile, hotel)
    ]


def legal_placements(state: State) -> list[Placement]:
    """List every legal placement of the mover, tile by tile as :func:`placements_of` does.

    >>> from acquire import CLASSIC, parse_position
    >>> for placement in legal_placements(parse_position(CLASSIC, "AA.CC", ["ann 3A 9I"])):
    ...     print(tile_name(placement.tile), placement.hotel)
    3A 0
    3A 1
    9I None
    """
    rulebook, board = state.rulebook, state.board
    naming = near(board.loose) & ~board.beside | board.joining
    placements = []
    for tile in tiles_in(playable(state)):
        if naming >> tile & 1:
            placements += placements_of(rulebook, board, tile)
        else:  # most tiles: it founds and merges nothing
            placements.append(Placement(tile))
    return placements


def verify_placement(state: State, placement: Placement) -> Illegal | None:
    """Return which rule the mover's placement breaks, or ``None`` if it is legal.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "AA.CCC", ["ann 3A 9I"])
    >>> verify_placement(state, Placement(parse_tile("3A"), hotel=1))
    >>> print(verify_placement(state, Placement(parse_tile("3A"), hotel=0)).detail)
    American is not the largest hotel; the survivor can be Continental.
    >>> print(verify_placement(state, Placement(parse_tile("1I"))))
    Tile 1I is not in the hand (3A 9I). Only tiles in hand can be placed.
    """
    tile = placement.tile
    board, rulebook = state.board, state.rulebook
    if not state.players[0].hand >> tile & 1:
        hand = tile_names(state.players[0].hand) or "empty"
        return Illegal(
            Violation.NOT_IN_HAND, f"Tile {tile_name(tile)} is not in the hand ({hand})."
        )
    if board.unplayable >> tile & 1:
        return _why_unplayable(rulebook, board, tile)
    return verify_hotels(rulebook, board, placement)


def verify_hotels(rulebook: Rulebook, board: Board, placement: Placement) -> Illegal | None:
    """Return what is wrong with the hotels that a placement names, or ``None``.

    Where the tile comes from is not checked: it may be the stock market's.
    """
    tile, hotel, equals = placement.tile, placement.hotel, placement.equals
    choices = hotel_choices(board, tile)
    if hotel not in choices:
        return _why_not_hotel(rulebook, board, placement, choices)
    if not equals:
        return None
    due: list[int] = []
    if hotel is not None and rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS:
        due = equal_acquired(board, tile, hotel)
    if sorted(equals) == due:
        return None
    named, name = _names(rulebook, equals, "and"), tile_name(tile)
    if kind_of(board, tile) is not Kind.MERGING:
        detail = f"Tile {name} founds a hotel, so {named} cannot be named after it."
    elif due:
        tied = _names(rulebook, due, "and")
        detail = f"The placement names {named} after the survivor; expected {tied}, in any order."
    else:
        detail = f"The placement names {named} after the survivor; no acquired hotels are tied."
    return Illegal(Violation.WRONG_EQUALS, detail)


def _why_unplayable(rulebook: Rulebook, board: Board, tile: Tile) -> Illegal:
    name, touched = tile_name(tile), board.touched(tile)
    if board.occupied >> tile & 1:
        raise BrokenRule(f"tile {name} is both in a hand and on the board")
    safe = [hotel for hotel in touched if board.size(hotel) >= rulebook.safe_size]
    any_safe = rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE
    if len(touched) > 1 and len(safe) >= (1 if any_safe else 2):
        return Illegal(
            Violation.SAFE_MERGER if any_safe else Violation.TWO_SAFE,
            f"Tile {name} would merge {_names(rulebook, touched, 'and')}; "
            f"{_names(rulebook, safe, 'and')} {'is' if len(safe) == 1 else 'are'} safe.",
        )
    if touched and rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        return Illegal(
            Violation.BESIDE_LOOSE,
            f"Tile {name} touches {_names(rulebook, touched, 'and')} and an unincorporated tile.",
        )
    assert rulebook.eighth_hotel is EighthHotel.REFUSED, f"{name} is unplayable for no reason"
    return Illegal(
        Violation.EIGHTH_HOTEL,
        f"Tile {name} would found a hotel, but all {len(board.hotels)} are on the board.",
    )


def _why_not_hotel(
    rulebook: Rulebook, board: Board, placement: Placement, choices: list[int | None]
) -> Illegal:
    tile, hotel = placement.tile, placement.hotel
    name = tile_name(tile)
    choice = _names(rulebook, [index for index in choices if index is not None])
    kind = kind_of(board, tile)
    if hotel is None:
        does = "founds a hotel" if kind is Kind.FOUNDING else "merges hotels"
        return Illegal(Violation.NO_HOTEL_NAMED, f"Tile {name} {does}; it can name {choice}.")
    named = rulebook.hotel_name(hotel)
    if kind is Kind.FOUNDING:
        detail = f"{named} is already on the board; tile {name} can found {choice}."
        return Illegal(Violation.HOTEL_ON_BOARD, detail)
    if kind is not Kind.MERGING:
        detail = f"Tile {name} neither founds nor merges, so cannot name {named}."
        return Illegal(Violation.HOTEL_NOT_DUE, detail)
    if hotel not in board.touched(tile):
        detail = f"Tile {name} does not touch {named}; the survivor can be {choice}."
        return Illegal(Violation.NOT_INVOLVED, detail)
    detail = f"{named} is not the largest hotel; the survivor can be {choice}."
    return Illegal(Violation.NOT_LARGEST, detail)


def verify_no_placement(state: State) -> Illegal | None:
    """Return that the mover must place a tile, or ``None`` if it has no playable tile."""
    if not (tiles := playable(state)):
        return None
    detail = f"No tile was placed; the playable tiles are {tile_names(tiles)}."
    return Illegal(Violation.PLACEMENT_DUE, detail)


def _names(rulebook: Rulebook, hotels: Sequence[int], joined: str = "or") -> str:
    names = [rulebook.hotel_name(hotel) for hotel in hotels]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joined} {names[-1]}"


def free_certificates(state: State, hotel: int) -> int:
    """Return how many certificates the founder of a hotel receives."""
    return min(state.rulebook.founders_certificates, state.bank[hotel])


def place(state: State, placement: Placement) -> State:
    """Return the position after a legal placement that is not a merger.

    The founder of a hotel receives :func:`free_certificates`.

    >>> from acquire import CLASSIC, parse_position, parse_tile
    >>> state = parse_position(CLASSIC, "oo", ["ann 3A"])
    >>> tower = CLASSIC.hotel_index("Tower")
    >>> after = place(state, Placement(parse_tile("3A"), hotel=tower))
    >>> after.board.sizes[tower], after.mover.shares[tower], after.price(tower)
    (3, 1, 500)
    """
    tile, hotel = placement.tile, placement.hotel
    rulebook, board, mover, bank = state.rulebook, state.board, state.players[0], state.bank
    bit, shares = 1 << tile, mover.shares
    if hotel is not None:
        if board.beside & bit or board.sizes[hotel]:
            raise BrokenRule(f"tile {tile_name(tile)} founds no hotel here")
        board = with_more(rulebook, board, hotel, connected(bit, board.loose))
        if free := free_certificates(state, hotel):
            bank = add(bank, hotel, -free)
            shares = add(shares, hotel, free)
    else:
        board = with_tile(rulebook, board, tile)
    mover = Player(mover.name, mover.cash, shares, mover.hand & ~bit)
    players = (mover, *state.players[1:])
    return State(rulebook, board, players, bank, state.bag, state.aside, state.idle)


def with_tile(rulebook: Rulebook, board: Board, tile: Tile) -> Board:
    """Return the board with a tile that neither founds nor merges.

    It stays unincorporated, or a hotel grows by it and the unincorporated tiles connected to it.
    """
    bit = 1 << tile
    if not board.beside & bit:
        return with_loose(rulebook, board, bit)
    grown = board.grown_by(tile)
    if NEIGHBOURS[tile] & board.loose:
        bit = connected(bit, board.loose)
    return with_more(rulebook, board, grown, bit)
