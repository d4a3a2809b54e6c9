"""Playing a script against one connection."""

import io
import socket
from dataclasses import dataclass, field
from pathlib import Path

import trio

from admin.log.writer import Header, MatchLog, SeatRecord
from admin.match.dealer import Dealer
from admin.match.events import Ejected, Event
from admin.match.outcome import Outcome
from admin.match.referee import Referee
from admin.table.clocks import Clocks
from admin.table.lag import Lag
from admin.table.seat import RemoteSeat, timed_out
from admin.table.signup import free_name
from admin.table.table import Table
from admin.trial.others import others_at
from admin.trial.playground import Playground
from admin.trial.script import Script
from admin.trial.wire import ORDINARY, Delay, Line, Manner, Wire
from protocol import messages
from protocol.dialect import Dialect
from protocol.faults import Fault

DELIVERY = 2.0
"""Seconds that the last message may need on its way, beyond what a farewell may take."""


@dataclass(slots=True)
class Tried:
    """What came of a trial.

    ``wanted`` is the name that the player asked for, ``name`` the one it was given; both are empty
    if it did not sign up, and ``unseated`` says why. ``log`` is the match log, without the
    player's seat there is none. ``outcome`` is ``None`` where nothing was played.
    """

    wanted: str = ""
    name: str = ""
    unseated: Fault | None = None
    events: list[Event] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    log: bytes = b""
    outcome: Outcome | None = None
    doubted: bool = False
    """Whether the player was late while this process was late as well."""

    @property
    def ejected(self) -> Ejected | None:
        """How the player was ejected, if it was."""
        for event in self.events:
            if isinstance(event, Ejected) and event.name == self.name:
                return event
        return None


class _Log(io.BytesIO):
    """A sink that keeps what it was given when it is closed."""

    def close(self) -> None:
        """Take no more."""


class Trial:
    """One script, to be played once.

    ``pause`` are the seconds between sign-up and the first position.
    """

    def __init__(
        self,
        playground: Playground,
        script: Script,
        clocks: Clocks,
        manner: Manner = ORDINARY,
        *,
        pause: float = 0.0,
    ) -> None:
        self._playground = playground
        self._script = script
        self._clocks = clocks
        self._manner = manner
        self._pause = pause

    async def play(self, connection: socket.socket, peer: str) -> Tried:
        """Play the script with the player at the other end, and close the connection."""
        tried = Tried()
        wire = Wire(connection, self._manner)
        async with trio.open_nursery() as wires:
            wires.start_soon(wire.carry)
            async with trio.open_nursery() as farewells:
                await self._play(wire, self._playground.seat(wire.end, peer), tried, farewells)
            with trio.move_on_after(DELIVERY):
                await wire.delivered.wait()
            wires.cancel_scope.cancel()
        tried.lines = wire.lines
        return tried

    async def _play(
        self, wire: Wire, seat: RemoteSeat, tried: Tried, farewells: trio.Nursery
    ) -> None:
        fault = await self._sign_up(seat, tried)
        if fault is None:
            await self._at_table(Delay(self._playground.lag, wire), seat, tried, farewells)
            return
        tried.unseated = fault
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, str(fault))
        farewells.start_soon(seat.finish, self._playground.writer.write(last))

    # -- sign-up --------------------------------------------------------------------------------

    async def _sign_up(self, seat: RemoteSeat, tried: Tried) -> Fault | None:
        """Sign the player up, and wait as for the others; return what it did wrong."""
        match await self._hear(seat, tried):
            case None:
                return timed_out(self._clocks.reply, "<signup>", seat.partial)
            case Fault() as fault:
                return fault
            case messages.SignUp(wanted):
                tried.wanted = wanted
        self._greet(seat, tried)
        with trio.move_on_after(self._pause):
            while seat.fault is None:
                spoken = await _receive(seat, asked=False)
                if isinstance(spoken, Fault):
                    return spoken
        return seat.fault

    async def _hear(self, seat: RemoteSeat, tried: Tried) -> object:
        """Wait for the sign-up, and once more where this process was late itself."""
        for _ in range(2):
            began = trio.current_time()
            with trio.move_on_after(self._clocks.reply):
                return await _receive(seat, asked=True)
            if self._playground.lag.worst_since(began) <= Lag.JITTER:
                return None
        tried.doubted = True
        return None

    def _greet(self, seat: RemoteSeat, tried: Tried) -> None:
        """Tell the player its name, which is not one of the others'."""
        rulebook = self._script.rulebook.id
        told = None if self._playground.dialect is Dialect.COURSE else rulebook
        others = [name for name in self._script.seats if name != self._script.subject]
        seat.name = tried.name = free_name(tried.wanted, others)
        seat.send("signup", self._playground.writer.write(messages.SignUp(seat.name, told)))

    # -- at the table ---------------------------------------------------------------------------

    async def _at_table(
        self, lag: Lag, seat: RemoteSeat, tried: Tried, farewells: trio.Nursery
    ) -> None:
        playground, script = self._playground, self._script.named(seat.name)
        if script.reader is not None:
            script.reader.subject = seat.name
        dealer = Dealer(script.seed, script.game)
        seats = tuple(
            SeatRecord(name, "remote" if name == seat.name else "house") for name in script.seats
        )
        sink = _Log()
        header = Header(script.rulebook, script.seed, script.game, dealer.bag, seats)
        log = MatchLog(Path("trial.xml"), sink, header)
        async with trio.open_nursery() as slow:
            at_table = {**others_at(script, playground, slow), seat.name: seat}
            table = Table(at_table, playground.writer, self._clocks, lag, farewells)

            def emit(event: Event) -> None:
                log(event)
                tried.events.append(event)
                table.handle(event)
                if script.reader is not None:
                    script.reader(event)

            referee = Referee(script.rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
            questions = referee.play_segments(script.segments, seat.name)
            tried.outcome = await table.play(questions)
            slow.cancel_scope.cancel()
        log.close()
        tried.log = sink.getvalue()
        tried.doubted = seat.name in table.doubtful_timeouts


async def _receive(seat: RemoteSeat, *, asked: bool) -> object:
    while True:
        await trio.lowlevel.wait_readable(seat.socket)
        if (answer := seat.receive(asked=asked)) is not None:
            return answer
