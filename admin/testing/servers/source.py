"""Where the administrator is: a command that is started when it is needed, or an address."""

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
from ...launching.limits import Limits, ProcessExit
from ...launching.player_process import EXIT_GRACE, PlayerProcess
from ...launching.program import LOCALHOST, Program
from ...launching.sandbox import Sandbox
from ..trial.launch_source import option_of
from ..trial.player_source import ExitReport

START_PATIENCE = 15.0
"""Seconds that an administrator has to listen after it was started."""
RETRY = 0.02


class NoAdministrator(Exception):
    """The administrator could not be reached; the text says why, to users."""


@dataclass(slots=True)
class Administrator:
    """One that runs, or may: ``process`` is ``None`` for one that was started by somebody else.

    ``patience`` is how many seconds it may still be starting.
    """

    host: str
    port: int
    process: PlayerProcess | None = None
    patience: float = START_PATIENCE

    async def connect(self) -> trio.SocketStream:
        """Connect, trying again while it may still be starting; ``NoAdministrator``."""
        deadline = trio.current_time() + self.patience
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
        """Return what it printed, and how it ended if it has; ``None`` if neither is known."""
        if (process := self.process) is None:
            return None
        ended = process.exit or ProcessExit(None, None, 0, 0, 0)
        return ExitReport(ended, ended.describe(process.limits, option_of), process.output())


class AddressSource:
    """An administrator that somebody else has started, which plays one match after another."""

    can_choose = False

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port

    @asynccontextmanager
    async def administrator(
        self, seats: int, bag: Sequence[Tile] | None
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
        self._bags, runs = folder / "bags", folder / "runs"
        self._bags.mkdir()
        runs.mkdir()
        self._launcher = Launcher(limits, runs, sandbox)
        self._nursery: trio.Nursery
        self._count = 0

    @property
    def can_choose(self) -> bool:
        """Whether it accepts a bag."""
        return self._bag_argument is not None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["CommandSource"]:
        """Start administrators as long as the context is open."""
        with self._launcher:
            async with trio.open_nursery() as self._nursery:
                yield self

    def seats(self, wanted: int, usual: int) -> int:
        """Return how many seats a table can have instead of ``wanted``."""
        return wanted if any("{seats}" in word for word in self._program.command) else usual

    @asynccontextmanager
    async def administrator(
        self, seats: int, bag: Sequence[Tile] | None
    ) -> AsyncIterator[Administrator]:
        """Yield one for a match; afterwards it has a moment to end by itself."""
        started = await self._start(seats, bag)
        assert started.process is not None
        try:
            yield started
            with trio.move_on_after(EXIT_GRACE):
                await started.process.ended.wait()
            started.process.stop()
        finally:
            started.process.release()

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
        try:
            process = await self._launcher.launch(program, port, "administrator", self._nursery)
        except OSError as error:
            raise NoAdministrator(f"It could not be started: {error.strerror}.") from error
        return Administrator(LOCALHOST, port, process)


Source = AddressSource | CommandSource
