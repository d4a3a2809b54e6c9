"""What the referee's process hands over to that of the pages, and never waits for.

Each message is a line of JSON; the bytes of a log follow the line that says how many there are.
What the pipe does not take at once waits here, up to a limit: past it the pages are given up, not
the match.
"""

import json
import os
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import trio

MOST = 1 << 26
"""Bytes that may wait to be taken."""


class Feed:
    """The writing end of a pipe to the pages. ``run`` is to be running."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._waiting = bytearray()
        self._more = trio.Event()
        self.lost = False
        """Whether the pages have been given up."""

    def say(self, what: str, **fields: Any) -> None:
        """Hand over a message."""
        self._put(json.dumps({"what": what, **fields}).encode() + b"\n")

    def log(self, match: str, data: bytes) -> None:
        """Hand over bytes of a match's log, as they were written."""
        self._put(json.dumps({"what": "log", "match": match, "bytes": len(data)}).encode() + b"\n")
        self._put(data)

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

    async def run(self) -> None:
        """Write what had to wait, until cancelled or lost."""
        while not self.lost:
            await self._more.wait()
            self._more = trio.Event()
            while self._waiting:
                await trio.lowlevel.wait_writable(self._descriptor)
                self._push()


async def fed(serve: Callable[[], Awaitable[None]], feed: Feed) -> None:
    """Run something whose feed is to be handed over meanwhile."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(feed.run)
        await serve()
        nursery.cancel_scope.cancel()


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
