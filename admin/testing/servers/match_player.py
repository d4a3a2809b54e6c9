"""An administrator, started by a command or found at an address, and a match at it.

All seats of a match are ours; what every connection saw is returned.
"""

import errno
import os
import random
import shlex
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from ....game.tiles import Tile, tile_name
from ...launching.launch import Launcher
from ...launching.limits import Limits, ProcessExit
from ...launching.player_process import PlayerProcess
from ...launching.program import LOCALHOST, Program
from ...launching.sandbox import Sandbox
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag
from ..trial.launch_source import MOST_AT_ONCE, option_of
from ..trial.player_source import ExitReport, MachineFailed
from .exchanges import MatchTrace, SeatTrace
from .plans import HONESTLY, Cast, MatchPlan, player_for
from .seat_client import SeatClient, Timeline
from .whole_match import latest

START_PATIENCE = 15.0  # seconds that an administrator has to listen after it was started
RETRY = 0.02
CONNECTING = 5.0  # seconds in which a program accepts a connection to a port where it listens
STALL = 8.0  # seconds without a message, beyond the clocks: then an administrator hangs
LONGEST = 900.0  # seconds after which a match is ended even if messages still come
UNASSIGNED = range(20_000, 32_768)  # ports that no usual system assigns by itself
PATIENT = 4  # how many times longer to wait for an administrator on a busy machine
BUSY = 0.1  # seconds of delay that show a busy machine
ENOUGH = 6  # messages that honest players still answer in a short match after the last cheat


class NoAdministrator(Exception):
    """The administrator could not be reached; the text says why, to users."""


def _why_not(error: Exception) -> str:
    """Return why no connection was made, without a full stop."""
    match error:
        case trio.TooSlowError():
            return f"it did not accept one in {CONNECTING:.0f} s"
        case OSError(errno=int(code)) if code > 0:
            return os.strerror(code)
        case _:
            return getattr(error, "strerror", None) or "this is no name of a computer"


@dataclass(slots=True)
class Administrator:
    """An administrator that runs, or may be running."""

    host: str
    port: int
    process: PlayerProcess | None = None  # None for one that somebody else started
    patience: float = START_PATIENCE  # seconds for which it may still be starting

    async def connect(self) -> trio.SocketStream:
        """Connect, trying again while it may still be starting; ``NoAdministrator``."""
        deadline = trio.current_time() + self.patience
        while True:
            connection = trio.socket.socket()
            try:
                with trio.fail_after(CONNECTING):  # a full queue of connections answers nothing
                    await connection.connect((self.host, self.port))
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return trio.SocketStream(connection)
            except (OSError, UnicodeError, trio.TooSlowError) as error:
                connection.close()
                ended = self.process is not None and self.process.ended.is_set()
                code = getattr(error, "errno", None)
                if ended or trio.current_time() > deadline or code != errno.ECONNREFUSED:
                    where = f"No connection to {self.host}:{self.port}: {_why_not(error)}."
                    if self.patience and not ended and code == errno.ECONNREFUSED:
                        where += f" It did not listen there within {self.patience:g} s."
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


def free_ports() -> Iterator[int]:
    """Yield ports of this machine on which nobody listens, each once; ``OSError`` at the end.

    A program takes a while until it listens. Meanwhile the system may give a port that it assigns
    by itself to any connection or server: the program could not listen there, or our players would
    meet somebody else. So these are ports below those.
    """
    for port in random.sample(UNASSIGNED, len(UNASSIGNED)):
        try:
            socket.create_server((LOCALHOST, port)).close()
        except OSError:
            continue
        yield port
    raise OSError(errno.EADDRNOTAVAIL, "no port is free")


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
        self._room: trio.Semaphore
        self._ports = free_ports()
        self._count = 0

    @property
    def can_choose(self) -> bool:
        """Whether it accepts a bag."""
        return self._bag_argument is not None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator["CommandSource"]:
        """Start administrators as long as the context is open."""
        with self._launcher:
            self._room = trio.Semaphore(self._launcher.at_once(MOST_AT_ONCE))
            async with trio.open_nursery() as self._nursery:
                yield self

    def seats(self, wanted: int, usual: int) -> int:
        """Return how many seats a table can have instead of ``wanted``."""
        return wanted if any("{seats}" in word for word in self._program.command) else usual

    @asynccontextmanager
    async def administrator(
        self, seats: int, bag: Sequence[Tile] | None
    ) -> AsyncIterator[Administrator]:
        """Yield one for a match; afterwards it has a moment to end by itself.

        ``MachineFailed`` if this machine is to blame for how it ended.
        """
        async with self._room:
            started = await self._start(seats, bag)
            assert started.process is not None
            try:
                yield started
                exited = await started.process.end()
                if exited.machine_fault:
                    told = exited.describe(started.process.limits, option_of)
                    raise MachineFailed(f"An administrator could not be checked. {told}")
            finally:
                started.process.release()

    async def _start(self, seats: int, bag: Sequence[Tile] | None) -> Administrator:
        command = [word.replace("{seats}", str(seats)) for word in self._program.command]
        if bag is not None:
            assert self._bag_argument is not None, "bags can be chosen"
            self._count += 1
            file = self._bags / f"{self._count}.txt"
            file.write_text("".join(f"{tile_name(tile)}\n" for tile in bag), encoding="ascii")
            words = shlex.split(self._bag_argument)
            command += [word.replace("{file}", str(file)) for word in words]
        program = replace(self._program, command=tuple(command))
        try:
            port = next(self._ports)
            process = await self._launcher.launch(program, port, "administrator", self._nursery)
        except OSError as error:
            raise MachineFailed(f"No administrator could be started: {error.strerror}.") from error
        return Administrator(LOCALHOST, port, process)


