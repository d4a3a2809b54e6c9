"""What a started program does with its time: how much CPU time it uses, and how long it waits.

Read from ``/proc`` about twice a second, not at every question. Who asks what a program did since
some moment gets what was seen since then, and the share of the look around that moment.
"""

import os
from collections import deque
from contextlib import suppress
from typing import NamedTuple

import trio

from admin.launching.processes import descendants
from admin.launching.usage import TICKS, stat_fields
from admin.launching.watching import LOWEST_PRIORITY

INTERVAL = 0.5
"""Seconds between two looks at a program."""
LEAST_INTERVAL = 0.05
"""A look is not repeated sooner."""
MAX_LOOKS = 4096
"""How many looks are remembered."""
STOPPED = ("T", "t")
"""The states of a process that a signal, or a debugger, has stopped."""


class _Look(NamedTuple):
    """One look: seconds of CPU time and of waiting so far, and the processes that there were.

    ``threads`` has the nanoseconds that each thread has run and waited. ``excusable`` is whether
    waiting counts at all: not if the program has a signal or its greed to thank for it.
    """

    time: float
    used: float
    waited: float
    processes: frozenset[tuple[int, str]]
    threads: dict[int, tuple[int, int]]
    processor: float
    excusable: bool


class ProgramWork:
    """Looks at everything below one supervisor."""

    def __init__(self, supervisor: int) -> None:
        self._supervisor = supervisor
        self._looks: deque[_Look] = deque(maxlen=MAX_LOOKS)
        self.look()

    async def watch(self, ended: trio.Event) -> None:
        """Look at the program again and again until it has ended."""
        while not ended.is_set():
            with trio.move_on_after(INTERVAL):
                await ended.wait()
            self.look()

    def look(self) -> None:
        """Note what the program has used and waited so far."""
        now = trio.current_time()
        last = self._looks[-1] if self._looks else None
        if last is not None and now - last.time < LEAST_INTERVAL:
            return
        seen = _see(self._supervisor, now)
        if last is not None:
            used = max(seen.processor - last.processor, 0.0)
            waited = _waited(last, seen)
            seen = seen._replace(used=last.used + used, waited=last.waited + waited)
        self._looks.append(seen)

    def since(self, time: float) -> tuple[float, float]:
        """Return the seconds of CPU time and of waiting since a moment of trio's clock."""
        self.look()
        after = last = self._looks[-1]
        for look in reversed(self._looks):
            if look.time <= time:
                share = (time - look.time) / (after.time - look.time) if after is not look else 0.0
                used = look.used + share * (after.used - look.used)
                waited = look.waited + share * (after.waited - look.waited)
                return last.used - used, last.waited - waited
            after = look
        return last.used - after.used, last.waited - after.waited


def _waited(last: _Look, seen: _Look) -> float:
    """Return for how many seconds between two looks a program wanted a processor in vain.

    Where several threads wait at once, the time counts once. No excuse has a program whose
    processes have come or gone meanwhile, for nobody knows how busy those were.
    """
    if not (seen.excusable and last.processes == seen.processes):
        return 0.0
    ran = waited = 0
    for thread, (running, waiting) in seen.threads.items():
        ran_before, waited_before = last.threads.get(thread, (0, 0))
        ran += max(running - ran_before, 0)
        waited += max(waiting - waited_before, 0)
    wanted = (ran + waited) / 1e9
    return min(seen.time - last.time, wanted) * waited / (ran + waited) if wanted else 0.0


def _see(supervisor: int, now: float) -> _Look:
    """Look at the descendants of a process, and at the CPU time of those that have ended."""
    processes: set[tuple[int, str]] = set()
    threads: dict[int, tuple[int, int]] = {}
    ticks, excusable = 0, True
    with suppress(OSError, ValueError, IndexError):
        ticks += sum(map(int, stat_fields(supervisor)[13:15]))
    for process in descendants(supervisor):
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            fields = stat_fields(process)
            ticks += sum(map(int, fields[11:15]))  # its own, and of children that it waited for
            processes.add((process, fields[19]))
            yields = int(fields[16]) >= LOWEST_PRIORITY
            excusable = excusable and not yields and fields[0] not in STOPPED
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/schedstat", "rb") as file:
                    ran, waited, _ = file.read().split()
                threads[int(thread)] = int(ran), int(waited)
    return _Look(now, 0.0, 0.0, frozenset(processes), threads, ticks / TICKS, excusable)
