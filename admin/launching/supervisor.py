"""The process beside each started program: enforces its limits, and leaves nothing of it behind.

It is a process of its own because only a parent can adopt orphans, because it must outlive us long
enough to clean up when we are killed, and because limits have to be set between fork and exec. If a
player kills its supervisor, the player dies too (the kernel is asked for that), and what the player
had started comes to us. ``launch`` starts it with :data:`SUPERVISOR`. It imports little, so that it
starts in a few hundredths of a second. The first line on standard input is a JSON object with what
to run:

    command, directory, environment    the program
    output, scratch                    the file for its output; the folder to be removed
    group                              its control group, or null: where, its name and its limits
    limits                             sizes in bytes, CPU time in seconds (``limits.Limits``)
    sandbox                            what keeps the program away from everything else:
        {}                               nothing
        {"uid": N, "claim": FD, "filter": F}
                                         a user of its own, whose claim is this descriptor; F is the
                                         filter for its system calls, in base64
        {"bwrap": B, "arguments": [...], "before": [...], "filter": F,
         "uid": N or null, "claim": FD, "channel": FD}
                                         bubblewrap and its arguments; the words before the command;
                                         whom to send the socket that listens inside

A second line asks it to stop the program. On standard output it writes one line of JSON about how
the program ended. Then it waits for the end of standard input, which ``launch`` holds open as long
as it needs the program's files, and removes the folder. If standard input ends earlier, for any
reason, the program is stopped first. What the program starts is found even if it leaves the
program's process group: orphans become children of this process (Linux), and are stopped too.
"""

import errno
import fcntl
import gc
import json
import mmap
import os
import resource
import signal
import socket
import sys
from contextlib import suppress

from .control_groups import ControlGroup
from .leftovers import remove_files_of
from .processes import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    ask_kernel,
    stop_descendants,
)
from .starting import CANNOT_RUN, IGNORED_SIGNALS, Started, start, why_not_executed
from .watching import WORLD_WRITABLE, LimitWatch

ROOT = os.path.abspath(__file__).removesuffix(__name__.replace(".", os.sep) + ".py")
"""The folder that this project is imported from."""


