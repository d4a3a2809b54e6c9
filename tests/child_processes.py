"""The processes that tests start: each ends with its block, and none outlives its file.

A test starts a process in `with ending(subprocess.Popen(...)) as process`. What that misses, such
as a process that the process started, comes to the process of the tests, which adopts orphans
(Linux). After every file `end_what_is_left` waits for it, ends it, and names it.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import AnyStr

from acquire.admin.launching.processes import (
    PR_SET_CHILD_SUBREAPER,
    ask_kernel,
    children,
    descendants,
)

PATIENCE = 20.0
"""Seconds that a process may take to end by itself, even on a busy machine."""
TO_THE_END = (b"resource_tracker", b"playwright/driver", b"chrome_crashpad_handler")
"""In the command of a process that ends with the tests: Python's own, and those of the browser."""


def importing(source: str) -> str:
    """Put the imports before a small program that it needs; any more take most of its time."""
    known = ("ctypes", "json", "shutil", "signal", "socket", "sys", "time")
    used = ["os", *(name for name in known if re.search(rf"\b{name}\.", source))]
    return f"import {', '.join(used)}\n{source}"


@contextmanager
def ending(process: subprocess.Popen[AnyStr]) -> Iterator[subprocess.Popen[AnyStr]]:
    """End a process with the block: by SIGTERM, or SIGKILL if it takes longer than PATIENCE."""
    with process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def begin_with_usual_signals() -> None:
    """Give all signals their usual meaning, and block none.

    What a process ignores, the processes that it starts ignore too. A shell ignores SIGINT for a
    command with `&`, and `nohup` ignores SIGHUP.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # Python ignores those
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
            if number == signal.SIGINT:
                signal.signal(number, signal.default_int_handler)
            elif number == signal.SIGHUP:  # ends what is started, but not tests under `nohup`
                signal.signal(number, lambda *_: None)


def adopt_orphans() -> None:
    """Become the parent of the processes whose parents end, so that they are found."""
    ask_kernel(PR_SET_CHILD_SUBREAPER, 1)


def command_of(process: int) -> bytes:
    """Return the command line of a process; empty if it has ended."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return b""
    return b" ".join(words).strip()


def running() -> list[int]:
    """Return the child processes that have not ended, but for those that last to the end."""
    found = {process: command_of(process) for process in children(os.getpid())}
    living = {process: command for process, command in found.items() if command}
    return [each for each, command in living.items() if not any(s in command for s in TO_THE_END)]


def end_what_is_left(patience: float = PATIENCE) -> dict[int, str]:
    """Wait for the child processes, kill those that do not end, and return their commands."""
    deadline = time.monotonic() + patience
    while running() and time.monotonic() < deadline:
        _reap()
        time.sleep(0.01)
    left: dict[int, str] = {}
    while found := running():
        for process in (*found, *(below for each in found for below in descendants(each))):
            left[process] = command_of(process).decode(errors="replace")
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        _reap()
        time.sleep(0.01)
    _reap()
    return left


def _reap() -> None:
    """Wait for the child processes that have ended."""
    for process in children(os.getpid()):
        with suppress(OSError):
            os.waitpid(process, os.WNOHANG)


@contextmanager
def on_one_processor() -> Iterator[None]:
    """Let this process, and all that it starts, have one processor."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(all_of_them)])
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)
