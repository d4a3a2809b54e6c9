"""Turns the result of a trial into a verdict on its case, with warnings and the hint of a case."""

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest

from ....game.violation import Violation
from ....protocol import messages
from ....protocol.faults import Circumstance, Fault, Reason, in_sentences
from ....protocol.framing import Framer
from ....protocol.messages import TAGS, PlayerMessage
from ....protocol.writing import Writer
from ...advising.explaining.explanation_text import readable
from ...refereeing.diagnosis.diagnose import hint_on_sign_up, of_silence, sign_up_fault_with_hint
from ...refereeing.play.events import Ejected
from ...refereeing.table.clocks import Clocks, in_seconds
from ...refereeing.view.plain_text import shortened
from ..cases.case import PLAYER, Case
from ..trial.trial import TrialResult
from ..trial.wire import PLAIN_DELIVERY
from .check_result import CaseResult, CaseVerdict

SLOW = 0.5  # an answer that takes more than this part of its time limit costs a warning
MAX_FORM_SHOWN = 120  # characters that are shown of a message in an unusual form
AT_ONCE = 0.15  # seconds in which a program answers that has waited for the connection's end
IDLE = 0.05  # a program that computed for fewer seconds was not slow
MAX_SHOWN = 300  # characters of an answer that are shown in a sentence
OTHER_FORM = (
    "If the player answers this question in other cases, it cannot read XML in this form. "
    "This referee never sends it; others may."
)
PRINTED = (
    "The program printed <{}>, but it did not arrive. Write messages to the connection, not to "
    "standard output, and flush them."
)


def clocks_for(case: Case, at_table: Callable[[int], Clocks] = Clocks.for_seats) -> Clocks:
    """Return the clocks of a case: those of a table of its size, plus its extra time."""
    usual = at_table(len(case.script.seats))
    return Clocks(usual.reply + case.extra_time, usual.turn + case.extra_time)


def judge(
    case: Case, trial: TrialResult, *, strict: bool, clocks: Clocks | None = None
) -> CaseResult:
    """Judge a case that was played with these clocks; with ``strict``, warnings are failures."""
    warnings = [*filter(None, _warnings(case, trial, clocks or clocks_for(case)))]
    if strict and trial.fault is None:
        warnings += _form_warnings(case, trial)
    missing = _missing(case, trial)
    if actual := _fault(case, trial):
        verdict = _verdict_on_fault(case, trial)
        if verdict is CaseVerdict.NOT_REACHED and not missing:
            verdict = CaseVerdict.RIGHT_SO_FAR
            actual = f"The tested step was right; then: {actual}"
        if verdict is CaseVerdict.WARN and not case.guaranteed:
            warnings.append(OTHER_FORM)
    elif missing:
        verdict, actual = CaseVerdict.NOT_REACHED, missing
    else:
        verdict = CaseVerdict.WARN if warnings else CaseVerdict.PASS
        actual = _tested_answers(case, trial)
    if strict and verdict is CaseVerdict.WARN:
        verdict = CaseVerdict.FAIL
        actual = f"{actual} (a failure only because of --strict: {' '.join(warnings)})"
    return CaseResult(case, verdict, actual, tuple(warnings), trial=trial)


def _missing(case: Case, trial: TrialResult) -> str:
    """Return what was not reached of what the case tests, as a sentence, or nothing."""
    begun = trial.outcome.turns if trial.outcome is not None else 0
    if begun < case.required_turns:
        return f"The trial ended after {begun} of {case.required_turns} turns."
    missing = case.required - {question for question, _ in trial.answers}
    return f"The player was never asked: {', '.join(sorted(missing))}." if missing else ""


def _verdict_on_fault(case: Case, trial: TrialResult) -> CaseVerdict:
    """Judge a fault in answering a question: only tested questions can fail the case."""
    if trial.left_with_score:
        return CaseVerdict.WARN
    if trial.failed_question not in case.tested or trial.referee_was_late:
        return CaseVerdict.NOT_REACHED
    return CaseVerdict.FAIL if case.guaranteed else CaseVerdict.WARN


def _fault(case: Case, trial: TrialResult) -> str:
    """Return the mistake that the player made as a sentence; empty if it made none."""
    report = trial.exit_report
    if report is not None and (early := trial.early_exit):
        return report.told(early, f" ({Reason.DISCONNECTED.value})")
    match trial.fault:
        case None:
            return ""
        case Fault(reason) as fault:
            told = sign_up_fault_with_hint(fault)
            if trial.printed:
                told = f"{PRINTED.format(trial.printed)} {fault}"
            return f"{told} ({reason.value})"
        case left:
            why = silence(case, trial)
            what = f"{why} {in_sentences(left.reason, left.detail)}" if why else left.sentences
            return f"{what} ({left.rule.value})"


def _tested_answers(case: Case, trial: TrialResult) -> str:
    """Return the tested answers as sent; ``<void/>`` only if there is no other."""
    writer, tested = Writer(case.script.rulebook), _tested(case, trial)
    shown = [writer.text(message) for message in tested if TAGS[type(message)] != "void"]
    if not tested:
        shown = [writer.text(messages.SignUp(trial.requested_name))]
    text = " ".join(shown) or "<void/>"
    return shortened(text, MAX_SHOWN)


# -- legal, but unwise --------------------------------------------------------------------------


