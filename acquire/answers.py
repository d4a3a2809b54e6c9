"""Players that choose among whole answers."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeAlias

from .game.state import State
from .player.strategies.guess import guess
from .player.strategies.strategy import InformedPlayer
from .protocol import messages
from .protocol.messages import PlayerMessage, QuestionMessage, RefereeMessage
from .protocol.question import Known, Question

Answer: TypeAlias = PlayerMessage
"""What a player sends."""


def guessed(question: Question) -> Question:
    """Return a question in the position as its player imagines it: what is hidden is guessed."""
    known = Known(guess(question.known))
    return Question(question.message, question.name, known, question.merger)


class Chooser(InformedPlayer):
    """A player that chooses among whole answers, in this process or over TCP.

    ``choose`` is called for every question to which there is more than one answer. A player that
    rather decides about tiles, orders and certificates one by one is a :class:`Strategy`.
    """

    @abstractmethod
    def choose(self, question: Question) -> Answer:
        """Return one of ``question.answers``."""

    def answer(self, question: Question) -> Answer:
        """Choose among the legal answers, in the position as the player imagines it."""
        question = guessed(question)
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

    >>> from acquire import CLASSIC, parse_position
    >>> state = parse_position(CLASSIC, "AA", ["ann 3A $800", "bob", "cyd"])
    >>> turn = messages.Turn(state.board, state.players)
    >>> [len(answer.order) for answer in legal_answers(turn, state, "ann")]
    [0, 1, 2]
    """
    if not isinstance(message, QuestionMessage):
        return [messages.VOID]
    return Question(message, name, Known(state)).legal()
