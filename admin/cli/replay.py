"""``acquire replay``: the options. :mod:`acquire.admin.cli.replay_run` shows the game."""

import click

from ...protocol.commands import (
    DeclaredCommand,
    argument,
    on_command_line,
    option,
    option_group,
    parameters,
)
from . import options

GAMES, PROGRAM_GAMES = 200, 20  # default games with a built-in player, and with a program
SHARED = ("games", "seed", "as_json", "seats")  # the options that --analyse has, too


@option_group
class ProgramOptions:
    """How a COMMAND is launched, and how long it may take."""

    connect_timeout: options.Seconds | None = option(
        f"Seconds that a COMMAND has to connect.  [default: {options.CONNECT_TIMEOUT:g}]"
    )
    clocks: options.ClockOptions
    limits: options.LimitOptions


@option_group
class WhatIfOptions:
    """From which turn a game is played on, and by whom."""

    first: options.Turn | None = option(
        "Play on from this turn, many times, with everything that was hidden redealt.", "--from"
    )
    seats: tuple[str, ...] = option(
        "With --from: who takes a seat: a strategy (also FILE.py:CLASS), `recorded` for the "
        "recorded move, or a COMMAND that starts a player. Each is compared with "
        "the first. With --analyse: NAME, to analyse the decisions of this player only.",
        "--seat",
        metavar="NAME[=WHO]",
    )
    games: options.Count | None = option(
        f"With --from: games to play.  [default: {GAMES}; {PROGRAM_GAMES} with a COMMAND]  "
        "With --analyse: games for each option of a decision, at most, in each of three "
        "stages.  [default: 16]"
    )
    others: options.Strategy = option(
        "With --from: strategy for the opponents that were programs or classes in the game.",
        default="investor",
    )
    seed: options.Seed | None = option(
        "With --from or --analyse: random seed of the games.  [default: the log's]"
    )
    as_json: bool = option("With --from or --analyse: print the results as JSON.", "--json")
    program: ProgramOptions


@option_group
class ReplayOptions:
    """Show, draw or verify a game log.

    The game is replayed from the bag and the answers in the log. Without options you see the last
    position and the standings. --verify compares every recorded fact, and then says what the log
    proves and what remains the referee's testimony. A log that was cut short, for example by a
    killed referee, is read as far as it goes.

    --html writes a page for a browser; --turn shows one turn in the terminal, --step all of them.

    --analyse plays the legal options of every decision on, many times, and shows which decisions
    were costly, and where the game turned. It takes half a minute or more; Ctrl-C keeps what is
    known. With --seat NAME it values the decisions of this player only.

    --from plays the game on from a turn, many times. What the player in the seat could not know is
    dealt again at random, another player moves, and you see the scores beside the real one. All
    players given by --seat get the same deals.

    \b
        acquire replay game.xml --html game.html
        acquire replay game.xml --html game.html --analyse
        acquire replay game.xml --turn 37 --svg turn-37.svg
        acquire replay game.xml --gif merger.gif --turns 40-45
        acquire replay game.xml --png decisive.png
        acquire replay game.xml --from 57 --seat ann=investor --seat ann=recorded
        acquire replay game.xml --from 57 --seat ann=me.py:Me --seat ann=recorded
        acquire replay game.xml --from 57 --seat "ann=./player {port} {name}"

    Exit codes: 0 verified, or played; 1 the log diverges from the rules (the first divergence is
    shown), or the player of a COMMAND did not connect; 2 the file is not a game log, or the options
    cannot be met; 129, 130 and 143 stopped by SIGHUP, SIGINT and SIGTERM, after the results so far
    were shown.
    """

    log: options.AnyPath = argument()
    verify: bool = option("Verify that the recorded bag and answers give every recorded fact.")
    svg: options.File | None = option(
        "Draw the board into this file: the last position, or the one of --turn."
    )
    gif: options.File | None = option("Write a GIF of some turns, or of one, with captions.")
    turns: options.Turns | None = option("The turns of --gif, such as 40-45.")
    png: options.File | None = option(
        "Draw the moment that decided the game, and say in a sentence what it was."
    )
    html: options.File | None = option("Write one HTML file that shows the game step by step.")
    turn: options.CountFromZero | None = option("Show this turn; 0 is the set-up.")
    stepping: bool = option(
        "Step through the game with keys: each turn, and the position after it.", "--step"
    )
    analyse: bool = option(
        "Find what every decision was worth: on the page of --html, or in the terminal."
    )
    whatif: WhatIfOptions


def plays_on() -> bool:
    """Whether one of these options is given; ``UsageError`` if they do not fit together."""
    given = on_command_line()
    names = [each.name for each in parameters(WhatIfOptions)]
    others = SHARED if "analyse" in given else ()
    mine = [name for name in given if name in names and name not in others]
    if not mine:
        return False
    option = {each.name: each.opts[0] for each in click.get_current_context().command.params}
    for name in given:
        if name not in names:
            raise click.UsageError(
                f"{option[name]} shows the recorded game, {option[mine[0]]} plays it on. Give "
                "only one of them."
            )
    for needed, what in (("first", "a turn"), ("seats", "who takes a seat")):
        if needed not in given:
            raise click.UsageError(
                f"{option[mine[0]]} needs {option[needed]}: {what}. For example:\n"
                "  --from 57 --seat alice=investor --seat alice=recorded"
            )
    return True


replay = DeclaredCommand("replay", ReplayOptions, "replay_run:run")
