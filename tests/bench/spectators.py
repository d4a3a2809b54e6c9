"""What spectators cost the process that referees, and how soon they are told.

``python -m bench.spectators`` prints it. Three servers play the same scripted game in turn: one
without pages, one whose pages nobody looks at, one with a crowd that reads every step, some of
whom may be deaf. Players answer ``PACE`` seconds after they are asked for a turn. Where there are
two cores the pages and the crowd have the other one.
"""

import os
import select
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

import trio

from acquire.admin.pages.web.serving import run_with_feed, served
from acquire.admin.pages.web.table_publisher import SpectatorPublisher
from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.table.server import Server, Settings
from acquire.admin.refereeing.table.server_events import (
    GameAbandoned,
    Happened,
    Listening,
    ServerEvent,
    ServerObserver,
    to_each,
)
from bench.rows import Figure, Row
from bench.script import Peer, Script, script, sit
from bench.servers import FORK, forked, pin, port_of, settings_for

SEED = 2013
SPECTATORS = 500
PACE = 0.01
ROUNDS = 9


class Cost(NamedTuple):
    """Microseconds a turn: CPU of the referee's process and of that of the pages; by a clock."""

    referee: float
    pages: float
    clock: float


class Watch(NamedTuple):
    """What a crowd saw of a game: seconds from each turn to each reader, and how many it missed.

    ``memory`` is what the process of the pages held at most so far, in bytes.
    """

    delays: list[float]
    missed: int
    memory: int


# -- the server ------------------------------------------------------------------------------------


class Telling:
    """Tells where it listens, and writes down when each turn began."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.turns: dict[int, float] = {}

    def __call__(self, event: ServerEvent) -> None:
        match event:
            case Listening():
                self._pipe.send(port_of(event))
            case Happened(_, events.TurnBegan(turn)):
                self.turns[turn] = time.monotonic()
            case Happened(_, events.Ended()):
                self._pipe.send(self.turns)
                self.turns = {}
            case GameAbandoned(number, why):
                raise AssertionError(f"game {number}: {why}")


def serve(pipe: Connection, settings: Settings, observe: ServerObserver, web: bool) -> None:
    """Referee games; send the pages' port (0: none) before ours, which ``observe`` has to send."""
    with ExitStack() as stack:
        if web:
            spread()
            pages = stack.enter_context(served("127.0.0.1", 0))
            observe = to_each(observe, SpectatorPublisher(pages.feed, "bench"))
        pipe.send(int(pages.address.rpartition(":")[2].rstrip("/")) if web else 0)
        pin()
        run = Server(settings, observe).run
        trio.run(partial(run_with_feed, run, pages.feed) if web else run)


def _serve(pipe: Connection, games: int, web: bool) -> None:
    """Referee ``games`` games; send the turns of each."""
    with tempfile.TemporaryDirectory() as folder:
        serve(pipe, settings_for(folder, games, SEED), Telling(pipe), web)


def spread() -> None:
    """Run on the cores that the referee does not have, if there are any."""
    if hasattr(os, "sched_setaffinity"):
        cores = set(range(os.cpu_count() or 1))
        os.sched_setaffinity(0, cores - {0} or cores)


