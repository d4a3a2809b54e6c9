"""A page on which people take seats at a referee's table, and a page for each of them.

To the referee it is as many players, each with a connection. A person's page is made of that
connection alone, at a path that nobody else can guess.

``serve --join`` opens it; without that there is none, since a lobby is often public where seats are
not. People have a clock of their own, which the log records: they are not asked for a fast answer,
but a table must not wait for ever, so a page that has been closed for a minute ends its connection.
The referee knows them by a word that only the door adds to names, made anew by each referee. It
gives the clock and nothing else, so a ``--secret`` is still asked for. There is no cookie, because
that would let other pages of the browser act.
"""

import json
import os
import secrets
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

import trio
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ....game.rulebook import Rulebook
from ....protocol.player_names import MAX_NAME
from ..web.asgi_server import serve
from ..web.hosts import LOCALHOST, HostCheck
from ..web.page_server import END_TIMEOUT, FLUSH_TIMEOUT, names_of_this_machine
from .browser import SeatEnding, sentence_of
from .person import Answerer, Person
from .seat_page import door_page
from .seat_site import NOT_STORED, SeatSite, json_body

MAX_PEOPLE = 24
"""People who may have a seat at once."""
MAX_PAGES = 100
"""Pages of people, with those whose game is over."""
AWAY = 60.0
"""Seconds without an open page after which a person has left."""
LOOK_BACK = 600.0
"""Seconds after the end for which a page stays, while it is open."""
MAX_REQUEST = 1000
"""Bytes of a request to join."""


class Way(NamedTuple):
    """How people come to the table.

    ``connect`` connects to the referee; ``word`` is added to every name, if it is not empty; and
    ``clock`` are the seconds that people have for a move.
    """

    connect: Callable[[], socket.socket]
    play: "Play"
    word: str
    clock: str


class Play(Protocol):
    """Plays a game over a connection as a player who signs up with a name."""

    def __call__(
        self, connection: socket.socket, name: str, make: Callable[[Rulebook], Answerer]
    ) -> SeatEnding:
        """Play it in a thread of its own; ``make`` makes the player once the rulebook is known."""


class SeatDoor:
    """The application: ``run`` it in a nursery while it serves."""

    def __init__(self, way: Way, names: Sequence[str]) -> None:
        """The pages answer to ``names`` and to every address."""
        self._way = way
        self._names = frozenset({LOCALHOST, *(name.lower() for name in names)})
        self._sites: dict[str, SeatSite] = {}
        self._playing = 0
        self._limiter = trio.CapacityLimiter(2 * MAX_PEOPLE)
        self._nursery: trio.Nursery | None = None
        self._front: ASGIApp = Starlette(
            routes=[Route("/", self._page), Route("/join", self._join, methods=["POST"])],
            middleware=[Middleware(HostCheck, names=self._names)],
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: to a person's page, or to the one on which people join."""
        path = scope.get("path", "/").split("/")
        site = self._sites.get(path[1]) if len(path) > 2 else None
        await (self._front if site is None else site.app)(scope, receive, send)

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Let people play, until cancelled."""
        async with trio.open_nursery() as self._nursery:
            task_status.started()
            await trio.sleep_forever()

    async def wait_until_all_have_played(self) -> None:
        """Wait until nobody has a seat any more."""
        while self._playing:
            await trio.sleep(FLUSH_TIMEOUT)

    async def _page(self, _: Request) -> Response:
        return HTMLResponse(door_page(self._way.clock), headers=NOT_STORED)

    async def _join(self, request: Request) -> Response:
        """Take a person to a seat; answer with the path of its page."""
        body = await json_body(request, MAX_REQUEST)
        name = self._sign_up_name(body)
        if name is None:
            return PlainTextResponse("Give a shorter name, of characters that can be shown.", 400)
        if self._playing >= MAX_PEOPLE or len(self._sites) >= MAX_PAGES:
            return PlainTextResponse(f"{MAX_PEOPLE} people play already. Try again later.", 503)
        self._playing += 1
        try:
            connection = await trio.to_thread.run_sync(self._way.connect, limiter=self._limiter)
        except OSError:
            self._playing -= 1
            return PlainTextResponse("The referee takes no more players.", 503)
        assert self._nursery is not None
        person, token = Person(connection), secrets.token_urlsafe(24)
        self._sites[token] = SeatSite(person, token, self._names)
        self._nursery.start_soon(self._host, token, person, connection, name)
        return JSONResponse({"path": f"/{token}/"}, headers=NOT_STORED)

    def _sign_up_name(self, body: bytes) -> str | None:
        """Return what a person signs up with; ``None`` if it is not a name."""
        try:
            fields = json.loads(body)
            name, secret = fields["name"].strip(), fields.get("secret") or ""
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        if not isinstance(secret, str):
            return None
        parts = [name, *([secret] if secret else []), *([self._way.word] if self._way.word else [])]
        whole = ":".join(parts)
        return whole if name and whole.isprintable() and len(whole) <= MAX_NAME else None

    async def _host(self, token: str, person: Person, connection: socket.socket, name: str) -> None:
        """Let a person play; a closed page ends the connection, so that nobody waits for it."""
        site = self._sites[token]
        try:
            with connection:
                said = sentence_of(await self._play_until_left(site, person, connection, name))
        except Exception:  # one page that fails must not end the others
            traceback.print_exc()
            said = "This page has failed."
        finally:
            self._playing -= 1
        person.end(said)
        with trio.move_on_after(LOOK_BACK):
            await site.wait_until_left(AWAY)
        del self._sites[token]

    async def _play_until_left(
        self, site: SeatSite, person: Person, connection: socket.socket, name: str
    ) -> SeatEnding:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._end_if_left, site, connection)
            end: SeatEnding = await trio.to_thread.run_sync(
                self._way.play,
                connection,
                name,
                person.sits_down,
                abandon_on_cancel=True,
                limiter=self._limiter,
            )
            nursery.cancel_scope.cancel()
        return end

    async def _end_if_left(self, site: SeatSite, connection: socket.socket) -> None:
        await site.wait_until_left(AWAY)
        with suppress(OSError):  # it may have ended by itself
            connection.shutdown(socket.SHUT_RDWR)


def serve_people(
    listeners: list[socket.socket],
    connect: Callable[[], socket.socket],
    play: Play,
    word: str,
    clock: str,
    names: Sequence[str],
) -> None:
    """Serve the pages on ``listeners`` until standard input ends; see :class:`Way`.

    Whoever still plays then is sent the end.
    """
    door = SeatDoor(Way(connect, play, word, clock), [*names, *names_of_this_machine()])

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(door.run)
            nursery.start_soon(serve, door, listeners)
            await trio.to_thread.run_sync(sys.stdin.buffer.read)
            with trio.move_on_after(END_TIMEOUT):
                await door.wait_until_all_have_played()
            await trio.sleep(FLUSH_TIMEOUT)
            os._exit(0)  # open pages would delay a clean exit

    trio.run(run)
