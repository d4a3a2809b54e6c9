"""From a connection to a seat: sign-up, names, and waiting until the table is full.

A connection has no claim to a seat before it has signed up. Whoever signs up waits until a table
has room; at the table, seats are given in the order of connecting. A connection that fails to sign
up is sent the reason and closed. When too many have not signed up, room is made at the expense of
the address that has the most of them, so a crowd of silent connections keeps no player out.
"""

from collections import Counter, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import TypeAlias

import trio

from ....protocol import messages
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.player_names import free_name
from ....protocol.writing import Writer
from ..diagnosis.diagnose import sign_up_fault_with_hint
from .seat import RemoteSeat, timed_out
from .server_settings import People

MAX_SILENT = 256
"""Connections that may be about to sign up; each holds a file descriptor of this process."""
MAX_WAITING = 256
"""Players that may have signed up and wait for a seat."""
CROWDED_OUT = Fault(
    Reason.NO_SEAT,
    "Dropped: too many connections had not signed up.",
    circumstance=Circumstance.CROWDED_OUT,
)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 8.0
"""Seconds from a wrong secret to its refusal: the first of an address, twice as many each time."""
FORGET = 60.0
"""Seconds after which a wrong secret no longer counts."""
PENDING_OF_ADDRESS, PENDING = 8, 64
"""Refusals that an address, and all together, wait for at most; others are not looked at yet."""


_Read: TypeAlias = Callable[[RemoteSeat], Awaitable[Fault]]


@dataclass(slots=True)
class _Watch:
    """A task that reads a connection: it can be stopped, and tells when it has stopped."""

    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    done: trio.Event = field(default_factory=trio.Event)


class Guesses:
    """How often secrets may be guessed: an address has a few refusals pending, each after a pause.

    A right secret is delayed only while others guess at its address: then it waits until it is
    looked at, as they do. A refusal is pending for its whole pause, even if nobody waits for it any
    more. Times are in seconds.
    """

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}
        """When each address was wrong, the oldest first; the last address comes last."""
        self._pending: dict[str, list[float]] = {}
        """When its pending refusals are due."""

    def wait(self, host: str, now: float) -> float:
        """Return how long to wait before a secret from this address may be looked at."""
        for other in tuple(self._pending):
            due = self._pending[other] = [time for time in self._pending[other] if time > now]
            if not due:
                del self._pending[other]
        own = self._pending.get(host, [])
        everybody = [time for due in self._pending.values() for time in due]
        if len(own) >= PENDING_OF_ADDRESS:
            return min(own) - now
        return min(everybody) - now if len(everybody) >= PENDING else 0.0

    def wrong(self, host: str, now: float) -> float:
        """Count a wrong secret; return after how long to refuse it."""
        while self._wrong and (oldest := next(iter(self._wrong))) != host:
            if self._wrong[oldest][-1] > now - FORGET:
                break
            del self._wrong[oldest]
        times = self._wrong[host] = self._wrong.pop(host, deque(maxlen=MAX_SILENT))
        while times and times[0] <= now - FORGET:
            times.popleft()
        pause = float(min(FIRST_PAUSE * 2 ** len(times), LONGEST_PAUSE))
        times.append(now)
        self._pending.setdefault(host, []).append(now + pause)
        return pause


