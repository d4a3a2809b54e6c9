"""One player at a table: a connection, or a strategy in this process.

A connection is a non-blocking socket and its conversation. A seat sends and receives what the
kernel takes and has at once; the table does the waiting.
"""

import socket
from contextlib import suppress
from typing import NamedTuple, TypeAlias, final

import trio

from ....protocol.conversation import NOTHING, Conversation, Side, surplus_fault
from ....protocol.dialect import Dialect
from ....protocol.faults import Circumstance, Fault, Reason
from ....protocol.framing import LIMIT_FROM_PLAYER
from ....protocol.inbox import DocumentCache, Inbox
from ....protocol.messages import PlayerMessage
from ..play.in_process import LocalSeat
from .clocks import in_seconds
from .lag import TimeTaken

CHUNK = 65536
MAX_DRAINED = 1 << 20  # bytes read from an ejected player, so that the last element can arrive
NOTABLE_SECONDS = 0.01  # less than this used of a limit is not mentioned when it is explained
CLOSE_TIMEOUT = 1.0  # seconds for a player to take what is sent last


class RemoteSeat:
    """A player at the other end of a connection.

    ``fault`` is what the player did wrong while nothing was asked; it answers the next question.
    """

    def __init__(
        self,
        connection: socket.socket,
        cache: DocumentCache[PlayerMessage],
        address: str,
        dialect: Dialect = Dialect.COURSE,
    ) -> None:
        self.socket = connection
        self.address = address
        self.name = ""
        self.clock: float | None = None  # seconds for a turn and any other answer, if its own
        self.conversation = Conversation(Side.REFEREE, dialect=dialect)
        self.fault: Fault | None = None
        self._inbox: Inbox[PlayerMessage] = Inbox(cache, self.conversation, LIMIT_FROM_PLAYER)
        self._unsent = b""

    @property
    def has_unsent(self) -> bool:
        """Whether the kernel has not yet taken everything that was sent."""
        return bool(self._unsent)

    @property
    def partial(self) -> bytes:
        """The bytes of an answer that is still incomplete."""
        return self._inbox.pending

    def send(self, tag: str, data: bytes) -> None:
        """Send a message; :meth:`flush` sends what the kernel does not take at once."""
        self.conversation.send(tag)
        waiting = self.has_unsent
        self._unsent += data
        if not waiting:
            self.flush()

    def flush(self) -> None:
        """Send as much of the rest as the kernel takes now."""
        try:
            self._unsent = self._unsent[self.socket.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError as error:
            self._unsent = b""
            self.fault = disconnected(error)

    def receive(self, *, asked: bool) -> PlayerMessage | Fault | None:
        """Read what has arrived: a message, a fault, or ``None`` while it is incomplete."""
        try:
            data = self.socket.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError as error:
            return disconnected(error)
        if not data:
            when = " in the middle of a message" if self.partial else ""
            how = f"{when}; expected {self.conversation.expected()}"
            if not asked:
                how = " while no answer was expected"
            detail = f"The player closed the connection{how}."
            return Fault(Reason.DISCONNECTED, detail, self.partial)
        if asked:
            return self._inbox.receive(data)
        data = data[:LIMIT_FROM_PLAYER]
        if not data.strip():
            return None  # white space is no fault
        return surplus_fault(NOTHING, data, data)._replace(circumstance=Circumstance.UNASKED)

    def close(self) -> None:
        """Close the connection at once."""
        trio.lowlevel.notify_closing(self.socket)
        self.socket.close()

    async def finish(self, last: bytes = b"") -> None:
        """Send what is unsent and ``last``, then close the connection.

        The peer has a second to take it. What it sends meanwhile is read and dropped, for closing
        a connection with unread bytes resets it, and the last element would be lost.
        """
        self._unsent += last
        with trio.move_on_after(CLOSE_TIMEOUT, shield=True), suppress(OSError):  # it may be gone
            while self._unsent:
                self.flush()
                if self._unsent:
                    await trio.lowlevel.wait_writable(self.socket)
            self.socket.shutdown(socket.SHUT_WR)
            left = MAX_DRAINED
            while left > 0:
                await trio.lowlevel.wait_readable(self.socket)
                left -= len(self.socket.recv(CHUNK)) or left
        self.close()


@final
class EmptySeat(NamedTuple):
    """The seat of a player who never connected: the fault answers its first question."""

    name: str
    fault: Fault


Seat: TypeAlias = RemoteSeat | LocalSeat | EmptySeat


def disconnected(error: OSError) -> Fault:
    """Return the fault of a peer whose connection broke."""
    return Fault(Reason.DISCONNECTED, f"{error.strerror or error}.")


def timed_out(
    limit: float,
    expected: str,
    partial: bytes = b"",
    *,
    used: float = 0.0,
    game: float | None = None,
    taken: TimeTaken | None = None,
    unread: bool = False,
) -> Fault:
    """Return the fault of a player who has not answered in time.

    ``limit`` is in seconds, of which ``used`` were used up by earlier answers in the same turn, or
    in the whole game if ``game`` is the limit for that. ``expected`` are the tags of the answer,
    ``partial`` what has arrived of it. ``taken`` is how the time was spent. ``unread`` is
    whether the player has not even read the question.
    """
    detail = f"The limit for {expected} was {in_seconds(limit)}."
    if game is not None:
        total = in_seconds(game - limit + (taken.elapsed - taken.excused if taken else 0.0))
        detail = (
            f"All its answers in a game may take {in_seconds(game)} (clocks.game). They took "
            f"{total}, up to the question for {expected}."
        )
    elif used >= NOTABLE_SECONDS:
        detail = (
            f"The limit for {expected} was {in_seconds(limit - used)}: the rest of the "
            f"{in_seconds(limit)} for the whole turn."
        )
    if taken is not None and (sentence := taken.in_words()):
        detail += f" {sentence}"
    circumstance = Circumstance.COMPUTING if taken is not None and taken.computed else None
    if unread:
        circumstance = Circumstance.UNREAD
        detail += " The question itself was not read."
    elif partial:
        detail += f" {len(partial)} bytes arrived, but the element was never closed."
    return Fault(Reason.TIMED_OUT, detail, partial, circumstance)
