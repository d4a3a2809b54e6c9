"""``acquire shrink``: the options. :mod:`acquire.admin.cli.rerun_run` cuts the game."""

from .declared import DeclaredCommand, option, option_group
from .options import File, PlayerOptions, RecordedOptions


@option_group
class ShrinkOptions:
    """Cut a game to the fewest turns that still get the player ejected.

    The game is played against the player as by `acquire rerun`. If it is ejected, turns are left
    out as long as it is still ejected for the same reason. The result is saved as a game log:
    `acquire explain` explains it, and `acquire check --case` plays it against the player again.

    \b
        acquire shrink game.xml --seat alice -- python3 player.py {host} {port} {name}
        acquire shrink game.xml --seat alice -- mine.py:Mine
        acquire explain game-shrunk.xml
        acquire check --case game-shrunk.xml -- python3 player.py {host} {port} {name}

    Exit codes: 0 shrunk and saved; 1 the player was not ejected, or did not connect; 2 it could not
    begin, or the result could not be saved; 130 and 143 stopped by SIGINT and SIGTERM, after saving
    the shortest result so far.
    """

    recorded: RecordedOptions
    out: File | None = option(
        "Where to save the result, a game log.  [default: the log's name with -shrunk]"
    )
    player: PlayerOptions


shrink = DeclaredCommand("shrink", ShrinkOptions, "rerun_run:shrink")
