"""Plays recorded turns against one player, and compares its answers with the recorded ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import trio

from ....game.state import State
from ....game.violation import Violation
from ....protocol.faults import Fault, Reason
from ...refereeing.play import events
from ...refereeing.play.in_process import Response
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag
from ..trial.exit_report import ExitReport, exit_before_answer
from ..trial.game_history import GameHistory, includes_set_up
from ..trial.player_source import PlayerSource
from ..trial.trial import Trial, TrialResult


class AnswerComparison(NamedTuple):
    """A question in a turn (0 is the set-up), with the recorded response and the actual one."""

    turn: int
    question: str
    recorded: Response
    actual: Response

    @property
    def same(self) -> bool:
        """Whether both responses are the same; two faults are if their reasons are."""
        recorded, actual = (
            each.reason if isinstance(each, Fault) else each
            for each in (self.recorded, self.actual)
        )
        return recorded == actual


class Failure(NamedTuple):
    """How a player failed: the broken rule of the game, or else the reason, and the question."""

    rule: Violation | Reason
    question: str

    @classmethod
    def in_trial(cls, trial: TrialResult) -> "Failure | None":
        """Return how the player failed in a trial, if it did."""
        if trial.sign_up_fault is not None:
            return cls(trial.sign_up_fault.reason, "signup")
        left = trial.ejected
        return None if left is None else cls(left.rule, left.question)

    def __str__(self) -> str:
        return f"{self.rule.value}, in answer to <{self.question}>"


@dataclass(frozen=True, slots=True)
class RerunResult:
    """The result of playing recorded turns against a player.

    ``comparisons`` are, in each turn, those up to the first response that differs.
    """

    recorded: GameHistory
    subject: str
    turns: tuple[int, ...]
    trial: TrialResult
    exit_report: ExitReport | None
    comparisons: tuple[AnswerComparison, ...]

    @property
    def differing(self) -> list[AnswerComparison]:
        """The comparisons in which the responses differ."""
        return [each for each in self.comparisons if not each.same]

    @property
    def agrees(self) -> bool:
        """Whether the player responded as recorded to everything, and ended in the same way."""
        ended_alike = Failure.in_trial(self.trial) == self.recorded_failure
        return bool(self.comparisons) and not self.differing and ended_alike

    @property
    def recorded_failure(self) -> Failure | None:
        """How the player failed in the recorded game, if that was in these turns."""
        left_in = self.recorded.left_in.get(self.subject)
        if left_in not in self.turns and not (left_in == 0 and includes_set_up(self.turns)):
            return None
        left = self.recorded.ejected[self.subject]
        return Failure(left.rule, left.question)

    @property
    def last_turn(self) -> int:
        """The last turn of the player in the recorded game."""
        return max(self.recorded.turns_of(self.subject), default=0)

    @property
    def early_exit(self) -> str:
        """How the program ended instead of answering; empty if it did not end so."""
        early, report = exit_before_answer(self.trial, self.exit_report), self.exit_report
        return f"{early} {report.last_line}".rstrip() if early and report else ""

    def position(self, turn: int) -> State:
        """Return the position in which a turn began."""
        return self.recorded.positions.get(turn, self.recorded.start)


async def rerun(
    recorded: GameHistory, subject: str, turns: Sequence[int], source: PlayerSource, clocks: Clocks
) -> RerunResult:
    """Play these turns against the player from ``source``; raises ``PlayerNotConnected``."""
    lag = Lag()
    script = recorded.script(subject, list(turns))
    trial = Trial(script, clocks, lag)
    async with source.connect(subject) as player, trio.open_nursery() as background:
        background.start_soon(lag.run)
        result = await trial.play(player.socket, player.peer, player.work)
        background.cancel_scope.cancel()
    comparisons = tuple(_compare(recorded, subject, turns, result))
    return RerunResult(recorded, subject, tuple(turns), result, player.exit_report, comparisons)


def _compare(
    recorded: GameHistory, subject: str, turns: Sequence[int], trial: TrialResult
) -> list[AnswerComparison]:
    """Pair recorded and actual responses, in each turn up to the first difference.

    After that, the same turn may go on with other questions than in the game.
    """
    found: list[AnswerComparison] = []
    for turn, responses in _responses_by_turn(turns, trial).items():
        pairs = zip(recorded.responses(turn, subject), responses, strict=False)
        for (recorded_question, before), (question, now) in pairs:
            if recorded_question != question:
                break
            found.append(AnswerComparison(turn, question, before, now))
            if not found[-1].same:
                break
    return found


def _responses_by_turn(
    turns: Sequence[int], trial: TrialResult
) -> dict[int, list[tuple[str, Response]]]:
    """Return the actual responses by the recorded numbers of the turns; 0 is the set-up.

    Without the set-up, the first position is left out: the game has no such question there.
    """
    turn = 0 if includes_set_up(turns) else None
    found: dict[int, list[tuple[str, Response]]] = {}
    for event in trial.events:
        match event:
            case events.TurnBegan(number, _, _):
                turn = turns[number - 1]
            case events.Answered(name, question, message) if name == trial.name:
                if turn is not None:
                    found.setdefault(turn, []).append((question, message))
            case events.Ejected(name, reason, _, ask, detail, data) if name == trial.name:
                if turn is not None and reason is not Reason.ILLEGAL:
                    fault = Fault(reason, detail, data)
                    found.setdefault(turn, []).append((ask.tag, fault))
    return found
