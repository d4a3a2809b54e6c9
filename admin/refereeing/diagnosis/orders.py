"""Illegal orders and answers to ``keep``: which price, bank or number was miscounted."""

from collections.abc import Sequence

from ....game.purchase import Order
from ....game.state import State
from ....game.violation import Violation
from ....protocol.faults import Diagnosis
from .beliefs import Purchase, explained


def of_order(state: State, begun: State, order: Order, violation: Violation) -> Diagnosis | None:
    """Return the mistake behind an order, if one is recognised.

    ``begun`` is the position at the start of the turn, before the tile was placed; after a merger
    it is ``state`` itself, as nobody was asked in between.
    """
    if not order:
        return None
    match violation:
        case Violation.TOO_DEAR:
            return explained([Purchase(order, state, begun.board)])[0]
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
