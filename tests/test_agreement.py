"""The same games, played by everything that can play one, are the same games.

Over TCP the house's own `random` players play, and the agreement is that of the match logs and of
all that each player was told.
"""

from __future__ import annotations

import random
import re
import socket
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
from drivers import Minds, Transcript, by_functions, by_referee, by_yardstick
from positions import board, crossing, mask
from positions import tiles as tiles_of

from admin.log.writer import Header, SeatRecord, open_log
from admin.match import in_process as local
from admin.match.dealer import Dealer
from admin.match.referee import Referee
from admin.table.clocks import Clocks
from admin.table.observer import ServerObserver
from admin.table.server import Server
from admin.table.settings import Settings
from game.rulebooks import REVISED
from game.state import Player, position
from game.tiles import GRID, mask_of, tiles_in
from player.program.client import Client, connect
from player.strategies.simple import Random
from protocol import messages
from protocol.messages import AdministratorMessage, PlayerMessage


def agree(begin: Callable[[], Minds]) -> Transcript:
    """Play a game in every way, and return the transcript if it is the same in all of them."""
    first = by_functions(begin())
    for driver in (by_yardstick, by_referee):
        other = driver(begin())
        for number, (mine, theirs) in enumerate(zip(first, other, strict=False)):
            assert mine == theirs, f"{begin}: fact {number} by_functions, {driver.__name__}"
        assert len(first) == len(other), f"{begin}: {driver.__name__}"
    return first


@pytest.mark.parametrize("hundred", range(10))
def test_functions_yardstick_and_referee_agree_on_1000_games(hundred: int) -> None:
    reached: set[object] = set()
    for seed in range(100 * hundred, 100 * hundred + 100):
        transcript = agree(partial(Minds, seed))
        reached |= {what for what, _ in transcript} | {transcript[-2][1]}
    assert reached >= {"placed", "kept", "ordered", "ejected", "no-placeable-tile"}


FOUR_MEET = crossing(Worldwide=4, American=4, Sackson=4, Tower=4).removesuffix("..") + "FF"
ALMOST_40 = """
    TTTTTTTTTTTT
    TTTTTTTTTTTT
    TTTTTTTTTTTT
    TT..........
    ............
    FFFFFFFFFFF.
    ............
    SS..........
"""
ALL_SEVEN = """
    AA.CC.FF.II.
    AA.CC.FF.II.
    ............
    SSS.TTT.WWW.
    ............
    oo..........
    ............
    .......o....
"""


def rare(drawing: str, first: str, bag: int, seed: int) -> Minds:
    """A game that goes on from a position that random play hardly reaches.

    The mover has the tile ``first``; the other tiles and all certificates are dealt at random, and
    as many tiles as ``bag`` are left to draw.
    """
    chance = random.Random(seed)
    laid = board(drawing)
    free = GRID & ~(laid.occupied | mask(first))
    tiles = [*tiles_of(first), *chance.sample(tiles_in(free), free.bit_count())]
    left = [25] * len(REVISED.hotels)
    players = []
    for seat, name in enumerate("abcd"[: 3 + seed % 2]):
        shares = [chance.randint(0, min(6, count)) for count in left]
        left = [count - owned for count, owned in zip(left, shares, strict=True)]
        hand = tiles[6 * seat : 6 * seat + 6]
        players.append(Player(name, chance.randrange(8_000), tuple(shares), mask_of(hand)))
    begin = 6 * len(players)
    return Minds(seed, start=position(REVISED, laid, players, tiles[begin : begin + bag]))


@pytest.mark.parametrize(
    ("drawing", "first", "bag", "expected"),
    [
        pytest.param(FOUR_MEET, "6E", 60, ("acquired", 3), id="four hotels meet"),
        pytest.param(ALMOST_40, "3D", 60, ("over", "large-hotel"), id="a hotel of 38"),
        pytest.param(ALL_SEVEN, "3F", 60, ("placed", None), id="all seven on the board"),
        pytest.param("", "5E", 5, ("over", "no-tile-to-hand-back"), id="a bag of five"),
    ],
)
def test_drivers_agree_from_rare_positions(
    drawing: str, first: str, bag: int, expected: tuple[str, object]
) -> None:
    reached: set[tuple[str, object]] = set()
    for seed in range(40):
        for what, fact in agree(partial(rare, drawing, first, bag, seed)):
            match what, fact:
                case "over", ending:
                    reached.add(("over", ending))
                case "kept", (_, [*acquired], _):
                    reached.add(("acquired", len(acquired)))
                case "placed", (tile, hotel) if tile == first:
                    reached.add(("placed", hotel))
    assert expected in reached


