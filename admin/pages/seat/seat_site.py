"""The page's site: one page, one event stream, and answers by POST, under an unguessable path."""

import json
from collections.abc import AsyncIterator, Set
from pathlib import Path
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route

from ...refereeing.log.reader import read
from ..html.replay_page import page
from ..web.event_streams import KEEP_ALIVE, STREAM
from ..web.hosts import LOCALHOST, HostCheck
from .choices import Refused
from .introduction import introduction
from .person import Person
from .seat_page import playing_page, waiting_page

NOT_STORED = {"cache-control": "no-store"}
MAX_ANSWER = 10_000
"""Bytes of an answer."""


async def json_body(request: Request, limit: int) -> bytes:
    """Return the body of a request; ``HTTPException`` if it is not JSON, or has more bytes.

    A page of another site cannot send JSON without asking first, which is refused.
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "Send JSON.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise HTTPException(413, f"Send at most {limit} bytes.")
    return body


class SeatSite:
    """Answers requests for one person's page; ``streams`` counts the open pages."""

    def __init__(
        self, person: Person, token: str, names: Set[str] = frozenset({LOCALHOST})
    ) -> None:
        """The page is at the path ``token``, and answers to ``names`` and every address."""
        self._person = person
        self.log: Path | None = None
        """The log of the game after its end, if it is on this machine."""
        self.streams = 0
        self.left = trio.Event()
        """Set whenever a page has gone, and then replaced."""
        self.app = Starlette(
            routes=[
                Mount(
                    f"/{token}",
                    routes=[
                        Route("/", self._page),
                        Route("/events", self._events),
                        Route("/answer", self._answer, methods=["POST"]),
                        Route("/suggestion", self._suggestion),
                        Route("/replay", self._replay),
                    ],
                )
            ],
            middleware=[Middleware(HostCheck, names=names)],
        )

    async def _page(self, _: Request) -> Response:
        wire, rulebook = self._person.wire, self._person.rulebook
        if wire is not None and rulebook is not None and wire.names:
            page = playing_page(wire.fields(), introduction(rulebook, len(wire.names)))
        else:
            page = waiting_page(introduction(rulebook, 0) if rulebook is not None else [])
        return HTMLResponse(page, headers=NOT_STORED)

    async def _events(self, _: Request) -> Response:
        return StreamingResponse(self._stream(), media_type="text/event-stream", headers=STREAM)

    async def _stream(self) -> AsyncIterator[bytes]:
        """Yield the frames so far, then what changes; all of it again after a reconnection."""
        self.streams += 1
        sent = 0
        try:
            while True:
                changed = self._person.changed
                message, sent = self._message(sent)
                yield message
                while not changed.is_set():
                    with trio.move_on_after(KEEP_ALIVE):
                        await changed.wait()
                    if not changed.is_set():
                        yield b":\n\n"
        finally:
            self.streams -= 1
            self.left.set()
            self.left = trio.Event()

    def _message(self, sent: int) -> tuple[bytes, int]:
        person = self._person
        frames = person.wire.frames if person.wire is not None else []
        fields: dict[str, Any] = {
            "from": sent,
            "frames": frames[sent:],
            "question": person.question,
            "over": person.over,
        }
        return b"data: " + json.dumps(fields).encode() + b"\n\n", len(frames)

    async def wait_until_left(self, seconds: float) -> None:
        """Wait until no page has been open for some seconds."""
        while True:
            while self.streams:
                await self.left.wait()
            await trio.sleep(seconds)
            if not self.streams:
                return

    async def _suggestion(self, _: Request) -> Response:
        try:
            return JSONResponse(await self._person.suggestion(), headers=NOT_STORED)
        except Refused as error:
            return PlainTextResponse(str(error), 409)

    async def _replay(self, _: Request) -> Response:
        if self.log is None:
            return PlainTextResponse("There is no log here.", 404)
        return HTMLResponse(await trio.to_thread.run_sync(lambda path: page(read(path)), self.log))

    async def _answer(self, request: Request) -> Response:
        body = await json_body(request, MAX_ANSWER)
        try:
            fields = json.loads(body)
            if not isinstance(fields, dict):
                raise Refused("An answer is a JSON object.")
            self._person.take_answer(fields)
        except Refused as error:
            return PlainTextResponse(str(error), 409)
        except (ValueError, RecursionError):
            return PlainTextResponse("The answer is not JSON.", 400)
        return Response(status_code=204)
