"""A recorded game as a script: turn by turn, with the answers that its players gave."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from ....game.state import State
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ....protocol.knowledge import Knowledge
from ....protocol.messages import TAGS, RefereeMessage
from ....protocol.user_error import UserError
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Verifier
from ...refereeing.play import events
from ...refereeing.play.events import Event
from ...refereeing.play.in_process import RecordedAnswers, Response
from ...refereeing.play.referee import Segment
from .trial import MakePlayer, Script


class DivergentLog(UserError):
    """A log diverges from the rules and cannot be played again; user-facing message."""


def responses_in(happened: Iterable[Event]) -> Mapping[tuple[int, str], list[tuple[str, Response]]]:
    """Return how players responded in each turn of a game (0 is the set-up), after which questions.

    There is an empty list for those who were not asked.
    """
    turn, found = 0, defaultdict[tuple[int, str], list[tuple[str, Response]]](list)
    for event in happened:
        match event:
            case events.TurnBegan(number):
                turn = number
            case events.Answered(name, question, message):
                found[turn, name].append((question, message))
            case events.Ejected(name, reason) if reason is not Reason.ILLEGAL:
                fault = Fault(reason, event.detail, event.data, event.circumstance)
                found[turn, name].append((event.question, fault))
    return found


class GameHistory:
    """A recorded game by turns; ``DivergentLog`` if it diverges from the rules.

    ``names`` are the players in seat order, ``start`` is the position after the set-up. By the
    number of the turn, ``positions`` has the position in which it began and ``movers`` who moved.
    ``left_in`` has the turn in which a player was ejected; ``outcome`` is how the game ended.
    """

    def __init__(self, record: RecordedGame) -> None:
        self.header = record.header
        self.names = record.header.names
        self.positions: dict[int, State] = {}
        self.movers: dict[int, str] = {}
        verdict = Verifier(record).verify()
        self.start, self.outcome = verdict.start, verdict.outcome
        self.ejected = {each.name: each for each in self.outcome.ejected}
        self.left_in = dict(zip(self.ejected, self.outcome.ejected_in, strict=True))
        if verdict.divergence is not None:
            raise DivergentLog(f"The log diverges from the rules: {verdict.divergence}")
        self._responses = responses_in(verdict.events)
        for event in verdict.events:
            match event:
                case events.LaidOut(state) if not self.positions:
                    self.start = state
                case events.TurnBegan(number, name, state):
                    self.positions[number] = state
                    self.movers[number] = name
        last = max(self.positions, default=0)
        if last and not self.responses(last, self.movers[last]):
            del self.positions[last]  # the log ends before the mover answered

    def responses(self, turn: int, name: str) -> list[tuple[str, Response]]:
        """Return a player's responses in a turn (0 is the set-up), each after its question."""
        return self._responses[turn, name]

    def turns_of(self, name: str) -> list[int]:
        """List the turns until the end of the game, or until a player left."""
        last = self.left_in.get(name, max(self.positions, default=0))
        return [turn for turn in self.positions if turn <= last]

    def script(self, subject: str, turns: list[int]) -> Script:
        """Make a script of these turns, each from its recorded position; to be played once.

        Unless the first turn is among them, the game begins with the first of them.
        """
        segments = [Segment(self.positions[turn], 1) for turn in turns]
        if includes_set_up(turns):
            segments.insert(0, Segment(self.start, 0))
        recorded = RecordedOpponents(self, subject, turns)
        return Script(
            self.header.rulebook,
            self.names,
            subject,
            tuple(segments),
            {name: recorded.maker(name) for name in self.names if name != subject},
            seed=self.header.seed,
            game=self.header.game,
            reader=recorded,
        )


def includes_set_up(turns: Sequence[int]) -> bool:
    """Whether a script of these turns begins with the set-up, as the game did."""
    return not turns or turns[0] == 1


class RecordedOpponents:
    """The opponents in a recorded game: each repeats its recorded answers.

    Reads the events of the trial. Once the subject has answered differently than recorded, the
    opponents' answers to the rest of that turn no longer fit: they make the simplest legal ones.
    """

    def __init__(self, recorded: GameHistory, subject: str, turns: list[int]) -> None:
        self._recorded = recorded
        self._turns = turns
        self._subject = subject
        self._opponents = {*recorded.names} - {subject}  # the subject may be renamed in the trial
        rulebook = recorded.header.rulebook
        self._knowledge = {name: Knowledge(rulebook, name) for name in recorded.names}
        self._begin(0)

    def _begin(self, turn: int) -> None:
        self._diverged = False
        responses = self._recorded.responses
        self._answers = {name: RecordedAnswers(responses(turn, name)) for name in self._knowledge}

    def __call__(self, event: Event) -> None:
        """Read an event of the trial."""
        match event:
            case events.TurnBegan(number, _, _):
                self._begin(self._turns[number - 1])
            case events.Answered(name, question, message) if name not in self._opponents:
                self._diverged |= message != self._answers[self._subject].take(question)

    def maker(self, name: str) -> MakePlayer:
        """Return a function that makes one of the opponents."""
        return lambda _rulebook: partial(self.answer, name)

    def answer(self, name: str, message: RefereeMessage) -> Response:
        """Return how a player responds to a message."""
        question = self._knowledge[name].hear(message)
        recorded = self._answers[name].take(TAGS[type(message)])
        if recorded is None or self._diverged:
            recorded = messages.VOID if question is None else question.simplest()
        if not isinstance(recorded, Fault):
            self._knowledge[name].answered(recorded)
        return recorded