class Serving:
    """A running server in a process of its own, whose games are played one by one."""

    def __init__(self, process: BaseProcess, pipe: Connection) -> None:
        self._pipe = pipe
        self.web: int = pipe.recv()
        self._port: int = pipe.recv()
        assert process.pid is not None
        self._pid = process.pid
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        self._pages = int(children[0]) if self.web else None

    def sit(self, script: Script) -> list[Peer]:
        """Sign players up for the next game, which begins."""
        return sit(("127.0.0.1", self._port), script)

    def measure(self, players: Sequence[Peer], script: Script) -> tuple[Cost, dict[int, float]]:
        """Play a game; return what it cost, and when each turn began."""
        before = self._seconds()
        play(players, script)
        turns: dict[int, float] = self._pipe.recv()
        after = self._seconds()
        scale = 1e6 / len(turns)
        return Cost(*((now - then) * scale for then, now in zip(before, after, strict=True))), turns

    def _seconds(self) -> tuple[float, float, float]:
        pages = cpu_seconds(self._pages) if self._pages else 0.0
        return cpu_seconds(self._pid), pages, time.monotonic()

    @property
    def memory(self) -> int:
        """The most that the process of the pages has held so far, in bytes; 0 after its end."""
        status = Path(f"/proc/{self._pages}/status").read_text()
        found = [line for line in status.splitlines() if line.startswith("VmHWM")]
        return int(found[0].split()[1]) * 1024 if found else 0


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of another process, user's and system's, to the microsecond."""
    return time.clock_gettime(~pid << 3 | 2)  # the number of its clock, of clock_getcpuclockid(3)


@contextmanager
def serving(games: int, *, web: bool) -> Iterator[Serving]:
    """Run a server for ``games`` games, all of which have to be played."""
    ours, theirs = FORK.Pipe()
    with forked(_serve, theirs, games, web) as process:
        theirs.close()
        yield Serving(process, ours)
        process.join(10)
        assert process.exitcode == 0, process.exitcode


def play(peers: Sequence[Peer], script: Script) -> None:
    """Answer everything, after a while where a turn is asked for, and leave."""
    for exchange in script.exchanges:
        if exchange.question.startswith(b"<turn"):
            time.sleep(PACE)
        peers[exchange.seat].answer()
    for peer in peers:
        peer.socket.close()


# -- the crowd -------------------------------------------------------------------------------------


class _Reader:
    """One who reads a game to its end, and writes down when each turn came."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.seen: list[float] = []
        """When each turn came, from the first on."""
        self._rest = b""

    def read(self) -> bool:
        """Read what has come; false after the end."""
        data = self.connection.recv(1 << 20)
        told, now = self._rest + data, time.monotonic()
        self._rest = told[-20:]
        place = told.rfind(b'"turn":')
        digits = told[place + 7 : place + 11].partition(b",")[0]
        if place >= 0 and digits.isdigit():
            self.seen += [now] * (int(digits) - len(self.seen))
        return bool(data) and not told.endswith(LAST_CHUNK)


ATTEMPTS = 1000
"""How often a spectator asks for a game."""
LAST_CHUNK = b"\r\n0\r\n\r\n"


def _connect(port: int, game: int, deaf: bool) -> socket.socket:
    """Ask for a game that is about to begin, until it is there."""
    for _ in range(ATTEMPTS):
        connection = socket.socket()
        if deaf:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        connection.connect(("127.0.0.1", port))
        path = f"/match/{game}/events"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        if deaf or b" 200 " in connection.recv(15, socket.MSG_PEEK):
            return connection
        connection.close()
        time.sleep(0.01)
    raise AssertionError(f"game {game} is not shown")


def _watch(pipe: Connection, port: int, deaf: int) -> None:
    """Be a crowd for one game after the other, whose numbers come."""
    spread()
    while True:
        game = pipe.recv()
        readers = [_Reader(_connect(port, game, False)) for _ in range(SPECTATORS)]
        others = [_connect(port, game, True) for _ in range(deaf)]
        pipe.send(len(readers))
        _read_all(readers)
        pipe.send([reader.seen for reader in readers])
        for connection in others:
            connection.close()


def _read_all(readers: Sequence[_Reader]) -> None:
    poll = select.epoll()
    left = {reader.connection.fileno(): reader for reader in readers}
    for descriptor in left:
        poll.register(descriptor, select.EPOLLIN)
    while left:
        for descriptor, _ in poll.poll():
            if not left[descriptor].read():
                poll.unregister(descriptor)
                left.pop(descriptor).connection.close()


