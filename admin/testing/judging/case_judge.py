"""Turns the result of a trial into a verdict on its case."""

from ....protocol import messages
from ....protocol.faults import Fault, Reason, in_sentences
from ....protocol.messages import TAGS
from ....protocol.writing import Writer
from ...refereeing.diagnosis.diagnose import sign_up_fault_with_hint
from ...refereeing.table.clocks import Clocks
from ...refereeing.view.sentences import shortened
from ..case_parts.case import Case
from ..trial.exit_report import ExitReport, exit_before_answer
from ..trial.trial import TrialResult
from .case_remarks import form_warnings, silence, warnings_for
from .check_result import CaseResult, CaseVerdict

MAX_SHOWN = 300
"""Characters of an answer that are shown in a sentence."""
OTHER_FORM = (
    "If the player answers this question in other cases, it cannot read XML in this form. "
    "This referee never sends it; others may."
)


def clocks_for(case: Case) -> Clocks:
    """Return the clocks of a case: the usual ones, plus its extra time."""
    usual = Clocks.for_seats(len(case.script.seats))
    return Clocks(usual.reply + case.extra_time, usual.turn + case.extra_time)


def judge(
    case: Case,
    trial: TrialResult,
    exit_report: ExitReport | None,
    *,
    strict: bool,
    clocks: Clocks | None = None,
) -> CaseResult:
    """Judge a case that was played with these clocks; with ``strict``, warnings are failures."""
    warnings = warnings_for(case, trial, exit_report, clocks or clocks_for(case))
    if strict:
        warnings += form_warnings(case, trial)
    missing = _missing(case, trial)
    if actual := _fault(case, trial):
        verdict = _verdict_on_fault(case, trial)
        if exit_report is not None and (early := exit_before_answer(trial, exit_report)):
            last = "" if exit_report.exception else exit_report.last_line
            actual = f"{exit_report.with_exception(early)} ({Reason.DISCONNECTED.value}) {last}"
            actual = actual.rstrip()
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
    return CaseResult(case, verdict, actual, tuple(warnings), trial=trial, exit_report=exit_report)


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
    match trial.fault:
        case None:
            return ""
        case Fault(reason) as fault:
            return f"{sign_up_fault_with_hint(fault)} ({reason.value})"
        case left:
            why = silence(case, trial)
            what = f"{why} {in_sentences(left.reason, left.detail)}" if why else left.sentences
            return f"{what} ({left.rule.value})"


def _tested_answers(case: Case, trial: TrialResult) -> str:
    """Return the tested answers as sent; ``<void/>`` only if there is no other."""
    writer = Writer(case.script.rulebook)
    tested = [event.message for question, event in trial.answers if question in case.tested]
    shown = [writer.text(message) for message in tested if TAGS[type(message)] != "void"]
    if not tested:
        shown = [writer.text(messages.SignUp(trial.requested_name))]
    text = " ".join(shown) or "<void/>"
    return shortened(text, MAX_SHOWN)
