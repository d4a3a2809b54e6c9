"""One of our connections: it signs up, answers every message, and keeps what was sent when.

What a player chooses, or does wrong, is not known here. The administrator is not trusted: a message
that cannot be read is kept, and the connection is closed.
"""

import math
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import trio
from lxml import etree

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.dialect import Dialect
from ....protocol.faults import Fault, Reason
from ....protocol.framing import LIMIT_FROM_PLAYER, LIMIT_FROM_REFEREE, Framer
from ....protocol.messages import PlayerMessage, RefereeMessage
from ....protocol.reading import Reader, greeting_reader, referee_reader
from ....protocol.writing import Writer
from ..trial.wire import PLAIN_DELIVERY, Delivery
from .exchanges import Exchanged, SeatTrace

RECEIVE_SIZE = 65536
CLOSING = 2.0  # seconds in which a connection is closed after the scores
MOST_MESSAGES, MOST_BYTES = 10_000, 1 << 26
"""What is read of all messages in a match. At a table of six that nobody leaves there are 2,000."""
GREETING_PATIENCE = 1.0  # seconds in which a sign-up is usually answered; a later answer counts


class SocketDeed(Protocol):
    """What a misbehaving player does to its connection instead of answering."""

    def do(self, connection: socket.socket) -> None:
        """Do it; ``OSError`` if the connection breaks."""


SeatPlayer = Callable[[RefereeMessage], PlayerMessage | SocketDeed]


def a_moment(question: RefereeMessage, _: PlayerMessage | SocketDeed) -> float:
    """Return for how long a question to one player stays open: then others at once are seen."""
    alone = isinstance(question, messages.Keep | messages.Dispose | messages.NewTile)
    return 0.002 if alone else 0.0


@dataclass(frozen=True, slots=True)
class Manner:
    """How a player answers: in what form and pieces, and after what ``delay``.

    ``delay`` is called with the question and the answer, and returns seconds.
    """

    delivery: Delivery = PLAIN_DELIVERY
    delay: Callable[[RefereeMessage, PlayerMessage | SocketDeed], float] = a_moment
    stays: int | None = None  # how many messages it answers before it leaves, None for all
    enough: Callable[[], bool] = lambda: False  # it also leaves when this is true


@dataclass(slots=True)
class Timeline:
    """The one order of everything that happens in a match, and when something ``last`` did.

    ``read`` has what was read before: most positions are sent to all players alike. ``count``
    and ``size`` count what was sent: a game is finite, so a match in which it never ends is wrong.
    """

    began: float = field(default_factory=trio.current_time)
    last: float = field(default_factory=trio.current_time)
    read: dict[bytes, tuple[RefereeMessage | None, str]] = field(default_factory=dict)
    count: int = 0
    size: int = 0

    def now(self) -> float:
        """Return the seconds since the match began, never the same twice."""
        self.last = max(trio.current_time(), math.nextafter(self.last, math.inf))
        return self.last - self.began


