"""Start programs within limits, wait for their end, and clean up after them.

A supervisor process beside each program enforces its limits, and stops whatever is left of it when
this process releases it, or dies.
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
"""Seconds that a program has to exit by itself after its game."""
OUTPUT_TAIL_BYTES = 4096
"""How much of a program's output is kept, from its end."""
SUPERVISOR_TIMEOUT = 5.0
"""Seconds that a supervisor has to carry out a request; after them it is killed."""
MAX_REPORT_BYTES = 4096
MKDIR_ATTEMPTS = 20
INHERITED_VARIABLES = (
    *("PATH", "HOME", "LANG", "LANGUAGE", "TZ"),
    *("USER", "LOGNAME", "SHELL", "JAVA_HOME"),
)
"""What a program inherits from the environment of this process, in addition to ``LC_...``."""


class ProcessExit(NamedTuple):
    """How a program ended.

    ``code`` is the exit code, negative for a signal, or ``None`` if the program had to be stopped.
    Then ``stopped`` is ``asked`` (it was still running after its game), ``processes`` (it had too
    many), or ``unknown`` (its supervisor was killed, or the supervisor's report was tampered with).
    ``left`` counts processes that outlived it; ``processor`` is in milliseconds, ``memory`` in
    bytes. ``failure`` is why it could not be run at all.
    """

    code: int | None
    stopped: str | None
    left: int
    processor: int
    memory: int
    failure: str = ""

    @property
    def failed(self) -> bool:
        """Whether the program ended by itself and not with success."""
        return self.stopped in ("processes", "unknown") or self.code not in (None, 0)

    def describe(self, limits: Limits, name_limit: Callable[[str], str]) -> str:
        """Return a sentence about the end, with the limit that may explain it.

        ``name_limit`` turns a field of ``limits`` into the name under which a user has set it.
        """
        if self.failure:
            return f"It could not be run: {self.failure}."
        if self.stopped == "processes":
            limit = name_limit("processes")
            return f"It was stopped: more than {limits.processes} processes ({limit})."
        if self.stopped == "unknown":
            return "It is unknown how it ended: its supervisor was killed or tampered with."
        if self.code is None:
            return "It was still running."
        if self.code >= 0:
            return f"It ended with exit code {self.code}."
        processor = name_limit("processor")
        explanations = {
            signal.SIGXCPU: f": more than {limits.processor} s of CPU time ({processor})",
            signal.SIGKILL: f", possibly for too much CPU time ({processor}) or lack of memory",
            signal.SIGXFSZ: f": wrote more than {limits.file_size} bytes "
            f"({name_limit('file_size')})",
        }
        try:
            number = signal.Signals(-self.code)
        except ValueError:
            return f"It was ended by signal {-self.code}."
        return f"It was ended by {number.name}{explanations.get(number, '')}."


class PlayerProcess:
    """One program's process, from its start until nothing of it is left."""

    def __init__(self, process: trio.Process, hold: trio.lowlevel.FdStream, folder: Path) -> None:
        """``hold`` is the supervisor's standard input: closing it releases the program."""
        self._process = process
        self._hold = hold
        self._folder = folder
        self._asked = trio.Event()
        self._released = trio.Event()
        self.exit: ProcessExit | None = None
        self.ended = trio.Event()
        """Set when the program and everything that it started are gone."""

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def stop(self) -> None:
        """Stop the program now; ``ended`` is set when nothing of it is left."""
        if not self._asked.is_set():
            self._asked.set()
            with suppress(OSError):
                os.write(self._hold.fileno(), b"\n")

    def output(self) -> bytes:
        """Return the end of the program's output; empty after :meth:`release`."""
        with suppress(OSError), (self._folder / "output").open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - OUTPUT_TAIL_BYTES, 0))
            return file.read()
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

    async def watch(self, stop_strays: Callable[[], int]) -> None:
        """Wait until the program is released and nothing of it is left.

        ``stop_strays`` stops what a killed supervisor has left behind, and counts it.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._kill_unresponsive_supervisor)
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


def _exit(report: bytes) -> ProcessExit | None:
    """Read a supervisor's report; ``None`` if the supervisor cannot have written it."""
    try:
        return ProcessExit(**json.loads(report))
    except (ValueError, TypeError):
        return None


def _inherited(own: Mapping[str, str]) -> dict[str, str]:
    """Return what a program inherits of an environment.

    Where no language is set, as in many containers, texts are UTF-8 all the same.
    """
    inherited = {
        key: own[key] for key in own if key in INHERITED_VARIABLES or key.startswith("LC_")
    }
    if not any(key == "LANG" or key.startswith("LC_") for key in inherited):
        inherited["LANG"] = "C.UTF-8"
    return inherited


class Launcher:
    """Starts programs within the same limits, and knows which processes are its own.

    ``folder`` is a new folder for all files of the programs. A process that uses a launcher may
    have no other children than supervisors: after one was killed, all other children are taken for
    what it had supervised, and stopped.
    """

    def __init__(self, limits: Limits, folder: Path) -> None:
        self._limits = limits
        self._folder = folder
        self._supervisors: set[int] = set()
        self._count = count(1)
        # orphans come to this process if their supervisor is killed
        supervisor.ask_kernel(supervisor.PR_SET_CHILD_SUBREAPER, 1)

    async def launch(
        self, program: Program, values: PlaceholderValues, nursery: trio.Nursery
    ) -> PlayerProcess:
        """Start a program and watch it in ``nursery``; ``OSError`` if no process can be made."""
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
                start_new_session=True,  # a Ctrl-C is for this process, which stops its programs
            )
        except BaseException:
            hold.close()
            raise
        finally:
            os.close(read_end)
        self._supervisors.add(process.pid)
        launched = PlayerProcess(process, hold, folder)
        nursery.start_soon(self._watch, launched)
        try:
            await hold.send_all(json.dumps(task).encode() + b"\n")
        except trio.BrokenResourceError:
            pass  # it is gone already; watching finds out how
        except BaseException:
            launched.release()
            raise
        return launched

    async def _watch(self, launched: PlayerProcess) -> None:
        with trio.CancelScope(shield=True):  # cancelling must leave no process behind
            await launched.watch(self._stop_strays)
        self._supervisors.discard(launched.pid)

    def _task(self, program: Program, values: PlaceholderValues, folder: Path) -> dict[str, object]:
        """Return what the supervisor has to run; makes the program's temporary folder."""
        scratch = _make_folder(folder / "scratch")
        environment = {
            **_inherited(os.environ),
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
        """Stop the children of this process that are not supervisors, and count them.

        They were started by a program whose supervisor is gone.
        """
        stopped = 0
        while strays := [
            child for child in supervisor.children(os.getpid()) if not self._is_supervisor(child)
        ]:  # what they start while they are being stopped comes to us as well
            for child in strays:
                for process in (child, *supervisor.descendants(child)):
                    with suppress(OSError):
                        os.kill(process, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)
            stopped += len(strays)
        return stopped

    def _is_supervisor(self, process: int) -> bool:
        """Whether a child is a supervisor, or is about to become one."""
        if process in self._supervisors:
            return True
        command = _command_line(process)
        return (
            command == _command_line(os.getpid())
            or os.fsencode(str(supervisor.__file__)) in command
        )


def _make_folder(folder: Path) -> Path:
    """Make a folder although its parent may be removed at any moment.

    A supervisor that is done removes the parent when it is empty.
    """
    for _ in range(MKDIR_ATTEMPTS):
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
