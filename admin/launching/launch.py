"""Players that are started here: each a process kept within limits, until it is let go of.

The process beside it, ``supervisor``, holds the limits, and stops whatever is left of the player as
soon as this process lets go of it, or dies.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import trio

from admin.launching import supervisor
from admin.launching.limits import Limits
from admin.launching.program import PlaceholderValues, Program

EXIT_GRACE = 1.0
"""Seconds that a player has to end by itself when its game is over."""
OUTPUT_TAIL_BYTES = 4096
"""Bytes of what a player printed that are kept, from its end."""
PATIENCE = 5.0
"""Seconds that a supervisor has to do what it is asked."""
LONGEST_REPORT = 4096
TRIES = 20
"""How often a folder is tried to be made."""
INHERITED_VARIABLES = (
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "TZ",
    "USER",
    "LOGNAME",
    "SHELL",
    "JAVA_HOME",
)
"""What launched players see of this process's environment, beside ``LC_...``."""


class ProcessExit(NamedTuple):
    """How a launched player ended.

    ``code`` is the exit code, negative for a signal, ``None`` if it had to be stopped: then
    ``stopped`` is ``asked`` (it still ran when its game was over), ``processes`` (too many), or
    ``unknown`` (what keeps it was killed, or its report spoilt).
    ``left`` counts processes that outlived it; ``processor`` is in milliseconds, ``memory`` in
    bytes. ``failure`` says why it could not be run at all.
    """

    code: int | None
    stopped: str | None
    left: int
    processor: int
    memory: int
    failure: str = ""

    @property
    def badly(self) -> bool:
        """Whether the program ended by itself, and not as one that is done."""
        return self.stopped in ("processes", "unknown") or self.code not in (None, 0)

    def sentence(self, limits: Limits, called: Callable[[str], str]) -> str:
        """Say it in words, with the limit that may explain it.

        ``called`` turns the name of a field of ``limits`` into what people know the limit by.
        """
        if self.failure:
            return f"It could not be run: {self.failure}."
        if self.stopped == "processes":
            limit = called("processes")
            return f"It was stopped: more than {limits.processes} processes ({limit})."
        if self.stopped == "unknown":
            return "How it ended is not known: something tampered with the process that keeps it."
        if self.code is None:
            return "It was still running."
        if self.code >= 0:
            return f"It ended with exit code {self.code}."
        processor = called("processor")
        known = {
            signal.SIGXCPU: f": more than {limits.processor} s of processor ({processor})",
            signal.SIGKILL: f", as for more processor than {processor}, or for lack of memory",
            signal.SIGXFSZ: f": wrote more than {limits.file_size} bytes ({called('file_size')})",
        }
        try:
            number = signal.Signals(-self.code)
        except ValueError:
            return f"It was ended by signal {-self.code}."
        return f"It was ended by {number.name}{known.get(number, '')}."


class PlayerProcess:
    """One player's process, from its start until nothing of it is left."""

    def __init__(self, process: trio.Process, hold: trio.lowlevel.FdStream, folder: Path) -> None:
        self._process = process
        self._hold = hold
        self._folder = folder
        self._asked = trio.Event()
        self._released = trio.Event()
        self.exit: ProcessExit | None = None
        self.ended = trio.Event()
        """Set when the player is gone, with all that it had started."""

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def stop(self) -> None:
        """Stop the player now; ``ended`` is set when nothing of it is left."""
        if not self._asked.is_set():
            self._asked.set()
            with suppress(OSError):
                os.write(self._hold.fileno(), b"\n")

    def output(self) -> bytes:
        """Return the end of what the player printed; nothing after :meth:`release`."""
        with suppress(OSError), (self._folder / "output").open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - OUTPUT_TAIL_BYTES, 0))
            return file.read()
        return b""

    def printed(self) -> int:
        """Return how many bytes the player has printed; 0 after :meth:`release`."""
        try:
            return (self._folder / "output").stat().st_size
        except OSError:
            return 0

    def release(self) -> None:
        """Stop the player if it still runs, and remove what it has written."""
        self._asked.set()
        self._released.set()
        self._hold.close()

    async def watch(self, stop_strays: Callable[[], int]) -> None:
        """See to the player until it was released, and nothing of it is left.

        ``stop_strays`` stops what a supervisor that was killed has left behind, and counts it.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._enforce_requests)
            self.exit = _exit(await self._report())
            if self.exit is None:
                self._process.kill()
                await self._process.wait()
                self.exit = ProcessExit(None, "unknown", stop_strays(), 0, 0)
            self.ended.set()
            await self._released.wait()
            await self._process.wait()
            nursery.cancel_scope.cancel()
        if self._folder.exists():
            await trio.run_process(["rm", "-rf", "--", str(self._folder)], check=False)

    async def _report(self) -> bytes:
        """Return what the supervisor tells: one line, or less if it was killed."""
        assert self._process.stdout is not None
        report = b""
        with suppress(trio.BrokenResourceError):
            async for data in self._process.stdout:
                report += data
                if report.endswith(b"\n") or len(report) > LONGEST_REPORT:
                    break
        return report

    async def _enforce_requests(self) -> None:
        """Kill the supervisor if it does not do what it is asked: it may have been stopped."""
        for asked, done in ((self._asked, self.ended), (self._released, trio.Event())):
            await asked.wait()
            with trio.move_on_after(PATIENCE):
                await done.wait()
                continue
            self._process.kill()


def _exit(report: bytes) -> ProcessExit | None:
    """Read a supervisor's report; ``None`` for one that the supervisor cannot have written."""
    try:
        return ProcessExit(**json.loads(report))
    except (ValueError, TypeError):
        return None


