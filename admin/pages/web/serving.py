"""Starts the process of the pages, and stops it at the end."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple

import trio

from ....protocol.plugins import require
from ....protocol.user_error import UserError
from ...refereeing.view.plain_text import printable
from .feed import Feed

PROGRAM = "acquire.admin.pages.web.site"
GONE = "The pages for spectators are gone; the games go on without them."
MAX_LINES, MAX_BYTES = 20, 1 << 16
"""What is read of the end of standard error, and shown."""
STOP_TIMEOUT = 30.0
"""Seconds for the process to end by itself: of a low priority, it may still be behind."""


class Pages(NamedTuple):
    """A process that serves pages: its address and its feed."""

    address: str
    feed: Feed


@contextmanager
def served(
    host: str, port: int, names: Iterable[str] = (), program: Sequence[str] = (PROGRAM,)
) -> Iterator[Pages]:
    """Start the process of the pages; it ends with the context.

    ``program`` is a module that runs :mod:`acquire.admin.pages.web.site`, with arguments of
    its own. The pages answer to ``names``, beside addresses and the names that this machine knows
    of itself. Raises ``UserError`` if it cannot listen, ``ModuleNotFoundError`` without the extra
    ``web``.
    """
    require("web")
    with tempfile.TemporaryFile() as errors:  # unlike a pipe, it never blocks the pages
        process = subprocess.Popen(
            # -P: do not import from the current folder
            [sys.executable, "-P", "-m", *program, host, str(port), *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # Ctrl-C stops the referee, and that stops the pages
        )
        feed_pipe, output = process.stdin, process.stdout
        assert feed_pipe is not None and output is not None

        def give_up() -> None:
            why = (said(errors) or [""])[-1].strip()
            more = f" Last line: {printable(why)}" if why else ""
            with suppress(OSError):  # standard error may be closed
                print(f"{GONE}{more}", file=sys.stderr, flush=True)
            if trio.lowlevel.in_trio_run():
                trio.lowlevel.notify_closing(feed_pipe.fileno())
            with suppress(OSError):
                feed_pipe.close()  # the end of the feed ends the pages

        try:
            first_line = output.readline().strip()
            if not first_line.isdigit():
                process.wait()
                raise UserError("\n".join(said(errors)).strip())
            where = f"[{host}]" if ":" in host else host
            yield Pages(f"http://{where}:{int(first_line)}/", Feed(feed_pipe.fileno(), give_up))
        finally:
            with suppress(OSError):
                feed_pipe.close()
            wait_or_kill(process)
            output.close()


def said(errors: IO[bytes]) -> list[str]:
    """Return the last lines of what was written to a file."""
    number = errors.fileno()  # whose position is the writer's, too
    data = os.pread(number, MAX_BYTES, max(0, os.fstat(number).st_size - MAX_BYTES))
    return data.decode(errors="replace").splitlines()[-MAX_LINES:]


def wait_or_kill(process: subprocess.Popen[Any], seconds: float = STOP_TIMEOUT) -> None:
    """Wait for a process to end by itself, and kill it if it does not."""
    try:
        process.wait(seconds)
    except BaseException as error:
        process.kill()
        process.wait()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
