"""One started program: what it has printed, how it ended, and whether a connection is its own."""

import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import trio

from . import peers
from .process_exit import ProcessExit, read_exit
from .processes import descendants
from .sandbox import Sandbox
from .supervisors import Supervisor

EXIT_GRACE = 1.0
"""Seconds that a program has to exit by itself after its game."""
OUTPUT_TAIL_BYTES = 4096
"""How much of a program's output is kept, from its end."""
SUPERVISOR_TIMEOUT = 5.0
"""Seconds that a supervisor has to carry out a request; after them it is killed."""
MAX_REPORT_BYTES = 4096


class PlayerProcess:
    """One program's process, from its start until nothing of it is left."""

    def __init__(
        self,
        process: "Supervisor | trio.Process",
        hold: trio.lowlevel.FdStream,
        folder: Path,
        name: str,
        sandbox: Sandbox,
        uid: int | None,
    ) -> None:
        """``hold`` is the supervisor's standard input: closing it releases the program."""
        self._process = process
        self._hold = hold
        self._folder = folder
        self.sandbox = sandbox
        self.name = name
        self.uid = uid
        """The user that is the program's alone, if it has one."""
        self._asked = trio.Event()
        self._released = trio.Event()
        self.intrusions = 0
        """How often it has connected to another program's address."""
        self.exit: ProcessExit | None = None
        self.ended = trio.Event()
        """Set when the program and everything that it started are gone."""

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def has(self, peer: peers.Peer) -> bool:
        """Whether the other end of a connection on this machine is this program's."""
        if self.sandbox is Sandbox.UID:
            return peer.uid == self.uid
        return peers.holder(peer.inode, descendants(self.pid)) is not None

    def stop(self) -> None:
        """Stop the program now; ``ended`` is set when nothing of it is left."""
        if not self._asked.is_set():
            self._asked.set()
            with suppress(OSError):
                os.write(self._hold.fileno(), b"\n")

    def output(self, limit: int = OUTPUT_TAIL_BYTES) -> bytes:
        """Return the end of the program's output, in bytes; empty after :meth:`release`."""
        with suppress(OSError), (self._folder / "output").open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - limit, 0))
            return file.read(limit)
        return b""

    def output_size(self) -> int:
        """Return how many bytes the program has printed; 0 after :meth:`release`."""
        try:
            return (self._folder / "output").stat().st_size
        except OSError:
            return 0

    def release(self) -> None:
        """Stop the program if it is still running, and remove its files."""
        self._asked.set()
        self._released.set()
        self._hold.close()

    async def watch(self, stop_strays: Callable[[], Awaitable[int]]) -> None:
        """Wait until the program is released and nothing of it is left.

        ``stop_strays`` stops what a killed supervisor has left behind, and counts it.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._kill_unresponsive_supervisor)
            self.exit = read_exit(await self._report())
            if self.exit is None:
                self._process.kill()
                await self._process.wait()
                self.exit = ProcessExit(None, "unknown", await stop_strays(), 0, 0)
            self.ended.set()
            await self._released.wait()
            await self._process.wait()
            nursery.cancel_scope.cancel()
        if self._folder.exists():
            await trio.run_process(["rm", "-rf", "--", str(self._folder)], check=False)

    async def _report(self) -> bytes:
        """Return the supervisor's report: one line, or less if it was killed."""
        assert self._process.stdout is not None
        report = b""
        with suppress(trio.BrokenResourceError):
            async for data in self._process.stdout:
                report += data
                if report.endswith(b"\n") or len(report) > MAX_REPORT_BYTES:
                    break
        return report

    async def _kill_unresponsive_supervisor(self) -> None:
        """Kill the supervisor if it ignores a request: its program may have stopped it."""
        for asked, done in ((self._asked, self.ended), (self._released, trio.Event())):
            await asked.wait()
            with trio.move_on_after(SUPERVISOR_TIMEOUT):
                await done.wait()
                continue
            self._process.kill()
