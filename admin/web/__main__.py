"""The process of the pages: ``python -m admin.web HOST PORT``, the feed on standard input.

It ends soon after the feed, once every spectator has been sent the end.
"""

import os
import sys
from typing import Any, cast

import trio
from hypercorn.config import Config
from hypercorn.trio import serve

from admin.table.listeners import (
    CannotListen,
    drop_stalled_connections,
    listen,
    raise_descriptor_limit,
)
from admin.web.site import Site

END_TIMEOUT = 3.0
"""Seconds for all spectators to be sent the end."""
FLUSH_TIMEOUT = 0.2
"""Seconds for the last bytes to leave, and for late requests to be answered."""
UNREAD_TIMEOUT = 30.0
"""Seconds after which a spectator who reads nothing is dropped."""


async def main(host: str, port: int) -> None:
    """Listen, print the port, and answer requests until the feed has ended."""
    raise_descriptor_limit()
    listeners = listen(host, port, "Give another --web port (0 takes a free one).")
    drop_stalled_connections(listeners, UNREAD_TIMEOUT)
    config = Config()
    config.bind = [f"fd://{listener.fileno()}" for listener in listeners]
    config.accesslog = config.errorlog = None
    config.keep_alive_max_requests = 1_000_000
    print(listeners[0].getsockname()[1], flush=True)
    site = Site()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, cast(Any, site.app), config)  # an ASGI application
        feed = trio.lowlevel.FdStream(sys.stdin.fileno())
        async for data in feed:
            site.take(bytes(data))
        site.close()
        with trio.move_on_after(END_TIMEOUT):
            await site.wait_until_streams_end()
        await trio.sleep(FLUSH_TIMEOUT)
        os._exit(0)  # a spectator who does not read would delay a clean exit


if __name__ == "__main__":
    try:
        trio.run(main, sys.argv[1], int(sys.argv[2]))
    except CannotListen as error:
        sys.exit(str(error))
