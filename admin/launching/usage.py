"""What a program and everything that it started use, read from ``/proc``.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import os
import resource
from contextlib import suppress
from typing import NamedTuple

from .processes import descendants

TICKS = os.sysconf("SC_CLK_TCK")
BLOCK = 512
"""Bytes of a block of :func:`os.stat`."""
FREE_SOCKETS, SOCKET_MEMORY = 128, 2**19
"""Open sockets and pipes that cost nothing, and bytes for each that is more."""
MAX_DESCRIPTORS = 20_000
"""Descriptors that are searched for hidden files in one look."""


class Look(NamedTuple):
    """What was found at one moment: processes, CPU time so far in seconds, memory in bytes.

    ``suspended`` is whether a process is stopped by a signal.
    """

    processes: int
    processor: float
    memory: int
    suspended: bool


class Usage:
    """Adds up what the descendants of this process use.

    The CPU time of processes that have ended is what those that waited for them have been told, or
    what it was at the last look, whichever is more.
    """

    def __init__(self) -> None:
        self._processor: dict[tuple[int, str], int] = {}
        self._unseen = 0.0
        """CPU seconds of processes that have probably come and gone between two looks."""

    def look(self, memory_limit: int, since: float) -> Look:
        """Look at all descendants, ``since`` seconds after the last look.

        Memory is exact only if it may exceed the limit. A process that runs now and was not there
        at the last look stands for those before it: so a chain of short ones is counted.
        """
        found = descendants(os.getpid())
        suspended, living, is_first = False, 0, not self._processor
        for process in found:
            with suppress(OSError, ValueError, IndexError):  # it has just ended
                fields = stat_fields(process)
                own, waited_for = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
                known = is_first or (process, fields[19]) in self._processor
                if fields[0] == "R" and not known:
                    self._unseen += since
                self._processor[process, fields[19]] = own
                living += own + waited_for
                suspended = suspended or fields[0] == "T"
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seen = sum(self._processor.values()) / TICKS + self._unseen
        processor = max(seen, living / TICKS + ended.ru_utime + ended.ru_stime)
        memory = _resident(found)
        if memory > memory_limit:
            memory = _exact(found, memory)
        return Look(len(found), processor, memory, suspended)


def stat_fields(process: int, thread: int | None = None) -> list[str]:
    """Return the fields of ``/proc/PID/stat`` from the state on; a name may contain anything.

    They are those of the process, or of one of its threads.
    """
    path = f"/proc/{process}/stat" if thread is None else f"/proc/{process}/task/{thread}/stat"
    with open(path, errors="replace") as file:
        return file.read().rpartition(")")[2].split()


# -- memory -------------------------------------------------------------------------------------


def _resident(processes: list[int]) -> int:
    """Return the memory that processes have; what several share counts for each of them.

    The memory of files without a name counts once, whether it is mapped or not.
    """
    anonymous = shared = 0
    for process in processes:
        fields = _fields(f"/proc/{process}/status", ("RssAnon", "VmSwap", "VmPTE", "RssShmem"))
        anonymous += sum(fields.get(name, 0) for name in ("RssAnon", "VmSwap", "VmPTE"))
        shared += fields.get("RssShmem", 0)
    return anonymous + max(shared, _nameless_files(processes))


def _exact(processes: list[int], resident: int) -> int:
    """Return the memory with every shared part counted once; ``resident`` where that is unknown."""
    proportional = shared = 0
    for process in processes:
        fields = _fields(
            f"/proc/{process}/smaps_rollup", ("Pss_Anon", "SwapPss", "Pss_Shmem", "Rss")
        )
        if not fields and not _has_ended(process):
            return resident
        proportional += fields.get("Pss_Anon", 0) + fields.get("SwapPss", 0)
        proportional += _fields(f"/proc/{process}/status", ("VmPTE",)).get("VmPTE", 0)
        shared += fields.get("Pss_Shmem", 0)
    return proportional + max(shared, _nameless_files(processes))


def _has_ended(process: int) -> bool:
    """Whether a process is gone, or has no memory any more and was not waited for yet."""
    try:
        return stat_fields(process)[0] in "ZX"
    except (OSError, IndexError):
        return True


def _fields(path: str, names: tuple[str, ...]) -> dict[str, int]:
    """Return sizes of a file of ``/proc`` in bytes, by name."""
    found: dict[str, int] = {}
    with suppress(OSError), open(path, errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in names:
                found[name] = int(value.split()[0]) * 1024
    return found


def _nameless_files(processes: list[int]) -> int:
    """Return the size of open files that have no name: in memory only, or removed.

    Sockets and pipes beyond a number that no player needs count as well, because the system keeps
    memory for them that belongs to no process.
    """
    sizes: dict[tuple[int, int], int] = {}
    others: set[str] = set()
    looked = 0
    for process in processes:
        with suppress(OSError):  # it is gone, or may not be looked at
            for descriptor in os.listdir(f"/proc/{process}/fd"):
                looked += 1
                if looked > MAX_DESCRIPTORS:
                    break
                path = f"/proc/{process}/fd/{descriptor}"
                with suppress(OSError):
                    place = os.readlink(path)
                    if place.startswith(("socket:", "pipe:")):
                        others.add(place)
                    if place.endswith(" (deleted)"):  # so do those of memfd_create
                        found = os.stat(path)
                        sizes[found.st_dev, found.st_ino] = found.st_blocks * BLOCK
    return sum(sizes.values()) + max(len(others) - FREE_SOCKETS, 0) * SOCKET_MEMORY
