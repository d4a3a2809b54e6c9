"""Illegal placements: which tile was misread, which neighbour overlooked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ....game.board import Board
from ....game.placement import Kind, Placement, hotel_choices, kind_of, playable, verify_placement
from ....game.rulebook import ForbiddenMerger, Hands, Rulebook
from ....game.state import State
from ....game.tiles import (
    COLUMNS,
    NEIGHBOURS,
    ROWS,
    STRIDE,
    Mask,
    Tile,
    column_of,
    row_of,
    tile_name,
    tiles_in,
)
from ....game.violation import Violation
from ....protocol.faults import Diagnosis

ROW_ADVICE = f"Row {ROWS[0]} is the first, row {ROWS[-1]} the last."
LOOK = "Look at all four neighbours; in the first and last row and column a tile has fewer."
READ_BOARD = "Read the board of each <turn>."
COUNTED = "Columns are counted from 1, and row A is the first."
MISREADINGS: tuple[tuple[str, str, Callable[[int, int], set[tuple[int, int]]]], ...] = (
    (
        "only one digit of its column",
        "Columns are 1 to 12: read both digits.",
        lambda column, row: {(column // 10, row), (column % 10, row)},
    ),
    (
        "row and column exchanged",
        "The column is the number, the row the letter.",
        lambda column, row: {(row, column)},
    ),
    (
        "its row counted from the other end",
        ROW_ADVICE,
        lambda column, row: {(column, len(ROWS) + 1 - row)},
    ),
    ("its row off by one", COUNTED, lambda column, row: {(column, row - 1), (column, row + 1)}),
    ("its column off by one", COUNTED, lambda column, row: {(column - 1, row), (column + 1, row)}),
)
"""How a tile is misread, what to do, and what becomes of a column and a row, counted from 1."""
_SIDES = {-STRIDE: "above", -1: "to the left of", 1: "to the right of", STRIDE: "below"}


def of_placement(
    state: State,
    placement: Placement,
    violation: Violation,
    begun: Sequence[State] = (),
    *,
    alone: bool,
) -> Diagnosis | None:
    """Return the mistake behind a placement by the mover, if one is recognised.

    ``begun`` are the positions in which the turns of the game began, with this turn. ``alone`` is
    whether it was sent without an order, as for a merger.
    """
    if violation is Violation.NOT_IN_HAND:
        return of_readings(placement.tile, readings(state, placement.tile, begun))
    found = _of_rule(state, placement, violation, alone=alone)
    if found and any(
        fits(state, each.board, placement, alone=alone)
        for each in begun
        if each.mover.name == state.mover.name
    ):
        cause = f"{found.cause[:-1]}; or the board is that of an earlier turn."
        return Diagnosis(cause, f"{found.advice} {READ_BOARD}")
    return found


def fits(state: State, board: Board, placement: Placement, *, alone: bool) -> bool:
    """Whether a placement would be legal on another board, sent with or without an order."""
    there = state._replace(board=board)
    merges = kind_of(board, placement.tile) is Kind.MERGING
    return merges == alone and verify_placement(there, placement) is None


def _of_rule(
    state: State, placement: Placement, violation: Violation, *, alone: bool
) -> Diagnosis | None:
    tile, hotel = placement.tile, placement.hotel
    founds = hotel is not None and not state.board.size(hotel)
    match violation:
        case Violation.BESIDE_LOOSE | Violation.SAFE_MERGER | Violation.TWO_SAFE if founds:
            return _hotels_unseen(state, tile)
        case Violation.BESIDE_LOOSE:
            return _beside_loose(state, tile)
        case Violation.SAFE_MERGER | Violation.TWO_SAFE if hotel is None and not alone:
            return _merger_unseen(state, tile)
        case Violation.SAFE_MERGER | Violation.TWO_SAFE:
            return _safe(state, tile, as_merger=alone and hotel is not None)
        case Violation.NO_HOTEL_NAMED:
            return _unnamed(state, tile)
        case Violation.HOTEL_NOT_DUE:
            return _not_due(state, tile)
        case Violation.NOT_LARGEST if hotel is not None:
            return _not_largest(state, tile, hotel)
        case Violation.HOTEL_ON_BOARD if hotel is not None:
            return _on_board(state, tile, hotel)
        case Violation.MERGER_WITH_ORDER:
            return Diagnosis(
                f"Tile {tile_name(tile)} merges {_touched(state, tile)}, but came with an order.",
                "Send its <placement> alone: the order is asked for by <players>, later.",
            )
        case Violation.NOT_A_MERGER:
            return Diagnosis(
                f"Tile {tile_name(tile)} merges no hotels, but its <placement> was sent alone.",
                "Send it in a <pbuy>, with an <order> (<order/> for nothing).",
            )
    return None


def effect_of(state: State, tile: Tile) -> str:
    """Return what a tile does on the board, with the sizes of hotels, as a clause."""
    board, name = state.board, state.rulebook.hotel_name
    sizes = [f"{name(hotel)} ({board.size(hotel)})" for hotel in board.touched(tile)]
    return {
        Kind.SINGLETON: "it stays unincorporated",
        Kind.FOUNDING: "it founds a hotel",
        Kind.GROWING: f"{' '.join(sizes)} grows",
        Kind.MERGING: f"it merges {' and '.join(sizes)}",
    }[kind_of(board, tile)]


def of_no_placement(state: State) -> Diagnosis | None:
    """Return which tile was taken for one that cannot be placed, if there is one."""
    for tile in tiles_in(playable(state)):
        return Diagnosis(
            f"No tile was placed, but {tile_name(tile)} can be: {effect_of(state, tile)}.",
            f"A tile that can be placed has to be. {_allowed(state, tile)}",
        )
    return None


def rule_of_safety(rulebook: Rulebook) -> str:
    """Return which mergers are forbidden because hotels are safe, as a clause."""
    size = rulebook.safe_size
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        return f"a hotel is safe from {size} tiles on"
    return f"a hotel of {size} tiles or more may acquire smaller ones; two such hotels cannot merge"


def _allowed(state: State, tile: Tile) -> str:
    """Return why a tile can be placed that was taken for one that cannot, in sentences."""
    rule, kind = rule_of_safety(state.rulebook), kind_of(state.board, tile)
    parts = [f"{rule[0].upper()}{rule[1:]}."] if kind is Kind.MERGING else []
    if kind is Kind.SINGLETON and NEIGHBOURS[tile] & state.board.loose:
        parts = ["With all hotels on the board, nothing is founded beside an unincorporated tile."]
    elif kind is not Kind.FOUNDING and NEIGHBOURS[tile] & state.board.loose:
        parts.append("The hotel takes in the unincorporated tiles that the tile connects.")
    return " ".join(parts) or f"Take the tiles of the <player> whose name is {state.mover.name!r}."


# -- the tile -----------------------------------------------------------------------------------


class Reading(NamedTuple):
    """What a tile that is not in the hand may have been meant for, and what to do."""

    how: str  # the same for every tile that is misread in this way
    cause: str
    advice: str


def readings(state: State, tile: Tile, begun: Sequence[State] = ()) -> list[Reading]:
    """Return what the mover may have meant by a tile that it does not hold, the likeliest first.

    ``begun`` is as in :func:`of_placement`.
    """
    mover, found = state.mover, []
    own = (each.mover for each in begun if each.mover.name == mover.name)
    if any(each.hand >> tile & 1 for each in own):
        found.append(
            Reading(
                "old",
                "from an earlier hand of the player",
                "Take the hand from the <turn> being answered: without the tile that was placed, "
                "with the one that was drawn.",
            )
        )
    sent = column_of(tile), ROWS.index(row_of(tile)) + 1
    for how, advice, misread in MISREADINGS:
        meant = [
            tile_name(held)
            for held in tiles_in(mover.hand)
            if sent in misread(column_of(held), ROWS.index(row_of(held)) + 1)
        ]
        if meant:
            found.append(Reading(how, f"{' or '.join(meant)}, with {how}", advice))
    for player in state.players[1:]:
        if player.hand >> tile & 1 and state.rulebook.hands is Hands.OPEN:
            advice = f"Take the tiles of the <player> whose name is {mover.name!r}."
            found.append(Reading("other", f"from the hand of {player.name!r}", advice))
    return found


def of_readings(tile: Tile, found: Sequence[Reading]) -> Diagnosis | None:
    """Return the mistake behind a tile that is not in the hand: any of these, if there are any."""
    if not found:
        return None
    causes = ", or ".join(each.cause for each in found)
    advice = dict.fromkeys(each.advice for each in found)
    return Diagnosis(f"Tile {tile_name(tile)} seems to be {causes}.", " ".join(advice))


# -- its neighbours -----------------------------------------------------------------------------


def _beside_loose(state: State, tile: Tile) -> Diagnosis:
    loose = tiles_in(NEIGHBOURS[tile] & state.board.loose)
    where = _beside(tile, loose[0])
    return Diagnosis(
        f"The unincorporated tile {where} is overlooked: {tile_name(tile)} would touch it and "
        f"{_touched(state, tile)}.",
        "Look at all four neighbours; hotels do not absorb such tiles.",
    )


def _hotels_beside(state: State, tile: Tile) -> str:
    """Return the hotels that a tile touches and where: ``Tower (above 3B)``."""
    parts = []
    for hotel in state.board.touched(tile):
        first, *_ = tiles_in(NEIGHBOURS[tile] & state.board.hotels[hotel])
        side = f"{_SIDES[first - tile]} {tile_name(tile)}"
        parts.append(f"{state.rulebook.hotel_name(hotel)} ({side})")
    return " and ".join(parts)


def _hotels_unseen(state: State, tile: Tile) -> Diagnosis:
    are = "are" if len(state.board.touched(tile)) > 1 else "is"
    return Diagnosis(
        f"{_hotels_beside(state, tile)} {are} overlooked: tile {tile_name(tile)} was placed as if "
        "it founded a hotel.",
        LOOK,
    )


def _merger_unseen(state: State, tile: Tile) -> Diagnosis:
    return Diagnosis(
        f"Tile {tile_name(tile)} was placed as if it merged nothing, but it touches "
        f"{_hotels_beside(state, tile)}: at least one is overlooked.",
        LOOK,
    )


def _safe(state: State, tile: Tile, *, as_merger: bool) -> Diagnosis:
    board, safe_size, name = state.board, state.rulebook.safe_size, state.rulebook.hotel_name
    safe = [hotel for hotel in board.touched(tile) if board.size(hotel) >= safe_size]
    just = [hotel for hotel in safe if board.size(hotel) == safe_size]
    if just and as_merger:
        return Diagnosis(
            f"{name(just[0])} has exactly {safe_size} tiles and so is safe, but "
            f"{tile_name(tile)} would merge it.",
            f"Before a merger, test size >= {safe_size}; size > {safe_size} overlooks this one.",
        )
    which = " and ".join(map(name, safe))
    return Diagnosis(
        f"Tile {tile_name(tile)} would merge {_touched(state, tile)}, of which {which} "
        f"{'is' if len(safe) == 1 else 'are'} safe.",
        f"Do not place a tile that merges {'a safe hotel' if len(safe) == 1 else 'safe hotels'}: "
        f"one of {safe_size} tiles or more.",
    )


def _unnamed(state: State, tile: Tile) -> Diagnosis:
    name, choice = tile_name(tile), _choice(state, tile)
    if kind_of(state.board, tile) is Kind.MERGING:
        return Diagnosis(
            f"Tile {name} merges {_touched(state, tile)}, but no survivor is named.",
            f"Put the survivor into <placement>: {choice}.",
        )
    loose = tiles_in(NEIGHBOURS[tile] & state.board.loose)
    return Diagnosis(
        f"Tile {name} founds a hotel with {_beside(tile, loose[0])}, but none is named.",
        f"Put a hotel that is not on the board into <placement>: {choice}.",
    )


def _no_neighbour(on_board: Mask, tile: Tile) -> str:
    """Return what was perhaps taken for a neighbour of a tile that has none, in brackets."""
    column = tile % STRIDE
    across = tile + {0: -2, COLUMNS - 1: 2}.get(column, 0)
    if across in tiles_in(on_board):
        return f" ({tile_name(across)} is next to it row by row only, at the other edge)"
    diagonal = {tile + side for side in (STRIDE - 1, STRIDE + 1, -STRIDE - 1, 1 - STRIDE)}
    return " (diagonal neighbours do not count)" if diagonal & {*tiles_in(on_board)} else ""


def _not_due(state: State, tile: Tile) -> Diagnosis:
    name, touched = tile_name(tile), state.board.touched(tile)
    if not touched:
        around = (
            "all hotels are on the board"
            if NEIGHBOURS[tile] & state.board.loose
            else f"it touches no other tile{_no_neighbour(state.board.occupied, tile)}"
        )
        return Diagnosis(
            f"Tile {name} founds nothing, but a hotel is named: {around}.",
            "Leave <hotel/> out of <placement>.",
        )
    hotel = touched[0]
    sides = (NEIGHBOURS[tile] & state.board.hotels[hotel]).bit_count()
    grown = state.rulebook.hotel_name(hotel)
    again = f", which it touches on {sides} sides" if sides > 1 else ""
    return Diagnosis(
        f"Tile {name} only makes {grown} grow{again}, but a hotel is named.",
        "Leave <hotel/> out of <placement>: a name is for founding and mergers.",
    )


def _not_largest(state: State, tile: Tile, hotel: int) -> Diagnosis:
    sizes = {each: state.board.size(each) for each in state.board.touched(tile)}
    largest = max(sizes, key=lambda each: sizes[each])
    named, larger = state.rulebook.hotel_name(hotel), state.rulebook.hotel_name(largest)
    dearer = state.price(hotel) > state.price(largest)
    as_text = str(sizes[hotel]) == max(map(str, sizes.values()))
    theories = ["first in the alphabet"] * (hotel == min(sizes)) + ["dearer"] * dearer
    theories += ["largest if compared as text"] * as_text
    though = f", though {' and '.join(theories)}" if theories else ""
    convert = " Convert sizes to numbers before you compare or sort them." if as_text else ""
    return Diagnosis(
        f"{named} cannot survive: it has {sizes[hotel]} tiles{though}; {larger} has "
        f"{sizes[largest]}.",
        f"Name the largest hotel: {_choice(state, tile)}.{convert}",
    )


def _on_board(state: State, tile: Tile, hotel: int) -> Diagnosis:
    return Diagnosis(
        f"{state.rulebook.hotel_name(hotel)} is already on the board, with "
        f"{state.board.size(hotel)} tiles, and cannot be founded by {tile_name(tile)}.",
        f"Name a hotel that is not on the board: {_choice(state, tile)}.",
    )


def _touched(state: State, tile: Tile) -> str:
    names = [state.rulebook.hotel_name(hotel) for hotel in state.board.touched(tile)]
    return " and ".join(names)


def _choice(state: State, tile: Tile) -> str:
    choices = [hotel for hotel in hotel_choices(state.board, tile) if hotel is not None]
    *first, last = map(state.rulebook.hotel_name, choices)
    return f"{', '.join(first)} or {last}" if first else last


def _beside(tile: Tile, neighbour: Tile) -> str:
    """Return a neighbour and where it lies: ``3C (below 3B)``."""
    edge = ""
    if column_of(neighbour) in (1, COLUMNS):
        edge = f", in column {column_of(neighbour)}"
    elif row_of(neighbour) in (ROWS[0], ROWS[-1]):
        edge = f", in row {row_of(neighbour)}"
    return f"{tile_name(neighbour)} ({_SIDES[neighbour - tile]} {tile_name(tile)}{edge})"
