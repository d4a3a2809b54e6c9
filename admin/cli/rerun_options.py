"""What ``acquire rerun`` and ``acquire shrink`` share: the log, the seat, the player."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from .console import refuse
from .log_file import read_log
from .options import reply_timeout_option, turn_timeout_option
from .player_options import PlayerOptions

if TYPE_CHECKING:
    from ..refereeing.table.clocks import Clocks
    from ..testing.trial.game_history import GameHistory
    from ..testing.trial.listen_source import ListenSource
    from ..testing.trial.player_source import PlayerNotConnected, PlayerSource


def rerun_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the log and the clocks."""
    for option in reversed(
        [
            click.argument("log", type=click.Path(path_type=Path)),
            click.option(
                "--seat",
                metavar="NAME",
                help="The seat that the player takes; by default that of the only ejected player.",
            ),
            reply_timeout_option("the player"),
            turn_timeout_option("the player"),
        ]
    ):
        command = option(command)
    return command


def read_recorded(log: Path, seat: str | None) -> "tuple[GameHistory, str]":
    """Read a log; return the game, and the seat that the player takes."""
    from ..testing.trial.game_history import DivergentLog, GameHistory

    try:
        recorded = GameHistory(read_log(log))
    except DivergentLog as error:
        refuse(f"{log}: {error}")
    names = recorded.names
    known = ", ".join(map(repr, names))
    if seat is None and len(recorded.ejected) == 1:
        return recorded, next(iter(recorded.ejected))
    if seat is None:
        count = len(recorded.ejected)
        ejected = f"{count} players were" if count else "no player was"
        refuse(f"{log}: {ejected} ejected. Choose a seat with --seat. Players: {known}.")
    if seat not in names:
        refuse(f"{log}: no player is called {seat!r}. Players: {known}.")
    return recorded, seat


def clocks_of(recorded: "GameHistory", reply: float, turn: float | None) -> "Clocks":
    """Return the clocks in seconds; ``turn`` may be ``None`` for the default."""
    from ..refereeing.table.clocks import Clocks

    return Clocks.for_seats(len(recorded.names), reply, turn)


def run_with_source(
    options: PlayerOptions,
    subject: str,
    run: "Callable[[PlayerSource], Awaitable[None]]",
    private: Sequence[Path],
) -> int | None:
    """Run something that needs the player's source; return the signal that stopped it, if any.

    The player is not to see ``private`` files.
    """
    from ..refereeing.table.run import run_until_stopped
    from ..refereeing.view.plain_text import printable
    from ..testing.trial.player_source import PlayerNotConnected

    def on_listening(source: "ListenSource") -> None:
        where = " and ".join(source.addresses)
        click.echo(f"Listening on {where}. Connect, and sign up as {printable(subject)}.")

    with options.prepared(on_listening, private) as (_, open_source):

        async def main() -> None:
            async with open_source() as source:
                await run(source)

        try:
            return run_until_stopped(main)
        except PlayerNotConnected as error:
            exit_not_connected(error)


def exit_not_connected(error: "PlayerNotConnected") -> NoReturn:
    """Report a player that did not connect, with its output, and exit with code 1."""
    report = error.exit_report
    output = report.output.decode(errors="replace") if report else ""
    click.echo(f"The player did not connect. {error}\n{output}".rstrip(), err=True)
    sys.exit(1)
