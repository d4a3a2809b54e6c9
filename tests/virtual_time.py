"""Time that passes only while everybody waits: a busy machine makes nobody late, and no test waits.

The players are threads at real connections, the rest is one trio program on trio's test clock,
which stands still. It jumps to the next deadline whenever all tasks are blocked and every player
does nothing but wait for its connection, or sleep.
"""

import math
import select
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

T = TypeVar("T")
HANGING = 60
"""Real seconds after which a player that receives nothing gives up, and fails its test."""
QUIET = 0.001
"""Real seconds for which all tasks have to be blocked."""


class PlayerSocket(socket.socket):
    """A player's end of a connection, which knows whether the player waits for the other end."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(fileno=connection.detach())
        self.settimeout(HANGING)
        self.waits = False
        self.received = 0
        """How often something could be received."""
        self._sleeps = False

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Receive; while it waits, there is nothing to receive."""
        self.waits = True
        found = self._readable(HANGING)
        self.waits = False  # before the bytes are taken, or it would look as if it waited for more
        self.received += 1
        if not found:
            raise TimeoutError("nothing arrived")
        return super().recv(size, flags)

    def sendall(self, data: bytes, flags: int = 0, /) -> None:  # type: ignore[override] # no buffers
        """Send. Only a player that sends single bytes waits after sending."""
        super().sendall(data, flags)
        self.waits = len(data) == 1

    def sleep(self, seconds: float) -> None:
        """Let the player think for that long."""

        async def sleep() -> None:
            self._sleeps = True
            await trio.sleep(seconds)
            self._sleeps = False  # here, as the thread may go on late

        trio.from_thread.run(sleep)

    def readable_within(self, seconds: float) -> bool:
        """Wait until there is something to receive, for at most ``seconds`` of virtual time."""

        async def wait() -> bool:
            self.waits, found = True, False
            with trio.move_on_after(seconds):
                await trio.lowlevel.wait_readable(self)
                found = True
            self.waits = False  # here, as the thread may go on late
            self.received += 1
            return found

        return trio.from_thread.run(wait)

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self], [], [], seconds)[0])

    @property
    def idle(self) -> bool:
        """Whether the player does nothing until something is sent to it, or time passes."""
        try:
            return self._sleeps or (self.waits and not self._readable(0))
        except (ValueError, OSError):  # the player has closed it, perhaps just now
            return True


class Players:
    """The players for whom time stands still while they are busy."""

    def __init__(self) -> None:
        self._sockets: list[PlayerSocket] = []
        self._running: list[PlayerSocket] = []

    def watch(self, connection: socket.socket) -> PlayerSocket:
        """Take a player's end of a connection, before the player has it."""
        watched = PlayerSocket(connection)
        self._sockets.append(watched)
        return watched

    async def run(self, connection: PlayerSocket, play: Callable[[], T]) -> T:
        """Run a player in a thread; once it has left, time stands still until the thread ends."""
        self._running.append(connection)
        try:
            return await trio.to_thread.run_sync(play, abandon_on_cancel=True)
        finally:
            self._running.remove(connection)

    @property
    def idle(self) -> bool:
        """Whether all of them wait or have left."""
        if any(each.fileno() == -1 for each in self._running):
            return False
        return all(each.idle for each in self._sockets if each.fileno() != -1)

    @property
    def received(self) -> int:
        """How often any of them could receive something."""
        return sum(each.received for each in self._sockets)


def run_with_jumping_clock(test: Callable[[], Awaitable[T]], **options: Any) -> T:
    """Run a test on a clock that jumps to the next deadline whenever all its tasks wait."""
    return trio.run(test, **{**options, "clock": MockClock(autojump_threshold=0)})


def run_with_standing_clock(test: Callable[[], Awaitable[T]], **options: Any) -> T:
    """Run a test on a clock that stands still, its own if it has taken one, for ``passing``."""
    return trio.run(test, **{**options, "clock": options.get("clock") or MockClock()})


@asynccontextmanager
async def passing(clock: MockClock) -> AsyncIterator[Players]:
    """Let time pass within the block, while all players that are watched are idle."""
    players = Players()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_pass, clock, players)
        yield players
        nursery.cancel_scope.cancel()


async def _pass(clock: MockClock, players: Players) -> None:
    while True:
        idle, received, began = players.idle, players.received, time.perf_counter()
        await wait_all_tasks_blocked(QUIET)
        if (late := time.perf_counter() - began - QUIET) > QUIET:  # a busy kernel delivers late
            await wait_all_tasks_blocked(late)
        # A player that became idle just now may have sent something that no task has seen yet.
        if idle and players.idle and players.received == received:
            seconds = trio.lowlevel.current_statistics().seconds_to_next_deadline
            if math.isfinite(seconds):
                clock.jump(max(seconds, 0.0))
