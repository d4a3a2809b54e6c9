"""A page on which people take seats at a referee's table, and a page for each of them.

To the referee it is as many players, each with a connection. A person's page is made of that
connection alone, at a path that nobody else can guess.

``serve --join`` opens it; without that there is none, since a lobby is often public where seats are
not. People have a clock of their own, which the log records: they are not asked for a fast answer,
but a table must not wait for ever, so a built-in player stands in for who has no time left or has
closed the page for a minute. The referee knows people by a word that only the door adds to names,
made anew by each referee. It gives the clock and nothing else, so a ``--secret`` is still asked
for. There is no cookie, because that would let other pages of the browser act.
"""

import json
import os
import secrets
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias

import trio
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ....game.rulebook import Rulebook
from ....protocol.player_names import MAX_NAME
from ...refereeing.table.run import beside
from ..html.html_page import script, stylesheet, whole_page
from ..web import application
from ..web.asgi_server import serve
from ..web.site import END_TIMEOUT, FLUSH_TIMEOUT, names_of_this_machine
from .browser import AWAY, play_seated, sentence_of
from .person import Answerer, Person
from .seat_site import SeatSite, json_body

MAX_PEOPLE = 24  # people who may have a seat at once
MAX_PAGES = 100  # pages of people; the one whose game ended first makes room for another
LOOK_BACK = 600.0  # seconds after the end for which a page stays, while it is open
NO_SEAT = (
    "There is no seat at this address any more. A seat is kept for ten minutes after its game, "
    "while its page is open and few people play, and a referee that was started again does not "
    "know it."
)
MAX_REQUEST = 1000  # bytes of a request to join


Play: TypeAlias = Callable[[socket.socket, str, Callable[[Rulebook], Answerer]], Any]
"""Plays a game, in a thread of its own, as a player who signs up with a name."""


class SeatDoor:
    """The application; games are played in a nursery."""

    def __init__(
        self,
        nursery: trio.Nursery,
        connect: Callable[[], socket.socket],
        play: Play,
        word: str,
        clock: str,
        names: Sequence[str] = (),
        lobby: int = 0,
    ) -> None:
        """``connect`` connects to the referee; ``word`` is added to every name, unless empty.

        ``clock`` are the seconds that people have for a move. The pages answer to ``names`` and to
        every address. ``lobby`` is the port of the lobby.
        """
        self._nursery, self._connect, self._play = nursery, connect, play
        self._word, self._clock = word, clock
        self._names = frozenset(
            {application.LOCALHOST, *names_of_this_machine(), *(name.lower() for name in names)}
        )
        self._lobby = lobby
        self._sites: dict[str, SeatSite] = {}
        self._looked_back_at: dict[str, trio.CancelScope] = {}
        """By token, the pages that stay after the end, the first to end first.

        They give way to new ones: kept open, they would keep everybody else from joining.
        """
        self._playing = 0
        self._limiter = trio.CapacityLimiter(2 * MAX_PEOPLE)
        routes = [Route("/", self._page), Route("/join", self._join, methods=["POST"])]
        self._front: ASGIApp = application.make(routes, self._names, NO_SEAT, self._ways)

    def _ways(self, request: Request) -> list[tuple[str, str]]:
        """Return where to go on from a seat that is no more."""
        lobby = str(request.url.replace(port=self._lobby, path="/", query=""))
        return [("Take a seat", "/"), *([("All games", lobby)] if self._lobby else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: to a person's page, or to the one on which people join."""
        path = scope.get("path", "/").split("/")
        site = self._sites.get(path[1]) if len(path) > 2 else None
        await (self._front if site is None else site.app)(scope, receive, send)

    async def wait_until_all_have_played(self) -> None:
        """Wait until nobody has a seat any more."""
        while self._playing:
            await trio.sleep(FLUSH_TIMEOUT)

    async def _page(self, _: Request) -> Response:
        page = whole_page(
            __package__,
            "door.html.jinja",
            stylesheet(__package__, "door.css"),
            script(__package__, "door.js"),
            connects=True,
            clock=self._clock,
        )
        return HTMLResponse(page, headers=application.NOT_STORED)

    async def _join(self, request: Request) -> Response:
        """Take a person to a seat; answer with the path of its page."""
        name = self._sign_up_name(await json_body(request, MAX_REQUEST))
        if name is None:
            return PlainTextResponse("Give a shorter name, of characters that can be shown.", 400)
        if self._playing >= MAX_PEOPLE:
            return PlainTextResponse(f"{MAX_PEOPLE} people play already. Try again later.", 503)
        self._playing += 1
        try:
            connection = await trio.to_thread.run_sync(self._connect, limiter=self._limiter)
        except OSError:
            self._playing -= 1
            return PlainTextResponse("The referee takes no more players.", 503)
        if len(self._sites) >= MAX_PAGES and self._looked_back_at:
            next(iter(self._looked_back_at.values())).cancel()
        token = secrets.token_urlsafe(24)
        self._sites[token] = SeatSite(token, self._names, lobby=self._lobby)
        self._nursery.start_soon(self._host, token, connection, name)
        return JSONResponse({"path": f"/{token}/"}, headers=application.NOT_STORED)

    def _sign_up_name(self, body: bytes) -> str | None:
        """Return what a person signs up with; ``None`` if it is not a name."""
        try:
            fields = json.loads(body)
            name, secret = fields["name"].strip(), fields.get("secret") or ""
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        if not isinstance(secret, str):
            return None
        whole = ":".join([name, *filter(None, (secret, self._word))])
        return whole if name and whole.isprintable() and len(whole) <= MAX_NAME else None

    async def _host(self, token: str, connection: socket.socket, name: str) -> None:
        site, person = self._sites[token], Person(connection, float(self._clock))
        site.seat(person)
        try:
            with connection:
                async with beside(partial(self._leave_if_not_begun, site, person)):
                    play = partial(self._play, connection, name)
                    end = await play_seated(site, person, play, limiter=self._limiter)
                said = sentence_of(end.last)
        except Exception:  # one page that fails must not end the others
            traceback.print_exc()
            said = "This page has failed."
        finally:
            self._playing -= 1
        person.end(said)
        with trio.move_on_after(LOOK_BACK) as self._looked_back_at[token]:
            await site.wait_until_left(AWAY)
        del self._sites[token], self._looked_back_at[token]

    @staticmethod
    async def _leave_if_not_begun(site: SeatSite, person: Person) -> None:
        """End the connection of who leaves before the game, so that no table waits for them."""
        await site.wait_until_left(AWAY)
        if not person.begun:
            person.hang_up()


def serve_people(listeners: list[socket.socket], *way: Any) -> None:
    """Serve the pages of a :class:`SeatDoor` on ``listeners`` until standard input ends.

    Whoever still plays then is sent the end.
    """

    async def run() -> None:
        async with trio.open_nursery() as nursery:
            door = SeatDoor(nursery, *way)
            nursery.start_soon(serve, door, listeners)
            await trio.to_thread.run_sync(sys.stdin.buffer.read)
            with trio.move_on_after(END_TIMEOUT):
                await door.wait_until_all_have_played()
            await trio.sleep(FLUSH_TIMEOUT)
            os._exit(0)  # open pages would delay a clean exit

    trio.run(run)
