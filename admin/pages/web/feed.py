"""The pipe from the referee's process to that of the pages; the referee never waits for it.

Each message is a line of JSON. What the pipe does not take at once is buffered. When the buffer is
full the pages are given up, not the game.
"""

import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import trio

from ...refereeing.table.run import beside

MAX_BYTES = 1 << 26
BUSY_BYTES = 1 << 20
"""Once this many bytes are buffered, optional messages should be left out."""
DRAIN_TIMEOUT = 2.0
"""Seconds at the end for the pages to take what is buffered."""


class Feed:
    """The writing end of the pipe. ``run`` must be running."""

    def __init__(self, descriptor: int, on_loss: Callable[[], object] = lambda: None) -> None:
        """``on_loss`` is called once if the pages are given up."""
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._on_loss = on_loss
        self._buffer = bytearray()
        self._more = trio.Event()
        self.lost = False
        """Whether the pages have been given up."""

    @property
    def behind(self) -> bool:
        """Whether so much is buffered that optional messages should be left out."""
        return self.lost or len(self._buffer) > BUSY_BYTES

    def send(self, what: str, **fields: Any) -> None:
        """Send a message."""
        self._put(json.dumps({"what": what, **fields}).encode() + b"\n")

    def log(self, game: str, data: bytes) -> None:
        """Send bytes of a game's log, as they were written."""
        self.send("log", match=game, text=data.decode(errors="surrogateescape"))

    def _put(self, data: bytes) -> None:
        if self.lost:
            return
        self._buffer += data
        self._push()
        if len(self._buffer) > MAX_BYTES:
            self._give_up()
        elif self._buffer:
            self._more.set()

    def _push(self) -> None:
        """Write what the pipe takes without waiting."""
        try:
            while self._buffer:
                del self._buffer[: os.write(self._descriptor, self._buffer)]
        except BlockingIOError:
            pass
        except OSError:  # the pages are gone
            self._give_up()

    def _give_up(self) -> None:
        self.lost = True
        self._buffer.clear()
        self._on_loss()

    async def run(self) -> None:
        """Write what is buffered, until cancelled or given up."""
        while not self.lost:
            await self._more.wait()
            self._more = trio.Event()
            await self.drain()

    async def drain(self) -> None:
        """Write all that is buffered, until the pages are given up."""
        with suppress(trio.ClosedResourceError):
            while self._buffer:
                await trio.lowlevel.wait_writable(self._descriptor)
                self._push()


async def drain_at_end(feed: Feed) -> None:
    """Give the pages a moment to take what is buffered at the end."""
    with trio.move_on_after(DRAIN_TIMEOUT, shield=True):
        await feed.drain()


async def run_with_feed(serve: Callable[[], Awaitable[None]], feed: Feed) -> None:
    """Run ``serve`` and its feed, and drain the feed at the end."""
    try:
        async with beside(feed.run):
            await serve()
    finally:
        await drain_at_end(feed)


class FeedReader:
    """The reading end: bytes in, messages out."""

    def __init__(self) -> None:
        self._partial_line = b""

    def take(self, data: bytes) -> Iterator[dict[str, Any]]:
        """Take bytes and yield the messages that they complete."""
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        yield from map(json.loads, lines)


def log_bytes(message: dict[str, Any]) -> bytes:
    """Return the bytes of a log that are in a message."""
    text: str = message["text"]
    return text.encode(errors="surrogateescape")
