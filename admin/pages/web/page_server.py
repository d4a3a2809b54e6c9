"""The server of the pages, which is sent the feed on standard input.

It ends soon after the feed, once every spectator has been sent the end.
"""

import os
import socket
import sys
from collections.abc import Sequence
from typing import Any, cast

import trio
from hypercorn.config import Config
from hypercorn.protocol.h11 import H11Protocol
from hypercorn.trio import serve

from ...refereeing.table.listeners import (
    CannotListen,
    drop_stalled_connections,
    listen,
    raise_descriptor_limit,
)
from .site import Report, Site

SECURITY = [
    (b"content-security-policy", b"frame-ancestors 'self'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
"""Headers of every response; a page's own policy about its scripts and styles is in the page."""

END_TIMEOUT = 3.0
"""Seconds for all spectators to be sent the end."""
FLUSH_TIMEOUT = 0.2
"""Seconds for the last bytes to leave, and for late requests to be answered."""
UNREAD_TIMEOUT = 30.0
"""Seconds after which a spectator who reads nothing is dropped."""


class WebConfig(Config):
    """Settings of the web server: HTTP/1.1 only, and our headers."""

    include_server_header = False
    keep_alive_max_requests = 1_000_000
    alpn_protocols = ["http/1.1"]  # noqa: RUF012  # as hypercorn has it

    def response_headers(self, protocol: str) -> list[tuple[bytes, bytes]]:
        """Return the headers of every response, also of those to what is not even HTTP."""
        return super().response_headers(protocol) + SECURITY


async def _stay_with_http_1(self: H11Protocol, event: object) -> None:
    """Do not change to HTTP/2 when asked for it."""


H11Protocol._check_protocol = _stay_with_http_1  # type: ignore[method-assign]  # it has no setting


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
    drop_stalled_connections(listeners, UNREAD_TIMEOUT)
    config = WebConfig()
    config.bind = [f"fd://{listener.fileno()}" for listener in listeners]
    config.accesslog = config.errorlog = None
    print(listeners[0].getsockname()[1], flush=True)
    site = Site([host, *names, *names_of_this_machine()], report)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, cast(Any, site.app), config)  # an ASGI application
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
