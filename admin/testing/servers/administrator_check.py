"""The check of an administrator: plays the matches, several at a time, and judges the cases."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from itertools import zip_longest

import trio

from ...refereeing.table.clocks import Clocks
from ...refereeing.table.run import beside
from ...refereeing.view.plain_text import plural
from ..cases.case import Case
from ..judging.check_result import CaseResult, CaseVerdict
from ..trial.player_source import ExitReport
from ..trial.trial import TrialResult
from .breaches import Breach
from .exchanges import MatchTrace
from .lockstep import Lockstep
from .match_player import Administrator, MatchPlayer, Source
from .plans import MatchPlan, MatchSchedule
from .requirements import with_position
from .whole_match import of_whole_match, reached_as_whole

SLOW_LANES = 6  # matches that wait for clocks, beside the others: they cost no processor time
ROUNDS = 3  # how often matches are played for what has not been reached
FEW, ROUNDS_FOR_FEW = 10, 12  # for so few cases (`--only`), so many rounds are worth it
HARDLY = 1e-6  # less likely events count as faults: one false alarm in a million checks
AFTER_A_STOP = 5.0  # seconds in which matches are still judged when a check is stopped
AFTERWARDS = 4.0  # seconds for an administrator to end, or be reached again, after a match


@dataclass(slots=True)
class PlayedMatch:
    """A match; ``judge`` it once, then it has what was found, its log, and what it came to rightly.

    ``in_game`` are the findings about steps of the game, ``as_whole`` all others: before it is
    judged, those of what came after the match. ``undrawn`` is the chance that no tile of ejected
    players is drawn again in it, if they are put back.
    """

    plan: MatchPlan
    trace: MatchTrace
    clocks: Clocks
    report: ExitReport | None = None
    as_whole: list[Breach] = field(default_factory=list)
    in_game: list[Breach] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    log: bytes = b""
    number: int = 0
    undrawn: float = 1.0

    def judge(self) -> None:
        """Judge it."""
        lockstep = Lockstep(self.trace)
        lockstep.judge()
        self.log, self.in_game = lockstep.log, lockstep.breaches.findings
        self.as_whole += of_whole_match(self.plan, self.trace, self.clocks)
        self.reached, self.undrawn = lockstep.breaches.reached, lockstep.moment.undrawn
        self.reached.update([*reached_as_whole(self.plan, self.trace, self.reached)])
        for finding in self.findings:
            del self.reached[finding.case]

    @property
    def findings(self) -> list[Breach]:
        """All findings, those in the game first."""
        return [*self.in_game, *self.as_whole]


@dataclass(slots=True)
class AdministratorCheck:
    """The check of one administrator; ``run`` it once, then ask for the ``results``."""

    cases: Sequence[Case]
    source: Source
    player: MatchPlayer
    seats: int
    jobs: int
    allowed: Sequence[str] = ()  # names of cases that may fail; `*` stands for anything
    limit: float = 300.0  # seconds after which no further match begins
    matches: list[PlayedMatch] = field(default_factory=list)
    why: str = ""  # why no match came about, or why cases were given up
    _deadline: float = math.inf
    _played: list[PlayedMatch] = field(default_factory=list)  # those that have not been judged

    # -- playing --------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play all matches; of those played before a cancellation as many count as can soon."""
        try:
            async with beside(self.player.lag.run):
                await self._run()
        except BaseException:
            self.why = "Stopped before a match came to it."
            raise
        finally:
            latest = trio.current_time() + AFTER_A_STOP
            while self._played and trio.current_time() < latest:
                match = self._played.pop(0)
                match.judge()
                self.add(match)

    async def _run(self) -> None:
        cast, book = self.player.cast, self.player.cast.rulebook
        wanted = {case.id for case in self.cases}
        possible = range(book.min_players, book.max_players + 1)
        sizes = [self.source.seats(seats, self.seats) for seats in possible]
        clocks = self.player.clocks(self.seats)
        schedule = MatchSchedule(cast, sizes, self.seats, clocks)
        self._deadline = trio.current_time() + self.limit
        probe = await self._judged(await self._play(schedule.probe()))
        if not probe.trace.came_about:
            self.why = "The first match did not come about."
            return
        cheats = [each for each in cast.members.values() if f"ejection/{each.name}" in wanted]
        early = [each for each in cheats if each.step.name == "signup"]
        late = [each for each in cheats if each not in early]
        plans = [*schedule.helping(wanted, 0), *schedule.sign_ups(early)]
        plans += schedule.usual(wanted)
        # in turns, so that a check that is cut short has seen something of both
        first, *exploring = schedule.exploring(0, more=3)
        if self.source.can_choose:  # whether a bag is followed shows in any match
            first = first.with_bag()
            plans += schedule.crossing()
        pairs = zip_longest([first, *exploring], schedule.cheating(late, 0))
        plans += [plan for pair in pairs for plan in pair if plan is not None]
        await self._play_all(plans)
        for round_ in range(1, 1 + (ROUNDS_FOR_FEW if len(wanted) <= FEW else ROUNDS)):
            missing = wanted - self._seen()
            again = [each for each in late if f"ejection/{each.name}" in missing]
            rest = [each for each in missing if not each.startswith(("ejection/", "answers/"))]
            helping = [*schedule.helping(missing, round_)]
            if not (again or rest or helping) or self._gives_up():
                break
            if self.source.can_choose:
                plans = schedule.rehearsed(again, missing, round_)
            else:
                plans = [*schedule.cheating(again, round_)]
                plans += schedule.exploring(round_, more=2) if rest else []
            await self._play_all([*helping, *plans])

    def _gives_up(self) -> bool:
        """Whether no further match begins; cases that were not reached then say so."""
        if trio.current_time() > self._deadline:
            self.why = f"Given up after {self.limit:.0f} s."
        return bool(self.why)

    async def _play_all(self, plans: Sequence[MatchPlan]) -> None:
        slow, fast = (iter([plan for plan in plans if plan.slow is each]) for each in (True, False))
        lanes = [slow] * SLOW_LANES + [fast] * self.jobs if self.jobs > 1 else [iter(plans)]

        async def work(waiting: Iterator[MatchPlan]) -> None:
            for plan in waiting:
                if self._gives_up():
                    return
                self._played.append(await self._play(plan))

        async with trio.open_nursery() as nursery:
            for waiting in lanes:
                nursery.start_soon(work, waiting)
        while self._played:  # not before: our players would be late meanwhile
            await self._judged(self._played.pop(0))

    async def _judged(self, match: PlayedMatch) -> PlayedMatch:
        """Judge a match and let it count; one that this machine may have spoiled is played again.

        It is played alone then, as the machine may be too busy for several at once. For as long as
        all others may take there is time for this, so that even many such matches come to an end.
        """
        match.judge()
        spoiled = match.trace.late or not match.trace.came_about
        if match.findings and spoiled and trio.current_time() < self._deadline + self.limit:
            match = await self._play(match.plan)
            match.judge()
        self.add(match)
        return match

    async def _play(self, plan: MatchPlan) -> PlayedMatch:
        then = list[Breach]()
        async with self.source.administrator(len(plan.seats), plan.bag) as administrator:
            trace = await self.player.play(plan, administrator)
            if plan.and_then and trace.came_about:
                then = await self._afterwards(plan, administrator)
        clocks = self.player.clocks(len(plan.seats))
        return PlayedMatch(plan, trace, clocks, administrator.report(), then)

    async def _afterwards(self, plan: MatchPlan, administrator: Administrator) -> list[Breach]:
        """Look at what an administrator does after its match: it ends well, or plays the next."""
        if administrator.process is not None:
            with trio.move_on_after(AFTERWARDS):
                await administrator.process.ended.wait()
                report = administrator.report()
                assert report is not None, "it has ended"
                crash = report.exception or (report.exit.code or 0) < 0
                words = f"After the match it crashed. {report.sentence} {report.last_line}"
                return [Breach.of(plan.case, words)] if crash else []
        administrator.patience = 0.0
        again = replace(plan, and_then=False, names=(), seed=plan.seed + 500)
        trace = await self.player.play(again, administrator)
        if trace.came_about:
            return []
        why = trace.trouble or "It did not answer those who signed up."
        words = f"It went on after its match, but played no other. {why}"
        return [Breach.of(plan.case, words)]

    def add(self, match: PlayedMatch) -> None:
        """Let a match count that has been judged.

        Only many draws can show that the tiles of ejected players do not come back.
        """
        self.matches.append(match)
        match.number = len(self.matches)
        case = "ejection/tiles"
        undrawn = math.prod(each.undrawn for each in self.matches)
        if undrawn < HARDLY and case not in self._seen():
            words = (
                "No tile of an ejected player was drawn again in any match. The chance of that is "
                "less than 1 in a million if they are shuffled into the bag."
            )
            match.as_whole.append(Breach.of(case, words))

    def _seen(self) -> set[str]:
        """Return the cases that some match came to, rightly or not."""
        found = {finding.case for match in self.matches for finding in match.findings}
        return found.union(*(match.reached for match in self.matches))

    # -- verdicts -------------------------------------------------------------------------------

    def results(self) -> list[CaseResult]:
        """Return the verdict on each case; of its own findings the most telling one is shown."""
        ids = {case.id for case in self.cases}
        found: dict[str, list[tuple[PlayedMatch, Breach]]] = {}
        for match, finding in sorted(self._explained(), key=lambda each: each[1].case not in ids):
            found.setdefault(self._nearest(finding.case), []).append((match, finding))
        return [self._result(case, found.get(case.id, [])) for case in self.cases]

    @property
    def leading(self) -> str:
        """The id of the failed case whose cause explains most; empty if none failed."""
        best = self.most_telling
        return "" if best is None else self._nearest(best.case)

    @property
    def most_telling(self) -> Breach | None:
        """The finding whose cause explains most."""
        return next((finding for _, finding in self._explained()), None)

    def _explained(self) -> list[tuple[PlayedMatch, Breach]]:
        """Return all findings, each with its likeliest cause, the most telling first.

        Its cause explains most values. Of several that explain as much, the first finding of a
        match is more telling, and then the first case.
        """
        votes = Counter[str]()
        for match in self.matches:
            # of those in the game, the others may be consequences of the first
            for finding in [*match.in_game[:1], *match.as_whole]:
                votes.update({cause.rule: cause.weight for cause in finding.causes})
        order = {case.id: at for at, case in enumerate(self.cases)}

        def rank(each: tuple[PlayedMatch, Breach]) -> tuple[int, bool, bool, int, bool, int]:
            match, finding = each
            first, (cause,) = match.findings[0], finding.causes
            later = finding.exchange is not first.exchange or finding.turn != first.turn
            place, vague = order.get(self._nearest(cause.case), len(order)), not cause.sentence
            return -votes[cause.rule], later, vague, place, not finding.expected, finding.turn

        found = [
            (match, replace(each, causes=(max(each.causes, key=lambda cause: votes[cause.rule]),)))
            for match in self.matches
            for each in match.findings
        ]
        return sorted(found, key=rank)

    def _nearest(self, case: str) -> str:
        """Return a case, or the first of its section if a rulebook does not have it."""
        ids = {each.id: each.section.slug for each in self.cases}
        section = case.partition("/")[0]
        return case if case in ids else next((i for i, s in ids.items() if s == section), case)

    def _result(self, case: Case, found: list[tuple[PlayedMatch, Breach]]) -> CaseResult:
        if not found:
            return self._without_findings(case)
        match, finding = found[0]
        seat, trial = finding.seat, TrialResult(log=match.log)
        if seat is not None:
            trial.transcript = [*seat.transcript(finding.exchange)]
        if finding.position is not None and finding.position.players:
            trial.name = "" if seat is None else seat.name
            case = with_position(case, finding.position)
        case = replace(case, expected=finding.expected or case.expected)
        where = f" (match {match.number}, turn {finding.turn}: {match.plan.purpose})"
        where += " This machine was busy, so look at the times." if match.trace.late else ""
        more = f" {len(found) - 1} more like it." if len(found) > 1 else ""
        warnings: tuple[str, ...] = ()
        if allowed := next((each for each in self.allowed if fnmatch(case.id, each)), ""):
            warnings = (f"Allowed by --allow {allowed}.",)
        elif not case.guaranteed:
            warnings = ("The protocol of 2013 does not say this in so many words.",)
        if finding.case.startswith(("robustness", "sign-up", "set-up/state")):
            trial.exit_report = match.report
        verdict = CaseVerdict.WARN if warnings else CaseVerdict.FAIL
        return CaseResult(case, verdict, f"{finding.sentence}{where}{more}", warnings, trial=trial)

    def _without_findings(self, case: Case) -> CaseResult:
        right = [each for each in self.matches if each.reached[case.id]]
        if not right:
            bags = "with chosen bags too" if self.source.can_choose else "steering towards it"
            why = self.why or f"No match of {len(self.matches)} came to it, {bags}."
            return CaseResult(case, CaseVerdict.NOT_REACHED, why, played=False)
        times = plural(sum(match.reached[case.id] for match in right), "time")
        matches = f"{len(right)} match{'es' if len(right) > 1 else ''}"
        chosen = sum(match.plan.bag is not None for match in right)
        words = f", {chosen} of them with a chosen bag" if chosen else ""
        return CaseResult(case, CaseVerdict.PASS, f"Right {times}, in {matches}{words}.")
