"""What is said of a case beside its verdict: warnings of what is legal but unwise, and its hint."""

import re
from collections.abc import Iterator

from ....game.violation import Violation
from ....protocol.faults import Circumstance, Reason
from ....protocol.framing import Framer
from ....protocol.writing import Writer
from ...advising.explaining.explanation_text import readable
from ...refereeing.diagnosis.diagnose import hint_on_sign_up
from ...refereeing.table.clocks import Clocks, in_seconds
from ..case_parts.case import PLAYER, Case
from ..trial.exit_report import ExitReport
from ..trial.trial import TrialResult
from ..trial.wire import PLAIN_DELIVERY
from .check_result import CaseResult, CaseVerdict

SLOW = 0.5
"""An answer that takes more than this part of its time limit costs a warning."""
MAX_FORM_SHOWN = 120
"""Characters that are shown of a message in an unusual form."""


def warnings_for(
    case: Case, trial: TrialResult, exit_report: ExitReport | None, clocks: Clocks
) -> list[str]:
    """Return the warnings on a trial."""
    warnings, name = _slow_answers(case, trial, clocks), trial.requested_name
    if case.name != PLAYER and name not in ("", case.name):
        warnings.insert(0, f"It should sign up as {case.name!r}, but signed up as {name!r}.")
    if case.inspect is not None:
        tested = [event.message for question, event in trial.answers if question in case.tested]
        if doubtful := case.inspect(case.script.rulebook, tested):
            warnings.append(doubtful)
    if trial.referee_was_late:
        warnings.append("It was late, but so was this machine: run the case again with --jobs 1.")
    if trial.left_with_score and exit_report is not None and exit_report.flooded:
        warnings.append(exit_report.before("answered <score>"))
    elif trial.left_with_score:
        warnings.append("It disconnected without answering <score>; the answer is <void/>.")
    if exit_report is not None and trial.fault is None:
        warnings += _exit_warnings(exit_report)
    return warnings


def _slow_answers(case: Case, trial: TrialResult, clocks: Clocks) -> list[str]:
    """Warn of answers that took much of their time; the delivery's time is not counted."""
    warnings = []
    thought = 0.0
    for question, event in trial.answers:
        seconds = max(event.latency - event.lag, 0) / 1e6
        limit = clocks.reply
        if question in ("turn", "players", "merger"):
            thought = seconds if question == "turn" else thought + seconds
            seconds, limit = thought, clocks.turn
        if seconds > case.extra_time + SLOW * (limit - case.extra_time):
            warnings.append(
                f"<{event.question}> took {seconds:.2f} s of the {in_seconds(limit)} allowed."
            )
    return warnings


def _exit_warnings(exit_report: ExitReport) -> list[str]:
    """Warn of a player that played to the end but did not exit as it should."""
    exited = exit_report.exit
    warnings = []
    if exited.stopped == "asked":
        warnings.append("It was still running after the game, when its connection was closed.")
    elif exited.stopped is not None:
        warnings.append(exit_report.sentence)
    elif exited.code != 0:
        warnings.append(f"{exit_report.sentence} After a normal game, exit with 0.")
    if exited.left and exited.stopped is None:
        warnings.append("It left processes running.")
    return warnings


def silence(case: Case, trial: TrialResult) -> str:
    """Return why a player did not answer in time, as far as that shows; or nothing."""
    left = trial.ejected
    if left is None or not trial.was_silent:
        return ""
    question, computing = f"<{left.question}>", left.circumstance is Circumstance.COMPUTING
    if trial.late_by:
        late = f"The answer to {question} came too late, after {in_seconds(trial.late_by)}"
        if trial.computed is None:
            return f"{late}."
        return f"{late}: the program {'was computing' if computing else 'slept or waited'}."
    if computing:
        used = (
            "" if trial.computed is None else f" used {trial.computed:.1f} s of processor time and"
        )
        return (
            f"The program{used} did not answer {question}: probably an endless loop, or a search "
            "without a limit. Print where it is, or interrupt it in a debugger."
        )
    if case.delivery.join_sign_up and trial.failed_question == "setup":
        return (
            "The first <state> was not answered: it arrived in one read with the answer to the "
            "sign-up. Keep what follows the first element."
        )
    return ""


