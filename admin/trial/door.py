"""How the player under test comes to the table: launched for each case, or by itself."""

import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

import trio

from admin.launching.launch import EXIT_GRACE, Launcher, PlayerProcess, ProcessExit
from admin.launching.limits import Limits
from admin.launching.program import PlaceholderValues, Program
from admin.table.listeners import accept, close, format_address, listen

LOCAL = "127.0.0.1"
FIRST_WORD = 0.5
"""Seconds in which it is seen whether a connection stays."""
MOST_WAITING = 64
"""Connections that may wait for their visit."""


class Departure(NamedTuple):
    """How a launched player left: its exit, the same in words, and the end of what it printed."""

    exit: ProcessExit
    how: str
    output: bytes

    @property
    def tells(self) -> bool:
        """Whether how it left may explain why its connection was lost."""
        return self.exit.badly or (self.exit.left > 0 and self.exit.stopped is None)


class NoShow(Exception):
    """The player has not connected; the text is for people, ``departure`` if it was launched."""

    def __init__(self, why: str, departure: Departure | None = None) -> None:
        super().__init__(why)
        self.departure = departure


class Visit:
    """One player who has connected; ``departure`` is known when the visit is over."""

    def __init__(self, connection: socket.socket, peer: str) -> None:
        self.connection = connection
        self.peer = peer
        self.departure: Departure | None = None


class Door(Protocol):
    """A way for a player to the table."""

    def visit(self, name: str) -> AbstractAsyncContextManager[Visit]:
        """Let the player come once, to sign up as ``name``; ``NoShow`` when it does not.

        The visit is over, and ``departure`` known, when the context is left.
        """
        ...


class Launching:
    """A door that starts the player anew for each visit; ``patience`` seconds to connect."""

    def __init__(
        self,
        program: Program,
        limits: Limits,
        folder: Path,
        patience: float,
        nursery: trio.Nursery,
    ) -> None:
        """``folder`` is an empty one for the player's files."""
        self._program = program
        self._limits = limits
        self._launcher = Launcher(limits, folder)
        self._patience = patience
        self._nursery = nursery

    @asynccontextmanager
    async def visit(self, name: str) -> AsyncIterator[Visit]:
        """Start the player, wait for its connection, and see it off at the end."""
        arrivals = _Arrivals(listen(LOCAL, 0))
        self._nursery.start_soon(arrivals.wait)
        try:
            launched = await self._launch(name, arrivals.port)
            try:
                await self._connected(launched, arrivals)
                visit = Visit(*arrivals.first())
                arrivals.close()
                yield visit
                visit.departure = await self._see_off(launched)
            finally:
                launched.release()
        finally:
            arrivals.close()

    async def _launch(self, name: str, port: int) -> PlayerProcess:
        values = PlaceholderValues(LOCAL, port, name)
        try:
            return await self._launcher.launch(self._program, values, self._nursery)
        except OSError as error:
            raise NoShow(f"No process could be made for it: {error.strerror}.") from error

    async def _connected(self, launched: PlayerProcess, arrivals: "_Arrivals") -> None:
        """Wait until the player has connected; ``NoShow`` when it ends first, or is late."""
        async with trio.open_nursery() as nursery:
            nursery.cancel_scope.deadline = trio.current_time() + self._patience

            async def until(event: trio.Event) -> None:
                await event.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(until, arrivals.came)
            nursery.start_soon(until, launched.ended)
        if arrivals.came.is_set():
            return
        if launched.ended.is_set():
            departure = await self._see_off(launched)
            raise NoShow("It ended before it had connected.", departure)
        launched.stop()
        await launched.ended.wait()
        departure = await self._see_off(launched)
        raise NoShow(f"It did not connect within {self._patience:g} s.", departure)

    async def _see_off(self, launched: PlayerProcess) -> Departure:
        """Give a player a moment to end by itself, then stop it; return how it left."""
        with trio.move_on_after(EXIT_GRACE):
            await launched.ended.wait()
        launched.stop()
        await launched.ended.wait()
        left = launched.exit
        assert left is not None
        how = left.sentence(self._limits, _option)
        if left.left and left.stopped is None:
            how += (
                f" {left.left} processes that it had started ran on, and were stopped: the command "
                "has to run as long as the player does."
            )
        if launched.printed() >= self._limits.file_size:
            how += f" What it printed has reached the limit ({_option('file_size')})."
        return Departure(left, how, launched.output())


