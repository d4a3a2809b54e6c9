"""The pipe to the pages: messages whole and in order, and a writer that never waits."""

import os

import pytest
import trio
import trio.testing

from acquire.admin.pages.web import serving as feeding
from acquire.admin.pages.web.serving import Feed, run_with_feed
from acquire.admin.pages.web.site import Site
from acquire.game.rulebooks import CLASSIC
from acquire.played_games import play_game

PAGE = b"x" * 50_000
"""Of these a pipe holds one."""


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_messages_arrive_as_sent_however_they_are_cut(size: int) -> None:
    read_end, write_end = os.pipe()
    feed, site, name = Feed(write_end), Site(), "\xe9"
    log = play_game(dict.fromkeys(("ann", name, "bob"), "random"), CLASSIC, seed=7).log
    feed.show(waiting=["<b>", "a\nb", "\u202e"], seats=3)
    feed.send("begun", match="1", title="Game 1", players=["ann", name, "bob"])
    cut = log.index("\xe9".encode()) + 1
    for piece in (log[:cut], b"", log[cut:40_000]):
        feed.log("1", piece)
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        data = pipe.read()
    for start in range(0, len(data), size):
        site.take(data[start : start + size])
    assert site.lobby.waiting == ["<b>", "a\nb", "\u202e"]
    game = site.lobby.games["1"]
    assert game.header is not None and game.header.names == ("ann", name, "bob")
    assert game.table is not None and game.table.turn > 20


async def count_messages(stream: trio.lowlevel.FdStream, count: int) -> None:
    """Read a pipe until so many messages have come."""
    while count:
        count -= bytes(await stream.receive_some(1 << 16)).count(b"\n")


async def test_writer_does_not_wait_for_a_reader_that_has_stopped() -> None:
    read_end, write_end = os.pipe()
    feed = Feed(write_end)
    with trio.fail_after(5):
        for _ in range(40):
            feed.log("1", PAGE)
    assert not feed.lost
    async with trio.open_nursery() as nursery:
        nursery.start_soon(feed.run)
        with trio.fail_after(10):
            async with trio.lowlevel.FdStream(read_end) as stream:
                await count_messages(stream, 40)
        nursery.cancel_scope.cancel()
    os.close(write_end)


@pytest.mark.parametrize("stopped", [False, True])
async def test_what_waits_at_the_end_is_still_handed_over(stopped: bool) -> None:
    read_end, write_end = os.pipe()
    feed = Feed(write_end)

    async def serve() -> None:
        for _ in range(40):
            feed.log("1", PAGE)
        if stopped:
            serving.cancel()
            await trio.sleep_forever()

    with trio.fail_after(10):
        async with trio.lowlevel.FdStream(read_end) as stream, trio.open_nursery() as nursery:
            nursery.start_soon(count_messages, stream, 40)
            with trio.CancelScope() as serving:
                await run_with_feed(serve, feed)
    os.close(write_end)


def test_pages_that_take_nothing_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "MAX_BYTES", 200_000)
    read_end, write_end = os.pipe()
    losses: list[str] = []
    feed = Feed(write_end, lambda: losses.append("given up"))
    for _ in range(10):
        feed.log("1", PAGE)
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
