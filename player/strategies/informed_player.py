"""A player in Python that remembers what it was sent, and is asked with the position at hand."""

from abc import ABC, abstractmethod

from ...game.rulebook import Rulebook
from ...game.state import State
from ...protocol.knowledge import Knowledge
from ...protocol.messages import VOID, Merge, PlayerMessage, RefereeMessage
from ...protocol.question import Question
from .guess import guess


class InformedPlayer(ABC):
    """A player that is called with each message of the referee, and returns its answer.

    ``seed`` is for random choices: the same seed plays the same game.
    """

    def __init__(self, rulebook: Rulebook, seed: int) -> None:
        self.rulebook = rulebook
        self.seed = seed
        self._knowledge = Knowledge(rulebook)

    @property
    def name(self) -> str:
        """The player's name at the table, empty before the first message."""
        return self._knowledge.name

    @property
    def state(self) -> State | None:
        """The last position that this player was sent; ``None`` before the first.

        What is hidden in it is guessed (:mod:`acquire.player.strategies.guess`).
        """
        known = self._knowledge.known
        return None if known is None else guess(known)

    def __call__(self, message: RefereeMessage) -> PlayerMessage:
        """Answer one message."""
        question = self._knowledge.hear(message)
        if question is None:
            return VOID
        answer = self.answer(question)
        if isinstance(answer, Merge):  # of no other answer there is anything to remember
            self._knowledge.answered(answer)
        return answer

    @abstractmethod
    def answer(self, question: Question) -> PlayerMessage:
        """Return a legal answer; what is hidden is 0 in the position of the question."""
