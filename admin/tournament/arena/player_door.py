"""The listening socket of one launched player, for one game: whoever connects there is that player.

In bubblewrap the socket is in the player's own network, so nobody else can reach it. Otherwise the
other end of a connection has to belong to the player's processes, or to its user.
"""

import socket
from collections.abc import Callable
from dataclasses import dataclass

import trio

from ....protocol.faults import Fault, Reason
from ...launching.launch import Launcher
from ...launching.player_process import PlayerProcess, peer_of
from ...refereeing.table.lag import LONGEST
from ...refereeing.table.listeners import accept, close, is_gone
from ...refereeing.table.reception import Reception
from .waiting_room import TOURNAMENT_OVER, Reservation

MAX_PENDING = 8
"""Connections to one player's socket that may be about to sign up."""

MAX_ARRIVALS = 64
"""Connections from one player in a game, before its socket is closed: it needs one."""
MAX_INTRUSIONS = 16
"""Connections of a program to the sockets of others, before it is stopped."""

SIGNED_UP = Fault(Reason.NO_SEAT, "This player has already signed up for this game.")


@dataclass(eq=False)
class PlayerDoor:
    """Lets one launched player in, and nobody else; ``place`` is where it waits for its game."""

    process: PlayerProcess
    listener: socket.socket
    launcher: Launcher
    reception: Reception
    on_alarm: Callable[[str, str], None]
    """Called with the name of a player and a sentence about what is suspicious."""

    def __post_init__(self) -> None:
        self.place = Reservation(self.process.name)
        self._listeners = [self.listener]
        self._pending = self._arrivals = self._refused = 0

    async def run(self, farewells: trio.Nursery) -> None:
        """Accept connections until cancelled, and close the socket."""

        def arrive(connection: socket.socket, address: str) -> None:
            if is_gone(connection) or not self._is_expected(connection):
                connection.close()
                self._refused += 1
                if self._refused > MAX_ARRIVALS and not self.place.available:
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
            times = f"more than {MAX_ARRIVALS} connections"
            self.on_alarm(self.process.name, f"Its address was closed after {times}.")

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
            self.reception.refuse(seat, wanted, farewells)
            return
        if not self.place.available:
            self.on_alarm(self.process.name, "It signed up a second time, and was refused.")
            self.reception.refuse(seat, SIGNED_UP, farewells)
            return
        self.reception.welcome(seat, self.place.name)  # whatever name it wanted
        if seat.fault is not None:
            self.reception.refuse(seat, seat.fault, farewells)
        elif (fault := await self.place.occupy(seat, self.reception, farewells)) is not None:
            seat.fault = fault  # it loses its game
