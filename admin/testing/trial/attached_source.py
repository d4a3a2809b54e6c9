"""A player that is started at this terminal, without limits and deadlines: for a debugger."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from ...launching.program import PlaceholderValues, Program
from ...refereeing.table.listeners import listen
from .pending_connections import PendingConnections
from .player_source import PlayerConnection, PlayerNotConnected

LOCAL = "127.0.0.1"


class AttachedSource:
    """A source that starts the player with the input and output of this process."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Start the player, wait for its connection, and on leaving for its end.

        Meanwhile Ctrl-C is for the player, or for the debugger that it runs in.
        """
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            async with self._attached(name) as connection:
                yield connection
        finally:
            signal.signal(signal.SIGINT, before)

    @asynccontextmanager
    async def _attached(self, name: str) -> AsyncIterator[PlayerConnection]:
        pending = PendingConnections(listen(LOCAL, 0))
        values = PlaceholderValues(LOCAL, pending.port, name)
        program = self._program.filled(values)
        try:
            process = await trio.lowlevel.open_process(
                list(program.command),
                cwd=program.directory,
                env={**os.environ, **values.variables, **program.environment},
            )
        except OSError as error:
            pending.close()
            raise PlayerNotConnected(f"It could not be started: {error.strerror}.") from error
        try:
            await _connected_or_ended(pending, process)
            yield PlayerConnection(*pending.pop())
            await process.wait()
        finally:
            pending.close()
            if process.returncode is None:
                process.kill()
                with trio.CancelScope(shield=True):
                    await process.wait()


async def _connected_or_ended(pending: PendingConnections, process: trio.Process) -> None:
    """Wait for the connection; ``PlayerNotConnected`` if the player ends first."""
    async with trio.open_nursery() as nursery:

        async def until_ended() -> None:
            await process.wait()
            nursery.cancel_scope.cancel()

        nursery.start_soon(pending.run)
        nursery.start_soon(until_ended)
        await pending.arrived.wait()
        nursery.cancel_scope.cancel()
    if not pending.arrived.is_set():
        raise PlayerNotConnected(
            f"The program ended with exit code {process.returncode} before it connected."
        )


@asynccontextmanager
async def open_attached_source(program: Program) -> AsyncIterator[AttachedSource]:
    """Return the source; it has nothing to close."""
    yield AttachedSource(program)
