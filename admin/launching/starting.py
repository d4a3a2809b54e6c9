"""Start a program as the supervisor is asked to: its limits, its user, its sandbox.

bubblewrap starts the program in a network of its own and waits; a child of the supervisor enters
that network, listens there, and passes the listening socket out over a socket pair. So the port is
always the same, whoever connects is that program, and no secret has to be handed to it. The
supervisor stays outside, where the program cannot see it.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import binascii
import ctypes
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from .control_groups import ControlGroup
from .processes import (
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    ask_kernel,
    stop_descendants,
)

DESCRIPTORS = 1024
IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SANDBOX_PAUSES = (0.05, 0.2, 0.5)
"""Seconds before bubblewrap is tried again: a busy machine may lack something for a moment.

The program has not run until then, so nobody gains by it.
"""
NOT_EXECUTED = (
    *(errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES, errno.EPERM),
    *(errno.ENOEXEC, errno.E2BIG),
)
"""Why a program could not be executed."""
OF_MACHINE = (errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE)
"""Why a program could not be executed although nothing is wrong with it."""
OF_PROGRAM = "program: "  # marks a reason that is the program's own fault
OF_DISK = (errno.ENOSPC, errno.EDQUOT)
OUTPUT_RESERVE = 2**20  # bytes that a program can still print when others fill the disk
FALLOC_FL_KEEP_SIZE = 1
CANNOT_RUN = 127
MAX_FIRST_LINE = 256  # bytes of a script's first line that the system reads
MAX_COMPLAINT = 20_000  # bytes of what is printed if there is no program; a path has 4,096
ENV = "/usr/bin/env"
HINT_OF_ENV = "use -[v]S to pass options in shebang lines"  # printed of a path with a blank
ESCAPED = {byte: f"\\{byte:03o}" for byte in (*range(32), *range(127, 256))}
ESCAPED |= {ord(char): f"\\{char}" for char in "'\\"}
"""How it writes bytes in its own messages, where it knows no language."""
OF_PRIORITY = (resource.RLIMIT_NICE, resource.RLIMIT_RTPRIO) if sys.platform == "linux" else ()
"""What lets users go before others, as on machines for music."""
FOR_BWRAP = {"PATH": "/usr/bin:/bin"}  # the variables of bubblewrap itself
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
INSTRUCTION = 8  # bytes of an instruction of a filter
THREADS = 1024
"""Threads that all processes of a program may have together, or as many as it may have processes.
The kernel counts them for every user."""
SHARE = 32
"""Of the threads that a user may have, one of its programs may have this part, where they share the
user: else a few of them would keep their rivals from starting, or from starting a thread."""
SIGNALS = 1024  # signals and timers that a program may have waiting
SANDBOX_PORT = 28346
"""Where programs in bubblewrap connect: each has its own network. It is not that of ``acquire
serve``, so that a program is found out that does not look which port it is given."""
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
NS_GET_USERNS = 0xB701  # asks for the user namespace that owns another one; see ioctl_ns(2)
KERNEL_SETTINGS = {
    "net/ipv4/tcp_rmem": "4096 131072 262144",
    "net/ipv4/tcp_wmem": "4096 16384 262144",
}
"""What a sandbox's own network is limited to: little memory for connections."""


class Started(NamedTuple):
    """A program that was started, or why it could not be run."""

    process: int
    failure: str  # why it could not be run, or empty
    bwrap: bool  # whether it is in bubblewrap
    inside: int = 0  # the first process of the sandbox, 0 without one
    set_up: bool = True  # this machine has done its part; if not, the program has not run


def start(task: dict[str, Any], group: ControlGroup | None) -> Started:
    """Start the program in a session of its own, and in its control group if there is one.

    If its sandbox could not be set up, it is tried again: the program has not run yet, and a
    machine under load may lack for a moment what a sandbox needs.
    """
    channel = task["sandbox"].get("channel")
    started = _try_to_start(task, group)
    for pause in SANDBOX_PAUSES:
        if started.set_up:
            break
        time.sleep(pause)
        with suppress(OSError):  # what bubblewrap has said is not the program's output
            os.truncate(task["output"], 0)
        started = _try_to_start(task, group)
    if channel is not None:
        os.close(channel)
    return started


