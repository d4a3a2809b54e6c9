"""Orders that break a rule, and declarations of an end that is not there yet."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import assert_never

from ...game.purchase import Order, cost
from ...game.rulebook import End
from ...game.state import State
from ...game.turn import declared_ending
from ...game.violation import Violation
from ...protocol import messages
from ...protocol.messages import PlayerMessage
from .illegal_move import Find, IllegalMove, Moment

_V = Violation


def _on_sale(state: State) -> list[int]:
    return [hotel for hotel in range(len(state.bank)) if state.price(hotel)]


def _mixed(state: State) -> Iterator[Order]:
    for order in combinations(_on_sale(state), 2):
        if all(state.bank[hotel] for hotel in order) and cost(state, order) <= state.mover.cash:
            yield order


def _without_price(state: State) -> Iterator[Order]:
    for hotel in range(len(state.bank)):
        if not state.price(hotel) and state.bank[hotel]:
            yield (hotel,)


def _sold_out(state: State) -> Iterator[Order]:
    for hotel in _on_sale(state):
        order = (hotel,) * (state.bank[hotel] + 1)
        if len(order) <= state.rulebook.order_limit and cost(state, order) <= state.mover.cash:
            yield order


def _too_dear(state: State) -> Iterator[Order]:
    for hotel in _on_sale(state):
        for count in range(1, min(state.bank[hotel], state.rulebook.order_limit) + 1):
            if count * state.price(hotel) > state.mover.cash:
                yield (hotel,) * count


def _replace_order(
    answer: PlayerMessage, order: Order | None = None, *, end: bool = False
) -> Iterator[PlayerMessage]:
    """Give the answer with another order, or with the same one where ``order`` is ``None``.

    Nothing where the answer has no order: a merger's comes later.
    """
    match answer:
        case messages.Pbuy(placement, correct):
            yield messages.Pbuy(placement, correct if order is None else order, end)
        case messages.Order(correct):
            yield messages.Order(correct if order is None else order, end)
        case (
            messages.SignUp()
            | messages.Void()
            | messages.Merge()
            | messages.KeepAnswer()
            | messages.DisposeAnswer()
            | messages.ReplaceAnswer()
        ):
            return
        case _:
            assert_never(answer)


def _ordering(find: Callable[[State], Iterator[Order]]) -> Find:
    def answers(moment: Moment) -> Iterator[PlayerMessage]:
        for order in find(moment.ordering):
            yield from _replace_order(moment.answer, order)

    return answers


def _false_declarations(moment: Moment) -> Iterator[PlayerMessage]:
    if declared_ending(moment.ordering, begun=moment.position) is None:
        yield from _replace_order(moment.answer, end=True)


ILLEGAL_ORDERS: tuple[IllegalMove, ...] = (
    IllegalMove(
        "mixed",
        _V.MIXED_ORDER,
        _ordering(_mixed),
        "orders certificates of two hotels",
        lambda rulebook: not rulebook.mixed_orders,
    ),
    IllegalMove(
        "no-price", _V.NO_PRICE, _ordering(_without_price), "orders a certificate without a price"
    ),
    IllegalMove(
        "sold-out", _V.SOLD_OUT, _ordering(_sold_out), "orders more certificates than the bank has"
    ),
    IllegalMove("too-dear", _V.TOO_DEAR, _ordering(_too_dear), "orders more than it can pay for"),
    IllegalMove(
        "declares-falsely",
        _V.NOT_OVER,
        _false_declarations,
        "declares the end of a game that is not over",
        lambda rulebook: rulebook.end is not End.ADMINISTRATOR,
    ),
)
"""Sent with a placement, or alone after a merger."""
