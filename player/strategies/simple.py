"""The simple built-in players: ``random``, ``ordered``, ``largest-alpha``, ``smallest-anti``.

All four keep every certificate in a merger with *keep*. Where acquired certificates can be sold
and traded, ``random`` picks any legal disposal and the others hold theirs. All but ``random``
declare the end of a game as soon as they may.
"""

import random
from collections.abc import Iterable

from ...game.disposal import Disposal
from ...game.placement import Placement, hotel_choices, legal_placements, placements_of, playable
from ...game.purchase import Order, legal_orders_of
from ...game.rulebook import Rulebook
from ...game.state import State
from ...game.tiles import Tile, tiles_in
from ...protocol import messages
from ...protocol.question import disposals
from .strategy import Strategy


class Random(Strategy):
    """Any legal placement, any number of any certificates that it can afford, any disposal."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self._random = random.Random(seed)

    def place(self, state: State) -> Placement:
        """Choose one of the legal placements, all equally likely."""
        return self._random.choice(legal_placements(state))

    def order(self, state: State) -> Order:
        """Choose how many certificates to buy, then which; all equally likely."""
        count = self._random.choice(range(state.rulebook.order_limit + 1))
        orders = legal_orders_of(state, count)
        return self._random.choice(orders) if orders else ()

    def dispose(self, state: State, question: messages.Dispose) -> Disposal:
        """Choose one of the legal disposals, all equally likely."""
        return self._random.choice(disposals(state, question, self.name))

    def survivor(self, state: State, tile: Tile) -> Placement:
        """Choose one of the possible survivors, all equally likely."""
        return self._random.choice(placements_of(state.rulebook, state.board, tile))

    def declare(self, state: State) -> bool:
        """Declare the end in half of all cases."""
        return self._random.random() < 0.5


class Ordered(Strategy):
    """The first tile row by row, the first hotel, as many of the first that it can afford."""

    def place(self, state: State) -> Placement:
        """Choose the first playable tile, and the first hotel to found or to survive."""
        return _first_choice(state, tiles_in(playable(state))[0])

    def order(self, state: State) -> Order:
        """Buy as many as possible of the first affordable hotel, alphabetically."""
        return first_affordable(state, range(len(state.bank)))


class LargestAlpha(Ordered):
    """As ordered, but places the last playable tile."""

    def place(self, state: State) -> Placement:
        """Choose the last playable tile, and the first hotel to found or to survive."""
        return _first_choice(state, tiles_in(playable(state))[-1])


class SmallestAnti(Ordered):
    """As ordered, but buys in anti-alphabetical order."""

    def order(self, state: State) -> Order:
        """Buy as many as possible of the last affordable hotel, alphabetically."""
        return first_affordable(state, reversed(range(len(state.bank))))


def _first_choice(state: State, tile: Tile) -> Placement:
    return Placement(tile, hotel_choices(state.board, tile)[0])


def first_affordable(state: State, hotels: Iterable[int]) -> Order:
    """Return as many certificates as possible of the first affordable one of ``hotels``."""
    cash = state.mover.cash
    for hotel in hotels:
        price = state.price(hotel)
        if price and price <= cash and state.bank[hotel]:
            count = min(state.rulebook.order_limit, state.bank[hotel], cash // price)
            return (hotel,) * count
    return ()
