"""``investor``: the built-in player that plays to win.

It looks one turn ahead. It tries every legal placement with the best order after it, and values the
resulting position as if the game were paid out now. What counts is its lead, its own money less the
mean of the others', so a bonus for another player is a loss. A certificate of a hotel on the board
is worth a little more than its price while there are free cells, because hotels grow; one of a
hotel off the board is worth nothing.
"""

from collections.abc import Callable

from ...game.disposal import Disposal
from ...game.merger import Merger, merge
from ...game.placement import Kind, Placement, kind_of, place
from ...game.purchase import Order, cost, legal_orders, verify_order
from ...game.rulebook import Rulebook
from ...game.state import State
from ...game.tiles import TILES
from ...protocol import messages
from ...protocol.question import disposals
from .outlook import bonus_amounts
from .strategy import FarSighted

EXPECTED_RISE = 150.0  # dollars that a certificate is assumed to rise until the board is full


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
    """The leads of a player, in dollars, after each of the mover's orders at a position."""

    def __init__(self, state: State, name: str) -> None:
        self._state = state
        self._on_board = [hotel for hotel, size in enumerate(state.board.sizes) if size]
        self._rise = EXPECTED_RISE * (1 - state.board.occupied.bit_count() / len(TILES))
        self._at = [player.name for player in state.players].index(name)
        self._values: dict[tuple[int, int], list[tuple[float, int]]] = {}
        """By hotel and how many of it the mover buys: each player's certificates, and its bonus."""

    def _value(self, hotel: int, bought: int) -> list[tuple[float, int]]:
        state, price = self._state, self._state.price(hotel)
        own, *others = [player.shares[hotel] for player in state.players]
        held = (own + bought, *others)
        paid = bonus_amounts(state.rulebook, price, held)
        return [((price + self._rise) * n, bonus) for n, bonus in zip(held, paid, strict=True)]

    def after(self, order: Order) -> float:
        """Return the lead after a legal order."""
        totals = [float(player.cash) for player in self._state.players]
        totals[0] -= cost(self._state, order)
        for hotel in self._on_board:
            key = hotel, order.count(hotel)
            if key not in self._values:
                self._values[key] = self._value(*key)
            for seat, (certificates, bonus) in enumerate(self._values[key]):
                totals[seat] = totals[seat] + certificates + bonus
        own = totals.pop(self._at)
        return own - (sum(totals) / len(totals) if totals else 0.0)
