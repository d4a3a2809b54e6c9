"""Ordering certificates from the bank, after the placement and any bonuses it earned.

Rule texts: "Acquire, Revised", Play, step 2, and the first of the answers at its end: certificates
of any hotel that has a price at its current size can be bought, on the board or not; "Buying stock"
in the others, whose tables give no hotel a price off the board.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TypeAlias

from .state import Player, State
from .violation import Illegal, Violation

Order: TypeAlias = tuple[int, ...]
"""The hotels of which the mover buys one certificate each; a hotel can be listed repeatedly."""


def cost(state: State, order: Order) -> int:
    """Return what an order costs in dollars."""
    return sum(map(state.price, order))


def verify_order(state: State, order: Order) -> Illegal | None:
    """Return which rule the mover's order breaks, or ``None`` if it is legal.

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA.TTT", ["ann $800"])
    >>> verify_order(state, (0, 5))
    >>> print(verify_order(state, (0, 0, 5)))
    The order costs $1,100; the player has $800. An order cannot cost more than the player has.
    >>> print(verify_order(state, (1,)).detail)
    Continental has no price at size 0.
    """
    if not order:
        return None
    rulebook, board, bank = state.rulebook, state.board, state.bank
    if len(order) > rulebook.order_limit:
        return Illegal(
            Violation.TOO_MANY,
            f"{len(order)} certificates ordered; {rulebook.order_limit} are allowed.",
        )
    hotels = order if len(order) < 2 else sorted(order)
    if hotels[0] != hotels[-1] and not rulebook.mixed_orders:
        names = " and ".join(map(rulebook.hotel_name, sorted(set(order))))
        return Illegal(Violation.MIXED_ORDER, f"The order is for {names}.")
    due = 0
    for hotel in hotels:
        size = board.sizes[hotel]
        price = rulebook.prices[hotel][size]
        if not price:
            name = rulebook.hotel_name(hotel)
            return Illegal(Violation.NO_PRICE, f"{name} has no price at size {size}.")
        if len(order) > (left := bank[hotel]) and (count := order.count(hotel)) > left:
            name = rulebook.hotel_name(hotel)
            return Illegal(
                Violation.SOLD_OUT, f"{count} {name} ordered; the bank has {left or 'none'}."
            )
        due += price
    if due > (cash := state.players[0].cash):
        detail = f"The order costs ${due:,}; the player has ${cash:,}."
        return Illegal(Violation.TOO_DEAR, detail)
    return None


def legal_orders(state: State) -> list[Order]:
    """List every legal order, the empty one first, hotels in alphabetical order.

    >>> from acquire import CLASSIC, REVISED, parse_position
    >>> legal_orders(parse_position(CLASSIC, "AA.SSS", ["ann $600"]))
    [(), (0,), (0, 0), (0, 4), (4,), (4, 4)]

    In ``revised`` medium and expensive hotels can be bought before they are on the board, but only
    one hotel a turn:

    >>> legal_orders(parse_position(REVISED, "SSS", ["ann $300"]))
    [(), (0,), (1,), (2,), (3,), (4,), (5,)]
    """
    counts = range(state.rulebook.order_limit + 1)
    return sorted([order for count in counts for order in legal_orders_of(state, count)])


def legal_orders_of(state: State, count: int) -> list[Order]:
    """List every legal order of ``count`` certificates, hotels in alphabetical order."""
    if not count:
        return [()]
    bank, cash = state.bank, state.players[0].cash
    sizes = state.board.sizes
    prices = [table[size] for table, size in zip(state.rulebook.prices, sizes, strict=True)]
    if not state.rulebook.mixed_orders:
        return [
            (hotel,) * count
            for hotel, price in enumerate(prices)
            if 0 < price * count <= cash and bank[hotel] >= count
        ]
    hotels = [hotel for hotel, price in enumerate(prices) if 0 < price <= cash and bank[hotel]]
    orders = list(combinations_with_replacement(hotels, count))
    if hotels and count * max([prices[h] for h in hotels]) > cash:
        orders = [order for order in orders if sum([prices[h] for h in order]) <= cash]
    for hotel in hotels:
        if bank[hotel] < count:
            orders = [order for order in orders if order.count(hotel) <= bank[hotel]]
    return orders


def buy(state: State, order: Order) -> State:
    """Return the position after a legal order."""
    if not order:
        return state
    mover = state.players[0]
    sizes, prices = state.board.sizes, state.rulebook.prices
    cash, left, held = mover.cash, list(state.bank), list(mover.shares)
    for hotel in order:
        cash -= prices[hotel][sizes[hotel]]
        left[hotel] -= 1
        held[hotel] += 1
    mover = Player(mover.name, cash, tuple(held), mover.hand)
    return state.with_players((mover, *state.players[1:]), tuple(left))
