"""What a started program does with its time: how much CPU time it uses, and how long it waits.

Read from ``/proc`` about twice a second, not at every question. Who asks what a program did since
some moment gets what was seen since then, and the share of the look around that moment.

Waiting excuses a player that is late, so a program must not be able to make itself wait. It can
give way to others in several ways, and for each of them there is a rule here.
"""

import os
from collections import deque
from contextlib import suppress
from typing import NamedTuple

import trio

from .processes import TICKS, children, stat_fields

INTERVAL = 0.5  # seconds between two looks at a program
LEAST_INTERVAL = 0.05  # a look is not repeated sooner
MAX_LOOKS = 4096  # how many looks are remembered
MAX_THREADS = 128
"""Threads of a program that are looked at. The referee looks, and each costs it some 30 us, so that
a thousand asleep would take its time from all games: a program with more has no excuse."""
STOPPED = ("T", "t")  # the states of a process that a signal, or a debugger, has stopped
NOTABLE = 10_000_000  # nanoseconds waited between two looks, from which on scheduling matters
BRIEF = 500_000
"""A thread that runs for fewer nanoseconds at a time gives its processor away (``sched_yield``).
One that the kernel interrupts has run for some milliseconds.
"""
NANOSECONDS = 1e9


class _Thread(NamedTuple):
    """Nanoseconds that a thread has run and waited, how often it ran, and its process."""

    ran: int
    waited: int
    times: int
    process: int


class _Look(NamedTuple):
    """One look: seconds of CPU time and of waiting so far, and what there was to be seen."""

    time: float
    used: float
    waited: float
    brief: float  # the part of the waiting in which threads ran only briefly when they could
    processes: frozenset[tuple[int, str]]
    threads: dict[int, _Thread]
    processor: float
    is_stopped: bool
    is_crowded: bool


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
            waited, brief = self._waited(last, seen)
            used = max(seen.processor - last.processor, 0.0)
            if last.is_crowded and not seen.is_crowded:  # it left some out
                used = 0.0
            seen = seen._replace(
                used=last.used + used, waited=last.waited + waited, brief=last.brief + brief
            )
        self._looks.append(seen)

    def since(self, time: float) -> tuple[float, float, float]:
        """Return the seconds of CPU time and of waiting since a moment of trio's clock.

        The third value is for how much of the waiting its threads ran only briefly in between.
        """
        self.look()
        after = last = self._looks[-1]
        share = 0.0
        for look in reversed(self._looks):
            if look.time <= time:
                if after is not look:
                    share = (time - look.time) / (after.time - look.time)
                break
            after = look
        else:
            look = after
        return (
            last.used - look.used - share * (after.used - look.used),
            last.waited - look.waited - share * (after.waited - look.waited),
            last.brief - look.brief - share * (after.brief - look.brief),
        )

    def _waited(self, last: _Look, seen: _Look) -> tuple[float, float]:
        """Return for how many seconds between two looks a program wanted a processor in vain.

        Where several threads wait at once, the time counts once. The second value is the part of
        threads that ran briefly. No excuse has a program whose processes have come or gone
        meanwhile, for nobody knows how busy those were, one of whose processes is stopped, or that
        has too many threads to look at.
        """
        if seen.is_stopped or seen.is_crowded or last.processes != seen.processes:
            return 0.0, 0.0
        ran = waited = brief = 0
        for number, thread in seen.threads.items():
            before = last.threads.get(number, _Thread(0, 0, 0, 0))
            running = max(thread.ran - before.ran, 0)
            waiting = max(thread.waited - before.waited, 0)
            times = thread.times - before.times
            ran += running
            if waiting < NOTABLE or self._is_served_normally(number, thread.process):
                waited += waiting
                brief += waiting if running < times * BRIEF else 0
        if not waited:
            return 0.0, 0.0
        wanted = (ran + waited) / NANOSECONDS
        whole = min(seen.time - last.time, wanted) * waited / (ran + waited)
        return whole, whole * brief / waited

    def _is_served_normally(self, thread: int, process: int) -> bool:
        """Whether a thread has the priority, policy and processors that it began with.

        The supervisor has them too. A program that is too greedy is given a lower priority. Each
        session has a priority of its own where the kernel shares the processor among sessions.
        """
        with suppress(OSError, ValueError, IndexError):
            own = stat_fields(self._supervisor)
            its = stat_fields(process, thread)
            allowed = os.sched_getaffinity(thread) == os.sched_getaffinity(self._supervisor)
            in_session = _session_priority(process) <= _session_priority(self._supervisor)
            return allowed and in_session and int(its[16]) <= int(own[16]) and its[38] == own[38]
        return False


def _session_priority(process: int) -> int:
    """Return the ``nice`` of the session of a process; 0 on a kernel where sessions have none."""
    try:
        with open(f"/proc/{process}/autogroup", "rb") as file:
            return int((file.read().split() or [b"0"])[-1])
    except FileNotFoundError:
        return 0


def _see(supervisor: int, now: float) -> _Look:
    """Look at the descendants of a process, and at the CPU time of those that have ended."""
    processes: set[tuple[int, str]] = set()
    threads: dict[int, _Thread] = {}
    ticks, crowd, stopped, pending = 0, 0, False, children(supervisor)
    with suppress(OSError, ValueError, IndexError):
        ticks += sum(map(int, stat_fields(supervisor)[13:15]))
    while pending and crowd <= MAX_THREADS:
        process = pending.pop()
        with suppress(OSError, ValueError, IndexError):  # it has just ended
            fields = stat_fields(process)
            ticks += sum(map(int, fields[11:15]))  # its own, and of children that it waited for
            processes.add((process, fields[19]))
            stopped = stopped or fields[0] in STOPPED
            crowd += max(int(fields[17]), 1)
            if crowd > MAX_THREADS:
                break
            pending += children(process)
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/schedstat", "rb") as file:
                    ran, waited, times = map(int, file.read().split())
                threads[int(thread)] = _Thread(ran, waited, times, process)
    found = frozenset(processes)
    is_crowded = crowd > MAX_THREADS
    return _Look(now, 0.0, 0.0, 0.0, found, threads, ticks / TICKS, stopped, is_crowded)
