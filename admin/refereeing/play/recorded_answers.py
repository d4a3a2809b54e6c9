"""Recorded answers that a player gives again, as long as it is asked the same questions."""

from collections.abc import Sequence
from typing import TypeAlias

from ....protocol.faults import Fault
from ....protocol.messages import TAGS, PlayerMessage, RefereeMessage
from .in_process import Answerer

Response: TypeAlias = PlayerMessage | Fault
"""An answer, or what the player did wrong instead of answering."""


class RecordedAnswers:
    """A player's answers, each after its question (a root element), in the order of the record.

    ``last`` is the place of the answer taken last, ``None`` if there was none to the last question.
    """

    def __init__(self, answers: Sequence[tuple[str, Response]]) -> None:
        self._answers = answers
        self._next = 0
        self.last: int | None = None

    def take(self, question: str) -> Response | None:
        """Return the next answer to this question, ``None`` if none is left.

        The answers before it are skipped: their questions were not asked again.
        """
        for place in range(self._next, len(self._answers)):
            asked, answer = self._answers[place]
            if asked == question:
                self._next, self.last = place + 1, place
                return answer
        self.last = None
        return None

    def then(self, other: Answerer) -> Answerer:
        """Return a player that gives these answers, and leaves all other questions to another."""

        def answered(message: RefereeMessage) -> Response:
            recorded = self.take(TAGS[type(message)])
            return other(message) if recorded is None else recorded

        return answered
