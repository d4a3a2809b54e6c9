"""Which players fail which cases: the misbehaving cast, and mistakes that students make.

Time passes only while all wait, so a busy machine changes no verdict.
"""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from encounters import play_member
from loops import in_soak
from misbehaviour import WHOLE_CASTS, cases, is_illegal, is_sample
from trio.testing import MockClock
from virtual_time import Players, PlayerSocket, passing

from acquire.admin.launching.limits import Limits
from acquire.admin.launching.program import Program
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.judging.case_judge import guess_at
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.judging.checker import Checker
from acquire.admin.testing.trial.launch_source import open_launch_source
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.player.misbehaving.cast import SCORE, Member, cast_for
from acquire.protocol.faults import Reason
from check.mistakes import (
    MISTAKES,
    MUTANTS,
    OF_SECTIONS,
    STARTER,
    Mistake,
    edited,
    first_sentence,
    module_of,
    playing,
)
from check.rehearsal import all_cases, case_of, section_of
from check.thread_players import check

# -- the misbehaving cast -----------------------------------------------------------------------


def expected(member: Member, case: Case, *, misbehaved: bool) -> CaseVerdict:
    """The verdict on a member in a case: failed where it misbehaves at what the case is about."""
    if not misbehaved:
        return CaseVerdict.PASS
    if member.step is SCORE and member.reason is Reason.DISCONNECTED:
        return CaseVerdict.WARN
    if member.step.question not in case.tested:
        return CaseVerdict.NOT_REACHED
    return CaseVerdict.FAIL if case.guaranteed else CaseVerdict.WARN


def reached(verdict: CaseVerdict) -> CaseVerdict:
    """The verdict; whether the player was right before its mistake makes no difference."""
    return CaseVerdict.NOT_REACHED if verdict is CaseVerdict.RIGHT_SO_FAR else verdict


async def judged(
    rulebook: Rulebook, case: Case, member: Member, players: Players
) -> tuple[CaseResult, CaseVerdict]:
    """Play one case; return its result, and the verdict that is expected."""
    faults: list[object] = []

    def play(connection: PlayerSocket, name: str) -> None:
        _, fault = play_member(connection, name, rulebook, member)
        faults.append(fault)

    (result,) = await check([case], play, players, jobs=1)
    (fault,) = faults
    return result, expected(member, case, misbehaved=fault is not None)


def few_cases(member: Member, rulebook: Rulebook) -> list[Case]:
    """A case that is not meant for a member and all that are, where an opening is soonest first."""
    quick = [case for case in all_cases(rulebook) if case.section.slug != "matches"]
    meant = [case for case in quick if member.step.question in case.tested]
    rich = {"buying"} if member.way.startswith("order") else {"mergers", "founding", "buying"}
    if is_illegal(member):
        meant.sort(key=lambda case: case.section.slug not in rich)
    return [next(case for case in quick if case not in meant), *meant]


def is_quick(rulebook: Rulebook, member: Member) -> bool:
    """Whether a member is in the sample; of `classic`, at the steps that `revised` has not.

    Of those that break a rule of the game, every second: the referee judges them, not the case.
    """
    revised = {other.step.name for other in cast_for(REVISED).values()}
    place = [*cast_for(rulebook)].index(member.name)
    return (
        is_sample(rulebook, member)
        and (rulebook is REVISED or member.step.name not in revised)
        and not (is_illegal(member) and place % 2)
    )


SOAK = pytest.mark.soak
SAMPLE = [case for case in cases(WHOLE_CASTS) if is_sample(*case.values)]
MEMBERS = [
    *(
        pytest.param(*case.values, False, id=case.id, marks=case.marks)
        for case in cases(WHOLE_CASTS, quick=is_quick)
    ),
    *(pytest.param(*case.values, True, id=f"{case.id}-all", marks=SOAK) for case in SAMPLE),
]
"""Members, and whether they play every case, or few until they fail one."""


