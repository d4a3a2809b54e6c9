"""A seat of a recorded game, which a player takes for ``acquire rerun`` and ``acquire shrink``."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click

from ..refereeing.table.clocks import Clocks
from ..refereeing.table.run import run_until_stopped
from ..refereeing.view.plain_text import printable
from ..testing.rerun import rerunning
from ..testing.trial.game_history import DivergentLog, GameHistory
from ..testing.trial.player_source import PlayerNotConnected, PlayerSource
from .chosen_player import ChosenPlayer
from .console import refuse
from .log_file import read_log
from .options import SeatOptions


@dataclass(frozen=True, slots=True)
class RecordedSeat:
    """The seat, the game, and the clocks of the player that takes the seat."""

    log: Path
    game: GameHistory
    seat: str
    clocks: Clocks

    @classmethod
    def read(cls, options: SeatOptions, at_table: Callable[[int], Clocks]) -> "RecordedSeat":
        """Read a log, and find the seat that the player takes; or refuse.

        ``at_table`` returns the clocks for this number of seats.
        """
        log, seat = options.log, options.seat
        try:
            game = GameHistory(read_log(log))
        except DivergentLog as error:
            refuse(f"{log}: {error}")
        known = ", ".join(map(repr, game.names))
        if seat is None and len(game.ejected) == 1:
            (seat,) = game.ejected
        elif seat is None:
            count = len(game.ejected)
            ejected = f"{count} players were" if count else "no player was"
            refuse(f"{log}: {ejected} ejected. Choose a seat with --seat. Players: {known}.")
        elif seat not in game.names:
            refuse(f"{log}: no player is called {seat!r}. Players: {known}.")
        return cls(log, game, seat, at_table(len(game.names)))

    @property
    def turns(self) -> Sequence[int]:
        """The turns in which the player is asked anything."""
        return self.game.turns_of(self.seat)

    async def rerun(self, turns: Sequence[int], source: PlayerSource) -> rerunning.RerunResult:
        """Play some turns against the player."""
        return await rerunning.rerun(self.game, self.seat, turns, source, self.clocks)


def run_with_source(
    recorded: RecordedSeat,
    player: ChosenPlayer,
    run: Callable[[PlayerSource], Awaitable[None]],
    *private: Path,
) -> int | None:
    """Run something that needs the player's source; return the signal that stopped it, if any.

    The player is not to see the log, nor ``private`` files.
    """
    advice = f"Connect, and sign up as {printable(recorded.seat)}."
    with player.prepared(advice, [recorded.log, *private]) as (_, open_source):

        async def main() -> None:
            async with open_source() as source:
                await run(source)

        try:
            return run_until_stopped(main)
        except PlayerNotConnected as error:
            exit_not_connected(error)


def exit_not_connected(error: PlayerNotConnected) -> NoReturn:
    """Report a player that did not connect, with its output, and exit with code 1."""
    report = error.exit_report
    output = report.output.decode(errors="replace") if report else ""
    click.echo(f"The player did not connect. {error}\n{output}".rstrip(), err=True)
    sys.exit(1)
