"""Where the players of a tournament come in, prove who they are, and wait for their match.

At sign-up the name is ``NAME:PROOF``. The proof of a player that the tournament has launched is a
token for that one game; that of a remote player is the secret in the tournament file. The
administrator's answer is the plain name, by which the player goes at the table.

    launched player --NAME:TOKEN---> the place kept for it in one game, once
    remote player   --NAME:SECRET--> his place, each time anew: he plays, and comes back
"""

import hmac
import secrets
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

import trio

from admin.table.listeners import accept, close, format_address, listen
from admin.table.seat import RemoteSeat, timed_out
from protocol import messages
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.inbox import DocumentCache
from protocol.messages import PlayerMessage
from protocol.writing import Writer

MAX_PENDING_SIGNUPS = 256
"""Connections that may be about to sign up; each holds a descriptor of this process."""
TOKEN_BYTES = 20
CROWDED = f"It had not signed up when {MAX_PENDING_SIGNUPS} others had come."
HOME = "127.0.0.1"
OVER = "The tournament is over."

TurnedAway: TypeAlias = Callable[[str, str, str], None]
"""Told of a connection that got no seat: its address, the name it gave, and why."""
Moved: TypeAlias = Callable[[], None]


class NoTls(Exception):
    """A peer does not talk TLS as it should; the text is for people."""


