"""Runs all cases, several at a time, and gives up on a player that never responds."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

import trio

from ....protocol.faults import Reason
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag
from ...refereeing.table.run import beside, write_crash_report
from ..cases.case import Case
from ..trial.player_source import MachineFailed, PlayerNotConnected, PlayerSource
from ..trial.trial import Trial, TrialResult
from .case_judge import clocks_for, judge, was_excused
from .check_result import CaseResult, CaseVerdict

MACHINE_FAILED = "machine"  # how a case ended in which this machine failed, and not the player
GIVE_UP_AFTER = {
    "absent": (3, "the player did not connect"),
    MACHINE_FAILED: (3, "this machine failed"),
    Reason.TIMED_OUT.value: (8, "the player did not answer in time"),
}
"""After how many such cases in a row the rest is given up: each costs a whole time-out."""
ENOUGH = 3  # late answers before giving up, if the player never answered that question
NEEDED = ("setup", "turn")  # `ENOUGH` is for these: hardly a case can be passed without them
MAX_ATTEMPTS = 2
"""How often a case is played in which the player was late, but this process was late as well; or
in which this machine failed."""
LONG_WAIT = 2.0  # seconds of a case in which its player has nothing to do
PAUSE = 1.0  # seconds before a player is started again that this machine could not start


class CheckObserver:
    """Is notified of the progress of a check, and ignores it. Every method returns at once."""

    def case_started(self, case: Case) -> None:
        """A case is about to be played."""

    def case_judged(self, result: CaseResult) -> None:
        """A case has its verdict."""


@dataclass(slots=True)
class Checker:
    """A check of one player. ``run`` may be called once.

    ``jobs`` cases run at a time. When a player that was still starting did not connect in time, or
    was late and excused because it waited for a processor, they may have slowed each other down;
    when this machine failed, they may have needed too much of it. Then the case is played again,
    and from then on one at a time. No player fails a case in which the machine failed.
    Unless ``keep_going``, the remaining cases are given up when many in a row ended because the
    player did not connect or did not answer. ``clocks`` returns the clocks of a case.
    """

    cases: Sequence[Case]
    source: PlayerSource
    observer: CheckObserver = field(default_factory=CheckObserver)
    _: KW_ONLY
    jobs: int = 1
    strict: bool = False
    keep_going: bool = False
    clocks: Callable[[Case], Clocks] = clocks_for
    _lag: Lag = field(init=False, default_factory=Lag)
    _room: trio.CapacityLimiter = field(init=False)
    _results: dict[str, CaseResult] = field(init=False, default_factory=dict)
    _in_a_row: dict[str, int] = field(init=False, default_factory=dict)
    """How the last case ended, and how many in a row did."""
    _late_at: Counter[str] = field(init=False, default_factory=Counter)
    _answered: set[str] = field(init=False, default_factory=set)

    async def run(self) -> list[CaseResult]:
        """Play the cases; return their results in the same order."""
        self._room = trio.CapacityLimiter(self.jobs)
        waiting = iter(self.cases)
        if self.jobs > 1:  # those that mostly wait come first: others are played beside them
            waiting = iter(sorted(self.cases, key=lambda case: case.waits < LONG_WAIT))

        async def work() -> None:
            for case in waiting:
                self._record(await self._result(case))

        async with beside(self._lag.run), trio.open_nursery() as workers:
            for _ in range(self.jobs):
                workers.start_soon(work)
        return [self._results[case.id] for case in self.cases]

    async def _result(self, case: Case) -> CaseResult:
        if reason := self._reason_to_give_up():
            actual = f"Given up: {reason}"
            return CaseResult(case, CaseVerdict.NOT_REACHED, actual, played=False)
        self.observer.case_started(case)
        attempts = 0
        while True:
            async with self._room:
                alone, began = self._room.total_tokens == 1, trio.current_time()
                result, excused = await self._play(case)
                if crowded := excused and not alone:
                    self._room.total_tokens = 1
            attempts += not crowded
            again = crowded or result.machine_failed or result.trial.referee_was_late
            if attempts == MAX_ATTEMPTS or not again:
                return replace(result, seconds=trio.current_time() - began)
            if result.machine_failed:
                await trio.sleep(PAUSE)

    async def _play(self, case: Case) -> tuple[CaseResult, bool]:
        """Play a case; return its result, and whether this machine excuses a failure."""
        clocks, verdict = self.clocks(case), CaseVerdict.NOT_REACHED
        try:
            trial = Trial(case.script, clocks, self._lag, case.delivery, pause=case.pause)
            played = await trial.play_against(self.source, case.name)
            result = judge(case, played, strict=self.strict, clocks=clocks)
            return result, was_excused(played, clocks)
        except PlayerNotConnected as error:
            if "signup" in case.tested:  # the only cases that test it
                verdict = CaseVerdict.FAIL
            played = TrialResult(exit_report=error.exit_report)
            return CaseResult(case, verdict, str(error), trial=played), error.was_computing
        except MachineFailed as error:
            return CaseResult(case, verdict, str(error), machine_failed=True), True
        except Exception as error:  # the other cases are judged all the same
            actual = f"The case was stopped by a bug in acquire check. {write_crash_report(error)}"
            return CaseResult(case, verdict, actual, played=False), False

    # -- giving up ------------------------------------------------------------------------------

    def _record(self, result: CaseResult) -> None:
        self._results[result.case.id] = result
        self.observer.case_judged(result)
        if not result.played:
            return
        ended_by = MACHINE_FAILED if result.machine_failed else result.ended_by
        self._in_a_row = {ended_by: self._in_a_row.get(ended_by, 0) + 1}
        self._answered |= {question for question, _ in result.trial.answers}
        late = result.ended_by == Reason.TIMED_OUT.value and not result.trial.referee_was_late
        self._late_at[result.trial.failed_question] += late

    def _reason_to_give_up(self) -> str:
        """Return why the remaining cases are given up, or an empty string."""
        if self.keep_going:
            return ""
        for ending, (most, what) in GIVE_UP_AFTER.items():
            if (count := self._in_a_row.get(ending, 0)) >= most:
                return f"{what} in {count} cases in a row (--keep-going plays them all)."
        for question in NEEDED:
            if self._late_at[question] >= ENOUGH and question not in self._answered:
                what = "<turn>" if question == "turn" else "the first position"
                return f"the player never answered {what} in time (--keep-going plays them all)."
        return ""
