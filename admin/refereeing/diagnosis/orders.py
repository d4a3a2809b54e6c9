"""Illegal orders and answers to ``keep``: which price, bank or number was miscounted.

One order that costs too much fits several beliefs that a program may have of its money. One of them
is named as the cause only if every refused order fits it and no accepted one refutes it; else the
figures come first, and what may be wrong after them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ....game.board import Board
from ....game.purchase import Order, cost, verify_order
from ....game.state import State
from ....game.violation import Violation
from ....protocol.faults import Diagnosis

MOST = 3  # how many beliefs are listed that may be the cause


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
    wrong = f"The order is for {count} of {name}, but the bank has {left or 'none'}"
    certificates, own = state.rulebook.certificates, state.mover.shares[hotel]
    received = begun.bank[hotel] - left
    if received and count <= begun.bank[hotel]:
        free = "free certificate" if received == 1 else f"{received} free certificates"
        return Diagnosis(
            f"{wrong} after the {free} of the founder.",
            f"Take the {free} from the bank before the order.",
        )
    others = certificates - left - own
    return Diagnosis(
        f"{wrong}: the other players hold {others}, and the player itself {own}.",
        f"Subtract the certificates of all players from {certificates}.",
    )


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


# -- orders that cost too much ------------------------------------------------------------------


class Purchase(NamedTuple):
    """An order; ``begun`` is the board as the turn began, ``merged`` whether by a merger."""

    order: Order
    state: State
    begun: Board
    merged: bool = False

    @property
    def cost(self) -> int:
        """The cost in dollars."""
        return cost(self.state, self.order)

    @property
    def cash(self) -> int:
        """The player's cash."""
        return self.state.mover.cash

    def size(self, hotel: int) -> int:
        """Return the size of a hotel when the order is sent."""
        return self.state.board.size(hotel)


class Belief(NamedTuple):
    """What a program may do: as a cause, as advice, and whether it then sends an order."""

    cause: str
    advice: str
    allows: Callable[[Purchase], bool]


def explained(
    refused: Sequence[Purchase], accepted: Sequence[Purchase] = ()
) -> list[Diagnosis | None]:
    """Return for each refused order of a program its cause, given the orders that were legal.

    Where nothing is left that may be the cause, the rule's own sentence has the figures.
    """
    fitting = [
        belief
        for belief in _beliefs(refused)
        if all(map(belief.allows, refused)) and not any(_refutes(each, belief) for each in accepted)
    ]
    proven = fitting[:1] if len(refused) > 1 or (accepted and not fitting[1:]) else []
    if not fitting:
        return [None] * len(refused)
    causes = [belief.cause for belief in proven or fitting[:MOST]]
    advice = [belief.advice for belief in proven]
    advice = advice or [f"Perhaps the program {', or '.join(causes)}."]
    return [
        Diagnosis(
            f"The order costs ${each.cost:,} and the player has ${each.cash:,}"
            f"{': the program ' + causes[0] if proven else ''}.",
            " ".join(advice),
        )
        for each in refused
    ]


def _refutes(purchase: Purchase, belief: Belief) -> bool:
    """Whether a legal order was not, or was not the most, of what the belief allows.

    A program that can order more of what it wants, and once ordered too much, is held back.
    """
    order, state, begun, _ = purchase
    if order and not belief.allows(purchase):
        return True
    on_board = {hotel for hotel, size in enumerate(begun.sizes) if size and state.price(hotel)}
    more = [purchase._replace(order=(*order, hotel)) for hotel in {*order} or on_board]
    found = [(verify_order(state, each.order), belief.allows(each)) for each in more]
    return all(illegal for illegal, _ in found) and any(
        illegal is not None and illegal.violation is Violation.TOO_DEAR and allowed
        for illegal, allowed in found
    )


# -- the beliefs --------------------------------------------------------------------------------


def _priced(cause: str, advice: str, price: Callable[[Purchase, int], int]) -> Belief:
    """Return the belief that a certificate of a hotel has this price."""

    def allows(purchase: Purchase) -> bool:
        prices = [price(purchase, hotel) for hotel in purchase.order]
        return all(prices) and sum(prices) <= purchase.cash

    return Belief(cause, advice, allows)


def _beliefs(refused: Sequence[Purchase]) -> Iterator[Belief]:
    """Yield the beliefs of a program that sends these orders, the simplest first."""
    hotels = sorted({hotel for each in refused for hotel in each.order})
    sizes = {each.size(hotel) for each in refused for hotel in each.order}
    rulebook = refused[0].state.rulebook

    def sized(cause: str, advice: str, size: Callable[[Purchase, int], int]) -> Belief:
        return _priced(
            f"takes the price {cause}",
            advice,
            lambda each, hotel: rulebook.prices[hotel][size(each, hotel)],
        )

    def of_class(row: tuple[int, ...]) -> Belief:
        taken = " and ".join(map(rulebook.hotel_name, hotels))
        other = rulebook.hotel_name(rulebook.prices.index(row))
        return _priced(
            f"takes {taken} to cost as much as {other}",
            "Check its price class.",
            lambda each, hotel: (row if hotel in hotels else rulebook.prices[hotel])[
                each.size(hotel)
            ],
        )

    yield Belief(
        "takes no account of its own cash",
        "Read your cash from each message, and order for no more than that.",
        lambda _: True,
    )
    yield Belief(
        "takes the cash of another player for its own",
        "Look for the <player> with the name in the <signup> that you received.",
        lambda each: any(each.cost <= player.cash for player in each.state.players),
    )
    yield sized(
        "at the size before the tile was placed",
        "Take the price after the placement.",
        lambda each, hotel: (each.state.board if each.merged else each.begun).size(hotel),
    )
    yield sized(
        "at the size before the merger",
        "Count the tiles of the survivor after the merger.",
        lambda each, hotel: (each.begun if each.merged else each.state.board).size(hotel),
    )
    yield sized(
        "without the placed tile",
        "Count it among the tiles of its hotel.",
        lambda each, hotel: each.size(hotel) - (0 < each.begun.size(hotel) < each.size(hotel)),
    )
    yield sized(
        "of two tiles for that of a new hotel",
        "Count all unincorporated tiles that the placed tile connects.",
        lambda each, hotel: each.size(hotel) if each.begun.size(hotel) else 2,
    )
    yield sized(
        f"of one tile fewer at {', '.join(map(str, sorted(sizes)))} tiles",
        "Compare with size >= the first size of each price, and count all tiles.",
        lambda each, hotel: each.size(hotel) - (each.size(hotel) in sizes),
    )
    yield from map(of_class, sorted({*rulebook.prices}))
    yield Belief(
        "compares its cash with the price of one certificate",
        "Compare the cash with the price of the whole order.",
        lambda each: max(map(each.state.price, each.order)) <= each.cash,
    )
    yield Belief(
        "compares cost and cash as text",
        "Convert them to numbers before you compare them.",
        lambda each: str(each.cost) <= str(each.cash),
    )
    yield Belief(
        "rounds the number of certificates up",
        "Round it down.",
        lambda each: each.cost - each.cost // len(each.order) < each.cash,
    )
