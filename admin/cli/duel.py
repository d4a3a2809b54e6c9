"""``acquire duel``: the options. :mod:`acquire.admin.cli.duel_run` plays the duel."""

from typing import Annotated

import click

from ...protocol.commands import DeclaredCommand, FiniteRange, option, option_group
from ...protocol.plugins import require
from . import options
from .console import refuse_on_windows


@option_group
class DuelOptions:
    """Find out whether one player is better than others.

    Play until it is decided whether MINE is better than OTHER, or than several others.

    \b
        acquire duel new.py:Mine old.py:Mine
        acquire duel "python3 new.py {host} {port} {name}" investor
        acquire duel mine.py:Mine investor ordered random

    Each is a built-in player (`acquire play --list`), a class in a file, a folder as it is handed
    in, or a command. In bubblewrap a folder plays in a copy of itself, and sees nothing else. A
    command runs in the current folder, and sees it without the other players' files and what is
    private there.

    Against one opponent each has half of the seats; against several, MINE has one and they
    share the rest evenly. A block of games is the same deal with the seats rotated. After every
    block the interval of the difference is computed. The question is decided when the interval
    excludes 0 (stronger, weaker), or when it lies within the margin (equal).

    The interval is valid after all blocks at once, so stopping early does no harm. By the interval
    at most 5 of 100 duels end with a wrong verdict (--error-rate), whatever the programs. A duel
    also ends after 8 games of which one side has finished none; that verdict says only this.

    A player that does not finish a game loses it; a game that the referee could not judge does not
    count.

    Exit codes: 0 MINE is stronger; 1 it is weaker; 3 they are equal within the margin; 4 the games
    ran out; 2 it could not begin; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM: the
    result so far is shown, and --log-dir goes on with it.
    """

    contest: options.ContestOptions
    rulebook: options.NamedRulebook = options.rulebook_option()
    seats: options.TableSize | None = option(
        "Players at a table.  [default: 4; against several, all of them and MINE]"
    )
    measure: Annotated[str, click.Choice(["points", "wins", "money"])] = option(
        "What is compared: points (one for each player placed behind), wins, or the share of "
        "the money at the table.",
        default="points",
    )
    margin: Annotated[float, FiniteRange(0, min_open=True), "D"] | None = option(
        "The smallest difference worth knowing, in points per game, or in percent of wins or "
        "money.  [default: 0.05 points for each seat at the table, which is to be placed "
        "before an opponent in 55 of 100 games; 5% of wins; 1% of money]"
    )
    error_rate: Annotated[float, FiniteRange(0, 0.5, min_open=True, max_open=True), "P"] = option(
        "How likely a verdict by the interval may be wrong.", default=0.05
    )
    max_games: Annotated[int, click.IntRange(1, 1_000_000), "N"] = option(
        "Games after which it ends undecided; when a duel goes on, at least as many as before.",
        default=4000,
    )
    seed: options.Seed | None = option(
        "Deal the bags of this seed, to repeat a duel.  [default: a new one]"
    )
    concurrency: options.Workers | None = option("Games played at once.  [default: one per core]")
    log_dir: options.Folder | None = option(
        "Folder for all games. If it has the same duel, that goes on.  [default: a new one in "
        "duels/]"
    )
    as_json: bool = option("Print the result as JSON.", "--json")
    programs: options.KeptInOptions


def _verify_possible() -> None:
    refuse_on_windows("A duel", "Here, the library plays games: `acquire.play_game`.")
    require("tournament")


duel = DeclaredCommand("duel", DuelOptions, "duel_run:run", verify=_verify_possible)
