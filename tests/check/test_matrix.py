"""Who passes and who fails which case: misbehaving players, and mistakes that students make."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
import trio

from admin.check.case import APART, Case
from admin.check.catalogue import cases_for
from admin.check.hinting import hinted
from admin.check.judging import Result, Verdict
from admin.table.clocks import Clocks
from check.doors import Threads, check_by, house
from check.mutants import MUTANTS, STARTER, Mutant, module_of, mutated, playing
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, REVISED
from player.misbehaving.cast import SCORE, SIGNUP, Member, cast_for
from player.misbehaving.misbehaving_player import MisbehavingPlayer, sign_up_fault
from player.program.client import Answerer
from protocol.faults import Reason

QUESTIONS = {"order": "players"}
"""What a step of the cast is called among the questions, where that differs."""
TURN_OF_THREADS = threading.Lock()
"""The members of a cast share schemas, with which one thread at a time can validate."""
SHORT = Clocks(1.0, 2.0)
"""Who never answers need not be waited for as long as in a match."""
PATIENCE = 5
"""How often a case is played in which this machine was late itself."""
SIDE_BY_SIDE = 12
"""Members that are checked at once: some of them cost a time-out in every case."""


class Cast:
    """A member of the cast in one case after another; knows where it has misbehaved."""

    def __init__(self, rulebook: Rulebook, member: Member) -> None:
        self._rulebook = rulebook
        self._member = member
        self.misbehaved: dict[str, bool] = {}

    def plays(self, case: Case) -> Threads:
        """A door for one case."""
        sign_up = sign_up_fault(self._member.name) if self._member.step is SIGNUP else None
        self.misbehaved[case.id] = sign_up is not None

        def make(rulebook: Rulebook) -> Answerer:
            player = MisbehavingPlayer(self._member, rulebook, 0)

            def choose(message: object) -> object:
                with TURN_OF_THREADS:
                    answer = player(message)  # type: ignore[arg-type]
                self.misbehaved[case.id] |= player.fault is not None
                return answer

            return choose  # type: ignore[return-value]

        return Threads(house(lambda: make, sign_up))


def expected(member: Member, case: Case, *, misbehaved: bool) -> Verdict:
    """The verdict on a member in a case: failed where it misbehaves at what the case is about."""
    if not misbehaved:
        return Verdict.PASS
    if member.step is SCORE and member.reason is Reason.DISCONNECTED:
        return Verdict.WARN
    question = QUESTIONS.get(member.step.name, member.step.name)
    if question not in case.about:
        return Verdict.NOT_REACHED
    return Verdict.FAIL if case.promised else Verdict.WARN


async def judged(rulebook: Rulebook, case: Case, cast: Cast) -> Result:
    """Play one case, again where this machine was too late to judge who is late."""
    for _ in range(PATIENCE):
        (result,) = await check_by(rulebook, [case], cast.plays(case), clocks=lambda _: SHORT)
        if not result.tried.doubted:
            break
    return result


async def verdicts(
    member: Member, rulebook: Rulebook, cases: list[Case], *, to_the_end: bool
) -> list[Result]:
    """Check a member case by case, up to the first that it fails, or to the end."""
    cast, results = Cast(rulebook, member), []
    for case in cases:
        result = await judged(rulebook, case, cast)
        results.append(result)
        right = expected(member, case, misbehaved=cast.misbehaved[case.id])
        assert result.verdict is right, (
            f"{member.name} in {case.id}: {result.verdict}, not {right}: {result.came}"
        )
        if right in (Verdict.FAIL, Verdict.WARN) and not to_the_end:
            break
    return results


def quick_cases(member: Member, rulebook: Rulebook) -> list[Case]:
    """The cases that a member plays: two that are not meant for it, and all that are.

    Without those that take seconds.
    """
    cases = cases_for(rulebook)
    question = QUESTIONS.get(member.step.name, member.step.name)
    quick = [case for case in cases if case.section.slug not in ("clocks", "matches")]
    quick = [case for case in quick if case.pause <= APART and not case.patience]
    meant = [case for case in quick if question in case.about]
    rich = {"buying"} if member.way.startswith("order") else {"mergers", "founding", "buying"}
    if member.violation is not None:  # where a rule is broken soonest
        meant.sort(key=lambda case: case.section.slug not in rich)
    others = [case for case in quick if case not in meant]
    return [*others[:: max(1, len(others) // 2)][:2], *meant]


def steps(rulebook: Rulebook) -> set[str]:
    return {member.step.name for member in cast_for(rulebook).values()}


CASTS = [
    *(pytest.param(REVISED, step, False) for step in sorted(steps(REVISED))),
    *(pytest.param(CLASSIC, step, False) for step in sorted(steps(CLASSIC) - steps(REVISED))),
    *(
        pytest.param(rulebook, step, True, marks=pytest.mark.soak)
        for rulebook in (REVISED, CLASSIC)
        for step in sorted(steps(rulebook))
    ),
]
"""Each step of a cast, and whether its members play every case to the end."""


@pytest.mark.parametrize(("rulebook", "step", "every_case"), CASTS)
async def test_misbehaving_players_fail_exactly_the_cases_meant_for_them(
    rulebook: Rulebook, step: str, every_case: bool
) -> None:
    limiter = trio.CapacityLimiter(SIDE_BY_SIDE)
    missed: list[str] = []

    async def check_member(member: Member) -> None:
        async with limiter:
            cases = cases_for(rulebook) if every_case else quick_cases(member, rulebook)
            results = await verdicts(member, rulebook, cases, to_the_end=every_case)
        if not any(result.verdict in (Verdict.FAIL, Verdict.WARN) for result in results):
            missed.append(member.name)

    async with trio.open_nursery() as nursery:
        for member in cast_for(rulebook).values():
            if member.step.name == step:
                nursery.start_soon(check_member, member)
    assert not missed, f"no case is failed by {', '.join(missed)}"


# -- mistakes that students make ---------------------------------------------------------------


async def test_the_starter_itself_passes_to_the_letter(tmp_path: Path) -> None:
    module = module_of(STARTER.read_text(), tmp_path, "starter")
    results = await check_by(REVISED, cases_for(REVISED), Threads(playing(module)), jobs=8)
    assert {result.verdict for result in results} == {Verdict.PASS}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
async def test_every_small_mistake_is_found_and_its_cause_is_named(
    mutant: Mutant, soak: bool, tmp_path: Path
) -> None:
    module = module_of(mutated(mutant), tmp_path, mutant.name)
    cases = [case for case in cases_for(REVISED) if soak or case.id == mutant.case]
    results = await check_by(REVISED, cases, Threads(playing(module)), jobs=8)
    found = [
        f"{result.case.id}: {result.came} {' '.join(result.warnings)} "
        + (result.case.hint if hinted(result) else "")
        for result in results
        if result.verdict in (Verdict.FAIL, Verdict.WARN)
    ]
    assert any(each.startswith(f"{mutant.case}:") for each in found), "\n".join(found)
    assert any(re.search(mutant.finding, each) for each in found), "\n".join(found)


def test_there_are_thirty_mistakes() -> None:
    assert len(MUTANTS) >= 30
