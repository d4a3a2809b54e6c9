"""Warnings: what a player did that is legal but unwise."""

import re
from collections.abc import Iterator

from ....protocol.framing import Framer
from ....protocol.writing import Writer
from ...advising.explaining.explanation_text import readable
from ...refereeing.table.clocks import Clocks, in_seconds
from ..case_parts.case import PLAYER, Case
from ..trial.exit_report import ExitReport
from ..trial.trial import TrialResult

SLOW = 0.5
"""An answer that takes more than this part of its time limit costs a warning."""
MAX_FORM_SHOWN = 120
"""Characters that are shown of a message in an unusual form."""


def warnings_for(
    case: Case, trial: TrialResult, exit_report: ExitReport | None, clocks: Clocks
) -> list[str]:
    """Return the warnings on a trial."""
    warnings = _name_warnings(case, trial)
    warnings += _slow_answers(case, trial, clocks)
    if case.inspect is not None:
        tested = [event.message for question, event in trial.answers if question in case.tested]
        if doubtful := case.inspect(case.script.rulebook, tested):
            warnings.append(doubtful)
    if trial.referee_was_late:
        warnings.append("It was late, but so was this machine: run the case again with --jobs 1.")
    if trial.left_with_score:
        warnings.append("It disconnected without answering <score>; the answer is <void/>.")
    if exit_report is not None and trial.fault is None:
        warnings += _exit_warnings(exit_report)
    return warnings


def _name_warnings(case: Case, trial: TrialResult) -> list[str]:
    """Warn of a player that changed the special name that it was given to sign up with."""
    if case.name == PLAYER or not trial.requested_name or trial.requested_name == case.name:
        return []
    return [f"It should sign up as {case.name!r}, but signed up as {trial.requested_name!r}."]


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
