"""The process of the pages: starts it, feeds it what the referee reports, stops it at the end.

The feed is a pipe, and the referee never waits for it. Each message is a line of JSON. What the
pipe does not take at once is buffered. When the buffer is full the pages are given up, not the
game.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple

import trio

from ....protocol.plugins import require
from ....protocol.user_error import UserError
from ...refereeing.table.run import beside
from ...refereeing.view.plain_text import printable

PROGRAM = "acquire.admin.pages.web.site"
GONE = "The pages for spectators are gone; the games go on without them."
MAX_SAID, MAX_LINES = 1 << 16, 20  # bytes and lines kept of the end of standard error
STOP_TIMEOUT = 30.0  # seconds for the process to end: at a low priority, it may be behind
MAX_BYTES = 1 << 26  # bytes that are buffered at most
BUSY_BYTES = 1 << 20  # once this many bytes are buffered, optional messages should be left out
DRAIN_TIMEOUT = 2.0  # seconds at the end for the pages to take what is buffered


class Feed:
    """The writing end of the pipe. ``run`` must be running."""

    def __init__(self, descriptor: int, on_loss: Callable[[], object] = lambda: None) -> None:
        """``on_loss`` is called once if the pages are given up."""
        os.set_blocking(descriptor, False)
        self._descriptor = descriptor
        self._on_loss = on_loss
        self._buffer = bytearray()
        self._more = trio.Event()
        self.lost = False  # whether the pages have been given up

    @property
    def behind(self) -> bool:
        """Whether so much is buffered that optional messages should be left out."""
        return self.lost or len(self._buffer) > BUSY_BYTES

    def send(self, what: str, **fields: Any) -> None:
        """Send a message."""
        if self.lost:
            return
        self._buffer += json.dumps({"what": what, **fields}).encode() + b"\n"
        self._push()
        if len(self._buffer) > MAX_BYTES:
            self._give_up()
        elif self._buffer:
            self._more.set()

    def show(self, **fields: Any) -> None:
        """Send new values of fields of the :class:`.lobby.Lobby`."""
        self.send("lobby", fields=fields)

    def log(self, game: str, data: bytes) -> None:
        """Send bytes of a game's log, as they were written: some are no UTF-8 by themselves."""
        self.send("log", match=game, text=data.decode(errors="surrogateescape"))

    def _push(self) -> None:
        """Write what the pipe takes without waiting."""
        try:
            while self._buffer:
                del self._buffer[: os.write(self._descriptor, self._buffer)]
        except BlockingIOError:
            pass
        except OSError:  # the pages are gone
            self._give_up()

    def _give_up(self) -> None:
        self.lost = True
        self._buffer.clear()
        self._on_loss()

    async def run(self) -> None:
        """Write what is buffered, until cancelled or given up."""
        while not self.lost:
            await self._more.wait()
            self._more = trio.Event()
            await self.drain()

    async def drain(self) -> None:
        """Write all that is buffered, until the pages are given up."""
        with suppress(trio.ClosedResourceError):
            while self._buffer:
                await trio.lowlevel.wait_writable(self._descriptor)
                self._push()


async def drain_at_end(feed: Feed) -> None:
    """Give the pages a moment to take what is buffered at the end."""
    with trio.move_on_after(DRAIN_TIMEOUT, shield=True):
        await feed.drain()


async def run_with_feed(serve: Callable[[], Awaitable[None]], feed: Feed | None) -> None:
    """Run ``serve`` and its feed, if it has one, and drain the feed at the end."""
    if feed is None:
        await serve()
        return
    try:
        async with beside(feed.run):
            await serve()
    finally:
        await drain_at_end(feed)


# -- the process ---------------------------------------------------------------------------------


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
    command = ["-m", *program, host, str(port), *names]
    with own_process(command, stdin=subprocess.PIPE) as (process, first_line, errors):
        feed_pipe = process.stdin
        assert feed_pipe is not None

        def give_up() -> None:
            why = (said(errors).splitlines() or [""])[-1].strip()
            more = f" Last line: {printable(why)}" if why else ""
            with suppress(OSError):  # standard error may be closed
                print(f"{GONE}{more}", file=sys.stderr, flush=True)
            if trio.lowlevel.in_trio_run():
                trio.lowlevel.notify_closing(feed_pipe.fileno())
            with suppress(OSError):
                feed_pipe.close()  # the end of the feed ends the pages

        if not first_line.strip().isdigit():
            raise UserError(f"The process of the pages began with {first_line!r}, not with a port.")
        where = f"[{host}]" if ":" in host else host
        yield Pages(f"http://{where}:{int(first_line)}/", Feed(feed_pipe.fileno(), give_up))


def start_python(
    arguments: Iterable[str], stdin: int = subprocess.DEVNULL, **options: Any
) -> subprocess.Popen[bytes]:
    """Start Python with these arguments; its output is dropped unless ``options`` lead it on.

    These are options of ``Popen``. Ctrl-C stops this process, which has to stop the other.
    """
    # -P: do not import from the current folder
    command = [sys.executable, "-P", *arguments]
    options = {"stdout": subprocess.DEVNULL, "start_new_session": True, **options}
    return subprocess.Popen(command, stdin=stdin, **options)


@contextmanager
def own_process(
    arguments: Iterable[str], stdin: int = subprocess.DEVNULL, patience: float = STOP_TIMEOUT
) -> Iterator[tuple[subprocess.Popen[bytes], bytes, IO[bytes]]]:
    """Start Python with these arguments; yield the process, its first line, and its errors.

    On leaving, its input ends, and it has some seconds to end by itself. ``UserError`` with what it
    wrote to standard error if it ends before the first line.
    """
    with tempfile.TemporaryFile() as errors:  # unlike a pipe, it never blocks the process
        process = start_python(arguments, stdin, stdout=subprocess.PIPE, stderr=errors)
        assert process.stdout is not None
        try:
            if not (first_line := process.stdout.readline()):
                process.wait()
                raise UserError(said(errors).strip().removeprefix("Error: "))
            yield process, first_line, errors
        finally:
            with suppress(OSError):
                if process.stdin is not None:
                    process.stdin.close()
            wait_or_kill(process, patience)
            process.stdout.close()


def said(errors: IO[bytes]) -> str:
    """Return the end of what was written to a file."""
    number = errors.fileno()  # whose position is the writer's, too
    data = os.pread(number, MAX_SAID, max(0, os.fstat(number).st_size - MAX_SAID))
    return "\n".join(data.decode(errors="replace").splitlines()[-MAX_LINES:])


def wait_or_kill(process: subprocess.Popen[bytes], seconds: float = STOP_TIMEOUT) -> None:
    """Wait for a process to end by itself, and kill it if it does not."""
    try:
        process.wait(seconds)
    except BaseException as error:
        process.kill()
        process.wait()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
