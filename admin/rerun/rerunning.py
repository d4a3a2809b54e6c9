"""A recorded match played once more with one player, and where its answers differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import trio

from admin.match import events
from admin.table.clocks import Clocks
from admin.table.lag import Lag
from admin.trial.door import Departure, Door
from admin.trial.playground import Playground
from admin.trial.recorded import Recorded, Said, begins_whole
from admin.trial.trial import Trial, Tried
from game.state import State
from protocol.faults import Fault, Reason


class Answer(NamedTuple):
    """What was said to a question in a turn (0 is the set-up), by the log and by the player."""

    turn: int
    question: str
    recorded: Said
    came: Said

    @property
    def same(self) -> bool:
        """Whether both said the same; two faults are the same when their reasons are."""
        return _comparable(self.recorded) == _comparable(self.came)


def _comparable(said: Said) -> object:
    return said.reason if isinstance(said, Fault) else said


class Break(NamedTuple):
    """How a player broke: the reason, the rule's code if one was broken, and the question."""

    reason: Reason
    rule: str
    question: str

    @classmethod
    def of(cls, tried: Tried) -> "Break | None":
        """Return how the player broke in a trial, if it did."""
        if tried.unseated is not None:
            return cls(tried.unseated.reason, "", "signup")
        return None if tried.ejected is None else cls.by(tried.ejected)

    @classmethod
    def by(cls, left: events.Ejected) -> "Break":
        """Return the same of an ejection."""
        return cls(left.reason, left.violation.value if left.violation else "", left.question)

    def __str__(self) -> str:
        return f"{self.rule or self.reason.value}, in answer to <{self.question}>"


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of driving turns of a recorded match into a player.

    ``answers`` are those that can be compared: in each turn up to the first that differs.
    """

    recorded: Recorded
    subject: str
    turns: tuple[int, ...]
    tried: Tried
    departure: Departure | None
    answers: tuple[Answer, ...]

    @property
    def differing(self) -> list[Answer]:
        """The answers that differ."""
        return [answer for answer in self.answers if not answer.same]

    @property
    def agrees(self) -> bool:
        """Whether all was answered as recorded, and ended as it did."""
        return bool(self.answers) and not self.differing and self._ended_alike

    @property
    def _ended_alike(self) -> bool:
        was = self.recorded.ejected.get(self.subject)
        return Break.of(self.tried) == (None if was is None else Break.by(was))

    def position(self, turn: int) -> State:
        """Return the position with which a turn began."""
        return self.recorded.positions.get(turn, self.recorded.start)


async def rerun(
    recorded: Recorded, subject: str, turns: Sequence[int], door: Door, clocks: Clocks
) -> Rerun:
    """Drive these turns into the player that comes through the door; ``NoShow`` when none does."""
    lag = Lag()
    script = recorded.script(subject, list(turns))
    playground = Playground(script.rulebook, lag)
    trial = Trial(playground, script, clocks)
    async with door.visit(subject) as visit, trio.open_nursery() as background:
        background.start_soon(lag.run)
        tried = await trial.play(visit.connection, visit.peer)
        background.cancel_scope.cancel()
    answers = tuple(_paired(recorded, subject, turns, tried))
    return Rerun(recorded, subject, tuple(turns), tried, visit.departure, answers)


def _paired(recorded: Recorded, subject: str, turns: Sequence[int], tried: Tried) -> list[Answer]:
    """Put what was recorded and what came side by side, in each turn up to a difference.

    Behind one, in the same turn, the two were asked different things.
    """
    paired: list[Answer] = []
    for turn, came in _by_turn(turns, tried).items():
        for (asked, was), (question, now) in zip(recorded.said(turn, subject), came, strict=False):
            if asked != question:
                break
            paired.append(Answer(turn, question, was, now))
            if not paired[-1].same:
                break
    return paired


def _by_turn(turns: Sequence[int], tried: Tried) -> dict[int, list[tuple[str, Said]]]:
    """Return what came, by the recorded numbers of the turns; 0 is the set-up, if it was played.

    The position with which a rerun begins in the middle was not told in the recorded match.
    """
    turn = 0 if begins_whole(turns) else None
    found: dict[int, list[tuple[str, Said]]] = {}
    for event in tried.events:
        match event:
            case events.TurnBegan(number, _, _):
                turn = turns[number - 1]
            case events.Answered(name, question, message) if name == tried.name:
                if turn is not None:
                    found.setdefault(turn, []).append((question, message))
            case events.Ejected(name, reason, _, ask, detail, data) if name == tried.name:
                if turn is not None and reason is not Reason.ILLEGAL:
                    fault = Fault(reason, detail, data)
                    found.setdefault(turn, []).append((ask.tag, fault))
    return found
