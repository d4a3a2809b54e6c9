"""Connections that were accepted and not yet used."""

import socket
from collections.abc import Callable

import trio

from ...refereeing.table.listeners import accept, close, is_gone

PROBE_SECONDS = 0.5
"""How long a new connection may stay silent before it counts as one that will stay."""
MAX_PENDING = 64
"""Further connections are closed."""


class PendingConnections:
    """Accepts connections on some listeners and queues them."""

    def __init__(
        self,
        listeners: list[socket.socket],
        is_expected: Callable[[socket.socket], bool] = lambda _: True,
    ) -> None:
        """A connection that is not ``is_expected`` is closed at once."""
        self._listeners = listeners
        self._is_expected = is_expected
        self._queue: list[tuple[socket.socket, str]] = []
        self.arrived = trio.Event()

    @property
    def port(self) -> int:
        """The port of the first listener."""
        return int(self._listeners[0].getsockname()[1])

    async def run(self) -> None:
        """Accept connections until the listeners are closed."""
        async with trio.open_nursery() as nursery:
            for listener in tuple(self._listeners):
                nursery.start_soon(accept, listener, self._add)

    def _add(self, connection: socket.socket, peer: str) -> None:
        if len(self._queue) >= MAX_PENDING or not self._is_expected(connection):
            connection.close()
            return
        self._queue.append((connection, peer))
        self.arrived.set()

    def pop(self) -> tuple[socket.socket, str]:
        """Remove and return the oldest connection."""
        oldest = self._queue.pop(0)
        if not self._queue:
            self.arrived = trio.Event()
        return oldest

    async def pop_lasting(self) -> tuple[socket.socket, str]:
        """Wait for a connection, and skip those that are closed again at once.

        Port scanners and players that probe the port make such connections.
        """
        while True:
            await self.arrived.wait()
            connection, peer = self.pop()
            try:
                with trio.move_on_after(PROBE_SECONDS):  # a player speaks first
                    await trio.lowlevel.wait_readable(connection)
            except BaseException:  # cancelled: nothing else would close it
                connection.close()
                raise
            if not is_gone(connection):
                return connection, peer
            connection.close()

    def close(self) -> None:
        """Stop listening, and close the connections that were not used."""
        close(self._listeners)
        while self._queue:
            connection, _ = self._queue.pop()
            connection.close()