def python_that_calls(call: str) -> tuple[str, ...]:
    """Return the command that calls a function of this module.

    It runs without site packages, which take long to find.
    """
    code = f"from {__name__} import *; {call}"
    return (sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({ROOT!r}); {code}")


SUPERVISOR = python_that_calls("main()")  # starts a supervisor in its own process
SIGNALLED = 128  # what bubblewrap adds to the number of a signal that ended the program
FIRST_GIVEN = 3  # the descriptor after the standard ones, where the fork server is asked
MOST_GIVEN = 8  # descriptors of a request
APART = 24  # a supervisor's descriptors are below this; any process may have this many
NUMBER = 8  # bytes of a process id or an error, in memory that forks share


def main() -> None:
    """Run one program until it ends or is to be stopped, and clean up after it."""
    line, asked = _first_line()
    task = json.loads(line)
    awake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in IGNORED_SIGNALS:  # a Ctrl-C is for the process that holds standard input
        signal.signal(number, signal.SIG_IGN)
    ask_kernel(PR_SET_CHILD_SUBREAPER, 1)
    ask_kernel(PR_SET_DUMPABLE, 0)  # so that the program cannot open this process's descriptors
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # the program's user may have passed on as many as it may
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    group = None
    try:
        group = ControlGroup(**task["group"]) if task["group"] else None
        started = start(task, group)
    except OSError as error:
        why = f"its process or its control group could not be made: {error.strerror}"
        started = Started(0, why, False, set_up=False)
    watch = LimitWatch(task, started, awake, group, asked)
    status, stopped = watch.until_end()
    watch.let_end()
    left = stop_descendants()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = watch.in_group or max(used.ru_utime + used.ru_stime, watch.processor)
    code = _exit_code(status, started)
    failure = started.failure
    if started.bwrap and code in (1, CANNOT_RUN, CANNOT_RUN - 1):
        failure = failure or why_not_executed(task)
    report = {
        "failure": failure,
        "code": code,
        "stopped": stopped,
        "left": max(left - watch.own_processes, 0),
        "processor": round(processor * 1000),
        "memory": used.ru_maxrss * 1024,
        "yielded": watch.yielding,
        "suspended": round(watch.suspended * 1000),
        "out_of_memory": group is not None and group.was_killed,
        "machine_fault": _machine_fault(started, stopped, group),
    }
    with suppress(OSError):  # the reader may be gone
        os.write(1, json.dumps(report).encode() + b"\n")
    while os.read(0, 4096):
        pass
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if (uid := task["sandbox"].get("uid")) is not None and not started.bwrap:
        remove_files_of(uid, WORLD_WRITABLE)
    if group is not None:
        group.remove()
    folder = str(task["scratch"])
    with suppress(OSError):  # however deep it is; and its parent if that is empty then
        os.waitpid(os.posix_spawnp("rm", ["rm", "-rf", "--", folder], os.environ), 0)
        os.rmdir(os.path.dirname(folder))


def _machine_fault(started: Started, stopped: str | None, group: ControlGroup | None) -> str:
    """Return why this machine, and not the program, is the reason for its end; or nothing.

    Only a control group knows that the system has killed the program for lack of memory. Without
    one it is a SIGKILL like those that the program sends itself, when it sees others killed.
    """
    if not started.set_up:
        return f"it could not be set up: {started.failure}"
    killed = group is not None and group.was_killed and not group.reached_limit
    if killed and stopped in (None, "asked"):
        return "the system ran out of memory, although the program had not reached its limit"
    return ""


def _first_line() -> tuple[bytes, bool]:
    """Return the first line of standard input, and whether more has come already."""
    found = bytearray()
    while b"\n" not in found:
        data = os.read(0, 65536)
        if not data:
            sys.exit("nothing to run: standard input is empty")
        found += data
    line, _, rest = bytes(found).partition(b"\n")
    return line, bool(rest)


def _exit_code(status: int | None, started: Started) -> int | None:
    if status is None:
        return CANNOT_RUN if started.failure else None
    code = os.waitstatus_to_exitcode(status)
    if started.bwrap and SIGNALLED < code <= SIGNALLED + signal.NSIG:
        return SIGNALLED - code
    return code


# -- the fork server ----------------------------------------------------------------------------


def serve(descriptor: int) -> None:
    """Fork supervisors as long as somebody asks on the channel that this descriptor is.

    A supervisor takes 30 ms to start as a new process, and 1 ms as a fork of one that has imported
    it. This process does nothing else: it has one thread, and no descriptor but its end of a
    channel, so that nothing of it reaches a program, which is executed anew in any case.

    A request is one byte with the descriptors of a supervisor: standard input and output, then
    those that its task names, which get the numbers from :data:`FIRST_GIVEN` on. The answer is the
    process id, or the negative number of an error. The supervisor is forked twice, so that it is an
    orphan, and becomes a child of whoever adopts orphans: the process that asked. When that closes
    its end, or dies, this process ends.
    """
    ask_kernel(PR_SET_DUMPABLE, 0)  # so that no program can open its descriptors
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)  # it may be stopped, and not see its channel end
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would leave nobody to wait for
    for number in IGNORED_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()  # what is imported is shared with all supervisors
    with socket.socket(fileno=descriptor) as channel, mmap.mmap(-1, NUMBER) as answer:
        while True:
            request, given, _, _ = socket.recv_fds(channel, 1, MOST_GIVEN)
            if not request:
                return
            answer[:] = _number(-errno.ECHILD)  # where the process between is killed
            _fork(channel, given, answer)
            for each in given:
                os.close(each)
            channel.send(b"%d" % int.from_bytes(answer, "little", signed=True))


def _fork(channel: socket.socket, given: list[int], answer: mmap.mmap) -> None:
    try:
        between = os.fork()
    except OSError as error:
        answer[:] = _number(-(error.errno or 1))
        return
    if between == 0:
        try:
            process = os.fork()
            if process == 0:
                _supervise(channel, given)
            answer[:] = _number(process)
        except OSError as error:
            answer[:] = _number(-(error.errno or 1))
        finally:
            os._exit(0)
    os.waitpid(between, 0)


def _number(value: int) -> bytes:
    return value.to_bytes(NUMBER, "little", signed=True)


def _supervise(channel: socket.socket, given: list[int]) -> None:
    code = 1
    try:
        os.setsid()
        apart = [fcntl.fcntl(each, fcntl.F_DUPFD, APART) for each in given]
        channel.close()
        os.closerange(FIRST_GIVEN, APART)
        for number, each in zip((0, 1, *range(FIRST_GIVEN, APART)), apart, strict=False):
            os.dup2(each, number)
        os.closerange(APART, apart[-1] + 1)
        main()
        code = 0
    finally:
        os._exit(code)
