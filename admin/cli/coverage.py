"""``acquire coverage``: counts what recorded games have exercised."""

import sys

import click

from ...protocol.commands import DeclaredCommand, argument, option, option_group
from .console import echo_json
from .options import AnyPath


@option_group
class CoverageOptions:
    """Show which rules some recorded games have exercised.

    For each row of docs/reference/rulebooks.md, counts the games in which what it says has
    happened, or, of a row that forbids a placement, in which the player to move had such a tile.
    `-` is a row that no game has exercised. Below are the endings and the reasons of ejections.

    \b
        acquire coverage matches/*.xml

    Exit codes: 0 counted; 1 a log diverges from the rules and is counted as far as it holds; 2 a
    file is not a game log.
    """

    logs: tuple[AnyPath, ...] = argument(metavar="LOG...", required=True)
    as_json: bool = option("Write JSON.", "--json")


def run(options: CoverageOptions) -> None:
    """Count, and exit with 1 if a log diverges."""
    from ..advising.coverage.coverage import count_games, draw_counts
    from .safe_console import SafeConsole

    counted = count_games(options.logs)
    if options.as_json:
        echo_json(counted)
    else:
        SafeConsole().print(draw_counts(counted))
    for name, divergence in counted["diverged"].items():
        click.echo(f"{name} diverges, and is counted as far as it holds: {divergence}", err=True)
    sys.exit(1 if counted["diverged"] else 0)


coverage = DeclaredCommand("coverage", CoverageOptions, "coverage:run")