class SignUpQueue:
    """The connections that may sign up, and the players that have: waiting, or at a table."""

    def __init__(
        self,
        writer: Writer,
        rulebook: str | None,
        reply_timeout: float,
        closing: trio.Nursery,
        on_dismissal: Callable[[RemoteSeat, Fault], object],
        secret: str | None = None,
        people: People | None = None,
    ) -> None:
        """``rulebook`` is the id that the answer to a sign-up names, if it names one.

        Connections are read, and closed, by tasks in the nursery ``closing``. ``on_dismissal`` is
        called with each connection that gets no seat, and why. With a ``secret`` players sign up
        as ``NAME:SECRET``. The name of ``people`` ends with their word, too.
        """
        self._writer = writer
        self._rulebook = rulebook
        self._reply_timeout = reply_timeout
        self.closing = closing
        self._on_dismissal = on_dismissal
        self._secret = secret
        self._people = people
        self._guesses = Guesses()
        self._changed = trio.Event()
        self._watches: dict[RemoteSeat, _Watch] = {}
        """All connections without a table, in the order of connecting."""
        self._silent: dict[RemoteSeat, None] = {}
        """Those that have not signed up, the oldest first."""
        self._crowds: Counter[str] = Counter()
        """How many of them each address has."""
        self._waiting: list[RemoteSeat] = []
        self.seated: list[RemoteSeat] = []
        """Players who have a seat at the table that is being filled."""

    def add(self, seat: RemoteSeat) -> None:
        """Add a new connection, which has to sign up."""
        if len(self._silent) >= MAX_SILENT:
            self._make_room()
        self._silent[seat] = None
        self._crowds[_host(seat)] += 1
        self._start(self._admit, seat)

    async def fill(
        self, seats: int, deadline: float, on_change: Callable[[list[str]], object]
    ) -> list[RemoteSeat]:
        """Return those who sign up, in the order of connecting: fewer than ``seats`` if late.

        ``on_change`` is called with the names so far whenever they change. Until the table is full
        a player who disconnects, or sends anything, loses the seat.
        """
        self.seated.clear()
        with trio.CancelScope(deadline=deadline):
            while True:
                self._changed = trio.Event()
                self._seat_waiting(seats)
                on_change([seat.name for seat in self.seated])
                if len(self.seated) < seats:
                    await self._changed.wait()
                    continue
                await self._stop_reading()
                if len(self.seated) == seats:
                    break
                for seat in self.seated:  # one has left at the moment the table was full
                    self._start(self._hold_seat, seat)
        with trio.CancelScope(shield=True):
            await self._stop_reading()
        table = [seat for seat in self._watches if seat in self.seated]
        for seat in table:
            del self._watches[seat]
        self.seated.clear()
        return table

    def dismiss_waiting(self, reason: str) -> None:
        """Tell all connections without a table that there is no seat for them."""
        for seat in tuple(self._watches):
            self._lose(seat, Fault(Reason.NO_SEAT, reason))

    def close(self) -> None:
        """Tell everybody without a table, signed up or not, that the referee was stopped."""
        for seat in tuple(self._watches):
            self._lose(seat, Fault(Reason.INTERRUPTED, "No match had begun."))

    def dismiss(self, seat: RemoteSeat, fault: Fault) -> None:
        """Tell a connection why it has no seat, and close it."""
        self.closing.start_soon(seat.finish, self._last_message(seat, fault))

    def _last_message(self, seat: RemoteSeat, fault: Fault) -> bytes:
        self._on_dismissal(seat, fault)
        seat.conversation.send("ejected")
        explained = sign_up_fault_with_hint(fault)
        return self._writer.write(messages.Ejected(fault.reason.value, explained))

    # -- seats ----------------------------------------------------------------------------------

    def _seat_waiting(self, seats: int) -> None:
        """Give free seats to players that wait, and answer their sign-ups."""
        while self._waiting and len(self.seated) < seats:
            seat = self._waiting.pop(0)
            seat.name = free_name(seat.name, [other.name for other in self.seated])
            given = messages.SignUp(seat.name, self._rulebook)
            seat.send("signup", self._writer.write(given))  # reading will show if this failed
            self.seated.append(seat)

    def _lose(self, seat: RemoteSeat, fault: Fault) -> None:
        self._forget(seat)
        self.dismiss(seat, fault)

    def _forget(self, seat: RemoteSeat) -> None:
        """Stop reading a connection, and free its seat."""
        self._watches.pop(seat).scope.cancel()
        self._not_silent(seat)
        for seats in (self._waiting, self.seated):
            if seat in seats:
                seats.remove(seat)
        self._changed.set()

    def _not_silent(self, seat: RemoteSeat) -> None:
        if seat in self._silent:
            del self._silent[seat]
            self._crowds -= Counter([_host(seat)])  # which also forgets addresses with none left

    def _make_room(self) -> None:
        """Drop the oldest silent connection of the address that has the most of them.

        It is closed at once, because a crowd that is read to its end would need descriptors, too.
        """
        ((crowd, _),) = self._crowds.most_common(1)
        seat = next(seat for seat in self._silent if _host(seat) == crowd)
        self._forget(seat)
        last = self._last_message(seat, CROWDED_OUT)
        with suppress(OSError):
            seat.socket.send(last)
        seat.close()

    # -- reading --------------------------------------------------------------------------------

    def _start(self, read: _Read, seat: RemoteSeat) -> None:
        watch = self._watches[seat] = _Watch()

        async def run() -> None:
            with watch.scope:
                fault = await read(seat)
                if self._watches.get(seat) is watch:  # or it was dismissed at this moment
                    self._lose(seat, fault)
            watch.done.set()

        self.closing.start_soon(run)

    async def _stop_reading(self) -> None:
        """Stop reading the players of the table; those found to have left lose their seats."""
        watches = [self._watches[seat] for seat in self.seated]
        for watch in watches:
            watch.scope.cancel()
        for watch in watches:
            await watch.done.wait()

    async def _admit(self, seat: RemoteSeat) -> Fault:
        """Let a connection sign up, and watch it; return why it is to be dismissed."""
        fault = await self._sign_up(seat) or await self._verify_secret(seat)
        if fault is not None:
            return fault
        self._not_silent(seat)
        if len(self._waiting) >= MAX_WAITING:
            return Fault(Reason.NO_SEAT, f"{MAX_WAITING} others are already waiting.")
        self._waiting.append(seat)
        self._changed.set()
        return await self._hold_seat(seat)

    async def _hold_seat(self, seat: RemoteSeat) -> Fault:
        """Wait until a player that has signed up disconnects or sends something."""
        while True:
            answer = await self._receive(seat, asked=False)
            if isinstance(answer, Fault):
                return answer

    async def _sign_up(self, seat: RemoteSeat) -> Fault | None:
        """Receive a sign-up; return what is wrong with it."""
        with trio.move_on_after(self._reply_timeout):
            match await self._receive(seat, asked=True):
                case messages.SignUp(wanted):
                    self._take_name(seat, wanted)
                    return None
                case Fault() as fault:
                    return fault
        return timed_out(self._reply_timeout, "<signup>", seat.partial)

    def _take_name(self, seat: RemoteSeat, wanted: str) -> None:
        seat.name = wanted
        if self._people is not None:
            name = _without(self._people.word, wanted)
            if name is not None:
                seat.name, seat.clock = name, self._people.seconds

    async def _verify_secret(self, seat: RemoteSeat) -> Fault | None:
        """Take the secret off a name; if it is wrong, return that after a pause."""
        if self._secret is None:
            return None
        given, host = seat.name, _host(seat)
        seat.name = given.rpartition(":")[0]  # nobody is shown a secret while it is looked at
        while wait := self._guesses.wait(host, trio.current_time()):
            await trio.sleep(wait)
        if (name := _without(self._secret, given)) is not None:
            seat.name = name
            return None
        await trio.sleep(self._guesses.wrong(host, trio.current_time()))
        return Fault(Reason.NO_SEAT, "Sign up as NAME:SECRET, with the secret of this server.")

    async def _receive(self, seat: RemoteSeat, *, asked: bool) -> object:
        while True:
            await trio.lowlevel.checkpoint_if_cancelled()  # another task may read it by now
            await trio.lowlevel.wait_readable(seat.socket)
            if (answer := seat.receive(asked=asked)) is not None:
                return answer


def _without(secret: str, name: str) -> str | None:
    """Return a name without the secret at its end; ``None`` if it does not end with that."""
    plain, _, found = name.rpartition(":")
    fits = compare_digest(found.encode(), secret.encode())
    return plain if fits and plain.strip() else None


def _host(seat: RemoteSeat) -> str:
    return seat.address.rpartition(":")[0]
