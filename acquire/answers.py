"""Players that choose among whole answers."""

from abc import ABC, abstractmethod
from typing import TypeAlias

from .game.rulebook import Rulebook
from .game.state import State
from .player.strategies.guess import guess
from .protocol import messages
from .protocol.knowledge import Knowledge
from .protocol.known import whole_position
from .protocol.messages import PlayerMessage, QuestionMessage, RefereeMessage
from .protocol.question import Question

Answer: TypeAlias = PlayerMessage
"""What a player sends."""


def guessed(question: Question) -> Question:
    """Return a question in the position as its player imagines it: what is hidden is guessed."""
    known = whole_position(guess(question.known))
    return Question(question.message, question.name, known, question.merger)


class Chooser(ABC):
    """A player that chooses among whole answers, in this process or over TCP.

    ``choose`` is called for every question to which there is more than one answer. A player that
    rather decides about tiles, orders and certificates one by one is a :class:`Strategy`.
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
        """The last position that this player was sent; ``None`` before the first."""
        known = self._knowledge.known
        return None if known is None else guess(known)

    @abstractmethod
    def choose(self, question: Question) -> Answer:
        """Return one of ``question.answers``."""

    def __call__(self, message: RefereeMessage) -> Answer:
        """Answer a message."""
        question = self._knowledge.hear(message)
        if question is None:
            return messages.VOID
        answer = self._chosen(guessed(question))
        self._knowledge.answered(answer)
        return answer

    def _chosen(self, question: Question) -> Answer:
        answers = question.answers
        if len(answers) == 1:
            return answers[0]
        answer = self.choose(question)
        if not isinstance(answer, PlayerMessage):
            raise TypeError(
                f"{type(self).__name__}.choose() returned {answer!r}, not one of question.answers"
            )
        return answer


def legal_answers(message: RefereeMessage, state: State, name: str) -> list[Answer]:
    """Return every legal answer of the player called ``name`` to a message, without duplicates.

    ``state`` is the position in which it is put; in a merger, hotels joined and bonuses paid. A
    message that is only acknowledged has one answer.

    >>> from acquire.game.notation import parse_position
    >>> from acquire.game.rulebooks import CLASSIC
    >>> state = parse_position(CLASSIC, "AA", ["ann 3A $800", "bob", "cyd"])
    >>> turn = messages.Turn(state.board, state.players)
    >>> [len(answer.order) for answer in legal_answers(turn, state, "ann")]
    [0, 1, 2]
    """
    if not isinstance(message, QuestionMessage):
        return [messages.VOID]
    return Question(message, name, whole_position(state)).legal()
