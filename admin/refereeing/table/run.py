"""Running tasks: until they are done or stopped by a signal, beside others, until one has ended."""

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

import trio

from ....protocol.user_error import UserError

STOP_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""What stops a command in order; the last one is sent when its terminal is closed."""
SAME_SIGNAL = 0.3
"""Seconds within which a second signal is the first one again: a shell may send it to a group that
was sent it already."""
SHOW_CURSOR = b"\x1b[?25h\n"  # for a terminal whose cursor a progress bar may have hidden
SIGNALLED = 128  # what is added to a signal's number for an exit code


def cores() -> int:
    """Return on how many processor cores this process may run; there may be more."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_until_stopped(serve: Callable[[], Awaitable[None]]) -> int | None:
    """Run ``serve`` under trio; signals cancel it, and the number of the first is returned.

    A second signal ends this process at once. What ``serve`` raises comes out as it is, not in an
    exception group; of several ``UserError`` the first.
    """
    stop: list[Callable[[], None]] = []

    async def main() -> None:
        with trio.CancelScope() as serving:
            token = trio.lowlevel.current_trio_token()
            stop.append(lambda: token.run_sync_soon(serving.cancel))
            if stopped_by():
                serving.cancel()
            await serve()

    def cancel() -> None:
        for each in stop:
            each()

    with signal_noted(cancel) as stopped_by:
        try:
            trio.run(main)
        except BaseExceptionGroup as group:
            raise _single(group) from None
        return stopped_by()


def _single(error: BaseException) -> BaseException:
    """Return the exception in a group, or the first of several that all tell the user something."""
    if not isinstance(error, BaseExceptionGroup):
        return error
    found = [_single(each) for each in error.exceptions]
    told = all(isinstance(each, UserError) for each in found)
    return found[0] if told or not found[1:] else error


@contextmanager
def signal_noted(
    on_signal: Callable[[], None] = lambda: None,
) -> Iterator[Callable[[], int | None]]:
    """Note the first signal that stops a command; yield a function that returns its number.

    The handler calls ``on_signal``, which has to be safe at any moment. It raises no exception:
    that could occur anywhere, even where Python prints exceptions and drops them, as in the
    callbacks of :mod:`concurrent.futures`. The next signal ends this process, whatever it waits
    for; its supervisors notice that, and stop the programs.
    """
    global _noted
    if not _waiting:  # else one that has come stops this, too
        _noted = None
    _waiting.append(on_signal)
    before = {
        number: signal.signal(number, _note)
        for number in STOP_SIGNALS
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN  # as by nohup
    }
    try:
        yield lambda: None if _noted is None else _noted[0]
    finally:
        _waiting.remove(on_signal)
        for number, handler in before.items():
            signal.signal(number, handler)


_waiting: list[Callable[[], None]] = []
"""What is called at a signal, by whoever waits for one now; all are stopped by the same one."""
_noted: tuple[int, float] | None = None  # the first signal since a wait began, and when it came


def _note(number: int, _frame: FrameType | None) -> None:
    global _noted
    now = time.monotonic()
    if _noted is None:
        _noted = number, now
        for on_signal in _waiting:
            on_signal()
    elif now - _noted[1] > SAME_SIGNAL:
        for child in multiprocessing.active_children():
            child.kill()
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), SHOW_CURSOR)
        os.write(2, b"Stopped at once. What was not finished is lost.\n")
        os._exit(SIGNALLED + number)


@asynccontextmanager
async def beside(task: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Run a task for as long as the context is open."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(task)
        yield
        nursery.cancel_scope.cancel()


async def first_of(*waits: Callable[[], Awaitable[object]]) -> None:
    """Wait until the first of these has ended, and cancel the others."""
    async with trio.open_nursery() as nursery:

        async def until(wait: Callable[[], Awaitable[object]]) -> None:
            await wait()
            nursery.cancel_scope.cancel()

        for wait in waits:
            nursery.start_soon(until, wait)


def write_crash_report(error: BaseException) -> str:
    """Write the traceback to a new file, and return a sentence that names it."""
    text = "".join(traceback.format_exception(error))
    try:
        with tempfile.NamedTemporaryFile(
            prefix="acquire-", suffix=".error.txt", delete=False
        ) as file:
            file.write(text.encode(errors="backslashreplace"))
    except OSError as unwritable:  # the folder for temporary files is full, or there is none
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{error!r} at line {at.lineno} of {at.filename}"
        return f"This is a bug ({where}). Please report it. No file tells more: {unwritable}."
    return f"This is a bug ({error!r}). Please report it with {file.name}."
