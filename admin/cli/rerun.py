"""``acquire rerun``: the options. :mod:`acquire.admin.cli.rerun_run` replays the game."""

from .declared import DeclaredCommand, option, option_group
from .options import PlayerOptions, RecordedOptions, Turn


@option_group
class RerunOptions:
    """Replay a recorded game against a player and compare answers.

    The player that COMMAND starts takes the seat NAME. Every turn begins with the recorded
    position, and the opponents give their recorded answers. So you can meet a bug again without
    playing up to it, and see what a change to the player changes.

    \b
        acquire rerun game.xml --seat alice -- python3 player.py {host} {port} {name}
        acquire rerun game.xml --seat alice --from 57 -- ./player {host} {port} {name}
        acquire rerun game.xml --seat alice -- mine.py:Mine
        acquire rerun game.xml --seat alice --from 57 --listen 51234 --turn-timeout 3600
                                                  (and start the player in a debugger)

    Exit codes: 0 all answers and the ending are as recorded; 1 an answer or the ending differs, or
    the player did not connect; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM.
    """

    recorded: RecordedOptions
    first: Turn | None = option("Begin with this turn, from its recorded position.", "--from")
    player: PlayerOptions


rerun = DeclaredCommand("rerun", RerunOptions, "rerun_run:run")
