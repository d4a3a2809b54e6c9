"""Where a tournament's players connect, prove who they are, and wait for their games.

The name at sign-up is ``NAME:PROOF``. The proof of a program that the tournament has started is a
token for one game; that of a remote player is the secret in the tournament file. The answer is the
plain name, which is the player's name at the table.

    program        --NAME:TOKEN---> its reservation for one game, once
    remote player  --NAME:SECRET--> its lasting reservation, again after every game
"""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

import trio

from admin.table.listeners import accept, close, format_address, listen
from admin.table.seat import RemoteSeat, timed_out
from admin.tournament.playing.reservation import OnChange, Reservation
from admin.tournament.playing.tls import TlsFailed, unwrap
from protocol import messages
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.inbox import DocumentCache
from protocol.messages import PlayerMessage
from protocol.writing import Writer

MAX_PENDING_SIGNUPS = 256
"""Connections that may be about to sign up; each needs a descriptor of this process."""
LOCALHOST = "127.0.0.1"
CROWDED_OUT = "Dropped: the lobby was full before it signed up."
TOURNAMENT_OVER = "The tournament is over."

OnTurnedAway: TypeAlias = Callable[[str, str, str], None]
"""Called for a connection that gets no place: with its address, the name it gave, and why."""


class WaitingRoom:
    """Listens, signs players up, and watches them until their game begins."""

    def __init__(
        self,
        writer: Writer,
        cache: DocumentCache[PlayerMessage],
        dialect: Dialect,
        announced_rulebook: str | None,
        timeout: float,
        on_turned_away: OnTurnedAway,
    ) -> None:
        """``timeout`` is how many seconds a connection has to sign up.

        ``announced_rulebook`` is named in the answer to a sign-up, if there is one.
        """
        self._writer = writer
        self._cache = cache
        self._dialect = dialect
        self._announced_rulebook = announced_rulebook
        self._timeout = timeout
        self._on_turned_away = on_turned_away
        self._reservations: dict[str, list[Reservation]] = {}
        self._pending_signups: list[trio.CancelScope] = []
        self._listeners: list[socket.socket] = []
        self._local_listeners: list[socket.socket] = []

    # -- listening ------------------------------------------------------------------------------

    def listen(self, host: str, port: int) -> list[str]:
        """Listen, and return the addresses; ``CannotListen`` if that is impossible."""
        self._listeners = listen(host, port, "Give another host or port under [lobby].")
        return [format_address(listener.getsockname()) for listener in self._listeners]

    @property
    def port(self) -> int:
        """The port to connect to."""
        return int(self._listeners[0].getsockname()[1])

    def listen_locally(self) -> int:
        """Listen without TLS for programs on this machine as well, and return the port."""
        self._local_listeners = listen(LOCALHOST, 0)
        return int(self._local_listeners[0].getsockname()[1])

    async def run(self, farewells: trio.Nursery, tls: ssl.SSLContext | None) -> None:
        """Accept connections, and watch those that wait, until cancelled.

        Last messages, and what TLS has still to pass on, are sent by tasks in ``farewells``.
        """

        def arrive(connection: socket.socket, peer: str) -> None:
            waiting.start_soon(self._admit, connection, peer, farewells, tls)

        def arrive_locally(connection: socket.socket, peer: str) -> None:
            waiting.start_soon(self._admit, connection, peer, farewells, None)

        try:
            async with trio.open_nursery() as waiting:
                for listener in tuple(self._listeners):
                    waiting.start_soon(accept, listener, arrive)
                for listener in tuple(self._local_listeners):
                    waiting.start_soon(accept, listener, arrive_locally)
        finally:
            close(self._local_listeners)
            if tls is None:
                self._refuse_unaccepted(farewells)
            close(self._listeners)

    def _refuse_unaccepted(self, farewells: trio.Nursery) -> None:
        """Tell connections that were not accepted yet that the tournament is over."""
        for listener in self._listeners:
            with suppress(OSError):
                while True:
                    connection, peer = listener.accept()
                    connection.setblocking(False)
                    seat = RemoteSeat(connection, self._cache, format_address(peer), self._dialect)
                    self._refuse(seat, Fault(Reason.NO_SEAT, TOURNAMENT_OVER), farewells)

    # -- reservations ---------------------------------------------------------------------------

    def reserve(
        self,
        name: str,
        proof: str,
        *,
        lasting: bool = False,
        on_change: OnChange = lambda: None,
    ) -> Reservation:
        """Reserve a place for the player with this name and proof."""
        place = Reservation(name, proof, lasting=lasting, on_change=on_change)
        self._reservations.setdefault(name, []).append(place)
        return place

    def cancel(self, place: Reservation) -> None:
        """Cancel a reservation; a connection that still waits there is closed."""
        if (seat := place.take()) is not None:
            seat.close()
        self._reservations[place.name].remove(place)

    def dismiss_all(self, farewells: trio.Nursery) -> None:
        """Tell all players that still wait that the tournament is over."""
        for places in self._reservations.values():
            for place in places:
                if (seat := place.take()) is not None:
                    self._refuse(seat, Fault(Reason.NO_SEAT, TOURNAMENT_OVER), farewells)

    # -- one connection -------------------------------------------------------------------------

    async def _admit(
        self,
        connection: socket.socket,
        peer: str,
        farewells: trio.Nursery,
        tls: ssl.SSLContext | None,
    ) -> None:
        """Sign a connection up, and watch it while it waits for a game."""
        place: Reservation | Fault | None = None
        seat = None
        try:
            with self._pending_signup():
                if tls is not None:
                    connection = await unwrap(connection, tls, self._timeout, farewells)
                seat = RemoteSeat(connection, self._cache, peer, self._dialect)
                place = await self._sign_up(seat)
        except TlsFailed as error:
            self._on_turned_away(peer, "", str(error))
            return
        except trio.Cancelled:
            if seat is not None:
                self._refuse(seat, Fault(Reason.NO_SEAT, TOURNAMENT_OVER), farewells)
            raise
        if place is None:  # crowded out: closed at once, without a last message
            self._on_turned_away(peer, "", CROWDED_OUT)
            if seat is not None:
                seat.close()
        elif seat is not None and isinstance(place, Reservation):
            await self._watch(place, seat, farewells)
        elif seat is not None and isinstance(place, Fault):
            self._turn_away(seat, place, farewells)

    @contextmanager
    def _pending_signup(self) -> Iterator[None]:
        """Count among the pending sign-ups; if there are too many, the oldest is cancelled.

        A player signs up at once, so only other connections can be the oldest of that many.
        """
        if len(self._pending_signups) >= MAX_PENDING_SIGNUPS:
            self._pending_signups.pop(0).cancel()
        scope = trio.CancelScope()
        self._pending_signups.append(scope)
        try:
            with scope:
                yield
        finally:
            if scope in self._pending_signups:
                self._pending_signups.remove(scope)

    async def _sign_up(self, seat: RemoteSeat) -> Reservation | Fault:
        """Receive a sign-up and answer it; return the place, or why there is none."""
        answer: object = timed_out(self._timeout, "<signup>", seat.partial)
        with trio.move_on_after(self._timeout):
            answer = await _receive(seat)
        if isinstance(answer, Fault):
            return answer
        assert isinstance(answer, messages.SignUp)
        name, _, proof = answer.name.rpartition(":")
        seat.name = name or proof
        place = self._find(name, proof)
        if isinstance(place, Fault):
            return place
        seat.name = place.name
        given = messages.SignUp(place.name, self._announced_rulebook)
        seat.send("signup", self._writer.write(given))
        return seat.fault or place

    def _find(self, name: str, proof: str) -> Reservation | Fault:
        """Return a player's available place, or why there is none."""
        if not name:
            return Fault(
                Reason.NO_SEAT,
                "Sign up as NAME:PROOF: a program with the whole name it was given, a remote "
                "player with its name, a colon, and its secret.",
            )
        for place in self._reservations.get(name, ()):
            if place.is_proved_by(proof):
                if place.available:
                    return place
                return Fault(Reason.NO_SEAT, "This player is already signed up.")
        return Fault(Reason.NO_SEAT, "No player is expected with this name and proof.")

    async def _watch(self, place: Reservation, seat: RemoteSeat, farewells: trio.Nursery) -> None:
        """Watch a player, which must stay and send nothing, until its game begins.

        A remote player that leaves or sends something can sign up again; a program loses its game.
        """
        fault = None
        scope = place.occupy(seat)
        try:
            with scope:
                while fault is None:
                    await trio.lowlevel.wait_readable(seat.socket)
                    if scope.cancel_called:  # the game has begun at this very moment
                        return
                    answer = seat.receive(asked=False)
                    fault = answer if isinstance(answer, Fault) else None
        except trio.Cancelled:
            if not scope.cancel_called:  # no game has taken the seat
                place.vacate()
                self._refuse(seat, Fault(Reason.NO_SEAT, TOURNAMENT_OVER), farewells)
            raise
        if fault is None:
            return
        if place.lasting:
            place.vacate()
            self._turn_away(seat, fault, farewells)
        else:
            seat.fault = fault

    def _turn_away(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        """Refuse a connection, and report it."""
        self._on_turned_away(seat.address, seat.name, str(fault))
        self._refuse(seat, fault, farewells)

    def _refuse(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        """Tell a connection why it has no seat, and close it."""
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, str(fault))
        farewells.start_soon(seat.finish, self._writer.write(last))


async def _receive(seat: RemoteSeat) -> object:
    """Wait for the answer of a seat."""
    while True:
        await trio.lowlevel.wait_readable(seat.socket)
        if (answer := seat.receive(asked=True)) is not None:
            return answer
