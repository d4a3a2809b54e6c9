"""The questions of a match put to seats: sending, waiting, deadlines.

All that can wait, waits in one place: one selector holds the connections of the table, and the
selector's own descriptor is what trio waits for, so a batch of answers costs one wake-up or two.
One cancel scope stays open over many questions and is renewed when it fires; opening one for each
message would cost more than the message.
"""

import math
import selectors
from collections.abc import Mapping

import trio

from admin.match import events
from admin.match.events import Event
from admin.match.in_process import LocalSeat
from admin.match.outcome import Outcome
from admin.match.questions import Ask, Asks, Replies, Reply
from admin.match.referee import Questions
from admin.table.clocks import Clocks
from admin.table.lag import Lag
from admin.table.seat import RemoteSeat, Seat
from protocol import messages
from protocol.conversation import Step
from protocol.faults import Fault, Reason
from protocol.messages import TAGS
from protocol.writing import Writer

READ = selectors.EVENT_READ
BEGINNINGS = (messages.Turn, messages.TurnView)
"""The questions with which a turn, and the mover's clock, begins."""
READ_WRITE = selectors.EVENT_READ | selectors.EVENT_WRITE


class Table:
    """Seats in turn order, and a match among them. ``play`` may be called once."""

    def __init__(
        self,
        seats: Mapping[str, Seat],
        writer: Writer,
        clocks: Clocks,
        lag: Lag,
        nursery: trio.Nursery,
    ) -> None:
        self._seats = dict(seats)
        self._writer = writer
        self._clocks = clocks
        self._lag = lag
        self._nursery = nursery  # for the farewells, which nobody waits for
        self._selector = selectors.DefaultSelector()
        self._pending: set[str] = set()
        self._replies: Replies = {}
        self._deadline = math.inf
        self._alarm = trio.CancelScope()
        self._patience = 0.0
        self._opened = 0.0
        self._excused = 0.0
        self._judged_from = 0.0
        self.doubted: dict[str, float] = {}
        """Who was late while this process was late as well, even when given the time once more.

        The seconds by which it was.
        """
        self._thinking = False
        self._thought = 0.0
        self._written: tuple[object, bytes] = (None, b"")

    @property
    def players(self) -> list[RemoteSeat]:
        """The connections still at the table."""
        return [seat for seat in self._seats.values() if isinstance(seat, RemoteSeat)]

    def notice(self, event: Event) -> None:
        """Read the match's events: an ejected player is told why, and the connection closed."""
        if not isinstance(event, events.Ejected):
            return
        seat = self._seats.pop(event.name)
        if isinstance(seat, RemoteSeat):
            sentence = f"{event.reason.sentence} {event.detail}"
            if event.reason is Reason.ILLEGAL:
                sentence = event.detail
            self._dismiss(seat, messages.Ejected(event.reason.value, sentence))

    def _dismiss_all(self, reason: Reason) -> None:
        """Tell all who are left why the match does not go on, and close their connections."""
        for seat in self.players:
            self._dismiss(seat, messages.Ejected(reason.value, reason.sentence))
        self._seats.clear()

    def _dismiss(self, seat: RemoteSeat, message: messages.Ejected) -> None:
        self._forget(seat)
        if seat.conversation.step is Step.OVER:  # the score was taken: there is no more to say
            self._nursery.start_soon(seat.finish)
            return
        seat.conversation.send("ejected")
        self._nursery.start_soon(seat.finish, self._writer.write(message))

    def _forget(self, seat: RemoteSeat) -> None:
        if seat.socket in self._selector.get_map():
            self._selector.unregister(seat.socket)

    # -- the match ------------------------------------------------------------------------------

    async def play(self, questions: Questions) -> Outcome:
        """Play a match to its end, close the connections, and return the outcome.

        When it is cancelled the players are told that the match was interrupted.
        """
        try:
            for seat in self.players:
                self._selector.register(seat.socket, READ, seat)
            outcome = await self._run(questions)
            for seat in self.players:
                self._forget(seat)
                self._nursery.start_soon(seat.finish)
            self._seats.clear()
            return outcome
        except BaseException:  # cancelled, or a defect of our own: the players are told either way
            self._dismiss_all(Reason.INTERRUPTED)
            raise
        finally:
            trio.lowlevel.notify_closing(self._selector.fileno())
            self._selector.close()

    async def _run(self, questions: Questions) -> Outcome:
        self._sweep()  # whoever spoke, or left, before the first question
        self._open(next(questions))
        while True:
            now = trio.current_time()
            # Fires at least as often as most deadlines come, so it need not follow each of them.
            # One that has passed, and been seen to, is no reason to fire again.
            due = self._deadline if self._pending else math.inf
            alarm = min(due, now + self._clocks.reply)
            with trio.CancelScope(deadline=alarm) as self._alarm:
                return await self._advance(questions)
            self._blame_the_late()

    async def _advance(self, questions: Questions) -> Outcome:
        """Continue to the end of the match; may be cancelled and called again at any wait."""
        descriptor = self._selector.fileno()
        while True:
            if not self._pending:  # all who were asked are of the house: let others have a turn
                await trio.lowlevel.checkpoint()
                self._sweep()
            while self._pending:
                await trio.lowlevel.wait_readable(descriptor)
                self._sweep()
            if self._thinking:
                spent = trio.current_time() - self._lag.arrived(self._opened)
                self._thought += max(spent - self._excused, 0.0)
            try:
                asks = questions.send(self._replies)
            except StopIteration as stop:
                outcome: Outcome = stop.value
                return outcome
            self._open(asks)

    def _open(self, asks: Asks) -> None:
        """Put a batch of questions, and note until when they are to be answered.

        The sweep that brought the last answer has also seen who spoke, or left, unasked.
        """
        self._replies = {}
        self._patience = self._patience_for(asks)
        for name, ask in asks.items():
            seat = self._seats[name]
            if isinstance(seat, LocalSeat):
                self._replies[name] = seat.ask(ask)
            elif isinstance(seat, RemoteSeat) and seat.fault is None:
                self._put(seat, ask)
            else:
                assert seat.fault is not None
                self._replies[name] = seat.fault
        self._opened = self._judged_from = trio.current_time()
        self._deadline = self._opened + self._patience
        if self._deadline < self._alarm.deadline:
            self._alarm.deadline = self._deadline
        self._excused = 0.0

    def _patience_for(self, asks: Asks) -> float:
        """Return the seconds for a batch: the mover's are counted over the whole turn."""
        for ask in asks.values():
            self._thinking = ask.thinking
            if not ask.thinking:
                return self._clocks.reply
            if isinstance(ask.message, BEGINNINGS):
                self._thought = 0.0
            return max(self._clocks.turn - self._thought, 0.0)
        return self._clocks.reply

    def _put(self, seat: RemoteSeat, ask: Ask) -> None:
        message = ask.message
        if message is not self._written[0]:  # a position goes to all in the same bytes
            self._written = (message, self._writer.write(message))
        seat.say(TAGS[type(message)], self._written[1])
        if seat.fault is not None:
            self._replies[seat.name] = seat.fault
            return
        self._pending.add(seat.name)
        if seat.sending:
            self._selector.modify(seat.socket, READ_WRITE, seat)

    def _sweep(self) -> None:
        """Read and write whatever is ready, without waiting."""
        ready = self._selector.select(0)
        if not ready:
            return
        now = trio.current_time()
        for key, mask in ready:
            seat: RemoteSeat = key.data
            if mask & selectors.EVENT_WRITE:
                seat.push()
                if not seat.sending:
                    self._selector.modify(seat.socket, READ, seat)
            if mask & selectors.EVENT_READ:
                self._read(seat, now)

    def _read(self, seat: RemoteSeat, now: float) -> None:
        name = seat.name
        asked = name in self._pending
        answer = seat.take(asked=asked)
        if answer is None:
            return
        if isinstance(answer, Fault):
            seat.fault = answer
            self._forget(seat)
            if asked:
                self._settle(name, answer)
            return
        latency = max(now - self._lag.arrived(self._opened), 0.0)
        lag = self._lag.since(self._opened)
        self._settle(name, Reply(answer, int(latency * 1e6), int(lag * 1e6)))

    def _settle(self, name: str, reply: Reply | Fault) -> None:
        self._replies[name] = reply
        self._pending.discard(name)

    def _blame_the_late(self) -> None:
        """See to a fired alarm: whoever has not answered in time, though it was read for, is late.

        Answers may lie in the kernel: they are read first. Where the referee itself was late, the
        players are given that time once more.
        """
        now = trio.current_time()
        self._deadline = max(self._deadline, self._lag.arrived(self._opened) + self._patience)
        if now < self._deadline:
            return
        self._sweep()
        late = max(now - self._deadline, self._lag.since(self._judged_from))
        if late > Lag.NOTABLE and not self._excused:
            self._excused = late
            self._deadline = now + late
            self._judged_from = now
            return
        for name in sorted(self._pending):
            seat = self._seats[name]
            assert isinstance(seat, RemoteSeat)
            detail = f"{self._patience:g} s were allowed for {seat.conversation.expected()}."
            if seat.sending:
                detail += " The question itself was not read."
            elif seat.pending:
                detail += f" {len(seat.pending)} bytes came, of an element that was not closed."
            if late > Lag.NOTABLE:
                self.doubted[name] = late
            self._settle(name, Fault(Reason.TIMED_OUT, detail, seat.pending))
