"""Where players connect, prove who they are, and wait for their games.

Remote players come to the waiting room. The name at sign-up is ``NAME:SECRET``, with the secret of
the tournament file: the protocol has no other field for it, and every client can be given a name.
It can be guessed only slowly, see ``signup``. The answer is the plain name, which is the player's
name at the table. After every game the player comes back. A newer connection takes the place of an
older one that still waits: when a network fails, nothing tells that the older one is dead. TLS is
taken off a connection here, so that the rest of the program sees plain sockets.

A launched player has a listening socket of its own for one game: whoever connects there is that
player. In bubblewrap the socket is in the player's own network, so nobody else can reach it.
Otherwise the other end of a connection has to belong to the player's processes, or to its user.
"""

import hmac
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import trio

from ....protocol.faults import Fault, Reason
from ....protocol.user_error import UserError
from ...launching.launch import Launcher
from ...launching.player_process import PlayerProcess, peer_of
from ...launching.sandbox import Sandbox
from ...refereeing.table.lag import LONGEST
from ...refereeing.table.listeners import (
    accept,
    close,
    drop_dead_connections,
    format_address,
    is_gone,
    listen,
    without_tls,
)
from ...refereeing.table.reception import CROWDED_OUT, LimitedCrowd, Reception, hold, host_of
from ...refereeing.table.seat import RemoteSeat
from ...refereeing.table.signup import Guesses
from ..run.run_events import LobbyChanged, Notice, RunObserver

TOURNAMENT_OVER = Fault(Reason.NO_SEAT, "The tournament is over.")
REPLACED = Fault(Reason.NO_SEAT, "A newer connection with this name and secret has its place.")
NO_SECRET = Fault(Reason.NO_SEAT, "Sign up as NAME:SECRET: the player's name, a colon, its secret.")
WRONG_SECRET = Fault(Reason.NO_SEAT, "No player is expected with this name and secret.")
SIGNED_UP = Fault(Reason.NO_SEAT, "This player has already signed up for this game.")
MAX_MISSED = 3  # games in a row that a remote player may miss; then none waits until it returns
MAX_PENDING = 8  # connections to one launched player's socket that may be about to sign up
MAX_ARRIVALS = 64  # connections from a launched player in a game; then its socket is closed
MAX_INTRUSIONS = 16  # connections of a program to the sockets of others, before it is stopped
DEAD_AFTER = 120.0  # seconds without a sign of the other system until a connection is dead
REPLACED_PAUSE = 1.0
"""Seconds until a connection is told that a newer one has its place.

Two programs that always come back would otherwise take it from each other as fast as they can.
"""


@dataclass(eq=False)
class _Waiting:
    """A connection that has signed up; ``watch`` is cancelled when it need not be watched."""

    seat: RemoteSeat
    watch: trio.CancelScope
    replaced: bool = False  # whether a newer connection has its place


@dataclass(eq=False)
class Reservation:
    """A place for one player, occupied by a connection that has signed up.

    The place of a remote player needs a proof, and can be occupied again, also while a connection
    waits; a program's is used once.
    """

    name: str
    proof: str = ""
    patience: float = 0.0  # seconds that a game waits for a remote player
    on_change: Callable[[], None] = lambda: None  # called when a player has come or left

    def __post_init__(self) -> None:
        self._missed = 0
        self.unused = True  # whether no connection has signed up yet
        self._waiting: _Waiting | None = None
        self._occupied = trio.Event()

    @property
    def occupied(self) -> bool:
        """Whether a connection has signed up and waits."""
        return self._waiting is not None

    @property
    def timeout(self) -> float:
        """For how many seconds a game waits for the player."""
        return 0.0 if self._missed >= MAX_MISSED else self.patience

    async def wait(self) -> None:
        """Wait until a connection has signed up."""
        while self._waiting is None:
            await self._occupied.wait()

    def vacate(self, seat: RemoteSeat) -> None:
        """Make the place empty, unless it is another connection's."""
        if self._waiting is not None and self._waiting.seat is seat:
            self._waiting = None
            self._occupied = trio.Event()
            self.on_change()

    def take(self) -> RemoteSeat | None:
        """Hand over the connection that waits as a game begins; without one, it was missed."""
        waiting = self._waiting
        if waiting is None:
            self._missed += 1
            return None
        self._missed = 0
        self.vacate(waiting.seat)
        waiting.watch.cancel()
        return waiting.seat

    async def occupy(
        self, seat: RemoteSeat, reception: Reception, farewells: trio.Nursery
    ) -> Fault | None:
        """Let a player wait, who must stay and send nothing, until its game begins.

        Returns ``None`` when it does, or why the player has lost its place. If another connection
        waits, it loses it to this one; the place is never empty meanwhile.
        """
        older, mine = self._waiting, _Waiting(seat, trio.CancelScope())
        self.unused, self._waiting = False, mine
        if older is not None:
            older.replaced = True
            older.watch.cancel()
        else:
            self._occupied.set()
            self.on_change()
        try:
            with mine.watch:
                return await hold(seat)
        except trio.Cancelled:
            if mine.replaced or not mine.watch.cancel_called:  # no game has taken the seat
                self.vacate(seat)
                reception.refuse(seat, TOURNAMENT_OVER, farewells)
            raise
        return REPLACED if mine.replaced else None


