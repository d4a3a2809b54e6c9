"""Starts supervisors, as forks of one process where the kernel lets orphans be adopted (Linux)."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress

import trio

from .fork_server import FIRST_GIVEN
from .supervisor import SUPERVISOR, python_that_calls

FORKS = sys.platform == "linux" and hasattr(os, "pidfd_open")
FORK_TIMEOUT = 30.0
"""Seconds that the fork server has to answer; after them it is replaced."""
ATTEMPTS = 2
MAX_ANSWER = 64
GONE = (BrokenPipeError, ConnectionResetError)


class Supervisor:
    """A supervisor that is a child of this process, although another one has forked it.

    ``stdout`` is the pipe for its report, as that of a :class:`trio.Process`.
    """

    def __init__(self, pid: int, stdout: trio.lowlevel.FdStream) -> None:
        self.pid = pid
        self.stdout = stdout
        self._ended = False

    def kill(self) -> None:
        """Kill it; not a process that has its number later, since it is still to be reaped."""
        if not self._ended:
            os.kill(self.pid, signal.SIGKILL)

    async def wait(self) -> None:
        """Wait for its end."""
        if self._ended:
            return
        descriptor = os.pidfd_open(self.pid)
        try:
            await trio.lowlevel.wait_readable(descriptor)
        finally:
            os.close(descriptor)
        if not self._ended:
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

    @staticmethod
    def numbers(given: Sequence[int]) -> dict[int, int]:
        """Return for each descriptor that a supervisor is given the number that it has there."""
        if FORKS:
            return {each: number for number, each in enumerate(given, FIRST_GIVEN)}
        return {each: each for each in given}

    async def start(self, stdin: int, given: Sequence[int]) -> "Supervisor | trio.Process":
        """Start a supervisor; ``OSError`` if no process can be made.

        One call at a time. The caller closes its own copies of the descriptors.
        """
        if not FORKS:
            return await trio.lowlevel.open_process(
                SUPERVISOR,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is for this process, which stops programs
                pass_fds=given,
            )
        read_end, write_end = os.pipe()
        stdout = trio.lowlevel.FdStream(read_end)
        try:
            return Supervisor(await self._forked([stdin, write_end, *given]), stdout)
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
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._server = subprocess.Popen(
                    python_that_calls("fork_server", f"serve({theirs.fileno()})"),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    pass_fds=[theirs.fileno()],
                )
            except BaseException:
                ours.close()
                raise
        ours.setblocking(False)
        self._channel = ours
        return ours

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
