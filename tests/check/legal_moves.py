"""What is legal in the positions of cases, and what is wrong with other moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from acquire.admin.testing.cases.position_text import hotels
from acquire.game.merger import merge
from acquire.game.placement import (
    Kind,
    Placement,
    kind_of,
    legal_placements,
    place,
    verify_placement,
)
from acquire.game.purchase import Order, legal_orders, verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.state import State
from acquire.game.tiles import tile_name, tiles_in
from acquire.game.violation import Violation


def hand(state: State) -> list[str]:
    """The mover's tiles, row by row."""
    return [tile_name(tile) for tile in tiles_in(state.mover.hand)]


def placeable(state: State) -> list[str]:
    """The tiles that the mover may place, row by row."""
    return list(dict.fromkeys(tile_name(each.tile) for each in legal_placements(state)))


def kinds(state: State) -> set[Kind]:
    """What the legal placements do."""
    return {kind_of(state.board, placement.tile) for placement in legal_placements(state)}


class Choice(NamedTuple):
    """A legal placement and the position in which its order is given."""

    placement: Placement
    ordering: State


def choices(state: State) -> Iterator[Choice]:
    """Each legal placement; in a merger all certificates are kept."""
    for placement in legal_placements(state):
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            yield Choice(placement, merge(state, placement).state)
        else:
            yield Choice(placement, place(state, placement))


def orders(state: State) -> set[Order]:
    """All orders that are legal after some legal placement."""
    return {order for _, ordering in choices(state) for order in legal_orders(ordering)}


def letters(rulebook: Rulebook, *wanted: str) -> set[Order]:
    """Orders by the letters of drawings: ``"SS"`` is two certificates of S."""
    index = hotels(rulebook)
    return {tuple(sorted(index[letter] for letter in order)) for order in wanted}


def order_violations(state: State, order: Order) -> set[Violation | None]:
    """What is wrong with an order after each legal placement; ``None`` where nothing is."""
    found = [verify_order(ordering, order) for _, ordering in choices(state)]
    return {illegal and illegal.violation for illegal in found}


def placement_violations(
    state: State, hotel: int | None, only: Callable[[int], bool] = lambda tile: True
) -> set[Violation | None]:
    """What is wrong with placing each tile of the hand and naming ``hotel``."""
    found = [
        verify_placement(state, Placement(tile, hotel))
        for tile in tiles_in(state.mover.hand)
        if only(tile)
    ]
    return {illegal and illegal.violation for illegal in found}
