"""From a connection to a seat: sign-up, names, and waiting for the table to be full.

Seats are given in the order of connecting. A connection that fails to sign up is told why and
closed, and its seat stays open for the next one.
"""

from collections.abc import Callable, Iterable
from itertools import count

import trio

from admin.table.seat import RemoteSeat
from protocol import messages
from protocol.faults import Fault, Reason
from protocol.writing import Writer

LONGEST_NAME = 64
MOST_WAITING = 256
"""Connections that may wait for a seat; each holds a descriptor of this process."""


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """Return the name as wanted, or with the first free suffix when it is taken."""
    used = set(taken)
    if wanted not in used:
        return wanted
    for number in count(2):
        suffix = f"-{number}"
        name = wanted[: LONGEST_NAME - len(suffix)] + suffix
        if name not in used:
            return name
    raise AssertionError("count() has no end")


class Admission:
    """The connections that are to fill one table, and those waiting for the next.

    ``arrive`` takes connections as they come; ``fill`` signs up as many as the table has seats.
    """

    def __init__(
        self,
        writer: Writer,
        rulebook: str | None,
        reply_timeout: float,
        nursery: trio.Nursery,
        tell: Callable[[RemoteSeat, Fault], None],
    ) -> None:
        """``rulebook`` is the id that is told to those who sign up, if any is.

        ``tell`` is called with every connection that is turned away, and why.
        """
        self._writer = writer
        self._rulebook = rulebook
        self._tell = tell
        self._reply_timeout = reply_timeout
        self.farewells = nursery
        """Where connections are closed, which nobody waits for."""
        self._arrived: list[RemoteSeat] = []
        self._changed = trio.Event()
        self._reserved: list[RemoteSeat] = []
        self.seated: list[RemoteSeat] = []
        """Who has signed up for the table that is being filled."""

    def arrive(self, seat: RemoteSeat) -> None:
        """Take a new connection; it waits, unread, until a seat is free."""
        if len(self._arrived) >= MOST_WAITING:
            self.dismiss(seat, Fault(Reason.NO_SEAT, f"{MOST_WAITING} others are waiting already."))
            return
        self._arrived.append(seat)
        self._wake()

    def _wake(self) -> None:
        self._changed.set()

    async def fill(
        self, seats: int, deadline: float, tell: Callable[[list[str]], None]
    ) -> list[RemoteSeat]:
        """Return those who signed up, in the order of connecting: fewer than ``seats`` if late.

        ``tell`` is called with the names so far whenever they change.
        Until the table is full its players are watched: one who leaves, or speaks, loses the seat.
        """
        self.seated.clear()
        with trio.CancelScope(deadline=deadline):
            while len(self.seated) < seats:  # one may leave in the very moment in which it is full
                await self._gather(seats, tell)
        for seat in self._reserved:
            if seat not in self.seated:
                self.dismiss(seat, Fault(Reason.TIMED_OUT, "No <signup> came in time."))
        order, self._reserved = self._reserved, []
        table = [seat for seat in order if seat in self.seated]
        self.seated.clear()
        return table

    async def _gather(self, seats: int, tell: Callable[[list[str]], None]) -> None:
        """Wait until the table is full, and watch those who have a seat."""
        async with trio.open_nursery() as nursery:
            for seat in self.seated:
                nursery.start_soon(self._keep, seat)
            while len(self.seated) < seats:
                tell([seat.name for seat in self.seated])
                self._changed = trio.Event()
                while self._arrived and len(self._reserved) < seats:
                    seat = self._arrived.pop(0)
                    self._reserved.append(seat)
                    nursery.start_soon(self._admit, seat)
                await self._changed.wait()
            nursery.cancel_scope.cancel()

    def turn_away(self, reason: str) -> None:
        """Tell all who are still waiting that there is no seat for them."""
        for seat in self._arrived:
            self.dismiss(seat, Fault(Reason.NO_SEAT, reason))
        self._arrived.clear()

    def close(self) -> None:
        """Tell all who wait, signed up or not, that the administrator has been stopped."""
        for seat in (*self._reserved, *self._arrived):
            self.dismiss(seat, Fault(Reason.INTERRUPTED, "No match had begun."))
        self._reserved.clear()
        self._arrived.clear()

    def dismiss(self, seat: RemoteSeat, fault: Fault) -> None:
        """Tell a connection why it has no seat, and close it."""
        self._tell(seat, fault)
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, str(fault))
        self.farewells.start_soon(seat.finish, self._writer.write(last))

    async def _admit(self, seat: RemoteSeat) -> None:
        fault = await self._sign_up(seat)
        if fault is None:
            self.seated.append(seat)
            self._wake()
            await self._keep(seat)
        else:
            self._lose(seat, fault)

    async def _keep(self, seat: RemoteSeat) -> None:
        """Watch a player who has a seat until that is lost."""
        fault = await self._watch(seat)
        self.seated.remove(seat)
        self._lose(seat, fault)

    def _lose(self, seat: RemoteSeat, fault: Fault) -> None:
        self._reserved.remove(seat)
        self.dismiss(seat, fault)
        self._wake()

    async def _sign_up(self, seat: RemoteSeat) -> Fault | None:
        with trio.move_on_after(self._reply_timeout):
            match await self._receive(seat, asked=True):
                case messages.SignUp(wanted):
                    seat.name = free_name(wanted, [other.name for other in self.seated])
                    given = messages.SignUp(seat.name, self._rulebook)
                    seat.say("signup", self._writer.write(given))
                    return seat.fault
                case Fault() as fault:
                    return fault
        return Fault(
            Reason.TIMED_OUT, f"{self._reply_timeout:g} s were allowed for <signup>.", seat.pending
        )

    async def _watch(self, seat: RemoteSeat) -> Fault:
        """Wait until a player who has nothing to say until the match begins does, or leaves."""
        while True:
            answer = await self._receive(seat, asked=False)
            if isinstance(answer, Fault):
                return answer

    async def _receive(self, seat: RemoteSeat, *, asked: bool) -> object:
        while True:
            await trio.lowlevel.wait_readable(seat.socket)
            if (answer := seat.take(asked=asked)) is not None:
                return answer
