"""What a misbehaving player does to its connection instead of answering."""

import socket
import struct
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from select import select


class WireFault(ABC):
    """Something done to a socket that no answer of the protocol would do."""

    @abstractmethod
    def do(self, connection: socket.socket) -> None:
        """Do it; ``OSError`` if the connection breaks."""


@dataclass(frozen=True)
class RawBytes(WireFault):
    """Sends these bytes, whatever they are."""

    data: bytes

    def do(self, connection: socket.socket) -> None:
        """Send all bytes in one piece."""
        connection.sendall(self.data)


class Silence(WireFault):
    """Sends nothing."""

    def do(self, connection: socket.socket) -> None:
        """Leave the connection as it is."""


@dataclass(frozen=True)
class SlowBytes(WireFault):
    """Sends bytes one at a time, ``interval`` seconds apart, until the referee answers."""

    data: bytes
    interval: float = 1.0

    def do(self, connection: socket.socket) -> None:
        """Send a byte, wait, send the next."""
        for index in range(len(self.data)):
            connection.sendall(self.data[index : index + 1])
            if select([connection], [], [], self.interval)[0]:
                return


@dataclass(frozen=True)
class HalfClose(WireFault):
    """Closes its own direction of the connection, after sending ``first``."""

    first: bytes = b""

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


@dataclass(frozen=True)
class Flood(WireFault):
    """Sends the start of an element that never ends."""

    total: int = 100_000_000

    def do(self, connection: socket.socket) -> None:
        """Send ``total`` bytes, or as many as the referee accepts."""
        block = b" " * 65536
        with suppress(OSError):
            connection.sendall(b"<void")
            for _ in range(self.total // len(block)):
                connection.sendall(block)
