"""Where the administrator is: a command that is started when it is needed, or an address.

A started administrator that goes on after its match is used again for the next one.
"""

import errno
import shlex
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from ....game.tiles import Tile, tile_name
from ...launching.launch import Launcher
from ...launching.limits import Limits
from ...launching.player_process import EXIT_GRACE, PlayerProcess
from ...launching.program import LOCALHOST, PlaceholderValues, Program
from ...launching.sandbox import Sandbox
from ..trial.exit_report import ExitReport
from ..trial.launch_source import option_of

START_PATIENCE = 15.0
"""Seconds that an administrator has to listen after it was started."""
RETRY = 0.02
ENDS_SOON = 0.3
"""Seconds in which an administrator that plays one match has usually ended after it."""


class NoAdministrator(Exception):
    """The administrator could not be reached; the text says why, to users."""


@dataclass(slots=True)
class Administrator:
    """One that runs, or may: ``process`` is ``None`` for one that was started by somebody else.

    ``used`` says that it has played a match before, ``spent`` that it hangs, or may.
    """

    host: str
    port: int
    process: PlayerProcess | None = None
    limits: Limits | None = None
    used: bool = False
    spent: bool = False

    async def connect(self) -> trio.SocketStream:
        """Connect, trying again while it may still be starting; ``NoAdministrator``."""
        deadline = trio.current_time() + (0.0 if self.used else START_PATIENCE)
        while True:
            connection = trio.socket.socket()
            try:
                await connection.connect((self.host, self.port))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return trio.SocketStream(connection)
            except OSError as error:
                connection.close()
                ended = self.process is not None and self.process.ended.is_set()
                if ended or trio.current_time() > deadline or error.errno != errno.ECONNREFUSED:
                    where = f"No connection to {self.host}:{self.port}: {error.strerror}."
                    report = self.report()
                    more = f" {report.sentence} {report.last_line}" if report else ""
                    raise NoAdministrator(f"{where}{more}".rstrip()) from error
            await trio.sleep(RETRY)

    def report(self) -> ExitReport | None:
        """Return how it ended and what it printed; ``None`` while it runs."""
        process = self.process
        if process is None or process.exit is None or self.limits is None:
            return None
        sentence = process.exit.describe(self.limits, option_of)
        return ExitReport(process.exit, sentence, process.output())

    @property
    def output(self) -> bytes:
        """The end of what it has printed."""
        return b"" if self.process is None else self.process.output()


class AddressSource:
    """An administrator that somebody else has started, which plays one match after another."""

    can_choose = False

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port

    @asynccontextmanager
    async def administrator(
        self, seats: int, bag: Sequence[Tile] | None, *, fresh: bool = False
    ) -> AsyncIterator[Administrator]:
        """Yield it; it has its own number of seats."""
        yield Administrator(self._host, self._port)

    def seats(self, wanted: int, usual: int) -> int:
        """Return how many seats a table can have instead of ``wanted``: the usual number."""
        return usual


class CommandSource:
    """Starts the administrator; ``bag_argument`` is added to the command for a chosen bag.

    ``opened`` it for as long as administrators are needed; no process is left afterwards.
    """

    def __init__(
        self,
        program: Program,
        bag_argument: str | None,
        limits: Limits,
        folder: Path,
        sandbox: Sandbox,
    ) -> None:
        self._program = program
        self._bag_argument = bag_argument
        self._limits = limits
        self._bags, runs = folder / "bags", folder / "runs"
        self._bags.mkdir()
        runs.mkdir()
        self._launcher = Launcher(limits, runs, sandbox)
        self._nursery: trio.Nursery
        self._idle: dict[int, list[Administrator]] = {}
        self._count = 0
        self._reuse = True

    @property
    def can_choose(self) -> bool:
        """Whether it accepts a bag."""
        return self._bag_argument is not None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["CommandSource"]:
        """Start administrators as long as the context is open."""
        async with trio.open_nursery() as self._nursery:
            try:
                yield self
            finally:
                for found in (each for idle in self._idle.values() for each in idle):
                    assert found.process is not None
                    found.process.release()

    def seats(self, wanted: int, usual: int) -> int:
        """Return how many seats a table can have instead of ``wanted``."""
        return wanted if any("{seats}" in word for word in self._program.command) else usual

    @asynccontextmanager
    async def administrator(
        self, seats: int, bag: Sequence[Tile] | None, *, fresh: bool = False
    ) -> AsyncIterator[Administrator]:
        """Yield one for a match, started if none waits; ``fresh`` is one of its own."""
        idle = self._idle.setdefault(seats, [])
        own = fresh or bag is not None
        found = idle.pop() if idle and not own else await self._start(seats, bag)
        process = found.process
        assert process is not None
        try:
            yield found
            with trio.move_on_after(EXIT_GRACE if own else ENDS_SOON):
                await process.ended.wait()
        except BaseException:
            process.release()
            raise
        done = own or found.spent
        if process.ended.is_set() or done or not self._reuse:
            self._reuse = self._reuse and (done or not process.ended.is_set())
            process.stop()
            process.release()
        else:
            found.used = True
            idle.append(found)

    async def _start(self, seats: int, bag: Sequence[Tile] | None) -> Administrator:
        command = [word.replace("{seats}", str(seats)) for word in self._program.command]
        if bag is not None:
            assert self._bag_argument is not None, "bags can be chosen"
            self._count += 1
            file = self._bags / f"{self._count}.txt"
            file.write_text("".join(f"{tile_name(tile)}\n" for tile in bag))
            words = shlex.split(self._bag_argument)
            command += [word.replace("{file}", str(file)) for word in words]
        with socket.create_server((LOCALHOST, 0)) as free:
            port: int = free.getsockname()[1]
        program = replace(self._program, command=tuple(command))
        values = PlaceholderValues(port, "administrator")
        try:
            process = await self._launcher.launch(program, values, self._nursery)
        except OSError as error:
            raise NoAdministrator(f"It could not be started: {error.strerror}.") from error
        return Administrator(LOCALHOST, port, process, self._limits)


Source = AddressSource | CommandSource
