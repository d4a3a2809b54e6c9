"""What is legal in the positions of cases."""

from __future__ import annotations

from collections.abc import Iterator

from acquire.game.merger import merge
from acquire.game.placement import Kind, kind_of, legal_placements, place
from acquire.game.purchase import Order, legal_orders
from acquire.game.state import State


def orderings(state: State) -> Iterator[State]:
    """The positions after each legal placement; in a merger all certificates are kept."""
    for placement in legal_placements(state):
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            yield merge(state, placement).state
        else:
            yield place(state, placement)


def orders(state: State) -> set[Order]:
    """All orders that are legal after some legal placement."""
    return {order for ordering in orderings(state) for order in legal_orders(ordering)}
