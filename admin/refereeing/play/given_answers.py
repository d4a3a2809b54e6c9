"""A player whose answers in a turn are given beforehand, such as recorded ones."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from ....protocol.messages import TAGS, RefereeMessage

A = TypeVar("A")
"""An answer, where faults can be given as well an answer or a fault."""


class GivenAnswers(Generic[A]):
    """Gives each answer when its question comes, in order; ``otherwise`` answers all others.

    The game may go another way than the one in which they were given. An answer is left out if
    its question has not come before that of a later one, and all that are left are once a tile is
    drawn that was not drawn then: the next turn is another one.
    """

    def __init__(
        self, answers: Iterable[tuple[str, A]], otherwise: Callable[[RefereeMessage], A]
    ) -> None:
        """``answers`` have the root element of their question before them."""
        self._answers = tuple(answers)
        self._otherwise = otherwise
        self._next = 0
        self.last: int | None = None
        """The index of the given answer that was taken last, ``None`` if another came after it."""

    def take(self, question: str) -> A | None:
        """Take the next given answer to a question, if there is one."""
        for place in range(self._next, len(self._answers)):
            asked, answer = self._answers[place]
            if asked == question:
                self._next, self.last = place + 1, place
                return answer
        if question == "tile":
            self._next = len(self._answers)
        self.last = None
        return None

    def __call__(self, message: RefereeMessage) -> A:
        """Answer one message."""
        given = self.take(TAGS[type(message)])
        return self._otherwise(message) if given is None else given
