"""Try programs: build them, start them in their sandbox, and let them play a short check.

What a program meets here is what it meets in a game, and the verdicts and explanations are those of
`acquire check`.

program --build--> launched in its sandbox, for each case --> the check's table and judgement
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....game.rulebook import Rulebook
from ....protocol.user_error import UserError
from ...refereeing.table.clocks import Clocks
from ...refereeing.view.plain_text import printable
from ...testing.cases.case import Case
from ...testing.cases.catalogue import cases_for
from ...testing.judging.check_result import CaseResult, CaseVerdict
from ...testing.judging.checker import Checker, CheckObserver
from ...testing.trial.launch_source import LaunchSource
from ..arena.player_files import Programs
from ..planning.plan import Entrant, Plan
from ..planning.qualified_file import MAX_SENTENCE, TriedVersion

FIRST = "sign-up/suffix"  # shows whether a program connects, and uses the name it is given
CHOSEN = (
    *("set-up/three-players", "framing/halves", "turn/alone", "founding/choice-of-seven"),
    "mergers/tie",
)
WHOLE_GAMES = {2: "two", 3: "three-ordered", 4: "four-random", 5: "four-random", 6: "six-investors"}
"""The whole game by the seats of a table; that of three where the rulebook lacks it."""


def short_check(rulebook: Rulebook, seats: int) -> list[Case]:
    """Return the cases under a rulebook in the order in which they are played, a game last."""
    cases = cases_for(rulebook)
    by_id = {case.id: case for case in cases}
    chosen = [by_id[name] for name in (FIRST, *CHOSEN) if name in by_id]
    game = by_id.get(f"matches/{WHOLE_GAMES[seats]}", by_id["matches/three-ordered"])
    return [*chosen, *_for_other_questions(cases, chosen), game]


def is_whole_game(case: Case) -> bool:
    """Whether a case is a whole game."""
    return case.section.slug == "matches"


def _for_other_questions(cases: Sequence[Case], chosen: Sequence[Case]) -> Iterator[Case]:
    """Yield the first case for each question that no chosen case is about."""
    touched = {question for case in chosen for question in case.tested}
    short = [case for case in cases if not is_whole_game(case)]
    for question in sorted({question for case in short for question in case.tested}):
        if question not in touched:
            found = min(
                (case for case in short if question in case.tested and case.guaranteed),
                key=lambda case: len(case.tested),
            )
            touched |= found.tested
            yield found


PORT_HINT = (
    " Its command has no {port}, so the program has to read the port from the variable "
    "ACQUIRE_PORT."
)
MILLISECONDS = 1000


@dataclass(frozen=True, slots=True)
class TriedPlayer:
    """The result of trying one program: the cases that it played, or why it could play none.

    Cases that were not played after a failure to sign up are left out.
    """

    player: Entrant
    results: tuple[CaseResult, ...] = ()
    failure: str = ""  # a sentence, empty if the program could be started
    output: bytes = b""  # the end of what its build printed, if it failed

    @property
    def failed(self) -> list[CaseResult]:
        """The cases that it did not pass, those that it failed first."""
        return sorted(
            (result for result in self.results if not result.verdict.passed),
            key=lambda result: result.verdict.code,
        )

    @property
    def qualified(self) -> bool:
        """Whether it passed every case."""
        return not self.failure and not self.failed

    @property
    def absent(self) -> bool:
        """Whether it did not sign up at all."""
        return bool(self.results) and all(not result.trial.name for result in self.results)

    @property
    def why(self) -> str:
        """Why it failed, in a sentence or two; empty if it did not."""
        if self.failure or self.qualified:
            return self.failure
        first = self.failed[0]
        count = sum(result.verdict is CaseVerdict.FAIL for result in self.failed)
        if self.absent:
            words = (*(self.player.command or ()), *self.player.environment.values())
            port = "" if any("{port}" in word for word in words) else PORT_HINT
            return f"{first.actual}{port}"
        others = f" So did {count - 1} more of {len(self.results)} cases." if count > 1 else ""
        return f"“{first.case.title}” went wrong. {first.actual}{others}"

    @property
    def processor(self) -> float | None:
        """CPU seconds of a whole game, ``None`` if none was played to its end."""
        for result in self.results:
            report = result.trial.exit_report
            if is_whole_game(result.case) and result.verdict.passed and report is not None:
                return report.exit.processor / MILLISECONDS
        return None

    def as_version(self) -> TriedVersion:
        """Return what is kept of it."""
        why = printable(self.why)
        return TriedVersion(
            version=self.player.version,
            qualified=self.qualified,
            why=why if len(why) <= MAX_SENTENCE else f"{why[: MAX_SENTENCE - 4]} ...",
            processor=self.processor,
            absent=self.absent,
        )


def cases_of(plan: Plan) -> list[Case]:
    """Return what every program of a plan plays, if it signs up."""
    return short_check(plan.tournament.rulebook_value(), plan.tournament.seats)


async def try_programs(
    plan: Plan,
    store: Path,
    players: Sequence[Entrant],
    observer: CheckObserver,
    at_once: int,
    on_done: Callable[[TriedPlayer], None],
) -> None:
    """Try some programs of a plan, so many at once; ``on_done`` is called with each.

    It raises what :meth:`.Programs.launch_each` raises, and ``UserError`` if this machine failed,
    for which no version is left out.
    """
    cases = cases_of(plan)

    def clocks(case: Case) -> Clocks:
        """Return the tournament's clocks with the extra time of a case."""
        return Clocks(*(seconds + case.extra_time for seconds in plan.table_clocks))

    async def play(player: Entrant, source: LaunchSource) -> None:
        results: list[CaseResult] = []
        for some in (cases[:1], cases[1:]):
            results += await Checker(some, source, observer, clocks=clocks).run()
            if results[0].ended_by == "absent":
                break  # it would be waited for in every case
        for result in results:
            if result.machine_failed:
                raise UserError(f"{player.name} could not be tried. {result.actual}")
        on_done(TriedPlayer(player, tuple(results)))

    def failed(player: Entrant, why: str, output: bytes) -> None:
        on_done(TriedPlayer(player, failure=why, output=output))

    plays = [(player, play) for player in players]
    await Programs(plan, store).launch_each(plays, at_once, failed)
