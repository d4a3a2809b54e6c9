"""The process of the pages, which is sent the feed on standard input.

It ends soon after the feed, once every spectator has been sent the end.
``python -m acquire.admin.pages.web.page_server HOST PORT NAME ..`` runs it.
"""

import os
import socket
import sys
from collections.abc import Sequence

import trio

from ...refereeing.table.listeners import CannotListen, listen, raise_descriptor_limit
from .asgi_server import serve
from .site import Report, Site

END_TIMEOUT = 3.0
"""Seconds for all spectators to be sent the end."""
FLUSH_TIMEOUT = 0.2
"""Seconds for the last bytes to leave, and for late requests to be answered."""


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
