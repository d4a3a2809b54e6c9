"""House players of every kind play every rulebook at every size of table, over TCP.

Every match is seen to its end by all, its log verifies, and its books are right: no tile,
certificate or dollar comes from nowhere or is lost.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
from branches import branches
from ledger import Ledger

from admin.log.writer import Header
from admin.match.events import Event
from admin.table.clocks import Clocks
from admin.table.server import Audience, Match, Server, Settings
from game.rulebook import Assets, Rulebook, with_hidden_assets
from game.rulebooks import RULEBOOKS
from game.turn import Ending
from player.program.client import Client, MatchEnd, connect
from player.program.registry import BUILT_IN
from protocol import messages

AT_ONCE = 4
KINDS = list(BUILT_IN)
SEED = 7


class Books(Audience):
    """Keeps a ledger of every match."""

    def __init__(self) -> None:
        self.address = ("", 0)
        self.reachable = trio.Event()
        self.matches: list[Match] = []
        self._ledgers: dict[int, Ledger] = {}

    def listening(self, addresses: Sequence[str]) -> None:
        host, _, port = addresses[0].rpartition(":")
        self.address = (host, int(port))
        self.reachable.set()

    def begun(self, number: int, header: Header) -> None:
        self._ledgers[number] = Ledger(header.rulebook, [seat.name for seat in header.seats])

    def happened(self, number: int, event: Event) -> None:
        self._ledgers[number](event)

    def over(self, match: Match) -> None:
        self.matches.append(match)

    def broken(self, number: int, why: str) -> None:
        raise AssertionError(f"match {number}: {why}")


async def play_match(game: int, connections: Sequence[socket.socket]) -> None:
    """Play a match over these connections, each a player of another kind in a thread."""

    async def sit(seat: int, connection: socket.socket) -> None:
        kind = KINDS[(seat + game) % len(KINDS)]
        make = partial(BUILT_IN[kind], seed=10 * game + seat)
        name = f"{kind}-{seat}"
        played: MatchEnd = await trio.to_thread.run_sync(Client(connection).play, name, make)
        seen = messages.Score | messages.ScoreView
        assert isinstance(played.last, seen), f"{name} in match {game}: {played.last}"

    async with trio.open_nursery() as nursery:
        for seat, connection in enumerate(connections):
            nursery.start_soon(sit, seat, connection)


async def play_matches(rulebook: Rulebook, players: int, games: int, log_dir: Path) -> list[Match]:
    """Play so many matches at tables of that size, some side by side."""
    audience, tables = Books(), trio.Semaphore(AT_ONCE)
    settings = Settings(
        rulebook=rulebook,
        host="127.0.0.1",
        port=0,
        players=players,
        games=games,
        seed=SEED,
        log_dir=log_dir,
        signup_timeout=60,
        clocks=Clocks(reply=60, turn=60),
    )

    async def match(game: int, connections: Sequence[socket.socket]) -> None:
        await play_match(game, connections)
        tables.release()

    server = Server(settings, audience)
    with trio.fail_after(1200):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server.run)
            await audience.reachable.wait()
            for game in range(1, games + 1):
                await tables.acquire()  # the order of connecting is the order of seats and matches
                connections = [connect(*audience.address, timeout=0) for _ in range(players)]
                nursery.start_soon(match, game, connections)
    assert server.unplayed == 0
    return audience.matches


TABLES = [
    pytest.param(rulebook, players, id=f"{rulebook.id}-{players}")
    for rulebook in RULEBOOKS.values()
    for players in range(rulebook.min_players, rulebook.max_players + 1)
] + [
    pytest.param(with_hidden_assets(rulebook), 4, id=f"{rulebook.id}-4-hidden")
    for rulebook in RULEBOOKS.values()
    if rulebook.assets is Assets.OPTIONAL
]


@pytest.mark.parametrize(("rulebook", "players"), TABLES)
async def test_house_players_finish_and_the_logs_and_books_are_right(
    rulebook: Rulebook, players: int, soak: bool, tmp_path: Path
) -> None:
    games = 200 if soak else 4
    matches = await play_matches(rulebook, players, games, tmp_path)
    assert len(matches) == games
    for match in matches:
        outcome = match.outcome
        assert not outcome.ejected
        assert outcome.ending not in (Ending.INTERRUPTED, Ending.NOBODY_LEFT)
        assert [place.finished for place in outcome.standings] == [True] * players
        assert outcome.ending.value in branches(match.log)
