"""An application that is served over HTTP: what it is told, and what becomes of its responses."""

import gzip
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import trio
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from trio.testing import MockClock, memory_stream_pair

from acquire.admin.pages.web import asgi_server
from acquire.admin.pages.web.asgi_server import converse, serve
from acquire.admin.refereeing.table.listeners import listen


class Application:
    """Routes for each way to answer; ``streams`` counts those that go on."""

    def __init__(self) -> None:
        self.streams = 0
        self.failed: list[type[Exception]] = []
        streams = {"/stream": self._whole, "/endless": self._endless, "/cut": self._cut}
        routes = [Route(path, self._stream(pieces)) for path, pieces in streams.items()]
        routes.append(Route("/text", self._text, methods=["GET", "POST"]))
        routes.append(Route("/long", self._long))
        routes.append(Route("/broken", self._broken))
        self.app = Starlette(routes=routes)

    async def _text(self, request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect as error:
            self.failed.append(type(error))
            raise
        return PlainTextResponse(f"{request.url.path}?{request.url.query} {body.decode()}")

    async def _long(self, _: Request) -> Response:
        return PlainTextResponse("long " * 1000)

    async def _broken(self, _: Request) -> Response:
        raise ValueError("broken")

    def _stream(
        self, pieces: Callable[[], AsyncIterator[bytes]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(_: Request) -> Response:
            return StreamingResponse(pieces(), media_type="text/event-stream")

        return answer

    async def _whole(self) -> AsyncIterator[bytes]:
        yield b"one"
        yield b"two"

    async def _endless(self) -> AsyncIterator[bytes]:
        self.streams += 1
        try:
            yield b"one"
            await trio.sleep_forever()
        finally:
            self.streams -= 1

    async def _cut(self) -> AsyncIterator[bytes]:
        yield b"one"
        raise ValueError("cut")


def request(path: str, method: str = "GET", *headers: str) -> bytes:
    """A request as it is sent."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: a", *headers, "", ""]).encode()


async def received(app: ASGIApp, data: bytes, *, leaves: bool = False) -> bytes:
    """All that a peer receives for what it sends, after which it may leave."""
    ours, peer = memory_stream_pair()
    await peer.send_all(data)
    if leaves:
        await peer.send_eof()
    await converse(app, ours)
    return b"".join([bytes(piece) async for piece in peer])


async def answers(app: ASGIApp, data: bytes) -> list[tuple[int, bytes]]:
    """The status and the rest of each answer to what a peer sends before it leaves."""
    first, *parts = (await received(app, data, leaves=True)).split(b"HTTP/1.1 ")
    assert first == b""
    return [(int(part[:3]), part) for part in parts]


async def test_one_request_of_a_connection_is_answered(autojump_clock: MockClock) -> None:
    data = request("/te%78t?x=1%20")
    ((status, part),) = await answers(Application().app, data + request("/none"))
    assert status == 200 and part.endswith(b"\r\n\r\n/text?x=1%20 ")
    assert b"connection: close" in part.lower()
    assert [status for status, _ in await answers(Application().app, request("/none"))] == [404]


async def test_body_is_received_whole(autojump_clock: MockClock) -> None:
    chunks = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    data = request("/text", "POST", "Transfer-Encoding: chunked") + chunks
    ((_, part),) = await answers(Application().app, data)
    assert part.endswith(b" abcde")


async def test_stream_ends_when_its_reader_leaves(autojump_clock: MockClock) -> None:
    application = Application()
    ours, peer = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(converse, application.app, ours)
        await peer.send_all(request("/endless"))
        await trio.testing.wait_all_tasks_blocked()
        assert application.streams == 1 and nursery.child_tasks
        await peer.aclose()
    assert application.streams == 0


async def test_peer_that_sends_no_more_is_still_sent_what_is_ready(
    autojump_clock: MockClock,
) -> None:
    for _ in range(20):  # tasks run in random order
        ((status, part),) = await answers(Application().app, request("/stream"))
        assert status == 200
        assert part.endswith(b"\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")


@pytest.mark.parametrize("path", ["/text", "/endless"])
async def test_head_has_no_body_and_ends(path: str, autojump_clock: MockClock) -> None:
    application = Application()
    ((status, part),) = await answers(application.app, request(path, "HEAD"))
    assert status == 200 and part.endswith(b"\r\n\r\n") and b"one" not in part
    assert application.streams == 0


async def test_application_that_fails_is_answered_for(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    ((status, part),) = await answers(Application().app, request("/broken"))
    assert status == 500 and b"nosniff" in part
    assert "ValueError: broken" in capsys.readouterr().err


async def test_application_that_does_not_answer_is_answered_for(autojump_clock: MockClock) -> None:
    async def silent(scope: Scope, receive: Receive, send: Send) -> None:
        """Send nothing."""

    ((status, part),) = await answers(silent, request("/") * 2)
    assert status == 500 and b"connection: close" in part.lower()


async def test_response_that_breaks_off_does_not_look_whole(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = await received(Application().app, request("/cut") * 2)
    assert answer.endswith(b"3\r\none\r\n") and answer.count(b"HTTP/1.1") == 1
    assert "ValueError: cut" in capsys.readouterr().err


async def test_body_that_breaks_off_is_told_and_no_error_of_ours(
    autojump_clock: MockClock, capsys: pytest.CaptureFixture[str]
) -> None:
    application = Application()
    data = request("/text", "POST", "Content-Length: 9") + b"abc"
    assert [status for status, _ in await answers(application.app, data)] == [400]
    assert application.failed == [ClientDisconnect]
    assert capsys.readouterr().err == ""


async def test_request_of_http_1_0_is_answered_and_closed(autojump_clock: MockClock) -> None:
    answer = await received(Application().app, b"GET /stream HTTP/1.0\r\n\r\n")
    assert answer.endswith(b"\r\n\r\nonetwo") and b"chunked" not in answer


async def test_listeners_are_served_and_closed_at_the_end() -> None:
    listeners = listen("127.0.0.1", 0)
    address = listeners[0].getsockname()

    async def answer(path: str, accepts: str) -> tuple[bytes, bytes]:
        async with await trio.open_tcp_stream(*address) as stream:
            await stream.send_all(request(path, "GET", f"Accept-Encoding: {accepts}"))
            head, _, body = b"".join([bytes(p) async for p in stream]).partition(b"\r\n\r\n")
        return head, body

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, Application().app, listeners)
        head, body = await answer("/long", "gzip, deflate")
        assert head.startswith(b"HTTP/1.1 200 ") and b"content-encoding: gzip" in head
        assert gzip.decompress(body) == b"long " * 1000 and len(body) < 100
        for path, accepts in (("/long", "identity"), ("/text", "gzip"), ("/stream", "gzip")):
            head, _ = await answer(path, accepts)
            assert b"content-encoding" not in head, "streams and what is short is left as it is"
        nursery.cancel_scope.cancel()
    assert listeners == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address)


async def test_crowd_of_connections_makes_room_and_keeps_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asgi_server, "MAX_CONNECTIONS", 3)
    application, listeners = Application(), listen("127.0.0.1", 0)
    address = listeners[0].getsockname()

    async def watch(host: str) -> trio.SocketStream:
        stream = await trio.open_tcp_stream(*address, local_address=host)
        await stream.send_all(request("/endless"))
        assert b"200" in await stream.receive_some(13)
        return stream

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, application.app, listeners)
        spectator = await watch("127.0.0.1")
        crowd = [await watch("127.0.0.2") for _ in range(5)]
        with trio.fail_after(60):
            for dropped in crowd[:3]:
                async for _ in dropped:
                    pass  # to its end
        assert application.streams == 3
        for stream in (spectator, *crowd):
            await stream.aclose()
        nursery.cancel_scope.cancel()
