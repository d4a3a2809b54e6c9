"""One started program: what it has printed, how it ended, and whether a connection is its own.

The supervisor beside it is forked by one process where orphans can be adopted (Linux).

Without bubblewrap each program has a socket of its own to connect to, and the other end of a
connection must belong to its user or its processes. Who that is, ``/proc`` tells (Linux).
"""

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import trio

from .limits import SUPERVISOR_TIMEOUT, Limits, ProcessExit, read_exit
from .processes import descendants, stat_fields
from .program_work import STOPPED, ProgramWork
from .sandbox import Sandbox
from .supervisor import SUPERVISOR, python_that_calls

EXIT_GRACE = 1.0  # seconds that a program has to exit by itself after its game
OUTPUT_TAIL_BYTES = 4096  # how much of a program's output is kept, from its end
EXTENSIONS = 6  # how often it gets that time anew while only ending processes are left
MAX_REPORT_BYTES = 4096
ESTABLISHED = "01"  # the state of a connection in the kernel's tables
ENDS = 4  # a flag of the kernel in `stat` (PF_EXITING)
FORKS = sys.platform == "linux"
FORK_TIMEOUT = 30.0  # seconds that the fork server has to answer; after them it is replaced
ATTEMPTS = 2
MAX_ANSWER = 64
GONE = (BrokenPipeError, ConnectionResetError)


class Peer(NamedTuple):
    """The other end of a connection: the user it belongs to, and the number of its socket."""

    uid: int
    inode: int


def peer_of(connection: socket.socket) -> Peer | None:
    """Return the other end of a TCP connection on this machine; ``None`` if it is gone.

    The connection is one over IPv4; the other end may have made it with a socket for IPv6, as Java
    does.
    """
    try:
        ends = connection.getpeername(), connection.getsockname()
    except OSError:
        return None
    for table, mapped in (("/proc/net/tcp", ""), ("/proc/net/tcp6", MAPPED)):
        # four bytes in this machine's order, and the port, as the kernel writes them
        theirs, ours = (f"{mapped}{_word(socket.inet_aton(at[0]))}:{at[1]:04X}" for at in ends)
        with suppress(OSError), open(table, encoding="ascii") as lines:
            for line in lines:
                fields = line.split()
                if fields[1:4] == [theirs, ours, ESTABLISHED]:
                    return Peer(int(fields[7]), int(fields[9]))
    return None


def _word(four: bytes) -> str:
    (number,) = struct.unpack("=I", four)
    return f"{number:08X}"


MAPPED = f"{0:016X}{_word(bytes((0, 0, 255, 255)))}"
"""What comes before an IPv4 address where it is written as one of IPv6."""


def have_open(inode: int, processes: Iterable[int]) -> bool:
    """Whether one of some processes has a socket open."""
    for process in processes:
        with suppress(OSError):  # it is gone, or may not be looked at
            folder = f"/proc/{process}/fd"
            for descriptor in os.listdir(folder):
                with suppress(OSError):
                    if os.readlink(f"{folder}/{descriptor}") == f"socket:[{inode}]":
                        return True
    return False


def _all_end(processes: Sequence[int]) -> bool:
    """Whether there are processes, and all of them are ending, which may take the kernel long."""
    with suppress(OSError, IndexError):
        return all(int(stat_fields(each)[6]) & ENDS for each in processes) and bool(processes)
    return True  # one has gone meanwhile


# -- supervisors -----------------------------------------------------------------------------------


