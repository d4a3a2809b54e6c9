"""The pages of ``--web``, and of ``--join``, where people take seats and play."""

import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from socket import socket

import click

from ..pages.web.serving import PROGRAM, CannotShow, Pages, served, wait_or_kill
from ..refereeing.table.listeners import listen
from ..refereeing.table.server_events import Listening, ServerEvent
from ..refereeing.table.signup import People
from .console import refuse, refuse_on_windows
from .options import WebOptions

LAUNCH = "from acquire.protocol.plugins import plugins; plugins('acquire.seats')['people'].load()()"
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a server that listens on all addresses can be reached on this machine."""


@contextmanager
def pages(
    host: str, options: WebOptions, program: Sequence[str] = (PROGRAM,)
) -> Iterator[Pages | None]:
    """Serve pages for spectators if ``--web`` was given, and print their address.

    ``program`` is that of :func:`acquire.admin.pages.web.serving.served`.
    """
    if options.web is None:
        yield None
        return
    refuse_on_windows(
        "Showing live pages", "Here, `acquire replay LOG --html` makes a page of a game."
    )
    try:
        with served(host, options.web, options.web_host, program) as found:
            click.echo(f"Spectators: {found.address}", err=True)
            yield found
    except CannotShow as error:
        refuse(str(error))


class Joining:
    """The page on which people take a seat: its port, and how the referee recognizes them."""

    def __init__(
        self, listeners: Sequence[socket], rulebook: str, names: Sequence[str], seconds: float
    ) -> None:
        self.people = People(secrets.token_urlsafe(8), seconds)
        self.port: int = listeners[0].getsockname()[1]
        self.address = f"http://{names[0]}:{self.port}/"
        self._listeners = listeners
        self._rulebook, self._names = rulebook, names
        self.process: subprocess.Popen[bytes] | None = None

    def publish(self, spectators: Pages) -> Callable[[ServerEvent], None]:
        """Publish the page; return an observer that starts its process once the referee listens."""
        spectators.feed.send("join", port=self.port)
        lobby = spectators.address.rstrip("/").rpartition(":")[2]

        def observe(event: ServerEvent) -> None:
            if isinstance(event, Listening):
                host, _, port = event.addresses[0].rpartition(":")
                self._start(host.strip("[]"), int(port), lobby)

        return observe

    def _start(self, host: str, port: int, lobby: str) -> None:
        """Start the process, whose people connect to the referee at this address."""
        numbers = [listener.fileno() for listener in self._listeners]
        where = [ANYWHERE.get(host, host), str(port), self._rulebook]
        what = [f"{self.people.seconds:g}", ",".join(map(str, numbers)), lobby]
        self.process = subprocess.Popen(
            # -P: do not import from the current folder
            [sys.executable, "-P", "-c", LAUNCH, *where, *what, *self._names],
            stdin=subprocess.PIPE,  # its end ends the process, however we end
            stdout=subprocess.DEVNULL,
            env={**os.environ, "ACQUIRE_PEOPLE": self.people.word},
            pass_fds=numbers,
            start_new_session=True,  # Ctrl-C stops the referee, and that stops the process
        )


@contextmanager
def joining(
    host: str, port: int, rulebook: str, names: Sequence[str], seconds: float
) -> Iterator[Joining]:
    """Listen for people who join; what was started ends with the context.

    Raises ``CannotListen``. ``names`` are those that the pages answer to beside addresses;
    ``seconds`` is the clock of a person.
    """
    with ExitStack() as stack:
        listeners = listen(host, port, "Give another --join port (0 takes a free one).")
        for listener in listeners:
            stack.callback(listener.close)
        found = Joining(
            listeners, rulebook, [f"[{host}]" if ":" in host else host, *names], seconds
        )
        try:
            yield found
        finally:
            if found.process is not None and found.process.stdin is not None:
                found.process.stdin.close()
                wait_or_kill(found.process)
