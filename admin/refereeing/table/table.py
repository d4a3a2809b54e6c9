"""Puts the questions of a game to seats: sending, waiting, deadlines.

All waiting happens in one place. One selector holds the connections; where it has a descriptor of
its own (epoll, kqueue), trio waits for that, so a batch of answers costs one or two wake-ups.
Windows has no such selector: there, a task waits for each connection. One cancel scope stays open
over many questions and is renewed when it fires; opening one for each message would cost more than
the message.
"""

import math
import selectors
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import trio

from ....protocol import messages
from ....protocol.conversation import Step
from ....protocol.faults import Fault, Reason
from ....protocol.messages import TAGS
from ....protocol.writing import Writer
from ..play import events
from ..play.events import Event
from ..play.in_process import LocalSeat
from ..play.outcome import Outcome
from ..play.questions import Ask, Asks, Replies, Reply
from ..play.referee import Questions
from .clocks import Clocks
from .lag import LOOK_AGAIN, Lag, TimeTaken, Work, WorkSince
from .run import first_of
from .seat import RemoteSeat, Seat, timed_out

READ = selectors.EVENT_READ
WRITE = selectors.EVENT_WRITE
TURN_QUESTIONS = (messages.Turn, messages.TurnView)  # begin a turn and the mover's clock
NOTABLE_SECONDS = 0.25
"""An answer that took less counts as it is: what the machine did meanwhile is not looked up."""
NO_TIME = 0.001  # seconds left of a clock that count as nothing


