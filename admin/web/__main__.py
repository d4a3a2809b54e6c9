"""The process of the pages: ``python -m admin.web HOST PORT``, the feed on standard input.

It ends soon after the feed does, as soon as all who look have been told.
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

LAST_WORDS = 3.0
"""Seconds, at most, in which those who look are still told how it ended."""
SENT = 0.2
"""Seconds in which what was written last is sent, and who comes late finds somebody."""
UNREAD = 30.0
"""Seconds after which a spectator who does not read is dropped."""


async def main(host: str, port: int) -> None:
    """Listen, say where, and answer until the feed has ended."""
    raise_descriptor_limit()
    listeners = listen(host, port, "Give another --web port (0 takes a free one).")
    drop_stalled_connections(listeners, UNREAD)
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
        with trio.move_on_after(LAST_WORDS):
            await site.told()
        await trio.sleep(SENT)
        os._exit(0)  # whoever does not read would hold up an end in order, and nothing is kept


if __name__ == "__main__":
    try:
        trio.run(main, sys.argv[1], int(sys.argv[2]))
    except CannotListen as error:
        sys.exit(str(error))