# -- over TCP --------------------------------------------------------------------------------------

SEED = 1
TABLES_AT_ONCE = 4
GAMES_OVER_TCP = {3: 50, 4: 30, 5: 20, 6: 20}
"""By the number of players, most of them at the tables that are the quickest."""


class Hearing(ServerObserver):
    """Hears of a server's address and of its defects."""

    def __init__(self) -> None:
        self.address = ("", 0)
        self.reachable = trio.Event()

    def listening(self, addresses: Sequence[str]) -> None:
        host, _, port = addresses[0].rpartition(":")
        self.address = (host, int(port))
        self.reachable.set()

    def abandoned(self, number: int, why: str) -> None:
        raise AssertionError(f"match {number}: {why}")


class Listening:
    """A house player of chance that remembers all that it was told."""

    def __init__(self, game: int, seat: int) -> None:
        self._strategy = Random(REVISED, 10 * game + seat)
        self.heard: list[AdministratorMessage] = []

    def __call__(self, message: AdministratorMessage) -> PlayerMessage:
        if not isinstance(message, messages.SignUp):
            self.heard.append(message)
        return self._strategy(message)


def play_here(game: int, names: Sequence[str], folder: Path) -> list[Listening]:
    """Play a match in this process, log it, and return its players."""
    dealer = Dealer(SEED, game)
    seats = tuple(SeatRecord(name, "remote") for name in names)
    header = Header(REVISED, SEED, game, dealer.bag, seats)
    log = open_log(folder, header)
    referee = Referee(REVISED, names, dealer.bag, dealer.shuffle, log)
    players = [Listening(game, seat) for seat in range(len(names))]
    local.play(referee.play(), dict(zip(names, players, strict=True)))
    log.close()
    return players


async def play_there(
    game: int, names: Sequence[str], connections: Sequence[socket.socket]
) -> list[Listening]:
    """Play a match over these connections, a client and a thread for each; return its players."""
    players = [Listening(game, seat) for seat in range(len(names))]

    async def sit(connection: socket.socket, name: str, player: Listening) -> None:
        played = await trio.to_thread.run_sync(Client(connection).play, name, lambda _: player)
        assert isinstance(played.last, messages.Score), f"{name} in match {game}: {played.last}"

    async with trio.open_nursery() as nursery:
        for seat in zip(connections, names, players, strict=True):
            nursery.start_soon(sit, *seat)
    return players


def timeless(log: Path) -> bytes:
    """A match log without the times, which depend on the clock."""
    return re.sub(rb' (latency|lag)="[0-9]+"', b"", log.read_bytes())


@pytest.mark.parametrize("players", GAMES_OVER_TCP)
async def test_matches_over_tcp_are_those_of_this_process(
    players: int, soak: bool, tmp_path: Path
) -> None:
    games = 250 if soak else GAMES_OVER_TCP[players]
    names = "abcdef"[:players]
    audience, tables = Hearing(), trio.Semaphore(TABLES_AT_ONCE)
    server = Server(
        Settings(
            rulebook=REVISED,
            host="127.0.0.1",
            port=0,
            players=players,
            games=games,
            seed=SEED,
            log_dir=tmp_path / "there",
            signup_timeout=60,
            clocks=Clocks(reply=60, turn=60),
        ),
        audience,
    )

    async def match(game: int, connections: Sequence[socket.socket]) -> None:
        there = await play_there(game, names, connections)
        tables.release()
        here = play_here(game, names, tmp_path / "here")
        for name, mine, theirs in zip(names, here, there, strict=True):
            assert mine.heard == theirs.heard, f"{name} in match {game}"

    with trio.fail_after(600):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.run)
            await audience.reachable.wait()
            for game in range(1, games + 1):
                await tables.acquire()  # the order of connecting is the order of seats and matches
                connections = [connect(*audience.address, timeout=0) for _ in names]
                nursery.start_soon(match, game, connections)
    logs = sorted((tmp_path / "here").iterdir())
    assert len(logs) == games and server.unplayed == 0
    for log in logs:
        assert timeless(log) == timeless(tmp_path / "there" / log.name), log.name
