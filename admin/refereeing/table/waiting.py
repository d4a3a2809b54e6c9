"""Wait for all connections of a table at once.

One selector holds the connections. Where it has a descriptor of its own (epoll, kqueue), trio waits
for that, so a batch of answers costs one or two wake-ups. Windows has no such selector: there, a
task waits for each connection.
"""

import selectors
from collections.abc import Awaitable, Callable
from typing import Any

import trio

from .seat import RemoteSeat

READ = selectors.EVENT_READ
WRITE = selectors.EVENT_WRITE


class Connections:
    """The connections of a table: to read from, and to send what is unsent."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._descriptor: int | None = None
        if hasattr(self._selector, "fileno"):
            self._descriptor = self._selector.fileno()

    def add(self, seat: RemoteSeat) -> None:
        """Wait from now on for what a seat sends."""
        self._selector.register(seat.socket, READ, seat)

    def remove(self, seat: RemoteSeat) -> None:
        """Wait no longer for a seat, which may have been removed already."""
        if seat.socket in self._selector.get_map():
            self._selector.unregister(seat.socket)

    def update(self, seat: RemoteSeat) -> None:
        """Wait also until there is room to send, or no longer."""
        self._selector.modify(seat.socket, READ | WRITE if seat.has_unsent else READ, seat)

    def ready(self) -> list[tuple[selectors.SelectorKey, int]]:
        """Find who is ready, without waiting: a key has the seat as its data."""
        return self._selector.select(0)

    async def wait(self) -> None:
        """Wait until a connection is ready; may be cancelled and called again."""
        if self._descriptor is not None:
            await trio.lowlevel.wait_readable(self._descriptor)
            return
        async with trio.open_nursery() as nursery:

            async def end_after(wait: Callable[[Any], Awaitable[None]], connection: Any) -> None:
                await wait(connection)
                nursery.cancel_scope.cancel()

            for key in self._selector.get_map().values():
                nursery.start_soon(end_after, trio.lowlevel.wait_readable, key.fileobj)
                if key.events & WRITE:
                    nursery.start_soon(end_after, trio.lowlevel.wait_writable, key.fileobj)

    def close(self) -> None:
        """Wait for nobody any more; the connections stay open."""
        if self._descriptor is not None:
            trio.lowlevel.notify_closing(self._descriptor)
        self._selector.close()
