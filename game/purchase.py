"""Ordering certificates from the bank, after the placement and with the money that it brought.

Rule texts: "Acquire, Revised", Play, step 2, and the first of the answers at its end: any hotel
that has a price at its present size can be bought, on the board or not; "Buying stock" in the
others, by whose tables no hotel has a price off the board.
"""

from typing import TypeAlias

from game.state import Player, State
from game.tuples import new
from game.violation import Illegal, Violation

Order: TypeAlias = tuple[int, ...]
"""The hotels of which the mover buys one certificate each; a hotel may stand more than once."""


def cost(state: State, order: Order) -> int:
    """Return what an order costs in dollars."""
    return sum(state.price(hotel) for hotel in order)


def verify_order(state: State, order: Order) -> Illegal | None:
    """Say which rule the mover's order breaks, or ``None`` when it is legal."""
    if not order:
        return None
    rulebook, board, players, bank, _, _, _ = state
    if len(order) > rulebook.order_limit:
        return Illegal(
            Violation.TOO_MANY,
            f"{len(order)} certificates ordered, {rulebook.order_limit} are allowed.",
        )
    hotels = set(order)
    if len(hotels) > 1 and not rulebook.mixed_orders:
        names = " and ".join(map(rulebook.hotel_name, sorted(hotels)))
        return Illegal(Violation.MIXED_ORDER, f"The order is for {names}.")
    due = 0
    for hotel in hotels:
        size = board.sizes[hotel]
        price = rulebook.prices[hotel][size]
        if not price:
            name = rulebook.hotel_name(hotel)
            return Illegal(Violation.NO_PRICE, f"{name} has no price at size {size}.")
        count = order.count(hotel)
        if count > (left := bank[hotel]):
            name = rulebook.hotel_name(hotel)
            return Illegal(
                Violation.SOLD_OUT, f"{count} of {name} ordered, the bank has {left or 'none'}."
            )
        due += count * price
    if due > (cash := players[0].cash):
        return Illegal(Violation.TOO_DEAR, f"The order costs {due}, the player has {cash}.")
    return None


def legal_orders(state: State) -> list[Order]:
    """List every order that the mover may give, the empty one first, hotels alphabetically.

    For a rulebook whose orders are of one hotel: ``()``, ``(0,)``, ``(0, 0)``, ``(1,)`` ..
    """
    if state.rulebook.mixed_orders:
        return _mixed_orders(state)
    orders: list[Order] = [()]
    cash, bank, limit = state.players[0].cash, state.bank, state.rulebook.order_limit
    sizes, prices = state.board.sizes, state.rulebook.prices
    for hotel, left in enumerate(bank):
        price = prices[hotel][sizes[hotel]]
        if price:
            most = min(cash // price, left, limit)
            orders += [(hotel,) * count for count in range(1, most + 1)]
    return orders


def _mixed_orders(state: State) -> list[Order]:
    cash, bank, limit = state.players[0].cash, state.bank, state.rulebook.order_limit
    sizes, prices = state.board.sizes, state.rulebook.prices
    orders: list[tuple[Order, int]] = [((), cash)]
    for hotel, left in enumerate(bank):
        price = prices[hotel][sizes[hotel]]
        if price and left:
            orders += [
                (order + (hotel,) * count, money - count * price)
                for order, money in orders
                for count in range(1, min(money // price, left, limit - len(order)) + 1)
            ]
    return sorted([order for order, _ in orders])


def buy(state: State, order: Order) -> State:
    """Carry out a legal order and return the position after it."""
    if not order:
        return state
    rulebook, board, (mover, *others), bank, bag, aside, idle = state
    name, cash, shares, hand = mover
    sizes, prices = board.sizes, rulebook.prices
    left, held = list(bank), list(shares)
    for hotel in order:
        cash -= prices[hotel][sizes[hotel]]
        left[hotel] -= 1
        held[hotel] += 1
    mover = new(Player, (name, cash, tuple(held), hand))
    return new(State, (rulebook, board, (mover, *others), tuple(left), bag, aside, idle))
