"""What an illegal move is, and what is known when one is looked for.

The moves themselves are data: :mod:`acquire.player.misbehaving.illegal_placements`,
:mod:`acquire.player.misbehaving.illegal_orders` and
:mod:`acquire.player.misbehaving.illegal_disposals`.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from ...game.rulebook import Rulebook
from ...game.state import State
from ...game.violation import Violation
from ...protocol.messages import PlayerMessage, RefereeMessage

MAX_ACQUIRED = 3
"""A tile has four neighbours, and one of the hotels beside it survives."""


class Moment(NamedTuple):
    """What the player called ``name`` knows when it has to answer ``question``.

    ``position`` is the one in which the mover places, ``ordering`` the one in which the order is
    given, after the placement; both are the last ones known. ``answer`` is the correct answer, and
    ``question`` is ``None`` at sign-up, where nothing is asked.
    """

    name: str
    question: RefereeMessage | None
    position: State
    ordering: State
    answer: PlayerMessage


Find: TypeAlias = Callable[[Moment], Iterator[PlayerMessage]]
"""Lists the answers that break a rule at a moment; none where the position gives no opening."""


class IllegalMove(NamedTuple):
    """One way to break one rule and no other; ``summary`` describes it to a reader."""

    way: str
    violation: Violation
    find: Find
    summary: str
    applies: Callable[[Rulebook], bool] = lambda _: True
    """Whether the rulebook has the rule, and positions in which it can be broken."""
