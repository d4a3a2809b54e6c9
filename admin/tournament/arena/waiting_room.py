"""Where a tournament's remote players connect, prove who they are, and wait for their games.

The name at sign-up is ``NAME:SECRET``, with the secret of the tournament file: the protocol has no
other field for it, and every client can be given a name. The answer is the plain name, which is the
player's name at the table. After every game the player comes back.
"""

import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

import trio

from ....protocol.faults import Fault, Reason
from ...refereeing.table.listeners import accept, close, format_address, listen
from ...refereeing.table.reception import CROWDED_OUT, Reception, SilentCrowd
from ...refereeing.table.seat import RemoteSeat
from ..planning.plan import Plan
from ..run.run_events import LobbyChanged, PlayerAwaited, RunObserver
from .reservation import TOURNAMENT_OVER, OnChange, Reservation, watch
from .tls import TlsFailed, unwrap

OnTurnedAway: TypeAlias = Callable[[str, str, str], None]
"""Called for a connection that gets no place: with its address, the name it gave, and why."""


class WaitingRoom:
    """Listens, signs players up, and watches them until their game begins."""

    def __init__(self, reception: Reception, on_turned_away: OnTurnedAway) -> None:
        self._reception = reception
        self._on_turned_away = on_turned_away
        self._reservations: dict[str, Reservation] = {}
        self._silent = SilentCrowd()
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
        reception, scope = self._reception, trio.CancelScope()
        wanted: str | Fault | None = None
        seat = None
        self._silent.enter(scope, peer, scope.cancel)
        try:
            with scope:
                if tls is not None:
                    connection = await unwrap(connection, tls, reception.timeout, farewells)
                seat = reception.seat(connection, peer)
                wanted = await reception.sign_up(seat)
        except TlsFailed as error:
            self._on_turned_away(peer, "", str(error))
            return
        except trio.Cancelled:
            if seat is not None:
                reception.refuse(seat, TOURNAMENT_OVER, farewells)
            raise
        finally:
            self._silent.leave(scope)
        if seat is None or wanted is None:
            self._on_turned_away(peer, "", CROWDED_OUT.detail)
            if seat is not None:
                reception.drop(seat, CROWDED_OUT)
        elif (fault := await self._wait_for_game(seat, wanted, farewells)) is not None:
            self._on_turned_away(seat.address, seat.name, str(fault))
            reception.refuse(seat, fault, farewells)

    async def _wait_for_game(
        self, seat: RemoteSeat, wanted: str | Fault, farewells: trio.Nursery
    ) -> Fault | None:
        """Watch a player that has signed up until its game begins; return why it has no place."""
        if isinstance(wanted, Fault):
            return wanted
        seat.name = wanted.rpartition(":")[0] or wanted  # never a secret
        place = self._find(wanted)
        if isinstance(place, Fault):
            return place
        self._reception.welcome(seat, place.name)
        if seat.fault is not None:
            return seat.fault
        fault = await watch(place, seat, self._reception, farewells)
        if fault is not None:
            place.vacate()
        return fault

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


MAX_MISSED = 3
"""Games in a row that a remote player may miss; then games do not wait until it returns."""


class RemotePlayers:
    """Reserves a lasting place for each remote player; where there is no room, there are none."""

    def __init__(self, plan: Plan, observer: RunObserver, room: WaitingRoom | None = None) -> None:
        self._observer = observer
        self._wait = plan.lobby.wait
        self.places: dict[str, Reservation] = {}
        for player in plan.players:
            if room is not None and player.remote:
                self.places[player.name] = room.reserve(
                    player.name, player.remote.secret, on_change=self._report_lobby
                )
        self._missed = dict.fromkeys(self.places, 0)

    def _report_lobby(self) -> None:
        waiting = [name for name, place in self.places.items() if place.occupied]
        self._observer(LobbyChanged(waiting))

    def timeout(self, name: str) -> float:
        """Return for how many seconds a game waits for a player."""
        return 0.0 if self._missed[name] >= MAX_MISSED else self._wait

    def report_waiting(self, name: str) -> None:
        """Report that a game waits for a player."""
        self._observer(PlayerAwaited(name, self.timeout(name)))

    def count(self, name: str, *, present: bool) -> None:
        """Count whether a player was there when its game began."""
        self._missed[name] = 0 if present else self._missed[name] + 1
