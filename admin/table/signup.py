"""From a connection to a seat: sign-up, names, and waiting until the table is full.

Seats are given in the order of connecting. A connection that fails to sign up is sent the reason
and closed, and its seat goes to the next one.
"""

from collections.abc import Callable, Iterable
from itertools import count

import trio

from admin.table.seat import RemoteSeat, timed_out
from protocol import messages
from protocol.faults import Fault, Reason
from protocol.writing import Writer

MAX_NAME = 64
"""Characters."""
MAX_WAITING = 256
"""Connections that may wait for a seat; each holds a file descriptor of this process."""


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return the name as wanted, or with the first free number if it is taken."""
    used = set(taken)
    if wanted not in used:
        return wanted
    for number in count(2):
        suffix = f"-{number}"
        name = wanted[: MAX_NAME - len(suffix)] + suffix
        if name not in used:
            return name
    raise AssertionError("count() has no end")


class SignUpQueue:
    """The connections that wait for a seat, and those that have one at the table being filled."""

    def __init__(
        self,
        writer: Writer,
        rulebook: str | None,
        reply_timeout: float,
        closing: trio.Nursery,
        on_dismissal: Callable[[RemoteSeat, Fault], None],
    ) -> None:
        """``rulebook`` is the id that the answer to a sign-up names, if it names one.

        Connections are closed by tasks in the nursery ``closing``. ``on_dismissal`` is called with
        each connection that gets no seat, and why.
        """
        self._writer = writer
        self._rulebook = rulebook
        self._reply_timeout = reply_timeout
        self.closing = closing
        self._on_dismissal = on_dismissal
        self._changed = trio.Event()
        self._waiting: list[RemoteSeat] = []
        self._reserved: list[RemoteSeat] = []
        self.seated: list[RemoteSeat] = []
        """Players who have signed up for the table that is being filled."""

    def add(self, seat: RemoteSeat) -> None:
        """Add a new connection; it waits, unread, until a seat is free."""
        if len(self._waiting) >= MAX_WAITING:
            self.dismiss(seat, Fault(Reason.NO_SEAT, f"{MAX_WAITING} others are already waiting."))
            return
        self._waiting.append(seat)
        self._changed.set()

    async def fill(
        self, seats: int, deadline: float, on_change: Callable[[list[str]], None]
    ) -> list[RemoteSeat]:
        """Return those who sign up, in the order of connecting: fewer than ``seats`` if late.

        ``on_change`` is called with the names so far whenever they change. Until the table is full
        a player who disconnects, or sends anything, loses the seat.
        """
        self.seated.clear()
        with trio.CancelScope(deadline=deadline):
            while len(self.seated) < seats:  # one may leave at the moment the table is full
                await self._gather(seats, on_change)
        for seat in self._reserved:
            if seat not in self.seated:
                self.dismiss(seat, Fault(Reason.TIMED_OUT, "No <signup> arrived in time."))
        order, self._reserved = self._reserved, []
        table = [seat for seat in order if seat in self.seated]
        self.seated.clear()
        return table

    async def _gather(self, seats: int, on_change: Callable[[list[str]], None]) -> None:
        """Wait until the table is full, and watch those who have a seat."""
        async with trio.open_nursery() as nursery:
            for seat in self.seated:
                nursery.start_soon(self._hold_seat, seat)
            while len(self.seated) < seats:
                on_change([seat.name for seat in self.seated])
                self._changed = trio.Event()
                while self._waiting and len(self._reserved) < seats:
                    seat = self._waiting.pop(0)
                    self._reserved.append(seat)
                    nursery.start_soon(self._admit, seat)
                await self._changed.wait()
            nursery.cancel_scope.cancel()

    def dismiss_waiting(self, reason: str) -> None:
        """Tell all who still wait that there is no seat for them."""
        for seat in self._waiting:
            self.dismiss(seat, Fault(Reason.NO_SEAT, reason))
        self._waiting.clear()

    def close(self) -> None:
        """Tell everybody, signed up or not, that the server was stopped."""
        for seat in (*self._reserved, *self._waiting):
            self.dismiss(seat, Fault(Reason.INTERRUPTED, "No match had begun."))
        self._reserved.clear()
        self._waiting.clear()

    def dismiss(self, seat: RemoteSeat, fault: Fault) -> None:
        """Tell a connection why it has no seat, and close it."""
        self._on_dismissal(seat, fault)
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, str(fault))
        self.closing.start_soon(seat.finish, self._writer.write(last))

    async def _admit(self, seat: RemoteSeat) -> None:
        fault = await self._sign_up(seat)
        if fault is None:
            self.seated.append(seat)
            self._changed.set()
            await self._hold_seat(seat)
        else:
            self._lose_seat(seat, fault)

    async def _hold_seat(self, seat: RemoteSeat) -> None:
        """Wait until a seated player disconnects or sends something, and take the seat away."""
        fault = await self._wait_for_fault(seat)
        self.seated.remove(seat)
        self._lose_seat(seat, fault)

    def _lose_seat(self, seat: RemoteSeat, fault: Fault) -> None:
        self._reserved.remove(seat)
        self.dismiss(seat, fault)
        self._changed.set()

    async def _sign_up(self, seat: RemoteSeat) -> Fault | None:
        with trio.move_on_after(self._reply_timeout):
            match await self._receive(seat, asked=True):
                case messages.SignUp(wanted):
                    seat.name = free_name(wanted, [other.name for other in self.seated])
                    given = messages.SignUp(seat.name, self._rulebook)
                    seat.send("signup", self._writer.write(given))
                    return seat.fault
                case Fault() as fault:
                    return fault
        return timed_out(self._reply_timeout, "<signup>", seat.partial)

    async def _wait_for_fault(self, seat: RemoteSeat) -> Fault:
        while True:
            answer = await self._receive(seat, asked=False)
            if isinstance(answer, Fault):
                return answer

    async def _receive(self, seat: RemoteSeat, *, asked: bool) -> object:
        while True:
            await trio.lowlevel.wait_readable(seat.socket)
            if (answer := seat.receive(asked=asked)) is not None:
                return answer
