"""Plays a game for a person whose page is in a browser on this machine."""

import secrets
import shlex
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

import trio

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ...refereeing.table.listeners import listen
from ..web.asgi_server import serve
from .person import Answerer, Person
from .seat_site import SeatSite

HOST = "127.0.0.1"
STOP_SIGNALS = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
"""The second is sent when the terminal is closed."""
LINGER = 5.0
"""Seconds after the end for which a closed page may come back."""


class SeatEnding(Protocol):
    """How a game ended, as the client has it."""

    @property
    def last(self) -> messages.Score | messages.ScoreView | messages.Ejected | Fault:
        """The last message, or the fault of the connection."""


E = TypeVar("E", bound=SeatEnding)
Play: TypeAlias = Callable[[Callable[[Rulebook], Answerer]], E]
"""Plays a game with the player that is made once the rulebook is known."""


def play_in_browser(
    connection: socket.socket,
    play: Play[E],
    on_address: Callable[[str], None],
    on_end: Callable[[E], Path | None],
    *,
    open_browser: bool,
    linger: float = LINGER,
) -> E:
    """Play a game over a connection; return how it ended, once the page is closed.

    ``on_address`` is called with the address of the page, which nobody else can guess. ``on_end``
    is called at the end of the game, and returns the log if it is on this machine. In the main
    thread, SIGTERM and SIGHUP end it with ``SystemExit``: the caller can stop what it has started.
    """
    try:
        return trio.run(_play, connection, play, on_address, on_end, open_browser, linger)
    except* KeyboardInterrupt:
        pass  # Ctrl-C comes out of the nursery in a group
    raise KeyboardInterrupt


async def _play(
    connection: socket.socket,
    play: Play[E],
    on_address: Callable[[str], None],
    on_end: Callable[[E], Path | None],
    opens: bool,
    linger: float,
) -> E:
    person, token = Person(connection), secrets.token_urlsafe(24)
    site = SeatSite(person, token)
    listeners = listen(HOST, 0)
    address = f"http://{HOST}:{listeners[0].getsockname()[1]}/{token}/"
    on_address(address)

    async def stop_at_signal() -> None:
        with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
            async for number in signals:
                stopped_by.append(number)
                nursery.cancel_scope.cancel()

    stopped_by: list[int] = []
    async with trio.open_nursery() as nursery:
        if threading.current_thread() is threading.main_thread():  # others receive no signals
            nursery.start_soon(stop_at_signal)
        nursery.start_soon(serve, site.app, listeners)
        if opens:
            nursery.start_soon(_open, address)
        end = await trio.to_thread.run_sync(play, person.sits_down, abandon_on_cancel=True)
        site.log = await trio.to_thread.run_sync(on_end, end, abandon_on_cancel=True)
        command = "" if site.log is None else f"acquire replay {shlex.quote(str(site.log))}"
        person.end(sentence_of(end), command)
        await site.wait_until_left(linger)
        nursery.cancel_scope.cancel()
    if stopped_by:
        sys.exit(128 + stopped_by[0])
    return end


async def _open(address: str) -> None:
    """Open the page; where there is no browser, the address has been printed."""
    await trio.to_thread.run_sync(webbrowser.open, address, abandon_on_cancel=True)


def sentence_of(end: SeatEnding) -> str:
    """Say why a game ended without a score."""
    match end.last:
        case messages.Ejected(Reason.INTERRUPTED.value | Reason.NO_SEAT.value, sentence):
            return sentence
        case messages.Ejected(Reason.TIMED_OUT.value):
            more = "acquire serve --clock NAME=SECONDS, or NAME=none"
            return f"You were ejected: your time ran out. The referee can give you more: {more}."
        case messages.Ejected(reason, sentence):
            return f"You were ejected ({reason}). {sentence}"
        case Fault() as fault:
            return f"The game has ended for you: {fault}"
    return ""