@pytest.mark.parametrize(("rulebook", "member", "every_case"), MEMBERS)
async def test_misbehaving_player_fails_exactly_the_cases_meant_for_it(
    rulebook: Rulebook, member: Member, every_case: bool, mock_clock: MockClock
) -> None:
    failed = False
    async with passing(mock_clock) as players:
        for case in all_cases(rulebook) if every_case else few_cases(member, rulebook):
            result, right = await judged(rulebook, case, member, players)
            assert reached(result.verdict) is right, f"{case.id}: {result.actual}"
            failed |= right in (CaseVerdict.FAIL, CaseVerdict.WARN)
            if failed and not every_case:
                break
    assert failed, "no case is failed by it"


# -- mistakes that students make ---------------------------------------------------------------


async def test_starter_without_mistakes_passes_every_case(
    soak: bool, tmp_path: Path, mock_clock: MockClock
) -> None:
    """Whole games, which are long, only in the soak: three starters play one as processes."""
    chosen = [case for case in all_cases(REVISED) if soak or case.section.slug != "matches"]
    module = module_of(STARTER.read_text(), tmp_path, "starter")
    async with passing(mock_clock) as players:
        results = await check(chosen, playing(module), players, strict=True)
    wrong = [each for each in results if each.verdict is not CaseVerdict.PASS]
    assert not wrong, [(each.case.id, each.actual, each.trial.transcript[-4:]) for each in wrong]


def assert_diagnosed(mistake: Mistake, result: CaseResult) -> None:
    """The case is failed, its first sentence names the cause, and nothing is guessed beside it."""
    assert result.verdict is CaseVerdict.FAIL, f"{result.verdict}: {result.actual}"
    assert re.search(mistake.cause, first_sentence(result.actual)), result.actual
    assert not guess_at(result) or result.ended_by == "disconnected", guess_at(result)


@pytest.mark.parametrize("mistake", [*MISTAKES, *MUTANTS], ids=lambda mistake: mistake.name)
async def test_every_small_mistake_is_found_and_its_cause_is_named(
    mistake: Mistake, tmp_path: Path, mock_clock: MockClock
) -> None:
    module = module_of(mistake.source, tmp_path, mistake.name)
    async with passing(mock_clock) as players:
        (result,) = await check([case_of(REVISED, mistake.case)], playing(module), players)
    if mistake in MISTAKES:
        assert_diagnosed(mistake, result)
    assert result.verdict in (CaseVerdict.FAIL, CaseVerdict.WARN)
    told = [first_sentence(result.actual), *result.warnings, guess_at(result)]
    assert any(re.search(mistake.cause, each) for each in told), told


@pytest.mark.parametrize("rulebook", [REVISED, *in_soak(CLASSIC)], ids=lambda rulebook: rulebook.id)
@pytest.mark.parametrize("mistake", OF_SECTIONS, ids=lambda mistake: mistake.name)
async def test_mistake_fails_the_cases_that_are_for_it_and_no_other(
    mistake: Mistake, rulebook: Rulebook, tmp_path: Path, players: Players
) -> None:
    """The answer to the sign-up is read by itself: the game begins somewhat later."""
    module = module_of(mistake.source, tmp_path, mistake.name)
    section = section_of(rulebook, mistake.case).values()
    cases = [replace(case, pause=case.pause or 0.3) for case in section]
    results = await check(cases, playing(module), players)
    failed = [each.case.slug for each in results if each.verdict is not CaseVerdict.PASS]
    assert {*failed} == {*mistake.cause.split()}


async def test_cause_is_named_of_a_program_in_javascript(tmp_path: Path) -> None:
    node, source = shutil.which("node"), tmp_path / "player.js"
    assert node is not None, "node 18 or newer is needed"
    sent = ("socket.write(element);", "socket.write(element.length + element);")
    source.write_text(edited(STARTER.parents[1] / "javascript" / "player.js", sent))
    mistake = MISTAKES[0]
    assert mistake.name == "decimal-length"
    folder = tmp_path / "files"
    folder.mkdir()
    program = Program((node, str(source), "{host}", "{port}", "{name}"), tmp_path)
    async with open_launch_source(program, Limits(), folder, 60) as launched:
        checker = Checker([case_of(REVISED, mistake.case)], launched)
        (result,) = await checker.run()
    assert_diagnosed(mistake, result)
