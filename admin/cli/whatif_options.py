"""The options of ``acquire replay`` with which a game is played on."""

import click

from .declared import on_command_line, option, option_group, parameters
from .options import CONNECT_TIMEOUT, ClockOptions, LimitOptions, Seconds, StrategyName, seed_option

GAMES, PROGRAM_GAMES = 200, 20
"""The default number of games with a built-in player, and with a program."""
SHARED = ("games", "seed", "as_json", "seats")
"""The options that --analyse has, too."""


@option_group
class ProgramOptions:
    """How a COMMAND is launched, and how long it may take."""

    connect_timeout: float | None = option(
        f"Seconds that a COMMAND has to connect.  [default: {CONNECT_TIMEOUT:g}]", type=Seconds()
    )
    clocks: ClockOptions
    limits: LimitOptions


@option_group
class WhatIfOptions:
    """From which turn a game is played on, and by whom."""

    first: int | None = option(
        "Play on from this turn, many times, with everything that was hidden redealt.",
        "--from",
        type=click.IntRange(1),
        metavar="TURN",
    )
    seats: tuple[str, ...] = option(
        "With --from: who takes a seat: a strategy (also FILE.py:CLASS), `recorded` for the "
        "recorded move, or a COMMAND that starts a player. Repeatable: each is compared with "
        "the first. With --analyse: NAME, to analyse the decisions of this player only.",
        "--seat",
        metavar="NAME[=WHO]",
    )
    games: int | None = option(
        f"With --from: games to play.  [default: {GAMES}; {PROGRAM_GAMES} with a COMMAND]  "
        "With --analyse: games for each option of a decision, at most, in each of three "
        "stages.  [default: 16]",
        type=click.IntRange(1),
        metavar="N",
    )
    others: str = option(
        "With --from: strategy for the opponents that were programs in the game.",
        type=StrategyName(),
        default="investor",
    )
    seed: int | None = seed_option(
        "With --from or --analyse: random seed of the games.  [default: the log's]"
    )
    as_json: bool = option("With --from or --analyse: print the results as JSON.", "--json")
    program: ProgramOptions


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
