"""Players in threads of this process, each at a real connection, in virtual time."""

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import trio
from virtual_time import Players, PlayerSocket

from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.judging.case_judge import clocks_for
from acquire.admin.testing.judging.check_result import CaseResult, CaseVerdict
from acquire.admin.testing.judging.checker import Checker
from acquire.admin.testing.judging.common_cause import with_common_cause
from acquire.admin.testing.trial.player_source import PlayerConnection
from acquire.admin.testing.trial.wire import unchanged
from acquire.game.rulebook import Rulebook
from acquire.player.strategies.simple import Ordered
from acquire.player.strategies.strategy import Strategy
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.framing import LIMIT_FROM_REFEREE, Framer
from acquire.protocol.inbox import DocumentCache
from acquire.protocol.messages import RefereeMessage
from acquire.protocol.reading import greeting_reader, referee_reader
from acquire.protocol.writing import Writer

Play: TypeAlias = Callable[[PlayerSocket, str], object]
"""Plays over a connection, given the name to sign up with."""


class GaveUp(Exception):
    """A player gives up because of its bug."""


class ThreadSource:
    """A source that runs a player in a thread for each trial; time stops while it is busy."""

    def __init__(self, play: Play, players: Players) -> None:
        self._play = play
        self._players = players

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Start the player; it has ended when the context is left."""
        own, connection = socket.socketpair()  # over TCP, a busy kernel delivers a little late
        connection.setblocking(False)
        watched = self._players.watch(own)

        def play() -> None:
            with watched, suppress(GaveUp, OSError):  # the referee sees how it ended
                self._play(watched, name)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, play)
            yield PlayerConnection(connection, "thread")


async def check(
    cases: Sequence[Case],
    play: Play,
    players: Players,
    *,
    strict: bool = False,
    jobs: int = 8,
    clocks: Callable[[Case], Clocks] = clocks_for,
) -> list[CaseResult]:
    """Check a player."""
    checker = Checker(
        cases, ThreadSource(play, players), jobs=jobs, strict=strict, keep_going=True, clocks=clocks
    )
    results = await checker.run()
    with_common_cause(tuple(results))  # whatever a player sends, there is an explanation, or none
    return results


async def verdicts(
    cases: Sequence[Case], play: Play, players: Players
) -> dict[str, tuple[CaseVerdict, str]]:
    """Check a player; return the verdict on each case by slug, and what ended it."""
    results = await check(cases, play, players)
    return {result.case.slug: (result.verdict, result.ended_by) for result in results}


# -- players with a bug in how they read --------------------------------------------------------

Read: TypeAlias = Callable[[PlayerSocket, DocumentCache[RefereeMessage]], RefereeMessage]
"""Reads one message; raises ``GaveUp`` if the player cannot understand it."""


def playing(
    rulebook: Rulebook,
    reading: Callable[[], Read],
    make: Callable[[Rulebook, int], Strategy] = Ordered,
    deaf_to: tuple[type, ...] = (),
) -> Play:
    """A player that reads in its own way, and answers as ``ordered`` or another strategy.

    It ignores the messages that it is ``deaf_to``.
    """

    def play(connection: PlayerSocket, name: str) -> None:
        read = reading()
        writer, strategy = Writer(rulebook), make(rulebook, 0)
        connection.sendall(writer.write(messages.SignUp(name)))
        strategy(read(connection, DocumentCache(greeting_reader())))
        cache = DocumentCache(referee_reader(rulebook))
        while True:
            message = read(connection, cache)
            if not isinstance(message, deaf_to):
                connection.sendall(writer.write(strategy(message)))

    return play


def receive(connection: PlayerSocket) -> bytes:
    """Receive what has come, or wait for it."""
    return connection.recv(65536)


def framed(
    transform: Callable[[bytes], bytes] = unchanged,
    receive: Callable[[PlayerSocket], bytes] = receive,
) -> Read:
    """Read whole messages correctly; ``transform`` or ``receive`` may have a bug."""
    framer = Framer(LIMIT_FROM_REFEREE)

    def read(connection: PlayerSocket, cache: DocumentCache[RefereeMessage]) -> RefereeMessage:
        document = framer.feed(b"")
        while document is None:
            if not (data := receive(connection)):
                raise GaveUp
            document = framer.feed(data)
        assert isinstance(document, bytes), "the referee's own message"
        return understand(cache, transform(document))

    return read


def one_read(size: int = 65536) -> Read:
    """Treat each read as exactly one message."""

    def read(connection: PlayerSocket, cache: DocumentCache[RefereeMessage]) -> RefereeMessage:
        return understand(cache, connection.recv(size))

    return read


def understand(cache: DocumentCache[RefereeMessage], data: bytes) -> RefereeMessage:
    """Return the message in these bytes; ``GaveUp`` if there is none."""
    message = cache.read(data)
    if isinstance(message, Fault):
        raise GaveUp
    return message
