"""The process of the pages, seen from that of the referee: started, fed, and ended with it."""

import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import IO, NamedTuple

import trio

from admin.web.feed import Feed

LAST_COMPLAINTS = 20
"""Lines that are kept."""
ENDS = 5.0
"""Seconds that the pages have to end."""


class CannotShow(Exception):
    """The pages cannot be served; the text is for people."""


class Pages(NamedTuple):
    """A process that serves pages: where, and what feeds it."""

    address: str
    feed: Feed


@contextmanager
def served(host: str, port: int) -> Iterator[Pages]:
    """Start the process of the pages; it ends with the context. ``CannotShow`` if it does not."""
    process = subprocess.Popen(
        # -P: whatever lies in the folder where this runs is no part of it
        [sys.executable, "-P", "-m", "admin.web", host, str(port)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a Ctrl-C is for the referee, whose end is theirs
        text=False,
    )
    feeding, address, complaining = process.stdin, process.stdout, process.stderr
    assert feeding is not None and address is not None and complaining is not None
    complaints = Complaints(complaining)

    def give_up() -> None:
        complaints.tell_of_the_end()
        if trio.lowlevel.in_trio_run():
            trio.lowlevel.notify_closing(feeding.fileno())
        with suppress(OSError):
            feeding.close()  # which tells the pages, if they are there

    try:
        told = address.readline().strip()
        if not told.isdigit():
            raise CannotShow(complaints.all())
        where = f"[{host}]" if ":" in host else host
        yield Pages(f"http://{where}:{int(told)}/", Feed(feeding.fileno(), give_up))
    finally:
        with suppress(OSError):
            feeding.close()
        _end(process)
        complaints.all()
        address.close()
        complaining.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait until the pages have told everybody, for a while."""
    try:
        process.wait(ENDS)
    except BaseException as error:
        process.kill()
        process.wait()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise


class Complaints:
    """What the process of the pages says on standard error: read, or it would wait for a reader."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._last: deque[str] = deque(maxlen=LAST_COMPLAINTS)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        self._last.extend(line.decode(errors="replace") for line in self._pipe)

    def all(self) -> str:
        """Wait until the process is gone, and return its last lines."""
        self._reader.join()
        return "".join(self._last).strip()

    def tell_of_the_end(self) -> None:
        """Tell a person that there are no pages any more."""
        why = f" Their last words: {self._last[-1].strip()}" if self._last else ""
        told = f"The pages for spectators are gone; the matches go on without them.{why}"
        with suppress(OSError):  # nobody reads that either
            print(told, file=sys.stderr, flush=True)
