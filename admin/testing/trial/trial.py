"""Playing a script over one connection."""

import io
import socket
from dataclasses import dataclass, field
from pathlib import Path

import trio

from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.player_names import free_name
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.log.writer import GameLog
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Answered, Ejected, Event
from ...refereeing.play.outcome import Outcome
from ...refereeing.play.referee import Referee
from ...refereeing.table.clocks import Clocks, in_seconds
from ...refereeing.table.lag import Lag, WorkSince
from ...refereeing.table.reception import hold
from ...refereeing.table.seat import RemoteSeat, timed_out
from ...refereeing.table.table import Table
from .environment import TrialEnvironment
from .opponents import seat_opponents
from .script import Script
from .wire import PLAIN_DELIVERY, Delivery, TranscriptEntry, Wire, WireLag

DELIVERY_TIMEOUT = 2.0
"""Seconds to deliver the last message to the player."""
LATE_SECONDS = 3.0
"""How long a player that was ejected for being late is listened to: does its answer come yet?"""


@dataclass(slots=True)
class TrialResult:
    """The outcome of a trial.

    ``requested_name`` is the name that the player asked for, ``name`` the one it was given; both
    are empty if it did not sign up, and ``sign_up_fault`` is why. ``log`` is a game log, empty if
    the player got no seat. ``outcome`` is ``None`` if nothing was played.
    """

    requested_name: str = ""
    name: str = ""
    sign_up_fault: Fault | None = None
    events: list[Event] = field(default_factory=list)
    transcript: list[TranscriptEntry] = field(default_factory=list)
    log: bytes = b""
    outcome: Outcome | None = None
    referee_was_late: bool = False
    """Whether the player missed a deadline while this process was late itself."""

    @property
    def ejected(self) -> Ejected | None:
        """How the player was ejected, if it was."""
        for event in self.events:
            if isinstance(event, Ejected) and event.name == self.name:
                return event
        return None

    @property
    def fault(self) -> Fault | Ejected | None:
        """What the player did wrong, if anything, at sign-up or later."""
        return self.sign_up_fault or self.ejected

    @property
    def was_silent(self) -> bool:
        """Whether the player was ejected because nothing came in time, though it did read."""
        left = self.ejected
        return (
            left is not None
            and left.reason is Reason.TIMED_OUT
            and not left.data
            and left.circumstance is not Circumstance.UNREAD
        )

    @property
    def came_late(self) -> str:
        """A sentence about the answer that came when the player had been ejected for being late;
        empty if none did.
        """
        left, sent = self.ejected, [entry for entry in self.transcript if entry.sender == "A"]
        if left is None or not self.was_silent or len(sent) < 2:
            return ""
        answer = next((e for e in self.transcript if e.seconds > sent[-1].seconds), None)
        if answer is None:
            return ""
        seconds = in_seconds(answer.seconds - sent[-2].seconds)
        return f"The answer to <{left.question}> came too late, after {seconds}."

    @property
    def failed_question(self) -> str:
        """The question at which the player did that; the first ``state`` is ``setup``."""
        match self.fault:
            case None:
                return ""
            case Fault(reason):
                return "setup" if self.name and reason is Reason.DISCONNECTED else "signup"
            case left:
                return question_name(left.question, is_first=not self.answers)

    @property
    def left_with_score(self) -> bool:
        """Whether the player disconnected when it was sent the score, which it keeps."""
        left = self.ejected
        return left is not None and (left.question, left.reason) == ("score", Reason.DISCONNECTED)

    @property
    def answers(self) -> list[tuple[str, Answered]]:
        """The player's answers, each after its question; the first ``state`` is ``setup``."""
        own = [e for e in self.events if isinstance(e, Answered) and e.name == self.name]
        return [(question_name(e.question, is_first=not at), e) for at, e in enumerate(own)]


def question_name(question: str, *, is_first: bool) -> str:
    """Return what a question is called in cases: the first ``state`` is ``setup``."""
    return "setup" if is_first and question == "state" else question


class _LogBuffer(io.BytesIO):
    """A buffer that can be read after it was closed."""

    def close(self) -> None:
        """Keep the content."""


