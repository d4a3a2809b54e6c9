"""The process beside each started program: enforces its limits, and leaves nothing of it behind.

``launch`` runs it as a script. It imports nothing of this project, so that it starts in a few
hundredths of a second. The first line on standard input is a JSON object with what to run:

    command, directory, environment    the program
    output, scratch                    the file for its output; the folder to be removed
    memory, processor, processes, file_size
                                       the limits: sizes in bytes, CPU time in seconds

A second line asks it to stop the program. On standard output it writes one line of JSON about how
the program ended. Then it waits for the end of standard input, which ``launch`` holds open as long
as it needs the program's files, and removes the folder. If standard input ends earlier, for any
reason, the program is stopped first. What the program starts is found even if it leaves the
program's process group: orphans become children of this process (Linux), and are stopped too.
"""

import ctypes
import json
import os
import resource
import select
import signal
import sys
from contextlib import suppress

POLL_INTERVAL = 0.1
"""Seconds between two counts of the program's processes."""
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
CANNOT_RUN = 127
DESCRIPTORS = 4096
IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Run one program until it ends or is to be stopped, and clean up after it."""
    task = json.loads(_first_line())
    awake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in IGNORED_SIGNALS:
        signal.signal(
            number, signal.SIG_IGN
        )  # a Ctrl-C is for the process that holds standard input
    ask_kernel(PR_SET_CHILD_SUBREAPER, 1)
    ask_kernel(PR_SET_DUMPABLE, 0)  # so that the program cannot open this process's descriptors
    program, failure = _start(task)
    status, stopped = _watch(program, awake, int(task["processes"]))
    left = _stop_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = {
        "failure": failure,
        "code": os.waitstatus_to_exitcode(status) if status is not None else None,
        "stopped": stopped,
        "left": left,
        "processor": round((used.ru_utime + used.ru_stime) * 1000),
        "memory": used.ru_maxrss * 1024,
    }
    with suppress(OSError):  # the reader may be gone
        os.write(1, json.dumps(report).encode() + b"\n")
    while os.read(0, 4096):
        pass
    _remove(str(task["scratch"]))


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)  # a second line is read later, by _watch
        if not byte:
            sys.exit("nothing to run: standard input is empty")
        line += byte
    return line


def ask_kernel(option: int, value: int) -> None:
    """Set a process attribute that only Linux has; elsewhere the process group must suffice."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# -- starting -----------------------------------------------------------------------------------


def _start(task: dict[str, object]) -> tuple[int, str]:
    """Start the program in a session of its own; return its id, and why it could not be run."""
    read_end, write_end = os.pipe()
    supervisor = os.getpid()
    program = os.fork()
    if program == 0:
        try:
            os.close(read_end)
            _become(task, supervisor)
        except Exception as error:
            os.write(write_end, str(error).encode())
        finally:
            os._exit(CANNOT_RUN)
    os.close(write_end)
    with open(read_end, "rb") as pipe:  # it closes when the program is executed
        return program, pipe.read().decode(errors="replace")


def _become(task: dict[str, object], supervisor: int) -> None:
    """Turn this process into the program."""
    os.setsid()
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != supervisor:  # it died before the line above
        os._exit(CANNOT_RUN)
    for number in (*IGNORED_SIGNALS, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(str(task["output"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.chdir(str(task["directory"]))
    _limit(task)
    command, environment = task["command"], task["environment"]
    assert isinstance(command, list) and isinstance(environment, dict)
    os.execvpe(command[0], command, environment)


def _limit(task: dict[str, object]) -> None:
    """Set the limits that the kernel enforces; the number of processes is polled instead."""
    processor = int(str(task["processor"]))
    limits = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, DESCRIPTORS, None),
        (resource.RLIMIT_DATA, int(str(task["memory"])), None),
        (resource.RLIMIT_CPU, processor, processor + 1),
        (resource.RLIMIT_FSIZE, int(str(task["file_size"])), None),
    ]
    for kind, soft, hard in limits:
        maximum = resource.getrlimit(kind)[1]
        wanted = soft if hard is None else hard
        hard = wanted if maximum == resource.RLIM_INFINITY else min(wanted, maximum)
        resource.setrlimit(kind, (min(soft, hard), hard))


# -- watching -----------------------------------------------------------------------------------


def _watch(program: int, awake: int, processes: int) -> tuple[int | None, str | None]:
    """Wait for the program to end; return its status, or why it had to be stopped."""
    while True:
        ready, _, _ = select.select([0, awake], [], [], POLL_INTERVAL)
        if awake in ready:
            os.read(awake, 4096)
        status = _reap(program)
        if status is not None:
            return status, None
        if 0 in ready:
            return None, "asked"
        if len(descendants(os.getpid())) > processes:
            return None, "processes"


def _reap(program: int) -> int | None:
    """Reap all ended children; return the program's status if it is among them."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                found = ended[1]
    return found


def descendants(process: int) -> list[int]:
    """Return the children of a process, their children, and so on."""
    found: list[int] = []
    pending = [process]
    while pending:
        offspring = children(pending.pop())
        found += offspring
        pending += offspring
    return found


def children(process: int) -> list[int]:
    """Return the children of a process, whichever of its threads started them."""
    found: list[int] = []
    with suppress(OSError):  # the process is gone
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found


# -- stopping -----------------------------------------------------------------------------------


def _stop_all() -> int:
    """Stop whatever is left of the program, and return how many processes that was."""
    stopped: set[int] = set()
    groups: set[int] = set()
    while True:
        processes = descendants(os.getpid())
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process starts no others
            for process in processes:
                with suppress(OSError):
                    groups.add(os.getpgid(process))
                    os.kill(process, signal_number)
        stopped.update(processes)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return len(stopped)
        select.select([], [], [], 0.002)


def _remove(folder: str) -> None:
    """Remove a folder, however deep it is, and its parent if that is empty then."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(OSError):
        os.waitpid(os.posix_spawnp("rm", ["rm", "-rf", "--", folder], os.environ), 0)
        os.rmdir(os.path.dirname(folder))


if __name__ == "__main__":
    main()
