"""A visitor of an application without a socket, and a site with its feed in one process."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import trio
from starlette.types import ASGIApp
from trio.testing import wait_all_tasks_blocked

from acquire.admin.pages.web.serving import Feed
from acquire.admin.pages.web.site import Site


@contextmanager
def fed() -> Iterator[tuple[Feed, Site, Callable[[], None]]]:
    """A feed, the site at its other end, and what lets the site take all that was sent."""
    read_end, write_end = os.pipe()
    site = Site()
    try:
        yield Feed(write_end), site, lambda: site.take(os.read(read_end, 1 << 20))
    finally:
        os.close(write_end)
        os.close(read_end)


class Answer(NamedTuple):
    """An answer; of a stream, what was sent at once."""

    status: int
    head: bytes
    body: bytes


async def visit(
    app: ASGIApp, path: str, body: bytes | None = None, *, stays: bool = False
) -> Answer:
    """Ask for a page, or post JSON; a stream is left at once unless the visitor stays."""
    sent: list[Any] = []
    begun = trio.Event()
    scope = {
        **{"type": "http", "http_version": "1.1", "path": path, "raw_path": path.encode()},
        **{"method": "GET" if body is None else "POST", "query_string": b"", "root_path": ""},
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
    }
    received = iter([{"type": "http.request", "body": body or b""}])

    async def receive() -> dict[str, Any]:
        return next(received, None) or await trio.sleep_forever()

    async def send(message: Any) -> None:
        sent.append(message)
        if b"event-stream" in dict(sent[0]["headers"])[b"content-type"]:
            begun.set()

    async def ask() -> None:
        await app(scope, receive, send)
        begun.set()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await begun.wait()
        if not stays:
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    head = b"".join(name + b": " + value + b"\n" for name, value in sent[0]["headers"])
    return Answer(sent[0]["status"], head, b"".join(each.get("body", b"") for each in sent))
