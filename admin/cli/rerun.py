"""The options of ``acquire rerun``, ``debug`` and ``shrink``; ``rerun_run`` does the work."""

from ...protocol.commands import DeclaredCommand, argument, option, option_group
from .options import AnyPath, ClockOptions, Count, File, Name, PlayerOptions, Turn


@option_group
class SeatOptions:
    """Which game, and whose seat."""

    log: AnyPath = argument()
    seat: Name | None = option(
        "The seat that the player takes; by default that of the only ejected player."
    )


@option_group
class RerunOptions:
    """Replay a recorded game against a player and compare answers.

    The player that COMMAND starts takes the seat NAME. Every turn begins with the recorded
    position, and the opponents give their recorded answers. So you can meet a bug again without
    playing up to it, and see what a change to the player changes.

    \b
        acquire rerun game.xml --seat ann -- ./player {host} {port} {name}
        acquire rerun game.xml --from 57 -- ./player {host} {port} {name}
        acquire rerun game.xml --seat ann -- mine.py:Mine
        acquire rerun game.xml --seat ann --from 57 --listen 51234 \\
            --turn-timeout 3600               (and start the player in a debugger)

    Exit codes: 0 all answers and the ending are as recorded; 1 an answer or the ending differs, or
    the player did not connect; 2 it could not begin; 129, 130 and 143 stopped by SIGHUP, SIGINT and
    SIGTERM.
    """

    game: SeatOptions
    clocks: ClockOptions
    first: Turn | None = option("Begin with this turn, from its recorded position.", "--from")
    player: PlayerOptions


rerun = DeclaredCommand("rerun", RerunOptions, "rerun_run:run")


@option_group
class DebugOptions:
    """Start a player at a turn of a recorded game, with all clocks stopped.

    COMMAND is started at this terminal, takes the seat NAME, and is asked first in that turn, from
    the recorded position. Nothing is timed and nothing is limited, so it may wait at breakpoints
    for as long as you like. After the turn its answers are compared with the recorded ones. To step
    back, start again with an earlier turn.

    \b
        acquire debug game.xml --turn 40 -- \\
            python3 -m pdb player.py {host} {port} {name}
        acquire debug game.xml --turn 40 -- \\
            node inspect player.js {host} {port} {name}
        acquire debug game.xml --turn 40 --whole -- ./player {host} {port} {name}

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


@option_group
class ShrinkOptions:
    """Cut a game to the fewest turns that still get the player ejected.

    The game is played against the player as by `acquire rerun`. If it is ejected, turns are left
    out as long as it still fails alike: for the same reason, and if its program ends, with the same
    last error; else with the same answer or the same probable mistake. The result is saved as a
    game log: `acquire explain` explains it, and `acquire check --case` plays it again.

    \b
        acquire shrink game.xml --seat ann -- ./player {host} {port} {name}
        acquire shrink game.xml --seat ann -- mine.py:Mine
        acquire explain game-shrunk.xml
        acquire check --case game-shrunk.xml -- ./player {host} {port} {name}

    Exit codes: 0 shrunk and saved; 1 the player was not ejected, or did not connect; 2 it could not
    begin, or the result could not be saved; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM,
    after saving the shortest result so far.
    """

    game: SeatOptions
    clocks: ClockOptions
    out: File | None = option(
        "Where to save the result, a game log.  [default: the log's name with -shrunk, in the "
        "current folder]"
    )
    player: PlayerOptions


shrink = DeclaredCommand("shrink", ShrinkOptions, "rerun_run:shrink")
