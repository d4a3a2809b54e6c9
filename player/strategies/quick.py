"""Players for the analysis of a game: they play on from a decision, and estimate its options.

``Careful`` chooses as ``planner``; ``Quick`` by the simple choices of
:mod:`acquire.player.strategies.playout`, about as well and in a third of the time. Neither is
listed among the built-in players.
"""

from collections.abc import Sequence

from ...game.placement import Placement
from ...game.purchase import Order
from ...game.rulebook import Rulebook
from ...game.state import State
from ...game.tuples import add
from .outlook import Outlook, lead_of
from .planner import Planner, orders, plans
from .playout import quick_order, quick_placement


class Careful(Planner):
    """Plays as ``planner``; its next placement can be prescribed."""

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self._prescribed: Placement | None = None

    def place_next(self, placement: Placement) -> None:
        """Prescribe the placement of the next turn; what is ordered after it is still chosen."""
        self._prescribed = placement

    def place(self, state: State) -> Placement:
        """Choose the placement that promises the largest lead, unless one is prescribed."""
        prescribed, self._prescribed = self._prescribed, None
        return prescribed or self._placement(state)

    def _placement(self, state: State) -> Placement:
        return super().place(state)

    def estimate_placements(self, state: State, placements: Sequence[Placement]) -> list[float]:
        """Return the lead that each placement promises, with the best order after it."""
        outlook = Outlook(state, self.weights)
        return [plans(outlook, state, placement)[0].lead for placement in placements]

    def estimate_orders(self, state: State, found: Sequence[Order]) -> list[float]:
        """Return the lead that each of these legal orders promises."""
        leads = {order: lead for lead, order in orders(Outlook(state, self.weights), state)}
        return [leads[order] for order in found]


class Quick(Careful):
    """Places and orders by quick choices, which do not look for likely mergers."""

    def _placement(self, state: State) -> Placement:
        return quick_placement(Outlook(state, self.weights), state)

    def order(self, state: State) -> Order:
        """Choose the order that promises most; a mixed one hotel by hotel."""
        outlook = Outlook(state, self.weights)
        if state.rulebook.mixed_orders:
            return quick_order(outlook, state)
        return _order_of_one_hotel(outlook, state)


def _order_of_one_hotel(outlook: Outlook, state: State) -> Order:
    """Return the order that adds most to the mover's lead, likely mergers apart."""
    rulebook, board, players = state.rulebook, state.board, state.players
    cash, best = players[0].cash, 0.0
    worth = outlook.cash(cash)
    order: Order = ()
    for hotel, left in enumerate(state.bank):
        price = rulebook.prices[hotel][board.sizes[hotel]]
        most = min(left, rulebook.order_limit, cash // price) if price else 0
        if not most:
            continue
        held = tuple([player.shares[hotel] for player in players])
        before = lead_of(outlook.values(board, hotel, held, None), 0)
        for count in range(1, most + 1):
            after = lead_of(outlook.values(board, hotel, add(held, 0, count), None), 0)
            gain = after - before + outlook.cash(cash - count * price) - worth
            if gain > best:
                best, order = gain, (hotel,) * count
    return order
