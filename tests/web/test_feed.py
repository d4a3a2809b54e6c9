"""The pipe to the pages: messages whole and in order, and a writer that never waits."""

from __future__ import annotations

import os
from typing import Any

import pytest
import trio
import trio.testing

from acquire.admin.pages.web import serving as feeding
from acquire.admin.pages.web.serving import Feed, FeedReader, log_bytes, run_with_feed


def heard(data: bytes, size: int) -> list[dict[str, Any]]:
    """The messages read from bytes that arrive in pieces of one size."""
    reader = FeedReader()
    found = []
    for start in range(0, len(data), size):
        found += list(reader.take(data[start : start + size]))
    return found


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_messages_arrive_as_sent_however_they_are_cut(size: int) -> None:
    read_end, write_end = os.pipe()
    feed, logs = Feed(write_end), [b"<match>\n\xc3", b"\xa9\n", b""]
    feed.show(waiting=["<b>", "a\nb", "\u202e"], seats=3)
    for log in logs:
        feed.log("1", log)
    feed.send("over", match="1")
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        data = pipe.read()
    messages = heard(data, size)
    assert [message["what"] for message in messages] == ["lobby", *["log"] * 3, "over"]
    assert messages[0]["fields"]["waiting"] == ["<b>", "a\nb", "\u202e"]
    assert [*map(log_bytes, messages[1:-1])] == logs


async def test_writer_does_not_wait_for_a_reader_that_has_stopped() -> None:
    read_end, write_end = os.pipe()
    feed = Feed(write_end)
    page = b"x" * 50_000
    with trio.fail_after(5):
        for _ in range(40):  # 2 MB, and a pipe holds 64 KB
            feed.log("1", page)
    assert not feed.lost
    async with trio.open_nursery() as nursery:
        nursery.start_soon(feed.run)
        reader, count = FeedReader(), 0
        with trio.fail_after(10):
            stream = trio.lowlevel.FdStream(read_end)
            while count < 40:
                count += len(list(reader.take(bytes(await stream.receive_some(65536)))))
        nursery.cancel_scope.cancel()
    await stream.aclose()
    os.close(write_end)


@pytest.mark.parametrize("stopped", [False, True])
async def test_what_waits_at_the_end_is_still_handed_over(stopped: bool) -> None:
    read_end, write_end = os.pipe()
    feed, count = Feed(write_end), 0

    async def serve() -> None:
        for _ in range(40):  # 2 MB, and a pipe holds 64 KB
            feed.log("1", b"x" * 50_000)
        if stopped:
            serving.cancel()
            await trio.sleep_forever()

    async def hear() -> None:
        nonlocal count
        reader = FeedReader()
        async with trio.lowlevel.FdStream(read_end) as stream:
            while count < 40:
                count += len(list(reader.take(bytes(await stream.receive_some(65536)))))

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hear)
            with trio.CancelScope() as serving:
                await run_with_feed(serve, feed)
    os.close(write_end)
    assert count == 40


def test_pages_that_take_nothing_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "MAX_BYTES", 200_000)
    read_end, write_end = os.pipe()
    losses: list[str] = []
    feed = Feed(write_end, lambda: losses.append("given up"))
    for _ in range(10):
        feed.log("1", b"x" * 50_000)
    assert feed.lost
    feed.send("over", match="1")  # and nothing happens
    assert losses == ["given up"]
    os.close(read_end)
    os.close(write_end)


def test_pages_that_are_gone_are_given_up() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    feed = Feed(write_end)
    feed.show(title="x")
    assert feed.lost
    os.close(write_end)


async def test_pages_that_are_given_up_are_let_go_while_the_writer_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feeding, "MAX_BYTES", 1 << 18)
    read_end, write_end = os.pipe()

    def let_go() -> None:
        trio.lowlevel.notify_closing(write_end)
        os.close(write_end)

    feed = Feed(write_end, let_go)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(feed.run)
        feed.log("1", b"x" * (1 << 17))
        await trio.testing.wait_all_tasks_blocked()
        feed.log("1", b"x" * (1 << 18))
        assert feed.lost
        again = os.pipe()  # one of them has the number that the writer waited for
        assert write_end in again
        with trio.fail_after(5):
            await trio.lowlevel.wait_writable(again[1])
            await feed.drain()
        nursery.cancel_scope.cancel()
    for descriptor in (read_end, *again):
        os.close(descriptor)
