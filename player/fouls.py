"""What a foul is: a move that breaks a rule, found in a position.

The fouls themselves are in :mod:`player.placement_fouls`, :mod:`player.order_fouls` and
:mod:`player.merger_fouls`, as data. Where a position gives no occasion, nothing is found.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from game.rulebook import Rulebook
from game.state import State
from game.violation import Violation
from protocol.messages import AdministratorMessage, PlayerMessage

MOST_ACQUIRED = 3
"""A tile has four neighbours, and one of the hotels beside it survives."""


class Moment(NamedTuple):
    """What the player called ``name`` knows when it is to answer ``question``.

    ``position`` is the one in which the mover places, ``ordering`` the one in which the order is
    given, after the placement; both are the last ones known. ``answer`` is the right one.
    """

    name: str
    question: AdministratorMessage | None
    position: State
    ordering: State
    answer: PlayerMessage


class Foul(NamedTuple):
    """One way to break a rule, and no other: how it is called, and the rule.

    ``find`` lists the answers that break it at a moment, ``summary`` says it in words.
    """

    way: str
    violation: Violation
    find: Callable[[Moment], Iterator[PlayerMessage]]
    summary: str
    concerns: Callable[[Rulebook], bool] = lambda _: True
    """Whether the rulebook has the rule, and gives occasion to break it."""
