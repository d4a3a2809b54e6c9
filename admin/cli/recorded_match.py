"""What ``acquire rerun`` and ``acquire shrink`` share: the log, the seat, the player."""

import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from admin.cli.console import refuse
from admin.cli.log_file import read_log
from admin.cli.options import reply_timeout_option, turn_timeout_option
from admin.cli.player_command import Entrance

if TYPE_CHECKING:
    from admin.table.clocks import Clocks
    from admin.trial.door import Door, Listening
    from admin.trial.recorded import Recorded


def recorded_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add what both commands are told of the log, and of the clocks."""
    for option in reversed(
        [
            click.argument("log", type=click.Path(path_type=Path)),
            click.option(
                "--seat",
                metavar="NAME",
                help="Whose seat the player takes; needed unless one alone was ejected.",
            ),
            reply_timeout_option("the player"),
            turn_timeout_option("the player"),
        ]
    ):
        command = option(command)
    return command


def read_recorded(log: Path, seat: str | None) -> "tuple[Recorded, str]":
    """Read a log, and find out whose seat is meant."""
    from admin.trial.recorded import CannotFollow, Recorded

    try:
        recorded = Recorded(read_log(log))
    except CannotFollow as error:
        refuse(f"{log}: {error}")
    names = recorded.names
    known = ", ".join(map(repr, names))
    if seat is None and len(recorded.ejected) == 1:
        return recorded, next(iter(recorded.ejected))
    if seat is None:
        how_many = "nobody was" if not recorded.ejected else f"{len(recorded.ejected)} were"
        refuse(f"{log}: {how_many} ejected; say whose seat the player takes, by --seat: {known}.")
    if seat not in names:
        refuse(f"{log}: nobody is called {seat!r}. There are: {known}.")
    return recorded, seat


def clocks_of(recorded: "Recorded", reply: float, turn: float | None) -> "Clocks":
    """Return the clocks in seconds; with the defaults for what is not given."""
    from admin.table.clocks import Clocks

    return Clocks.for_seats(len(recorded.names), reply, turn)


def with_door(
    entrance: Entrance, subject: str, run: "Callable[[Door], Awaitable[None]]"
) -> int | None:
    """Run what needs the player's door; return the signal that stopped it, if one did."""
    from admin.table.run import run_until_stopped
    from admin.trial.door import NoShow
    from admin.view.plain_text import printable

    def tell(door: "Listening") -> None:
        where = " and ".join(door.addresses)
        click.echo(f"Listening on {where}. Connect, and sign up as {printable(subject)}.")

    with entrance.opened(tell) as (_, open_door):

        async def main() -> None:
            async with open_door() as door:
                await run(door)

        try:
            stopped_by = run_until_stopped(main)
        except NoShow as absent:
            output = absent.departure.output.decode(errors="replace") if absent.departure else ""
            how = f" {absent.departure.how}" if absent.departure else ""
            click.echo(f"The player did not come. {absent}{how}\n{output}".rstrip(), err=True)
            sys.exit(1)
    return stopped_by
