"""Places of a tournament: kept for a player, occupied until its game begins."""

import hmac
from collections.abc import Callable
from typing import TypeAlias

import trio

from ....protocol.faults import Fault, Reason
from ...refereeing.table.reception import Reception
from ...refereeing.table.seat import RemoteSeat

OnChange: TypeAlias = Callable[[], None]
"""Called when a player has come to a place, or has left it."""


class Reservation:
    """A place for one player, occupied by a connection that has signed up.

    A ``lasting`` place (a remote player's, which needs a proof) can be occupied again after a game
    has taken the connection; any other (a program's) is used once.
    """

    def __init__(
        self,
        name: str,
        proof: str = "",
        *,
        lasting: bool = False,
        on_change: OnChange = lambda: None,
    ) -> None:
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


async def watch(
    place: Reservation, seat: RemoteSeat, reception: Reception, farewells: trio.Nursery
) -> Fault | None:
    """Watch a player, which must stay and send nothing, until its game begins.

    Returns ``None`` when it does, or why the player has lost its place.
    """
    scope = place.occupy(seat)
    try:
        with scope:
            while True:
                await trio.lowlevel.wait_readable(seat.socket)
                if scope.cancel_called:  # the game has begun at this very moment, and reads
                    return None
                answer = seat.receive(asked=False)
                if isinstance(answer, Fault):
                    return answer
    except trio.Cancelled:
        if not scope.cancel_called:  # no game has taken the seat
            place.vacate()
            reception.refuse(seat, TOURNAMENT_OVER, farewells)
        raise
    return None