def _warnings(case: Case, trial: TrialResult, clocks: Clocks) -> Iterator[str]:
    name, tested, exit_report = trial.requested_name, _tested(case, trial), trial.exit_report
    if case.name != PLAYER and name not in ("", case.name):
        yield (
            f"It should sign up as {case.name!r}, but signed up as {name!r}: take the name that "
            "the command has in place of {name}."
        )
    yield from _slow_answers(case, trial, clocks)
    if case.inspect is not None:
        yield case.inspect(tested)
    if trial.referee_was_late:
        yield "It was late, but so was this machine: run the case again with --jobs 1."
    if trial.left_with_score:
        # it crashed, or printed too much
        if (found := exit_report) and (found.flooded or found.exception or found.exit.code):
            yield found.told(found.before("answered <score>"))
        else:
            yield "It disconnected without answering <score>; the answer is <void/>."
    if exit_report is not None and trial.fault is None:
        exited = exit_report.exit
        if exited.stopped == "asked":
            yield "It was still running after the game, when its connection was closed."
        elif exited.stopped is not None:
            yield exit_report.sentence
        elif exited.code != 0:
            yield f"{exit_report.sentence} After a normal game, exit with 0."
        if exited.left and exited.stopped is None:
            yield "It left processes running."


def _tested(case: Case, trial: TrialResult) -> list[PlayerMessage]:
    return [event.message for question, event in trial.answers if question in case.tested]


def _slow_answers(case: Case, trial: TrialResult, clocks: Clocks) -> Iterator[str]:
    """Warn of answers that took much of their time; the delivery's time is not counted."""
    for question, seconds, limit in _times(trial, clocks):
        if seconds > case.extra_time + SLOW * (limit - case.extra_time):
            took = f"<{question}> took {seconds:.2f} s of the {in_seconds(limit)} allowed."
            late = " A busy machine excused it; otherwise the player would have been ejected."
            yield took + late * (seconds > limit)


def was_excused(trial: TrialResult, clocks: Clocks) -> bool:
    """Whether the player would have been late if its wait for a processor had counted."""
    return any(seconds > limit for _, seconds, limit in _times(trial, clocks))


def _times(trial: TrialResult, clocks: Clocks) -> Iterator[tuple[str, float, float]]:
    """Yield the question, seconds and limit of each answer; a turn's thinking is added up."""
    thought = 0.0
    for question, event in trial.answers:
        seconds = max(event.latency - event.lag, 0) / 1e6
        limit = clocks.reply
        if question in ("turn", "players", "merger"):
            thought = seconds if question == "turn" else thought + seconds
            seconds, limit = thought, clocks.turn
        yield event.question, seconds, limit


def silence(case: Case, trial: TrialResult) -> str:
    """Return why a player did not answer in time, as far as that shows; or nothing."""
    left = trial.ejected
    if left is None or not trial.was_silent:
        return ""
    if found := _reason_of_silence(case, trial, left):
        return found
    if trial.computed is None or trial.computed >= IDLE:
        return ""
    return str(of_silence(left.question, first=not trial.answers, idle=True))


def _reason_of_silence(case: Case, trial: TrialResult, left: Ejected) -> str:
    if trial.printed:
        return PRINTED.format(trial.printed)
    computing = left.circumstance is Circumstance.COMPUTING
    if trial.late_by:
        late = f"The answer to <{left.question}> came too late, after {in_seconds(trial.late_by)}"
        if trial.computed is None:
            return f"{late}."
        closed = max(entry.seconds for entry in trial.transcript if entry.sender == "A")
        if computing:
            return f"{late}: the program was computing."
        at_once = closed + AT_ONCE + trial.held_up
        if any(closed < entry.seconds < at_once for entry in trial.transcript):
            return (
                f"{late}: the program slept or waited, perhaps for the end of a line or of the "
                "input, since it answered when the connection was closed. A message ends where "
                "its root element is closed."
            )
        return f"{late}: the program slept or waited."
    if case.delivery.join_sign_up and trial.failed_question == "setup" and not computing:
        return (
            "The first <state> was not answered: it arrived in one read with the answer to the "
            "sign-up. Keep what follows the first element."
        )
    return ""


# -- unusual XML --------------------------------------------------------------------------------

_SIGN_UP = re.compile(rb'<signup name="[^"<]*"/>')
"""The plain form of a sign-up; any character of the name may be written as a reference."""


def _form_warnings(case: Case, trial: TrialResult) -> Iterator[str]:
    """Warn of the first message in another form than the plain one; all forms are accepted."""
    write = Writer(case.script.rulebook).write
    plain = [b'<signup name=".."/>', *(write(event.message) for _, event in trial.answers)]
    sent = _documents(b"".join(entry.data for entry in trial.transcript if entry.sender == "P"))
    for number, (message, expected) in enumerate(zip_longest(sent, plain, fillvalue=b"nothing")):
        if message != expected and (number or not _SIGN_UP.fullmatch(message)):
            shown = readable(message[:MAX_FORM_SHOWN])
            yield (
                "A message is not in the plain form. "
                f"Expected {expected.decode()}, received {shown}"
            )
            return


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
    report = result.trial.exit_report
    explained = report and (report.exception or report.flooded or report.exit.stopped)
    if (explained and result.trial.early_exit) or _is_diagnosed(result):
        return False
    case, ended_by, left = result.case, result.ended_by, result.trial.ejected
    violation, slug = left.violation if left is not None else None, case.section.slug
    rules = {each.sentence for each in PURCHASE}
    tests_orders = slug == "buying" or "players" in case.tested or case.source.words in rules
    if violation in PURCHASE and not tests_orders:
        return False
    unusual = case.delivery != PLAIN_DELIVERY
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
    if result.trial.was_silent and left is not None:
        computing = left.circumstance is Circumstance.COMPUTING
        return computing or bool(_reason_of_silence(result.case, result.trial, left))
    return left is not None and bool(left.hint)
