"""Watch one program until it ends, or exceeds a limit together with everything that it started.

Programs share the processors by priority. One that has used two CPU seconds more than one processor
could give gets the lowest, with all its sessions, because the kernel may schedule each session as
one: 62 busy sessions made a rival's turn take fifty times as long. Starting every program with a
low priority would change nothing between programs.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import os
import resource
import select
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from .control_groups import LOWEST_WEIGHT, USUAL_WEIGHT, ControlGroup, number_of
from .leftovers import BLOCK, files_in_sandbox, size_of_files
from .processes import TICKS, descendants, reap, stat_fields
from .starting import Started

POLL_INTERVAL = 0.1  # least seconds between two looks at what the program uses
MAX_INTERVAL = 1.0  # most seconds between two looks, however long a look takes
LOOKING_SHARE = 0.1  # the share of its time that a supervisor may spend on looking
OWN_OF_BWRAP = 2  # processes of bubblewrap itself beside every sandboxed program
SANDBOX_FOLDERS = ("/tmp", "/dev/shm")  # where a sandboxed program may write
MAX_PROCESSOR_DEBT = 2.0  # CPU seconds beyond one processor; then others go first
LOWEST_PRIORITY, USUAL_PRIORITY = 19, 0
MAX_FILES = 50_000  # files in a program's temporary folder: each costs the system memory
REWRITES = 4  # times the size limit of its files that a program may write to the disk
WORLD_WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/var/crash")
"""Where a program with a user of its own may leave files."""
FREE_SOCKETS, SOCKET_MEMORY = 128, 2**19  # free sockets and pipes; bytes for each more
FREE_SCARCE, SCARCE_MEMORY = 128, 2**24  # the same for what the kernel limits by user or in all
EPOLL = "anon_inode:[eventpoll]"
SCARCE = {"/dev/ptmx": 16, "/dev/pts/ptmx": 16, EPOLL: 1}
"""Terminals, of which the machine has some thousands, and what waits for descriptors, each of
which the kernel counts for the user."""
HALT_TIME = 0.05  # seconds for all processes to stop, so that memory can be measured
HIDDEN_MEMORY = 2**62  # bytes assumed where nobody can look, or there is too much to look at
MAX_DESCRIPTORS = 20_000
"""Descriptors that are searched for hidden files in one look, and those that are waited for, also
if they are not open any more; no player needs more."""
MAX_MAPPINGS = 200_000  # mappings that are searched in one look


class LimitWatch:
    """Watches one program until it ends or has to be stopped.

    ``awake`` can be read when a child may have ended; ``asked`` is whether the program is to be
    stopped already. ``suspended`` is for how many seconds it was seen stopped by a signal,
    ``yielding`` whether others go first. ``processor`` is the CPU seconds at the last look: those
    of processes that nobody waits for are lost later.
    """

    # no data class: importing those would be a quarter of the start of a program
    suspended, processor, yielding = 0.0, 0.0, False
    _debt = 0.0
    _written = 0  # bytes that the living and all they waited for had written at the last look
    _forgotten = 0  # those of processes that nobody waited for
    _unseen = 0.0  # CPU seconds of processes that have probably come and gone between two looks

    def __init__(
        self,
        task: dict[str, Any],
        started: Started,
        awake: int,
        group: ControlGroup | None,
        asked: bool,
    ) -> None:
        self.task, self.started, self.group = task, started, group
        self.awake, self.asked = awake, asked
        self._seen: dict[tuple[int, str], int] = {}  # CPU time by process and when it began

    @property
    def own_processes(self) -> int:
        """How many processes are not the program's, but of its sandbox."""
        return OWN_OF_BWRAP if self.started.bwrap else 0

    def until_end(self) -> tuple[int | None, str | None]:
        """Wait for the program to end; return its status, or why it had to be stopped."""
        if not self.started.set_up or (self.started.failure and self.started.bwrap):
            return None, None  # there is no process any more
        interval, seen = POLL_INTERVAL, time.monotonic()
        while True:
            ready, _, _ = select.select([0, self.awake], [], [], 0 if self.asked else interval)
            if self.awake in ready:
                os.read(self.awake, 4096)
            status = reap(self.started.process)
            if status is not None:
                return (None, "memory") if self._was_killed_for_memory() else (status, None)
            if self.asked or 0 in ready:
                return None, "asked"
            began = time.monotonic()
            if not ready or began - seen >= interval:
                if (why := self._exceeded(began - seen)) is not None:
                    return None, why
                seen = time.monotonic()
                pause = (seen - began) / LOOKING_SHARE  # many threads and files take long
                interval = min(max(POLL_INTERVAL, pause), MAX_INTERVAL)

    def _exceeded(self, since: float) -> str | None:
        """Return the limit that everything started by the program exceeds together."""
        limits = self.task["limits"]
        processes = descendants(os.getpid())
        seen = self._seen_processor(processes, since)
        processor = self.in_group if self.group is not None else seen
        self._share_processors(processes, processor - self.processor, since)
        self.processor = processor
        folders = _folders(processes)
        memory = _resident(folders, self._nameless(folders))
        if memory > limits["memory"]:  # only then it has to be exact
            with _halted() as processes:
                folders = _folders(processes)
                memory = _exact(folders, memory, self._nameless(folders))
        if len(processes) - self.own_processes > limits["processes"]:
            return "processes"
        if memory > limits["memory"] or self._was_killed_for_memory():
            return "memory"
        if processor > limits["processor"] + 1:  # one process is ended by the kernel
            return "processor"
        if self._has_too_many_files() or self._wrote_too_much(processes):
            return "scratch"
        return None

    def _nameless(self, folders: list[str]) -> int:
        """Return the size of files without a name; a control group counts those mapped itself."""
        largest = self.task["limits"]["file_size"]
        sizes, others = _open_files(folders, largest)
        if self.group is None and others < HIDDEN_MEMORY:
            others += _add_mapped_files(folders, sizes, largest)
        return sum(sizes.values()) + others

    @property
    def in_group(self) -> float:
        """CPU seconds that its control group has counted, 0 without one."""
        return self.group.processor if self.group is not None else 0.0

    def _was_killed_for_memory(self) -> bool:
        group = self.group
        return group is not None and group.was_killed and group.reached_limit

    def _seen_processor(self, processes: list[int], since: float) -> float:
        """Return the CPU seconds so far of some processes and of those before them.

        Those of processes that have ended are what those that waited for them have been told, or
        what they were at the last look, whichever is more. A process that runs now and was not
        there at the last look stands for those before it: so a chain of short ones is counted.
        """
        suspended, living, is_first = False, 0, not self._seen
        for process in processes:
            with suppress(OSError, ValueError, IndexError):  # it has just ended
                fields = stat_fields(process)
                own, waited_for = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
                known = is_first or (process, fields[19]) in self._seen
                if fields[0] == "R" and not known:
                    self._unseen += since
                self._seen[process, fields[19]] = own
                living += own + waited_for
                suspended = suspended or fields[0] == "T"
        if suspended:
            self.suspended += since
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        seen = sum(self._seen.values()) / TICKS + self._unseen
        return max(seen, living / TICKS + ended.ru_utime + ended.ru_stime)

    def _share_processors(self, processes: list[int], used: float, since: float) -> None:
        """Let others go first once the program keeps more than one processor busy.

        Without that, its rivals' turns would take longer, the more processes and sessions it has.
        """
        self._debt = max(self._debt + used - since, 0.0)
        self.yielding = self.yielding or self._debt > MAX_PROCESSOR_DEBT
        if self.yielding:
            self._prioritise(processes, LOWEST_PRIORITY, LOWEST_WEIGHT)

    def let_end(self) -> None:
        """Undo that others go first: what is killed ends in its own time, and is waited for."""
        if self.yielding:
            self._prioritise(descendants(os.getpid()), USUAL_PRIORITY, USUAL_WEIGHT)

    def _prioritise(self, processes: list[int], priority: int, weights: Mapping[int, str]) -> None:
        if self.group is not None:
            self.group.share(weights)
        for process in processes:
            with suppress(OSError):
                if os.getsid(process) != os.getsid(0):  # the kernel may schedule it as one
                    path = f"/proc/{process}/autogroup"
                    with suppress(OSError), open(path, "w", encoding="ascii") as file:
                        file.write(str(priority))
                for thread in os.listdir(f"/proc/{process}/task"):
                    os.setpriority(os.PRIO_PROCESS, int(thread), priority)

    def _wrote_too_much(self, processes: list[int]) -> bool:
        """Whether the disk is filled, also by files that no look finds: removed, mapped, sent."""
        limits = self.task["limits"]
        written = sum(number_of("write_bytes:", f"/proc/{each}/io") for each in processes)
        self._forgotten += max(self._written - written, 0)
        self._written = written
        most = REWRITES * (limits["scratch"] + limits["file_size"])
        return bool(self.task["sandbox"]) and written + self._forgotten > most

    def _has_too_many_files(self) -> bool:
        sandbox = self.task["sandbox"]
        if self.started.inside:  # the kernel limits the size of its folders, not the number
            inside = self.started.inside
            return any(files_in_sandbox(inside, each) > MAX_FILES for each in SANDBOX_FOLDERS)
        if "uid" in sandbox:
            own = f"{self.task['scratch']}/scratch"
            files, size = size_of_files(sandbox["uid"], own, WORLD_WRITABLE, MAX_FILES)
            return files > MAX_FILES or size > self.task["limits"]["scratch"]
        return False


