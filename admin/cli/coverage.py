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
    from ..advising.coverage.coverage import Coverage
    from ..refereeing.log.reader import read
    from ..refereeing.log.verifier import Verifier
    from ..refereeing.play.events import Event
    from .safe_console import SafeConsole

    found = Coverage()
    diverged = {}
    for path in options.logs:
        record = read(path)
        game: list[Event] = []
        divergence = Verifier(record, game.append).verify().divergence
        found.add(record.header.rulebook, len(record.header.seats), game)
        if divergence is not None:
            diverged[str(path)] = divergence
    if options.as_json:
        echo_json(found.fields() | {"diverged": diverged})
    else:
        SafeConsole().print(found.draw())
    for name, divergence in diverged.items():
        click.echo(f"{name} diverges, and is counted as far as it holds: {divergence}", err=True)
    sys.exit(1 if diverged else 0)


coverage = DeclaredCommand("coverage", CoverageOptions, "coverage:run")
