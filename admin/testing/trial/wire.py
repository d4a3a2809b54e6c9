"""The wire between referee and player: it splits and rewrites messages, and records them.

The referee talks to one end of a socket pair. What it sends is what it sends in a game; here it
gets a form that TCP, or another referee, might produce: in pieces, late, pretty-printed. What the
player sends is passed back unchanged. So neither can tell a trial from a game.
"""

import math
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import trio

from ....protocol.faults import Fault
from ....protocol.framing import LIMIT_FROM_REFEREE, Framer

MAX_DELIVERY_SECONDS = 10.0  # then a message counts as delivered, even if the player reads none
MAX_RECORDED_BYTES = 1 << 18  # how many bytes are recorded of what each side sends


def unchanged(message: bytes) -> bytes:
    """Leave a message as it is."""
    return message


@dataclass(frozen=True, slots=True)
class Delivery:
    """How messages are delivered to a player."""

    rewrite: Callable[[bytes], bytes] = unchanged  # changes the form of a message
    split: Callable[[bytes], Iterable[bytes]] = lambda message: (message,)  # into pieces
    gap: float = 0.0  # seconds between two pieces
    join_sign_up: bool = False  # the answer to the sign-up is sent with the first position


PLAIN_DELIVERY = Delivery()


class TranscriptEntry(NamedTuple):
    """What one side sent."""

    seconds: float  # after the connection was made
    sender: str  # A (referee) or P (player)
    data: bytes
    splits: tuple[int, ...] = ()  # the offsets at which the data was split on purpose


class Wire:
    """One connection. ``end`` is the referee's socket; ``relay`` is to be run once.

    ``transcript`` has the referee's messages one by one, and the player's bytes as they
    arrived, also after the referee has left, at most ``MAX_RECORDED_BYTES`` of each.
    ``delivered`` is set when the player has received all that the referee sent, or has left;
    ``player_left`` when nothing more can come from it.
    """

    def __init__(self, connection: socket.socket, delivery: Delivery) -> None:
        self.end, near = socket.socketpair()
        self.end.setblocking(False)
        self._near = trio.SocketStream(trio.socket.from_stdlib_socket(near))
        self._player = trio.SocketStream(trio.socket.from_stdlib_socket(connection))
        self._delivery = delivery
        self._began = trio.current_time()
        self._bytes_left = {"A": MAX_RECORDED_BYTES, "P": MAX_RECORDED_BYTES}
        self._sending_since: float | None = None
        self._sent_at = -math.inf
        self.transcript: list[TranscriptEntry] = []
        self.delivered = trio.Event()
        self.player_left = trio.Event()

    async def relay(self) -> None:
        """Relay bytes in both directions until both sides have finished, or cancelled."""
        async with self._near, self._player, trio.open_nursery() as nursery:
            nursery.start_soon(self._to_player)
            nursery.start_soon(self._to_referee)

    def _record(self, sender: str, data: bytes, splits: tuple[int, ...] = ()) -> None:
        kept = data[: self._bytes_left[sender]]
        self._bytes_left[sender] -= len(kept)
        if kept:
            seconds = trio.current_time() - self._began
            self.transcript.append(TranscriptEntry(seconds, sender, kept, splits))

    async def _to_player(self) -> None:
        framer = Framer(LIMIT_FROM_REFEREE)
        held, is_first = b"", self._delivery.join_sign_up
        try:
            async for data in self._near:
                found = framer.feed(bytes(data))
                while found is not None:
                    assert not isinstance(found, Fault), "the referee sent a broken message"
                    message = self._delivery.rewrite(found)
                    pieces = list(self._delivery.split(message))
                    self._record("A", message, tuple(accumulate(map(len, pieces[:-1]))))
                    if is_first:
                        held, is_first = message, False
                    else:
                        await self._send([held + pieces[0], *pieces[1:]])
                        held = b""
                    found = framer.feed(b"")
            if held:
                await self._send([held])
            await self._player.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # the player is gone, as the referee sees by what comes back
        finally:
            self.delivered.set()

    async def _send(self, pieces: Iterable[bytes]) -> None:
        for number, piece in enumerate(pieces):
            if number:
                await trio.sleep(self._delivery.gap)
            self._sending_since = trio.current_time()  # a busy machine may take long between pieces
            await self._player.send_all(piece)
        self._sending_since = None
        self._sent_at = trio.current_time()

    def delivered_at(self, sent: float) -> float:
        """Return when data that the referee sent at this time reached the player.

        While it is still being sent, that is now: time on the wire is not charged to the player.
        """
        if self._sending_since is None:
            return max(self._sent_at, sent)
        return min(trio.current_time(), self._sending_since + MAX_DELIVERY_SECONDS)

    async def _to_referee(self) -> None:
        with suppress(trio.BrokenResourceError):  # the player is gone
            async for data in self._player:
                self._record("P", bytes(data))
                with suppress(trio.BrokenResourceError):  # the referee is gone
                    await self._near.send_all(data)
        self.player_left.set()
        with suppress(trio.BrokenResourceError):  # the referee is gone as well
            await self._near.send_eof()
