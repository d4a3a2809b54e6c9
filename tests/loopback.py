"""A server and its players on loopback, all in the test's own event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import trio
from lxml import etree

from acquire.admin.refereeing.log.reader import RecordedGame, read
from acquire.admin.refereeing.log.recorder import Header
from acquire.admin.refereeing.log.verifier import Verification, Verifier
from acquire.admin.refereeing.play.in_process import Strategy
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.server import Server, Settings
from acquire.admin.refereeing.table.server_events import (
    GameAbandoned,
    GameBegan,
    GameEnded,
    Happened,
    Listening,
    LogWritten,
    Milestone,
    ServerEvent,
    SignUpsChanged,
    TurnedAway,
    Unfilled,
)
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import REVISED
from acquire.protocol import messages
from acquire.protocol.faults import Fault
from acquire.protocol.framing import LIMIT_FROM_REFEREE, Framer
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.reading import referee_reader
from acquire.protocol.writing import Writer

PATIENT = Clocks(30, 30)
"""For tests in which nobody is to be late, on however slow a machine."""
WRITER = Writer(REVISED)
M = TypeVar("M", bound=RefereeMessage)


class Witness:
    """An observer that writes down what it is told, and a way to wait for it."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.sign_ups: list[list[str]] = []
        self.free: set[int] = set()
        """How many free seats there were, as announced."""
        self.given_up: list[tuple[int, int, int]] = []
        self.headers: dict[int, Header] = {}
        self.events: dict[int, list[Milestone]] = {}
        self.games: dict[int, GameEnded] = {}
        self.refused: list[tuple[str, Fault]] = []
        self.broken_off: dict[int, str] = {}
        self._news = trio.Event()

    @property
    def port(self) -> int:
        """Where the server listens."""
        return int(self.addresses[0].rpartition(":")[2])

    async def until(self, happened: Callable[[], object]) -> None:
        """Wait until a condition holds; it is checked whenever something happens."""
        while not happened():
            await self._news.wait()

    async def until_signed_up(self, *names: str) -> None:
        """Wait until exactly these have signed up for the table that is being filled."""
        await self.until(lambda: self.sign_ups[-1:] == [list(names)])

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def __call__(self, event: ServerEvent) -> None:
        match event:
            case Listening(addresses):
                self.addresses += addresses
            case SignUpsChanged(_, names, seats):
                self.sign_ups.append(list(names))
                self.free.add(seats)
            case TurnedAway(_, name, fault):
                self.refused.append((name, fault))
            case Unfilled(number, signed_up, needed):
                self.given_up.append((number, signed_up, needed))
            case GameBegan(number, header):
                self.headers[number] = header
                self.events[number] = []
            case Happened(number, milestone):
                self.events[number].append(milestone)
            case GameEnded(number):
                self.games[number] = event
            case GameAbandoned(number, why):
                self.broken_off[number] = why
            case LogWritten():
                return
        self._tell()


_peers: ContextVar[list[Peer]] = ContextVar("_peers")


@asynccontextmanager
async def closing_peers() -> AsyncIterator[None]:
    """Close at the end what a test that failed left open of the peers that connected meanwhile."""
    peers: list[Peer] = []
    token = _peers.set(peers)
    try:
        yield
    finally:
        _peers.reset(token)
        for peer in peers:
            await trio.aclose_forcefully(peer.stream)


@asynccontextmanager
async def serving(log_dir: Path, **changes: Any) -> AsyncIterator[tuple[Server, Witness]]:
    """Run a server as long as the block, and then until it is done by itself.

    One game of three patient players, unless ``changes`` to the settings say otherwise.
    """
    settings = Settings(
        rulebook=REVISED,
        host="127.0.0.1",
        port=0,
        players=3,
        games=1,
        seed=1,
        log_dir=log_dir,
        signup_timeout=30,
        clocks=PATIENT,
    )
    settings, witness = replace(settings, **changes), Witness()
    server = Server(settings, witness)
    with trio.fail_after(60 if settings.games is None else 60 * settings.games):
        async with closing_peers(), trio.open_nursery() as nursery:
            nursery.start_soon(server.run)
            await witness.until(lambda: witness.addresses)
            yield server, witness


class Peer:
    """A player's end of a connection, driven by hand; it speaks in the words of one rulebook."""

    def __init__(self, stream: trio.SocketStream, rulebook: Rulebook = REVISED) -> None:
        self.stream = stream
        self.name = ""
        self._framer = Framer(LIMIT_FROM_REFEREE)
        self._reader = referee_reader(rulebook)
        self._writer = Writer(rulebook)

    @classmethod
    async def connect(cls, port: int, rulebook: Rulebook = REVISED) -> Peer:
        """Connect to a server on loopback."""
        peer = cls(await trio.open_tcp_stream("127.0.0.1", port), rulebook)
        _peers.get().append(peer)
        return peer

    @classmethod
    async def signed_up(cls, port: int, name: str, rulebook: Rulebook = REVISED) -> Peer:
        """Connect, sign up and hear the name that was given."""
        peer = await cls.connect(port, rulebook)
        await peer.sign_up(name)
        return peer

    async def sign_up(self, name: str) -> str:
        """Sign up and return the name that was given."""
        await self.say(messages.SignUp(name))
        self.name = (await self.hear(messages.SignUp)).name
        return self.name

    async def send(self, data: bytes) -> None:
        """Send any bytes."""
        await self.stream.send_all(data)

    async def say(self, message: PlayerMessage) -> None:
        """Send a message."""
        await self.send(self._writer.write(message))

    async def next(self) -> RefereeMessage | None:
        """Receive the next message; ``None`` when the connection was closed."""
        document = self._framer.feed(b"")
        while document is None:
            data = await self.stream.receive_some()
            if not data:
                assert not self._framer.pending, "closed within a message"
                return None
            document = self._framer.feed(data)
        assert not isinstance(document, Fault), document
        message = self._reader.convert(etree.fromstring(document), document)
        assert not isinstance(message, Fault), message
        return message

    async def hear(self, kind: type[M]) -> M:
        """Receive the next message, which is of this kind."""
        message = await self.next()
        assert isinstance(message, kind), message
        return message

    async def is_told(self, reason: str) -> str:
        """Hear as the last words for which reason this connection ends, and return the sentence."""
        async with self.stream:
            last = await self.hear(messages.Ejected)
            assert last.reason == reason, last
            assert await self.next() is None
        return last.sentence

    async def play(self, strategy: Strategy) -> RefereeMessage:
        """Play on to the scores or an ejection, and return that message."""
        async with self.stream:
            while True:
                message = await self.next()
                assert message is not None, "closed without a word"
                if not isinstance(message, messages.Ejected):
                    await self.say(strategy(message))
                if isinstance(message, messages.Score | messages.ScoreView | messages.Ejected):
                    assert await self.next() is None
                    return message


def verified(log: Path) -> RecordedGame:
    """Read a log, which validates it, and play it again: every fact in it has to hold."""
    record, _ = verification(log)
    return record


def verification(log: Path) -> tuple[RecordedGame, Verification]:
    """Do the same, and return also what the verification found."""
    record = read(log)
    verdict = Verifier(record).verify()
    assert verdict.divergence is None, verdict.divergence
    return record, verdict
