"""A player that is launched for each trial, within limits or for a debugger."""

import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

import trio

from ...launching.launch import Launcher
from ...launching.limits import Limits
from ...launching.player_process import EXIT_GRACE, PlayerProcess
from ...launching.program import LOCALHOST, Program
from ...launching.sandbox import Sandbox
from ...refereeing.table.clocks import in_seconds
from ...refereeing.table.lag import run_out
from ...refereeing.table.listeners import listen
from ...refereeing.table.run import first_of
from .player_source import (
    ExitReport,
    MachineFailed,
    PendingConnections,
    PlayerConnection,
    PlayerNotConnected,
)

NameLimit: TypeAlias = Callable[[str], str]
"""Returns what a limit is called where it was set, such as ``--file-size`` for ``file_size``."""
MOST_AT_ONCE = 1000  # more trials than anybody plays at once
COMPUTING = 0.1  # part of its time to connect that a program computes if not merely waiting


def option_of(limit: str) -> str:
    """Return the option that sets a limit."""
    return f"--{limit.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class LaunchSource:
    """A source that launches the player for each trial, in the launcher's sandbox and limits.

    ``connect_timeout`` is in seconds. Whoever connects is taken for the player if ``anybody`` may:
    without a sandbox, it may be in a container. Otherwise a connection has to be its own, and not
    of another program beside it. As many programs run at once as there is ``room`` for.
    """

    program: Program
    launcher: Launcher
    connect_timeout: float
    nursery: trio.Nursery
    name_limit: NameLimit = option_of
    anybody: bool = False
    room: trio.Semaphore = field(default_factory=lambda: trio.Semaphore(MOST_AT_ONCE))

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Launch the player, wait for its connection, and wait for its end on leaving."""
        async with self.room:
            try:
                launched, listener = await self.launcher.launch_listening(
                    self.program, name, self.nursery
                )
            except OSError as error:
                raise MachineFailed(f"{name} could not be started: {error.strerror}.") from error
            pending = PendingConnections(
                [] if listener is None else [listener],
                lambda connection: self.anybody or launched.made(connection),
            )
            try:
                self.nursery.start_soon(pending.run)
                await self._wait_for_connection(launched, pending)
                player = PlayerConnection(*pending.pop(), launched.work.since)
                pending.close()
                yield player
                player.exit_report = await self._wait_for_exit(launched)
            finally:
                launched.release()
                pending.close()

    async def _wait_for_connection(
        self, launched: PlayerProcess, pending: PendingConnections
    ) -> None:
        """Wait for the connection; ``PlayerNotConnected`` if the player ends first or is late.

        Its clock stands still while it waits for a processor.
        """
        limit = self.connect_timeout
        until_late = partial(run_out, limit, launched.work.since)
        await first_of(until_late, pending.arrived.wait, launched.ended.wait)
        if pending.arrived.is_set():
            return
        ended = launched.ended.is_set()
        report = await self._wait_for_exit(launched, EXIT_GRACE if ended else 0)
        if ended:
            raise PlayerNotConnected(report.told(report.before("connected")), report)
        late = f"It did not connect within {in_seconds(limit)}. {report.sentence}"
        computed = report.exit.processor / 1000
        if was_computing := computed >= COMPUTING * limit:
            late += f" It computed for {computed:.1f} s; more time may help, or an idle machine."
        raise PlayerNotConnected(late, report, was_computing=was_computing)

    async def _wait_for_exit(
        self, launched: PlayerProcess, grace: float = EXIT_GRACE
    ) -> ExitReport:
        """Give the player a moment to exit by itself, then stop it."""
        exited = await launched.end(grace)
        output = launched.output()
        sentence = exited.describe(launched.limits, self.name_limit, output)
        if exited.machine_fault:
            raise MachineFailed(sentence)
        if exited.left and exited.stopped is None:
            sentence += (
                f" It left {exited.left} processes running, which were stopped: the command must "
                "run for as long as the player does."
            )
        limit = self.name_limit("file_size") if launched.flooded else ""
        if limit:
            sentence += f" Its output reached the limit ({limit})."
        return ExitReport(exited, sentence, output, limit)


@asynccontextmanager
async def open_launch_source(
    program: Program,
    limits: Limits,
    folder: Path,
    connect_timeout: float,
    sandbox: Sandbox = Sandbox.NONE,
) -> AsyncIterator[LaunchSource]:
    """Launch players as long as the context is open; no process is left when it is closed.

    ``folder`` is an empty one for the player's files.
    """
    with Launcher(limits, folder, sandbox) as launcher:
        room = trio.Semaphore(launcher.at_once(MOST_AT_ONCE))
        async with trio.open_nursery() as nursery:
            anybody = sandbox is Sandbox.NONE
            yield LaunchSource(
                program, launcher, connect_timeout, nursery, anybody=anybody, room=room
            )


# -- for a debugger ----------------------------------------------------------------------------


class AttachedSource:
    """A source that starts the player at this terminal, without limits and deadlines.

    It is for a debugger; there is nothing to close.
    """

    def __init__(self, program: Program) -> None:
        self.program = program

    @asynccontextmanager
    async def connect(self, name: str) -> AsyncIterator[PlayerConnection]:
        """Start the player, wait for its connection, and on leaving for its end.

        Meanwhile Ctrl-C is for the player, or for the debugger that it runs in.
        """
        with ExitStack() as stack:
            before = signal.signal(signal.SIGINT, lambda *_: None)
            stack.callback(signal.signal, signal.SIGINT, before)
            pending = PendingConnections(listen(LOCALHOST, 0))
            stack.callback(pending.close)
            program = self.program.filled(pending.listeners[0].getsockname()[1], name)
            try:
                process = await trio.lowlevel.open_process(
                    list(program.command),
                    cwd=program.directory,
                    env={**os.environ, **program.environment},
                )
            except OSError as error:
                raise PlayerNotConnected(f"It could not be started: {error.strerror}.") from error
            try:
                await first_of(pending.run, pending.arrived.wait, process.wait)
                if not pending.arrived.is_set():
                    raise PlayerNotConnected(
                        f"The program ended with exit code {process.returncode} before it "
                        "connected."
                    )
                yield PlayerConnection(*pending.pop())
                await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
                    with trio.CancelScope(shield=True):
                        await process.wait()