class WaitingRoom:
    """Listens, signs players up, and watches them until their game begins."""

    def __init__(
        self,
        reception: Reception,
        secrets: Mapping[str, str],
        patience: float,
        observer: RunObserver,
    ) -> None:
        """``secrets`` are the remote players'; a game waits ``patience`` seconds for a player."""
        self._reception = reception
        self._observer = observer

        def report() -> None:
            observer(LobbyChanged([name for name, place in self.places.items() if place.occupied]))

        self._secrets = tuple(secrets.values())
        self.places = {
            name: Reservation(name, secret, patience, report) for name, secret in secrets.items()
        }
        """The places of the remote players."""
        self._guesses = Guesses()
        self._silent = LimitedCrowd()
        self._listeners: list[socket.socket] = []
        self._farewells: trio.Nursery
        self._tls: ssl.SSLContext | None = None

    def listen(self, host: str, port: int) -> list[str]:
        """Listen, and return the addresses; ``CannotListen`` if that is impossible."""
        self._listeners = listen(host, port, "Give another host or port under [lobby].")
        drop_dead_connections(self._listeners, DEAD_AFTER)
        return [format_address(listener.getsockname()) for listener in self._listeners]

    def dismiss_all(self, farewells: trio.Nursery) -> None:
        """Tell all players that still wait that the tournament is over."""
        for place in self.places.values():
            if (seat := place.take()) is not None:
                self._reception.refuse(seat, TOURNAMENT_OVER, farewells)

    async def run(self, farewells: trio.Nursery, tls: ssl.SSLContext | None) -> None:
        """Accept connections, and watch those that wait, until cancelled.

        Last messages, and what TLS has still to pass on, are sent by tasks in ``farewells``.
        """

        def arrive(connection: socket.socket, peer: str) -> None:
            waiting.start_soon(self._admit, connection, peer)

        self._farewells, self._tls = farewells, tls
        try:
            async with trio.open_nursery() as waiting:
                for listener in tuple(self._listeners):
                    waiting.start_soon(accept, listener, arrive)
        finally:
            for listener in self._listeners if tls is None else ():
                with suppress(OSError):  # connections that were not accepted yet
                    while True:
                        connection, address = listener.accept()
                        connection.setblocking(False)
                        seat = self._reception.seat(connection, format_address(address))
                        self._reception.refuse(seat, TOURNAMENT_OVER, farewells)
            close(self._listeners)

    async def _admit(self, connection: socket.socket, peer: str) -> None:
        """Sign a connection up, and watch it while it waits for a game."""
        reception, farewells, tls = self._reception, self._farewells, self._tls
        found: Reservation | Fault | None = None
        seat = None
        try:
            with self._in_crowd(peer):
                if tls is not None:
                    connection = await without_tls(connection, tls, reception.timeout, farewells)
                seat = reception.seat(connection, peer)
                found = await self._sign_up(seat)
        except UserError as error:
            self._turn_away(peer, "", str(error))
            return
        except trio.Cancelled:
            if seat is not None:
                reception.refuse(seat, TOURNAMENT_OVER, farewells)
            raise
        if seat is None or found is None:
            self._turn_away(peer, "", CROWDED_OUT.detail)
            if seat is not None:
                reception.drop(seat)
        elif (fault := await self._wait_for_game(seat, found)) is not None:
            told = fault.without(self._secrets)
            secret = "wrong secret" if fault in (NO_SECRET, WRONG_SECRET) else ""
            self._turn_away(seat.address, seat.name, str(told), secret)
            try:
                if fault is REPLACED:
                    with self._in_crowd(peer):
                        await trio.sleep(REPLACED_PAUSE)
            finally:
                reception.refuse(seat, told, farewells)

    @contextmanager
    def _in_crowd(self, peer: str) -> Iterator[None]:
        """Add a connection to the crowd meanwhile; go on behind this if there are too many."""
        scope = trio.CancelScope()
        self._silent.enter(scope, peer, scope.cancel)
        try:
            with scope:
                yield
        finally:
            self._silent.leave(scope)

    def _turn_away(self, address: str, name: str, why: str, crowd: str = "") -> None:
        """Report a connection that gets no place, with the name that it gave, if any."""
        who = f"{name} ({address})" if name else address
        crowd = crowd or ("signed up" if name else "did not sign up")
        fields = {"address": address, "name": name or None, "why": why}
        self._observer(Notice("turned-away", f"{who}. {why}", fields, "Turned away: ", crowd))

    async def _sign_up(self, seat: RemoteSeat) -> Reservation | Fault:
        """Return the place whose secret a connection gives, or why it gets none."""
        wanted = await self._reception.sign_up(seat)
        if isinstance(wanted, Fault):
            return wanted
        plain, _, proof = wanted.rpartition(":")
        seat.name = self._shown(wanted)
        place = self.places.get(plain)
        right = place is not None and hmac.compare_digest(place.proof.encode(), proof.encode())
        whose = "" if place is None else plain
        await self._guesses.hold_back(host_of(seat.address), right, whose)
        if place is None or not right:  # which takes equally long for every wrong proof
            return WRONG_SECRET if plain else NO_SECRET
        return place

    async def _wait_for_game(self, seat: RemoteSeat, place: Reservation | Fault) -> Fault | None:
        """Watch a player that has signed up until its game begins; return why it has no place."""
        if isinstance(place, Fault):
            return place
        self._reception.welcome(seat, place.name)
        if seat.fault is not None:
            return seat.fault
        fault = await place.occupy(seat, self._reception, self._farewells)
        if fault is not None:
            place.vacate(seat)
        return fault

    def _shown(self, wanted: str) -> str:
        """Return the name in a sign-up as it may be shown, or nothing if it may be a secret.

        Secrets come alone, twice, and before the name. Whoever is not expected is shown, too, as it
        may have misspelt its name.
        """
        name, colon, rest = wanted.partition(":")
        if name in self.places:
            return name
        swapped = any(each in self.places for each in rest.split(":"))
        known = any(place.proof in name for place in self.places.values())
        return name if colon and not swapped and not known else ""


