"""Watch one program until it ends, or exceeds a limit together with everything that it started.

Programs share the processors by priority. One that has used two CPU seconds more than one processor
could give gets the lowest, with all its sessions, because the kernel may schedule each session as
one: 62 busy sessions made a rival's turn take fifty times as long. Starting every program with a
low priority would change nothing between programs.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import os
import select
import time
from contextlib import suppress
from typing import Any

from .control_groups import ControlGroup
from .processes import descendants, reap
from .starting import Started
from .usage import Usage

POLL_INTERVAL = 0.1
"""Seconds between two looks at what the program uses."""
MAX_INTERVAL = 1.0
"""... however long a look takes."""
LOOKING_SHARE = 0.1
"""The share of its time that a supervisor may spend on looking."""
OWN_OF_BWRAP = 2
"""Processes of bubblewrap itself beside every sandboxed program."""
SANDBOX_FOLDERS = ("/tmp", "/dev/shm")
"""Where a sandboxed program may write."""
MAX_PROCESSOR_DEBT = 2.0
"""CPU seconds that a program may use beyond one processor at a time, before others go first."""
LOWEST_PRIORITY = 19
MAX_FILES = 50_000
"""Files that a program may have in its temporary folder: each costs the system memory."""
WORLD_WRITABLE = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/var/crash")
"""Where a program with a user of its own may leave files."""


class LimitWatch:
    """Watches one program until it ends or has to be stopped.

    ``suspended`` is for how many seconds it was seen stopped by a signal.
    """

    def __init__(
        self,
        task: dict[str, Any],
        started: Started,
        awake: int,
        group: ControlGroup | None,
        *,
        asked: bool,
    ) -> None:
        """``asked`` is whether the program is to be stopped already."""
        self._task = task
        self._started = started
        self._awake = awake
        self._group = group
        self._asked = asked
        self._usage = Usage()
        self.own_processes = OWN_OF_BWRAP if started.bwrap else 0
        self.suspended = 0.0
        self._debt = 0.0
        self.yielding = False
        self.processor = 0.0
        """CPU seconds at the last look: those of processes that nobody waits for are lost later."""

    def until_end(self) -> tuple[int | None, str | None]:
        """Wait for the program to end; return its status, or why it had to be stopped."""
        if not self._started.set_up or (self._started.failure and self._started.bwrap):
            return None, None  # there is no process any more
        interval, seen = POLL_INTERVAL, time.monotonic()
        while True:
            ready, _, _ = select.select([0, self._awake], [], [], 0 if self._asked else interval)
            if self._awake in ready:
                os.read(self._awake, 4096)
            status = reap(self._started.process)
            if status is not None:
                return (None, "memory") if self._was_killed_for_memory() else (status, None)
            if self._asked or 0 in ready:
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
        task = self._task
        look = self._usage.look(int(task["memory"]), since)
        processor = self.in_group if self._group is not None else look.processor
        self._share_processors(processor - self.processor, since)
        self.processor = processor
        if look.suspended:
            self.suspended += since
        if look.processes - self.own_processes > int(task["processes"]):
            return "processes"
        if look.memory > int(task["memory"]) or self._was_killed_for_memory():
            return "memory"
        if processor > int(task["processor"]) + 1:  # one process is ended by the kernel
            return "processor"
        return "scratch" if self._has_too_many_files() else None

    @property
    def in_group(self) -> float:
        """CPU seconds that its control group has counted, 0 without one."""
        return self._group.processor if self._group is not None else 0.0

    def _was_killed_for_memory(self) -> bool:
        group = self._group
        return group is not None and group.was_killed and group.reached_limit

    def _share_processors(self, used: float, since: float) -> None:
        """Let others go first once the program keeps more than one processor busy.

        Without that, its rivals' turns would take longer, the more processes and sessions it has.
        """
        self._debt = max(self._debt + used - since, 0.0)
        self.yielding = self.yielding or self._debt > MAX_PROCESSOR_DEBT
        if self.yielding:
            if self._group is not None:
                self._group.let_others_go_first()
            for process in descendants(os.getpid()):
                _yield_to_others(process)

    def _has_too_many_files(self) -> bool:
        from .leftovers import files_in_sandbox, size_of_files

        sandbox = self._task["sandbox"] or {}
        if self._started.inside:  # the kernel limits the size of its folders, not the number
            inside = self._started.inside
            return any(files_in_sandbox(inside, each) > MAX_FILES for each in SANDBOX_FOLDERS)
        if "uid" in sandbox:
            own = f"{self._task['scratch']}/scratch"
            files, size = size_of_files(sandbox["uid"], own, WORLD_WRITABLE, MAX_FILES)
            return files > MAX_FILES or size > int(sandbox["size"])
        return False


def _yield_to_others(process: int) -> None:
    """Give a process the lowest priority, and its session, which the kernel may schedule as one."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{process}/task"):
            os.setpriority(os.PRIO_PROCESS, int(thread), LOWEST_PRIORITY)
        if os.getsid(process) != os.getsid(0):
            with open(f"/proc/{process}/autogroup", "w") as file:
                file.write(str(LOWEST_PRIORITY))
