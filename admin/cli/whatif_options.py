"""The options of ``acquire replay`` by which a match is played on."""

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from admin.cli.options import (
    LIMIT_OPTIONS,
    StrategyName,
    patience_option,
    reply_timeout_option,
    seed_option,
    turn_timeout_option,
)
from admin.cli.player_command import PATIENCE

GAMES, VISITS = 200, 20
"""How many games are played by default with a player of the house, and with a program."""
DEFAULT = "investor"

_OPTIONS = (
    click.option(
        "--from",
        "first",
        type=click.IntRange(1),
        metavar="TURN",
        help="Play on from this turn, many times, with all that was hidden dealt anew.",
    ),
    click.option(
        "--seat",
        "seats",
        multiple=True,
        metavar="NAME=WHO",
        help="With --from: who takes a seat: a strategy, `recorded` for the move that was made, or "
        "a COMMAND that starts a player. Can be given again: each is compared with the first.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1),
        metavar="N",
        help=f"With --from: games to play.  [default: {GAMES}, and {VISITS} with a COMMAND]",
    ),
    click.option(
        "--others",
        type=StrategyName(),
        default=DEFAULT,
        show_default=True,
        help="With --from: who plays for those that cannot be asked again.",
    ),
    seed_option("With --from: seed of all chance in the games.  [default: the log's]"),
    click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="With --from: what came of it as JSON on standard output.",
    ),
    patience_option(f"Seconds that a COMMAND has to connect.  [default: {PATIENCE:g}]"),
    reply_timeout_option("a COMMAND"),
    turn_timeout_option("a COMMAND"),
    *LIMIT_OPTIONS,
)
LIMITS = ("patience", "memory", "processor", "processes", "file_size")
CLOCKS = ("reply_timeout", "turn_timeout")
NAMES = ("first", "seats", "games", "others", "seed", "as_json", *LIMITS, *CLOCKS)


def whatif_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options by which a match is played on."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(context: click.Context) -> list[str]:
    """Return the names of the parameters that the command line gives, the argument apart."""
    return [
        parameter.name
        for parameter in context.command.params
        if parameter.name is not None
        and isinstance(parameter, click.Option)
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]


def is_played_on(context: click.Context) -> bool:
    """Whether any of these options is given; ``UsageError`` where they do not go together."""
    told = given(context)
    mine = [name for name in told if name in NAMES]
    if not mine:
        return False
    option = {each.name: each.opts[0] for each in context.command.params}
    for name in told:
        if name not in NAMES:
            raise click.UsageError(
                f"{option[name]} reads the match as it was, {option[mine[0]]} plays it on. Give "
                "one of them."
            )
    for needed, why in (("first", "from which turn"), ("seats", "who takes a seat")):
        if needed not in told:
            raise click.UsageError(
                f"{option[mine[0]]} needs {option[needed]}: {why}. Give for example\n"
                "  --from 57 --seat alice=investor --seat alice=recorded"
            )
    return True