Source = AddressSource | CommandSource


# -- a match -----------------------------------------------------------------------------------


@dataclass(slots=True)
class MatchPlayer:
    """Plays matches; ``clocks`` are those that the administrator is to keep, by the seats."""

    cast: Cast
    clocks: Callable[[int], Clocks]
    tried: Counter[str] = field(default_factory=Counter)
    lag: Lag = field(default_factory=Lag)

    async def play(self, plan: MatchPlan, administrator: Administrator) -> MatchTrace:
        """Play a match to its end, or until nothing comes any more, or far too much."""
        trace = MatchTrace(self.cast.rulebook)
        timeline = Timeline()
        clocks = self.clocks(len(plan.seats))
        patience = STALL + (1.3 * max(clocks.turn, clocks.reply) if plan.slow else clocks.reply)
        trace.seats = [
            SeatTrace(plan.name_of(number), cheat=seat.cheat, point=seat.point)
            for number, seat in enumerate(plan.seats)
        ]
        clients: list[SeatClient] = []
        try:
            await self._bad_sign_ups(plan, administrator, trace, timeline)
            # one after the other, so that the order of the seats is known
            for seat, seen in zip(plan.seats, trace.seats, strict=True):
                manner = seat.manner
                if plan.short and seat.cheat is None:
                    manner = replace(manner, enough=_enough(trace))
                stream = await administrator.connect()
                clients.append(SeatClient(stream, trace.rulebook, seen, timeline, manner))
                await clients[-1].sign_up()
            # a match with a chosen bag was rehearsed, by players that knew nothing of other matches
            tried = self.tried if plan.bag is None else Counter[str]()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._watch, timeline, patience, trace, nursery.cancel_scope)
                async with trio.open_nursery() as playing:
                    for _ in range(plan.surplus):
                        nursery.start_soon(_stay, administrator)
                    for place, client in enumerate(clients):
                        chosen = player_for(plan, place, self.cast, tried)
                        playing.start_soon(client.play, chosen)
                nursery.cancel_scope.cancel()
        except NoAdministrator as error:
            trace.trouble = str(error)
            return trace
        finally:
            for client in clients:
                client.abandon()
        slowest = max((client.slowest for client in clients), default=0.0)
        trace.late = self.late_since(timeline.began) or slowest > clocks.reply / 2
        return trace

    def late_since(self, time: float) -> bool:
        """Whether this machine was too busy since a time to judge by a clock."""
        return self.lag.worst_since(time) > BUSY

    async def _watch(
        self, timeline: Timeline, patience: float, trace: MatchTrace, scope: trio.CancelScope
    ) -> None:
        longest = max(LONGEST, 10 * patience)
        while True:
            # on a machine that is late the administrator's clocks may be late, too
            most = patience * (PATIENT if self.late_since(timeline.last) else 1)
            due = min(timeline.last + most, timeline.began + longest)
            if (left := due - trio.current_time()) <= 0:
                break
            await trio.sleep(left)
        trace.trouble = f"Nothing was sent for {patience:.0f} s."
        if trio.current_time() >= timeline.began + longest:
            trace.trouble = f"It was given up after {longest:.0f} s, although messages still came."
        scope.cancel()

    async def _bad_sign_ups(
        self, plan: MatchPlan, administrator: Administrator, trace: MatchTrace, timeline: Timeline
    ) -> None:
        patience = latest(self.clocks(len(plan.seats)).reply)
        for cheat in plan.sign_ups:
            seen = SeatTrace(cheat.name, cheat=cheat)
            stream = await administrator.connect()
            trace.turned_away.append(seen)
            client = SeatClient(stream, trace.rulebook, seen, timeline, HONESTLY)
            await client.cheat_at_sign_up(self.cast.sign_up(cheat.name), patience)


async def _stay(administrator: Administrator) -> None:
    """Connect although the table is full, and stay."""
    with suppress(NoAdministrator):
        stream = await administrator.connect()
        async with stream:
            await trio.sleep_forever()


def _enough(trace: MatchTrace) -> Callable[[], bool]:
    """Return whether all who cheat in a match have done so some messages ago."""
    left = ENOUGH

    def enough() -> bool:
        nonlocal left
        cheats = [seat for seat in trace.seats if seat.cheat is not None]
        if all(seat.cheated is not None or seat.end for seat in cheats):
            left -= 1
        return left < 0

    return enough
