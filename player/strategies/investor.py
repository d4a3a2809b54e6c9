"""``investor``: the built-in player that plays to win.

It looks one turn ahead. It tries every legal placement with the best order after it, and values the
resulting position as if the game were paid out now. What counts is its lead, its own money less the
mean of the others', so a bonus for another player is a loss. A certificate of a hotel on the board
is worth a little more than its price while there are free cells, because hotels grow; one of a
hotel off the board is worth nothing.
"""

from ...game.disposal import Disposal
from ...game.merger import Merger, merge
from ...game.placement import Kind, Placement, kind_of, place
from ...game.purchase import Order, buy, legal_orders, verify_order
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

    def best(self, state: State, placements: list[Placement]) -> Placement:
        """Choose the placement that, with the best order after it, gives the largest lead."""
        leads: dict[tuple[object, ...], float] = {}

        def best_lead(placement: Placement) -> float:
            if kind_of(state.board, placement.tile) is Kind.MERGING:
                after = return_all(merge(state, placement))
            else:
                after = place(state, placement)
            board, owned = after.board, [(one.cash, one.shares) for one in after.players]
            # all that a lead depends on: tiles that touch nothing are alike
            alike = (board.sizes, board.occupied.bit_count(), after.bank, *owned)
            if alike not in leads:
                leads[alike] = self._best_lead(after)
            return leads[alike]

        return max(placements, key=best_lead)

    def _best_lead(self, state: State) -> float:
        me = state.mover.name
        return max(lead(buy(state, order), me) for order in candidate_orders(state))

    def order(self, state: State) -> Order:
        """Choose the order that gives the largest lead."""
        me = state.mover.name
        return max(candidate_orders(state), key=lambda order: lead(buy(state, order), me))

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


def candidate_orders(state: State) -> list[Order]:
    """List the orders worth valuing, the empty one first.

    Mixed orders are too many to value each, more than a hundred. There the candidates are all
    orders of a single hotel, and the orders built by adding the best certificate each time.
    """
    if not state.rulebook.mixed_orders:
        return legal_orders(state)
    me = state.mover.name
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
        order = max(longer, key=lambda more: lead(buy(state, more), me))
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
    players = state.players
    worth = [float(player.cash) for player in players]
    free = 1 - state.board.occupied.bit_count() / len(TILES)
    for hotel, size in enumerate(state.board.sizes):
        if not size:
            continue
        price = state.price(hotel)
        each = price + EXPECTED_RISE * free
        held = tuple([player.shares[hotel] for player in players])
        paid = bonus_amounts(state.rulebook, price, held)
        for at, count in enumerate(held):
            worth[at] += each * count
            worth[at] += paid[at]
    own = worth.pop([player.name for player in players].index(name))
    return own - (sum(worth) / len(worth) if worth else 0.0)
