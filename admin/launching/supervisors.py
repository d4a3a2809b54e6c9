"""Starts supervisors, as forks of one process where orphans can be adopted (Linux)."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import trio

from .supervisor import SUPERVISOR, python_that_calls

FORKS = sys.platform == "linux"
FORK_TIMEOUT = 30.0
"""Seconds that the fork server has to answer; after them it is replaced."""
ATTEMPTS = 2
MAX_ANSWER = 64
GONE = (BrokenPipeError, ConnectionResetError)


@dataclass(slots=True)
class Supervisor:
    """A supervisor, which is a child of this process although another one may have forked it.

    ``stdout`` is the pipe for its report.
    """

    pid: int
    stdout: trio.lowlevel.FdStream
    _ended: bool = False

    def kill(self) -> None:
        """Kill it; not a process that has its number later, since it is still to be reaped."""
        if not self._ended:
            os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> None:
        """Wait for its end."""
        if self._ended:
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
        self._ended = True
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


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

    async def start(self, stdin: int, given: Sequence[int]) -> Supervisor:
        """Start a supervisor; ``OSError`` if no process can be made.

        The descriptors that it is ``given``, as sandboxes need, get new numbers there, see
        :func:`.serve`. One call at a time. The caller closes its own copies.
        """
        read_end, write_end = os.pipe()
        stdout = trio.lowlevel.FdStream(read_end)
        try:
            if FORKS:
                return Supervisor(await self._forked([stdin, write_end, *given]), stdout)
            new = subprocess.Popen(
                SUPERVISOR,
                stdin=stdin,
                stdout=write_end,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is for this process, which stops programs
            )
            new.returncode = 0  # to have nobody but us wait for it
            return Supervisor(new.pid, stdout)
        except BaseException:
            await trio.aclose_forcefully(stdout)
            raise
        finally:
            os.close(write_end)

    async def _forked(self, descriptors: list[int]) -> int:
        """Have a supervisor forked; return its process id."""
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
        """Start the fork server; return the channel to it."""
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
