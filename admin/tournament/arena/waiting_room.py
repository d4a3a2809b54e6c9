"""Where a tournament's remote players connect, prove who they are, and wait for their games.

The name at sign-up is ``NAME:SECRET``, with the secret of the tournament file. The answer is the
plain name, which is the player's name at the table. After every game the player comes back.
"""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

import trio

from ....protocol.faults import Fault, Reason
from ...refereeing.table.listeners import accept, close, format_address, listen
from ...refereeing.table.seat import RemoteSeat
from .reception import TOURNAMENT_OVER, OnChange, Reception, Reservation
from .tls import TlsFailed, unwrap

MAX_PENDING_SIGNUPS = 256
"""Connections that may be about to sign up; each needs a descriptor of this process."""
CROWDED_OUT = "Dropped: the lobby was full before it signed up."

OnTurnedAway: TypeAlias = Callable[[str, str, str], None]
"""Called for a connection that gets no place: with its address, the name it gave, and why."""


class WaitingRoom:
    """Listens, signs players up, and watches them until their game begins."""

    def __init__(self, reception: Reception, on_turned_away: OnTurnedAway) -> None:
        self._reception = reception
        self._on_turned_away = on_turned_away
        self._reservations: dict[str, Reservation] = {}
        self._pending_signups: list[trio.CancelScope] = []
        self._listeners: list[socket.socket] = []

    # -- listening ------------------------------------------------------------------------------

    def listen(self, host: str, port: int) -> list[str]:
        """Listen, and return the addresses; ``CannotListen`` if that is impossible."""
        self._listeners = listen(host, port, "Give another host or port under [lobby].")
        return [format_address(listener.getsockname()) for listener in self._listeners]

    @property
    def port(self) -> int:
        """The port to connect to."""
        return int(self._listeners[0].getsockname()[1])

    async def run(self, farewells: trio.Nursery, tls: ssl.SSLContext | None) -> None:
        """Accept connections, and watch those that wait, until cancelled.

        Last messages, and what TLS has still to pass on, are sent by tasks in ``farewells``.
        """

        def arrive(connection: socket.socket, peer: str) -> None:
            waiting.start_soon(self._admit, connection, peer, farewells, tls)

        try:
            async with trio.open_nursery() as waiting:
                for listener in tuple(self._listeners):
                    waiting.start_soon(accept, listener, arrive)
        finally:
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
                    seat = self._reception.seat(connection, format_address(peer))
                    self._reception.refuse(seat, TOURNAMENT_OVER, farewells)

    # -- reservations ---------------------------------------------------------------------------

    def reserve(self, name: str, proof: str, *, on_change: OnChange = lambda: None) -> Reservation:
        """Reserve a lasting place for the remote player with this name and proof."""
        place = Reservation(name, proof, lasting=True, on_change=on_change)
        self._reservations[name] = place
        return place

    def dismiss_all(self, farewells: trio.Nursery) -> None:
        """Tell all players that still wait that the tournament is over."""
        for place in self._reservations.values():
            if (seat := place.take()) is not None:
                self._reception.refuse(seat, TOURNAMENT_OVER, farewells)

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
                    connection = await unwrap(connection, tls, self._reception.timeout, farewells)
                seat = self._reception.seat(connection, peer)
                place = await self._reception.sign_up(seat, self._find)
        except TlsFailed as error:
            self._on_turned_away(peer, "", str(error))
            return
        except trio.Cancelled:
            if seat is not None:
                self._reception.refuse(seat, TOURNAMENT_OVER, farewells)
            raise
        if place is None:  # crowded out: closed at once, without a last message
            self._on_turned_away(peer, "", CROWDED_OUT)
            if seat is not None:
                seat.close()
        elif seat is not None and isinstance(place, Reservation):
            fault = await self._reception.watch(place, seat, farewells)
            if fault is not None:
                place.vacate()
                self._turn_away(seat, fault, farewells)
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

    def _find(self, name: str) -> Reservation | Fault:
        """Return a player's available place, or why there is none."""
        plain, _, proof = name.rpartition(":")
        if not plain:
            return Fault(
                Reason.NO_SEAT, "Sign up as NAME:SECRET: the player's name, a colon, its secret."
            )
        place = self._reservations.get(plain)
        if place is None or not place.is_proved_by(proof):
            return Fault(Reason.NO_SEAT, "No player is expected with this name and secret.")
        if not place.available:
            return Fault(Reason.NO_SEAT, "This player is already signed up.")
        return place

    def _turn_away(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        """Refuse a connection, and report it."""
        self._on_turned_away(seat.address, seat.name, str(fault))
        self._reception.refuse(seat, fault, farewells)
