"""A script: positions, seats and opponents; and playing it over one connection."""

import math
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

import trio

from ....game.rulebook import Rulebook
from ....game.state import State
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.player_names import free_name
from ...refereeing.diagnosis.diagnose import ANSWERS, sign_up_fault_with_hint
from ...refereeing.log.recorder import Header, SeatRecord
from ...refereeing.log.writer import GameLog, MemoryFile
from ...refereeing.play.dealer import Dealer
from ...refereeing.play.events import Answered, Ejected, Event, TurnBegan
from ...refereeing.play.in_process import Answerer, LocalSeat
from ...refereeing.play.outcome import Outcome
from ...refereeing.play.referee import Referee, Segment
from ...refereeing.table.clocks import Clocks
from ...refereeing.table.lag import Lag, TimeTaken, Work, WorkSince
from ...refereeing.table.reception import Reception, hold
from ...refereeing.table.seat import RemoteSeat, timed_out
from ...refereeing.table.table import Table
from .player_source import ExitReport, PlayerSource
from .wire import PLAIN_DELIVERY, Delivery, TranscriptEntry, Wire

MakePlayer: TypeAlias = Callable[[Rulebook], Answerer]  # makes a new player for each trial


@dataclass(frozen=True, slots=True)
class Script:
    """The seats in sign-up order, one of them the ``subject``, and what is played.

    A position may have fewer players than there are seats: the others have left.
    """

    rulebook: Rulebook
    seats: tuple[str, ...]
    subject: str
    segments: tuple[Segment, ...]
    opponents: Mapping[str, MakePlayer]  # make the players of all other seats
    think_time: float = 0.0  # how many seconds each opponent takes for a turn
    seed: int = 0  # determines the shuffles after ejections, with `game`
    game: int = 1
    reader: Callable[[Event], None] | None = None  # reads the events while the trial runs

    def with_subject_named(self, name: str) -> "Script":
        """Return the same script with another name for the subject."""
        if name == self.subject:
            return self
        return replace(
            self,
            subject=name,
            seats=tuple(name if seat == self.subject else seat for seat in self.seats),
            segments=tuple(
                Segment(renamed(position, {self.subject: name}), turns)
                for position, turns in self.segments
            ),
        )


def renamed(state: State, names: Mapping[str, str]) -> State:
    """Return the position with other names for some players."""
    players = tuple(
        player._replace(name=names.get(player.name, player.name)) for player in state.players
    )
    return state._replace(players=players)


DELIVERY_TIMEOUT = 2.0  # seconds to deliver the last message to the player
LATE_SECONDS = 3.0  # how long a player ejected as late is listened to, in case it answers


@dataclass(slots=True)
class TrialResult:
    """The outcome of a trial."""

    requested_name: str = ""  # the name that the player asked for
    name: str = ""  # the one it was given; both are empty if it did not sign up
    sign_up_fault: Fault | None = None  # why it did not sign up
    events: list[Event] = field(default_factory=list)
    transcript: list[TranscriptEntry] = field(default_factory=list)
    log: bytes = b""  # a game log, empty if the player got no seat
    outcome: Outcome | None = None  # None if nothing was played
    computed: float | None = None  # processor seconds in which it did not answer, if known
    held_up: float = 0.0  # seconds for which this machine held up an answer that was late
    referee_was_late: bool = False  # the player missed a deadline while this process was late
    exit_report: ExitReport | None = None  # if the player was launched and has ended

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
        if left is None or left.reason is not Reason.TIMED_OUT:
            return False
        return not left.data and left.circumstance is not Circumstance.UNREAD

    @property
    def late_by(self) -> float:
        """After how many seconds the answer came, of a player ejected for being late; or 0."""
        sent = [entry.seconds for entry in self.transcript if entry.sender == "A"]
        if not self.was_silent or len(sent) < 2:
            return 0.0
        *_, asked, ejected = sent
        late = [entry.seconds for entry in self.transcript if entry.seconds > ejected]
        return late[0] - asked if late else 0.0

    @property
    def printed(self) -> str:
        """The root element of an answer that a silent player printed, but that did not arrive.

        It is empty if there is none. What the player was told, and may have printed, names answers.
        """
        match self.fault:
            case Fault(Reason.TIMED_OUT, _, b"") as fault:
                question, told = "signup", sign_up_fault_with_hint(fault)
            case Ejected() as left if self.was_silent:
                question, told = left.question, left.sentences
            case _:
                return ""
        output = self.exit_report.output.replace(told.encode(), b"") if self.exit_report else b""
        sent = b"".join(entry.data for entry in self.transcript)
        for tag in ANSWERS[question]:
            begin = re.compile(rb"<%b[\s/>]" % tag.encode())
            if len(begin.findall(output)) > len(begin.findall(sent)):
                return tag
        return ""

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
    def early_exit(self) -> str:
        """How the program ended instead of answering; empty if it did not end so."""
        fault, report = self.fault, self.exit_report
        if report is None or fault is None or fault.reason is not Reason.DISCONNECTED:
            return ""
        if report.exit.code is None and not report.exit.failed:
            return ""
        question = self.failed_question if self.name else "signup"
        deeds = {"signup": "signed up", "setup": "answered the first position"}
        return report.before(deeds.get(question, f"answered <{question}>"))

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


