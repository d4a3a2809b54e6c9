"""A player that connects by itself, once for each trial."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from ...refereeing.table.clocks import in_seconds
from ...refereeing.table.listeners import format_address, listen
from .pending_connections import PendingConnections
from .player_source import PlayerConnection, PlayerNotConnected


class ListenSource:
    """A source that listens on a port for as long as ``run`` runs.

    The player has ``first`` seconds to connect for the first trial, then ``later`` seconds each.
    """

    def __init__(self, host: str, port: int, first: float, later: float) -> None:
        self._listeners: list[socket.socket] = listen(host, port)
        self._pending = PendingConnections(self._listeners)
        self._connect_timeout = first
        self._later = later

    @property
    def addresses(self) -> list[str]:
        """Where the player can connect."""
        return [format_address(listener.getsockname()) for listener in self._listeners]

    async def run(self) -> None:
        """Accept connections until cancelled."""
        try:
            await self._pending.run()
        finally:
            self._pending.close()

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Wait for the next connection."""
        arrived: tuple[socket.socket, str] | None = None
        with trio.move_on_after(self._connect_timeout):
            arrived = await self._pending.pop_lasting()
        if arrived is None:
            raise PlayerNotConnected(
                f"No player connected within {in_seconds(self._connect_timeout)}."
            )
        self._connect_timeout = self._later
        yield PlayerConnection(*arrived)


@asynccontextmanager
async def run_listen_source(source: ListenSource) -> AsyncIterator[ListenSource]:
    """Accept connections as long as the context is open."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(source.run)
        yield source
        nursery.cancel_scope.cancel()
