"""The situation in which a player was asked the question that it was ejected for."""

from typing import NamedTuple

from ....game.merger import Merger
from ....game.state import State
from ....protocol.messages import RefereeMessage


class Situation(NamedTuple):
    """What a player was asked, and when: ``turn`` is 0 in the set-up.

    ``merger`` is the current one, if any.
    """

    turn: int
    name: str
    question: RefereeMessage
    state: State
    merger: Merger | None = None
