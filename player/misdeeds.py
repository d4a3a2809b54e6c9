"""What a misbehaving player does to its connection instead of answering."""

import socket
import time
from abc import ABC, abstractmethod


class Misdeed(ABC):
    """Something that a player does with its socket which no answer of the protocol would do."""

    @abstractmethod
    def do(self, connection: socket.socket) -> None:
        """Do it; ``OSError`` passes through where the administrator ends it first."""


class Send(Misdeed):
    """Sends these bytes, whatever they are."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def do(self, connection: socket.socket) -> None:
        """Send all of them in one piece."""
        connection.sendall(self.data)


class Silence(Misdeed):
    """Says nothing."""

    def do(self, connection: socket.socket) -> None:
        """Leave the connection as it is."""


class Dribble(Misdeed):
    """Sends bytes one at a time, ``interval`` seconds apart."""

    def __init__(self, data: bytes, interval: float = 1.0) -> None:
        self.data = data
        self.interval = interval

    def do(self, connection: socket.socket) -> None:
        """Send a byte, wait, send the next."""
        for index in range(len(self.data)):
            connection.sendall(self.data[index : index + 1])
            time.sleep(self.interval)


class GoAway(Misdeed):
    """Closes its side of the connection, after ``first`` if that is given."""

    def __init__(self, first: bytes = b"") -> None:
        self.first = first

    def do(self, connection: socket.socket) -> None:
        """Send ``first`` and say no more; the administrator can still be heard."""
        connection.sendall(self.first)
        connection.shutdown(socket.SHUT_WR)


class Flood(Misdeed):
    """Sends the start of an element that never ends."""

    def __init__(self, total: int = 100_000_000) -> None:
        self.total = total

    def do(self, connection: socket.socket) -> None:
        """Send ``total`` bytes, or as many as the administrator lets through."""
        connection.sendall(b"<void")
        block = b" " * 65536
        for _ in range(self.total // len(block)):
            connection.sendall(block)
