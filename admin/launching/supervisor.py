"""A process that keeps one launched player: starts it within its limits, and leaves nothing of it.

Run as a script by ``launch``, with nothing of this project imported, so that it starts in some
hundredths of a second. The first line on standard input tells in JSON what to run:

    command, directory, environment    the program
    output, scratch                    the file for what it prints; the folder to be removed
    memory, processor, processes, file_size
                                       limits: sizes in bytes, processor in seconds

A second line asks for the player to be stopped. Standard output is told, in one line of JSON, how
it ended. Then this process waits for the end of standard input, which the one who wants the player
kept holds open, and removes the folder. When that end comes earlier, for whatever reason, the
player is stopped first. What the player starts is found again even if it leaves its process group:
orphans become children of this process (Linux), and are stopped with it.
"""

import ctypes
import json
import os
import resource
import select
import signal
import sys
from contextlib import suppress

LOOK = 0.1
"""Seconds between two looks at how many processes there are."""
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36
CANNOT_RUN = 127
DESCRIPTORS = 4096
IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    """Keep one player until it ends, or is to be stopped, and clear up after it."""
    task = json.loads(_first_line())
    awake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in IGNORED_SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # a Ctrl-C is for the one who holds standard input
    ask_kernel(PR_SET_CHILD_SUBREAPER, 1)
    ask_kernel(PR_SET_DUMPABLE, 0)  # so that the player cannot get at the descriptors used here
    player, failure = _start(task)
    status, stopped = _watch(player, awake, int(task["processes"]))
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
    with suppress(OSError):  # nobody may be there any more to be told
        os.write(1, json.dumps(report).encode() + b"\n")
    while os.read(0, 4096):
        pass
    _remove(str(task["scratch"]))


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)  # what comes after the line is looked for later
        if not byte:
            sys.exit("nothing was asked")
        line += byte
    return line


def ask_kernel(option: int, value: int) -> None:
    """Ask the kernel for what only Linux has; elsewhere the process group has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


# -- starting -----------------------------------------------------------------------------------


def _start(task: dict[str, object]) -> tuple[int, str]:
    """Start the player in a session of its own; return its id, and why it could not be run."""
    told, tell = os.pipe()
    keeper = os.getpid()
    player = os.fork()
    if player == 0:
        try:
            os.close(told)
            _become(task, keeper)
        except Exception as error:
            os.write(tell, str(error).encode())
        finally:
            os._exit(CANNOT_RUN)
    os.close(tell)
    with open(told, "rb") as pipe:
        return player, pipe.read().decode(errors="replace")


def _become(task: dict[str, object], keeper: int) -> None:
    """Turn this process into the player."""
    os.setsid()
    ask_kernel(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:  # it died before the line above
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
    """Set the limits that the kernel keeps; the number of processes is watched besides."""
    processor = int(str(task["processor"]))
    limits = [
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NOFILE, DESCRIPTORS, None),
        (resource.RLIMIT_DATA, int(str(task["memory"])), None),
        (resource.RLIMIT_CPU, processor, processor + 1),
        (resource.RLIMIT_FSIZE, int(str(task["file_size"])), None),
    ]
    for kind, soft, hard in limits:
        most = resource.getrlimit(kind)[1]
        wanted = soft if hard is None else hard
        hard = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(kind, (min(soft, hard), hard))


# -- watching -----------------------------------------------------------------------------------


def _watch(player: int, awake: int, processes: int) -> tuple[int | None, str | None]:
    """Wait for the player's end; return its status, or why it had to be stopped."""
    while True:
        ready, _, _ = select.select([0, awake], [], [], LOOK)
        if awake in ready:
            os.read(awake, 4096)
        status = _reap(player)
        if status is not None:
            return status, None
        if 0 in ready:
            return None, "asked"
        if len(descendants(os.getpid())) > processes:
            return None, "processes"


def _reap(player: int) -> int | None:
    """Collect whoever has ended; return the player's status when it is among them."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == player:
                found = ended[1]
    return found


def descendants(process: int) -> list[int]:
    """Return the children of a process, theirs, and so on."""
    found: list[int] = []
    waiting = [process]
    while waiting:
        born = children(waiting.pop())
        found += born
        waiting += born
    return found


def children(process: int) -> list[int]:
    """Return the children of a process, whichever of its threads has started them."""
    found: list[int] = []
    with suppress(OSError):  # it is gone
        for thread in os.listdir(f"/proc/{process}/task"):
            with suppress(OSError), open(f"/proc/{process}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    return found


# -- stopping -----------------------------------------------------------------------------------


def _stop_all() -> int:
    """Stop whatever is left of the player, and return how many processes that were."""
    stopped: set[int] = set()
    groups: set[int] = set()
    while True:
        processes = descendants(os.getpid())
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # what is stopped starts no more
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
    """Remove a folder, however deep it is, and the one around it when that is empty then."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with suppress(OSError):
        os.waitpid(os.posix_spawnp("rm", ["rm", "-rf", "--", folder], os.environ), 0)
        os.rmdir(os.path.dirname(folder))


if __name__ == "__main__":
    main()
