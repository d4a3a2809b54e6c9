"""Start a program as the supervisor is asked to: its limits, its user, its sandbox.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import errno
import json
import os
import resource
import signal
import time
from contextlib import suppress
from typing import Any, NamedTuple

from admin.launching.keyrings import forget_session_keys
from admin.launching.processes import PR_SET_PDEATHSIG, ask_kernel, stop_descendants

DESCRIPTORS = 1024
IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SANDBOX_PAUSES = (0.05, 0.2, 0.5)
"""Seconds before bubblewrap is tried again."""
NOT_EXECUTED = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.ELOOP, errno.EPERM)
"""Why a program could not be executed."""
CANNOT_RUN = 127
THREADS = 1024
"""Threads that all processes of a program may have together, or as many as it may have processes;
the kernel counts them for every user, so only a program with users of its own has this limit."""


class Started(NamedTuple):
    """A program that was started: its process, why it could not be run, whether in bubblewrap.

    ``inside`` is the first process of the sandbox, 0 without one.
    """

    process: int
    failure: str
    bwrap: bool
    inside: int = 0


def start(task: dict[str, Any]) -> Started:
    """Start the program in a session of its own.

    If bubblewrap could not set up its sandbox, it is tried again: the program has not run yet, and
    a machine under load may lack for a moment what a sandbox needs.
    """
    channel = (task["sandbox"] or {}).get("channel")
    started = _try_to_start(task)
    for pause in SANDBOX_PAUSES if channel is not None else ():
        if not started.failure:
            break
        time.sleep(pause)
        with suppress(OSError):  # what bubblewrap has said is not the program's output
            os.truncate(task["output"], 0)
        started = _try_to_start(task)
    if channel is not None:
        os.close(channel)
    return started


def _try_to_start(task: dict[str, Any]) -> Started:
    """Start the program; in bubblewrap, only once somebody listens for it inside."""
    bwrap = "bwrap" in (task["sandbox"] or {})
    info, info_end = os.pipe()
    block_end, block = os.pipe()
    read_end, write_end = os.pipe()
    supervisor = os.getpid()
    program = os.fork()
    if program == 0:
        try:
            os.close(read_end)
            os.close(block)
            if bwrap:
                _in_bwrap(task, info_end, block_end)
            _become(task, supervisor)
        except Exception as error:
            os.write(write_end, str(error).encode())
        finally:
            os._exit(CANNOT_RUN)
    for descriptor in (write_end, info_end, block_end):
        os.close(descriptor)
    with open(read_end, "rb") as pipe:  # it closes when the program is executed
        started = Started(program, pipe.read().decode(errors="replace"), bwrap)
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


def _in_bwrap(task: dict[str, Any], info: int, block: int) -> None:
    """Put bubblewrap before the command; it reports itself on ``info``, and waits for ``block``."""
    for descriptor in (info, block):
        os.set_inheritable(descriptor, True)
    ends = ["--info-fd", str(info), "--block-fd", str(block)]
    task["command"] = [*task["sandbox"]["bwrap"], *ends, "--", *task["command"]]


def _let_in(task: dict[str, Any], started: Started, info: int) -> Started:
    """Listen inside a sandbox whose program still waits, and send the socket to the launcher."""
    from socket import socket  # it takes a while: bubblewrap works meanwhile

    from admin.launching.namespaces import limit_threads, listen_inside

    found = b""
    while not found.rstrip().endswith(b"}") and (data := os.read(info, 4096)):
        found += data
    try:
        inside = int(json.loads(found)["child-pid"])
    except (ValueError, KeyError):
        return started._replace(failure=_complaint(task) or "bubblewrap could not start it")
    sandbox = task["sandbox"]
    with socket(fileno=os.dup(sandbox["channel"])) as channel:
        failure = listen_inside(inside, sandbox["host"], sandbox["port"], channel)
        limit_threads(inside, _threads(task))
        if failure:  # bubblewrap may have ended meanwhile, and said why
            failure = _complaint(task) or failure
    return started._replace(inside=inside, failure=failure)


def _complaint(task: dict[str, Any]) -> str:
    """Return what bubblewrap itself has printed, before there was a program that could print."""
    with suppress(OSError), open(task["output"], "rb") as file:
        found = file.read(1000).decode(errors="replace")
        if found.startswith("bwrap: ") and found.endswith("\n") and found.count("\n") == 1:
            return found.removeprefix("bwrap: ").strip()
    return ""


def why_not_executed(task: dict[str, Any]) -> str:
    """Return bubblewrap's reason why it could not execute the program.

    The program may print the same, but no other words: they are those of the system.
    """
    program = str(task["command"][0])
    found = _complaint(task).removeprefix("execvp ")
    reasons = (f"{program}: {os.strerror(number)}" for number in NOT_EXECUTED)
    return found if found in reasons else ""


def _become(task: dict[str, Any], supervisor: int) -> None:
    """Turn this process into the program."""
    os.setsid()
    for number in (*IGNORED_SIGNALS, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(str(task["output"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    _limit(task)
    _be_first_to_be_killed()
    if (channel := (task["sandbox"] or {}).get("channel")) is not None:
        os.set_inheritable(channel, False)
    if (uid := (task["sandbox"] or {}).get("uid")) is not None:
        from admin.launching.users import become_user

        os.set_inheritable(task["sandbox"]["claim"], False)
        become_user(uid, _threads(task))
    forget_session_keys()
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user would undo it
    if os.getppid() != supervisor:  # it died before the line above
        os._exit(CANNOT_RUN)
    os.chdir(str(task["directory"]))
    os.execvpe(task["command"][0], task["command"], task["environment"])


def _be_first_to_be_killed() -> None:
    """If the system runs out of memory, let it kill this process before the referee."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def _threads(task: dict[str, Any]) -> int:
    return max(THREADS, int(task["processes"]))


def _limit(task: dict[str, Any]) -> None:
    """Set the limits of each process, which the kernel enforces; those of all are looked after."""
    processor = int(task["processor"])
    limits = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, DESCRIPTORS, None),
        (resource.RLIMIT_DATA, int(task["memory"]), None),
        (resource.RLIMIT_CPU, processor, processor + 1),
        (resource.RLIMIT_FSIZE, int(task["file_size"]), None),
    ]
    for kind, soft, hard in limits:
        maximum = resource.getrlimit(kind)[1]
        wanted = soft if hard is None else hard
        hard = wanted if maximum == resource.RLIM_INFINITY else min(wanted, maximum)
        resource.setrlimit(kind, (min(soft, hard), hard))
