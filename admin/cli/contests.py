"""``acquire arena`` and ``duel``: the options; ``arena_run`` and ``duel_run`` play."""

from dataclasses import asdict
from typing import Any

import click

from ...protocol.plugins import require
from . import options
from .console import refuse_on_windows
from .declared import DeclaredCommand, argument, option, option_group


@option_group
class ContestOptions:
    """Who plays against whom: folders, classes in files, built-in players, commands."""

    mine: options.Contestant = argument()
    others: tuple[options.Contestant, ...] = argument(metavar="OTHER...", required=True)

    @property
    def all(self) -> tuple[str, ...]:
        """All of them, the first being the one in question."""
        return (self.mine, *self.others)


@option_group
class KeptInOptions:
    """How programs are timed and kept in, where all of them are started."""

    clocks: options.ClockOptions
    sandbox: str = options.sandbox_option(
        "auto", "What programs are kept in; they can read the current folder."
    )
    limits: options.LimitOptions

    @property
    def sections(self) -> tuple[dict[str, float], dict[str, Any]]:
        """The sections ``[clocks]`` and ``[limits]`` of a tournament file."""
        clocks = {"reply": self.clocks.reply_timeout}
        if self.clocks.turn_timeout is not None:
            clocks["turn"] = self.clocks.turn_timeout
        return clocks, {**asdict(self.limits), "sandbox": self.sandbox}


@option_group
class ArenaOptions:
    """Play one match, watch it in a browser, and read why each player lost.

    \b
        acquire arena my-player investor random
        acquire arena my-player your-player
        acquire arena "python3 player.py {host} {port} {name}" mine.py:Mine

    Each player is a folder as it is handed in (with a player.toml, or a player.py, player.js or
    Player.java), a class in a file, a built-in player (`acquire play --list`), or a command. If
    there are fewer than the rulebook needs, the others take several seats.

    You see the board while they play, all hands open. Afterwards you read of each player why it did
    not win: what it was ejected for, or what the winner had more. The folder of the match has its
    log, and a page that shows every step.

    Exit codes: 0 the match was played to its end by all; 1 a player was ejected, or the match could
    not be judged; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM: the log goes as
    far as the match did.
    """

    contest: ContestOptions
    rulebook: options.NamedRulebook = options.rulebook_option()
    seats: int | None = option(
        "Seats at the table.  [default: one for each player, or as few as the rulebook has]",
        type=click.IntRange(2, 6),
        metavar="N",
    )
    seed: options.Seed | None = option("Deal the tiles of this seed, to repeat a match.")
    no_browser: bool = option("Print the address of the board, and open no browser.")
    log_dir: options.Folder | None = option(
        "Folder for this match alone.  [default: a new one in arena/]"
    )
    programs: KeptInOptions


@option_group
class DuelOptions:
    """Find out whether one player is better than others.

    Play until it is decided whether MINE is better than OTHER, or than several others.

    \b
        acquire duel new.py:Mine old.py:Mine
        acquire duel "python3 new.py {host} {port} {name}" investor
        acquire duel mine.py:Mine investor ordered random

    Each is a built-in player (`acquire play --list`), a class in a file, or a command. Against one
    opponent each has half of the seats; against several, MINE has one and they share the rest
    evenly. A block of games is the same deal with the seats rotated. After every block the interval
    of the difference is computed. The question is decided when the interval excludes 0 (stronger,
    weaker), or when it lies within the margin (equal).

    The interval is valid after all blocks at once, so stopping early does no harm. By the interval
    at most 5 of 100 duels end with a wrong verdict (--error-rate), whatever the programs. A duel
    also ends after 8 games of which one side has finished none; that verdict says only this.

    A player that does not finish a game loses it; a game that the referee could not judge does not
    count.

    Exit codes: 0 MINE is stronger; 1 it is weaker; 3 they are equal within the margin; 4 the games
    ran out; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM: the result so far is
    shown, and --log-dir goes on with it.
    """

    contest: ContestOptions
    rulebook: options.NamedRulebook = options.rulebook_option()
    seats: int | None = option(
        "Players at a table.  [default: 4; against several, all of them and MINE]",
        type=click.IntRange(2, 6),
        metavar="N",
    )
    measure: str = option(
        "What is compared: points (one for each player placed behind), wins, or the share of "
        "the money at the table.",
        type=click.Choice(["points", "wins", "money"]),
        default="points",
    )
    margin: float | None = option(
        "The smallest difference worth knowing, in points per game, or in percent of wins or "
        "money.  [default: 0.05 points for each seat at the table, which is to be placed "
        "before an opponent in 55 of 100 games; 5% of wins; 1% of money]",
        type=click.FloatRange(0, min_open=True),
        metavar="D",
    )
    error_rate: float = option(
        "How likely a verdict by the interval may be wrong.",
        type=click.FloatRange(0, 0.5, min_open=True, max_open=True),
        default=0.05,
        metavar="P",
    )
    max_games: int = option(
        "Games after which it ends undecided; when a duel goes on, at least as many as before.",
        type=click.IntRange(1, 1_000_000),
        default=4000,
        metavar="N",
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
    programs: KeptInOptions


def _command(name: str, group: type, what: str, instead: str) -> DeclaredCommand:
    def verify() -> None:
        refuse_on_windows(what, instead)
        require("tournament")

    return DeclaredCommand(name, group, f"{name}_run:run", verify=verify)


arena = _command(
    "arena",
    ArenaOptions,
    "A match of programs",
    "Here, `acquire serve` and `acquire play` play one.",
)
duel = _command(
    "duel", DuelOptions, "A duel", "Here, the library plays games: `acquire.play_game`."
)
