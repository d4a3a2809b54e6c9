"""One player at a table: a connection, or a strategy of the house.

A connection is a plain non-blocking socket with a protocol beside it. Its seat sends and receives
what the kernel takes and gives at once; waiting is the table's business.
"""

import socket
from typing import NamedTuple, TypeAlias, final

import trio

from admin.match.in_process import LocalSeat
from protocol.conversation import Conversation, surplus_fault
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.inbox import DocumentCache, Inbox
from protocol.messages import PlayerMessage

CHUNK = 65536
"""Bytes read at once."""
DRAINED = 1 << 20
"""Bytes of an ejected player that are still read, so that the last element can arrive."""


class RemoteSeat:
    """A player at the other end of a connection.

    ``fault`` is what the player did while nothing was asked; it is told at the next question.
    """

    def __init__(
        self,
        connection: socket.socket,
        memory: DocumentCache[PlayerMessage],
        address: str,
        dialect: Dialect = Dialect.COURSE,
    ) -> None:
        self.socket = connection
        self.address = address
        self.name = ""
        self.conversation = Conversation.of_administrator(dialect=dialect)
        self.fault: Fault | None = None
        self._inbox: Inbox[PlayerMessage] = Inbox(memory, self.conversation, LIMIT_FROM_PLAYER)
        self._unsent = b""

    @property
    def sending(self) -> bool:
        """Whether the kernel has not yet taken all that was said."""
        return bool(self._unsent)

    @property
    def pending(self) -> bytes:
        """The bytes of an answer that has not ended yet."""
        return self._inbox.pending

    def say(self, tag: str, data: bytes) -> None:
        """Say a message; what the kernel does not take at once waits for :meth:`push`."""
        self.conversation.send(tag)
        if self._unsent:
            self._unsent += data
            return
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self.fault = gone(error)
            return
        if sent != len(data):
            self._unsent = data[sent:]

    def push(self) -> None:
        """Send more of what the kernel has not yet taken."""
        try:
            self._unsent = self._unsent[self.socket.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError as error:
            self._unsent = b""
            self.fault = gone(error)

    def take(self, *, asked: bool) -> PlayerMessage | Fault | None:
        """Read what has come: a message, a fault, or ``None`` while more is to come."""
        try:
            data = self.socket.recv(CHUNK)
        except BlockingIOError:
            return None
        except OSError as error:
            return gone(error)
        if not data:
            half = self.pending
            detail = "It ended within a message." if half else "No message was under way."
            return Fault(Reason.DISCONNECTED, detail, half)
        if not asked:
            return self._unasked(data[:LIMIT_FROM_PLAYER])
        return self._inbox.receive(data)

    @staticmethod
    def _unasked(data: bytes) -> Fault | None:
        """Judge what came while nothing was asked: white space is nothing."""
        return surplus_fault("Nothing", data, data) if data.strip() else None

    def close(self) -> None:
        """Close the connection at once."""
        trio.lowlevel.notify_closing(self.socket)
        self.socket.close()

    async def finish(self, last: bytes = b"") -> None:
        """Send what is unsent and ``last``, then close, waiting for the peer a moment.

        The peer has a second to take it. Bytes that it is still sending are read and thrown away,
        for a connection closed over unread bytes is reset, and the last element lost.
        """
        self._unsent += last
        with trio.move_on_after(1) as scope:
            scope.shield = True
            await self._finish()
        self.close()

    async def _finish(self) -> None:
        try:
            while self._unsent:
                self.push()
                if self._unsent:
                    await trio.lowlevel.wait_writable(self.socket)
            self.socket.shutdown(socket.SHUT_WR)
            left = DRAINED
            while left > 0:
                await trio.lowlevel.wait_readable(self.socket)
                left -= len(self.socket.recv(CHUNK)) or left
        except OSError:
            return  # the peer is gone, and there is nobody to tell


@final
class EmptySeat(NamedTuple):
    """The seat of a player who never came: the fault is told at the first question."""

    name: str
    fault: Fault


Seat: TypeAlias = RemoteSeat | LocalSeat | EmptySeat


def gone(error: OSError) -> Fault:
    """Return the fault of a peer whose connection broke."""
    return Fault(Reason.DISCONNECTED, f"{error.strerror or error}.")