# -- unusual XML --------------------------------------------------------------------------------

_SIGN_UP = re.compile(rb'<signup name="[^"<]*"/>')
"""The plain form of a sign-up; any character of the name may be written as a reference."""


def form_warnings(case: Case, trial: TrialResult) -> list[str]:
    """Warn of the first message in another form than the plain one; all forms are accepted."""
    if trial.fault is not None:
        return []
    writer = Writer(case.script.rulebook)
    sent = _documents(b"".join(entry.data for entry in trial.transcript if entry.sender == "P"))
    sign_up = next(sent, b"")
    if not _SIGN_UP.fullmatch(sign_up):
        return [_form_warning(sign_up, b'<signup name=".."/>')]
    for _, answer in trial.answers:
        plain, message = writer.write(answer.message), next(sent, b"")
        if message != plain:
            return [_form_warning(message, plain)]
    rest = b"".join(sent)
    return [_form_warning(rest, b"nothing")] if rest else []


def _documents(sent: bytes) -> Iterator[bytes]:
    """Split the player's bytes after each element; white space belongs to what follows it."""
    framer = Framer(max(len(sent), 1))
    rest, found = sent, framer.feed(sent)
    while isinstance(found, bytes):
        end = rest.index(found) + len(found)
        yield rest[:end]
        rest = rest[end:]
        found = framer.feed(b"")
    if rest:
        yield rest


def _form_warning(sent: bytes, plain: bytes) -> str:
    shown = readable(sent[:MAX_FORM_SHOWN])
    return f"A message is not in the plain form. Expected {plain.decode()}, received {shown}"


# -- the hint -----------------------------------------------------------------------------------

PURCHASE = {
    *(Violation.TOO_MANY, Violation.MIXED_ORDER, Violation.NO_PRICE),
    *(Violation.SOLD_OUT, Violation.TOO_DEAR),
}
"""What can be wrong with an order of certificates."""

TRANSPORT_SECTIONS = frozenset({"framing", "names", "clocks"})
"""Bugs of these sections can show in any way: silence, a lost connection, a broken message."""
UNDERSTOOD = frozenset({Reason.ILLEGAL, Reason.OUT_OF_TURN})
"""The faults of a player that did read the question."""


def guess_at(result: CaseResult) -> str:
    """Return the hint of a case as a sentence; empty where it does not help.

    It is a guess: a bug that players often have in this case. What the player sent may show
    another one, and then that is named instead (:mod:`acquire.admin.refereeing.diagnosis`).
    """
    return f"A common bug here is {result.case.hint}" if _may_fit(result) else ""


def _may_fit(result: CaseResult) -> bool:
    """Whether it crashed over, or broke, what the case tests."""
    if result.verdict not in (CaseVerdict.FAIL, CaseVerdict.WARN) or not result.case.hint:
        return False
    if _is_diagnosed(result):
        return False
    case, ended_by, left = result.case, result.ended_by, result.trial.ejected
    violation, slug = left.violation if left is not None else None, case.section.slug
    rules = {each.sentence for each in PURCHASE}
    tests_orders = slug == "buying" or "players" in case.tested or case.source.words in rules
    if violation in PURCHASE and not tests_orders:
        return False
    unusual = case.delivery is not PLAIN_DELIVERY
    if slug in TRANSPORT_SECTIONS or "signup" in case.tested or unusual:
        understood = unusual and ended_by == Reason.ILLEGAL.value
        return ended_by not in ("", "absent") and not understood
    if left is None or left.reason not in UNDERSTOOD:
        return False
    return violation is None or (violation in PURCHASE) == tests_orders


def _is_diagnosed(result: CaseResult) -> bool:
    """Whether what was sent shows the mistake; where nothing was, only the sign-up is clear."""
    left, fault = result.trial.ejected, result.trial.sign_up_fault
    if any(each is not None and each.reason is Reason.INVALID for each in (left, fault)):
        return True  # the detail explains it
    if fault is not None:
        return bool(hint_on_sign_up(fault))
    if result.trial.was_silent:
        return bool(silence(result.case, result.trial))
    return left is not None and bool(left.hint)