@dataclass(eq=False)
class PlayerDoor:
    """Lets one launched player in, and nobody else; ``place`` is where it waits for its game.

    ``fault`` is why its last connection did not sign up, if one did not.
    """

    process: PlayerProcess
    listener: socket.socket
    launcher: Launcher
    reception: Reception
    on_alarm: Callable[[str, str], None]  # gets a player's name and a suspicion as a sentence

    def __post_init__(self) -> None:
        self.place = Reservation(self.process.name)
        self.fault: Fault | None = None
        self._listeners = [self.listener]
        self._pending = self._arrivals = self._refused = 0

    async def run(self, farewells: trio.Nursery) -> None:
        """Accept connections until cancelled, and close the socket."""

        def arrive(connection: socket.socket, address: str) -> None:
            if is_gone(connection) or not self._is_expected(connection):
                connection.close()
                self._refused += 1
                if self._refused > MAX_ARRIVALS and not self.place.unused:
                    self._shut()  # nobody has to come in any more
                return
            self._arrivals += 1
            if self._arrivals > MAX_ARRIVALS:
                self._shut()
            if self._pending >= MAX_PENDING or self._arrivals > MAX_ARRIVALS:
                connection.close()
            else:
                self._pending += 1
                waiting.start_soon(self._admit, connection, address, farewells)

        try:
            async with trio.open_nursery() as waiting:
                await accept(self._listeners[0], arrive)
        finally:
            close(self._listeners)
            if (seat := self.place.take()) is not None:
                seat.close()

    def _shut(self) -> None:
        """Close the socket, because a crowd of connections would slow down every game."""
        if self._listeners:
            close(self._listeners)
            alone = self.process.sandbox is Sandbox.BWRAP  # one that has gone has no owner
            whose = " of its program" if alone else ", not all of which need be its own"
            told = f"Its address was closed after more than {MAX_ARRIVALS} connections{whose}."
            self.on_alarm(self.process.name, told)

    def _is_expected(self, connection: socket.socket) -> bool:
        """Whether a connection is the player's; if not, raise an alarm."""
        if self.process.made(connection):
            return True
        if (peer := peer_of(connection)) is None:  # it has gone again
            return False
        name = self.process.name
        culprit = self.launcher.holder(peer)
        if culprit is not None:
            self.on_alarm(culprit.name, f"It connected to the address of {name}, and was refused.")
            culprit.intrusions += 1
            if culprit.intrusions > MAX_INTRUSIONS:
                self.on_alarm(culprit.name, "It was stopped for connecting to others' addresses.")
                culprit.stop()
        else:
            self.on_alarm(name, "A connection that is not from its program was refused.")
        return False

    async def _admit(
        self, connection: socket.socket, address: str, farewells: trio.Nursery
    ) -> None:
        """Sign a connection up, and watch it until the game begins."""
        seat = self.reception.seat(connection, address)
        try:
            # the game waits for the program, and knows when that has to end
            wanted = await self.reception.sign_up(seat, LONGEST)
        except trio.Cancelled:
            self.reception.refuse(seat, TOURNAMENT_OVER, farewells)
            raise
        finally:
            self._pending -= 1
        if isinstance(wanted, Fault):
            self.fault = wanted
            self.reception.refuse(seat, wanted, farewells)
            return
        if not self.place.unused:
            self.on_alarm(self.process.name, "It signed up a second time, and was refused.")
            self.reception.refuse(seat, SIGNED_UP, farewells)
            return
        self.reception.welcome(seat, self.place.name)  # whatever name it wanted
        if seat.fault is not None:
            self.reception.refuse(seat, seat.fault, farewells)
        elif (fault := await self.place.occupy(seat, self.reception, farewells)) is not None:
            seat.fault = fault  # it loses its game
