"""Serves an ASGI application over HTTP/1.1, as far as our pages need it.

There are no WebSockets, no lifespan events, no HTTP/2 and no TLS, and each connection has one
request: a page is whole, so a spectator asks for little more than a page and its stream. The
application notices by ``http.disconnect`` that a spectator has left. Pages are compressed; event
streams are not, since there can be one for each of a thousand spectators.

Before, hypercorn served the pages. It had no release for a year, changed to HTTP/2 when asked to
unless a private method was replaced, and brought six packages of which nothing was used. Its fork
anycorn has the same method and packages.

h11 knows the protocol. A peer that breaks it or a limit of time and size is answered if it can be,
and closed; that never raises an exception.
"""

import socket
import traceback
from contextlib import suppress
from email.utils import formatdate
from urllib.parse import unquote

import h11
import trio
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Scope
from trio.abc import HalfCloseableStream

from ...refereeing.table.listeners import accept, close, drop_dead_connections
from ...refereeing.table.reception import LimitedCrowd

MIN_COMPRESSED = 1000  # bytes from which a page is compressed
SECURITY = [
    (b"content-security-policy", b"frame-ancestors 'self'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
"""Headers of every response; a page's own policy about its scripts and styles is in the page."""

MAX_CONNECTIONS = 2048
"""At once. Each holds what its peer has not read yet, a page or a whole game. A browser whose
stream is dropped to make room opens another.
"""
MAX_HEAD = 16_384  # bytes of a request before its body, beyond those that came at once
MAX_BODY = 65_536  # bytes of a body, read even if the application does not ask for them
REQUEST_TIMEOUT = 10.0  # seconds for a head, and as many for a body
UNREAD_TIMEOUT = 30.0  # seconds after which a peer that reads nothing is dropped
HALF_CLOSED_TIMEOUT = 0.5  # seconds to respond to a peer that sends no more but may still read
CLOSE_TIMEOUT = 1.0  # seconds for the peer to read the last response before closing
PIECE = 65_536  # bytes that are read or written at once

GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


class HttpConnection:
    """The server's side of a connection: ``request``, ``answer`` and ``close`` come in turn."""

    def __init__(self, stream: HalfCloseableStream) -> None:
        self._stream = stream
        self._h11 = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        self._scope = trio.CancelScope()
        self._body = 0  # bytes of the request's body so far
        self._deadline = 0.0  # when the request's body must be complete
        self._received = False  # whether the application has received the end of the body
        self._left = False  # whether the application has been told that the peer has left
        self._lost = False  # whether something could not be sent

    async def request(self) -> h11.Request | None:
        """Wait for the head of a request; ``None`` if there is none in time."""
        with trio.move_on_after(REQUEST_TIMEOUT):
            event = await self._event()
            if isinstance(event, h11.Request):
                self._deadline = trio.current_time() + REQUEST_TIMEOUT
                return event
        return None

    async def body(self) -> bytes | None:
        """Wait for a piece of the body; it is empty at the end, and ``None`` if none will come."""
        if self._h11.their_state is not h11.SEND_BODY:
            return b"" if self._h11.their_state is not h11.ERROR else None
        if self._h11.they_are_waiting_for_100_continue:
            await self.send(h11.InformationalResponse(status_code=100, headers=[]))
        event: object = None
        with trio.move_on_at(self._deadline) as waiting:
            event = await self._event()
        if isinstance(event, h11.Data):
            self._body += len(event.data)
            if self._body <= MAX_BODY:
                return bytes(event.data)
            await self.refuse(413)
        elif waiting.cancelled_caught:
            await self.refuse(408)
        return b"" if isinstance(event, h11.EndOfMessage) else None

    async def _event(self) -> object:
        """Wait for what comes next; ``None`` if it is not HTTP, which is then answered."""
        try:
            while (event := self._h11.next_event()) is h11.NEED_DATA:
                self._h11.receive_data(await self._read())
        except h11.RemoteProtocolError as error:
            await self.refuse(error.error_status_hint)
            return None
        return event

    async def _read(self) -> bytes:
        with suppress(*GONE):
            return bytes(await self._stream.receive_some(PIECE))
        return b""

    async def wait_until_left(self) -> None:
        """Wait, after the body, until the peer has left, or has sent more than any body may have.

        What it sends is not read as a request.
        """
        sent = 0
        while sent <= MAX_BODY and (data := await self._read()):
            sent += len(data)
        if not self._lost:
            await trio.sleep(HALF_CLOSED_TIMEOUT)

    # -- responses -------------------------------------------------------------------------------

    async def answer(self, app: ASGIApp, request: h11.Request) -> None:
        """Let the application answer; a response that it breaks off is seen to be cut."""

        async def send(message: Message) -> None:
            await self._send(request, message)

        try:
            with self._scope:
                await app(scope_of(request), self._receive, send)
        except Exception:
            if not self._left:  # or else it has been told why it failed
                traceback.print_exc()
        await self.refuse(500)

    async def _receive(self) -> Message:
        if not self._received:
            piece = await self.body()
            if piece is not None:
                self._received = not piece
                return {"type": "http.request", "body": piece, "more_body": bool(piece)}
        else:
            await self.wait_until_left()
        self._left = True
        return {"type": "http.disconnect"}

    async def _send(self, request: h11.Request, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self.send(response(message["status"], list(message["headers"])))
            if request.method == b"HEAD":
                await self.send(h11.EndOfMessage())
                self._scope.cancel()  # or a stream would go on, unseen
                await trio.lowlevel.checkpoint()
        else:
            ends = [] if message.get("more_body", False) else [h11.EndOfMessage()]
            await self.send(h11.Data(data=message.get("body", b"")), *ends)

    async def refuse(self, status: int) -> None:
        """Answer without the application, unless an answer has begun."""
        if self._h11.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            await self.send(response(status, [(b"content-length", b"0")]), h11.EndOfMessage())

    async def send(self, *events: h11.Event) -> None:
        """Send parts of a response; to a peer that has left or does not read they are lost."""
        data = memoryview(b"".join(self._h11.send(event) or b"" for event in events))
        try:
            for start in range(0, len(data), PIECE):
                with trio.fail_after(UNREAD_TIMEOUT):
                    await self._stream.send_all(data[start : start + PIECE])
        except (trio.TooSlowError, *GONE):
            self._lost = True
            await trio.aclose_forcefully(self._stream)  # wakes who waits for the peer to leave

    async def close(self) -> None:
        """Close the connection; one with unread data would destroy what has just been sent."""
        with trio.move_on_after(CLOSE_TIMEOUT), suppress(*GONE):
            await self._stream.send_eof()
            while await self._read():
                pass
        await trio.aclose_forcefully(self._stream)


def response(status: int, headers: list[tuple[bytes, bytes]]) -> h11.Response:
    """Return the head of a response, with the headers of all of them."""
    date = (b"date", formatdate(usegmt=True).encode())
    every = [(b"connection", b"close"), date, *SECURITY]
    return h11.Response(status_code=status, headers=[*headers, *every])


async def serve(app: ASGIApp, listeners: list[socket.socket]) -> None:
    """Answer requests on ``listeners`` until cancelled, and then close them."""
    drop_dead_connections(listeners, UNREAD_TIMEOUT)
    compressed, crowd = GZipMiddleware(app, MIN_COMPRESSED), LimitedCrowd(MAX_CONNECTIONS)

    async def converse_within(scope: trio.CancelScope, stream: trio.SocketStream) -> None:
        with scope:
            await converse(compressed, stream)
        crowd.leave(scope)

    try:
        async with trio.open_nursery() as nursery:

            def begin(connection: socket.socket, address: str) -> None:
                stream = trio.SocketStream(trio.socket.from_stdlib_socket(connection))
                scope = trio.CancelScope()
                crowd.enter(scope, address, scope.cancel)
                nursery.start_soon(converse_within, scope, stream)

            for listener in listeners:
                nursery.start_soon(accept, listener, begin)
    finally:
        close(listeners)


async def converse(app: ASGIApp, stream: trio.abc.HalfCloseableStream) -> None:
    """Answer the request of a connection."""
    connection = HttpConnection(stream)
    async with stream:
        try:
            if (request := await connection.request()) is not None:
                await connection.answer(app, request)
        except Exception:  # one connection that fails must not end the others
            traceback.print_exc()
            return
        await connection.close()


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
