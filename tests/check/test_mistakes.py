"""Plausible mistakes are diagnosed: the first sentence of a finding names the cause.

The Python starter plays in threads of this process, in virtual time; the JavaScript one in a
process of its own, so all but one of those mistakes are for the soak.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from trio.testing import MockClock
from virtual_time import passing

from acquire.admin.launching.limits import Limits
from acquire.admin.launching.program import Program
from acquire.admin.testing.judging.case_judge import guess_at
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.judging.checker import Checker
from acquire.admin.testing.trial.launch_source import open_launch_source
from acquire.game.rulebooks import REVISED
from check.mistakes import MISTAKES, Mistake, names_cause, with_mistake
from check.mutants import module_of, playing
from check.rehearsal import case_of
from check.thread_players import NoObserver, check

SLOW_IN_JAVASCRIPT = [
    pytest.param(mistake, id=mistake.name, marks=[pytest.mark.soak] if place else [])
    for place, mistake in enumerate(MISTAKES)
]


def assert_diagnosed(mistake: Mistake, result: CaseResult) -> None:
    """The case is failed, its first sentence names the cause, and nothing is guessed beside it."""
    assert result.verdict is CaseVerdict.FAIL, f"{result.verdict}: {result.actual}"
    assert names_cause(mistake, result.actual), result.actual
    assert not guess_at(result) or result.ended_by == "disconnected", guess_at(result)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
async def test_cause_is_named_in_the_first_sentence(
    mistake: Mistake, tmp_path: Path, mock_clock: MockClock
) -> None:
    module = module_of(with_mistake(mistake, "python"), tmp_path, mistake.name)
    async with passing(mock_clock) as players:
        (result,) = await check([case_of(REVISED, mistake.case)], playing(module), players)
    assert_diagnosed(mistake, result)


@pytest.mark.parametrize("mistake", SLOW_IN_JAVASCRIPT)
async def test_cause_is_named_of_a_program_in_javascript(mistake: Mistake, tmp_path: Path) -> None:
    node, source = shutil.which("node"), tmp_path / "player.js"
    assert node is not None, "node 18 or newer is needed"
    source.write_text(with_mistake(mistake, "javascript"))
    folder = tmp_path / "files"
    folder.mkdir()
    program = Program((node, str(source), "{host}", "{port}", "{name}"), tmp_path)
    async with open_launch_source(program, Limits(), folder, 60) as launched:
        checker = Checker([case_of(REVISED, mistake.case)], launched, NoObserver())
        (result,) = await checker.run()
    assert_diagnosed(mistake, result)
