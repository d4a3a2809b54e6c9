"""What a misbehaving player does to its connection instead of answering."""

import socket
import struct
from abc import ABC, abstractmethod
from contextlib import suppress
from select import select


class WireFault(ABC):
    """Something done to a socket that no answer of the protocol would do."""

    @abstractmethod
    def do(self, connection: socket.socket) -> None:
        """Do it; ``OSError`` if the connection breaks."""


class RawBytes(WireFault):
    """Sends these bytes, whatever they are."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def do(self, connection: socket.socket) -> None:
        """Send all bytes in one piece."""
        connection.sendall(self.data)


class Silence(WireFault):
    """Sends nothing."""

    def do(self, connection: socket.socket) -> None:
        """Leave the connection as it is."""


class SlowBytes(WireFault):
    """Sends bytes one at a time, ``interval`` seconds apart, until the referee answers."""

    def __init__(self, data: bytes, interval: float = 1.0) -> None:
        self.data = data
        self.interval = interval

    def do(self, connection: socket.socket) -> None:
        """Send a byte, wait, send the next."""
        for index in range(len(self.data)):
            connection.sendall(self.data[index : index + 1])
            if select([connection], [], [], self.interval)[0]:
                return


class HalfClose(WireFault):
    """Closes its own direction of the connection, after sending ``first``."""

    def __init__(self, first: bytes = b"") -> None:
        self.first = first

    def do(self, connection: socket.socket) -> None:
        """Send ``first`` and end the stream; the referee can still reply."""
        connection.sendall(self.first)
        connection.shutdown(socket.SHUT_WR)


class Reset(WireFault):
    """Resets the connection, as a program does that crashes over unread bytes."""

    def do(self, connection: socket.socket) -> None:
        """Close with a reset; always ``OSError``, since nothing can be received after it."""
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        raise ConnectionAbortedError("This player reset the connection")


class Flood(WireFault):
    """Sends the start of an element that never ends."""

    BLOCK_SIZE = 65536

    def __init__(self, total: int = 100_000_000) -> None:
        self.total = total

    def do(self, connection: socket.socket) -> None:
        """Send ``total`` bytes, or as many as the referee accepts."""
        block = b" " * self.BLOCK_SIZE
        with suppress(OSError):
            connection.sendall(b"<void")
            for _ in range(self.total // len(block)):
                connection.sendall(block)
