"""Placing a tile: what it would do, whether it may be done, and doing it.

Mergers are verified here and carried out in :mod:`game.merger`, for they ask every player.
Rule texts: "Acquire, Revised", Play, step 1; "Playing a tile", "Creating chains", "Tile placement"
in the others.
"""

from collections.abc import Sequence
from enum import Enum
from itertools import permutations
from typing import NamedTuple

from game.board import Board, with_loose, with_more
from game.rulebook import (
    EighthHotel,
    EqualAcquired,
    ForbiddenMerger,
    LooseNeighbours,
    Rulebook,
)
from game.state import Player, State
from game.tiles import NEIGHBOURS, Mask, Tile, connected, tile_name, tiles_in
from game.tuples import add, new
from game.violation import BrokenRule, Illegal, Violation


class Kind(Enum):
    """What placing a tile does."""

    SINGLETON = "singleton"
    FOUNDING = "founding"
    GROWING = "growing"
    MERGING = "merging"


class Placement(NamedTuple):
    """A tile, and the hotel that it founds or that survives its merger.

    ``equals`` are the acquired hotels of equal size in the order in which the placer wants them
    dealt with; empty for the alphabetical one.
    """

    tile: Tile
    hotel: int | None = None
    equals: tuple[int, ...] = ()


def kind_of(board: Board, tile: Tile) -> Kind:
    """Return what placing ``tile`` on a free cell does, were it allowed."""
    if board.joining >> tile & 1:
        return Kind.MERGING
    if board.beside >> tile & 1:
        return Kind.GROWING
    if NEIGHBOURS[tile] & board.loose and 0 in board.sizes:
        return Kind.FOUNDING
    return Kind.SINGLETON


def playable(state: State) -> Mask:
    """Return the tiles of the mover's hand that may be placed now."""
    return state.players[0].hand & ~state.board.unplayable


def largest_of(board: Board, hotels: list[int]) -> list[int]:
    """Return those of ``hotels`` that no other of them exceeds in size, alphabetically."""
    most = max([board.sizes[hotel] for hotel in hotels])
    return [hotel for hotel in hotels if board.sizes[hotel] == most]


def hotel_choices(board: Board, tile: Tile) -> list[int | None]:
    """Return the hotels of which a placement of ``tile`` names one, ``[None]`` if it names none.

    Founding: the hotels not on the board. Merging: the largest of those that the tile touches.
    """
    if board.joining >> tile & 1:
        return [*largest_of(board, board.touched(tile))]
    if board.beside >> tile & 1 or not NEIGHBOURS[tile] & board.loose:
        return [None]
    return [index for index, size in enumerate(board.sizes) if not size] or [None]


def equal_acquired(board: Board, tile: Tile, survivor: int) -> list[int]:
    """Return the acquired hotels of a merger that are equal in size, alphabetically.

    At most three are acquired, so there is at most one such group.
    """
    acquired = [hotel for hotel in board.touched(tile) if hotel != survivor]
    if len(acquired) < 2:
        return []
    sizes = [board.sizes[hotel] for hotel in acquired]
    return [hotel for hotel, size in zip(acquired, sizes, strict=True) if sizes.count(size) > 1]


def equals_choices(
    rulebook: Rulebook, board: Board, tile: Tile, hotel: int | None
) -> list[tuple[int, ...]]:
    """Return what a placement's ``equals`` can be: ``()``, and every order but that one."""
    if (
        rulebook.equal_acquired is EqualAcquired.ALPHABETICAL
        or hotel is None
        or not board.joining >> tile & 1
        or len(equals := equal_acquired(board, tile, hotel)) < 2
    ):
        return [()]
    return [(), *list(permutations(equals))[1:]]


def legal_placements(state: State) -> list[Placement]:
    """List every placement that the mover may make, tile by tile, hotels in alphabetical order.

    One that names equal hotels in alphabetical order is left out: it is the one that names none.
    """
    rulebook, board = state.rulebook, state.board
    return [
        Placement(tile, hotel, equals)
        for tile in tiles_in(playable(state))
        for hotel in hotel_choices(board, tile)
        for equals in equals_choices(rulebook, board, tile, hotel)
    ]


def verify_placement(state: State, placement: Placement) -> Illegal | None:
    """Say which rule the mover's placement breaks, or ``None`` when it is legal."""
    tile = placement.tile
    board, rulebook = state.board, state.rulebook
    if not state.players[0].hand >> tile & 1:
        hand = " ".join(map(tile_name, tiles_in(state.players[0].hand))) or "empty"
        return Illegal(
            Violation.NOT_IN_HAND, f"Tile {tile_name(tile)} is not in the hand ({hand})."
        )
    if board.unplayable >> tile & 1:
        return _why_unplayable(rulebook, board, tile)
    return verify_hotels(rulebook, board, placement)


