"""What our applications have in common: the names they answer to, event streams, what is no page.

A page of another site can have its own name lead to this machine (DNS rebinding), and its scripts
could then read what is served here. Such an attack needs a name: so addresses are answered always,
and names only if they are ours. Of the other way, a script that reads from another origin, browsers
tell the origin.
"""

import ipaddress
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence, Set
from typing import Any

import trio
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from ..html.html_page import stylesheet, whole_page

NOT_STORED = {"cache-control": "no-store"}
KEEP_ALIVE = 15.0  # seconds after which an idle stream says that it is alive
ALIVE = b"event: alive\ndata\n\n"  # an empty event: scripts are not told of comments
LOCALHOST = "localhost"
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\s:/@\[\]]{1,253}?)\.?(?::[0-9]{1,5})?")


def host_name(host: str) -> str | None:
    """Return the name, or the address, in a ``Host`` header; ``None`` if there is none.

    >>> host_name("LocalHost.:8080"), host_name("[::1]:80"), host_name("a b")
    ('localhost', '::1', None)
    """
    found = _HOST.fullmatch(host.lower())
    return None if found is None else found["name"].strip("[]")


def is_address(name: str) -> bool:
    """Whether a name is an IP address.

    >>> is_address("127.0.0.1"), is_address("::1"), is_address("127.0.0.1.example.org")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class HostCheck:
    """Answers requests to other names with 421, and those from pages of other origins with 403.

    Who asks for a WebSocket gets 403, too.
    """

    def __init__(self, app: ASGIApp, names: Set[str]) -> None:
        """Names that are added to ``names`` later are answered too."""
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        headers, app = Headers(scope=scope), self._app
        host, origin = headers.get("host", ""), headers.get("origin")
        name = host_name(host)
        if name is None or not (is_address(name) or name in self._names):
            why = f"This server does not answer to the name {name or host!a}."
            advice = "Use its address instead, or start it with --web-host NAME."
            app = PlainTextResponse(f"{why} {advice}", 421)
        elif origin is not None and origin.lower().partition("://")[2] != host.lower():
            app = PlainTextResponse("Pages of other sites cannot read this one.", 403)
        elif headers.get("upgrade", "").lower() == "websocket":
            app = PlainTextResponse("There are no WebSockets here.", 403)
        await app(scope, receive, send)


# -- applications ---------------------------------------------------------------------------------


class NoPage(HTTPException):
    """There is no page, for a reason that a person can read."""


def make(
    routes: Sequence[BaseRoute],
    names: Set[str],
    unknown: str,
    ways: Callable[[Request], Sequence[tuple[str, str]]],
) -> Starlette:
    """Return an application that answers to ``names`` and every address.

    Where there is no page, it shows one with the sentence of a :class:`NoPage`, else ``unknown``,
    and ``ways`` to go on: what they are called, with their addresses.
    """

    def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        text = whole_page(
            *(__package__, "no_page.html.jinja"),
            stylesheet("acquire.admin.pages.html", "page.css"),
            why=error.detail if isinstance(error, NoPage) else unknown,
            ways=ways(request),
            heading="Not now" if error.status_code == 409 else "Nothing here",
        )
        return HTMLResponse(text, error.status_code)

    return Starlette(
        routes=routes,
        middleware=[Middleware(HostCheck, names=names)],
        exception_handlers={404: answer, 409: answer},
    )


# -- event streams --------------------------------------------------------------------------------


def event(fields: Mapping[str, Any]) -> bytes:
    """Return a message of a stream.

    >>> event({"turn": 1})
    b'data: {"turn":1}\\n\\n'
    """
    return b"data: %b\n\n" % json.dumps(fields, separators=(",", ":")).encode()


def event_stream(pieces: AsyncIterator[bytes]) -> Response:
    """Return a response that goes on as long as there are pieces."""
    headers = {**NOT_STORED, "x-accel-buffering": "no"}
    return StreamingResponse(pieces, media_type="text/event-stream", headers=headers)


async def wait_for_change(changed: trio.Event) -> bool:
    """Wait for a change for a while; return whether there was one."""
    with trio.move_on_after(KEEP_ALIVE):
        await changed.wait()
        return True
    return False