class Supervisors:
    """Starts supervisors. Their parent is this process, which has to adopt orphans.

    The fork server is started with the first of them, and ends with :meth:`close`.
    """

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    @property
    def pids(self) -> set[int]:
        """The children of this process that are needed to start others."""
        return set() if self._server is None else {self._server.pid}

    async def start(self, stdin: int, given: Sequence[int]) -> tuple[int, trio.lowlevel.FdStream]:
        """Start a supervisor; ``OSError`` if no process can be made.

        Return its process id, and the pipe for its report.

        The descriptors that it is ``given``, as sandboxes need, get new numbers there, see
        :func:`.serve`. One call at a time. The caller closes its own copies.
        """
        read_end, write_end = os.pipe()
        stdout = trio.lowlevel.FdStream(read_end)
        try:
            if FORKS:
                return await self._forked([stdin, write_end, *given]), stdout
            new = subprocess.Popen(
                SUPERVISOR,
                stdin=stdin,
                stdout=write_end,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is for this process, which stops programs
            )
            new.returncode = 0  # to have nobody but us wait for it
            return new.pid, stdout
        except BaseException:
            await trio.aclose_forcefully(stdout)
            raise
        finally:
            os.close(write_end)

    async def _forked(self, descriptors: list[int]) -> int:
        for _ in range(ATTEMPTS):
            channel = self._channel or self._open()
            answer = b""
            # an answer that nobody waits for would be taken for the next one
            with trio.move_on_after(FORK_TIMEOUT, shield=True), suppress(*GONE):
                socket.send_fds(channel, [b"x"], descriptors)
                await trio.lowlevel.wait_readable(channel)
                answer = channel.recv(MAX_ANSWER)
            if answer:
                process = int(answer)
                if process < 0:
                    raise OSError(-process, os.strerror(-process))
                return process
            self.close()  # somebody has killed or stopped it
        raise OSError("the process that starts supervisors does not answer")

    def _open(self) -> socket.socket:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._channel.setblocking(False)
        with theirs:
            self._server = subprocess.Popen(
                python_that_calls(f"serve({theirs.fileno()})"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )
        return self._channel

    def __del__(self) -> None:
        """A launcher was not used as a context."""
        self.close()

    def close(self) -> None:
        """End the fork server; supervisors that run go on."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._server is not None:
            self._server.kill()  # it has nothing to do
            self._server.wait()
            self._server = None


# -- one program -----------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class PlayerProcess:
    """One program's process, from its start until it and everything that it started are gone."""

    pid: int  # the supervisor, a child of this process although another one may have forked it
    stdout: trio.lowlevel.FdStream  # the pipe for the supervisor's report
    hold: trio.lowlevel.FdStream  # the supervisor's input; closing it releases the program
    folder: Path  # of what it prints, and for its temporary files
    directory: Path  # that it runs in
    name: str
    sandbox: Sandbox
    uid: int | None  # the user that is the program's alone, if it has one
    limits: Limits
    intrusions: int = 0  # how often it has connected to another program's address
    exit: ProcessExit | None = None
    ended: trio.Event = field(default_factory=trio.Event)  # set when nothing of it is left
    work: ProgramWork = field(init=False)  # tells what the program does until then
    _asked: trio.Event = field(default_factory=trio.Event)
    _released: trio.Event = field(default_factory=trio.Event)
    _reaped: bool = False
    _given_up: bool = False  # whether the supervisor was killed here, though nobody had stopped it

    def __post_init__(self) -> None:
        self.work = ProgramWork(self.pid)

    def made(self, connection: socket.socket) -> bool:
        """Whether a connection to this program's own socket is its own, as far as can be known.

        In bubblewrap nobody else can reach the socket.
        """
        if self.sandbox is Sandbox.BWRAP or sys.platform != "linux":
            return True
        peer = peer_of(connection)
        return peer is not None and self.has(peer)

    def has(self, peer: Peer) -> bool:
        """Whether the other end of a connection on this machine is this program's."""
        if self.sandbox is Sandbox.UID:
            return peer.uid == self.uid
        return have_open(peer.inode, descendants(self.pid))

    def stop(self) -> None:
        """Stop the program now; ``ended`` is set when nothing of it is left."""
        if not self._asked.is_set():
            self._asked.set()
            with suppress(OSError):
                os.write(self.hold.fileno(), b"\n")

    async def end(self, grace: float = EXIT_GRACE) -> ProcessExit:
        """Wait until nothing of the program is left; after so many seconds, stop it."""
        with trio.move_on_after(grace):
            await self.ended.wait()
        self.stop()
        await self.ended.wait()
        assert self.exit is not None, "it is known by now"
        return self.exit

    def output(self, limit: int = OUTPUT_TAIL_BYTES) -> bytes:
        """Return the end of the program's output, in bytes; empty after :meth:`release`."""
        with suppress(OSError), (self.folder / "output").open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - limit, 0))
            return file.read(limit)
        return b""

    def output_size(self) -> int:
        """Return how many bytes the program has printed; 0 after :meth:`release`."""
        with suppress(OSError):
            return (self.folder / "output").stat().st_size
        return 0

    @property
    def flooded(self) -> bool:
        """Whether its output has reached the limit, so that it could print no more."""
        return self.output_size() >= self.limits.file_size

    def release(self) -> None:
        """Stop the program if it is still running, and remove its files."""
        self._asked.set()
        self._released.set()
        self.hold.close()

    async def watch(self, stop_strays: Callable[[], Awaitable[int]]) -> None:
        """Wait until the program is released and nothing of it is left.

        ``stop_strays`` stops what a killed supervisor has left behind, and counts it.
        """
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._kill_unresponsive_supervisor)
            self.exit = read_exit(await self._report())
            if self.exit is None:
                self._kill()
                await self._wait()
                why = "unanswered" if self._given_up else "unknown"
                self.exit = ProcessExit(None, why, await stop_strays(), 0, 0)
            failed = self.exit.failed or self.exit.failure
            if failed and self.sandbox is not Sandbox.NONE and not os.path.isdir(self.directory):
                why = f"its folder is not there any more ({self.directory})"
                self.exit = self.exit._replace(machine_fault=why)
            self.ended.set()
            await self._released.wait()
            await self._wait()
            nursery.cancel_scope.cancel()
        if self.folder.exists():
            await trio.run_process(["rm", "-rf", "--", str(self.folder)], check=False)

    async def _report(self) -> bytes:
        """Return the supervisor's report: one line, or less if it was killed."""
        report = b""
        with suppress(trio.BrokenResourceError):
            async for data in self.stdout:
                report += data
                if report.endswith(b"\n") or len(report) > MAX_REPORT_BYTES:
                    break
        return report

    def _kill(self) -> None:
        """Kill the supervisor; not a process that has its number later, since it was not reaped."""
        if not self._reaped:
            os.kill(self.pid, signal.SIGKILL)

    async def _wait(self) -> None:
        if self._reaped:
            return
        if hasattr(os, "pidfd_open"):
            descriptor = os.pidfd_open(self.pid)
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        else:  # as on macOS: the pipe for its report closes with it
            with suppress(trio.BrokenResourceError):
                async for _ in self.stdout:
                    pass
        self._reaped = True
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    async def _kill_unresponsive_supervisor(self) -> None:
        """Kill the supervisor if it ignores a request.

        Its program may have stopped it by a signal; otherwise the machine may have starved it.
        """
        for asked, done in ((self._asked, self.ended), (self._released, trio.Event())):
            await asked.wait()
            for _ in range(EXTENSIONS):
                with trio.move_on_after(SUPERVISOR_TIMEOUT):
                    await done.wait()
                if done.is_set() or not _all_end(descendants(self.pid)):
                    break
            if not done.is_set():
                with suppress(OSError, IndexError):
                    self._given_up = stat_fields(self.pid)[0] not in STOPPED
                self._kill()
