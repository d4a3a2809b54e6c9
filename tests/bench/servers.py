"""The two servers that are compared, each in a process of its own, and their CPU time.

``referee`` is the whole server: rules, schema, deadlines, log. ``echo`` is a bare trio server that
sends the same questions and waits for the same answers with ``SocketStream``, and does nothing
else.
"""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import trio

from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.server import Server, Settings
from acquire.admin.refereeing.table.server_events import (
    GameAbandoned,
    GameEnded,
    Listening,
    ServerEvent,
)
from acquire.game.rulebooks import REVISED
from bench.rows import Figure, Row, compare
from bench.script import NAMES, Script, play_scripts, script

CORE = 0
SEED = 2013
FORK = multiprocessing.get_context("fork")


@contextmanager
def forked(work: Callable[..., None], *arguments: object) -> Iterator[BaseProcess]:
    """Do some work in a process of its own, which ends with the block."""
    process = FORK.Process(target=work, args=arguments)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def port_of(event: Listening) -> int:
    """Return the port on which a server listens."""
    return int(event.addresses[0].rpartition(":")[2])


def pin() -> None:
    """Run on one core, where the system can be asked for that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {CORE})


def settings_for(folder: str, games: int, seed: int) -> Settings:
    """What a measured referee is asked to do; nobody is late."""
    return Settings(
        rulebook=REVISED,
        host="127.0.0.1",
        port=0,
        players=len(NAMES),
        games=games,
        seed=seed,
        log_dir=Path(folder),
        signup_timeout=300,
        clocks=Clocks(300, 300),
    )


def referee(pipe: Connection, seed: int, scripts: Sequence[Script]) -> None:
    """Serve the scripts' games, and send the CPU seconds that they took."""
    pin()

    started = 0.0

    def watch(event: ServerEvent) -> None:
        """Tell only where it listens, and note when it began; every game has to be whole."""
        nonlocal started
        match event:
            case Listening():
                started = time.process_time()
                pipe.send(port_of(event))
            case GameEnded(number, outcome=outcome):
                whole = (scripts[number - 1].turns, ())
                assert (outcome.turns, outcome.ejected) == whole, "not the game scripted"
            case GameAbandoned(number, why):
                raise AssertionError(f"game {number}: {why}")

    with tempfile.TemporaryDirectory() as folder:
        settings = settings_for(folder, len(scripts), seed)
        trio.run(Server(settings, watch).run)
        pipe.send(time.process_time() - started)


def echo(pipe: Connection, seed: int, scripts: Sequence[Script]) -> None:
    """Send the scripts' questions and await the answers, and send the CPU seconds it took."""
    pin()

    async def game(streams: list[trio.SocketStream], script: Script) -> None:
        for exchange in script.exchanges:
            stream = streams[exchange.seat]
            await stream.send_all(exchange.question)
            left = len(exchange.answer)
            while left:
                left -= len(await stream.receive_some(65536))
        for stream in streams:
            await stream.aclose()

    async def serve() -> None:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        pipe.send(listener.socket.getsockname()[1])
        async with trio.open_nursery() as nursery:
            for script in scripts:
                streams = []
                for name in NAMES:
                    stream = await listener.accept()
                    left = len(f'<signup name="{name}"/>')
                    data = bytearray()
                    while len(data) < left:
                        data += await stream.receive_some(65536)
                    await stream.send_all(data)
                    streams.append(stream)
                nursery.start_soon(game, streams, script)

    began = time.process_time()
    trio.run(serve)
    pipe.send(time.process_time() - began)


Serve = Callable[[Connection, int, Sequence[Script]], None]


def cpu_per_turn(serve: Serve, seed: int, scripts: Sequence[Script], at_once: int) -> float:
    """Return the server's CPU microseconds for a turn; the client runs in this process."""
    ours, theirs = multiprocessing.Pipe()
    with forked(serve, theirs, seed, scripts):
        theirs.close()
        port = ours.recv()
        pin()
        play_scripts(("127.0.0.1", port), scripts, at_once)
        seconds: float = ours.recv()
    return seconds / sum(script.turns for script in scripts) * 1e6


def _measure(
    ours: Serve, at_once: int, theirs: Serve, rounds: tuple[int, int], quick: bool
) -> Figure:
    scripts = [script(SEED, game) for game in range(1, (8 if quick else 32) + 1)]
    return compare(
        lambda: cpu_per_turn(ours, SEED, scripts, at_once),
        lambda: cpu_per_turn(theirs, SEED, scripts, 1),
        rounds[not quick],
    )


ROWS = (
    Row(
        "tcp",
        "CPU a turn: referee over TCP / bare trio echo of the same bytes",
        1.6,
        partial(_measure, referee, 1, echo, (3, 9)),
    ),
    Row(
        "at-once",
        "CPU a turn: 32 games at once / one at a time",
        1.0,
        partial(_measure, referee, 32, referee, (3, 9)),
    ),
)
