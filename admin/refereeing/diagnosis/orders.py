"""Illegal orders and answers to ``keep``: which price, bank or number was miscounted."""

from collections.abc import Sequence

from ....game.purchase import Order
from ....game.state import State
from ....game.violation import Violation
from ....protocol.faults import Diagnosis


def of_order(state: State, begun: State, order: Order, violation: Violation) -> Diagnosis | None:
    """Return the mistake behind an order, if one is recognised.

    ``begun`` is the position at the start of the turn, before the tile was placed; after a merger
    it is ``state`` itself, as nobody was asked in between.
    """
    if not order:
        return None
    match violation:
        case Violation.TOO_DEAR:
            return _too_dear(state, begun, order)
        case Violation.SOLD_OUT:
            return _sold_out(state, begun, order)
        case Violation.NO_PRICE:
            return _no_price(state, order)
        case Violation.MIXED_ORDER:
            return Diagnosis(
                "The order is for several hotels, which this rulebook does not allow.",
                "Order certificates of one hotel in a turn.",
            )
    return None


def of_keep(asked: Sequence[int], decisions: int, held: Sequence[int]) -> Diagnosis | None:
    """Return why an answer to ``keep`` has too few or too many decisions.

    ``asked`` are the hotels of the question, ``held`` the player's certificates of every hotel.
    """
    number = f"{len(asked)} {'hotels were' if len(asked) != 1 else 'hotel was'} asked about"
    advice = "Write one <true/> or <false/> for each <hotel/> in <keep>, in the same order."
    owned = sum(1 for hotel in asked if held[hotel])
    if decisions == owned:
        cause = f"<keep> answers only for hotels of which certificates are held: {number}."
    elif decisions == len(held):
        cause = f"<keep> answers for all {len(held)} hotels of the game: {number}."
    elif decisions == len(asked) + 1:
        cause = f"<keep> has one answer too many, as if the survivor counted: {number}."
    else:
        cause = f"<keep> has {decisions} answer{'' if decisions == 1 else 's'}, but {number}."
    return Diagnosis(cause, advice)


# -- prices -------------------------------------------------------------------------------------


def _too_dear(state: State, begun: State, order: Order) -> Diagnosis | None:
    cash, prices = state.mover.cash, [state.price(hotel) for hotel in order]
    cost = sum(prices)
    costs = f"The order costs ${cost:,} and the player has ${cash:,}"
    found = _wrong_price(state, begun, order, costs)
    if str(cost) < str(cash):  # though the number is larger
        wrong = "the two were compared as text", "Convert them to numbers before you compare them."
        found = _or_else(found, costs, *wrong)
    if found and len(set(order)) == 1 and cost - cash <= prices[0] / 2:
        wrong = "the number of certificates was rounded up", "Round it down."
        found = _or_else(found, costs, *wrong)
    return found  # without one, the rule's own sentence has both figures


def _or_else(found: Diagnosis | None, costs: str, cause: str, advice: str) -> Diagnosis:
    """Add a second cause to what was found, or give it alone."""
    if found is None:
        return Diagnosis(f"{costs}: {cause}.", advice)
    return Diagnosis(f"{found.cause.removesuffix('.')}, or {cause}.", f"{found.advice} {advice}")


def _wrong_price(state: State, begun: State, order: Order, costs: str) -> Diagnosis | None:
    """Recognise the price of another size or hotel, or of one certificate instead of all."""
    alike = len(set(order)) == 1
    if alike and (found := _price_at_another_size(state, begun, order, costs)):
        return found
    if len(order) > 1 and min(map(state.price, order)) <= state.mover.cash:
        return Diagnosis(
            f"{costs}, enough for fewer than {len(order)} certificates.",
            "Compare the cash with the price of the whole order, not of one certificate.",
        )
    return _price_off_by_one(state, order, costs) if alike else None


def _fits(state: State, order: Order, price: int) -> bool:
    """Whether an order for one hotel would be right if its certificates had a lower price."""
    return 0 < price < state.price(order[0]) and price * len(order) <= state.mover.cash


def _price_at_another_size(
    state: State, begun: State, order: Order, costs: str
) -> Diagnosis | None:
    """Recognise the price before the placement, or of the placed tile alone."""
    hotel, rulebook = order[0], state.rulebook
    size, before = state.board.size(hotel), begun.board.size(hotel)
    named = f"{rulebook.hotel_name(hotel)} ({size} tiles)"
    connects = "Count all unincorporated tiles that the placed tile connects."
    for other, why, advice in (
        (2, "as if it were founded with one other tile", connects),
        (before, "its size before the tile was placed", "Take the price after the placement."),
    ):
        possible = other == before or not before
        if (
            possible
            and other < size
            and _fits(state, order, price := rulebook.prices[hotel][other])
        ):
            return Diagnosis(
                f"{costs}: it would be right if {named} cost ${price:,}, as at {other}, {why}.",
                advice,
            )
    return None


def _price_off_by_one(state: State, order: Order, costs: str) -> Diagnosis | None:
    """Recognise a price that rises one tile too late, or that of a cheaper hotel, or both."""
    hotel, prices = order[0], state.rulebook.prices
    size, right, name = (
        state.board.size(hotel),
        state.price(hotel),
        state.rulebook.hotel_name(hotel),
    )
    found = [(each[size], f"as a cheaper hotel of {size} tiles does") for each in prices]
    if size > 2:  # no hotel has one tile
        found.insert(0, (prices[hotel][size - 1], f"as at {size - 1}, one tile fewer"))
    fitting = [(price, why) for price, why in found if _fits(state, order, price)]
    if not fitting:
        return None
    price = max(fitting)[0]
    why = ", or ".join(dict.fromkeys(why for each, why in fitting if each == price))
    return Diagnosis(
        f"{costs}: it would be right if {name} ({size} tiles) cost ${price:,}, {why}.",
        f"A certificate of {name} costs ${right:,}: check its price class, compare with "
        f"size >= {size}, and count all tiles.",
    )


def _sold_out(state: State, begun: State, order: Order) -> Diagnosis | None:
    hotel = next(each for each in order if order.count(each) > state.bank[each])
    count, left, name = order.count(hotel), state.bank[hotel], state.rulebook.hotel_name(hotel)
    wrong = f"{count} of {name} were ordered, but the bank has {left or 'none'}"
    certificates, own = state.rulebook.certificates, state.mover.shares[hotel]
    advice = f"Subtract the certificates of all players from {certificates}."
    if begun.bank[hotel] > left and count <= begun.bank[hotel]:
        return Diagnosis(
            f"{wrong} after the free certificate of the founder.",
            "Take the free certificate from the bank before the order.",
        )
    others = certificates - left - own
    if others and certificates - own >= count:
        return Diagnosis(f"{wrong}: the other players hold the rest.", advice)
    if certificates - others >= count:
        return Diagnosis(f"{wrong}: the player itself holds the rest.", advice)
    return Diagnosis(f"{wrong}: the bank was miscounted.", advice)


def _no_price(state: State, order: Order) -> Diagnosis | None:
    for hotel in order:
        if not state.price(hotel):
            name, size = state.rulebook.hotel_name(hotel), state.board.size(hotel)
            where = "is not on the board" if not size else f"has {size} tiles"
            return Diagnosis(
                f"{name} {where}, so it has no price and cannot be bought.",
                "Take the board after the placement, and treat a price of 0 as not for sale.",
            )
    return None
