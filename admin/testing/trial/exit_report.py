"""How a launched player ended, and whether that is why its connection was lost."""

import re
from typing import NamedTuple

from ....protocol.faults import Reason
from ...launching.limits import ProcessExit
from ...refereeing.view.sentences import shortened
from .trial import TrialResult

MAX_SHOWN = 300
"""Characters that are shown of an exception."""
MAX_LAST = 120
"""Characters that are shown of the last line of a program's output."""
_EXCEPTION = re.compile(
    r"(?:Exception in thread \S+ |Uncaught )?((?:\w+\.)*\w*(?:Error|Exception)\b.*)"
)
"""How an exception is printed in Python, JavaScript and Java."""


class ExitReport(NamedTuple):
    """How a launched player ended: its exit, the same as a sentence, the end of its output.

    ``flooded`` is what the limit is called that its output has reached; empty if it has not.
    """

    exit: ProcessExit
    sentence: str
    output: bytes
    flooded: str = ""

    @property
    def last_line(self) -> str:
        """The last line of the output, as a sentence; empty if nothing was printed."""
        lines = self._lines
        return f"Last line of its output: {shortened(lines[-1], MAX_LAST)}" if lines else ""

    @property
    def exception(self) -> str:
        """The last exception in the output; empty if there is none.

        >>> exited = ProcessExit(code=1, stopped=None, left=0, processor=10, memory=1000)
        >>> printed = b"Traceback (most recent call last):\\n  ...\\nKeyError: 'ann'\\n"
        >>> ExitReport(exited, "It ended with exit code 1.", printed).exception
        "KeyError: 'ann'"
        """
        found = [match[1] for line in self._lines if (match := _EXCEPTION.fullmatch(line))]
        return found[-1][:MAX_SHOWN] if found else ""

    def with_exception(self, sentence: str) -> str:
        """Return a sentence about the end of the program, with the exception if there is one."""
        return f"{sentence.removesuffix('.')}: {self.exception}" if self.exception else sentence

    @property
    def _lines(self) -> list[str]:
        lines = self.output.decode(errors="backslashreplace").split("\n")
        return [line.strip() for line in lines if line.strip()]

    def before(self, deed: str) -> str:
        """Describe how the program ended before it did something.

        >>> exited = ProcessExit(code=1, stopped=None, left=0, processor=10, memory=1000)
        >>> ExitReport(exited, "It ended with exit code 1.", b"").before("answered <turn>")
        'The program ended with exit code 1 before it answered <turn>.'
        """
        code = self.exit.code
        if self.flooded:
            limit = f"its output reached the limit ({self.flooded})"
            return f"The program printed too much: {limit} before it {deed}."
        if self.sentence == f"It ended with exit code {code}.":
            return f"The program ended with exit code {code} before it {deed}."
        return f"The program ended before it {deed}. {self.sentence}"


def exit_before_answer(trial: TrialResult, report: ExitReport | None) -> str:
    """Return how a program ended instead of answering; empty if it did not end so."""
    fault = trial.fault
    if report is None or fault is None or fault.reason is not Reason.DISCONNECTED:
        return ""
    if report.exit.code is None and not report.exit.failed:
        return ""
    question = trial.failed_question if trial.name else "signup"
    deeds = {"signup": "signed up", "setup": "answered the first position"}
    return report.before(deeds.get(question, f"answered <{question}>"))
