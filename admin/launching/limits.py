"""What a started program may use, how it ended, and which limit or signal explains that.

Who sets the limits and what enforces them is not known here: ``control_groups``, where this process
may make them, and otherwise ``watching``. A group may have more memory than its program, because
files in memory count there too; the sum of processes is the limit, the group the wall behind it.

What fails before the program is executed is this machine's fault, and so is the end of a program
that the system killed for lack of memory although its group had not reached its limit. A program
cannot pretend either: it does not run in the first case, and the kernel counts in the second.
Without a group nothing tells the system's SIGKILL from the program's own, so neither is excused.
"""

import json
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from ...protocol.settings_file import Reader, Wrong, list_of, one_of, read_settings, text, whole

UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
LARGEST = 2**62 - 1
OUT_OF_MEMORY = re.compile(
    rb"(?m)insufficient memory for the Java Runtime Environment|Could not reserve enough space for|"
    rb"java.lang.OutOfMemoryError|JavaScript heap out of memory|^MemoryError|Cannot allocate memory"
)
"""What toolchains print when they may not use more memory."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one program and everything it starts, together, and of its sandbox.

    Sizes are in bytes. ``read_only`` are files and folders that all programs may read in a sandbox,
    such as toolchains that are not in PATH.
    """

    memory: int = 2**30
    processor: int = 600  # seconds
    processes: int = 64
    file_size: int = 16 * 2**20
    sandbox: str = "auto"
    read_only: tuple[str, ...] = ()
    scratch: int = 64 * 2**20  # the size of a program's temporary folder in a sandbox


def _size(value: object) -> int:
    """Read a size such as ``512 MiB``, in bytes."""
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d{1,30})\s*(KiB|MiB|GiB|)\s*", value)
        if found is None:
            raise Wrong(
                f"{value!r} is not a size. Write a number and KiB, MiB or GiB, such as '512 MiB'."
            )
        value = int(found[1]) * UNITS[found[2]]
    size: int = _AMOUNT(value)
    return size


def _path(value: object) -> str:
    path = text(value)
    if not path:
        raise Wrong("is empty. Write the path of a file or a folder.")
    return path


_AMOUNT = whole(1, LARGEST)

SETTINGS: dict[str, Reader] = {
    "memory": _size,
    "processor": _AMOUNT,
    "processes": _AMOUNT,
    "file_size": _size,
    "sandbox": one_of("auto", "bwrap", "uid", "none"),
    "read_only": list_of(_path),
    "scratch": _size,
}


def limits_from(settings: Mapping[str, object]) -> Limits:
    """Read limits as a file or an option has them; ``InvalidSettings`` if they make none.

    >>> limits_from({"memory": "2 KiB"}).memory
    2048
    """
    return Limits(**read_settings(settings, SETTINGS, "setting here"))


# -- how a program ended -------------------------------------------------------------------------

EXCEEDED = {
    "processes": "more than {processes} processes",
    "memory": "it used more than {memory} bytes of memory, with everything that it started",
    "processor": "more than {processor} s of CPU time, with everything that it started",
    "scratch": "too many or too large temporary files",
}
"""What a program is stopped for, by the limit."""

SUPERVISOR_TIMEOUT = 5.0  # seconds for a supervisor to obey a request; then it is killed
UNANSWERED = (
    f"its supervisor did not answer for {SUPERVISOR_TIMEOUT:g} s, and the referee killed it"
)


class ProcessExit(NamedTuple):
    """How a program ended.

    The reasons to stop it are ``asked`` (it was still running after its game), the limit that
    everything it had started exceeded together (``processes``, ``memory``, ``processor``,
    ``scratch``), ``unanswered`` (we killed its supervisor, which did not answer when asked to stop
    it) and ``unknown`` (its supervisor was killed or stopped by others, or the supervisor's report
    was tampered with).
    """

    code: int | None  # negative for a signal, None if the program had to be stopped
    stopped: str | None  # the reason to stop it, or None
    left: int  # how many processes outlived it
    processor: int  # milliseconds
    memory: int  # bytes
    failure: str = ""  # why it could not be run at all
    suspended: int = 0  # milliseconds for which it stood still after a signal such as SIGSTOP
    out_of_memory: bool = False  # a process of its control group was killed for lack of memory
    yielded: bool = False  # others went first in the end: it had kept several processors busy
    machine_fault: str = ""  # why the machine is to blame, not the program: a clause, or empty

    @property
    def failed(self) -> bool:
        """Whether the program ended by itself and not with success, or for exceeding a limit."""
        return self.stopped not in (None, "asked", "unanswered") or self.code not in (None, 0)

    def killed_from_outside(self, limits: Limits) -> bool:
        """Whether a signal ended it that it seldom sends itself, and that no limit explains."""
        explained = self.stopped is not None or self.out_of_memory or self._out_of_time(limits)
        return not explained and self.code in (-signal.SIGKILL, -signal.SIGTERM)

    def _out_of_time(self, limits: Limits) -> bool:
        """Whether the system has killed it for its CPU time, as where it ignores SIGXCPU."""
        return self.code == -signal.SIGKILL and self.processor >= limits.processor * 1000

    def describe(
        self, limits: Limits, name_limit: Callable[[str], str], output: bytes = b""
    ) -> str:
        """Return a sentence about the end, with the limit that may explain it, also by the output.

        ``name_limit`` turns a field of ``limits`` into the name under which a user has set it.
        """
        if self.machine_fault:
            return f"The machine failed, not the program: {self.machine_fault}."
        if self.failure:
            return f"It could not be run: {self.failure}."
        if self.stopped == "unanswered":
            return f"It is unknown how it ended: {UNANSWERED}."
        if self.stopped == "unknown":
            return (
                "It is unknown how it ended: its supervisor was killed, stopped or tampered with."
            )
        if self.stopped in EXCEEDED:
            limit = EXCEEDED[self.stopped].format(**asdict(limits))
            return f"It was stopped: {limit} ({name_limit(self.stopped)})."
        needs = self.code != 0 and OUT_OF_MEMORY.search(output)
        more = f" It seems to need more memory than {name_limit('memory')} allows." if needs else ""
        if self.code is None:
            return f"It was still running.{more}"
        if self.code >= 0:
            return f"It ended with exit code {self.code}.{more}"
        known = -self.code in {*signal.Signals}
        name = signal.Signals(-self.code).name if known else f"signal {-self.code}"
        return f"It was ended by {name}{self._cause(limits, name_limit)}.{more}"

    def _cause(self, limits: Limits, name_limit: Callable[[str], str]) -> str:
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
