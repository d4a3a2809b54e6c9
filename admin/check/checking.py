"""All cases, some of them side by side, and when it is of no use to go on."""

from collections.abc import Callable, Sequence
from typing import Protocol

import trio

from admin.check.case import Case
from admin.check.judging import Result, Verdict, clocks_for, judge
from admin.table.clocks import Clocks
from admin.table.crash_report import write_crash_report
from admin.table.lag import Lag
from admin.trial.door import Departure, Door, NoShow
from admin.trial.playground import Playground
from admin.trial.trial import Trial, Tried
from game.rulebook import Rulebook
from protocol.faults import Reason

HOPELESS = {"absent": 3, Reason.TIMED_OUT.value: 8}
"""How many cases in a row may end so before the rest is given up: each costs its seconds."""

TRIES = 2
"""How often a case is played in which the player was late, but so was this process."""


class Watcher(Protocol):
    """Who is told how far a check has come. Every method returns at once."""

    def begun(self, case: Case) -> None:
        """A case is laid before the player."""

    def judged(self, result: Result) -> None:
        """A case has its verdict."""


class Checker:
    """A check of one player. ``run`` may be called once.

    ``jobs`` cases are played side by side. Unless ``keep_going``, cases are given up where many in
    a row ended because the player did not come, or never answered. ``clocks`` are those of a case.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        cases: Sequence[Case],
        door: Door,
        watcher: Watcher,
        *,
        jobs: int = 1,
        strict: bool = False,
        keep_going: bool = False,
        clocks: Callable[[Case], Clocks] = clocks_for,
    ) -> None:
        self._rulebook = rulebook
        self._cases = cases
        self._door = door
        self._watcher = watcher
        self._jobs = jobs
        self._strict = strict
        self._keep_going = keep_going
        self._clocks = clocks
        self._results: dict[str, Result] = {}
        self._in_a_row: dict[str, int] = dict.fromkeys(HOPELESS, 0)

    async def run(self) -> list[Result]:
        """Play the cases and return a result for each, in their order."""
        lag = Lag()
        playground = Playground(self._rulebook, lag)
        waiting = iter(self._cases)

        async def work() -> None:
            for case in waiting:
                self._note(case, await self._result(case, playground))

        async with trio.open_nursery() as background:
            background.start_soon(lag.run)
            async with trio.open_nursery() as workers:
                for _ in range(self._jobs):
                    workers.start_soon(work)
            background.cancel_scope.cancel()
        return [self._results[case.id] for case in self._cases]

    async def _result(self, case: Case, playground: Playground) -> Result:
        hopeless = self._hopeless()
        if hopeless is not None:
            return Result(case, Verdict.NOT_REACHED, f"Given up: {hopeless}", played=False)
        self._watcher.begun(case)
        began = trio.current_time()
        result = await self._play(case, playground)
        return result.lasted(trio.current_time() - began)

    async def _play(self, case: Case, playground: Playground) -> Result:
        clocks = self._clocks(case)
        tried, departure = Tried(), None
        try:
            for _ in range(TRIES):
                trial = Trial(playground, case.script, clocks, case.manner, pause=case.pause)
                async with self._door.visit(case.name) as visit:
                    tried = await trial.play(visit.connection, visit.peer)
                departure = visit.departure
                if not tried.doubted:
                    break
            return judge(case, tried, departure, strict=self._strict)
        except NoShow as absent:
            return _absent(case, absent)
        except Exception as error:  # the other cases are judged all the same
            came = f"Broken off by a defect of this program. {write_crash_report(error)}"
            return Result(case, Verdict.NOT_REACHED, came, played=False)

    # -- giving up ------------------------------------------------------------------------------

    def _note(self, case: Case, result: Result) -> None:
        self._results[case.id] = result
        self._watcher.judged(result)
        if not result.played:
            return
        ended = result.ended_by
        for how, count in self._in_a_row.items():
            self._in_a_row[how] = count + 1 if how == ended else 0

    def _hopeless(self) -> str | None:
        """Return why the rest is given up, if it is."""
        if self._keep_going:
            return None
        for how, count in self._in_a_row.items():
            if count >= HOPELESS[how]:
                what = "it did not come" if how == "absent" else "it did not answer in time"
                return f"{what} in {count} cases one after another (--keep-going plays them all)."
        return None


def _absent(case: Case, absent: NoShow) -> Result:
    """Judge a player who did not connect: that is what the section of the sign-up is about."""
    departure: Departure | None = absent.departure
    came = str(absent) if departure is None else f"{absent} {departure.how}"
    verdict = Verdict.FAIL if "signup" in case.about else Verdict.NOT_REACHED
    return Result(case, verdict, came, tried=Tried(), departure=departure)
