"""Start programs within limits, wait for their end, and clean up after them.

A supervisor process beside each program enforces its limits, and stops whatever is left of it when
this process releases it, or dies.
"""

import json
import os
import resource
import shutil
import signal
import socket
import sys
from contextlib import suppress
from copy import copy
from dataclasses import asdict
from itertools import count
from pathlib import Path

import trio

from ...protocol.user_error import UserError
from .control_groups import OVERHEAD, groups_here
from .limits import Limits
from .player_process import Peer, PlayerProcess, Supervisors
from .processes import PR_SET_CHILD_SUBREAPER, ask_kernel, children, descendants, tasks_of_user
from .program import LOCALHOST, Program
from .sandbox import (
    FIRST_UID,
    SANDBOX_HOME,
    SANDBOX_TMPDIR,
    UIDS,
    Sandbox,
    claim,
    filter_in_task,
    has_own_user_in_bwrap,
    in_bwrap,
    shown_in_bwrap,
)
from .starting import OUTPUT_RESERVE, SANDBOX_PORT, THREADS, threads_of_one
from .supervisor import FIRST_GIVEN

MKDIR_ATTEMPTS = 20
BACKLOG = 4096  # connections that wait: other programs must not be able to fill the queue
OF_USER = ("HOME", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME")
INHERITED_VARIABLES = (*OF_USER, "PATH", "SHELL", "JAVA_HOME")
"""What a program inherits from the environment of this process, in addition to ``LC_...``."""
STRAYS_INTERVAL = 0.01  # seconds between two looks at processes that end
LOOPBACK_TIMEOUT = 5.0
BESIDE_PROGRAM = 3  # processes beside each program: its supervisor, and two of bubblewrap's
_GROUPS = count(1)


class Launcher:
    """Starts programs within the same limits, and knows which processes are its own.

    ``folder`` is a new folder for all files of the programs. A process that uses a launcher may
    start no other children afterwards: when a supervisor was killed, all that are new are taken for
    what it had supervised, and stopped.
    """

    def __init__(self, limits: Limits, folder: Path, sandbox: Sandbox = Sandbox.NONE) -> None:
        self._limits = limits
        self._folder = folder
        self.sandbox = sandbox
        self._launched: dict[int, PlayerProcess] = {}
        """The programs whose supervisors live, by the supervisor's process id."""
        self._others = set(children(os.getpid()))
        """Children that this process had before, which are nobody's strays."""
        self._starting = trio.Lock()  # held while a supervisor starts, which looks like a stray
        self._supervisors = Supervisors()
        self._count = count(1)
        self._next_uid = count()
        # orphans come to this process if their supervisor is killed
        ask_kernel(PR_SET_CHILD_SUBREAPER, 1)

    def __enter__(self) -> "Launcher":
        return self

    def __exit__(self, *_: object) -> None:
        """Start no more programs; those that run go on until they are released."""
        self._supervisors.close()

    def at_once(self, wanted: int, programs: int = 1) -> int:
        """Return how many groups of so many programs may run at once, at most ``wanted``.

        ``UserError`` if none, as this machine lacks what they need: a loopback to connect by, room
        on the disk for what they print, or as many processes of this user as they may have.
        """
        if not programs:
            return wanted
        if self.sandbox is not Sandbox.BWRAP:  # each program has a network of its own there
            try:
                with socket.create_server((LOCALHOST, 0)) as listener:
                    socket.create_connection(listener.getsockname(), LOOPBACK_TIMEOUT).close()
            except OSError as error:
                raise UserError(
                    f"Programs of this machine cannot connect to {LOCALHOST}: {error.strerror}. "
                    "Set up its loopback (ip link set lo up)."
                ) from error
        if shutil.disk_usage(self._folder.parent).free < OUTPUT_RESERVE:
            raise UserError(
                f"There is no room in {self._folder.parent} for what programs print: less than "
                f"{OUTPUT_RESERVE // 1024} KiB. Make room, or set TMPDIR to another folder."
            )
        return min(wanted, self._groups_of(programs))

    def _groups_of(self, programs: int) -> int:
        """Return for how many groups of programs this user may have processes; ``UserError``.

        Each program has to have as many as it may, or it could not start a thread because of what
        its rivals have started. Root's programs have users of their own, or no limit.
        """
        most = resource.getrlimit(resource.RLIMIT_NPROC)[0]
        if most == resource.RLIM_INFINITY or os.geteuid() == 0 or sys.platform != "linux":
            return sys.maxsize
        each = programs * (threads_of_one(self._limits.processes, most) + BESIDE_PROGRAM)
        if most - (used := tasks_of_user()) < each:
            raise UserError(
                f"This user may have {most} processes and threads (ulimit -u) and has {used}, but "
                f"what runs at once may need {each}. Raise that limit, or give each program fewer "
                "processes (limits.processes, --processes)."
            )
        return (most - used) // each

    def limited(self, limits: Limits, sandbox: Sandbox | None = None) -> "Launcher":
        """Return a launcher with other limits that knows the same processes.

        It has the same sandbox unless another is given.
        """
        other = copy(self)
        other._limits = limits
        other.sandbox = sandbox or self.sandbox
        return other

    async def launch(
        self,
        program: Program,
        port: int,
        name: str,
        nursery: trio.Nursery,
        channel: socket.socket | None = None,
        connects_only: bool = False,
    ) -> PlayerProcess:
        """Start a program and watch it in ``nursery``; ``OSError`` if no process can be made.

        Over ``channel`` a supervisor sends the socket that listens for it in bubblewrap. Without
        that, the program connects to an address that is known already, or this process connects to
        it: so bubblewrap, with a network of its own, is no sandbox for it. A program that
        ``connects_only`` may not listen in a network that it shares.
        """
        folder, sandbox = self._folder / str(next(self._count)), self.sandbox
        filled = program.filled(port, name)
        shown = shown_in_bwrap(filled) if sandbox is Sandbox.BWRAP else {}
        alone = sandbox is Sandbox.UID or (
            sandbox is Sandbox.BWRAP and has_own_user_in_bwrap(filled, shown)
        )
        uid, claimed = self._claim_uid() if alone else (None, None)
        scratch = _make_folder(folder / "scratch")
        own_folders = {"TMPDIR": str(scratch)}
        if sandbox is Sandbox.BWRAP:
            own_folders = {"TMPDIR": SANDBOX_TMPDIR, "HOME": SANDBOX_HOME}
        elif uid is not None:
            own_folders["HOME"] = str(scratch)
            for above in (self._folder, folder):  # whatever the umask: it has to get there
                above.chmod(0o711)
            _give(scratch, uid)
        if uid is not None:
            for own in program.writable:
                _give(own, uid)
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name in INHERITED_VARIABLES or name.startswith("LC_")
        }
        if not any(name == "LANG" or name.startswith("LC_") for name in inherited):
            inherited["LANG"] = "C.UTF-8"  # where no language is set, as in many containers
        inherited["PYTHONUNBUFFERED"] = "1"  # so that nothing is lost when it is stopped
        environment = {**inherited, **own_folders, **filled.environment}
        confined: dict[str, object] = {}
        if sandbox is Sandbox.BWRAP:
            confined = in_bwrap(filled, shown, environment, self._limits.scratch, uid)
        elif sandbox is Sandbox.UID:
            confined = {"uid": uid, "filter": filter_in_task(connects_only)}
        given = {} if channel is None else {"channel": channel.fileno()}
        given |= {} if claimed is None else {"claim": claimed}
        confined |= zip(given, count(FIRST_GIVEN))
        task = {
            "command": filled.command,
            "directory": str(filled.directory),
            "environment": environment,
            "output": str(folder / "output"),
            "scratch": str(folder),
            "limits": asdict(self._limits),
            "sandbox": confined,
            "group": self._group(),
        }
        read_end, write_end = os.pipe()
        hold = trio.lowlevel.FdStream(write_end)
        try:
            async with self._starting:
                started = await self._supervisors.start(read_end, [*given.values()])
                launched = PlayerProcess(
                    *started, hold, folder, filled.directory, name, sandbox, uid, self._limits
                )
                self._launched[launched.pid] = launched
        except BaseException:
            hold.close()
            raise
        finally:
            os.close(read_end)
            if claimed is not None:
                os.close(claimed)  # the supervisor has it now
        nursery.start_soon(self._watch, launched)
        nursery.start_soon(launched.work.watch, launched.ended)
        try:
            await hold.send_all(json.dumps(task).encode() + b"\n")
        except trio.BrokenResourceError:
            pass  # it is gone already; watching finds out how
        except BaseException:
            launched.release()
            raise
        return launched

    async def launch_listening(
        self, program: Program, name: str, nursery: trio.Nursery
    ) -> tuple[PlayerProcess, socket.socket | None]:
        """Start a program that connects to a listening socket of its own, and return both.

        With bubblewrap the socket is in the program's own network; the caller closes it. There is
        none if the program could not be started; its end says why.
        """
        if self.sandbox is not Sandbox.BWRAP:
            listener = socket.create_server((LOCALHOST, 0), backlog=BACKLOG)
            listener.setblocking(False)
            port = listener.getsockname()[1]
            try:
                launched = await self.launch(program, port, name, nursery, connects_only=True)
                return launched, listener
            except BaseException:
                listener.close()
                raise
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                launched = await self.launch(program, SANDBOX_PORT, name, nursery, theirs)
            try:
                await trio.lowlevel.wait_readable(ours)
                _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
            except BaseException:  # nobody else knows of the program yet
                launched.release()
                raise
        if not descriptors:
            return launched, None
        listener = socket.socket(fileno=descriptors[0])
        listener.setblocking(False)
        return launched, listener

    def holder(self, peer: Peer) -> PlayerProcess | None:
        """Return the program that the other end of a connection belongs to."""
        return next((each for each in self._launched.values() if each.has(peer)), None)

    async def _watch(self, launched: PlayerProcess) -> None:
        with trio.CancelScope(shield=True):  # cancelling must leave no process behind
            await launched.watch(self._stop_strays)
        del self._launched[launched.pid]

    def _group(self) -> dict[str, object] | None:
        if self.sandbox is Sandbox.NONE or (place := groups_here()) is None:
            return None
        in_memory = 2 * self._limits.scratch  # its two folders there count as its memory
        return {
            **place._asdict(),
            "name": f"{os.getpid()}-{next(_GROUPS)}",
            "memory": self._limits.memory + in_memory + OVERHEAD,
            "tasks": max(THREADS, self._limits.processes),
        }

    def _claim_uid(self) -> tuple[int, int]:
        """Return a user that no living program has, and its claim; ``OSError``."""
        while (claimed := claim(uid := FIRST_UID + next(self._next_uid) % UIDS)) is None:
            pass
        return uid, claimed

    async def _stop_strays(self) -> int:
        """Stop and count the children left by programs whose supervisors are gone."""
        stopped: set[int] = set()
        while True:
            async with self._starting:
                known = self._others | self._launched.keys() | self._supervisors.pids
                strays = set(children(os.getpid())) - known
            if not strays:
                return len(stopped)
            for child in strays:  # what they start while they are stopped comes to us as well
                for process in (child, *descendants(child)):
                    with suppress(OSError):
                        os.kill(process, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(child, os.WNOHANG)  # some take seconds to end, and games go on
            stopped |= strays
            await trio.sleep(STRAYS_INTERVAL)


def _give(folder: Path, uid: int) -> None:
    os.chown(folder, uid, uid)
    for inside, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(inside, name), uid, uid, follow_symlinks=False)


def _make_folder(folder: Path) -> Path:
    """Make a folder for one user, though a supervisor that is done may remove its empty parent."""
    for left in reversed(range(MKDIR_ATTEMPTS)):
        try:
            folder.mkdir(mode=0o700, parents=True)
            break
        except FileNotFoundError:
            if not left:
                raise
    return folder
