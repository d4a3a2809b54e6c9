"""The recorded move as a player: what was answered in one turn, and after it a strategy's answers.

The others need not do what they did, nor is the bag the same. So the move may not be legal any more
to its end: a hand was replaced by other tiles before it, the bank has fewer certificates after a
merger. The referee says so, and the move is amended: an order gets shorter, anything else is left
to the strategy.
"""

from collections.abc import Sequence
from typing import TypeAlias

from admin.match.in_process import Strategy
from admin.trial.recorded import Said
from game.merger import join
from game.placement import Kind, kind_of
from game.state import State
from game.violation import Violation
from protocol import messages
from protocol.faults import Fault
from protocol.messages import TAGS, AdministratorMessage, PlayerMessage

Answers: TypeAlias = tuple[tuple[str, PlayerMessage], ...]
"""What was answered in a turn, each with the question (a root element), in order."""

DECISIONS = ("turn", "keep", "dispose", "players")
"""The questions of a turn in which something is decided about tiles that do not change."""


def move_of(position: State, said: Sequence[tuple[str, Said]]) -> Answers:
    """Return what the mover decided in the turn that began with ``position``.

    What the market's tile brought about in a merger is not part of it: it is another tile now.
    """
    answers = [
        (question, answer)
        for question, answer in said
        if question in DECISIONS and not isinstance(answer, Fault)
    ]
    disposals = _disposals(position, answers)
    kept: list[tuple[str, PlayerMessage]] = []
    for question, answer in answers:
        if question == "dispose":
            disposals -= 1
            if disposals < 0:
                continue
        kept.append((question, answer))
    return tuple(kept)


def _disposals(position: State, answers: Sequence[tuple[str, PlayerMessage]]) -> int:
    """Count the hotels of which the mover has certificates, and that the placement acquires."""
    for _, answer in answers:
        match answer:
            case messages.Merge(placement):
                if not position.mover.hand >> placement.tile & 1:
                    return 0  # drawn when the hand was replaced, and not there another time
                if kind_of(position.board, placement.tile) is not Kind.MERGING:
                    return 0
                acquired = join(position, placement).acquired
                return sum(1 for hotel in acquired if position.mover.shares[hotel])
    return 0


class Recalled:
    """Gives the recorded answers as their questions come, and all others by a strategy.

    ``last`` is the place among the answers of the one given last, ``None`` if the strategy gave it.
    """

    def __init__(self, answers: Answers, strategy: Strategy) -> None:
        self._answers = answers
        self._next = 0
        self._strategy = strategy
        self.last: int | None = None

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        """Answer one message."""
        question = TAGS[type(message)]
        if question == "tile":  # the turn is over
            self._next = len(self._answers)
        for place in range(self._next, len(self._answers)):
            asked, said = self._answers[place]
            if asked == question:
                self._next, self.last = place + 1, place
                return said
        self.last = None
        return self._strategy(message)


def amended(answers: Answers, at: int, violation: Violation | None) -> Answers:
    """Return the answers without what the referee refused in the one at this place."""
    question, said = answers[at]
    match said:
        case messages.Order(hotels, True) if violation is Violation.NOT_OVER:
            shorter = messages.Order(hotels)
        case messages.Order(hotels, end) if hotels:
            shorter = messages.Order(hotels[:-1], end)
        case _:
            return answers[:at]
    return (*answers[:at], (question, shorter), *answers[at + 1 :])
