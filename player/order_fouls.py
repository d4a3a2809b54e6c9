"""The orders that break a rule, and the declaration of an end that is none."""

from collections.abc import Callable, Iterator
from itertools import combinations

from game.purchase import Order, cost
from game.rulebook import (
    End,
)
from game.state import State
from game.turn import regular_ending
from game.violation import Violation
from player.fouls import Foul, Moment
from protocol import messages
from protocol.messages import PlayerMessage

_V = Violation


def _priced(state: State) -> list[int]:
    return [hotel for hotel in range(len(state.bank)) if state.price(hotel)]


def _mixed(state: State) -> Iterator[Order]:
    for order in combinations(_priced(state), 2):
        if all(state.bank[hotel] for hotel in order) and cost(state, order) <= state.mover.cash:
            yield order


def _unpriced(state: State) -> Iterator[Order]:
    for hotel in range(len(state.bank)):
        if not state.price(hotel) and state.bank[hotel]:
            yield (hotel,)


def _sold_out(state: State) -> Iterator[Order]:
    for hotel in _priced(state):
        order = (hotel,) * (state.bank[hotel] + 1)
        if len(order) <= state.rulebook.order_limit and cost(state, order) <= state.mover.cash:
            yield order


def _too_dear(state: State) -> Iterator[Order]:
    for hotel in _priced(state):
        for count in range(1, min(state.bank[hotel], state.rulebook.order_limit) + 1):
            if count * state.price(hotel) > state.mover.cash:
                yield (hotel,) * count


def _ordering(
    find: Callable[[State], Iterator[Order]],
) -> Callable[[Moment], Iterator[PlayerMessage]]:
    """Give the order with the placement of the right answer, or by itself after a merger."""

    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        for order in find(moment.ordering):
            match moment.answer:
                case messages.Pbuy(placement):
                    yield messages.Pbuy(placement, order)
                case messages.Order():
                    yield messages.Order(order)

    return answers


def _declares_falsely(moment: Moment) -> Iterator[PlayerMessage]:
    """Add the declaration to the right answer, where the game could not be ended."""
    if regular_ending(moment.ordering) is not None:
        return
    match moment.answer:
        case messages.Pbuy(placement, order):
            yield messages.Pbuy(placement, order, end=True)
        case messages.Order(order):
            yield messages.Order(order, end=True)


ORDERS: tuple[Foul, ...] = (
    Foul(
        "mixed",
        _V.MIXED_ORDER,
        _ordering(_mixed),
        "orders certificates of two hotels",
        lambda rulebook: not rulebook.mixed_orders,
    ),
    Foul("no-price", _V.NO_PRICE, _ordering(_unpriced), "orders a certificate that has no price"),
    Foul("sold-out", _V.SOLD_OUT, _ordering(_sold_out), "orders more than the bank has"),
    Foul("too-dear", _V.TOO_DEAR, _ordering(_too_dear), "orders more than the cash can pay"),
    Foul(
        "declares-falsely",
        _V.NOT_OVER,
        _declares_falsely,
        "declares the end of a game that is not over",
        lambda rulebook: rulebook.end is End.DECLARED,
    ),
)
"""An order goes with a placement, or by itself after a merger."""