class Table:
    """Seats in turn order, and a game among them. ``play`` may be called once."""

    def __init__(
        self,
        seats: Mapping[str, Seat],
        writer: Writer,
        clocks: Clocks,
        lag: Lag,
        closing: trio.Nursery,
        seat_clocks: Mapping[str, Clocks] | None = None,
        work: Mapping[str, WorkSince] | None = None,
        delivered_at: Callable[[float], float] = lambda sent: sent,
        strategies_think: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint,
    ) -> None:
        """Connections are closed by tasks in the nursery ``closing``.

        ``seat_clocks`` are those of players who do not have the ``clocks`` of the table, ``work``
        is what the programs of players do, where that is known. ``delivered_at`` tells when data
        sent at a time reached the players: at once, on plain sockets. ``strategies_think`` is
        awaited, perhaps again, where nobody but strategies was asked.
        """
        self._seats = dict(seats)
        self._writer = writer
        self._clocks = clocks
        self._seat_clocks = seat_clocks or {}
        self._lag = lag
        self._work = work or {}
        self._delivered_at = delivered_at
        self._strategies_think = strategies_think
        self._closing = closing
        self._connections = Connections()
        self._pending: set[str] = set()  # who was asked and has not answered
        self._replies: Replies = {}
        self._limits: dict[str, float] = {}  # seconds for the present questions, by name
        self._limit = 0.0  # the least of them
        self._asked_at = 0.0
        self._deadline = math.inf
        self._alarm = trio.CancelScope()
        self._overdue = 0.0  # seconds by which alarms for the present questions came too late
        self._on_turn_clock = False
        self._turn_time_used = 0.0
        self._used = dict.fromkeys(seats, 0.0)  # in the whole game
        self._last_written: tuple[object, bytes] = (None, b"")
        self.unserved: dict[str, str] = {}
        """Players that timed out because the machine was too busy, each with a sentence."""

    @property
    def players(self) -> list[RemoteSeat]:
        """The connections still at the table."""
        return [seat for seat in self._seats.values() if isinstance(seat, RemoteSeat)]

    def handle(self, event: Event) -> None:
        """Take an event: an ejected player is sent the reason, and its connection is closed."""
        if not isinstance(event, events.Ejected):
            return
        seat = self._seats.pop(event.name)
        if isinstance(seat, RemoteSeat):
            self._dismiss(seat, messages.Ejected(event.reason.value, event.sentences))

    def _dismiss(self, seat: RemoteSeat, message: messages.Ejected) -> None:
        self._connections.remove(seat)
        if seat.conversation.step is Step.OVER:  # it has acknowledged the score: nothing follows
            self._closing.start_soon(seat.finish)
            return
        seat.conversation.send("ejected")
        self._closing.start_soon(seat.finish, self._writer.write(message))

    # -- the game ------------------------------------------------------------------------------

    async def play(self, questions: Questions) -> Outcome:
        """Play a game to its end, close the connections, and return the outcome.

        If it is cancelled, the players are sent ``interrupted``.
        """
        try:
            for seat in self.players:
                self._connections.add(seat)
            outcome = await self._play(questions)
            for seat in self.players:
                self._connections.remove(seat)
                self._closing.start_soon(seat.finish)
            self._seats.clear()
            return outcome
        except BaseException:  # cancelled, or a bug: the players are notified either way
            reason = Reason.INTERRUPTED
            for seat in self.players:
                self._dismiss(seat, messages.Ejected(reason.value, reason.sentence))
            self._seats.clear()
            raise
        finally:
            self._connections.close()

    async def _play(self, questions: Questions) -> Outcome:
        self._poll()  # who spoke, or left, before the first question
        self._ask(next(questions))
        while True:
            now = trio.current_time()
            # Fires at least as often as most deadlines come, so it need not follow each of them.
            # A deadline that has passed, and been dealt with, is no reason to fire again, and a
            # clock that ends as soon as it begins leaves time to go on.
            due = self._deadline if self._pending else math.inf
            alarm = min(due, now + max(self._clocks.reply, LOOK_AGAIN))
            with trio.CancelScope(deadline=alarm) as self._alarm:
                return await self._advance(questions)
            self._check_deadline()

    async def _advance(self, questions: Questions) -> Outcome:
        """Go on until the game ends; may be cancelled and called again at any wait."""
        while True:
            if not self._pending:  # all who were asked are strategies: let other tasks run
                await self._strategies_think()
                self._poll()
            while self._pending:
                await self._connections.wait()
                self._poll()
            try:
                asks = questions.send(self._replies)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            self._ask(asks)

    # -- asking ---------------------------------------------------------------------------------

    def _ask(self, asks: Asks) -> None:
        """Send questions, and set their deadline.

        The poll that brought the last answer has also seen who spoke, or left, unasked.
        """
        self._replies = {}
        self._limits = {name: self._limit_for(name, ask) for name, ask in asks.items()}
        self._limit = min(self._limits.values())
        for name, ask in asks.items():
            seat = self._seats[name]
            if isinstance(seat, LocalSeat):
                self._replies[name] = seat.ask(ask)
            elif isinstance(seat, RemoteSeat) and seat.fault is None:
                self._send(seat, ask)
            else:
                assert seat.fault is not None
                self._replies[name] = seat.fault
        self._asked_at = trio.current_time()
        self._deadline = self._asked_at + self._limit
        if self._deadline < self._alarm.deadline:
            self._alarm.deadline = self._deadline
        self._overdue = 0.0

    def _clocks_of(self, name: str) -> Clocks:
        return self._seat_clocks.get(name, self._clocks)

    def _limit_for(self, name: str, ask: Ask) -> float:
        """Return the seconds for a question; the mover's are counted over the whole turn."""
        clocks = self._clocks_of(name)
        limit, self._on_turn_clock = clocks.reply, ask.thinking
        if ask.thinking:
            if isinstance(ask.message, TURN_QUESTIONS):
                self._turn_time_used = 0.0
            limit = clocks.turn - self._turn_time_used
        return max(min(limit, clocks.game - self._used[name]), 0.0)

    def _send(self, seat: RemoteSeat, ask: Ask) -> None:
        message = ask.message
        if message is not self._last_written[0]:  # everybody gets a position in the same bytes
            self._last_written = (message, self._writer.write(message))
        seat.send(TAGS[type(message)], self._last_written[1])
        if seat.fault is not None:
            self._replies[seat.name] = seat.fault
            return
        self._pending.add(seat.name)
        if seat.has_unsent:
            self._connections.update(seat)

    # -- answers --------------------------------------------------------------------------------

    def _poll(self) -> None:
        ready = self._connections.ready()
        if not ready:
            return
        now = trio.current_time()
        for key, mask in ready:
            seat: RemoteSeat = key.data
            if mask & WRITE:
                seat.flush()
                self._connections.update(seat)
            if mask & READ:
                self._receive(seat, now)

    def _receive(self, seat: RemoteSeat, now: float) -> None:
        name = seat.name
        asked = name in self._pending
        answer = seat.receive(asked=asked)
        if answer is None:
            return
        if isinstance(answer, Fault):
            seat.fault = answer
            self._connections.remove(seat)
            if asked:
                self._record(name, answer)
            return
        latency = max(now - self._delivered_at(self._asked_at), 0.0)
        lag = self._lag.worst_since(self._asked_at)
        counted = latency
        if latency > NOTABLE_SECONDS:
            counted -= self._time_taken(name, now).excused
        if self._on_turn_clock:
            self._turn_time_used += counted
        self._used[name] += counted
        self._record(name, Reply(answer, int(latency * 1e6), int(lag * 1e6)))

    def _record(self, name: str, reply: Reply | Fault) -> None:
        self._replies[name] = reply
        self._pending.discard(name)

    # -- who is late ----------------------------------------------------------------------------

    def _time_taken(self, name: str, now: float) -> TimeTaken:
        since = self._delivered_at(self._asked_at)
        late = max(self._lag.total_since(since), self._overdue)
        work = self._work.get(name)
        done = Work(*work(since)) if work else None
        return TimeTaken(max(now - since, 0.0), late, done, self._lag.busy_since(since))

    def _check_deadline(self) -> None:
        """When the alarm has fired: time out the players that are late, if any are.

        Answers may be waiting in the kernel: they are read first. If this alarm is the first that
        came too late, the machine may have stood still for a moment longer than that shows.
        """
        now = trio.current_time()
        self._deadline = max(self._deadline, self._delivered_at(self._asked_at) + self._limit)
        if now < self._deadline:
            return
        self._poll()
        unseen = 0.0
        if (overdue := now - self._deadline) > Lag.JITTER:
            unseen = 0.0 if self._overdue else min(overdue, Lag.INTERVAL)
            self._overdue += overdue
        self._deadline = math.inf
        for name in sorted(self._pending):
            taken = self._time_taken(name, now)
            left = taken.left(self._limits[name], self._clock_of(name))
            left = max(left, unseen)
            if left > NO_TIME:
                self._deadline = min(self._deadline, now + max(left, LOOK_AGAIN))
            else:
                self._time_out(name, taken)

    def _clock_of(self, name: str) -> float:
        clocks = self._clocks_of(name)
        return clocks.turn if self._on_turn_clock else clocks.reply

    def _time_out(self, name: str, taken: TimeTaken) -> None:
        seat = self._seats[name]
        assert isinstance(seat, RemoteSeat)
        limit, clock = self._limits[name], self._clock_of(name)
        if taken.is_too_busy(limit, clock):
            why = f"{name} was late on a machine that was too busy. {taken.in_words()}"
            self.unserved[name] = why
        game = self._clocks_of(name).game
        on_game_clock = limit < clock and limit >= game - self._used[name]
        fault = timed_out(
            limit if on_game_clock else clock,
            seat.conversation.expected(),
            seat.partial,
            used=clock - limit,
            game=game if on_game_clock else None,
            taken=taken,
            unread=seat.has_unsent,
        )
        self._record(name, fault)


