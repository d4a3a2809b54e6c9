"""A log cannot claim a fault of form that its bytes do not have."""

import re
from pathlib import Path

import pytest

from acquire.admin.refereeing.log.reader import AnswerReader, read
from acquire.admin.refereeing.log.verifier import Ejections, Verification, Verifier
from acquire.protocol.faults import Circumstance, Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from log.played import play_logged

PROVED, CLOCK, UNRECORDED = Ejections(by_bytes=1), Ejections(by_clock=1), Ejections(unrecorded=1)
LONG = b"<void".ljust(LIMIT_FROM_PLAYER + 1)


def verify(folder: Path, fault: Fault) -> Verification:
    """Verify a game in which `bob` is ejected so when <state> asks for <void>."""
    return Verifier(read(play_logged(folder, 21, leaves="bob", fault=fault))).verify()


TRUE = {
    "text": (Fault(Reason.MALFORMED, "", b"hello"), PROVED),
    "one byte too many": (Fault(Reason.MALFORMED, "", LONG), PROVED),
    "white space alone": (Fault(Reason.MALFORMED, "", LONG[5:] + b" " * 5), PROVED),
    "unknown element": (Fault(Reason.INVALID, "", b"<nothing/>"), PROVED),
    "another message": (Fault(Reason.OUT_OF_TURN, "", b"<order/>"), PROVED),
    "two messages": (Fault(Reason.OUT_OF_TURN, "", b"<void/><void/>"), PROVED),
    "before it was asked": (
        Fault(Reason.OUT_OF_TURN, "", b"<void/>", circumstance=Circumstance.UNASKED),
        CLOCK,
    ),
    "half a message": (Fault(Reason.TIMED_OUT, "", b"<vo"), CLOCK),
    "gone within a message": (Fault(Reason.DISCONNECTED, "", b"<vo"), CLOCK),
    "silent": (Fault(Reason.TIMED_OUT, ""), CLOCK),
    "without the bytes": (Fault(Reason.INVALID, ""), UNRECORDED),
    "as old logs have it: cut at the limit": (Fault(Reason.MALFORMED, "", LONG[:-1]), UNRECORDED),
    "as old logs have it: unasked": (
        Fault(Reason.OUT_OF_TURN, "Expected only Nothing, but '<void/>' followed.", b"<void/>"),
        CLOCK,
    ),
}


@pytest.mark.parametrize(("fault", "rests_on"), TRUE.values(), ids=TRUE)
def test_ejection_holds_and_rests_on(fault: Fault, rests_on: Ejections, tmp_path: Path) -> None:
    verdict = verify(tmp_path, fault)
    assert verdict.divergence is None
    assert verdict.ejections == rests_on
    assert sum(verdict.ejections) == 1


@pytest.mark.parametrize("circumstance", [Circumstance.UNASKED, Circumstance.UNREAD, None])
def test_log_keeps_what_a_program_has_to_know_of_a_fault(
    circumstance: Circumstance | None, tmp_path: Path
) -> None:
    reason = Reason.TIMED_OUT if circumstance is Circumstance.UNREAD else Reason.OUT_OF_TURN
    came = b"" if circumstance is Circumstance.UNREAD else b"<order/>"
    fault = Fault(reason, "", came, circumstance)
    record = read(play_logged(tmp_path, 21, leaves="bob", fault=fault))
    (ejected,) = [each for each in record.elements if each.tag == "ejected"]
    assert AnswerReader.fault(ejected) == fault
    assert Verifier(record).verify().divergence is None


A_VOID, UNFINISHED = "the recorded bytes are a valid <void>", "the beginning of a message"
FORGED = {
    "malformed, but valid": (Fault(Reason.MALFORMED, "", b"<void/>"), A_VOID),
    "invalid, but valid": (Fault(Reason.INVALID, "", b"<void/>"), A_VOID),
    "out of turn, but expected": (Fault(Reason.OUT_OF_TURN, "", b"<void/>"), A_VOID),
    "late, but complete": (Fault(Reason.TIMED_OUT, "", b"<void/>"), A_VOID),
    "gone, but complete": (Fault(Reason.DISCONNECTED, "", b"<void/>"), A_VOID),
    "malformed, but invalid": (Fault(Reason.MALFORMED, "", b"<nothing/>"), "bytes are invalid"),
    "invalid, but malformed": (Fault(Reason.INVALID, "", b"<void>&"), UNFINISHED),
    "invalid, but out of turn": (Fault(Reason.INVALID, "", b"<order/>"), "bytes are out-of-turn"),
    "out of turn, but invalid": (
        Fault(Reason.OUT_OF_TURN, "", b"<order a='b'/>"),
        "bytes are invalid",
    ),
    "malformed, but unfinished": (Fault(Reason.MALFORMED, "", b"<vo"), UNFINISHED),
    "out of turn, but unfinished": (Fault(Reason.OUT_OF_TURN, "", b"<vo"), UNFINISHED),
    "late, but malformed": (Fault(Reason.TIMED_OUT, "", b"hello"), "bytes are malformed"),
    "invalid and unasked": (
        Fault(Reason.INVALID, "", b"<a/>", circumstance=Circumstance.UNASKED),
        "come unasked",
    ),
    "unasked white space": (
        Fault(Reason.OUT_OF_TURN, "", b"\n", circumstance=Circumstance.UNASKED),
        "come unasked",
    ),
}


@pytest.mark.parametrize(("fault", "words"), FORGED.values(), ids=FORGED)
def test_ejection_that_the_bytes_contradict_diverges(
    fault: Fault, words: str, tmp_path: Path
) -> None:
    verdict = verify(tmp_path, fault)
    assert verdict.divergence is not None
    assert f"'bob' was ejected as {fault.reason.value}, but " in verdict.divergence
    assert words in verdict.divergence
    assert verdict.ejections == Ejections()


def test_illegal_move_is_proved_by_its_rule(tmp_path: Path) -> None:
    log = play_logged(tmp_path, 11, cheats="bob")
    assert Verifier(read(log)).verify().ejections == Ejections(by_rule=1)


def test_answer_cannot_be_made_a_fault_of_form(tmp_path: Path) -> None:
    """As a cheating referee would: a good answer is called malformed."""
    fault = Fault(Reason.MALFORMED, "Not well-formed XML.", b"hello")
    log = play_logged(tmp_path, 21, leaves="bob", fault=fault)
    text = log.read_text()
    forged = re.sub("<bytes>.*?</bytes>", "<bytes>PHZvaWQvPg==</bytes>", text)  # <void/>
    assert forged != text
    log.write_text(forged)
    divergence = Verifier(read(log)).verify().divergence
    assert divergence is not None and A_VOID in divergence