class Crowd:
    """Spectators in a process of their own."""

    def __init__(self, server: Serving, pipe: Connection) -> None:
        self._server, self._pipe = server, pipe

    def come(self, game: int) -> None:
        """Come to look at a game that has begun, all of them."""
        self._pipe.send(game)
        self._pipe.recv()

    def saw(self, turns: dict[int, float]) -> Watch:
        """Return what they saw of the turns of a game that is over."""
        seen: list[list[float]] = self._pipe.recv()
        delays = [now - turns[turn] for each in seen for turn, now in enumerate(each, start=1)]
        return Watch(delays, len(turns) * len(seen) - len(delays), self._server.memory)


@contextmanager
def watching(server: Serving, deaf: int) -> Iterator[Crowd]:
    """Have a crowd, some of whom are deaf, as long as the block."""
    ours, theirs = FORK.Pipe()
    with forked(_watch, theirs, server.web, deaf):
        yield Crowd(server, ours)


# -- what is measured ------------------------------------------------------------------------------


class Found(NamedTuple):
    """Costs of each game without pages, with pages, with a crowd; and what the crowd saw."""

    bare: list[Cost]
    unseen: list[Cost]
    crowded: list[Cost]
    watches: list[Watch]


def measure(rounds: int, deaf: int = 0) -> Found:
    """Play ``rounds`` games on each server, in turn."""
    found = Found([], [], [], [])
    with (
        serving(rounds, web=False) as bare,
        serving(rounds, web=True) as unseen,
        serving(rounds, web=True) as crowded,
        watching(crowded, deaf) as crowd,
    ):
        for number in range(1, rounds + 1):
            game = script(SEED, number)
            for server, costs in ((bare, found.bare), (unseen, found.unseen)):
                costs.append(server.measure(server.sit(game), game)[0])
            players = crowded.sit(game)
            crowd.come(number)
            cost, turns = crowded.measure(players, game)
            found.crowded.append(cost)
            found.watches.append(crowd.saw(turns))
    return found


def ratio(ours: Sequence[Cost], theirs: Sequence[Cost]) -> float:
    """Return the median of the ratios of the referee's CPU, game by game."""
    pairs = zip(ours, theirs, strict=True)
    return statistics.median(one.referee / other.referee for one, other in pairs)


def median(costs: Sequence[Cost]) -> Cost:
    """Return the median of each cost."""
    return Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))


def _row(quick: bool) -> Figure:
    found = measure(3 if quick else ROUNDS)
    costs = [f"{median(costs).referee:.3g} us" for costs in (found.crowded, found.bare)]
    return Figure(ratio(found.crowded, found.bare), *costs)


ROWS = (
    Row(
        "spectators", f"CPU a turn: referee with {SPECTATORS} spectators / without pages", 1.1, _row
    ),
)


def main() -> None:
    """Measure, and print it in words."""
    deaf = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    found = measure(ROUNDS, deaf)
    print(f"{SPECTATORS} spectators, {deaf} deaf; microseconds a turn, medians of {ROUNDS} games")
    told = {"no pages": found.bare, "pages": found.unseen, "pages, crowd": found.crowded}
    for what, costs in told.items():
        cost = median(costs)
        print(
            f"{what:12}  referee's CPU {cost.referee:5.0f} ({ratio(costs, found.bare):.2f})  "
            f"pages' CPU {cost.pages:5.0f}  by the clock {cost.clock:6.0f}"
        )
    delays = sorted(delay for watch in found.watches for delay in watch.delays)
    print(
        f"from a turn to a spectator: median {statistics.median(delays) * 1e3:.0f} ms, 95 of 100 "
        f"within {delays[len(delays) * 95 // 100] * 1e3:.0f} ms; "
        f"missed {sum(watch.missed for watch in found.watches)}"
    )
    most = max(watch.memory for watch in found.watches)
    print(f"memory of the pages' process at most: {most / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
