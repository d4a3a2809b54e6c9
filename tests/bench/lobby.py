"""A lobby of 100 live games before 500 spectators: bytes per second, and what the referee pays.

``python -m bench.lobby`` prints it. Two servers play the same games: one without pages, one with
a crowd in its lobby. A player thinks ``PACE`` seconds, so every game makes a turn in about that
time. Where there are two cores, the pages, the players and the crowd have the other one.
"""

from __future__ import annotations

import select
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import trio
from loopback import Peer

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.table.server_events import GameBegan, Happened, Listening, ServerEvent
from acquire.game.rulebooks import REVISED
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from bench.script import NAMES
from bench.servers import FORK, forked, port_of, settings_for
from bench.spectators import SEED, cpu_seconds, serve, spread

GAMES = 100
SPECTATORS = 500
PACE = 1.0
SECONDS = 15.0
"""How long is measured, once all games are live."""


class Load(NamedTuple):
    """Referee's and pages' CPU microseconds a turn, turns a second, bytes a second to each."""

    referee: float
    pages: float
    turns: float
    bytes: float


class Counting:
    """Counts games and turns for another process, and sends it the port."""

    def __init__(self, pipe: Connection, turns: Synchronized[int]) -> None:
        self._pipe = pipe
        self._turns = turns

    def __call__(self, event: ServerEvent) -> None:
        match event:
            case Listening():
                self._pipe.send(port_of(event))
            case GameBegan() | Happened(_, events.TurnBegan()):
                self._turns.value += 1


def _serve(pipe: Connection, turns: Synchronized[int], web: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        serve(pipe, settings_for(folder, GAMES, SEED), Counting(pipe, turns), web)


def _play(port: int, pipe: Connection) -> None:
    """Play all games at once; none begins in earnest before everybody sits."""
    spread()

    async def play(name: str, go: trio.Event, few: trio.Semaphore) -> None:
        strategy = Random(REVISED, hash(name))
        async with few:  # a server keeps some hundred connections that have no seat
            peer = Peer(await trio.open_tcp_stream("127.0.0.1", port))
            await peer.sign_up(name)
        await go.wait()
        strategy(messages.SignUp(name))
        while (question := await peer.next()) is not None:
            if isinstance(question, messages.Turn):
                await trio.sleep(PACE)
            await peer.say(strategy(question))

    async def play_all() -> None:
        go, few = trio.Event(), trio.Semaphore(64)
        async with trio.open_nursery() as nursery:
            for number in range(GAMES * len(NAMES)):
                nursery.start_soon(play, f"player-{number}", go, few)
            await trio.to_thread.run_sync(pipe.recv)
            go.set()

    trio.run(play_all)


def _watch(port: int, pipe: Connection, count: Synchronized[int]) -> None:
    """Look at the lobby, each spectator for itself; count the bytes."""
    spread()
    poll, crowd = select.epoll(), {}
    for _ in range(SPECTATORS):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        crowd[connection.fileno()] = connection
        poll.register(connection, select.EPOLLIN)
    pipe.send(len(crowd))
    while crowd:
        for descriptor, _ in poll.poll():
            data = crowd[descriptor].recv(1 << 20)
            count.value += len(data)
            if not data:
                poll.unregister(descriptor)
                crowd.pop(descriptor).close()


@contextmanager
def _playing(*, web: bool) -> Iterator[tuple[int, int, int | None, Synchronized[int]]]:
    """Have all games live; yield the pages' port, both processes and the counter of turns."""
    turns: Synchronized[int] = FORK.Value("q", 0)
    ours, theirs = FORK.Pipe()
    signal, signalled = FORK.Pipe()
    with ExitStack() as stack:
        server = stack.enter_context(forked(_serve, theirs, turns, web)).pid
        assert server is not None
        site, port = ours.recv(), ours.recv()
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        stack.enter_context(forked(_play, port, signalled))
        while turns.value < GAMES:
            time.sleep(0.1)
        signal.send("go")
        yield site, server, int(children[0]) if web else None, turns


def measure(*, web: bool) -> Load:
    """Measure a while of a server."""
    with _playing(web=web) as (site, server, pages, turns), ExitStack() as stack:
        count: Synchronized[int] = FORK.Value("q", 0)
        if web:
            ours, theirs = FORK.Pipe()
            stack.enter_context(forked(_watch, site, theirs, count))
            ours.recv()
            time.sleep(2)  # the lobby as it is, which everybody is sent first

        def now() -> tuple[float, float, float, float, float]:
            theirs = cpu_seconds(pages) if pages is not None else 0.0
            return time.monotonic(), cpu_seconds(server), theirs, turns.value, count.value

        before = now()
        time.sleep(SECONDS)
        clock, referee, paged, made, received = (
            after - then for after, then in zip(now(), before, strict=True)
        )
        if web:
            with urlopen(f"http://127.0.0.1:{site}/") as page:
                print(f"the page of the lobby: {len(page.read()):,} bytes")
        return Load(
            referee / made * 1e6, paged / made * 1e6, made / clock, received / clock / SPECTATORS
        )


def main() -> None:
    """Measure, and print it."""
    bare, watched = measure(web=False), measure(web=True)
    print(f"{GAMES} games live, {SPECTATORS} spectators in the lobby")
    for what, load in (("no pages", bare), ("lobby", watched)):
        print(
            f"{what:9} {load.turns:4.0f} turns a second; CPU a turn: referee {load.referee:5.0f} "
            f"us, pages {load.pages:6.0f} us; bytes a second to each spectator: {load.bytes:,.0f}"
        )


if __name__ == "__main__":
    main()