def new_token() -> str:
    """Return what one player, for one game, proves itself by at sign-up."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Reservation:
    """One player's place: kept by a name and a proof, taken by a connection that has both.

    A remote player's place stays when a match has taken the connection; a launched one's is used
    once. ``moved`` is called when somebody has come to wait there, or is gone.
    """

    def __init__(self, name: str, proof: str, *, lasting: bool, moved: Moved) -> None:
        self.name = name
        self.lasting = lasting
        self._proof = proof
        self._moved = moved
        self.used = False
        self._seat: RemoteSeat | None = None
        self._watch = trio.CancelScope()
        self._came = trio.Event()

    def is_proved_by(self, proof: str) -> bool:
        """Whether this is the proof; takes as long for every wrong one."""
        return hmac.compare_digest(self._proof.encode(), proof.encode())

    @property
    def present(self) -> bool:
        """Whether somebody has signed up and waits."""
        return self._seat is not None

    async def wait(self) -> None:
        """Wait until somebody has signed up."""
        while self._seat is None:
            await self._came.wait()

    def sit(self, seat: RemoteSeat) -> trio.CancelScope:
        """Take a connection; the scope ends when a match takes it, and it is watched no more."""
        self.used = True
        self._seat = seat
        self._watch = trio.CancelScope()
        self._came.set()
        self._moved()
        return self._watch

    def leave(self) -> None:
        """Be empty again."""
        self._seat = None
        self._came = trio.Event()
        self._moved()

    def take(self) -> RemoteSeat | None:
        """Hand over the connection that waits, if there is one."""
        seat = self._seat
        if seat is not None:
            self.leave()
            self._watch.cancel()
        return seat


class WaitingRoom:
    """Listens, signs players up, and watches them until their match begins."""

    def __init__(
        self,
        writer: Writer,
        memory: DocumentCache[PlayerMessage],
        dialect: Dialect,
        told_rulebook: str | None,
        patience: float,
        turned_away: TurnedAway,
    ) -> None:
        """``patience`` is for how many seconds a connection may be without a sign-up."""
        self._writer = writer
        self._memory = memory
        self._dialect = dialect
        self._told_rulebook = told_rulebook
        self._patience = patience
        self._turned_away = turned_away
        self._places: dict[str, list[Reservation]] = {}
        self._visits: list[trio.CancelScope] = []
        self._listeners: list[socket.socket] = []
        self._at_home: list[socket.socket] = []

    # -- listening ------------------------------------------------------------------------------

    def listen(self, host: str, port: int) -> list[str]:
        """Listen, and return the addresses; ``CannotListen``."""
        self._listeners = listen(host, port, "Give another host or port under [lobby].")
        return [format_address(listener.getsockname()) for listener in self._listeners]

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return int(self._listeners[0].getsockname()[1])

    def listen_at_home(self) -> int:
        """Listen without TLS for programs on this machine, and return the port."""
        self._at_home = listen(HOME, 0)
        return int(self._at_home[0].getsockname()[1])

    async def run(self, farewells: trio.Nursery, tls: ssl.SSLContext | None) -> None:
        """Take connections, and watch those who wait, until cancelled.

        What is said last, and what TLS still has to pass on, is seen to in ``farewells``.
        """

        def arrive(connection: socket.socket, peer: str) -> None:
            waiting.start_soon(self._meet, connection, peer, farewells, tls)

        def arrive_at_home(connection: socket.socket, peer: str) -> None:
            waiting.start_soon(self._meet, connection, peer, farewells, None)

        try:
            async with trio.open_nursery() as waiting:
                for listener in tuple(self._listeners):
                    waiting.start_soon(accept, listener, arrive)
                for listener in tuple(self._at_home):
                    waiting.start_soon(accept, listener, arrive_at_home)
        finally:
            close(self._at_home)
            if tls is None:
                self._turn_away_the_last(farewells)
            close(self._listeners)

    def _turn_away_the_last(self, farewells: trio.Nursery) -> None:
        """Tell those who are at the door, and have not been let in, that it is over."""
        for listener in self._listeners:
            with suppress(OSError):
                while True:
                    connection, peer = listener.accept()
                    connection.setblocking(False)
                    seat = RemoteSeat(connection, self._memory, format_address(peer), self._dialect)
                    self._say_no(seat, Fault(Reason.NO_SEAT, OVER), farewells)

    # -- places ---------------------------------------------------------------------------------

    def keep(
        self, name: str, proof: str, *, lasting: bool = False, moved: Moved = lambda: None
    ) -> Reservation:
        """Keep a place for whoever has this name and proof."""
        place = Reservation(name, proof, lasting=lasting, moved=moved)
        self._places.setdefault(name, []).append(place)
        return place

    def give_up(self, place: Reservation) -> None:
        """Keep a place no longer; whoever still waits on it is closed."""
        if (seat := place.take()) is not None:
            seat.close()
        self._places[place.name].remove(place)

    def dismiss_all(self, farewells: trio.Nursery) -> None:
        """Tell all who still wait that there is no match for them any more."""
        for places in self._places.values():
            for place in places:
                if (seat := place.take()) is not None:
                    self._say_no(seat, Fault(Reason.NO_SEAT, OVER), farewells)

    # -- one connection -------------------------------------------------------------------------

    async def _meet(
        self,
        connection: socket.socket,
        peer: str,
        farewells: trio.Nursery,
        tls: ssl.SSLContext | None,
    ) -> None:
        """Sign a connection up, and watch it while it waits for a match."""
        found: Reservation | Fault | None = None
        seat = None
        try:
            with self._visit():
                if tls is not None:
                    connection = await self._unwrap(connection, peer, farewells, tls)
                seat = RemoteSeat(connection, self._memory, peer, self._dialect)
                found = await self._sign_up(seat)
        except NoTls as error:
            self._turned_away(peer, "", str(error))
            return
        except trio.Cancelled:
            if seat is not None:
                self._say_no(seat, Fault(Reason.NO_SEAT, OVER), farewells)
            raise
        if found is None:  # it had to make room, and a crowd is not waited upon
            self._turned_away(peer, "", CROWDED)
            if seat is not None:
                seat.close()
        elif seat is not None and isinstance(found, Reservation):
            await self._watch(found, seat, farewells)
        elif seat is not None and isinstance(found, Fault):
            self._dismiss(seat, found, farewells)

    @contextmanager
    def _visit(self) -> Iterator[None]:
        """Be among those who have not signed up yet; when there are too many, the first must go.

        Who means to play signs up at once: only others are ever the first of so many.
        """
        if len(self._visits) >= MAX_PENDING_SIGNUPS:
            self._visits.pop(0).cancel()
        visit = trio.CancelScope()
        self._visits.append(visit)
        try:
            with visit:
                yield
        finally:
            if visit in self._visits:
                self._visits.remove(visit)

    async def _unwrap(
        self, connection: socket.socket, peer: str, farewells: trio.Nursery, tls: ssl.SSLContext
    ) -> socket.socket:
        """Take TLS off: what is inside goes through a pair of sockets, as if it came plain.

        ``NoTls`` when there is none in time; the connection is closed then.
        """
        stream = trio.SSLStream(
            trio.SocketStream(trio.socket.from_stdlib_socket(connection)), tls, server_side=True
        )
        why = "No TLS handshake came in time."
        try:
            with trio.move_on_after(self._patience):
                await stream.do_handshake()
                why = ""
        except trio.BrokenResourceError as error:
            why = f"The TLS handshake failed: {error.__cause__ or error}."
        finally:
            if why:
                await trio.aclose_forcefully(stream)
        if why:
            raise NoTls(why)
        inside, outside = socket.socketpair()
        for end in (inside, outside):
            end.setblocking(False)
        plain = trio.SocketStream(trio.socket.from_stdlib_socket(outside))
        farewells.start_soon(_relay_both, plain, stream)
        return inside

    async def _sign_up(self, seat: RemoteSeat) -> Reservation | Fault:
        """Hear a sign-up and answer it; return the place, or why there is none."""
        answer: object = timed_out(self._patience, "<signup>", seat.partial)
        with trio.move_on_after(self._patience):
            answer = await _receive(seat, asked=True)
        if isinstance(answer, Fault):
            return answer
        assert isinstance(answer, messages.SignUp)
        name, _, proof = answer.name.rpartition(":")
        seat.name = name or proof
        place = self._find(name, proof)
        if isinstance(place, Fault):
            return place
        seat.name = place.name
        given = messages.SignUp(place.name, self._told_rulebook)
        seat.send("signup", self._writer.write(given))
        return seat.fault or place

    def _find(self, name: str, proof: str) -> Reservation | Fault:
        """Return the free place of a player, or why there is none."""
        if not name:
            return Fault(
                Reason.NO_SEAT,
                "Sign up as NAME:PROOF: with the whole name that the player was given, or the "
                "secret that was agreed.",
            )
        for place in self._places.get(name, ()):
            if place.is_proved_by(proof):
                if place.present or (place.used and not place.lasting):
                    return Fault(Reason.NO_SEAT, "This player has signed up already.")
                return place
        return Fault(Reason.NO_SEAT, "Nobody is expected by this name and proof.")

    async def _watch(self, place: Reservation, seat: RemoteSeat, farewells: trio.Nursery) -> None:
        """Watch a player who has nothing to say until the match begins.

        A remote one who leaves, or speaks, can come again; for a launched one the game is lost.
        """
        fault = None
        scope = place.sit(seat)
        try:
            with scope:
                while fault is None:
                    await trio.lowlevel.wait_readable(seat.socket)
                    if scope.cancel_called:  # the match has begun in this very moment
                        return
                    answer = seat.receive(asked=False)
                    fault = answer if isinstance(answer, Fault) else None
        except trio.Cancelled:
            if not scope.cancel_called:  # nobody has taken the seat
                place.leave()
                self._say_no(seat, Fault(Reason.NO_SEAT, OVER), farewells)
            raise
        if fault is None:
            return
        if place.lasting:
            place.leave()
            self._dismiss(seat, fault, farewells)
        else:
            seat.fault = fault

    def _dismiss(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        """Tell a connection, and who watches, why it has no seat; and close it."""
        self._turned_away(seat.address, seat.name, str(fault))
        self._say_no(seat, fault, farewells)

    def _say_no(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, str(fault))
        farewells.start_soon(seat.finish, self._writer.write(last))


async def _receive(seat: RemoteSeat, *, asked: bool) -> object:
    while True:
        await trio.lowlevel.wait_readable(seat.socket)
        if (answer := seat.receive(asked=asked)) is not None:
            return answer


async def _relay_both(plain: trio.SocketStream, stream: trio.SSLStream[trio.SocketStream]) -> None:
    """Pass bytes on in both directions, until this side has said its last and the other ends."""
    async with plain, stream:
        async with trio.open_nursery() as relays:
            relays.start_soon(_relay, stream, plain)
            await _relay(plain, stream)
            relays.cancel_scope.cancel()
        with trio.move_on_after(1), suppress(trio.BrokenResourceError):
            # Tells the end of what was said, waits for the other's, and lets go of the transport.
            transport, _ = await stream.unwrap()
            await transport.aclose()


async def _relay(source: trio.abc.ReceiveStream, target: trio.abc.SendStream) -> None:
    """Pass bytes on until the source ends, well or badly, or the target is gone."""
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for data in source:
            await target.send_all(data)
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        if isinstance(target, trio.SocketStream):
            await target.send_eof()
