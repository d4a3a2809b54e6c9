"""The pages and their streams: a lobby, and a viewer for each match.

It runs in a process of its own and hears of matches by what is handed over on its standard input.
"""

import json
from collections.abc import AsyncIterator
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from admin.web.feed import Hearing
from admin.web.lobby import Entry, Lobby
from admin.web.pages import lobby_page, match_page
from admin.web.stage import Stage

STREAM = {"cache-control": "no-store", "x-accel-buffering": "no"}
ALIVE = 15.0
"""Seconds after which a stream that has nothing to say says that it is alive."""
PAUSE = 0.1
"""Seconds between two pieces of a stream; what happens meanwhile comes in one."""
LOBBY_PAUSE = 0.5
"""The same for the lobby, all of which is sent again."""
DIGITS = 9
"""Of the number of a message, at most."""


class Site:
    """All that can be looked at. ``take`` what is handed over; ``app`` answers requests."""

    def __init__(self) -> None:
        self.lobby = Lobby()
        self._stages: dict[str, Stage] = {}
        self._changed = trio.Event()
        self._lobby_message: bytes | None = None
        self._streams = 0
        self._hearing = Hearing()
        self.app = Starlette(
            routes=[
                Route("/", self._lobby_page),
                Route("/events", self._lobby_events),
                Route("/match/{id}", self._match_page),
                Route("/match/{id}/events", self._match_events),
            ]
        )

    # -- what is heard --------------------------------------------------------------------------

    def take(self, data: bytes) -> None:
        """Take bytes of the feed."""
        for message, body in self._hearing.take(data):
            self._heard(message, body)
        self._lobby_message = None
        self._changed.set()
        self._changed = trio.Event()

    def _heard(self, message: dict[str, Any], body: bytes) -> None:
        lobby = self.lobby
        match message["what"]:
            case "title":
                lobby.title = message["title"]
            case "waiting":
                lobby.waiting, lobby.seats = message["names"], message["seats"]
            case "begun":
                id_ = message["match"]
                lobby.entries[id_] = Entry(id_, message["title"], message["players"])
                sealed = message.get("sealed", False)
                self._stages[id_] = Stage(id_, len(message["players"]), sealed=sealed)
            case "log":
                self._logged(message["match"], body)
            case "over":
                self._over(message["match"], message["ending"], cut=message.get("cut", False))
            case "unsealed":
                if (stage := self._stages.get(message["match"])) is not None:
                    stage.unseal()
            case "progress":
                lobby.played, lobby.total = message["games"], message["total"]
            case "standings":
                lobby.columns, lobby.rows = message["columns"], message["rows"]

    def _logged(self, id_: str, body: bytes) -> None:
        stage = self._stages.get(id_)
        if stage is not None:
            stage.take(body)
            self.lobby.entries[id_].turn = stage.turn

    def _over(self, id_: str, ending: str, *, cut: bool) -> None:
        stage, entry = self._stages.get(id_), self.lobby.entries.get(id_)
        if stage is None or entry is None:
            return
        stage.close(cut=cut)
        entry.ending, entry.results = ending, stage.results
        for dropped in self.lobby.forget_old():
            del self._stages[dropped]

    def close(self) -> None:
        """The referee is gone: what is there stays to be looked at."""
        self.lobby.closed = True
        for stage in self._stages.values():
            if not stage.over:
                stage.close(cut=True)
                self.lobby.entries[stage.id].ending = "Broken off."
            stage.wake()
        self.take(b"")

    # -- what is asked for ----------------------------------------------------------------------

    async def _lobby_page(self, _: Request) -> Response:
        return HTMLResponse(lobby_page(self.lobby.fields()))

    async def _match_page(self, request: Request) -> Response:
        stage = self._stages.get(request.path_params["id"])
        if stage is None or stage.header is None:
            return PlainTextResponse("There is no such match here. The lobby is at /.", 404)
        return HTMLResponse(match_page(stage.header, f"/match/{stage.id}/events"))

    async def _lobby_events(self, _: Request) -> Response:
        return self._stream(self._tell_lobby())

    async def _match_events(self, request: Request) -> Response:
        stage = self._stages.get(request.path_params["id"])
        if stage is None:
            return PlainTextResponse("There is no such match here.", 404)
        first = stage.first_for(message_number(request.headers.get("last-event-id", "")))
        return self._stream(self._tell(stage, first))

    def _stream(self, told: AsyncIterator[bytes]) -> Response:
        return StreamingResponse(
            self._counted(told), media_type="text/event-stream", headers=STREAM
        )

    async def _counted(self, told: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Pass a stream on, and know how many there are."""
        self._streams += 1
        try:
            async for piece in told:
                yield piece
        finally:
            self._streams -= 1

    async def told(self) -> None:
        """Wait until all who look have been told how it ended."""
        while self._streams:
            await trio.sleep(PAUSE)

    async def _tell_lobby(self) -> AsyncIterator[bytes]:
        while True:
            changed, closed = self._changed, self.lobby.closed
            yield self._told_lobby()
            if closed:
                return
            await trio.sleep(LOBBY_PAUSE)
            await _news(changed)

    async def _tell(self, stage: Stage, place: int) -> AsyncIterator[bytes]:
        """Send a spectator the messages of a match from one on, until there will be no more."""
        while True:
            changed, closed = stage.changed, self.lobby.closed
            if place < len(stage.messages):
                pending = b"".join(stage.messages[place:])
                place = len(stage.messages)
                yield pending
                await trio.sleep(PAUSE)
            elif stage.told or closed:
                return
            elif not await _news(changed):
                yield b": alive\n\n"

    def _told_lobby(self) -> bytes:
        """Return the lobby as a message, made once for all who look."""
        if self._lobby_message is None:
            self._lobby_message = f"data: {json.dumps(self.lobby.fields())}\n\n".encode()
        return self._lobby_message


def message_number(told: str) -> int | None:
    """Read the number of the message that a spectator had last, if it can be one."""
    return int(told) if told.isdecimal() and len(told) <= DIGITS else None


async def _news(changed: trio.Event) -> bool:
    """Wait for news, for a while; return whether there was any."""
    with trio.move_on_after(ALIVE):
        await changed.wait()
        return True
    return False
