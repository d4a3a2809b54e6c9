"""``investor``: the house player that plays to win.

It looks one turn ahead. Every legal placement is tried, and the best order behind it, and the
position is valued as if the game were paid out now: what counts is its own money less that of the
others, so a bonus that goes elsewhere is a loss. A certificate of a hotel on the board is worth a
little more than its price while there are free cells, for hotels grow; one of a hotel off the
board is worth nothing.
"""

from game.merger import Merger, bonuses_for, merge
from game.placement import Kind, Placement, kind_of, legal_placements, place
from game.purchase import Order, buy, legal_orders
from game.state import State
from game.tiles import TILES
from player.strategy import Strategy

EXPECTED_RISE = 150.0
"""Dollars by which a certificate's price is taken to rise until the board is full."""


class Investor(Strategy):
    """What leaves it furthest ahead of the others one turn on; returns everything in a merger."""

    def place(self, state: State) -> Placement:
        """Choose the placement whose best order leaves the best position."""
        me = state.mover.name
        return max(
            legal_placements(state), key=lambda placement: self._promise(state, placement, me)
        )

    def _promise(self, state: State, placement: Placement, me: str) -> float:
        if kind_of(state.board, placement.tile) is Kind.MERGING:
            after = returned_by_all(merge(state, placement))
        else:
            after = place(state, placement)
        return max(lead(buy(after, order), me) for order in legal_orders(after))

    def order(self, state: State) -> Order:
        """Choose the order that leaves the best position."""
        me = state.mover.name
        return max(legal_orders(state), key=lambda order: lead(buy(state, order), me))

    def keep(self, hotels: tuple[int, ...]) -> tuple[bool, ...]:
        """Return everything: a hotel that is not on the board is worth nothing at the end."""
        return (False,) * len(hotels)


def returned_by_all(merger: Merger) -> State:
    """Return the position in which everybody returns the acquired certificates."""
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
    """Return by how many dollars a player is ahead of the mean of the others."""
    worth = {player.name: float(player.cash) for player in state.players}
    free = 1 - state.board.occupied.bit_count() / len(TILES)
    for hotel, size in enumerate(state.board.sizes):
        if not size:
            continue
        price = state.price(hotel)
        for player in state.players:
            worth[player.name] += (price + EXPECTED_RISE * free) * player.shares[hotel]
        for bonus in bonuses_for(state.rulebook, hotel, price, state.players):
            worth[bonus.name] += bonus.amount
    others = [money for other, money in worth.items() if other != name]
    return worth[name] - (sum(others) / len(others) if others else 0.0)