class Trial:
    """One script, to be played once. ``pause`` seconds lie between sign-up and first position."""

    def __init__(
        self,
        environment: TrialEnvironment,
        script: Script,
        clocks: Clocks,
        delivery: Delivery = PLAIN_DELIVERY,
        *,
        pause: float = 0.0,
    ) -> None:
        self._environment = environment
        self._script = script
        self._clocks = clocks
        self._delivery = delivery
        self._pause = pause
        self._work: WorkSince | None = None

    async def play(
        self, connection: socket.socket, peer: str, work: WorkSince | None = None
    ) -> TrialResult:
        """Play the script with the player at the other end, and close the connection.

        ``work`` tells what the player's program does, where that is known.
        """
        self._work = work
        result = TrialResult()
        wire = Wire(connection, self._delivery)
        async with trio.open_nursery() as wires:
            wires.start_soon(wire.relay)
            async with trio.open_nursery() as farewells:
                seat = self._environment.reception.seat(wire.end, peer)
                await self._play(wire, seat, result, farewells)
            with trio.move_on_after(DELIVERY_TIMEOUT):
                await wire.delivered.wait()
            if result.was_silent:
                with trio.move_on_after(LATE_SECONDS):
                    await wire.player_left.wait()
            wires.cancel_scope.cancel()
        result.transcript = wire.transcript
        return result

    async def _play(
        self, wire: Wire, seat: RemoteSeat, result: TrialResult, farewells: trio.Nursery
    ) -> None:
        fault = await self._sign_up(seat, result)
        if fault is None:
            await self._play_script(WireLag(self._environment.lag, wire), seat, result, farewells)
            return
        result.sign_up_fault = fault
        self._environment.reception.refuse(seat, fault, farewells)

    # -- sign-up --------------------------------------------------------------------------------

    async def _sign_up(self, seat: RemoteSeat, result: TrialResult) -> Fault | None:
        """Sign the player up, and pause; return what it did wrong."""
        wanted = await self._receive_sign_up(seat, result)
        if isinstance(wanted, Fault):
            return wanted
        result.requested_name = wanted
        taken = [name for name in self._script.seats if name != self._script.subject]
        result.name = free_name(wanted, taken)
        self._environment.reception.welcome(seat, result.name)
        with trio.move_on_after(self._pause):
            return seat.fault or await hold(seat)
        return seat.fault

    async def _receive_sign_up(self, seat: RemoteSeat, result: TrialResult) -> str | Fault:
        """Wait for the sign-up, and a second time if this process was late itself."""
        for _ in range(2):
            began = trio.current_time()
            with trio.move_on_after(self._clocks.reply):
                return await self._environment.reception.sign_up(seat)
            if self._environment.lag.worst_since(began) <= Lag.JITTER:
                break
        else:
            result.referee_was_late = True
        return timed_out(self._clocks.reply, "<signup>", seat.partial)

    # -- at the table ---------------------------------------------------------------------------

    async def _play_script(
        self, lag: Lag, seat: RemoteSeat, result: TrialResult, farewells: trio.Nursery
    ) -> None:
        environment, script = self._environment, self._script.with_subject_named(seat.name)
        if script.reader is not None:
            script.reader.subject = seat.name
        dealer = Dealer(script.seed, script.game)
        seats = tuple(
            SeatRecord(name, "remote" if name == seat.name else "house") for name in script.seats
        )
        buffer = _LogBuffer()
        header = Header(script.rulebook, script.seed, script.game, dealer.bag, seats)
        log = GameLog(Path("trial.xml"), buffer, header)
        async with trio.open_nursery() as slow_opponents:
            opponents = seat_opponents(script, environment, slow_opponents)
            seated = {**opponents, seat.name: seat}
            work = {} if self._work is None else {seat.name: self._work}
            table = Table(
                seated, environment.reception.writer, self._clocks, lag, farewells, work=work
            )

            def emit(event: Event) -> None:
                log(event)
                result.events.append(event)
                table.handle(event)
                if script.reader is not None:
                    script.reader(event)

            referee = Referee(script.rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
            questions = referee.play_segments(script.segments, seat.name)
            result.outcome = await table.play(questions)
            slow_opponents.cancel_scope.cancel()
        log.close()
        result.log = buffer.getvalue()
        result.referee_was_late = seat.name in table.unserved
