"""The wire between the referee and a player: it cuts and dresses messages, and writes all down.

The referee talks to one end of a pair of sockets; what it says is handed on to the player's
connection in a manner that TCP, or another administrator, might have. What the player says is
handed back as it came.
"""

import math
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import trio

from admin.table.lag import Lag
from protocol.faults import Fault
from protocol.framing import LIMIT_FROM_ADMINISTRATOR, Framer

CHUNK = 65536
LONGEST_WAY = 10.0
"""Seconds after which a message counts as delivered, whoever it is that keeps it."""
KEPT = 1 << 18
"""Bytes of what one side said that are written down."""


def whole(message: bytes) -> Iterable[bytes]:
    """Leave a message in one piece."""
    return (message,)


def plain(message: bytes) -> bytes:
    """Leave a message as it is written."""
    return message


@dataclass(frozen=True, slots=True)
class Manner:
    """How messages reach a player.

    ``dress`` writes a message in another form, ``cut`` makes pieces of it, between which are
    ``pause`` seconds. ``glued`` sends the answer to the sign-up together with the first position.
    """

    dress: Callable[[bytes], bytes] = plain
    cut: Callable[[bytes], Iterable[bytes]] = whole
    pause: float = 0.0
    glued: bool = False


ORDINARY = Manner()


class Line(NamedTuple):
    """What one side said, ``seconds`` after the connection was made; ``speaker`` is A or P.

    ``cuts`` are the places in the data before which it was cut on purpose.
    """

    seconds: float
    speaker: str
    data: bytes
    cuts: tuple[int, ...] = ()


class Wire:
    """One connection; ``end`` is the referee's socket, ``carry`` is to be run once.

    ``lines`` is what was said, message by message from the administrator, and piece by piece from
    the player: at most ``KEPT`` bytes of each. ``delivered`` is set when the referee has said its
    last, and all of it is with the player, or the player is gone.
    """

    def __init__(self, connection: socket.socket, manner: Manner) -> None:
        self.end, near = socket.socketpair()
        self.end.setblocking(False)
        self._near = trio.SocketStream(trio.socket.from_stdlib_socket(near))
        self._player = trio.SocketStream(trio.socket.from_stdlib_socket(connection))
        self._manner = manner
        self._began = trio.current_time()
        self._left = {"A": KEPT, "P": KEPT}
        self._set_out: float | None = None
        self._arrival = -math.inf
        self.lines: list[Line] = []
        self.delivered = trio.Event()

    async def carry(self) -> None:
        """Carry bytes both ways until both sides have nothing more to say, or it is cancelled."""
        async with self._near, self._player, trio.open_nursery() as nursery:
            nursery.start_soon(self._to_player)
            nursery.start_soon(self._to_referee)

    def _note(self, speaker: str, data: bytes, cuts: tuple[int, ...] = ()) -> None:
        kept = data[: self._left[speaker]]
        self._left[speaker] -= len(kept)
        if kept:
            self.lines.append(Line(trio.current_time() - self._began, speaker, kept, cuts))

    async def _to_player(self) -> None:
        framer = Framer(LIMIT_FROM_ADMINISTRATOR)
        held, first = b"", self._manner.glued
        try:
            async for data in self._near:
                found = framer.feed(bytes(data))
                while found is not None:
                    assert not isinstance(found, Fault), "the administrator's own message"
                    message = self._manner.dress(found)
                    pieces = list(self._manner.cut(message))
                    self._note("A", message, tuple(accumulate(map(len, pieces[:-1]))))
                    if first:
                        held, first = message, False
                    else:
                        await self._say([held + pieces[0], *pieces[1:]])
                        held = b""
                    found = framer.feed(b"")
            if held:
                await self._say([held])
            await self._player.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the player is gone, as the referee sees by what comes back
        finally:
            self.delivered.set()

    async def _say(self, pieces: Iterable[bytes]) -> None:
        self._set_out = trio.current_time()
        for number, piece in enumerate(pieces):
            if number:
                await trio.sleep(self._manner.pause)
            await self._player.send_all(piece)
        self._set_out = None
        self._arrival = trio.current_time()

    def arrived(self, time: float) -> float:
        """Return when what the referee said at this time had reached the player.

        That is now, as long as it is on its way; a player who does not read is not waited for.
        """
        if self._set_out is None:
            return max(self._arrival, time)
        return min(trio.current_time(), self._set_out + LONGEST_WAY)

    async def _to_referee(self) -> None:
        try:
            async for data in self._player:
                self._note("P", bytes(data))
                await self._near.send_all(data)
        except trio.BrokenResourceError:
            pass  # one of the two is gone: the other end is told by the end of the stream
        with suppress(trio.BrokenResourceError):  # the referee is gone as well
            await self._near.send_eof()


class Delay(Lag):
    """The lag of this process, for players at the end of a wire."""

    def __init__(self, lag: Lag, wire: Wire) -> None:
        super().__init__()
        self._lag = lag
        self._wire = wire

    def worst_since(self, time: float) -> float:
        """Return the longest delay of the process in seconds, at or after ``time``."""
        return self._lag.worst_since(time)

    def delivered_at(self, sent: float) -> float:
        """Return when data sent at this time reached the player."""
        return self._wire.arrived(sent)
