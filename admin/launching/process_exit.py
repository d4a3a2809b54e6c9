"""How a program ended, which limit or signal explains it, and who is to blame.

What fails before the program is executed is this machine's fault, and so is the end of a program
that the system killed for lack of memory although its group had not reached its limit. A program
cannot pretend either: it does not run in the first case, and the kernel counts in the second.
"""

import json
import signal
from collections.abc import Callable
from dataclasses import asdict
from typing import NamedTuple

from .limits import Limits

EXCEEDED = {
    "processes": "more than {processes} processes",
    "memory": "it used more than {memory} bytes of memory, with everything that it started",
    "processor": "more than {processor} s of CPU time, with everything that it started",
    "scratch": "too many or too large temporary files",
}
"""What a program is stopped for, by the limit."""


class ProcessExit(NamedTuple):
    """How a program ended.

    ``code`` is the exit code, negative for a signal, or ``None`` if the program had to be stopped.
    Then ``stopped`` is ``asked`` (it was still running after its game), the limit that everything
    it had started exceeded together (``processes``, ``memory``, ``processor``, ``scratch``), or
    ``unknown`` (its supervisor was killed, or the supervisor's report was tampered with). ``left``
    counts processes that outlived it; ``processor`` is in milliseconds, ``memory`` in bytes.
    ``failure`` is why it could not be run at all. ``suspended`` is for how many milliseconds it
    stood still after a signal such as SIGSTOP; ``out_of_memory`` is whether the system killed a
    process for lack of memory meanwhile; ``yielded`` is whether others went first in the end,
    because it had kept more than one processor busy. ``machine_fault`` is why this machine is to
    blame for the end and not the program, as a clause, or empty.
    """

    code: int | None
    stopped: str | None
    left: int
    processor: int
    memory: int
    failure: str = ""
    suspended: int = 0
    out_of_memory: bool = False
    yielded: bool = False
    machine_fault: str = ""

    @property
    def failed(self) -> bool:
        """Whether the program ended by itself and not with success, or for exceeding a limit."""
        return self.stopped not in (None, "asked") or self.code not in (None, 0)

    def killed_from_outside(self, limits: Limits) -> bool:
        """Whether a signal ended it that it seldom sends itself, and that no limit explains."""
        explained = self.stopped is not None or self.out_of_memory or self._out_of_time(limits)
        return not explained and self.code in (-signal.SIGKILL, -signal.SIGTERM)

    def _out_of_time(self, limits: Limits) -> bool:
        """Whether the system has killed it for its CPU time, as where it ignores SIGXCPU."""
        return self.code == -signal.SIGKILL and self.processor >= limits.processor * 1000

    def describe(self, limits: Limits, name_limit: Callable[[str], str]) -> str:
        """Return a sentence about the end, with the limit that may explain it.

        ``name_limit`` turns a field of ``limits`` into the name under which a user has set it.
        """
        if self.machine_fault:
            return f"The machine failed, not the program: {self.machine_fault}."
        if self.failure:
            return f"It could not be run: {self.failure}."
        if self.stopped == "unknown":
            return "It is unknown how it ended: its supervisor was killed or tampered with."
        if self.stopped in EXCEEDED:
            limit = EXCEEDED[self.stopped].format(**asdict(limits))
            return f"It was stopped: {limit} ({name_limit(self.stopped)})."
        if self.code is None:
            return "It was still running."
        if self.code >= 0:
            return f"It ended with exit code {self.code}."
        known = -self.code in {*signal.Signals}
        name = signal.Signals(-self.code).name if known else f"signal {-self.code}"
        return f"It was ended by {name}{self._cause(limits, name_limit)}."

    def _cause(self, limits: Limits, name_limit: Callable[[str], str]) -> str:
        """Return what the signal that ended the program is explained by."""
        number = -(self.code or 0)
        if number == signal.SIGXCPU or self._out_of_time(limits):
            return f": more than {limits.processor} s of CPU time ({name_limit('processor')})"
        if number == signal.SIGXFSZ:
            return f": wrote more than {limits.file_size} bytes ({name_limit('file_size')})"
        if number == signal.SIGKILL and self.out_of_memory:
            return ": the system had run out of memory"
        if number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            return ", which no limit explains: it came from the program itself or from outside"
        return ""


def read_exit(report: bytes) -> ProcessExit | None:
    """Read a supervisor's report; ``None`` if the supervisor cannot have written it."""
    try:
        return ProcessExit(**json.loads(report))
    except (ValueError, TypeError):
        return None
