"""HTTP/1.1 on one connection: requests come in, responses go out, within limits of time and size.

h11 knows the protocol; this module moves the bytes. It knows nothing of the application, which is
in :mod:`acquire.admin.pages.web.asgi_server`. A peer that breaks the protocol or a limit is
answered if it can be, and closed; that never raises an exception.
"""

from contextlib import suppress
from email.utils import formatdate

import h11
import trio
from trio.abc import HalfCloseableStream

SECURITY = [
    (b"content-security-policy", b"frame-ancestors 'self'"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]
"""Headers of every response; a page's own policy about its scripts and styles is in the page."""

MAX_HEAD = 16_384
"""Bytes of a request before its body, beyond those that came at once."""
MAX_BODY = 65_536
"""Bytes of a body; they are read even if the application does not ask for them."""
MAX_AHEAD = 65_536
"""Bytes of further requests that are kept while a stream is sent."""
REQUEST_TIMEOUT = 10.0
"""Seconds for a head, and as many for a body; a connection may be idle for so long."""
UNREAD_TIMEOUT = 30.0
"""Seconds after which a peer that reads nothing is dropped."""
HALF_CLOSED_TIMEOUT = 0.5
"""Seconds for a response to a peer that sends no more: it may have left, or it may still read."""
CLOSE_TIMEOUT = 1.0
"""Seconds for the peer to read the last response before the connection is closed."""
PIECE = 65_536
"""Bytes that are read or written at once."""

GONE = (trio.BrokenResourceError, trio.ClosedResourceError)


class HttpConnection:
    """The server's side: ``request`` and ``finish`` take turns, and ``close`` comes last."""

    def __init__(self, stream: HalfCloseableStream) -> None:
        self._stream = stream
        self._h11 = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)
        self._body = 0
        """Bytes of the request's body so far."""
        self._deadline = 0.0
        """When the request's body must be complete."""
        self._lost = False
        """Whether something could not be sent."""

    async def request(self) -> h11.Request | None:
        """Wait for the head of a request; ``None`` if there is none in time."""
        with trio.move_on_after(REQUEST_TIMEOUT):
            event = await self._event()
            if isinstance(event, h11.Request):
                self._body, self._deadline = 0, trio.current_time() + REQUEST_TIMEOUT
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
        """Wait, after the body, until the peer has left, or has sent too many further requests."""
        while len(self._h11.trailing_data[0]) <= MAX_AHEAD and (data := await self._read()):
            self._h11.receive_data(data)
        if not self._lost:
            await trio.sleep(HALF_CLOSED_TIMEOUT)

    # -- responses -------------------------------------------------------------------------------

    async def refuse(self, status: int) -> None:
        """Answer without the application, unless an answer has begun; it is the last one."""
        if self._h11.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            end = [(b"content-length", b"0"), (b"connection", b"close")]
            await self.send(response(status, end), h11.EndOfMessage())

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

    async def finish(self) -> bool:
        """Prepare for the next request after a response; return whether there can be one."""
        while self._h11.their_state is h11.SEND_BODY:
            if await self.body() is None:
                return False
        if self._lost or {self._h11.our_state, self._h11.their_state} != {h11.DONE}:
            return False
        self._h11.start_next_cycle()
        return True

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
    return h11.Response(status_code=status, headers=[*headers, date, *SECURITY])
