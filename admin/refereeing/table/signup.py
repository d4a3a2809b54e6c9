"""From a connection to a seat: sign-up, names, and waiting until the table is full.

A connection has no claim to a seat before it has signed up. Whoever signs up waits until a table
has room; at the table, seats are given in the order of connecting. A connection that fails to sign
up is sent the reason and closed. The secret of a server can be guessed only slowly, which hardly
delays anybody else.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import TypeAlias
from weakref import WeakValueDictionary

import trio

from ....protocol.faults import Fault, Reason
from ....protocol.player_names import free_name
from .reception import CROWDED_OUT, LimitedCrowd, Reception, hold, host_of
from .run import write_crash_report
from .seat import RemoteSeat

MAX_WAITING = 256  # players that may have signed up and wait for a seat

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 8.0
"""Seconds from a wrong secret to its refusal: the first of an address, twice as many each time."""
FORGET = 60.0  # seconds after which a wrong secret no longer counts
PENDING_OF_ADDRESS, PENDING = 8, 64
"""Refusals that an address, and all together, wait for at most; others are not looked at yet."""
MAX_REMEMBERED = 256  # wrong secrets kept per address: more than the longest pause takes

_Read: TypeAlias = Callable[[RemoteSeat], Awaitable[Fault]]


@dataclass(frozen=True, slots=True)
class People:
    """How people who join by a page are recognized at sign-up, and the clock that they have."""

    word: str  # the page adds it to a name, after a colon
    seconds: float  # for a turn, and for any other answer


@dataclass(slots=True)
class _Watch:
    """A task that reads a connection: it can be stopped, and tells when it has stopped."""

    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    done: trio.Event = field(default_factory=trio.Event)


class SignUpQueue:
    """The connections that may sign up, and the players that have: waiting, or at a table."""

    def __init__(
        self,
        reception: Reception,
        closing: trio.Nursery,
        on_dismissal: Callable[[RemoteSeat, Fault], object],
        secret: str | None = None,
        people: People | None = None,
    ) -> None:
        """Connections are read, and closed, by tasks in the nursery ``closing``.

        ``on_dismissal`` is called with each connection that gets no seat, and why. With a
        ``secret`` players sign up as ``NAME:SECRET``. The name of ``people`` ends with their word,
        too.
        """
        self._reception = reception
        self.closing = closing
        self._on_dismissal = on_dismissal
        self._secret = secret
        self._people = people
        self._guesses = Guesses()
        self._changed = trio.Event()
        self._watches: dict[RemoteSeat, _Watch] = {}  # without a table, in order of connecting
        self._silent = LimitedCrowd()
        self._waiting: list[RemoteSeat] = []
        self.seated: list[RemoteSeat] = []  # players with a seat at the table being filled

    def add(self, seat: RemoteSeat) -> None:
        """Add a new connection, which has to sign up."""
        self._silent.enter(seat, seat.address, lambda: self._make_room(seat))
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
                while self._waiting and len(self.seated) < seats:
                    seat = self._waiting.pop(0)
                    taken = [other.name for other in self.seated]
                    self._reception.welcome(seat, free_name(seat.name, taken))
                    self.seated.append(seat)
                on_change([seat.name for seat in self.seated])
                if len(self.seated) < seats:
                    await self._changed.wait()
                    continue
                await self._stop_reading()
                if len(self.seated) == seats:
                    break
                for seat in self.seated:  # one has left at the moment the table was full
                    self._start(hold, seat)
        with trio.CancelScope(shield=True):
            await self._stop_reading()
        table = [seat for seat in self._watches if seat in self.seated]
        for seat in table:
            del self._watches[seat]
        self.seated.clear()
        return table

    def dismiss_all(self, fault: Fault) -> None:
        """Tell everybody without a table, signed up or not, why there is no seat for them."""
        for seat in tuple(self._watches):
            self._lose(seat, fault)

    def dismiss(self, seat: RemoteSeat, fault: Fault) -> None:
        """Tell a connection why it has no seat, and close it; no secret that it gave is shown."""
        word = None if self._people is None else self._people.word
        fault = fault.without([self._secret, word])
        self._on_dismissal(seat, fault)
        self._reception.refuse(seat, fault, self.closing)

    # -- seats ----------------------------------------------------------------------------------

    def _lose(self, seat: RemoteSeat, fault: Fault) -> None:
        self._forget(seat)
        self.dismiss(seat, fault)

    def _forget(self, seat: RemoteSeat) -> None:
        self._watches.pop(seat).scope.cancel()
        self._silent.leave(seat)
        for seats in (self._waiting, self.seated):
            if seat in seats:
                seats.remove(seat)
        self._changed.set()

    def _make_room(self, seat: RemoteSeat) -> None:
        self._forget(seat)
        self._on_dismissal(seat, CROWDED_OUT)
        self._reception.drop(seat)

    # -- reading --------------------------------------------------------------------------------

    def _start(self, read: _Read, seat: RemoteSeat) -> None:
        watch = self._watches[seat] = _Watch()

        async def run() -> None:
            with watch.scope:
                await trio.lowlevel.checkpoint_if_cancelled()  # a crowd may have closed it already
                try:
                    fault = await read(seat)
                except Exception as error:  # a bug of ours costs one connection, not all games
                    fault = Fault(Reason.NO_SEAT, write_crash_report(error))
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
        wanted = await self._reception.sign_up(seat)
        if isinstance(wanted, Fault):
            return wanted
        seat.name, people = wanted, self._people
        if people is not None and (name := _without(people.word, wanted)) is not None:
            seat.name, seat.clock = name, people.seconds
        if (fault := await self._verify_secret(seat)) is not None:
            return fault
        self._silent.leave(seat)
        if len(self._waiting) >= MAX_WAITING:
            return Fault(Reason.NO_SEAT, f"{MAX_WAITING} others are already waiting.")
        self._waiting.append(seat)
        self._changed.set()
        return await hold(seat)

    async def _verify_secret(self, seat: RemoteSeat) -> Fault | None:
        """Take the secret off a name; if it is wrong, return that after a pause."""
        if self._secret is None:
            return None
        given = seat.name
        shown = given.rpartition(":")[0]  # nobody is shown a secret while it is looked at
        seat.name = "" if self._secret in shown.split(":") else shown
        name = _without(self._secret, given)
        right = name is not None and name == seat.name  # or the secret is in it a second time
        await self._guesses.hold_back(host_of(seat.address), right)
        if right:
            return None
        return Fault(Reason.NO_SEAT, "Sign up as NAME:SECRET, with the secret of this server.")


def _without(secret: str, name: str) -> str | None:
    """Return a name without the secret at its end; ``None`` if it does not end with that."""
    plain, _, found = name.rpartition(":")
    fits = compare_digest(found.encode(), secret.encode())
    return plain if fits and plain.strip() else None


class Guesses:
    """How often secrets may be guessed: an address has a few refusals pending, each after a pause.

    A right secret is delayed only while others guess at its address: then it waits until it is
    looked at, as they do. A refusal is pending for its whole pause, even if nobody waits for it any
    more. Times are in seconds.

    Where each player has a secret of its own, ``player`` is whose it is. While others guess at an
    address, which may be a whole class's, a player waits only if a refusal of its own is pending.
    """

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}
        """When each address was wrong, the oldest first; the last address comes last."""
        self._pending: dict[str, list[tuple[float, str]]] = {}
        """When refusals of each address are due, and whose secret was meant."""
        self._turns = WeakValueDictionary[tuple[str, str], trio.Lock]()

    async def hold_back(self, host: str, right: bool, player: str = "") -> None:
        """Wait until a secret may be looked at, first come first served; if wrong, longer."""
        async with self._turns.setdefault((host, player), trio.Lock()):
            while wait := self.wait(host, trio.current_time(), player):
                await trio.sleep(wait)
            pause = 0.0 if right else self.wrong(host, trio.current_time(), player)
        await trio.sleep(pause)

    def wait(self, host: str, now: float, player: str = "") -> float:
        """Return how long to wait before a secret from this address may be looked at."""
        for other in tuple(self._pending):
            due = self._pending[other] = [each for each in self._pending[other] if each[0] > now]
            if not due:
                del self._pending[other]
        own = self._pending.get(host, [])
        everybody = [each for due in self._pending.values() for each in due]
        if len(own) >= PENDING_OF_ADDRESS and any(whose == player for _, whose in own):
            return min(own)[0] - now
        return min(everybody)[0] - now if len(everybody) >= PENDING else 0.0

    def wrong(self, host: str, now: float, player: str = "") -> float:
        """Count a wrong secret; return after how long to refuse it."""
        while self._wrong and (oldest := next(iter(self._wrong))) != host:
            if self._wrong[oldest][-1] > now - FORGET:
                break
            del self._wrong[oldest]
        times = self._wrong[host] = self._wrong.pop(host, deque(maxlen=MAX_REMEMBERED))
        while times and times[0] <= now - FORGET:
            times.popleft()
        pause = float(min(FIRST_PAUSE * 2 ** len(times), LONGEST_PAUSE))
        times.append(now)
        self._pending.setdefault(host, []).append((now + pause, player))
        return pause
