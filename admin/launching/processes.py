"""The processes below this one, and what the kernel is asked to do with them.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import ctypes
import os
import select
import signal
import sys
from contextlib import suppress

TICKS = os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38


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
            path = f"/proc/{process}/task/{thread}/children"
            with suppress(OSError), open(path, encoding="ascii") as file:
                found += map(int, file.read().split())
    return found


def stat_fields(process: int, thread: int | None = None) -> list[str]:
    """Return the fields of ``/proc/PID/stat`` from the state on; a name may contain anything.

    They are those of the process, or of one of its threads.
    """
    path = f"/proc/{process}/stat" if thread is None else f"/proc/{process}/task/{thread}/stat"
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()


def tasks_of_user() -> int:
    """Count the threads of all processes of this user, which its limit of processes is for."""
    count = 0
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):  # it has ended, or hides
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
    return count


def ask_kernel(option: int, value: int) -> None:
    """Set a process attribute that only Linux has; elsewhere the process group must suffice."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def reap(program: int) -> int | None:
    """Reap all ended children; return the program's status if it is among them."""
    found = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == program:
                found = ended[1]
    return found


def stop_descendants() -> int:
    """Stop whatever is left of the program, and return how many processes that was."""
    stopped: set[int] = set()
    while True:
        processes = descendants(os.getpid())
        for signal_number in (signal.SIGSTOP, signal.SIGKILL):  # a stopped process starts no others
            for process in processes:
                with suppress(OSError):
                    os.kill(process, signal_number)
        stopped.update(processes)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return len(stopped)
        select.select([], [], [], 0.002)
