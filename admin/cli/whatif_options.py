"""The options of ``acquire replay`` with which a game is played on."""

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from .options import (
    LIMIT_OPTIONS,
    StrategyName,
    connect_timeout_option,
    reply_timeout_option,
    seed_option,
    turn_timeout_option,
)
from .player_options import CONNECT_TIMEOUT, LIMITS

GAMES, PROGRAM_GAMES = 200, 20
"""The default number of games with a built-in player, and with a program."""
DEFAULT_STRATEGY = "investor"

_OPTIONS = (
    click.option(
        "--from",
        "first",
        type=click.IntRange(1),
        metavar="TURN",
        help="Play on from this turn, many times, with everything that was hidden redealt.",
    ),
    click.option(
        "--seat",
        "seats",
        multiple=True,
        metavar="NAME=WHO",
        help="With --from: who takes a seat: a strategy (also FILE.py:CLASS), `recorded` for the "
        "recorded move, or a COMMAND that starts a player. Repeatable: each is compared with the "
        "first.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1),
        metavar="N",
        help=f"With --from: games to play.  [default: {GAMES}; {PROGRAM_GAMES} with a COMMAND]  "
        "With --analyse: games for each option.  [default: 16]",
    ),
    click.option(
        "--others",
        type=StrategyName(),
        default=DEFAULT_STRATEGY,
        show_default=True,
        help="With --from: strategy for the opponents that were programs in the game.",
    ),
    seed_option("With --from or --analyse: random seed of the games.  [default: the log's]"),
    click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="With --from or --analyse: print the results as JSON.",
    ),
    connect_timeout_option(
        f"Seconds that a COMMAND has to connect.  [default: {CONNECT_TIMEOUT:g}]"
    ),
    reply_timeout_option("a COMMAND"),
    turn_timeout_option("a COMMAND"),
    *LIMIT_OPTIONS,
)
PROGRAM_OPTIONS = ("connect_timeout", *LIMITS, "reply_timeout", "turn_timeout")
SHARED = ("games", "seed", "as_json")
"""The options that --analyse has, too."""
NAMES = ("first", "seats", "games", "others", "seed", "as_json", *PROGRAM_OPTIONS)


def whatif_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options with which a game is played on."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(context: click.Context) -> list[str]:
    """Return the names of the options on the command line."""
    return [
        parameter.name
        for parameter in context.command.params
        if parameter.name is not None
        and isinstance(parameter, click.Option)
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]


def plays_on(context: click.Context) -> bool:
    """Whether one of these options is given; ``UsageError`` if they do not fit together."""
    on_command_line = given(context)
    others = SHARED if "analyse" in on_command_line else ()
    mine = [name for name in on_command_line if name in NAMES and name not in others]
    if not mine:
        return False
    option = {each.name: each.opts[0] for each in context.command.params}
    for name in on_command_line:
        if name not in NAMES:
            raise click.UsageError(
                f"{option[name]} shows the recorded game, {option[mine[0]]} plays it on. Give "
                "only one of them."
            )
    for needed, what in (("first", "a turn"), ("seats", "who takes a seat")):
        if needed not in on_command_line:
            raise click.UsageError(
                f"{option[mine[0]]} needs {option[needed]}: {what}. For example:\n"
                "  --from 57 --seat alice=investor --seat alice=recorded"
            )
    return True
