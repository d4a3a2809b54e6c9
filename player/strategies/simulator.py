"""``simulator``: tries the planner's best turns in many games that could follow (Monte Carlo).

What it does not see, the bag and under most rulebooks the others' tiles, is dealt at random. Every
turn that it considers is played on from the same deals, by quick choices
(:mod:`acquire.player.strategies.quick`), until it is to move again; there the position is valued
as ``planner`` does. After a part of the playouts the worse half of the turns is left out, until one
remains. What to do with acquired certificates it decides as ``planner``.
"""

import random
import time

from ...game.placement import Kind, Placement, kind_of, legal_placements
from ...game.placement import place as placed
from ...game.purchase import Order
from ...game.rulebook import Rulebook
from ...game.state import State
from .guess import complete
from .outlook import Outlook
from .planner import Planner, TurnPlan, orders, plans
from .quick import playout

CANDIDATES = 8  # how many turns are tried; a power of 2
ORDERS = 3  # how many orders are considered for a placement


class Simulator(Planner):
    """Whatever of the planner's best turns leads furthest in some hundred sampled continuations.

    The same seed plays the same game, because by default only the number of ``playouts`` for a
    decision is limited. With ``seconds`` thinking also ends after that time, and the game can
    depend on the speed of the machine. Both can be changed in a subclass.
    """

    playouts = 96  # how many continuations are played for a decision
    seconds: float | None = None  # most wall-clock time for a decision; None for any

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        super().__init__(rulebook, seed)
        self._decided: tuple[State, Order] | None = None
        """The order that belongs to the last placement, and the position in which it is due."""

    def place(self, state: State) -> Placement:
        """Choose the placement that, with an order after it, leads furthest on average."""
        outlook = Outlook(state)
        found = [
            plan
            for placement in legal_placements(state)
            for plan in plans(outlook, state, placement, ORDERS)
        ]
        best = self._best_of(outlook, state, found)
        assert best.placement is not None, "every plan has one"
        if kind_of(state.board, best.placement.tile) is not Kind.MERGING:
            self._decided = placed(state, best.placement), best.order
        return best.placement

    def order(self, state: State) -> Order:
        """Choose the order that leads furthest on average."""
        if self._decided is not None and self._decided[0] == state:
            return self._decided[1]
        outlook = Outlook(state)
        found = [TurnPlan(lead, None, order, state) for lead, order in orders(outlook, state)]
        return self._best_of(outlook, state, found).order

    def _best_of(self, outlook: Outlook, begun: State, found: list[TurnPlan]) -> TurnPlan:
        """Return the plan that leads furthest on average; ``begun`` is before the placement."""
        deadline = None if self.seconds is None else time.monotonic() + self.seconds
        deals = random.Random(f"{self.seed} {begun.board.occupied} {begun.mover.hand}")
        rivals = sorted(found, key=lambda plan: -plan.lead)[:CANDIDATES]
        totals = [0.0] * len(rivals)
        left = list(range(len(rivals)))
        rounds = (len(rivals) - 1).bit_length()
        while len(left) > 1:
            for _ in range(max(1, self.playouts // rounds // len(left))):
                if deadline is not None and time.monotonic() >= deadline:
                    return rivals[max(left, key=totals.__getitem__)]
                deal = deals.getrandbits(64)
                for at in left:
                    after = complete(rivals[at].after, deal)
                    totals[at] += playout(outlook, after, rivals[at].order, begun)
            left.sort(key=lambda at: -totals[at])
            left = left[: (len(left) + 1) // 2]
        return rivals[left[0]]