class Connections:
    """The connections of a table: to read from, and to send what is unsent."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._descriptor: int | None = None
        if hasattr(self._selector, "fileno"):
            self._descriptor = self._selector.fileno()

    def add(self, seat: RemoteSeat) -> None:
        """Wait from now on for what a seat sends."""
        self._selector.register(seat.socket, READ, seat)

    def remove(self, seat: RemoteSeat) -> None:
        """Wait no longer for a seat, which may have been removed already."""
        if seat.socket in self._selector.get_map():
            self._selector.unregister(seat.socket)

    def update(self, seat: RemoteSeat) -> None:
        """Wait also until there is room to send, or no longer."""
        self._selector.modify(seat.socket, READ | WRITE if seat.has_unsent else READ, seat)

    def ready(self) -> list[tuple[selectors.SelectorKey, int]]:
        """Find who is ready, without waiting: a key has the seat as its data."""
        return self._selector.select(0)

    async def wait(self) -> None:
        """Wait until a connection is ready; may be cancelled and called again."""
        if self._descriptor is not None:
            await trio.lowlevel.wait_readable(self._descriptor)
            return
        keys = [*self._selector.get_map().values()]
        reading = [partial(trio.lowlevel.wait_readable, key.fileobj) for key in keys]
        writing = [
            partial(trio.lowlevel.wait_writable, key.fileobj) for key in keys if key.events & WRITE
        ]
        await first_of(*reading, *writing)

    def close(self) -> None:
        """Wait for nobody any more; the connections stay open."""
        if self._descriptor is not None:
            trio.lowlevel.notify_closing(self._descriptor)
        self._selector.close()
