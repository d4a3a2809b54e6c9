"""Requests and responses on one connection, in virtual time, and peers that keep to no limit."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import h11
import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair

from acquire.admin.pages.web.asgi_server import (
    CLOSE_TIMEOUT,
    MAX_BODY,
    MAX_HEAD,
    PIECE,
    REQUEST_TIMEOUT,
    UNREAD_TIMEOUT,
    HttpConnection,
    response,
)

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"


def connected() -> tuple[HttpConnection, trio.abc.HalfCloseableStream]:
    """A connection, and the peer's side of it."""
    ours, theirs = memory_stream_pair()
    return HttpConnection(ours), theirs


async def asked(data: bytes) -> tuple[HttpConnection, trio.abc.HalfCloseableStream]:
    """A connection of which the head of a request has been read, and the peer's side."""
    connection, peer = connected()
    await peer.send_all(data)
    assert await connection.request() is not None
    return connection, peer


async def respond(connection: HttpConnection, text: bytes = b"hello") -> None:
    """Send a whole response."""
    length = (b"content-length", b"%d" % len(text))
    await connection.send(response(200, [length]), h11.Data(data=text), h11.EndOfMessage())


async def all_of(peer: trio.abc.HalfCloseableStream) -> bytes:
    """What a peer receives until the connection is closed."""
    return b"".join([bytes(piece) async for piece in peer])


@asynccontextmanager
async def seconds(count: float) -> AsyncIterator[None]:
    """A block that takes so many virtual seconds."""
    began = trio.current_time()
    yield
    assert trio.current_time() - began == pytest.approx(count)


# -- requests --------------------------------------------------------------------------------------


async def test_head_has_to_come_in_time(autojump_clock: MockClock) -> None:
    connection, peer = connected()

    async def send_slowly() -> None:
        for byte in GET:
            await peer.send_all(bytes([byte]))
            await trio.sleep(1.0)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send_slowly)
        async with seconds(REQUEST_TIMEOUT):
            assert await connection.request() is None
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * (MAX_HEAD + PIECE), 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ],
)
async def test_what_is_no_request_is_answered_and_closed(
    data: bytes, status: int, autojump_clock: MockClock
) -> None:
    connection, peer = connected()
    await peer.send_all(data + GET)
    assert await connection.request() is None
    await connection.close()
    answer = await all_of(peer)
    assert answer.startswith(b"HTTP/1.1 %d " % status) and answer.count(b"HTTP/1.1") == 1
    assert b"connection: close\r\n" in answer.lower() and b"nosniff" in answer


# -- bodies ----------------------------------------------------------------------------------------


async def test_peer_is_told_to_go_on_with_its_body_if_it_is_wanted(
    autojump_clock: MockClock,
) -> None:
    head = (POST % 2).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
    connection, peer = await asked(head)

    async def send_body() -> None:
        assert (await peer.receive_some(9)).startswith(b"HTTP/1.1 ")
        assert (await peer.receive_some(4)).startswith(b"100 ")
        await peer.send_all(b"ab")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send_body)
        assert await connection.body() == b"ab"


async def test_body_is_limited(autojump_clock: MockClock) -> None:
    connection, peer = await asked(POST % (MAX_BODY + 1) + b"x" * (MAX_BODY + 1))
    received = 0
    while piece := await connection.body():
        received += len(piece)
    assert piece is None and received <= MAX_BODY
    await connection.close()
    assert (await all_of(peer)).startswith(b"HTTP/1.1 413 ")


async def test_largest_body_is_read(autojump_clock: MockClock) -> None:
    connection, _ = await asked(POST % MAX_BODY + b"x" * MAX_BODY)
    received = 0
    while piece := await connection.body():
        received += len(piece)
    assert piece == b"" and received == MAX_BODY


async def test_body_has_to_come_in_time(autojump_clock: MockClock) -> None:
    connection, peer = await asked(POST % 2 + b"a")
    assert await connection.body() == b"a"
    async with seconds(REQUEST_TIMEOUT):
        assert await connection.body() is None
    await connection.close()
    assert (await all_of(peer)).startswith(b"HTTP/1.1 408 ")


async def test_body_that_breaks_off_is_no_body(autojump_clock: MockClock) -> None:
    connection, peer = await asked(POST % 2 + b"a")
    await peer.send_eof()
    assert await connection.body() == b"a"
    assert await connection.body() is None
    assert await connection.body() is None


# -- responses -------------------------------------------------------------------------------------


async def test_peer_that_does_not_read_is_dropped(autojump_clock: MockClock) -> None:
    ours, peer = lockstep_stream_pair()
    connection = HttpConnection(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(peer.send_all, GET * 2)
        assert await connection.request() is not None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.wait_until_left)
        async with seconds(UNREAD_TIMEOUT):
            await respond(connection)


async def test_slow_reader_receives_all(autojump_clock: MockClock) -> None:
    ours, peer = lockstep_stream_pair()
    connection = HttpConnection(ours)
    received = bytearray()

    async def visit() -> None:
        await peer.send_all(GET)
        while len(received) < 1_000_000:
            await trio.sleep(UNREAD_TIMEOUT - 1.0)
            received.extend(await peer.receive_some(1_000_000))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(visit)
        assert await connection.request() is not None
        await respond(connection, b"x" * 1_000_000)
    assert received.endswith(b"\r\n\r\n" + b"x" * 1_000_000)


async def test_peer_is_seen_to_leave_behind_its_further_requests(autojump_clock: MockClock) -> None:
    connection, peer = await asked(GET)
    assert await connection.body() == b""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.wait_until_left)
        await peer.send_all(GET * 3)
        await trio.testing.wait_all_tasks_blocked()
        assert nursery.child_tasks
        await peer.send_eof()


async def test_peer_that_goes_on_sending_counts_as_gone(autojump_clock: MockClock) -> None:
    connection, peer = await asked(GET)
    assert await connection.body() == b""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(peer.send_all, b"x" * (2 * MAX_BODY))
        with trio.fail_after(60):
            await connection.wait_until_left()
        nursery.cancel_scope.cancel()


async def test_closing_waits_a_little_for_the_peer_to_read(autojump_clock: MockClock) -> None:
    connection, peer = await asked(GET)
    await respond(connection)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(peer.send_all, b"x" * 1_000_000)
        async with seconds(CLOSE_TIMEOUT):
            await connection.close()
    assert (await all_of(peer)).endswith(b"hello")


async def test_peer_sees_the_end_and_ends_the_closing(autojump_clock: MockClock) -> None:
    connection, peer = await asked(GET)
    await respond(connection)

    async def read_and_leave() -> None:
        assert (await all_of(peer)).endswith(b"hello")
        await peer.aclose()

    async with seconds(0.0), trio.open_nursery() as nursery:
        nursery.start_soon(read_and_leave)
        await connection.close()
