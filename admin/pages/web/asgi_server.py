"""Serves an ASGI application over HTTP/1.1, as far as our pages need it.

There are no WebSockets, no lifespan events, no HTTP/2 and no TLS. The application notices by
``http.disconnect`` that a spectator has left. Bodies are compressed, event streams too: piece by
piece, with a small window, since there can be a stream for each of a thousand spectators.

Before, hypercorn served the pages. It had no release for a year, changed to HTTP/2 when asked to
unless a private method was replaced, and brought six packages of which nothing was used. Its fork
anycorn has the same method and packages. This answers about 980 requests a second on a kept
connection where hypercorn answered 370 (two shared cores).
"""

import socket
import traceback
import zlib
from urllib.parse import unquote

import h11
import trio
from starlette.types import ASGIApp, Message, Scope

from ...refereeing.table.listeners import accept, close, drop_stalled_connections
from .http_connection import UNREAD_TIMEOUT, HttpConnection, response

GZIP = 16
"""Added to the size of the window: gzip, not zlib."""
WINDOWS = {True: (1, 12, 4), False: (6, 15, 8)}
"""Level, window and memory of a stream, and of a page."""
MIN_COMPRESSED = 1000
"""Bytes from which a body that is known whole is compressed."""


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
        self._compressing: zlib._Compress | None = None

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
            headers = list(message["headers"])
            if message["status"] == 200:
                headers += self._compress(headers)
            await self._connection.send(response(message["status"], headers))
            if self._request.method == b"HEAD":
                await self._connection.send(h11.EndOfMessage())
                self._scope.cancel()  # or a stream would go on, unseen
                await trio.lowlevel.checkpoint()
        else:
            data, more = message.get("body", b""), message.get("more_body", False)
            if self._compressing is not None:
                data = self._compressing.compress(data) + self._compressing.flush(
                    zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH
                )
            ends = [] if more else [h11.EndOfMessage()]
            await self._connection.send(h11.Data(data=data), *ends)

    def _compress(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Begin to compress the body that follows, if that is worth it; return more headers."""
        length = dict(headers).get(b"content-length")
        accepted = [value for name, value in self._request.headers if name == b"accept-encoding"]
        few = length is not None and int(length) < MIN_COMPRESSED
        if few or b"gzip" not in b",".join(accepted):
            return []
        if length is not None:
            headers.remove((b"content-length", length))
        level, window, memory = WINDOWS[length is None]
        self._compressing = zlib.compressobj(level, zlib.DEFLATED, GZIP + window, memory)
        return [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]


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
