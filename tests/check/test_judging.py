"""What is said of a case: right so far, other forms, and what was never promised."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from admin import events
from admin.check.case import Case
from admin.check.catalogue import cases_for
from admin.check.judging import Result, Verdict, judge
from admin.outcome import Outcome
from admin.trial.trial import Tried
from check.doors import Threads, check_by
from check.mutants import STARTER, module_of, playing
from game.rulebooks import REVISED
from game.turn import Ending
from protocol.faults import Reason

ACQUIRE = Path(sys.executable).parent / "acquire"


def case_of(id_: str) -> Case:
    return next(case for case in cases_for(REVISED) if case.id == id_)


async def checked(folder: Path, id_: str, old: str, new: str, *, strict: bool) -> Result:
    """The result of the starter with an edit in one case."""
    source = STARTER.read_text()
    assert source.count(old) == 1
    module = module_of(source.replace(old, new), folder, "edited")
    (result,) = await check_by(REVISED, [case_of(id_)], Threads(playing(module)), strict=strict)
    return result


async def test_who_errs_later_is_told_that_the_case_itself_was_right(tmp_path: Path) -> None:
    tile = '            case "tile":\n'
    leaves = f"{tile}                raise NoScoreError('not written yet')\n"
    result = await checked(tmp_path, "turn/alone", tile, leaves, strict=False)
    assert result.verdict is Verdict.NOT_REACHED
    assert result.came.startswith("Right in what the case is about, and then: ")


async def test_another_form_is_told_with_the_very_message(tmp_path: Path) -> None:
    old = 'return f"<order>{hotels}</order>" if hotels else "<order/>"'
    new = 'return f"<order>{hotels}</order>"'
    result = await checked(tmp_path, "set-up/alone", old, new, strict=True)
    assert result.verdict is Verdict.FAIL
    (warning,) = result.warnings
    assert "<order/>" in warning and "<order></order>" in warning
    lenient = await checked(tmp_path, "set-up/alone", old, new, strict=False)
    assert (lenient.verdict, lenient.warnings) == (Verdict.PASS, ())


def test_nobody_is_held_to_what_is_not_promised() -> None:
    case = case_of("framing/white-space")
    assert not case.promised
    left = events.Ejected("me", Reason.TIMED_OUT, None, "turn", "Late.", b"", ())
    outcome = Outcome(Ending.NO_MORE_TURNS, 1, (), (left,))
    tried = Tried(wanted="me", name="me", events=[left], outcome=outcome)
    for strict in (True, False):
        result = judge(case, tried, None, strict=strict)
        assert result.verdict is Verdict.WARN
        assert any("Not promised by the protocol" in warning for warning in result.warnings)


def test_misspelt_placeholder_is_noticed() -> None:
    done = subprocess.run(
        [ACQUIRE, "check", "--only", "turn/alone", "--", "true", "{port}", "{nane}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=dict(os.environ),
    )
    assert "{nane} is passed on as it is; known are {host} {port} {name}" in done.stderr