# -- memory, read from /proc ---------------------------------------------------------------------


@contextmanager
def _halted() -> Iterator[list[int]]:
    """Stop all processes for a moment, and yield them.

    While some begin and end, what they share would count more than once, or not at all.
    """
    halted: set[int] = set()
    deadline = time.monotonic() + HALT_TIME
    try:
        while True:
            processes = descendants(os.getpid())
            moving = [each for each in processes if _state(each) not in "TtZX"]
            if not moving or time.monotonic() > deadline:
                break
            for process in set(moving) - halted:
                with suppress(OSError):  # it is gone
                    os.kill(process, signal.SIGSTOP)
                    halted.add(process)
            time.sleep(0.001)
        yield processes
    finally:
        for process in halted:
            with suppress(OSError):
                os.kill(process, signal.SIGCONT)


def _state(process: int) -> str:
    """Return the state of a process as in ``/proc``, X if it is gone."""
    try:
        return stat_fields(process)[0]
    except (OSError, IndexError):
        return "X"


def _folders(processes: list[int]) -> list[str]:
    """Return the folders of ``/proc`` that show what the threads of each process share.

    That of a process whose first thread has ended shows nothing, though others go on: then it is
    the folder of one of them.
    """
    return [_folder(f"/proc/{process}", process) for process in processes]


