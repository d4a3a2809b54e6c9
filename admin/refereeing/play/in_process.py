"""A game played by strategies in this process, or by recorded answers: no socket, clock or XML."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from ....protocol.conversation import Conversation, Side, Step
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.messages import TAGS, VOID, PlayerMessage, RefereeMessage, SignUp
from ....protocol.sayable import unsayable
from .dealer import Dealer
from .events import Event
from .outcome import Outcome
from .questions import ACKNOWLEDGED, Ask, Replies, Reply
from .referee import Questions, Referee, Segment

Strategy: TypeAlias = Callable[[RefereeMessage], PlayerMessage]
"""A built-in player: it receives each message of the referee and returns its answer."""
Response: TypeAlias = PlayerMessage | Fault
"""An answer, or what the player did wrong instead of answering."""
Answerer: TypeAlias = Callable[[RefereeMessage], Response]
"""A strategy, or a recorded player, which also repeats recorded faults."""
AtError: TypeAlias = Callable[[BaseException], Fault]  # makes a fault of what a strategy raised


class LocalSeat:
    """A seat taken by a strategy, held to the same conversation as a connection.

    A strategy's exceptions propagate, unless ``at_error`` makes faults of them. An answer that no
    message can say is invalid, as it would be on a connection.
    """

    def __init__(
        self,
        name: str,
        strategy: Answerer,
        kind: str = "",
        dialect: Dialect = Dialect.COURSE,
        at_error: AtError | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self._strategy: Callable[[RefereeMessage], object] = strategy  # whatever it answers
        self._at_error = at_error
        self._signed_up = False
        self._conversation = Conversation(Side.REFEREE, Step.SEATED, dialect)

    def ask(self, ask: Ask) -> Reply | Fault:
        """Put a question and return the answer at once."""
        try:
            if not self._signed_up:  # a strategy is sent its name, as a connection is
                self._strategy(SignUp(self.name))
                self._signed_up = True
            answer = self._strategy(ask.message)
            tag = TAGS[type(ask.message)]
            if answer is VOID:  # most are
                return self._conversation.exchange(tag, "void") or ACKNOWLEDGED
            if isinstance(answer, Fault):
                return answer
            who = type(self._strategy).__name__
            if not isinstance(answer, PlayerMessage):
                raise TypeError(f"{who} answered <{tag}> with {answer!r}, no message of a player")
            if (what := unsayable(answer, ask.state.rulebook)) is not None:
                detail = f"{who} answered <{tag}> with {what}, which no message can say."
                return Fault(Reason.INVALID, detail)
            fault = self._conversation.exchange(tag, TAGS[type(answer)])
        except (Exception, SystemExit) as error:
            if self._at_error is None:
                raise
            return self._at_error(error)
        return Reply(answer) if fault is None else fault


def play(
    questions: Questions, players: Mapping[str, Answerer], dialect: Dialect = Dialect.COURSE
) -> Outcome:
    """Play a game to its end and return its outcome; a strategy's exceptions propagate."""
    return drive(
        questions,
        {name: LocalSeat(name, player, dialect=dialect) for name, player in players.items()},
    )


def play_from(
    segment: Segment,
    names: Sequence[str],
    players: Mapping[str, Answerer],
    dealer: Dealer,
    subject: str | None = None,
    emit: Callable[[Event], None] = lambda _: None,
) -> Outcome:
    """Play from a position, and return the outcome; stop if ``subject`` is ejected.

    ``names`` are those of all seats in sign-up order; some may have left before. ``dealer``
    shuffles after ejections.
    """
    rulebook = segment.position.rulebook
    referee = Referee(rulebook, names, dealer.bag, dealer.shuffle, emit)
    questions = referee.play_segments([segment], subject)
    return play(questions, players, Dialect.of(rulebook))


def drive(questions: Questions, seats: Mapping[str, LocalSeat]) -> Outcome:
    """Put all questions of a game to seats, and return the outcome."""
    asks = next(questions)
    while True:
        replies: Replies = {}
        for name, ask in asks.items():
            replies[name] = seats[name].ask(ask)
        try:
            asks = questions.send(replies)
        except StopIteration as stop:
            outcome: Outcome = stop.value
            return outcome


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
