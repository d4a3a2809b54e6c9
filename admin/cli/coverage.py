"""``acquire coverage``: the options. :mod:`acquire.admin.cli.coverage_run` counts."""

from .declared import DeclaredCommand, argument, option, option_group
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


coverage = DeclaredCommand("coverage", CoverageOptions, "coverage_run:run")
