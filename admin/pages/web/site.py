"""The pages and their event streams: a lobby, and a viewer for each game.

It runs in a process of its own, ``python -m acquire.admin.pages.web.site HOST PORT NAME ..``, and
learns of games from the feed on its standard input. It ends soon after the feed, once every
spectator has been sent the end.
"""

import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

import trio
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ...refereeing.table.listeners import CannotListen, listen, raise_descriptor_limit
from ...refereeing.view.palette import HOTEL_COLORS
from ..html import html_page
from ..html.replay_page import live_page
from . import application
from .asgi_server import serve
from .live_game import LiveGame
from .lobby import WAYS, Lobby, LobbyStream

PACKAGE = "acquire.admin.pages.web"
END_TIMEOUT = 3.0  # seconds for all spectators to be sent the end
FLUSH_TIMEOUT = 0.2  # seconds for the last bytes to leave, and for late requests to be answered
INTERVAL = 0.1  # seconds between two pieces of a stream; what happens meanwhile is sent in one
STOPPED = "The referee was stopped."  # how a game ended that was live then
SEED = "in the log"  # shown in place of the seed, from which the bag and all hands follow
NO_GAME = (
    "There is no such game. Either it is over, and newer games have taken its place in the lobby, "
    "or the referee was started again. Its log still has it: acquire replay LOG."
)

Report = Callable[[str], str | None]
"""Returns a page of a report by its path, ``None`` if there is none; it may take a while."""
REPORT = "/report/"