def _folder(folder: str, process: int) -> str:
    with suppress(OSError, IndexError):  # it is gone
        if _state(process) == "Z":
            for thread in map(int, os.listdir(f"{folder}/task")):
                if stat_fields(process, thread)[0] not in "ZX":
                    return f"{folder}/task/{thread}"
    return folder


def _resident(folders: list[str], nameless: int) -> int:
    """Return the memory of processes, shared parts counted for each, nameless files once."""
    anonymous = shared = 0
    for folder in folders:
        fields = _fields(f"{folder}/status", ("RssAnon", "VmSwap", "VmPTE", "RssShmem"))
        anonymous += sum(fields.get(name, 0) for name in ("RssAnon", "VmSwap", "VmPTE"))
        shared += fields.get("RssShmem", 0)
    return anonymous + max(shared, nameless)


def _exact(folders: list[str], resident: int, nameless: int) -> int:
    """Return the memory with every shared part counted once; ``resident`` where that is unknown."""
    proportional = shared = 0
    for folder in folders:
        fields = _fields(f"{folder}/smaps_rollup", ("Pss_Anon", "SwapPss", "Pss_Shmem", "Rss"))
        if not fields and _fields(f"{folder}/status", ("VmSize",)):
            return resident  # it can be looked at, but not into; one that is ending has no size
        proportional += fields.get("Pss_Anon", 0) + fields.get("SwapPss", 0)
        proportional += _fields(f"{folder}/status", ("VmPTE",)).get("VmPTE", 0)
        shared += fields.get("Pss_Shmem", 0)
    return proportional + max(shared, nameless)


