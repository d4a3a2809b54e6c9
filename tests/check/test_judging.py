"""What is said of a case: right so far, other forms, and what was never promised."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import trio
from positions import at_table

from admin.check.case import Case
from admin.check.catalogue import cases_for
from admin.check.hinting import hinted
from admin.check.judging import OTHER_FORM, Result, Verdict, judge
from admin.check.reports.transcript import CUT, WHOLE, transcript
from admin.check.summary import Checked
from admin.match import events
from admin.match.outcome import Outcome
from admin.match.questions import Ask
from admin.trial.trial import Tried
from check.bare_players import check_bare
from check.doors import Threads, check_by
from check.mutants import STARTER, module_of, playing
from game.rulebooks import REVISED
from game.turn import Ending
from game.violation import Violation
from protocol import messages
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


def ejected(reason: Reason, detail: str, violation: Violation | None = None) -> events.Ejected:
    """The ejection of the player in a turn."""
    state = at_table()
    ask = Ask(messages.Turn(state.board, state.players), state, thinking=True)
    return events.Ejected("me", reason, violation, ask, detail, b"", (), state)


def test_nobody_is_held_to_what_is_not_promised() -> None:
    case = case_of("framing/white-space")
    assert not case.promised
    left = ejected(Reason.TIMED_OUT, "Late.")
    outcome = Outcome(Ending.NO_MORE_TURNS, 1, (), (left,))
    tried = Tried(wanted="me", name="me", events=[left], outcome=outcome)
    for strict in (True, False):
        result = judge(case, tried, None, strict=strict)
        assert result.verdict is Verdict.WARN
        assert OTHER_FORM in result.warnings


async def test_who_leaves_at_the_first_turn_has_taken_note_of_the_position(tmp_path: Path) -> None:
    turn = '            case "turn":\n'
    leaves = f"{turn}                raise NoScoreError('not written yet')\n"
    result = await checked(tmp_path, "set-up/noted", turn, leaves, strict=False)
    assert result.verdict is Verdict.NOT_REACHED
    assert result.came.startswith("Right in what the case is about, and then: ")


@pytest.mark.parametrize("pause", [0.0, 0.5])
async def test_connection_lost_after_the_greeting_is_no_fault_of_the_sign_up(pause: float) -> None:
    case = replace(case_of("sign-up/speaks-first"), pause=pause)

    def leave(player: socket.socket, name: str) -> None:
        player.sendall(b'<signup name="%b"/>' % name.encode())
        player.recv(1000)

    (result,) = (await check_bare(REVISED, [case], leave)).values()
    assert result.verdict is Verdict.NOT_REACHED
    assert result.came.startswith("Right in what the case is about, and then: ")


async def test_sign_up_is_waited_for_once_more_where_the_referee_was_late_itself() -> None:
    case = replace(case_of("sign-up/speaks-first"), pause=0.0)

    def sleepy(player: socket.socket, name: str) -> None:
        time.sleep(1.3)  # beyond the second that is allowed
        player.sendall(b'<signup name="%b"/>' % name.encode())
        player.recv(1000)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(be_late)
        (late,) = (await check_bare(REVISED, [case], sleepy)).values()
        nursery.cancel_scope.cancel()
    assert late.came.startswith("Right in what the case is about")
    (punctual,) = (await check_bare(REVISED, [case], sleepy)).values()
    assert punctual.verdict is Verdict.FAIL and "timed-out" in punctual.came


async def be_late() -> None:
    """Hold this process up once, while the player is waited for."""
    await trio.sleep(0.3)
    time.sleep(0.4)


async def test_passed_sign_up_shows_the_sign_up(tmp_path: Path) -> None:
    module = module_of(STARTER.read_text(), tmp_path, "starter")
    case = case_of("sign-up/speaks-first")
    (result,) = await check_by(REVISED, [case], Threads(playing(module)))
    assert (result.verdict, result.came) == (Verdict.PASS, '<signup name="player"/>')


# -- hints --------------------------------------------------------------------------------------


def ended(id_: str, reason: Reason, violation: Violation | None = None) -> Result:
    """The result of a player that erred so at the turn of a case."""
    left = ejected(reason, "Wrong.", violation)
    outcome = Outcome(Ending.NO_MORE_TURNS, 1, (), (left,))
    tried = Tried(wanted="me", name="me", events=[left], outcome=outcome)
    return judge(case_of(id_), tried, None, strict=False)


@pytest.mark.parametrize(
    ("id_", "reason", "violation", "told"),
    [
        ("buying/no-money", Reason.ILLEGAL, Violation.TOO_DEAR, True),
        ("buying/no-money", Reason.ILLEGAL, Violation.NOT_IN_HAND, False),
        ("turn/alone", Reason.ILLEGAL, Violation.TOO_DEAR, False),
        ("turn/alone", Reason.ILLEGAL, Violation.HOTEL_NOT_DUE, True),
        ("turn/alone", Reason.INVALID, None, True),
        ("turn/alone", Reason.TIMED_OUT, None, False),
        ("turn/alone", Reason.DISCONNECTED, None, False),
        ("framing/halves", Reason.DISCONNECTED, None, True),
        ("founding/price-after-founding", Reason.ILLEGAL, Violation.TOO_DEAR, True),
    ],
)
def test_usual_mistake_is_told_where_it_may_be_the_one(
    id_: str, reason: Reason, violation: Violation | None, *, told: bool
) -> None:
    assert hinted(ended(id_, reason, violation)) is told


# -- what is seen when all cases are looked at -------------------------------------------------


async def test_player_who_never_buys_is_told_so(tmp_path: Path) -> None:
    source = STARTER.read_text()
    never, edits = re.subn(r"return min\(on_board, .*NOTHING\)", "return NOTHING", source)
    assert edits == 1
    cases = [case for case in cases_for(REVISED) if case.section.slug == "buying"]
    results = {}
    for name, text in (("buys", source), ("never", never)):
        module = module_of(text, tmp_path, name)
        played = await check_by(REVISED, cases, Threads(playing(module)), jobs=4)
        now = datetime.now().astimezone()
        results[name] = Checked(REVISED, "player", False, tuple(played), now, 1.0)
        assert results[name].clean
    assert results["buys"].notes == []
    (note,) = results["never"].notes
    assert note.startswith(f"Each of {len(cases)} orders was empty")


# -- what was said ------------------------------------------------------------------------------


async def test_cuts_are_shown_where_they_were_made(tmp_path: Path) -> None:
    module = module_of(STARTER.read_text(), tmp_path, "starter")
    cases = [case_of("framing/whole"), case_of("framing/in-a-tag"), case_of("framing/trickle")]
    whole, cut, trickled = await check_by(REVISED, cases, Threads(playing(module)))
    assert not transcript(whole.tried.lines).cut
    told = [said.text for said in transcript(cut.tried.lines, WHOLE).opening if said.speaker == "A"]
    assert told[1].startswith("<st│ate>") and told[1].endswith("</st│ate>")
    shown = [said.text for said in transcript(trickled.tried.lines, WHOLE).opening]
    assert not any(CUT in text for text in shown)
    assert any(text.endswith(" pieces)") for text in shown)


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