class Site:
    """Everything that spectators can see. ``take`` the feed; ``app`` answers requests."""

    def __init__(self, names: Iterable[str] = (), report: Report | None = None) -> None:
        """``names`` are answered to, and every address; ``self.names`` can be added to.

        Pages of a ``report`` are made one at a time, in a thread of their own.
        """
        self.names = {application.LOCALHOST, *(name.lower() for name in names)}
        self.lobby = Lobby()
        self._lobby_stream = LobbyStream(self.lobby)
        self._streams = 0
        self._partial_line = b""
        self._report = report
        self._report_limiter = trio.CapacityLimiter(1)
        self.lobby.report = REPORT if report is not None else ""
        self.app = application.make(
            [
                Route("/", self._lobby_page),
                Route("/events", self._lobby_events),
                Route("/player/{name:path}", self._game_of_player),
                Route("/match/{id}", self._game_page),
                Route("/match/{id}/events", self._game_events),
                Route("/match/{id}/{which}", self._another_game),
                Route(REPORT + "{path:path}", self._report_page),
            ],
            self.names,
            "There is no such page.",
            self._ways,
        )

    # -- the feed --------------------------------------------------------------------------------

    def take(self, data: bytes) -> None:
        """Take bytes of the feed."""
        *lines, self._partial_line = (self._partial_line + data).split(b"\n")
        for line in lines:
            self._handle(json.loads(line))
        self._lobby_stream.changed()

    def _handle(self, message: dict[str, Any]) -> None:
        lobby = self.lobby
        live_game = lobby.games.get(message.get("match", ""))
        match message["what"]:
            case "lobby":
                for name, value in message["fields"].items():
                    setattr(lobby, name, value)
            case "begun":
                id_, title, players = message["match"], message["title"], message["players"]
                sealed = message.get("sealed", False)
                lobby.games[id_] = LiveGame(id_, title, players, sealed=sealed)
            case "log" if live_game is not None:
                live_game.take(message["text"].encode(errors="surrogateescape"))
            case "over" if live_game is not None:
                live_game.close(message["ending"], abandoned=message.get("cut", False))
                lobby.forget_old()
            case "unsealed" if live_game is not None:
                live_game.unseal()

    def close(self) -> None:
        """The referee has stopped: what there is can still be looked at."""
        self.lobby.closed = True
        for live_game in self.lobby.games.values():
            if not live_game.ending:
                live_game.close(STOPPED, abandoned=True)
            live_game.wake()
        self.lobby.forget_old()
        self.take(b"")

    # -- requests --------------------------------------------------------------------------------

    async def _lobby_page(self, _: Request) -> Response:
        scripts = html_page.script(PACKAGE, "lobby.js")
        style = html_page.stylesheet(PACKAGE, "lobby.css")
        # the colors of the hotels on small boards, where a digit stands for each
        for digit, (fill, ink) in enumerate(HOTEL_COLORS, 1):
            style += Markup(f".games .cell-{digit} {{ fill: {fill}; }}\n")
            style += Markup(f".letter-{digit} {{ fill: {ink}; }}\n")
        text = html_page.whole_page(PACKAGE, "lobby.html.jinja", style, scripts, connects=True)
        return HTMLResponse(text, headers=application.NOT_STORED)

    def _game(self, request: Request) -> LiveGame:
        if (live_game := self.lobby.games.get(request.path_params["id"])) is None:
            raise application.NoPage(404, NO_GAME)
        return live_game

    async def _game_page(self, request: Request) -> Response:
        live_game = self._game(request)
        if live_game.header is None:
            raise application.NoPage(404, NO_GAME)
        return HTMLResponse(live_game_page(live_game, f"/match/{quote(live_game.id, safe='')}"))

    def _ways(self, _: Request) -> list[tuple[str, str]]:
        report = [("All results so far", REPORT)] if self._report is not None else []
        return [("All games", "/"), *report]

    async def _game_of_player(self, request: Request) -> Response:
        name = request.path_params["name"]
        games = [game.id for game in self.lobby.games.values() if name in game.players]
        return _lead_to(games[-1] if games else None)

    async def _another_game(self, request: Request) -> Response:
        """Lead to the game before, after, or to the next live one; else to the lobby."""
        if (which := request.path_params["which"]) not in WAYS:
            raise HTTPException(404)
        return _lead_to(self.lobby.beside(request.path_params["id"], which))

    async def _report_page(self, request: Request) -> Response:
        if self._report is None:
            raise application.NoPage(404, "There is no report: this is not a tournament.")
        make = partial(self._report, request.path_params["path"])
        page = await trio.to_thread.run_sync(
            make, limiter=self._report_limiter, abandon_on_cancel=True
        )
        if page is None:
            raise application.NoPage(404, "The report has no such page, or no game is over yet.")
        return HTMLResponse(page.encode(errors="replace"), headers=application.NOT_STORED)

    async def _lobby_events(self, _: Request) -> Response:
        return application.event_stream(self._counted(self._lobby_stream.messages()))

    async def _game_events(self, request: Request) -> Response:
        return application.event_stream(self._counted(self._game_stream(self._game(request))))

    async def _counted(self, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Pass a stream on, and count the streams."""
        self._streams += 1
        yield application.ALIVE  # the head of the response is sent with the first piece
        try:
            async for piece in pieces:
                yield piece
        finally:
            self._streams -= 1

    async def wait_until_streams_end(self) -> None:
        """Wait until all spectators have been sent the end."""
        while self._streams:
            await trio.sleep(INTERVAL)

    async def _game_stream(self, live_game: LiveGame) -> AsyncIterator[bytes]:
        if live_game.complete:
            yield live_game.whole
            return
        place = 0
        while True:
            changed, closed = live_game.changed, self.lobby.closed
            if place < len(live_game.messages):
                pending = b"".join(live_game.messages[place:])
                place = len(live_game.messages)
                yield pending
                await trio.sleep(INTERVAL)
            elif live_game.complete or closed:
                return
            elif not await application.wait_for_change(changed):
                yield application.ALIVE


def _lead_to(game: str | None) -> Response:
    where = "/" if game is None else f"/match/{quote(game, safe='')}"
    return RedirectResponse(where, 303, application.NOT_STORED)


# -- the pages ------------------------------------------------------------------------------------


def live_game_page(live_game: LiveGame, path: str, seed: str = SEED) -> str:
    """Write the viewer's page of a game at ``path``, whose steps come by a stream of events.

    The seed is hidden even after the game: a referee can deal all its games by one.
    """
    assert live_game.header is not None, "a game without a header has no page yet"
    around = html_page.template(PACKAGE, "around.jinja")
    return live_page(
        live_game.header,
        events=f"{path}/events",
        seed=seed,
        waited=live_game.waited,
        title=live_game.title,
        above=Markup(around.render(path=path, title=live_game.title)),
        own_style=Markup(html_page.asset(PACKAGE, "live.css")),
        own_script=html_page.script_beside(PACKAGE, "live.js"),
    )


# -- the process ----------------------------------------------------------------------------------


def run(arguments: Sequence[str], report: Report | None = None) -> None:
    """Serve pages on a host and port, under names; these are the arguments."""
    host, port, *names = arguments
    try:
        trio.run(_serve, host, int(port), names, report)
    except CannotListen as error:
        sys.exit(str(error))


async def _serve(host: str, port: int, names: list[str], report: Report | None) -> None:
    """Listen, print the port, and answer requests until the feed has ended."""
    raise_descriptor_limit()
    listeners = listen(host, port, "Give another --web port (0 takes a free one).")
    print(listeners[0].getsockname()[1], flush=True)
    site = Site([host, *names, *names_of_this_machine()], report)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, site.app, listeners)
        nursery.start_soon(_add_full_name, site)
        feed = trio.lowlevel.FdStream(sys.stdin.fileno())
        async for data in feed:
            site.take(bytes(data))
        site.close()
        with trio.move_on_after(END_TIMEOUT):
            await site.wait_until_streams_end()
        await trio.sleep(FLUSH_TIMEOUT)
        os._exit(0)  # a spectator who does not read would delay a clean exit


def names_of_this_machine() -> set[str]:
    """Return the names by which other machines may know this one, as far as it knows itself."""
    name = socket.gethostname().lower()
    return {name, f"{name}.local"}


async def _add_full_name(site: Site) -> None:
    """Answer to this machine's full name too; the network may take seconds to find it."""
    site.names.add((await trio.to_thread.run_sync(socket.getfqdn)).lower())


if __name__ == "__main__":
    run(sys.argv[1:])
