"""A tournament of 256 players who connect, in one server: its CPU time for a turn.

All sit in a lobby and play as soon as they are called, in as many games at once as is measured.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import trio
from loopback import Peer

from acquire.admin.launching.limits import Limits
from acquire.admin.refereeing.table.server_events import Listening
from acquire.admin.tournament.arena.arena import Arena
from acquire.admin.tournament.games.result import PlayerVerdict
from acquire.admin.tournament.planning.plan import Entrant, Plan
from acquire.admin.tournament.planning.schedule import Game
from acquire.admin.tournament.planning.sections import (
    ClockSettings,
    GeneralSettings,
    LobbySettings,
    RemoteSettings,
)
from acquire.admin.tournament.run.run_events import RunEvent
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.store import Store
from acquire.game.rulebooks import REVISED
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from bench.rows import Figure, Row, compare
from bench.servers import forked, pin, port_of

PLAYERS = 256
SEATS = 4
SECRET = "nobody-knows"


def plan(folder: Path) -> Plan:
    """Return one round in which everybody has a table."""
    settings = {"format": "swiss", "rounds": 1, "seatings": "rotations", "seed": 1}
    return Plan(
        tournament=GeneralSettings.model_validate({**settings, "seats": SEATS}),
        clocks=ClockSettings(reply=60.0, turn=60.0),
        limits=Limits(),
        lobby=LobbySettings(),
        players=tuple(
            Entrant(name=f"p{number}", remote=RemoteSettings(secret=SECRET))
            for number in range(PLAYERS)
        ),
        folder=folder,
    )


class FirstGames(TournamentRun):
    """The first games of a tournament alone."""

    games = 0

    def stages(self) -> Iterator[list[Game]]:
        """Yield as many as are wanted of the first stage."""
        yield next(super().stages())[: self.games]


def serve(pipe: Connection, at_once: int, games: int) -> None:
    """Play ``games`` games, and send the CPU seconds per turn."""
    pin()

    def send_port(event: RunEvent) -> None:
        if isinstance(event, Listening):
            pipe.send(port_of(event))

    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open_to_write(Path(folder) / "crowd.sqlite") as store,
    ):
        tournament = FirstGames(plan(Path(folder)), store, send_port)
        tournament.games = games
        arena = Arena(tournament, at_once)
        began = time.process_time()
        trio.run(arena.run)
        used = time.process_time() - began
        results = tournament.results()
        verdicts = {seat.verdict for game in results for seat in game.seats}
        assert len(results) == games and verdicts == {PlayerVerdict.FINISHED}, verdicts
        pipe.send(used / sum(game.turns for game in results))


async def _play(port: int, name: str) -> None:
    """Sign up, play, and come back, until there is no game any more."""
    while True:
        try:
            peer = Peer(await trio.open_tcp_stream("127.0.0.1", port))
            async with peer.stream:
                await peer.say(messages.SignUp(f"{name}:{SECRET}"))
                if not isinstance(await peer.next(), messages.SignUp):
                    return
                strategy = Ordered(REVISED, 0)
                strategy(messages.SignUp(name))
                await peer.play(strategy)
        except (OSError, trio.BrokenResourceError, AssertionError):
            return


def _players(port: int) -> None:
    async def play_all() -> None:
        async with trio.open_nursery() as nursery:
            for number in range(PLAYERS):
                nursery.start_soon(_play, port, f"p{number}")

    trio.run(play_all)


def cpu_per_turn(at_once: int, games: int) -> float:
    """Return the server's CPU microseconds for a turn; server and players are two processes."""
    ours, theirs = multiprocessing.Pipe()
    with forked(serve, theirs, at_once, games):
        theirs.close()
        with forked(_players, ours.recv()):
            seconds: float = ours.recv()
    return seconds * 1e6


def _measure(quick: bool) -> Figure:
    games = 16 if quick else 64
    return compare(
        lambda: cpu_per_turn(64, games), lambda: cpu_per_turn(1, games), 1 if quick else 3
    )


ROWS = (
    Row(
        "crowd", "CPU a turn, 256 waiting players: 64 games at once / one at a time", 1.0, _measure
    ),
)
