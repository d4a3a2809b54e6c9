"""The players that play on from a decision, and estimate its options.

They are entry points of the group ``acquire.analysts``, because ``admin`` does not import players.

``quick`` is about as strong as ``planner``, and takes a fifth of its time. An analyst can be told
its next placement, and then chooses the order that belongs to it; otherwise a placement would be
blamed for an order. It can play on for all seats without a referee.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol

from ....game.placement import Placement
from ....game.purchase import Order
from ....game.rulebook import Rulebook
from ....game.state import State
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.plugins import ANALYSTS, plugins


class Analyst(Protocol):
    """A player whose next placement can be prescribed."""

    def __call__(self, message: RefereeMessage, /) -> PlayerMessage:
        """Answer one message."""

    def place_next(self, placement: Placement) -> None:
        """Prescribe the placement of the next turn; what is ordered after it is chosen."""

    def estimate_placements(self, state: State, placements: Sequence[Placement]) -> list[float]:
        """Return how good each placement looks: the lead that it promises."""

    def estimate_orders(self, state: State, found: Sequence[Order]) -> list[float]:
        """Return how good each of these legal orders looks."""

    def scores_from(self, state: State) -> dict[str, int]:
        """Play for all seats from between two turns to the end; return the money of each player.

        The stock market takes no part.
        """


MakeAnalyst = Callable[[Rulebook, int], Analyst]


@cache
def analyst(name: str) -> MakeAnalyst:
    """Return what makes the analyst of this name from a rulebook and a seed."""
    make: MakeAnalyst = plugins(ANALYSTS)[name].load()
    return make
