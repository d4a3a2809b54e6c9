"""``acquire debug``: the options. :mod:`acquire.admin.cli.rerun_run` starts the player."""

from .declared import DeclaredCommand, argument, option, option_group
from .options import Count, SeatOptions


@option_group
class DebugOptions:
    """Start a player at a turn of a recorded game, with all clocks stopped.

    COMMAND is started at this terminal, takes the seat NAME, and is asked first in that turn, from
    the recorded position. Nothing is timed and nothing is limited, so it may wait at breakpoints
    for as long as you like. After the turn its answers are compared with the recorded ones. To step
    back, start again with an earlier turn.

    \b
        acquire debug game.xml --turn 40 -- python3 -m pdb player.py {host} {port} {name}
        acquire debug game.xml --seat alice --turn 40 -- node inspect player.js {host} {port} {name}
        acquire debug game.xml --seat alice --turn 40 --whole -- ./player {host} {port} {name}

    For a debugger that starts the player itself: acquire rerun --from 40 --listen PORT.

    Exit codes: 0 all answers are as recorded; 1 an answer differs, or the player did not connect;
    2 it could not begin.
    """

    game: SeatOptions
    turn: Count = option(
        "The turn, of whichever player, in which the player is asked.", required=True
    )
    whole: bool = option("Replay the turns before it as well, for a player that remembers them.")
    command: tuple[str, ...] = argument()


debug = DeclaredCommand("debug", DebugOptions, "rerun_run:debug")
