"""How much of the time that a player took was the machine's: it does not count.

The clock of a player stands still while this process itself was late (:class:`Lag`), and while the
player's program wanted a processor and others had it (:class:`Work`). A program that computed all
the time is late however busy the machine was, and a silent one is late on time.

Of an interval in which a program used U of E seconds, at most E - U are excused, whatever it waited
for: threads of one program that wait for each other have used the time. A clock lasts at most four
times its length, so that a game ends. Answers within a quarter of a second are not looked into,
because a look costs more than a message.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import trio

from .clocks import in_seconds

BUSY = 0.5  # the part of its time that a program must have computed to be called busy
LONGEST = 4  # a clock lasts at most so many times its length, whatever the reason
LOOK_AGAIN = 0.1  # the least seconds between two looks at whether a player is late


class Work(NamedTuple):
    """What a program did since some moment, in seconds.

    In the ``brief`` part of the waiting it gave its processor away again and again: that may be how
    it works, but also how it makes itself wait.
    """

    used: float  # CPU time of all its threads together
    waited: float  # how long it wanted a processor and had none
    brief: float = 0.0


WorkSince: TypeAlias = Callable[[float], tuple[float, float, float]]
"""What a program did since a moment of trio's clock: the values of :class:`Work`."""


class TimeTaken(NamedTuple):
    """How long a player took to answer, in seconds."""

    elapsed: float  # since the player was asked
    late: float  # for how much of that this process was late
    work: Work | None = None  # None for players that this machine has not started
    busy: float = 0.0  # the part of `late` in which this process computed

    @property
    def excused(self) -> float:
        """The seconds that do not count."""
        return self._excused(self.late)

    def _excused(self, late: float) -> float:
        used, waited, _ = self.work or (0.0, 0.0, 0.0)
        idle = self.elapsed - used  # its own threads may keep each other waiting
        return max(min(late + waited, idle), 0.0)

    def left(self, limit: float, clock: float) -> float:
        """Return the seconds left of a limit, which is what was left of a clock at the question."""
        return limit + min(self.excused, (LONGEST - 1) * clock) - self.elapsed

    def is_too_busy(self, limit: float, clock: float) -> bool:
        """Whether a player that is late may have had too little of the machine to be judged.

        It may not if it gave its processor away for most of the time. That this process was late
        counts where it waited, as a player of a busy machine does: while it computed, which a
        player may have brought about, the player could answer.
        """
        used, brief = (self.work.used, self.work.brief) if self.work else (0.0, 0.0)
        longest = (LONGEST - 1) * clock
        return (
            self.excused >= longest
            and self._excused(max(self.late - self.busy, 0.0)) - brief >= longest / 2
            and clock - limit + used < clock / 2
        )

    @property
    def computed(self) -> bool:
        """Whether the player's program computed most of the time that counts."""
        counted = self.elapsed - self.excused
        return self.work is not None and self.work.used >= BUSY * counted

    def in_words(self) -> str:
        """Return a user-facing sentence about it, or nothing where there is nothing to say."""
        parts = []
        if self.work is not None:
            idle = self.elapsed - self.work.used - self.work.waited
            parts.append(f"it computed for {in_seconds(self.work.used)}")
            if self.work.waited > Lag.JITTER:
                waited = in_seconds(self.work.waited)
                parts.append(f"waited {waited} for a processor that others had")
            if idle > Lag.JITTER:
                parts.append(f"slept or waited for something else for {in_seconds(idle)}")
        if self.late > Lag.JITTER:
            parts.append(f"the referee itself was late for {in_seconds(self.late)}")
        if not parts:
            return ""
        *first, last = parts
        text = ", ".join(first) + " and " + last if first else last
        return f"In {in_seconds(self.elapsed)}, {text}."


class Lag:
    """Measures how much later than planned a sleeping task wakes up. ``run`` must be running."""

    JITTER = 0.02  # seconds of delay that any machine may show, and that do not count
    INTERVAL = 0.1  # seconds between measurements
    MAX_RECORDS = 4096  # delays remembered: several minutes on a machine that is always late

    def __init__(self) -> None:
        self._delays: deque[tuple[float, float, float]] = deque(maxlen=self.MAX_RECORDS)
        self._planned, self._busy = math.inf, 0.0

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            self._planned, self._busy = trio.current_time() + self.INTERVAL, time.process_time()
            await trio.sleep_until(self._planned)
            self._delays.extend(self._present())

    def worst_since(self, time: float) -> float:
        """Return the longest delay in seconds measured at or after ``time``.

        This counts the delay that is being measured: after the process was blocked, whoever asks
        may be woken before the measuring task.
        """
        return max((delay for _, delay, _ in self._since(time)), default=0.0)

    def total_since(self, time: float) -> float:
        """Return for how many seconds since ``time`` this process was late, all delays together."""
        return sum(min(delay, measured - time) for measured, delay, _ in self._since(time))

    def busy_since(self, time: float) -> float:
        """Return for how many of them this process computed, in whichever of its threads."""
        return sum(min(busy, measured - time) for measured, _, busy in self._since(time))

    def _since(self, time: float) -> Iterator[tuple[float, float, float]]:
        """Yield the delays that ended at or after ``time``, with their ends, the last one first.

        The third value is for how much of the delay this process computed.
        """
        yield from self._present()
        for found in reversed(self._delays):
            if found[0] < time:
                return  # every answer asks, so what is older costs nothing
            yield found

    def _present(self) -> Iterator[tuple[float, float, float]]:
        """Yield the delay that is being measured, if there is one."""
        now = trio.current_time()
        if (delay := now - self._planned) > self.JITTER:
            yield now, delay, min(time.process_time() - self._busy, delay)


async def run_out(limit: float, work: WorkSince, lag: Lag | None = None) -> TimeTaken:
    """Wait until a program has used up ``limit`` seconds of its own; return how it spent them.

    Without a ``lag``, this process counts as never late.
    """
    began, left = trio.current_time(), limit
    while True:
        await trio.sleep(max(left, LOOK_AGAIN))
        late = 0.0 if lag is None else lag.total_since(began)
        taken = TimeTaken(trio.current_time() - began, late, Work(*work(began)))
        if (left := taken.left(limit, limit)) <= 0:
            return taken
