"""Plays games for a person whose page is in a browser on this machine."""

import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import trio

from ....game.rulebook import Rulebook
from ....protocol import messages
from ....protocol.faults import Fault, Reason
from ...refereeing.table.listeners import listen
from ...refereeing.table.run import first_of, run_until_stopped
from ..web.asgi_server import serve
from .person import Answerer, Person
from .seat_site import RetriedTurn, SeatSite

HOST = "127.0.0.1"
LINGER = 5.0  # seconds after the end for which a closed page may come back
AWAY = 60.0  # seconds without an open page after which a built-in player plays


Begin: TypeAlias = Callable[[RetriedTurn | None, int], tuple[Any, ...]]
"""Begins a game, by so many levels harder than the last, and returns what it is played with."""


def play_in_browser(
    begin: Begin,
    on_address: Callable[[str], None],
    *,
    open_browser: bool,
    again: bool = False,
    start: tuple[Path, int, str] | None = None,
    linger: float = LINGER,
) -> None:
    """Play a game, and others if the page asks for them, until the page is closed after the end.

    ``begin`` connects to a table; where it can do so ``again``, it is called for every other game.
    The first one begins at ``start``, a turn of a log and who is to play, if it is given.
    ``on_address`` is called with the address of the page, which nobody else can guess. In the main
    thread, signals end it with ``SystemExit``: the caller can stop what it has started.
    """
    first = None if start is None else RetriedTurn(*start)
    game = begin(first, 0)
    play = partial(_play, game, first, begin, on_address, open_browser, again, linger)
    if threading.current_thread() is not threading.main_thread():  # others receive no signals
        trio.run(play)
    elif (number := run_until_stopped(play)) is not None:
        sys.exit(128 + number)


async def _play(
    game: tuple[Any, ...],
    first: RetriedTurn | None,
    begin: Begin,
    on_address: Callable[[str], None],
    opens: bool,
    again: bool,
    linger: float,
) -> None:
    token, once = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    site = SeatSite(token, once=once, again=again, start=first)
    listeners = listen(HOST, 0)
    host = f"http://{HOST}:{listeners[0].getsockname()[1]}"
    on_address(f"{host}/{token}/")
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, site.app, listeners)
            if opens:  # where there is no browser, the address has been printed
                # this one is a word of a command line, which all users of the machine can read
                nursery.start_soon(_in_thread, webbrowser.open, f"{host}/{once}")
            await _play_game(site, *game)
            while await _another(site, linger):
                await _play_game(site, *await _in_thread(begin, site.start, site.harder))
            nursery.cancel_scope.cancel()
    finally:
        site.close()


T = TypeVar("T")


async def _in_thread(function: Callable[..., T], *arguments: object) -> T:
    return await trio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True)


async def _play_game(
    site: SeatSite,
    connection: socket.socket,
    play: Callable[[Callable[[Rulebook], Answerer]], Any],
    on_end: Callable[[Any], Path | None],
    clock: float | None,
    waits: bool,
    levels: Sequence[str] = (),
) -> None:
    """Play a game over a connection, with ``clock`` seconds for an answer, if limited.

    ``play`` plays it with the player that is made once the rulebook is known, and returns how it
    ended, with the ``last`` message. ``on_end`` is called with that, and returns the log if it is
    on this machine. If others ``wait`` for the person, a built-in player plays while the page is
    closed; otherwise nothing begins before it is opened. ``levels`` are the other games that the
    page can ask for: ``easier``, ``harder``.
    """
    person = Person(connection, clock, waits=waits)
    site.seat(person)
    end = await play_seated(site, person, play, stands_in=waits)
    log = await _in_thread(on_end, end)
    site.logs += [] if log is None else [log]
    person.end(
        sentence_of(end.last),
        replay=log is not None,
        again=site.again,
        game=len(site.logs),
        levels=levels,
    )


async def play_seated(
    site: SeatSite,
    person: Person,
    play: Callable[[Callable[[Rulebook], Answerer]], Any],
    *,
    stands_in: bool = True,
    limiter: trio.CapacityLimiter | None = None,
) -> Any:
    """Play a game in a thread; a built-in player can stand in while the page is closed."""
    async with trio.open_nursery() as nursery:
        if stands_in:
            nursery.start_soon(_stand_in_while_left, site, person)
        end = await trio.to_thread.run_sync(
            play, person.sits_down, abandon_on_cancel=True, limiter=limiter
        )
        nursery.cancel_scope.cancel()
    return end


async def _stand_in_while_left(site: SeatSite, person: Person) -> None:
    while True:
        await site.wait_until_left(AWAY)
        person.leave()
        await site.wait_until_back()


async def _another(site: SeatSite, linger: float) -> bool:
    """Wait until the page is closed, or asks for another game; return whether it does."""
    await first_of(site.wanted.wait, partial(site.wait_until_left, linger))
    return site.wanted.is_set()


def sentence_of(last: object) -> str:
    """Say by the last message why a game ended without a score."""
    match last:
        case messages.Ejected(Reason.INTERRUPTED.value | Reason.NO_SEAT.value, sentence):
            return sentence
        case messages.Ejected(Reason.TIMED_OUT.value):
            more = "acquire serve --clock NAME=SECONDS, or NAME=none"
            return (
                "Your time ran out, so the referee ejected you; the game goes on without you. "
                f"The referee can give you more time: {more}. If you tell the clock to "
                "acquire play --clock, a built-in player answers in time."
            )
        case messages.Ejected(reason, sentence):
            return f"You were ejected ({reason}); the game goes on without you. {sentence}"
        case Fault() as fault:
            return f"The game ends here, without a result. {fault}"
    return ""
