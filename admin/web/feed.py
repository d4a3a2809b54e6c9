"""What the referee's process hands over to that of the pages, and never waits for.

Each message is a line of JSON; the bytes of a log follow the line that says how many there are.
What the pipe does not take at once waits here, up to a limit: past it the pages are given up, not
the match.
"""

import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any

import trio

MOST = 1 << 26
"""Bytes that may wait to be taken."""
COMFORTABLE = 1 << 20
"""Bytes that may wait before what can be left out is."""
PARTING = 2.0
"""Seconds in which what still waits at the end is taken, or it is lost."""


class Feed:
    """The writing end of a pipe to the pages. ``run`` is to be running."""

    def __init__(self, descriptor: int, given_up: Callable[[], object] = lambda: None) -> None:
        """``given_up`` is called once, if the pages are."""
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._given_up = given_up
        self._waiting = bytearray()
        self._more = trio.Event()
        self.lost = False
        """Whether the pages have been given up."""

    @property
    def behind(self) -> bool:
        """Whether so much waits that what can be left out should be."""
        return self.lost or len(self._waiting) > COMFORTABLE

    def say(self, what: str, **fields: Any) -> None:
        """Hand over a message."""
        self._put(json.dumps({"what": what, **fields}).encode() + b"\n")

    def log(self, match: str, data: bytes) -> None:
        """Hand over bytes of a match's log, as they were written."""
        line = json.dumps({"what": "log", "match": match, "bytes": len(data)}).encode()
        self._put(b"%b\n%b" % (line, data))

    def _put(self, data: bytes) -> None:
        if self.lost:
            return
        self._waiting += data
        self._push()
        if len(self._waiting) > MOST:
            self._give_up()
        elif self._waiting:
            self._more.set()

    def _push(self) -> None:
        """Write what the pipe takes without waiting."""
        try:
            while self._waiting:
                del self._waiting[: os.write(self._descriptor, self._waiting)]
        except BlockingIOError:
            pass
        except OSError:  # nobody is there to read
            self._give_up()

    def _give_up(self) -> None:
        self.lost = True
        self._waiting.clear()
        self._given_up()

    async def run(self) -> None:
        """Write what had to wait, until cancelled or lost."""
        while not self.lost:
            await self._more.wait()
            self._more = trio.Event()
            await self.drain()

    async def drain(self) -> None:
        """Write all that waits, until the pages are given up."""
        with suppress(trio.ClosedResourceError):
            while self._waiting:
                await trio.lowlevel.wait_writable(self._descriptor)
                self._push()


async def hand_over(feed: Feed) -> None:
    """Hand over what still waits at the end, for a while."""
    with trio.move_on_after(PARTING, shield=True):
        await feed.drain()


async def fed(serve: Callable[[], Awaitable[None]], feed: Feed) -> None:
    """Run something whose feed is to be handed over meanwhile, its end included."""
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(feed.run)
            await serve()
            nursery.cancel_scope.cancel()
    finally:
        await hand_over(feed)


class Hearing:
    """The reading end: bytes in, messages out, each with the bytes that belong to it."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._line: dict[str, Any] | None = None

    def take(self, data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
        """Take bytes and give the messages that they complete."""
        self._buffer += data
        while True:
            if self._line is None:
                end = self._buffer.find(b"\n")
                if end < 0:
                    return
                self._line = json.loads(self._buffer[:end])
                del self._buffer[: end + 1]
            count = self._line.get("bytes", 0)
            if len(self._buffer) < count:
                return
            line, self._line = self._line, None
            body = bytes(self._buffer[:count])
            del self._buffer[:count]
            yield line, body
