"""Players on bare sockets, each with a mistake that no client of the house makes."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import trio

from admin.check.case import Case
from admin.check.checking import Checker
from admin.check.judging import Result
from admin.trial.door import Visit
from admin.trial.wire import plain
from check.doors import Quiet
from game.rulebook import Rulebook
from player.strategies.simple import Ordered
from player.strategies.strategy import Strategy
from protocol import messages
from protocol.faults import Fault
from protocol.framing import LIMIT_FROM_ADMINISTRATOR, Framer
from protocol.inbox import DocumentCache
from protocol.messages import AdministratorMessage
from protocol.reading import administrator_reader, greeting_reader
from protocol.writing import Writer

Play: TypeAlias = Callable[[socket.socket, str], None]
"""What a player does with its connection, told the name to sign up with."""
Read: TypeAlias = Callable[
    [socket.socket, DocumentCache[AdministratorMessage]], AdministratorMessage
]
"""How a player reads one message; ``GaveUp`` where it cannot."""


class GaveUp(Exception):
    """A player's mistake has caught up with it, and it goes."""


class Bare:
    """A door through which a player comes who has nothing but a socket."""

    def __init__(self, play: Play) -> None:
        self._play = play

    @asynccontextmanager
    async def visit(self, name: str) -> AsyncIterator[Visit]:
        """Let the player come; it has left when the context is left."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            own = socket.create_connection(listener.getsockname())
            connection, _ = listener.accept()
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setblocking(False)

        def play() -> None:
            with own, suppress(GaveUp, OSError):  # how it ended is what the table sees
                self._play(own, name)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, play)
            yield Visit(connection, "thread")


async def check_bare(rulebook: Rulebook, cases: Sequence[Case], play: Play) -> dict[str, Result]:
    """Check such a player, all cases side by side; the results are by slug."""
    door = Bare(play)
    checker = Checker(rulebook, cases, door, Quiet(), jobs=len(cases), keep_going=True)
    return {result.case.slug: result for result in await checker.run()}


def playing(
    rulebook: Rulebook,
    reading: Callable[[], Read],
    make: Callable[[Rulebook, int], Strategy] = Ordered,
) -> Play:
    """Return a player who answers as ``ordered``, or another, does whatever it can read."""

    def play(connection: socket.socket, name: str) -> None:
        read = reading()
        writer, strategy = Writer(rulebook), make(rulebook, 0)
        connection.sendall(writer.write(messages.SignUp(name)))
        strategy(read(connection, DocumentCache(greeting_reader())))
        memory = DocumentCache(administrator_reader(rulebook))
        while True:
            message = read(connection, memory)
            connection.sendall(writer.write(strategy(message)))

    return play


def framed(look: Callable[[bytes], bytes] = plain) -> Read:
    """Return a way to read that makes no mistake, but for how it looks at whole messages."""
    framer = Framer(LIMIT_FROM_ADMINISTRATOR)

    def read(
        connection: socket.socket, memory: DocumentCache[AdministratorMessage]
    ) -> AdministratorMessage:
        document = framer.feed(b"")
        while document is None:
            if not (data := connection.recv(65536)):
                raise GaveUp
            document = framer.feed(data)
        assert isinstance(document, bytes), "the administrator's own message"
        return understood(memory, look(document))

    return read


def at_once(size: int = 65536) -> Read:
    """Return a way to read that takes what one read brings for a message."""

    def read(
        connection: socket.socket, memory: DocumentCache[AdministratorMessage]
    ) -> AdministratorMessage:
        return understood(memory, connection.recv(size))

    return read


def understood(memory: DocumentCache[AdministratorMessage], data: bytes) -> AdministratorMessage:
    """Return the message that these bytes are; ``GaveUp`` if they are none."""
    message = memory.read(data)
    if isinstance(message, Fault):
        raise GaveUp
    return message
