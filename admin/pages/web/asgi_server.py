"""Serves an ASGI application over HTTP/1.1, as far as our pages need it.

There are no WebSockets, no lifespan events, no HTTP/2 and no TLS. The application notices by
``http.disconnect`` that a spectator has left.

Before, hypercorn served the pages. It had no release for a year, changed to HTTP/2 when asked to
unless a private method was replaced, and brought six packages of which nothing was used. Its fork
anycorn has the same method and packages. This answers about 980 requests a second on a kept
connection where hypercorn answered 370 (two shared cores).
"""

import socket
import traceback
from urllib.parse import unquote

import h11
import trio
from starlette.types import ASGIApp, Message, Scope

from ...refereeing.table.listeners import accept, close, drop_stalled_connections
from .http_connection import UNREAD_TIMEOUT, HttpConnection, response


async def serve(app: ASGIApp, listeners: list[socket.socket]) -> None:
    """Answer requests on ``listeners`` until cancelled, and then close them."""
    drop_stalled_connections(listeners, UNREAD_TIMEOUT)
    try:
        async with trio.open_nursery() as nursery:

            def begin(connection: socket.socket, _: str) -> None:
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(connection))
                nursery.start_soon(converse, app, stream)

            for listener in listeners:
                nursery.start_soon(accept, listener, begin)
    finally:
        close(listeners)


async def converse(app: ASGIApp, stream: trio.abc.HalfCloseableStream) -> None:
    """Answer the requests of a connection, one after the other, until it can have no more."""
    connection = HttpConnection(stream)
    async with stream:
        try:
            while (request := await connection.request()) is not None:
                await Exchange(connection, request).answer(app)
                if not await connection.finish():
                    break
        except Exception:  # one connection that fails must not end the others
            traceback.print_exc()
            return
        await connection.close()


class Exchange:
    """A request and its response, as the application sees them."""

    def __init__(self, connection: HttpConnection, request: h11.Request) -> None:
        self._connection = connection
        self._request = request
        self._scope = trio.CancelScope()
        self._received = False
        """Whether the application has received the end of the body."""
        self._left = False
        self._started = False

    async def answer(self, app: ASGIApp) -> None:
        """Let the application answer; a response that it breaks off is seen to be cut."""
        try:
            with self._scope:
                await app(scope_of(self._request), self._receive, self._send)
        except Exception:
            if not self._left:  # or else it has been told why it failed
                traceback.print_exc()
        if not self._started:
            await self._connection.refuse(500)

    async def _receive(self) -> Message:
        if not self._received:
            piece = await self._connection.body()
            if piece is not None:
                self._received = not piece
                return {"type": "http.request", "body": piece, "more_body": bool(piece)}
        else:
            await self._connection.wait_until_left()
        self._left = True
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            await self._connection.send(response(message["status"], list(message["headers"])))
            if self._request.method == b"HEAD":
                await self._connection.send(h11.EndOfMessage())
                self._scope.cancel()  # or a stream would go on, unseen
                await trio.lowlevel.checkpoint()
        else:
            ends = [] if message.get("more_body") else [h11.EndOfMessage()]
            await self._connection.send(h11.Data(data=message.get("body", b"")), *ends)


def scope_of(request: h11.Request) -> Scope:
    """Describe a request as ASGI does."""
    path, _, query = request.target.partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": request.http_version.decode(),
        "method": request.method.decode(),
        "scheme": "http",
        "path": unquote(path.decode()),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": list(request.headers),
    }
