"""Sign players up, watch them until their game begins, and refuse those that get no place."""

import hmac
import socket
from collections.abc import Callable
from typing import TypeAlias

import trio

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.inbox import DocumentCache
from ....protocol.messages import PlayerMessage
from ....protocol.reading import player_reader
from ....protocol.validated_writing import RefereeWriter
from ....protocol.writing import Writer
from ...refereeing.diagnosis.diagnose import sign_up_fault_with_hint
from ...refereeing.table.seat import RemoteSeat, timed_out

OnChange: TypeAlias = Callable[[], None]
"""Called when a player has come to a place, or has left it."""


class Reservation:
    """A place for one player, occupied by a connection that has signed up.

    A ``lasting`` place (a remote player's, which needs a proof) can be occupied again after a game
    has taken the connection; any other (a program's) is used once.
    """

    def __init__(self, name: str, proof: str, *, lasting: bool, on_change: OnChange) -> None:
        self.name = name
        self.lasting = lasting
        self._proof = proof
        self._on_change = on_change
        self._used = False
        self._seat: RemoteSeat | None = None
        self._watch = trio.CancelScope()
        self._occupied = trio.Event()

    def is_proved_by(self, proof: str) -> bool:
        """Whether this is the proof; takes equally long for every wrong one."""
        return hmac.compare_digest(self._proof.encode(), proof.encode())

    @property
    def occupied(self) -> bool:
        """Whether a connection has signed up and waits."""
        return self._seat is not None

    @property
    def available(self) -> bool:
        """Whether a connection may sign up."""
        return not self.occupied and (self.lasting or not self._used)

    async def wait(self) -> None:
        """Wait until a connection has signed up."""
        while self._seat is None:
            await self._occupied.wait()

    def occupy(self, seat: RemoteSeat) -> trio.CancelScope:
        """Take a connection; return a scope that is cancelled when a game takes it."""
        self._used = True
        self._seat = seat
        self._watch = trio.CancelScope()
        self._occupied.set()
        self._on_change()
        return self._watch

    def vacate(self) -> None:
        """Make the place empty."""
        self._seat = None
        self._occupied = trio.Event()
        self._on_change()

    def take(self) -> RemoteSeat | None:
        """Hand over the connection that waits, if there is one."""
        seat = self._seat
        if seat is not None:
            self.vacate()
            self._watch.cancel()
        return seat


TOURNAMENT_OVER = Fault(Reason.NO_SEAT, "The tournament is over.")


class Reception:
    """What signing up is like at every address of a tournament."""

    def __init__(
        self,
        writer: Writer,
        cache: DocumentCache[PlayerMessage],
        dialect: Dialect,
        announced_rulebook: str | None,
        timeout: float,
    ) -> None:
        """``timeout`` is how many seconds a connection has to sign up.

        ``announced_rulebook`` is named in the answer to a sign-up, if there is one.
        """
        self.writer = writer
        self._cache = cache
        self._dialect = dialect
        self._announced_rulebook = announced_rulebook
        self.timeout = timeout

    def seat(self, connection: socket.socket, address: str) -> RemoteSeat:
        """Return a seat for a connection; it has no name yet."""
        return RemoteSeat(connection, self._cache, address, self._dialect)

    async def sign_up(
        self, seat: RemoteSeat, find: Callable[[str], Reservation | Fault], patience: int = 1
    ) -> Reservation | Fault:
        """Receive a sign-up and answer it; return the place, or why there is none.

        ``find`` returns the place that belongs to the name at sign-up. ``patience`` is how many
        times its time a connection has.
        """
        timeout = patience * self.timeout
        answer: object = timed_out(timeout, "<signup>", seat.partial)
        with trio.move_on_after(timeout):
            answer = await _receive(seat)
        if isinstance(answer, Fault):
            return answer
        assert isinstance(answer, messages.SignUp)
        seat.name = answer.name.rpartition(":")[0] or answer.name  # never a secret
        place = find(answer.name)
        if isinstance(place, Fault):
            return place
        seat.name = place.name
        given = messages.SignUp(place.name, self._announced_rulebook)
        seat.send("signup", self.writer.write(given))
        return seat.fault or place

    async def watch(
        self, place: Reservation, seat: RemoteSeat, farewells: trio.Nursery
    ) -> Fault | None:
        """Watch a player, which must stay and send nothing, until its game begins.

        Returns ``None`` when it does, or why the player has lost its place.
        """
        fault = None
        scope = place.occupy(seat)
        try:
            with scope:
                while fault is None:
                    await trio.lowlevel.wait_readable(seat.socket)
                    if scope.cancel_called:  # the game has begun at this very moment
                        return None
                    answer = seat.receive(asked=False)
                    fault = answer if isinstance(answer, Fault) else None
        except trio.Cancelled:
            if not scope.cancel_called:  # no game has taken the seat
                place.vacate()
                self.refuse(seat, TOURNAMENT_OVER, farewells)
            raise
        return fault

    def refuse(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        """Tell a connection why it has no seat, and close it."""
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, sign_up_fault_with_hint(fault))
        farewells.start_soon(seat.finish, self.writer.write(last))


def reception_for(rulebook: Rulebook, timeout: float) -> Reception:
    """Return what signing up is like under a rulebook; ``timeout`` in seconds."""
    dialect = Dialect.of(rulebook)
    return Reception(
        RefereeWriter(rulebook),
        DocumentCache(player_reader(rulebook)),
        dialect,
        None if dialect is Dialect.COURSE else rulebook.id,
        timeout,
    )


async def _receive(seat: RemoteSeat) -> object:
    """Wait for the answer of a seat."""
    while True:
        await trio.lowlevel.wait_readable(seat.socket)
        if (answer := seat.receive(asked=True)) is not None:
            return answer