def _try_to_start(task: dict[str, Any], group: ControlGroup | None) -> Started:
    """Start the program; in bubblewrap, only once somebody listens for it inside."""
    bwrap = "bwrap" in task["sandbox"]
    info, info_end = os.pipe()
    block_end, block = os.pipe()
    supervisor = os.getpid()

    def execute() -> None:
        os.close(block)
        if group is not None:
            group.join()
        if bwrap:
            _in_bwrap(task, info_end, block_end)
        _become(task, supervisor)
        _execute(task)

    program, failure = _fork(execute)
    for descriptor in (info_end, block_end):
        os.close(descriptor)
    set_up = not failure or failure.startswith(OF_PROGRAM)
    started = Started(program, failure.removeprefix(OF_PROGRAM), bwrap, set_up=set_up)
    if bwrap and not started.failure:
        started = _let_in(task, started, info)
    os.close(info)
    if bwrap and started.failure:
        stop_descendants()  # before the block ends, or bubblewrap would start the program
    else:
        with suppress(BrokenPipeError):
            os.write(block, b"x")
    os.close(block)
    return started


def _fork(deed: Callable[[], None]) -> tuple[int, str]:
    """Do something in a child until it ends or executes a program; return it and any error."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            deed()
        except Exception as error:
            os.write(write_end, str(error).encode())
        finally:
            os._exit(CANNOT_RUN)
    os.close(write_end)
    with open(read_end, "rb") as pipe:  # it closes when a program is executed
        return child, pipe.read().decode(errors="replace")


def _in_bwrap(task: dict[str, Any], info: int, block: int) -> None:
    """Put bubblewrap before the command; it reports itself on ``info``, and waits for ``block``.

    Nothing that a player wrote is among its variables, its arguments are in a file of ours, and it
    is started in no folder of a player's.
    """
    sandbox = task["sandbox"]
    words = "".join(f"{word}\0" for word in sandbox["arguments"])
    for option, descriptor in (
        ("--args", _in_memory(os.fsencode(words))),
        ("--seccomp", _in_memory(binascii.a2b_base64(sandbox["filter"]))),
        ("--info-fd", info),
        ("--block-fd", block),
    ):
        os.set_inheritable(descriptor, True)
        sandbox.setdefault("options", []).extend((option, str(descriptor)))
    before = [sandbox["bwrap"], *sandbox["options"], "--", *sandbox["before"]]
    task |= {"command": [*before, *task["command"]], "directory": "/", "environment": FOR_BWRAP}


def _in_memory(content: bytes) -> int:
    descriptor = os.memfd_create("sandbox")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _let_in(task: dict[str, Any], started: Started, info: int) -> Started:
    """Listen inside a sandbox whose program still waits, and send the socket to the launcher."""
    found = b""
    while not found.rstrip().endswith(b"}") and (data := os.read(info, 4096)):
        found += data
    try:
        inside = int(json.loads(found)["child-pid"])
    except (ValueError, KeyError):
        why = _complaint(task) or "bubblewrap could not start it"
        return started._replace(failure=why, set_up=False)
    failure = _listen_inside(inside, task["sandbox"]["channel"])
    # what the kernel counts for a user: for all programs of one, and in each sandbox for its own,
    # whose limit is lower; has no effect on a program of root's
    for kind, most in (
        (resource.RLIMIT_NPROC, _threads(task)),
        (resource.RLIMIT_SIGPENDING, SIGNALS),
    ):
        with suppress(OSError, ValueError):  # it has ended; or the limit of this user is lower
            resource.prlimit(inside, kind, (most, most))
    if failure:  # bubblewrap may have ended meanwhile, and said why
        failure = _complaint(task) or failure
    return started._replace(inside=inside, failure=failure, set_up=not failure)


def _listen_inside(process: int, channel: int) -> str:
    """Send over a channel a socket that listens in the network of a sandboxed process.

    A child does it, because whoever has entered a namespace cannot leave it again. The child also
    sets what the kernel allows the sandbox. Returns why it failed, or nothing.
    """

    def listen() -> None:
        _enter(process)
        for name, value in KERNEL_SETTINGS.items():
            with suppress(OSError), open(f"/proc/sys/{name}", "w", encoding="ascii") as file:
                file.write(value)
        with socket.create_server(("127.0.0.1", SANDBOX_PORT)) as listener:
            socket.send_fds(socket.socket(fileno=channel), [b"L"], [listener.fileno()])

    child, failure = _fork(listen)
    with suppress(ChildProcessError):
        os.waitpid(child, 0)
    return failure and f"no listener in the sandbox: {failure}"


def _enter(process: int) -> None:
    network = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    owner = fcntl.ioctl(network, NS_GET_USERNS)
    kinds = [(network, CLONE_NEWNET)]
    if os.fstat(owner).st_ino != os.stat("/proc/self/ns/user").st_ino:
        kinds.insert(0, (owner, CLONE_NEWUSER))
    libc = ctypes.CDLL(None, use_errno=True)
    for descriptor, kind in kinds:
        if libc.setns(descriptor, kind):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _complaint(task: dict[str, Any]) -> str:
    """Return what bubblewrap itself has printed, before there was a program that could print."""
    with suppress(OSError), open(task["output"], "rb") as file:
        found = file.read(1000).decode(errors="replace")
        if found.startswith("bwrap: ") and found.endswith("\n") and found.count("\n") == 1:
            return found.removeprefix("bwrap: ").strip()
    return ""


def why_not_executed(task: dict[str, Any]) -> str:
    """Return the reason why the program could not be executed in bubblewrap.

    The program may print the same, but no other words: they are those of the system.
    """
    program = str(task["command"][0])
    with suppress(OSError), open(task["output"], "rb") as file:
        printed = file.read(MAX_COMPLAINT).decode(errors="replace").strip()
        printed = printed.removesuffix(f"\n{ENV}: {HINT_OF_ENV}")
        written = "".join(ESCAPED.get(byte) or chr(byte) for byte in os.fsencode(program))
        for number in NOT_EXECUTED:
            reason = f"{program}: {os.strerror(number)}"
            of_env = f"{ENV}: '{written}': {os.strerror(number)}"
            if printed in (f"bwrap: execvp {reason}", of_env):
                return _without_interpreter(program) or reason
    return ""


def _without_interpreter(program: str) -> str:
    """Return that the interpreter is not there which a script names; nothing if it names none."""
    with suppress(OSError), open(program, "rb") as file:
        first = file.readline(MAX_FIRST_LINE)
        interpreter = first[2:].strip(b" \t").split(b" ")[0].removesuffix(b"\n")
        if first.startswith(b"#!") and not os.path.exists(interpreter):
            why = f"{first[2:].decode(errors='replace').strip()!r} of its first line is not there"
            ends = ", as its lines end as on Windows" if first.endswith(b"\r\n") else ""
            return f"{program}: {why}{ends}"
    return ""


def _become(task: dict[str, Any], supervisor: int) -> None:
    sandbox = task["sandbox"]
    os.setsid()
    for number in (*IGNORED_SIGNALS, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(str(task["output"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    _reserve(output, min(OUTPUT_RESERVE, int(task["limits"]["file_size"])))
    set_limits(task)
    ask_kernel(PR_SET_DUMPABLE, 1)  # or an ordinary user may not write there
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("500")  # if the memory runs out, this process is killed before the referee
    ask_kernel(PR_SET_DUMPABLE, 0)
    if (channel := sandbox.get("channel")) is not None:
        os.set_inheritable(channel, False)
    if (claim := sandbox.get("claim")) is not None:
        os.set_inheritable(claim, False)
        resource.setrlimit(resource.RLIMIT_NPROC, (_threads(task), _threads(task)))
    own_user = "bwrap" not in sandbox and "uid" in sandbox  # which is all of its sandbox
    if own_user:
        os.setgroups([])
        os.setresgid(*[sandbox["uid"]] * 3)
        os.setresuid(*[sandbox["uid"]] * 3)
        ask_kernel(PR_SET_NO_NEW_PRIVS, 1)
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user would undo it
    if os.getppid() != supervisor:  # it died before the line above
        os._exit(CANNOT_RUN)
    if own_user:
        filtered = binascii.a2b_base64(sandbox["filter"])
        found = _Filter(len(filtered) // INSTRUCTION, filtered)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(found), 0, 0):
            raise OSError(ctypes.get_errno(), "the filter for system calls was refused")


def _reserve(file: int, size: int) -> None:
    """Keep room on the disk for a file; ``OSError`` if there is none.

    Otherwise a program that prints a line would fail on a full disk, and lose its game by it.
    """
    reserve = getattr(ctypes.CDLL(None, use_errno=True), "fallocate64", None)  # Linux has it
    if reserve and reserve(file, FALLOC_FL_KEEP_SIZE, ctypes.c_int64(0), ctypes.c_int64(size)):
        number = ctypes.get_errno()
        if number in OF_DISK:  # others: this kind of disk cannot do it
            raise OSError(f"{os.strerror(number)} for what programs print (TMPDIR)")


def _execute(task: dict[str, Any]) -> None:
    """Execute the program; ``OSError``, marked where it is its own fault, as if it is not there."""
    try:
        os.chdir(str(task["directory"]))
        os.execvpe(task["command"][0], task["command"], task["environment"])
    except OSError as error:
        in_bwrap = "bwrap" in task["sandbox"]
        if error.errno in OF_MACHINE or (in_bwrap and error.errno != errno.E2BIG):
            raise
        found = error.errno == errno.ENOENT and os.path.isdir(str(task["directory"]))
        script = _without_interpreter(task["command"][0]) if found else ""
        why = os.strerror(errno.E2BIG) if in_bwrap else script or str(error)
        raise OSError(f"{OF_PROGRAM}{why}") from error


class _Filter(ctypes.Structure):
    """What the kernel calls ``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


