"""Built-in players of every kind play every rulebook at every size of table to the end.

Each game is played to its end by all, its log verifies, and its books are right: no tile,
certificate or dollar comes from nowhere or is lost.
"""

import socket
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
import trio
from branches import branches
from loopback import serving
from quick_players import QUICK

from acquire.admin.refereeing.play.outcome import Outcome
from acquire.admin.refereeing.table.server_events import GameEnded
from acquire.game.rulebook import Assets, Rulebook, with_hidden_assets
from acquire.game.rulebooks import CLASSIC, RULEBOOKS
from acquire.game.turn import Ending
from acquire.played_games import play_game
from acquire.player.program.client import Client, GameEnd, connect
from acquire.protocol import messages

AT_ONCE = 4
KINDS = list(QUICK)
SEED = 7


TABLES = [
    pytest.param(
        rulebook,
        players,
        id=f"{rulebook.id}-{players}",
        marks=() if players in (rulebook.min_players, rulebook.max_players) else pytest.mark.soak,
    )
    for rulebook in RULEBOOKS.values()
    for players in range(rulebook.min_players, rulebook.max_players + 1)
] + [
    pytest.param(with_hidden_assets(rulebook), 4, id=f"{rulebook.id}-4-hidden")
    for rulebook in RULEBOOKS.values()
    if rulebook.assets is Assets.OPTIONAL
]


def kind_of(game: int, seat: int) -> str:
    """The kind of player in a seat: another one in each game."""
    return KINDS[(seat + game) % len(KINDS)]


def assert_played_to_its_end(players: int, outcome: Outcome, log: Path) -> None:
    """Reading the log replays the game, and books what it says changes hands."""
    assert not outcome.ejected
    assert outcome.ending not in (Ending.INTERRUPTED, Ending.NOBODY_LEFT)
    assert [place.finished for place in outcome.standings] == [True] * players
    assert outcome.ending.value in branches(log)


# -- in this process ----------------------------------------------------------------------------


@pytest.mark.parametrize(("rulebook", "players"), TABLES)
def test_all_finish_and_the_log_and_its_books_are_right(
    rulebook: Rulebook, players: int, tmp_path: Path
) -> None:
    kinds = [kind_of(players, seat) for seat in range(players)]
    seats = {f"{kind}-{seat}": QUICK[kind] for seat, kind in enumerate(kinds)}
    game = play_game(seats, rulebook, SEED)
    log = tmp_path / "game.xml"
    game.save(log)
    assert_played_to_its_end(players, game.outcome, log)


# -- over TCP -----------------------------------------------------------------------------------


async def play_games(
    rulebook: Rulebook, players: int, games: int, log_dir: Path
) -> list[GameEnded]:
    """Play this many games at tables of that size, some side by side, every seat in a thread."""
    tables = trio.Semaphore(AT_ONCE)

    async def sit(game: int, seat: int, connection: socket.socket) -> None:
        kind = kind_of(game, seat)
        make = partial(QUICK[kind], seed=10 * game + seat)
        name = f"{kind}-{seat}"
        end: GameEnd = await trio.to_thread.run_sync(Client(connection).play, name, make)
        scores = messages.Score | messages.ScoreView
        assert isinstance(end.last, scores), f"{name} in game {game}: {end.last}"

    async def one(game: int, connections: Sequence[socket.socket]) -> None:
        async with trio.open_nursery() as nursery:
            for seat, connection in enumerate(connections):
                nursery.start_soon(sit, game, seat, connection)
        tables.release()

    async with (
        serving(log_dir, rulebook=rulebook, players=players, games=games, seed=SEED) as (
            _,
            witness,
        ),
        trio.open_nursery() as nursery,
    ):
        for game in range(1, games + 1):
            await tables.acquire()  # the order of connecting is the order of seats and games
            connections = [connect("127.0.0.1", witness.port, timeout=0) for _ in range(players)]
            nursery.start_soon(one, game, connections)
    assert not witness.broken_off
    return [*witness.games.values()]


SIDE_BY_SIDE = [
    pytest.param(CLASSIC, 2, 2, id="classic-2"),
    *(
        pytest.param(*table.values, 200, id=f"{table.id}-soak", marks=pytest.mark.soak)
        for table in TABLES
    ),
]


@pytest.mark.parametrize(("rulebook", "players", "games"), SIDE_BY_SIDE)
async def test_all_finish_games_side_by_side_over_tcp(
    rulebook: Rulebook, players: int, games: int, tmp_path: Path
) -> None:
    ended = await play_games(rulebook, players, games, tmp_path)
    assert len(ended) == games
    for game in ended:
        assert_played_to_its_end(players, game.outcome, game.log)
