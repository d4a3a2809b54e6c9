"""The check of an administrator: plays the matches, several at a time, and judges the cases."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from typing import Protocol

import trio

from ....game.rulebook import Rulebook
from ....game.tiles import Tile
from ...launching.process_exit import ProcessExit
from ...refereeing.table.clocks import Clocks
from ..case_parts.case import Case
from ..judging.case_result import CaseResult, CaseVerdict
from ..trial.exit_report import ExitReport
from ..trial.trial import TrialResult
from .breaches import Breach
from .exchanges import Cheat, MatchTrace
from .line_up import Cast, MatchPlan
from .lockstep import Lockstep
from .match_player import MatchPlayer
from .plans import MatchSchedule
from .rehearsal import rehearse
from .requirements import with_position
from .source import Administrator
from .whole_match import of_whole_match, reached_as_whole

SLOW_LANES = 6
"""Matches that wait for clocks, beside the others: they cost no processor time."""
ROUNDS = 3
"""How often matches are played for what has not been reached."""
REHEARSALS = 60
"""Matches that are rehearsed in a round, to find bags."""
AFTERWARDS = 4.0
"""Seconds in which an administrator ends after its match, or can be reached again."""


class Source(Protocol):
    """Where administrators come from."""

    @property
    def can_choose(self) -> bool:
        """Whether it accepts a bag."""

    def administrator(
        self, seats: int, bag: Sequence[Tile] | None, *, fresh: bool = False
    ) -> AbstractAsyncContextManager[Administrator]:
        """Return one for a match, ``fresh`` if it has to be one of its own."""

    def seats(self, wanted: int, usual: int) -> int:
        """Return how many seats a table can have instead of ``wanted``."""


@dataclass(slots=True)
class PlayedMatch:
    """A match: what was found, what it came to with all right, its log, and its number."""

    plan: MatchPlan
    trace: MatchTrace
    findings: list[Breach]
    reached: Counter[str]
    log: bytes
    report: ExitReport | None = None
    number: int = 0


@dataclass(slots=True)
class _Reached:
    """How often a case was right, in how many matches, and in how many with a chosen bag."""

    times: int = 0
    matches: int = 0
    chosen: int = 0


Observe = Callable[[CaseResult], None]


@dataclass(slots=True)
class AdministratorCheck:
    """The check of one administrator; ``run`` it once, then ask for the ``results``.

    ``allowed`` are the names of cases that may fail, in which ``*`` stands for anything. ``limit``
    is how many seconds may pass before no further match begins.
    """

    rulebook: Rulebook
    cases: Sequence[Case]
    source: Source
    cast: Cast
    seats: int
    reply: float
    turn: float | None
    jobs: int
    allowed: Sequence[str] = ()
    limit: float = 300.0
    matches: list[PlayedMatch] = field(default_factory=list)
    why: str = ""
    """Why no match came about, or why cases were given up."""
    _reached: dict[str, _Reached] = field(default_factory=dict)
    _found: dict[str, list[tuple[PlayedMatch, Breach]]] = field(default_factory=dict)

    # -- playing --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play all matches."""
        wanted = {case.id for case in self.cases}
        player = MatchPlayer(self.rulebook, self.cast, self.reply, self.turn)
        async with trio.open_nursery() as background:
            background.start_soon(player.lag.run)
            await self._run(player, wanted)
            background.cancel_scope.cancel()

    async def _run(self, player: MatchPlayer, wanted: set[str]) -> None:
        book = self.rulebook
        most = self.source.seats(book.max_players, self.seats)
        schedule = MatchSchedule(book, self.seats, most, player.clocks(self.seats))
        deadline = trio.current_time() + self.limit
        probe = (await self._play(schedule.probe(), player))()
        self.add(probe)
        if not any(seat.exchanges for seat in probe.trace.seats):
            self.why = "The first match did not come about."
            return
        sizes = [self.source.seats(n, self.seats) for n in range(book.min_players, most + 1)]
        cheats = [each for each in self.cast.members.values() if f"ejection/{each.name}" in wanted]
        late = [each for each in cheats if each.step.name != "signup"]
        plans = [
            *schedule.sign_ups([each for each in cheats if each.step.name == "signup"]),
            *schedule.usual(wanted),
            *schedule.cheating(late, 0),
            *schedule.exploring(0, [*sizes, self.seats, self.seats, self.seats]),
        ]
        await self._play_all(plans, player, deadline)
        for round_ in range(1, ROUNDS + 1):
            missing = {
                each for each in wanted if each not in self._reached and each not in self._found
            }
            again = [each for each in late if f"ejection/{each.name}" in missing]
            rest = [each for each in missing if not each.startswith(("ejection/", "answers/"))]
            if not (again or rest) or trio.current_time() > deadline:
                break
            plans = [*schedule.cheating(again, round_)]
            plans += schedule.exploring(round_, [*sizes, self.seats]) if rest else []
            if self.source.can_choose:
                plans = self._rehearsed(schedule, again, missing, sizes, round_)
            await self._play_all(plans, player, deadline)
            if not missing & {*self._reached, *self._found}:
                break

    def _rehearsed(
        self,
        schedule: MatchSchedule,
        cheats: Sequence[Cheat],
        missing: set[str],
        sizes: list[int],
        round_: int,
    ) -> list[MatchPlan]:
        """Return matches with bags that lead to something missing, by rehearsals."""
        found: list[MatchPlan] = []
        left = set(missing)
        for number in range(REHEARSALS):
            at = REHEARSALS * round_ + number
            candidates = [*schedule.exploring(at, sizes[at % len(sizes) :][:1])]
            candidates += schedule.cheating([c for c in cheats if f"ejection/{c.name}" in left], at)
            for plan in map(schedule.chosen, candidates):
                if new := rehearse(plan, self.rulebook, self.cast) & left:
                    found.append(plan)
                    left -= new
        return found

    async def _play_all(
        self, plans: Sequence[MatchPlan], player: MatchPlayer, deadline: float
    ) -> None:
        played: list[Callable[[], PlayedMatch]] = []
        lanes = [
            (iter([plan for plan in plans if plan.slow]), SLOW_LANES if self.jobs > 1 else 0),
            (iter([plan for plan in plans if not plan.slow]), self.jobs),
        ]
        if self.jobs == 1:
            lanes = [(iter(plans), 1)]

        async def work(waiting: Iterator[MatchPlan]) -> None:
            for plan in waiting:
                if trio.current_time() > deadline:
                    self.why = f"Given up after {self.limit:.0f} s."
                    return
                played.append(await self._play(plan, player))

        async with trio.open_nursery() as nursery:
            for waiting, count in lanes:
                for _ in range(count):
                    nursery.start_soon(work, waiting)
        again: list[MatchPlan] = []
        for judge in played:  # not before: our players would be late meanwhile
            match = judge()
            if match.findings and match.trace.late:
                again.append(match.plan)
            else:
                self.add(match)
        for plan in again:  # alone, as this machine was too busy for several at once
            self.add((await self._play(plan, player))())

    async def _play(self, plan: MatchPlan, player: MatchPlayer) -> Callable[[], PlayedMatch]:
        """Play a match, and return what judges it.

        It is played a second time if an administrator that had gone on was gone after all.
        """
        fresh, then = bool(plan.then), list[Breach]()
        for _ in range(2):
            async with self.source.administrator(
                len(plan.seats), plan.bag, fresh=fresh
            ) as administrator:
                used = administrator.used
                trace = await player.play(plan, administrator)
                if plan.then and not trace.trouble:
                    then = await self._afterwards(plan, administrator)
            report = administrator.report()
            if not used or any(seat.exchanges for seat in trace.seats):
                break
            fresh = True
        if report is None and administrator.output:
            running = ProcessExit(None, None, 0, 0, 0)
            report = ExitReport(running, "It was still running.", administrator.output)
        clocks = player.clocks(len(plan.seats))
        return lambda: self.judge(plan, trace, clocks, report, then)

    async def _afterwards(self, plan: MatchPlan, administrator: Administrator) -> list[Breach]:
        """Look at what an administrator does after its match: it ends well, or plays the next."""
        process = administrator.process
        if process is not None:
            with trio.move_on_after(AFTERWARDS):
                await process.ended.wait()
            if (report := administrator.report()) is not None:
                crash = report.exception or (report.exit.code or 0) < 0
                words = f"After the match it crashed. {report.sentence} {report.last_line}"
                return [Breach(plan.then, words)] if crash else []
        administrator.used = True
        player = MatchPlayer(self.rulebook, self.cast, self.reply, self.turn)
        again = replace(plan, then="", names=(), seed=plan.seed + 500)
        trace = await player.play(again, administrator)
        if any(seat.exchanges for seat in trace.seats):
            return []
        why = trace.trouble or "It did not answer those who signed up."
        return [Breach(plan.then, f"It went on after its match, but played no other. {why}")]

    # -- judging --------------------------------------------------------------------------------

    def judge(
        self,
        plan: MatchPlan,
        trace: MatchTrace,
        clocks: Clocks,
        report: ExitReport | None = None,
        then: Sequence[Breach] = (),
    ) -> PlayedMatch:
        """Judge a match; ``then`` is what was found after it."""
        lockstep = Lockstep(trace)
        lockstep.judge()
        breaches = lockstep.breaches
        findings = [*breaches.findings, *then, *of_whole_match(plan, trace, clocks)]
        reached = breaches.reached
        reached.update([*reached_as_whole(plan, trace, reached)])
        return PlayedMatch(plan, trace, findings, reached, lockstep.log, report)

    def add(self, match: PlayedMatch) -> None:
        """Let a match count."""
        self.matches.append(match)
        match.number = len(self.matches)
        failed = {finding.case for finding in match.findings}
        for case, times in match.reached.items():
            if case not in failed:
                seen = self._reached.setdefault(case, _Reached())
                seen.times += times
                seen.matches += 1
                seen.chosen += match.plan.bag is not None
        known = {case.id for case in self.cases}
        for finding in match.findings:
            case = _nearest(finding.case, self.cases, known)
            self._found.setdefault(case, []).append((match, finding))

    # -- verdicts -------------------------------------------------------------------------------

    def results(self) -> list[CaseResult]:
        """Return the verdict on each case."""
        return [self._result(case) for case in self.cases]

    def _result(self, case: Case) -> CaseResult:
        found, reached = self._found.get(case.id, []), self._reached.get(case.id)
        if not found:
            if reached is None:
                return CaseResult(case, CaseVerdict.NOT_REACHED, self._why_not(case), played=False)
            return CaseResult(case, CaseVerdict.PASS, _how_reached(reached))
        match, finding = min(found, key=lambda each: _rank(each[1]))
        seat = finding.seat
        trial = TrialResult(
            name="" if seat is None else seat.name,
            transcript=[] if seat is None else seat.transcript(finding.exchange),
            log=match.log,
        )
        if finding.position is not None and finding.position.players:
            case = with_position(case, finding.position)
        else:
            trial.name = ""
        if finding.expected:
            case = replace(case, expected=finding.expected)
        where = f" (match {match.number}, turn {finding.turn}: {match.plan.purpose})"
        more = f" {len(found) - 1} more like it." if len(found) > 1 else ""
        actual = f"{finding.sentence}{where}{more}"
        verdict = CaseVerdict.FAIL if case.guaranteed else CaseVerdict.WARN
        warnings: tuple[str, ...] = ()
        if allowed := next((each for each in self.allowed if fnmatch(case.id, each)), ""):
            verdict = CaseVerdict.WARN
            warnings = (f"Allowed by --allow {allowed}.",)
        elif verdict is CaseVerdict.WARN:
            warnings = ("The protocol of 2013 does not say this in so many words.",)
        return CaseResult(
            case, verdict, actual, warnings, trial=trial, exit_report=_shown_report(match, finding)
        )

    def _why_not(self, case: Case) -> str:
        if self.why:
            return self.why
        bags = "with chosen bags too" if self.source.can_choose else "steering towards it"
        return f"No match of {len(self.matches)} came to it, {bags}."


def _shown_report(match: PlayedMatch, finding: Breach) -> ExitReport | None:
    return (
        match.report if finding.case.startswith(("robustness", "sign-up", "set-up/state")) else None
    )


def _rank(finding: Breach) -> tuple[bool, int]:
    """Prefer a finding with its reason, and an early one."""
    return not finding.expected, finding.turn


def _how_reached(reached: _Reached) -> str:
    matches = f"{reached.matches} match{'es' if reached.matches > 1 else ''}"
    chosen = f", {reached.chosen} of them with a chosen bag" if reached.chosen else ""
    return f"Right {reached.times} times, in {matches}{chosen}."


def _nearest(case: str, cases: Sequence[Case], known: set[str]) -> str:
    """Return a case, or the first of its section if a rulebook does not have it."""
    if case in known:
        return case
    section = case.partition("/")[0]
    return next((each.id for each in cases if each.section.slug == section), case)
