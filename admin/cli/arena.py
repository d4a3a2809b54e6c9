"""``acquire arena``: the options. :mod:`acquire.admin.cli.arena_run` plays the match."""

from ...protocol.commands import DeclaredCommand, option, option_group
from ...protocol.plugins import require
from . import options
from .console import refuse_on_windows


@option_group
class ArenaOptions:
    """Play one game, watch it in a browser, and read why each player lost.

    \b
        acquire arena my-player investor random
        acquire arena my-player your-player
        acquire arena "python3 player.py {host} {port} {name}" mine.py:Mine

    Each player is a folder as it is handed in (with a player.toml, or a player.py, player.js or
    Player.java), a class in a file, a built-in player (`acquire play --list`), or a command. If
    there are fewer than the rulebook needs, the others take several seats.

    You see the board while they play, all hands open. Afterwards you read of each player why it did
    not win: what it was ejected for, or what the winner had more. The folder of the game has its
    log, and a page that shows every step.

    In bubblewrap a folder plays in a copy of itself, and sees nothing else. A command runs in the
    current folder, and sees it without the other players' files and what is private there.

    Exit codes: 0 the game was played to its end by all; 1 a player was ejected, or the game could
    not be judged; 2 it could not begin; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM: the
    log goes as far as the game did.
    """

    contest: options.ContestOptions
    rulebook: options.NamedRulebook = options.rulebook_option()
    seats: options.TableSize | None = option(
        "Seats at the table.  [default: one for each player, or as few as the rulebook has]"
    )
    seed: options.Seed | None = option("Deal the tiles of this seed, to repeat a game.")
    no_browser: bool = option("Print the address of the board, and open no browser.")
    log_dir: options.Folder | None = option(
        "Folder for this game alone.  [default: a new one in arena/]"
    )
    programs: options.KeptInOptions


def _verify_possible() -> None:
    refuse_on_windows("A game of programs", "Here, `acquire serve` and `acquire play` play one.")
    require("tournament")


arena = DeclaredCommand("arena", ArenaOptions, "arena_run:run", verify=_verify_possible)
