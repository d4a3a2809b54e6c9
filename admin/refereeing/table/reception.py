"""What signing up is like at every address of the referee's, and how a connection is refused.

The table, the tournament's lobby, the addresses of its programs and the trials of `check` differ in
who gets which seat. What is read, awaited, answered and told to strangers is the same.
"""

import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import trio

from ....game.rulebook import Rulebook
from ....game.rulebooks import is_one_of_the_five
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.inbox import DocumentCache
from ....protocol.messages import PlayerMessage
from ....protocol.reading import player_reader
from ....protocol.rulebook_file import to_json
from ....protocol.writing import RefereeWriter
from ..diagnosis.diagnose import sign_up_fault_with_hint
from .seat import RemoteSeat, timed_out

MAX_SILENT = 256  # connections that may be about to sign up; each holds a file descriptor
CROWDED_OUT = Fault(
    Reason.NO_SEAT,
    "Dropped: too many connections had not signed up.",
    circumstance=Circumstance.CROWDED_OUT,
)


class Reception:
    """Signs connections up under a rulebook, each within ``timeout`` seconds."""

    def __init__(self, rulebook: Rulebook, timeout: float, *, validate: bool = False) -> None:
        """With ``validate`` each message is validated before it is sent."""
        self.timeout = timeout
        self.dialect = Dialect.of(rulebook)
        self.writer = RefereeWriter(rulebook, validate=validate)
        # players of the course protocol are not sent the rulebook
        self._announced: tuple[str | None, str | None] = (None, None)
        if self.dialect is not Dialect.COURSE:
            own = None if is_one_of_the_five(rulebook) else to_json(rulebook)
            self._announced = (rulebook.id, own)
        self._cache = DocumentCache(player_reader(rulebook))

    def seat(self, connection: socket.socket, address: str) -> RemoteSeat:
        """Return a seat for a connection; it has no name yet."""
        return RemoteSeat(connection, self._cache, address, self.dialect)

    async def sign_up(self, seat: RemoteSeat, patience: int = 1) -> str | Fault:
        """Wait for a sign-up; return the name in it, or what is wrong.

        ``patience`` is how many times its time a connection has.
        """
        timeout = patience * self.timeout
        with trio.move_on_after(timeout):
            received = await receive(seat, asked=True)
            if isinstance(received, Fault):
                return received
            assert isinstance(received, messages.SignUp), "nothing else is expected"
            return received.name
        return timed_out(timeout, "<signup>", seat.partial)

    def welcome(self, seat: RemoteSeat, name: str) -> None:
        """Give a player its name, and tell it; reading will show if that failed."""
        seat.name = name
        seat.send("signup", self.writer.write(messages.SignUp(name, *self._announced)))

    def refuse(self, seat: RemoteSeat, fault: Fault, farewells: trio.Nursery) -> None:
        """Tell a connection why it has no seat, and close it, in a task of its own."""
        farewells.start_soon(seat.finish, self._last_message(seat, fault))

    def drop(self, seat: RemoteSeat) -> None:
        """Close a connection in a crowd at once, with as much of the reason as the kernel takes.

        To read what it still sends, as others are, would need more descriptors for a crowd.
        """
        with suppress(OSError):
            seat.socket.send(self._last_message(seat, CROWDED_OUT))
        seat.close()

    def _last_message(self, seat: RemoteSeat, fault: Fault) -> bytes:
        seat.conversation.send("ejected")
        last = messages.Ejected(fault.reason.value, sign_up_fault_with_hint(fault))
        return self.writer.write(last)


class LimitedCrowd:
    """The connections that have not signed up, or those to a page: at most so many.

    If there are too many, room is made at the expense of the address that has the most of them: a
    player signs up at once, so the oldest of those is none, and a crowd keeps no player out. There
    is no quota for an address, since a class may be behind one.
    """

    def __init__(self, most: int = MAX_SILENT) -> None:
        self._most = most
        self._drops: dict[object, tuple[str, Callable[[], object]]] = {}
        """By connection, the oldest first: its host, and how it is dropped."""
        self._hosts: Counter[str] = Counter()

    def enter(self, connection: object, address: str, drop: Callable[[], object]) -> None:
        """Add a connection; ``drop`` is called if it has to make room."""
        if len(self._drops) >= self._most:
            ((crowd, _),) = self._hosts.most_common(1)
            oldest = next(each for each, (host, _) in self._drops.items() if host == crowd)
            _, make_room = self._drops[oldest]
            self.leave(oldest)
            make_room()
        self._drops[connection] = host_of(address), drop
        self._hosts[host_of(address)] += 1

    def leave(self, connection: object) -> None:
        """Forget a connection: it has signed up, or has gone; it may have left before."""
        if connection in self._drops:
            host, _ = self._drops.pop(connection)
            self._hosts -= Counter([host])  # which also forgets hosts with none left


def host_of(address: str) -> str:
    """Return the host of an address such as ``127.0.0.1:51234``."""
    return address.rpartition(":")[0]


async def hold(seat: RemoteSeat) -> Fault:
    """Wait until a player that is asked nothing disconnects, or sends something."""
    fault = await receive(seat, asked=False)
    assert isinstance(fault, Fault), "whatever comes unasked is one"
    return fault


async def receive(seat: RemoteSeat, *, asked: bool) -> PlayerMessage | Fault:
    """Wait until a connection has sent a whole message, or has done something wrong."""
    while True:
        await trio.lowlevel.wait_readable(seat.socket)
        await trio.lowlevel.checkpoint_if_cancelled()  # another task may read it by now
        if (answer := seat.receive(asked=asked)) is not None:
            return answer