def _option(limit: str) -> str:
    """Return the option that sets a limit."""
    return f"--{limit.replace('_', '-')}"


class _Arrivals:
    """The connections that come to some listeners."""

    def __init__(self, listeners: list[socket.socket]) -> None:
        self._listeners = listeners
        self._waiting: list[tuple[socket.socket, str]] = []
        self.came = trio.Event()

    @property
    def port(self) -> int:
        """Where the listeners listen."""
        return int(self._listeners[0].getsockname()[1])

    async def wait(self) -> None:
        """Take connections until the listeners are closed."""
        async with trio.open_nursery() as nursery:
            for listener in tuple(self._listeners):
                nursery.start_soon(accept, listener, self._arrive)

    def _arrive(self, connection: socket.socket, peer: str) -> None:
        if len(self._waiting) >= MOST_WAITING:
            connection.close()
            return
        self._waiting.append((connection, peer))
        self.came.set()

    def first(self) -> tuple[socket.socket, str]:
        """Return the connection that came first, and forget it."""
        found = self._waiting.pop(0)
        if not self._waiting:
            self.came = trio.Event()
        return found

    async def first_to_stay(self) -> tuple[socket.socket, str]:
        """Wait for a connection, and pass over those that are closed again at once."""
        while True:
            await self.came.wait()
            connection, peer = self.first()
            try:
                with trio.move_on_after(FIRST_WORD):  # a player speaks first
                    await trio.lowlevel.wait_readable(connection)
            except BaseException:  # cancelled, and nobody will take it
                connection.close()
                raise
            if not _is_gone(connection):
                return connection, peer
            connection.close()

    def close(self) -> None:
        """Listen no more, and close the connections that nobody took."""
        close(self._listeners)
        while self._waiting:
            connection, _ = self._waiting.pop()
            connection.close()


def _is_gone(connection: socket.socket) -> bool:
    """Whether the peer has closed a connection on which nothing was said."""
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class Listening:
    """A door that stays open: the player connects by itself, once for each visit.

    The first has ``first`` seconds to come, each other ``later`` seconds.
    """

    def __init__(self, host: str, port: int, first: float, later: float) -> None:
        self._listeners = listen(host, port)
        self._arrivals = _Arrivals(self._listeners)
        self._patience = first
        self._later = later

    @property
    def addresses(self) -> list[str]:
        """Where the player is to connect."""
        return [format_address(listener.getsockname()) for listener in self._listeners]

    async def run(self) -> None:
        """Take connections until cancelled."""
        try:
            await self._arrivals.wait()
        finally:
            self._arrivals.close()

    @asynccontextmanager
    async def visit(self, name: str) -> AsyncIterator[Visit]:
        """Wait for the next connection."""
        arrived: tuple[socket.socket, str] | None = None
        with trio.move_on_after(self._patience):
            arrived = await self._arrivals.first_to_stay()
        if arrived is None:
            raise NoShow(f"Nobody connected within {self._patience:g} s.")
        self._patience = self._later
        yield Visit(*arrived)


# -- a door for as long as it is needed ---------------------------------------------------------


@asynccontextmanager
async def launching(
    program: Program, limits: Limits, folder: Path, patience: float
) -> AsyncIterator[Launching]:
    """Open a door that starts the player; nothing is left of any when the context is left."""
    async with trio.open_nursery() as nursery:
        yield Launching(program, limits, folder, patience, nursery)


@asynccontextmanager
async def listening(door: Listening) -> AsyncIterator[Listening]:
    """Keep a door open through which the player comes by itself."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(door.run)
        yield door
        nursery.cancel_scope.cancel()
