"""The simple players: ``random``, ``ordered``, ``largest-alpha``, ``smallest-anti``.

All of them keep all certificates where a merger asks for that; where these can be sold and traded
``random`` does anything and the others hold them. All but ``random`` end a game as soon as they
may.
"""

import random
from collections.abc import Iterable

from game.disposal import Disposal
from game.placement import Placement, hotel_choices, legal_placements, playable
from game.purchase import Order, legal_orders
from game.rulebook import Rulebook
from game.state import State
from game.tiles import Tile, tiles_in
from player.strategy import Strategy, disposals, survivors
from protocol import messages


class Random(Strategy):
    """Any legal placement, any number of any certificates that it can afford, any disposal."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self._random = random.Random(seed)

    def place(self, state: State) -> Placement:
        """Choose one legal placement, all alike."""
        return self._random.choice(legal_placements(state))

    def order(self, state: State) -> Order:
        """Choose a number of certificates, all alike, then the hotel."""
        count = self._random.randint(0, state.rulebook.order_limit)
        orders = [order for order in legal_orders(state) if len(order) == count]
        return self._random.choice(orders) if orders else ()

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        """Choose one legal disposal, all alike."""
        return self._random.choice(disposals(state, question, self.name))

    def survivor(self, state: State, tile: Tile) -> Placement:
        """Choose one survivor, all alike."""
        return self._random.choice(survivors(state, tile))

    def declare(self, state: State) -> bool:
        """End the game, or not."""
        return self._random.random() < 0.5


class Ordered(Strategy):
    """The first tile row by row, the first hotel, as many of the first that it can afford."""

    def place(self, state: State) -> Placement:
        """Choose the first placeable tile, and the first hotel to found or to survive."""
        return _placement(state, tiles_in(playable(state))[0])

    def order(self, state: State) -> Order:
        """Choose the most of the first hotel, alphabetically, that can be afforded."""
        return first_affordable(state, range(len(state.bank)))


class LargestAlpha(Ordered):
    """As ordered, but places the last placeable tile."""

    def place(self, state: State) -> Placement:
        """Choose the last placeable tile, and the first hotel to found or to survive."""
        return _placement(state, tiles_in(playable(state))[-1])


class SmallestAnti(Ordered):
    """As ordered, but buys in anti-alphabetical order."""

    def order(self, state: State) -> Order:
        """Choose the most of the last hotel, alphabetically, that can be afforded."""
        return first_affordable(state, reversed(range(len(state.bank))))


def _placement(state: State, tile: int) -> Placement:
    return Placement(tile, hotel_choices(state.board, tile)[0])


def first_affordable(state: State, hotels: Iterable[int]) -> Order:
    """Return an order of the first of ``hotels`` of which one can be bought: as many as may be."""
    cash = state.mover.cash
    for hotel in hotels:
        price = state.price(hotel)
        if price and price <= cash and state.bank[hotel]:
            count = min(state.rulebook.order_limit, state.bank[hotel], cash // price)
            return (hotel,) * count
    return ()