def threads_of_one(processes: int, of_user: int = resource.RLIM_INFINITY) -> int:
    """Return how many threads a program may have that may have so many processes.

    ``of_user`` is the limit of the user that it shares with others, if it does.
    """
    limited = of_user != resource.RLIM_INFINITY
    return max(min(THREADS, of_user // SHARE) if limited else THREADS, processes)


def _threads(task: dict[str, Any]) -> int:
    own = "claim" in task["sandbox"]
    of_user = resource.RLIM_INFINITY if own else resource.getrlimit(resource.RLIMIT_NPROC)[0]
    return threads_of_one(int(task["limits"]["processes"]), of_user)


def set_limits(task: dict[str, Any]) -> None:
    """Set the limits of each process, which the kernel enforces; those of all are looked after."""
    limits = task["limits"]
    for kind, soft, more in (
        # with 0 the system would still start a program of its own that takes cores, as root
        (resource.RLIMIT_CORE, 1, 0),
        (resource.RLIMIT_NOFILE, DESCRIPTORS, 0),
        # not the address space, which some runtimes reserve in gigabytes
        (resource.RLIMIT_DATA, limits["memory"], 0),
        (resource.RLIMIT_CPU, limits["processor"], 1),
        (resource.RLIMIT_FSIZE, limits["file_size"], 0),
        *((kind, 0, 0) for kind in OF_PRIORITY),
    ):
        maximum = resource.getrlimit(kind)[1]
        hard = soft + more if maximum == resource.RLIM_INFINITY else min(soft + more, maximum)
        resource.setrlimit(kind, (min(soft, hard), hard))
