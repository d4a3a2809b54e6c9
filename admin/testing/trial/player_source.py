"""Where a player's connection comes from, here one that connects itself; and how it ended."""

import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import trio

from ....protocol.user_error import UserError
from ...launching.limits import OUT_OF_MEMORY, ProcessExit
from ...refereeing.table.clocks import in_seconds
from ...refereeing.table.lag import WorkSince
from ...refereeing.table.listeners import accept, close, format_address, is_gone, listen
from ...refereeing.table.run import beside
from ...refereeing.view.plain_text import shortened

MAX_SHOWN = 300  # characters that are shown of an exception
MAX_LAST = 120  # characters that are shown of the last line of a program's output
_EXCEPTION = re.compile(
    r"Exception in thread \"[^\"]*\" (.+)|(?:Uncaught )?((?:\w+\.)*\w*(?:Error|Exception)\b.*)"
)
"""How an exception is printed in Java, which says the thread; and in Python and JavaScript."""
_READ_ONLY = re.compile(r"\bEROFS\b|read-only file system", re.IGNORECASE)
"""How a file that cannot be written is reported, in any language."""
PRINT_INSTEAD = "Its folder is read-only here: print to standard error instead."
_GO_PANIC = re.compile(r"(?:panic|fatal error): .+")
_GO_FRAME = re.compile(r"(?!.*/src/runtime/)(?:.*/)?([^/]+\.go:\d+)\b.*")
"""A place in a Go program; the frames of Go itself are skipped."""
_RUST_PANIC = re.compile(r"thread '[^']*'(?: \(\d+\))? panicked at .+")


class ExitReport(NamedTuple):
    """How a launched player ended: its exit, the same as a sentence, the end of its output."""

    exit: ProcessExit
    sentence: str
    output: bytes
    flooded: str = ""  # the name of the limit that its output has reached, if any

    @property
    def last_line(self) -> str:
        """The last line of the output, as a sentence; empty if nothing was printed."""
        lines = self._lines
        if not lines:
            return ""
        line = f"Last line of its output: {shortened(lines[-1], MAX_LAST)}"
        return f"{line}. {PRINT_INSTEAD}" if _READ_ONLY.search(lines[-1]) else line

    @property
    def exception(self) -> str:
        """What the program printed of its crash; empty if it printed none.

        It is the last exception, but the first panic: below that stand the calls.

        >>> exited = ProcessExit(code=1, stopped=None, left=0, processor=10, memory=1000)
        >>> printed = b"Traceback (most recent call last):\\n  ...\\nKeyError: 'ann'\\n"
        >>> ExitReport(exited, "It ended with exit code 1.", printed).exception
        "KeyError: 'ann'"
        """
        lines = self._lines
        if panic := _panic(lines):
            return shortened(panic, MAX_SHOWN)
        found = [match[1] or match[2] for line in lines if (match := _EXCEPTION.fullmatch(line))]
        found = found or [
            line.lstrip("# ") for line in lines if OUT_OF_MEMORY.search(line.encode())
        ]
        return found[-1][:MAX_SHOWN] if found else ""

    def with_exception(self, sentence: str) -> str:
        """Return a sentence about the end of the program, with the exception if there is one."""
        exception = self.exception
        if not exception:
            return sentence
        told = f"{sentence.removesuffix('.')}: {exception}"
        return f"{told}. {PRINT_INSTEAD}" if _READ_ONLY.search(exception) else told

    def told(self, sentence: str, code: str = "") -> str:
        """Return the same; without an exception, with the output's last line after a ``code``."""
        last = "" if self.exception else self.last_line
        return f"{self.with_exception(sentence)}{code} {last}".rstrip()

    @property
    def _lines(self) -> list[str]:
        lines = self.output.decode(errors="backslashreplace").split("\n")
        return [line.strip() for line in lines if line.strip()]

    def before(self, deed: str) -> str:
        """Describe how the program ended before it did something.

        >>> exited = ProcessExit(code=1, stopped=None, left=0, processor=10, memory=1000)
        >>> ExitReport(exited, "It ended with exit code 1.", b"").before("answered <turn>")
        'The program ended with exit code 1 before it answered <turn>.'
        """
        code = self.exit.code
        if self.flooded:
            limit = f"its output reached the limit ({self.flooded})"
            return f"The program printed too much: {limit} before it {deed}."
        if self.sentence == f"It ended with exit code {code}.":
            return f"The program ended with exit code {code} before it {deed}."
        return f"The program ended before it {deed}. {self.sentence}"