@cache
def _reception(rulebook: Rulebook) -> Reception:
    """Return what all trials share; each has a clock of its own for the sign-up."""
    return Reception(rulebook, math.inf)


@dataclass(slots=True)
class Trial:
    """One script, to be played once."""

    script: Script
    clocks: Clocks
    lag: Lag  # the caller runs it
    delivery: Delivery = PLAIN_DELIVERY
    _: KW_ONLY
    pause: float = 0.0  # seconds between sign-up and first position
    _result: TrialResult = field(init=False, default_factory=TrialResult)

    @property
    def _reception(self) -> Reception:
        return _reception(self.script.rulebook)

    async def play_against(self, source: PlayerSource, name: str) -> TrialResult:
        """Play the script with a player from ``source``; ``PlayerNotConnected`` if none comes."""
        async with source.connect(name) as player:
            result = await self.play(player.socket, player.peer, player.work)
        result.exit_report = player.exit_report
        return result

    async def play(
        self, connection: socket.socket, peer: str, work: WorkSince | None = None
    ) -> TrialResult:
        """Play the script with the player at the other end, and close the connection.

        ``work`` tells what the player's program does, where that is known.
        """
        result = self._result
        wire = Wire(connection, self.delivery)
        async with trio.open_nursery() as wires:
            wires.start_soon(wire.relay)
            async with trio.open_nursery() as farewells:
                seat = self._reception.seat(wire.end, peer)
                result.sign_up_fault = await self._sign_up(seat, work)
                if result.sign_up_fault is None:
                    await self._play_script(seat, wire, work, farewells)
                else:
                    self._reception.refuse(seat, result.sign_up_fault, farewells)
            with trio.move_on_after(DELIVERY_TIMEOUT):
                await wire.delivered.wait()
            if result.was_silent:
                closed = trio.current_time()
                with trio.move_on_after(LATE_SECONDS):
                    await wire.player_left.wait()
                did = Work(*work(closed)) if work else None
                elapsed = trio.current_time() - closed
                result.held_up = TimeTaken(elapsed, self.lag.worst_since(closed), did).excused
            wires.cancel_scope.cancel()
        result.transcript = wire.transcript
        return result

    # -- sign-up --------------------------------------------------------------------------------

    async def _sign_up(self, seat: RemoteSeat, work: WorkSince | None) -> Fault | None:
        """Sign the player up, and pause; return what it did wrong."""
        wanted = await self._receive_sign_up(seat, work)
        if isinstance(wanted, Fault):
            return wanted
        self._result.requested_name = wanted
        taken = [name for name in self.script.seats if name != self.script.subject]
        self._result.name = free_name(wanted, taken)
        self._reception.welcome(seat, self._result.name)
        with trio.move_on_after(self.pause):
            return seat.fault or await hold(seat)
        return seat.fault

    async def _receive_sign_up(self, seat: RemoteSeat, work: WorkSince | None) -> str | Fault:
        """Wait for the sign-up, and a second time if this process was late itself."""
        for _ in range(2):
            began = trio.current_time()
            if work:
                work(began)  # what it did in starting does not count
            with trio.move_on_after(self.clocks.reply):
                return await self._reception.sign_up(seat)
            if self.lag.worst_since(began) <= Lag.JITTER:
                break
        else:
            self._result.referee_was_late = True
        did = Work(*work(began)) if work else None
        taken = TimeTaken(trio.current_time() - began, self.lag.total_since(began), did)
        return timed_out(self.clocks.reply, "<signup>", seat.partial, taken=taken)

    # -- at the table ---------------------------------------------------------------------------

    async def _play_script(
        self, seat: RemoteSeat, wire: Wire, work: WorkSince | None, farewells: trio.Nursery
    ) -> None:
        script = self.script.with_subject_named(seat.name)
        dealer = Dealer(script.seed, script.game)
        seats = tuple(
            SeatRecord(name, "remote" if name == seat.name else "house") for name in script.seats
        )
        file = MemoryFile()
        header = Header(script.rulebook, script.seed, script.game, dealer.bag, seats)
        log = GameLog(Path("trial.xml"), file, header)
        dialect = self._reception.dialect
        seated = {
            name: LocalSeat(name, make(script.rulebook), dialect=dialect)
            for name, make in script.opponents.items()
        }
        asked = thinking_until = trio.current_time()

        table = Table(
            {**seated, seat.name: seat},
            self._reception.writer,
            self.clocks,
            self.lag,
            farewells,
            work={} if work is None else {seat.name: work},
            delivered_at=wire.delivered_at,
            strategies_think=lambda: trio.sleep(max(thinking_until - trio.current_time(), 0.0)),
        )

        def emit(event: Event) -> None:
            nonlocal asked, thinking_until
            if work is not None and isinstance(event, Ejected) and event.name == seat.name:
                self._result.computed, *_ = work(asked)
            asked = trio.current_time()
            if isinstance(event, TurnBegan) and event.name != seat.name:
                thinking_until = asked + script.think_time
            log(event)
            self._result.events.append(event)
            table.handle(event)
            if script.reader is not None:
                script.reader(event)

        referee = Referee(script.rulebook, script.seats, dealer.bag, dealer.shuffle, emit)
        self._result.outcome = await table.play(referee.play_segments(script.segments, seat.name))
        log.close()
        self._result.log = file.data()
        self._result.referee_was_late = seat.name in table.unserved
