"""Which names the pages answer to.

A page of another site can have its own name lead to this machine (DNS rebinding), and its scripts
could then read what is served here. Such an attack needs a name: so addresses are answered always,
and names only if they are ours. Of the other way, a script that reads from another origin, browsers
tell the origin.
"""

import ipaddress
import re
from collections.abc import Set

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

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
        headers = Headers(scope=scope)
        app = self._refusal(headers.get("host", ""), headers.get("origin"))
        if app is None and headers.get("upgrade", "").lower() == "websocket":
            app = PlainTextResponse("There are no WebSockets here.", 403)
        await (app or self._app)(scope, receive, send)

    def _refusal(self, host: str, origin: str | None) -> ASGIApp | None:
        name = host_name(host)
        if name is None or not (is_address(name) or name in self._names):
            return PlainTextResponse(
                f"This server does not answer to the name {name or host!a}. Use its address "
                "instead, or start it with --web-host NAME.",
                421,
            )
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            return PlainTextResponse("Pages of other sites cannot read this one.", 403)
        return None