@dataclass(slots=True)
class SeatClient:
    """One connection of a match, which has been made; ``sign_up`` first, then ``play``."""

    stream: trio.SocketStream
    rulebook: Rulebook
    trace: SeatTrace
    order: Timeline
    manner: Manner
    slowest: float = 0.0  # most seconds for an answer that was not to be delayed
    _framer: Framer = field(default_factory=lambda: Framer(LIMIT_FROM_REFEREE))
    _reader: Reader[RefereeMessage] = field(init=False)
    _writer: Writer = field(init=False)

    def __post_init__(self) -> None:
        self._reader, self._writer = referee_reader(self.rulebook), Writer(self.rulebook)

    async def sign_up(self) -> None:
        """Sign up, and wait for the answer as long as that usually takes."""
        self.trace.sign_up = self._writer.write(messages.SignUp(self.trace.asked_name))
        await self._send(self.trace.sign_up)
        with trio.move_on_after(GREETING_PATIENCE):
            await self._greet()

    async def play(self, player: SeatPlayer) -> None:
        """Answer all messages until the connection ends."""
        trace = self.trace
        if not trace.name and not trace.end:
            await self._greet()
        if not trace.name:
            return
        player(messages.SignUp(trace.name))
        while (exchange := await self._receive()) is not None:
            message, asked = exchange.message, trio.current_time()
            if message is None:
                break
            if isinstance(message, messages.Ejected):
                await self._see_the_end()
                break
            if self.manner.stays == len(trace.exchanges) or self.manner.enough():
                exchange.answer = Fault(Reason.DISCONNECTED, "The player has left.")
                exchange.answered = self.order.now()
                break
            try:
                answer = player(message)
            except Exception as error:  # positions that cannot be, as a broken administrator sends
                trace.gave_up = f"{type(error).__name__}: {error}"
                break
            if delay := self.manner.delay(message, answer):
                await trio.sleep(delay)
            if not isinstance(answer, PlayerMessage):
                await self._misbehave(exchange, answer)
                break
            await self._answer(exchange, answer)
            self.slowest = max(self.slowest, trio.current_time() - asked - delay)
            if isinstance(message, messages.Score | messages.ScoreView):
                await self._see_the_end()
                break
        await self._close()

    async def cheat_at_sign_up(self, deed: SocketDeed, patience: float) -> None:
        """Do something else than sign up, and wait for what comes of it, at most so long."""
        with trio.move_on_after(patience):
            await self._do(deed)
            if not self.trace.end:
                await self._greet()
        await self._close()

    async def _misbehave(self, exchange: Exchanged, deed: SocketDeed) -> None:
        """Do it, then wait for an explanation or the end of the connection."""
        cheat = self.trace.cheat
        assert cheat is not None, "only the cast does anything to its connection"
        exchange.answer = Fault(cheat.reason, cheat.description)
        exchange.sent = getattr(deed, "data", b"")[:LIMIT_FROM_PLAYER]
        exchange.answered = self.order.now()
        self.trace.cheated = exchange
        await self._do(deed)
        while not self.trace.end and (after := await self._receive()) is not None:
            if isinstance(after.message, messages.Ejected):
                await self._see_the_end()
                break

    async def _see_the_end(self) -> None:
        """Wait for the end of the connection after what is the last message."""
        with trio.move_on_after(CLOSING):
            while await self._receive():
                pass

    async def _do(self, deed: SocketDeed) -> None:
        """Do something to the connection, which may block, in a thread."""
        own = self.stream.socket
        raw = socket.socket(fileno=socket.dup(own.fileno()))
        raw.setblocking(True)

        def do() -> None:
            with raw:
                deed.do(raw)
                raw.setblocking(False)

        try:
            await trio.to_thread.run_sync(do, abandon_on_cancel=True)
        except OSError:
            self._end("Our player broke the connection, as it should.")
        except trio.Cancelled:
            own.shutdown(socket.SHUT_RDWR)  # wakes the thread
            raise

    # -- the wire -------------------------------------------------------------------------------

    async def _answer(self, exchange: Exchanged, answer: PlayerMessage) -> None:
        exchange.answer, exchange.sent = answer, self._writer.write(answer)
        form = self.manner.delivery
        *pieces, last = form.split(form.rewrite(exchange.sent))
        for piece in pieces:
            await self._send(piece)
            await trio.sleep(form.gap)
        exchange.answered = self.order.now()
        await self._send(last)

    async def _send(self, data: bytes) -> None:
        # reading says how a connection has ended
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self.stream.send_all(data)

    async def _greet(self) -> None:
        data = await self._document()
        if data is None:
            return
        reader = greeting_reader()
        try:
            greeting = reader.convert(reader.parse(data), data)
        except etree.XMLSyntaxError as error:
            greeting = Fault(Reason.MALFORMED, f"{error.msg}.", data)
        match greeting:
            case messages.SignUp(name, named):
                self.trace.name = name
                course = Dialect.of(self.rulebook) is Dialect.COURSE
                expected = None if course else self.rulebook.id
                if named != expected:
                    self._end(f"The answer to <signup> names rulebook {named}, not {expected}.")
            case messages.Ejected():
                self._end(f"<ejected>: {greeting.sentence}")
            case Fault(detail=detail):
                self._end(f"The answer to <signup> could not be read: {detail}")

    async def _receive(self) -> Exchanged | None:
        """Return the next message; ``None`` at the end of the connection."""
        data = await self._document()
        if data is None:
            return None
        order = self.order
        order.count, order.size = order.count + 1, order.size + len(data)
        if order.count > MOST_MESSAGES or order.size > MOST_BYTES:
            self._end("More was sent in this match than any game has: it never comes to an end.")
            return None
        if data not in order.read:
            order.read[data] = self._read(data)
        message, form = order.read[data]
        exchange = Exchanged(message, data, order.now(), form, self._framer.pending[:200])
        self.trace.exchanges.append(exchange)
        return exchange

    def _read(self, data: bytes) -> tuple[RefereeMessage | None, str]:
        """Return a message, as far as it can be read, and what is wrong with its form."""
        try:
            root = self._reader.parse(data)
        except etree.XMLSyntaxError as error:
            return None, f"Not well-formed XML: {error.msg}."
        read = self._reader.convert(root, data)
        if isinstance(read, Fault):
            return self._reader.convert_leniently(root), read.detail
        return read, ""

    async def _document(self) -> bytes | None:
        document = self._framer.feed(b"")
        while document is None:
            try:
                data = await self.stream.receive_some(RECEIVE_SIZE)
            except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                data = b""
                self.trace.reset = isinstance(error.__cause__, ConnectionResetError)
            if not data:
                how = "reset" if self.trace.reset else "closed"
                self._end(f"The administrator {how} the connection.")
                return None
            document = self._framer.feed(bytes(data))
        if isinstance(document, Fault):
            broken = Exchanged(None, document.data, self.order.now(), document.detail)
            self.trace.exchanges.append(broken)
            self._end(f"What was sent could not be read: {document.detail}")
            return None
        return document

    def _end(self, how: str) -> None:
        if not self.trace.end:
            self.trace.end, self.trace.ended = how, self.order.now()

    async def _close(self) -> None:
        with trio.CancelScope(shield=True):
            await trio.aclose_forcefully(self.stream)

    def abandon(self) -> None:
        """Close the connection at once, whatever it does."""
        self.stream.socket.close()