def _fields(path: str, names: tuple[str, ...]) -> dict[str, int]:
    """Return sizes of a file of ``/proc`` in bytes, by name."""
    found: dict[str, int] = {}
    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name in names:
                found[name] = int(value.split()[0]) * 1024
    return found


Sizes = dict[tuple[int, int], int]  # bytes of files by device and inode


def _open_files(folders: list[str], largest: int) -> tuple[Sizes, int]:
    """Return the sizes of open files that have no name: in memory only, or removed.

    Beside them, bytes for what belongs to no process: sockets and pipes beyond a number that no
    player needs, and what is on its way through a socket, which may be files of the largest size.
    """
    sizes: Sizes = {}
    others: dict[str, int] = {}
    looked = scarce = watched = 0
    for folder in folders:
        hides = not os.access(f"{folder}/fd", os.R_OK)
        if hides and _fields(f"{folder}/status", ("VmSize",)):  # not if it is ending
            return sizes, HIDDEN_MEMORY
        with suppress(OSError):  # it is gone
            for descriptor in os.listdir(f"{folder}/fd"):
                looked += 1
                if looked > MAX_DESCRIPTORS or watched > MAX_DESCRIPTORS:
                    return sizes, HIDDEN_MEMORY
                path, info = (f"{folder}/{each}/{descriptor}" for each in ("fd", "fdinfo"))
                with suppress(OSError):
                    place = os.readlink(path)
                    if place.startswith(("socket:", "pipe:")) and place not in others:
                        others[place] = number_of("scm_fds:", info)
                    scarce += SCARCE.get(place, 0)
                    if place == EPOLL:
                        with open(info, "rb") as lines:  # a line for each that is waited for
                            watched += sum(1 for _ in islice(lines, MAX_DESCRIPTORS + 10))
                    if place.endswith(" (deleted)"):  # so do those of memfd_create
                        found = os.stat(path)
                        sizes[found.st_dev, found.st_ino] = found.st_blocks * BLOCK
    of_sockets = max(len(others) - FREE_SOCKETS, 0) * SOCKET_MEMORY
    of_scarce = max(scarce - FREE_SCARCE, 0) * SCARCE_MEMORY
    of_scarce += HIDDEN_MEMORY if watched > MAX_DESCRIPTORS else 0
    return sizes, of_sockets + of_scarce + sum(others.values()) * largest


def _add_mapped_files(folders: list[str], sizes: Sizes, largest: int) -> int:
    """Add files that are in memory only and mapped, whether their pages are in use or not.

    Such a file without a descriptor may have the largest size. Shared memory without a file is at
    least as large as what is mapped. Return more than there is, if there is too much to look at.
    """
    looked = 0
    for folder in folders:
        maps = f"{folder}/maps"
        with suppress(OSError, ValueError), open(maps, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                looked += 1
                if looked > MAX_MAPPINGS:
                    return HIDDEN_MEMORY
                if line.endswith(" (deleted)\n"):
                    span, _, offset, device, inode, path = line.split(None, 5)
                    key = os.makedev(*(int(part, 16) for part in device.split(":"))), int(inode)
                    if path.startswith("/memfd:"):
                        sizes.setdefault(key, largest)
                    elif path == "/dev/zero (deleted)\n":
                        start, end = (int(part, 16) for part in span.split("-"))
                        sizes[key] = max(sizes.get(key, 0), int(offset, 16) + end - start)
    return 0
