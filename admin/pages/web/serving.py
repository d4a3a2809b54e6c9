"""Starts the process of the pages, and stops it at the end."""

import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import IO, Any, NamedTuple

import trio

from ....protocol.plugins import require
from ...refereeing.view.plain_text import printable
from .feed import Feed

PROGRAM = "acquire.admin.pages.web.page_server"
MAX_LINES = 20
"""Lines of standard error that are kept."""
STOP_TIMEOUT = 5.0
"""Seconds for the process to end by itself."""


class CannotShow(Exception):
    """The pages cannot be served; the text is a user-facing message."""


class Pages(NamedTuple):
    """A process that serves pages: its address and its feed."""

    address: str
    feed: Feed


@contextmanager
def served(
    host: str, port: int, names: Iterable[str] = (), program: Sequence[str] = (PROGRAM,)
) -> Iterator[Pages]:
    """Start the process of the pages; it ends with the context.

    ``program`` is a module that runs :mod:`acquire.admin.pages.web.page_server`, with arguments of
    its own. The pages answer to ``names``, beside addresses and the names that this machine knows
    of itself. Raises ``CannotShow`` if it cannot listen, ``ModuleNotFoundError`` without the extra
    ``web``.
    """
    require("web")
    process = subprocess.Popen(
        # -P: do not import from the current folder
        [sys.executable, "-P", "-m", *program, host, str(port), *names],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C stops the referee, and that stops the pages
        text=False,
    )
    feed_pipe, output, errors = process.stdin, process.stdout, process.stderr
    assert feed_pipe is not None and output is not None and errors is not None
    stderr_tail = StderrTail(errors)

    def give_up() -> None:
        stderr_tail.print_notice()
        if trio.lowlevel.in_trio_run():
            trio.lowlevel.notify_closing(feed_pipe.fileno())
        with suppress(OSError):
            feed_pipe.close()  # the end of the feed ends the pages

    try:
        first_line = output.readline().strip()
        if not first_line.isdigit():
            raise CannotShow(stderr_tail.text())
        where = f"[{host}]" if ":" in host else host
        yield Pages(f"http://{where}:{int(first_line)}/", Feed(feed_pipe.fileno(), give_up))
    finally:
        with suppress(OSError):
            feed_pipe.close()
        wait_or_kill(process)
        stderr_tail.text()
        output.close()
        errors.close()


def wait_or_kill(process: subprocess.Popen[Any], seconds: float = STOP_TIMEOUT) -> None:
    """Wait for a process to end by itself, and kill it if it does not."""
    try:
        process.wait(seconds)
    except BaseException as error:
        process.kill()
        process.wait()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise


class StderrTail:
    """Reads the standard error of the pages, which never block on it; keeps the last lines."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._last: deque[str] = deque(maxlen=MAX_LINES)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        self._last.extend(line.decode(errors="replace") for line in self._pipe)

    def text(self) -> str:
        """Wait until the process has ended, and return its last lines."""
        self._reader.join()
        return "".join(self._last).strip()

    def print_notice(self) -> None:
        """Print that the pages are gone."""
        why = f" Last line: {printable(self._last[-1].strip())}" if self._last else ""
        notice = f"The pages for spectators are gone; the games go on without them.{why}"
        with suppress(OSError):  # standard error may be closed as well
            print(notice, file=sys.stderr, flush=True)
