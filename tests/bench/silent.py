"""What a crowd of silent connections costs three honest players, in seconds by a clock.

``python -m bench.silent`` prints it. Rounds with and without the crowd take turns; in each, three
players sign up at ``acquire serve`` and play a game. The crowd opens its connections before the
players come, and keeps its end of them open. It comes from the players' own address, and shares
the machine with the server.
"""

import socket
import statistics
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.synchronize import Event
from threading import Thread
from typing import NamedTuple

import trio
from command_line import ACQUIRE
from loopback import Peer, closing_peers

from acquire.admin.refereeing.table.listeners import raise_descriptor_limit
from acquire.game.rulebooks import REVISED
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from bench.servers import FORK, forked

CROWD = 10_000
ROUNDS = 10
REST = 0.001
"""Seconds that the crowd waits when none of its connections was dropped."""


class Times(NamedTuple):
    """Seconds of each sign-up, and from each answer in a player's own turn to what follows it."""

    sign_ups: list[float]
    turnarounds: list[float]


class Crowd(NamedTuple):
    """How many connect first, how many a second from then on, and when the players come."""

    what: str
    size: int = CROWD
    rate: int = 0
    seconds_before: float = 3.0


CROWDS = (
    Crowd("nobody else", 0),
    Crowd("silent connections"),
    Crowd("and 200 more each second", rate=200),
    Crowd("that came just before", seconds_before=0.0),
)


@contextmanager
def server(folder: str) -> Iterator[int]:
    """Run a server for one game, and yield its port."""
    command = [ACQUIRE, "serve", "--json", "--port", "0", "--players", "3", "--seed", "1"]
    command += ["--reply-timeout", "60", "--turn-timeout", "60", "--log-dir", folder]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline().rpartition(":")[2].partition('"')[0])
        Thread(target=process.stdout.read, daemon=True).start()  # or it would have to wait
        yield port
    finally:
        process.kill()
        process.wait()


def besiege(port: int, size: int, rate: int, ready: Event) -> None:
    """Open ``size`` connections, tell when they are, and then replace ``rate`` a second."""
    raise_descriptor_limit()
    found: deque[socket.socket] = deque()
    for _ in range(size):
        connection = socket.create_connection(("127.0.0.1", port))
        found.append(connection)
    ready.set()
    began, opened = time.perf_counter(), 0
    while True:
        while opened < rate * (time.perf_counter() - began):
            found.popleft().close()
            connection = socket.socket()
            connection.setblocking(False)
            with suppress(BlockingIOError):
                connection.connect(("127.0.0.1", port))
            found.append(connection)
            opened += 1
        time.sleep(REST)


@contextmanager
def siege(port: int, crowd: Crowd) -> Iterator[None]:
    """Let a crowd come and stay."""
    ready = FORK.Event()
    with forked(besiege, port, crowd.size, crowd.rate, ready):
        ready.wait()
        time.sleep(crowd.seconds_before)
        yield


async def play(port: int) -> Times:
    """Sign three players up, one after another, and let them play."""
    found = Times([], [])
    async with closing_peers(), trio.open_nursery() as nursery:
        for name in ("ann", "bob", "cyd"):
            began = time.perf_counter()
            peer = await Peer.signed_up(port, name)
            found.sign_ups.append(time.perf_counter() - began)
            nursery.start_soon(play_one, peer, found)
    return found


async def play_one(peer: Peer, found: Times) -> None:
    """Play to the scores; in the own turn the server answers to this player alone."""
    strategy, sent = Ordered(REVISED, 0), None
    async with peer.stream:
        while True:
            message = await peer.next()
            assert message is not None and not isinstance(message, messages.Ejected), message
            if sent is not None and isinstance(message, messages.NewTile | messages.Players):
                found.turnarounds.append(time.perf_counter() - sent)
            answer = strategy(message)
            sent = time.perf_counter()
            await peer.say(answer)
            if isinstance(message, messages.Score):
                return


def measure(crowd: Crowd) -> Times:
    """Play one game beside a crowd."""
    with (
        tempfile.TemporaryDirectory() as folder,
        server(folder) as port,
        siege(port, crowd) if crowd.size else nullcontext(),
    ):
        return trio.run(play, port)


def percentile(seconds: Sequence[float], percent: int) -> float:
    """Return a percentile in milliseconds."""
    return statistics.quantiles(seconds, n=100, method="inclusive")[percent - 1] * 1000


def main() -> None:
    """Measure in turn, and print medians and 95th percentiles."""
    found = {crowd: Times([], []) for crowd in CROWDS}
    for _ in range(ROUNDS):
        for crowd in CROWDS:
            for all_, new in zip(found[crowd], measure(crowd), strict=True):
                all_ += new
    for crowd, times in found.items():
        for what, seconds in times._asdict().items():
            half, most = (percentile(seconds, percent) for percent in (50, 95))
            print(
                f"{crowd.size:>6} {crowd.what:<25} {what:<12} median {half:8.2f} ms, "
                f"95 % {most:8.2f} ms, of {len(seconds)}"
            )


if __name__ == "__main__":
    main()