def verify_hotels(rulebook: Rulebook, board: Board, placement: Placement) -> Illegal | None:
    """Say what is wrong with the hotels that a placement names, wherever its tile comes from."""
    tile, hotel, equals = placement
    choices = hotel_choices(board, tile)
    if hotel not in choices:
        return _why_not_hotel(rulebook, board, placement, choices)
    if not equals:
        return None
    due: list[int] = []
    if hotel is not None and rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS:
        due = equal_acquired(board, tile, hotel)
    if due and sorted(equals) == due:
        return None
    named, name = _names(rulebook, equals, "and"), tile_name(tile)
    if kind_of(board, tile) is not Kind.MERGING:
        detail = f"Tile {name} founds one hotel, and {named} is named after it."
    elif due:
        detail = f"After the survivor {named} stands; it can be {_names(rulebook, due, 'and')}."
    else:
        detail = f"After the survivor {named} stands, and no acquired hotels are equal in size."
    return Illegal(Violation.WRONG_EQUALS, detail)


def _why_unplayable(rulebook: Rulebook, board: Board, tile: Tile) -> Illegal:
    name, touched = tile_name(tile), board.touched(tile)
    if board.occupied >> tile & 1:
        raise BrokenRule(f"{name} is in a hand and on the board at once")
    safe = [hotel for hotel in touched if board.size(hotel) >= rulebook.safe_size]
    any_safe = rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE
    if len(touched) > 1 and len(safe) >= (1 if any_safe else 2):
        return Illegal(
            Violation.SAFE_MERGER if any_safe else Violation.TWO_SAFE,
            f"Tile {name} would merge {_names(rulebook, touched, 'and')}, of which "
            f"{_names(rulebook, safe, 'and')} {'is' if len(safe) == 1 else 'are'} safe.",
        )
    if touched and rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        return Illegal(
            Violation.BESIDE_LOOSE,
            f"Tile {name} touches {_names(rulebook, touched, 'and')} and an unincorporated tile.",
        )
    assert rulebook.eighth_hotel is EighthHotel.REFUSED, f"{name} is unplayable for no reason"
    return Illegal(
        Violation.EIGHTH_HOTEL, f"Tile {name} would found a hotel while all are on the board."
    )


def _why_not_hotel(
    rulebook: Rulebook, board: Board, placement: Placement, choices: list[int | None]
) -> Illegal:
    tile, hotel, _ = placement
    name = tile_name(tile)
    choice = _names(rulebook, [index for index in choices if index is not None])
    kind = kind_of(board, tile)
    if hotel is None:
        does = "founds a hotel" if kind is Kind.FOUNDING else "merges hotels"
        return Illegal(Violation.NO_HOTEL_NAMED, f"Tile {name} {does}; the hotel can be {choice}.")
    named = rulebook.hotel_name(hotel)
    if kind is Kind.FOUNDING:
        return Illegal(Violation.HOTEL_ON_BOARD, f"{named} is on the board; it can be {choice}.")
    if kind is not Kind.MERGING:
        return Illegal(
            Violation.HOTEL_NOT_DUE, f"Tile {name} founds and merges nothing, yet names {named}."
        )
    if hotel not in board.touched(tile):
        return Illegal(
            Violation.NOT_INVOLVED, f"Tile {name} does not touch {named}; it can be {choice}."
        )
    return Illegal(Violation.NOT_LARGEST, f"{named} is not the largest; it can be {choice}.")


def verify_no_placement(state: State) -> Illegal | None:
    """Say that the mover has to place a tile, or ``None`` when none can be placed."""
    if not (tiles := playable(state)):
        return None
    names = " ".join(map(tile_name, tiles_in(tiles)))
    return Illegal(Violation.PLACEMENT_DUE, f"No tile was placed; it can be {names}.")


def _names(rulebook: Rulebook, hotels: Sequence[int], joined: str = "or") -> str:
    names = [rulebook.hotel_name(hotel) for hotel in hotels]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joined} {names[-1]}"


def place(state: State, placement: Placement) -> State:
    """Carry out a legal placement that merges nothing, and return the position after it.

    The founder of a hotel receives one free certificate if the bank has one.
    """
    tile, hotel, _ = placement
    rulebook, board, (mover, *others), bank, bag, aside, idle = state
    bit = 1 << tile
    name, cash, shares, hand = mover
    if hotel is not None:
        if board.beside & bit or board.sizes[hotel]:
            raise BrokenRule(f"{tile_name(tile)} founds no hotel here")
        board = with_more(rulebook, board, hotel, connected(bit, board.loose))
        if bank[hotel]:
            bank = add(bank, hotel, -1)
            shares = add(shares, hotel, 1)
    else:
        board = with_tile(rulebook, board, tile)
    mover = new(Player, (name, cash, shares, hand & ~bit))
    return new(State, (rulebook, board, (mover, *others), bank, bag, aside, idle))


def with_tile(rulebook: Rulebook, board: Board, tile: Tile) -> Board:
    """Return the board with a tile that founds and merges nothing: it stays loose, or a hotel
    grows by it and by the loose tiles that it connects.
    """
    bit = 1 << tile
    if not board.beside & bit:
        return with_loose(rulebook, board, bit)
    (grown,) = board.touched(tile)
    if NEIGHBOURS[tile] & board.loose:
        bit = connected(bit, board.loose)
    return with_more(rulebook, board, grown, bit)
