"""``investor``: the built-in player that plays to win.

It looks one turn ahead. It tries every legal placement with the best order after it, and values the
resulting position as if the game were paid out now. What counts is its lead, its own money less the
mean of the others', so a bonus for another player is a loss. A certificate of a hotel on the board
is worth a little more than its price while there are free cells, because hotels grow; one of a
hotel off the board is worth nothing.
"""

from collections.abc import Callable
from functools import reduce
from operator import add

from ...game.disposal import Disposal
from ...game.merger import Merger, merge
from ...game.placement import Kind, Placement, kind_of, place
from ...game.purchase import Order, legal_orders, verify_order
from ...game.rulebook import Rulebook
from ...game.state import State
from ...game.tiles import TILES
from ...protocol import messages
from ...protocol.question import disposals
from .outlook import bonus_amounts
from .strategy import FarSighted

EXPECTED_RISE = 150.0
"""Dollars by which a certificate's price is assumed to rise until the board is full."""


class Investor(FarSighted):
    """Whatever gives it the largest lead after one turn; keeps no acquired certificates."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self._found: dict[tuple[object, ...], tuple[float, Order]] = {}

    def best(self, state: State, placements: list[Placement]) -> Placement:
        """Choose the placement that, with the best order after it, gives the largest lead."""
        self._found = {}

        def best_lead(placement: Placement) -> float:
            if kind_of(state.board, placement.tile) is Kind.MERGING:
                return self._best_order(return_all(merge(state, placement)))[0]
            return self._best_order(place(state, placement))[0]

        return max(placements, key=best_lead)

    def order(self, state: State) -> Order:
        """Choose the order that gives the largest lead."""
        return self._best_order(state)[1]

    def _best_order(self, state: State) -> tuple[float, Order]:
        """Return the largest lead after an order, and the order; found once in a turn."""
        board, owned = state.board, [(one.cash, one.shares) for one in state.players]
        # all that a lead depends on: tiles that touch nothing are alike
        alike = (board.sizes, board.occupied.bit_count(), state.bank, *owned)
        if alike not in self._found:
            lead_after = Leads(state, state.mover.name).after
            orders = candidate_orders(state, lead_after)
            leads = [*map(lead_after, orders)]
            most = max(leads)
            self._found[alike] = most, orders[leads.index(most)]
        return self._found[alike]

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        """Return everything: a hotel off the board is worth nothing at the end."""
        return (False,) * len(hotels)

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        """Trade as many as give the largest lead, and sell the rest."""
        owned = state.player(self.name).shares[question.hotel]
        everything = [d for d in disposals(state, question, self.name) if d.sell + d.trade == owned]
        return max(
            everything, key=lambda each: lead(self.disposed(state, question, each), self.name)
        )


def candidate_orders(state: State, lead_after: Callable[[Order], float]) -> list[Order]:
    """List the orders worth valuing, the empty one first.

    Mixed orders are too many to value each, more than a hundred. There the candidates are all
    orders of a single hotel, and the orders built by adding the best certificate each time.
    """
    if not state.rulebook.mixed_orders:
        return legal_orders(state)
    hotels = range(len(state.bank))
    orders: list[Order] = [()]
    for hotel in hotels:
        for count in range(1, state.rulebook.order_limit + 1):
            if verify_order(state, (hotel,) * count) is None:
                orders.append((hotel,) * count)
    order: Order = ()
    for _ in range(state.rulebook.order_limit):
        longer = [more for hotel in hotels if verify_order(state, more := (*order, hotel)) is None]
        if not longer:
            break
        order = max(longer, key=lead_after)
        orders.append(order)
    return orders


def return_all(merger: Merger) -> State:
    """Return the position in which every player has returned the acquired certificates."""
    state = merger.state
    players = []
    for player in state.players:
        shares, cash = list(player.shares), player.cash
        for hotel, price in zip(merger.acquired, merger.prices, strict=True):
            cash += price * shares[hotel]
            shares[hotel] = 0
        players.append(player._replace(cash=cash, shares=tuple(shares)))
    return state._replace(players=tuple(players))


def lead(state: State, name: str) -> float:
    """Return how many dollars a player has more than the mean of the others."""
    return Leads(state, name).after(())


class Leads:
    """The leads of a player, in dollars, after each of the mover's orders at a position.

    What an order changes is computed for each order, the rest once.
    """

    def __init__(self, state: State, name: str) -> None:
        players, board = state.players, state.board
        self._rulebook, self._sizes = state.rulebook, board.sizes
        self._prices = [state.price(hotel) for hotel in range(len(board.sizes))]
        self._rise = EXPECTED_RISE * (1 - board.occupied.bit_count() / len(TILES))
        self._shares = [player.shares for player in players]
        self._at = [player.name for player in players].index(name)
        self._cash = [float(player.cash) for player in players]
        # for each player, certificates and bonus of hotel after hotel
        self._worth = [[0.0] * (2 * len(board.sizes)) for _ in players]
        for hotel in range(len(board.sizes)):
            self._value(self._worth, hotel, [shares[hotel] for shares in self._shares])

    def _value(self, worth: list[list[float]], hotel: int, held: list[int]) -> None:
        """Set what a hotel is worth to everybody if so many certificates are held."""
        if not self._sizes[hotel]:
            return
        paid = bonus_amounts(self._rulebook, self._prices[hotel], tuple(held))
        each = self._prices[hotel] + self._rise
        for own, count, bonus in zip(worth, held, paid, strict=True):
            own[2 * hotel : 2 * hotel + 2] = each * count, bonus

    def after(self, order: Order) -> float:
        """Return the lead after a legal order."""
        worth, (cash, *others) = self._worth, self._cash
        if order:
            worth = [[*own] for own in worth]
            for hotel in {*order}:
                count, *held = [shares[hotel] for shares in self._shares]
                count += order.count(hotel)
                cash -= self._prices[hotel] * order.count(hotel)
                self._value(worth, hotel, [count, *held])
        total = [reduce(add, own, first) for own, first in zip(worth, [cash, *others], strict=True)]
        own = total.pop(self._at)
        return own - (sum(total) / len(total) if total else 0.0)