def _panic(lines: list[str]) -> str:
    """Return the first panic of a program in Go or Rust, with its place in the source.

    >>> _panic(["panic: nil map", "main.main()", "/home/ann/main.go:448 +0x2f1", "main.go:499"])
    'panic: nil map (main.go:448)'
    """
    for place, line in enumerate(lines):
        below = lines[place + 1 :]
        if _GO_PANIC.fullmatch(line):
            frames = [match[1] for each in below if (match := _GO_FRAME.fullmatch(each))]
            return f"{line} ({frames[0]})" if frames else line
        if _RUST_PANIC.fullmatch(line):
            # since Rust 1.73 the message stands in the next line, after the place
            return " ".join([line, *below[:1]]) if line.endswith(":") else line
    return ""


PROBE_SECONDS = 0.5  # silence after which a new connection counts as one that will stay
MAX_PENDING = 64  # further connections are closed


class PlayerNotConnected(Exception):
    """The player did not connect; user-facing message.

    ``exit_report`` is there if the player was launched and has ended. ``was_computing`` is whether
    it was still starting when its time was over, so that it might be in time on an idle machine.
    """

    def __init__(
        self, why: str, exit_report: ExitReport | None = None, *, was_computing: bool = False
    ) -> None:
        super().__init__(why)
        self.exit_report = exit_report
        self.was_computing = was_computing


class MachineFailed(UserError):
    """This machine failed, so that nothing is known about the player; user-facing message."""


@dataclass(slots=True)
class PlayerConnection:
    """A player that has connected."""

    socket: socket.socket
    peer: str
    work: WorkSince | None = None  # tells what its program does, if it was launched
    exit_report: ExitReport | None = None  # known once the trial is over


class PlayerSource(Protocol):
    """Supplies a connected player for each trial."""

    def connect(self, name: str) -> AbstractAsyncContextManager[PlayerConnection]:
        """Wait for a player that will sign up as ``name``.

        Raises ``PlayerNotConnected``. ``exit_report`` is known when the context is left. Then, too,
        ``MachineFailed`` says that the player is not to blame for what happened.
        """
        ...


@dataclass(slots=True)
class PendingConnections:
    """Accepts connections on some listeners, and queues those that are expected."""

    listeners: list[socket.socket]
    is_expected: Callable[[socket.socket], bool] = lambda _: True
    arrived: trio.Event = field(default_factory=trio.Event)
    _queue: list[tuple[socket.socket, str]] = field(default_factory=list)

    async def run(self) -> None:
        """Accept connections until the listeners are closed."""
        async with trio.open_nursery() as nursery:
            for listener in tuple(self.listeners):
                nursery.start_soon(accept, listener, self._add)

    def _add(self, connection: socket.socket, peer: str) -> None:
        if len(self._queue) >= MAX_PENDING or not self.is_expected(connection):
            connection.close()
            return
        self._queue.append((connection, peer))
        self.arrived.set()

    def pop(self) -> tuple[socket.socket, str]:
        """Remove and return the oldest connection."""
        oldest = self._queue.pop(0)
        if not self._queue:
            self.arrived = trio.Event()
        return oldest

    async def pop_lasting(self) -> tuple[socket.socket, str]:
        """Wait for a connection, and skip those that are closed again at once.

        Port scanners and players that probe the port make such connections.
        """
        while True:
            await self.arrived.wait()
            connection, peer = self.pop()
            try:
                with trio.move_on_after(PROBE_SECONDS):  # a player speaks first
                    await trio.lowlevel.wait_readable(connection)
            except BaseException:  # cancelled: nothing else would close it
                connection.close()
                raise
            if not is_gone(connection):
                return connection, peer
            connection.close()

    def close(self) -> None:
        """Stop listening, and close the connections that were not used."""
        close(self.listeners)
        while self._queue:
            connection, _ = self._queue.pop()
            connection.close()


class ListenSource:
    """A source that listens on a port, for a player that connects once for each trial.

    The player has ``first`` seconds to connect for the first trial, then ``later`` seconds each.
    """

    def __init__(self, host: str, port: int, first: float, later: float) -> None:
        self._pending = PendingConnections(
            listen(host, port, "Give another --host or --listen (0 takes a free port).")
        )
        self._connect_timeout = first
        self._later = later

    @property
    def addresses(self) -> list[str]:
        """Where the player can connect."""
        return [format_address(each.getsockname()) for each in self._pending.listeners]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Accept connections as long as the context is open."""
        try:
            async with beside(self._pending.run):
                yield
        finally:
            self._pending.close()

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Wait for the next connection."""
        arrived: tuple[socket.socket, str] | None = None
        with trio.move_on_after(self._connect_timeout):
            arrived = await self._pending.pop_lasting()
        if arrived is None:
            raise PlayerNotConnected(
                f"No player connected within {in_seconds(self._connect_timeout)}."
            )
        self._connect_timeout = self._later
        yield PlayerConnection(*arrived)
