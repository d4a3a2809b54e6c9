"""A game in which a player with a bug is ejected late, and players to rerun it with."""

import tempfile
import zlib
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

import trio
from trio.testing import MockClock
from virtual_time import Players, passing

from acquire.admin.refereeing.log.reader import read_bytes
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.referee import Segment
from acquire.admin.refereeing.table.clocks import Clocks
from acquire.admin.refereeing.table.lag import Lag
from acquire.admin.testing.trial.game_history import GameHistory
from acquire.admin.testing.trial.trial import Script, Trial
from acquire.game.rulebooks import REVISED
from acquire.game.state import deal
from acquire.player.strategies.investor import Investor
from check.mistakes import MISTAKES, STARTER, module_of, playing
from check.thread_players import Play, ThreadSource

T = TypeVar("T")

SEED, LEFT_IN = 39, 61
"""With this seed, among three investors, the player merges a safe hotel in turn 61."""
NAMES = ("alice", "investor", "investor-2", "investor-3")
FIXED = STARTER.read_text()
BROKEN = next(each for each in MISTAKES if each.name == "safe-from-13").source


@cache
def player(source: str) -> Play:
    """A player by its source."""
    with tempfile.TemporaryDirectory() as folder:
        return playing(module_of(source, Path(folder), f"player_{zlib.crc32(source.encode())}"))


def in_virtual_time(main: Callable[[Players], Awaitable[T]]) -> T:
    """Run something in which players take part."""
    clock = MockClock()

    async def run() -> T:
        async with passing(clock) as players:
            return await main(players)

    return trio.run(run, clock=clock)


class FailingGame(NamedTuple):
    """The log of the game, and the game by turns."""

    log: bytes
    history: GameHistory


@cache
def failing_game() -> FailingGame:
    """Play the game."""
    start = deal(REVISED, NAMES, Dealer(SEED).bag)
    opponents = {name: lambda rulebook: Investor(rulebook, 0) for name in NAMES[1:]}
    script = Script(REVISED, NAMES, "alice", (Segment(start, None),), opponents, seed=SEED)

    async def play(players: Players) -> bytes:
        trial = Trial(script, Clocks.for_seats(4), Lag())
        async with ThreadSource(player(BROKEN), players).connect("alice") as connected:
            return (await trial.play(connected.socket, connected.peer)).log

    log, ended, _ = in_virtual_time(play).partition(b"<ended ")  # the others would play on
    assert ended
    history = GameHistory(read_bytes(STARTER, log))
    assert history.left_in == {"alice": LEFT_IN}
    return FailingGame(log, history)
