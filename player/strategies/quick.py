"""Players for the analysis of a game: they play on from a decision, and estimate its options.

``Careful`` chooses as ``planner``; ``Quick`` by the simple choices of
:mod:`acquire.player.strategies.playout`, about as well and in a fifth of the time. Neither is
listed among the built-in players.
"""

from collections.abc import Sequence

from ...game.drawing import replace_hand
from ...game.placement import Placement, legal_placements, playable
from ...game.purchase import Order, buy
from ...game.rulebook import Hands, Rulebook
from ...game.state import State
from ...game.turn import pay_out
from .outlook import Outlook
from .planner import Planner, orders, plans
from .playout import end_turn, purchases, quick_choice, quick_order


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

    def scores_from(self, state: State) -> dict[str, int]:
        """Play for all seats from between two turns to the end; return the money of each player.

        The stock market takes no part. Acquired certificates go where they are worth most.
        """
        over = False
        while not over:
            begun = replace_hand(state).state
            state, over = end_turn(self._after_turn(begun), state)
        return dict(pay_out(state).scores)

    def _after_turn(self, begun: State) -> State:
        """Return the position after a turn, before the draw."""
        _, *others = begun.players
        seen = begun
        if begun.rulebook.hands is not Hands.OPEN:
            unseen = tuple([player._replace(hand=0) for player in others])
            seen = begun._replace(players=(begun.mover, *unseen))
        after = self._buying(seen)
        hands = {player.name: player.hand for player in others}
        mover, *others = after.players
        known = tuple([player._replace(hand=hands[player.name]) for player in others])
        return after._replace(players=(mover, *known))

    def _buying(self, begun: State) -> State:
        """Return the position after the best turn in one, before the draw."""
        outlook = Outlook(begun, self.weights)
        if not playable(begun):
            return buy(begun, orders(outlook, begun)[0][1])
        found = [plans(outlook, begun, each)[0] for each in legal_placements(begun)]
        best = max(found, key=lambda plan: plan.lead)
        return buy(best.after, best.order)


class Quick(Careful):
    """Places and orders by quick choices, which do not look for likely mergers."""

    def _placement(self, state: State) -> Placement:
        return quick_choice(Outlook(state, self.weights), state)[0]

    def order(self, state: State) -> Order:
        """Choose the order that promises most; a mixed one hotel by hotel."""
        return _order(Outlook(state, self.weights), state)

    def _after_turn(self, begun: State) -> State:
        outlook = Outlook(begun, self.weights)
        placed = quick_choice(outlook, begun)[1] if playable(begun) else begun
        return buy(placed, _order(outlook, placed))  # the outlook has hardly changed


def _order(outlook: Outlook, state: State) -> Order:
    """Return the order that adds most to the mover's lead, likely mergers apart."""
    if state.rulebook.mixed_orders:
        return quick_order(outlook, state)
    cash, best = state.mover.cash, 0.0
    worth = outlook.cash(cash)
    order: Order = ()
    for added, count, hotel, price in purchases(outlook, state):
        gain = added + outlook.cash(cash - count * price) - worth
        if gain > best:
            best, order = gain, (hotel,) * count
    return order