def _passed_on(own: Mapping[str, str]) -> dict[str, str]:
    """Return what launched players see of an environment.

    Where it says nothing of a language, as in many containers, texts are UTF-8 all the same.
    """
    seen = {key: own[key] for key in own if key in INHERITED_VARIABLES or key.startswith("LC_")}
    if not any(key == "LANG" or key.startswith("LC_") for key in seen):
        seen["LANG"] = "C.UTF-8"
    return seen


class Launcher:
    """Starts players within the same limits, and knows which processes are its own.

    ``folder`` is a new one for all files of the players. Where it is used, this process may have no
    children but keepers: after a supervisor was killed, all others are stopped as what it kept.
    """

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits = limits
        self._folder = folder
        self._keepers: set[int] = set()
        self._count = count(1)
        supervisor.ask_kernel(
            supervisor.PR_SET_CHILD_SUBREAPER, 1
        )  # orphans, if their supervisor is killed

    async def launch(
        self, program: Program, values: PlaceholderValues, nursery: trio.Nursery
    ) -> PlayerProcess:
        """Start a player and watch it in ``nursery``; ``OSError`` when no process can be made."""
        folder = self._folder / str(next(self._count))
        task = self._task(program.filled(values), values, folder)
        read_end, write_end = os.pipe()
        hold = trio.lowlevel.FdStream(write_end)
        try:
            process = await trio.lowlevel.open_process(
                [sys.executable, "-I", "-S", supervisor.__file__],
                stdin=read_end,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is for this process, which stops its players
            )
        except BaseException:
            hold.close()
            raise
        finally:
            os.close(read_end)
        self._keepers.add(process.pid)
        launched = PlayerProcess(process, hold, folder)
        nursery.start_soon(self._watch, launched)
        try:
            await hold.send_all(json.dumps(task).encode() + b"\n")
        except trio.BrokenResourceError:
            pass  # it is gone already; watching tells how
        except BaseException:
            launched.release()
            raise
        return launched

    async def _watch(self, launched: PlayerProcess) -> None:
        with trio.CancelScope(shield=True):  # what was started is seen to its end
            await launched.watch(self._stop_strays)
        self._keepers.discard(launched.pid)

    def _task(self, program: Program, values: PlaceholderValues, folder: Path) -> dict[str, object]:
        """Return what the supervisor is told of a filled program; makes the player's own folder."""
        scratch = _made(folder / "scratch")
        environment = {
            **_passed_on(os.environ),
            **values.variables,
            "TMPDIR": str(scratch),
            **program.environment,
        }
        return {
            "command": program.command,
            "directory": str(program.directory),
            "environment": environment,
            "output": str(folder / "output"),
            "scratch": str(folder),
            **self._limits.model_dump(),
        }

    def _stop_strays(self) -> int:
        """Stop children of this process that are none of its own, and count them.

        They were kept by a supervisor that is gone.
        """
        stopped = 0
        while strays := [
            child for child in supervisor.children(os.getpid()) if not self._is_own(child)
        ]:  # what they start while they are being stopped comes to us as well
            for child in strays:
                for process in (child, *supervisor.descendants(child)):
                    with suppress(OSError):
                        os.kill(process, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)
            stopped += len(strays)
        return stopped

    def _is_own(self, process: int) -> bool:
        """Whether a child is a supervisor, or about to become one."""
        if process in self._keepers:
            return True
        runs = _command_line(process)
        return runs == _command_line(os.getpid()) or os.fsencode(str(supervisor.__file__)) in runs


def _made(folder: Path) -> Path:
    """Make a folder, though the one around it may be removed in this moment.

    A supervisor that is done removes it when it is empty.
    """
    for _ in range(TRIES):
        with suppress(FileNotFoundError):
            folder.mkdir(parents=True)
            return folder
    folder.mkdir(parents=True)
    return folder


def _command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
