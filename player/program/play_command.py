"""``acquire play``: the options.

What plays is imported when the command runs: its help has to be quick.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from ...protocol.player_names import MAX_NAME
from ...protocol.plugins import STRATEGIES, plugins

F = TypeVar("F", bound=Callable[..., Any])
OPPONENTS = "planner,investor,ordered"


def _show(ctx: click.Context, option: click.Parameter, wanted: Any) -> None:
    """List the players of an option with a line about each, and exit."""
    if wanted and not ctx.resilient_parsing:
        import_module(".play_run", __package__).show(option.name)
        ctx.exit()


def _listing(option: str, words: str) -> Callable[[F], F]:
    """Return an option that lists players instead of playing."""
    return click.option(
        option, is_flag=True, is_eager=True, expose_value=False, callback=_show, help=words
    )


@click.command(short_help="Play one game at a referee's table.")
@click.argument("host", required=False)
@click.argument("port", type=click.IntRange(1, 65535), required=False)
@click.option("--name", metavar="NAME", help=f"Name to sign up with, 1 to {MAX_NAME} characters.")
@click.option(
    "--browser",
    is_flag=True,
    help="Play yourself, on a page in your browser. Without HOST and PORT a table with built-in "
    "players (--opponents) is set up for you.",
)
@click.option("--no-open", is_flag=True, help="Print the page's address, and open no browser.")
@click.option(
    "--opponents",
    default=OPPONENTS,
    show_default=True,
    metavar="A,B,..",
    help="Built-in players at the table that --browser sets up.",
)
@click.option(
    "--hide",
    type=click.Choice(["cash", "certificates", "both"]),
    help="Hide every player's cash, certificates or both at that table, where the rulebook lets "
    "it.",
)
@click.option(
    "--clock",
    type=click.FloatRange(0, min_open=True),
    metavar="S",
    help="With --browser: seconds that the referee gives you for an answer. No message tells them, "
    "so without this the page shows no clock. With it, a built-in player answers just before they "
    "are over, and plays on until you take your seat back.",
)
@click.option(
    "--from",
    "start",
    metavar="LOG:TURN",
    help="With --browser alone: play a recorded game on from this turn, with `planner` in the "
    "other seats. Yours is that of --name; without it, that of whoever moves.",
)
@click.option(
    "--strategy",
    default="ordered",
    show_default=True,
    metavar="STRATEGY",
    shell_complete=lambda _ctx, _option, typed: [
        name for name in plugins(STRATEGIES) if name.startswith(typed)
    ],
    help="Built-in player (--list), misbehaving player (--cast), or your own: FILE.py:CLASS.",
)
@click.option(
    "--rulebook",
    "rulebook_name",
    metavar="ID|FILE",
    help="TOML file of the rulebook, if the referee plays none of the five; with --browser "
    "alone also the id of one of the five.",
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="N", help="Seed for random choices.  [default: 0]"
)
@click.option(
    "--connect-timeout",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    metavar="S",
    help="Seconds to keep trying to connect.",
)
@click.option(
    "--secret",
    envvar="ACQUIRE_SECRET",
    metavar="WORD",
    help="Secret that the referee or tournament asks for; also read from ACQUIRE_SECRET.",
)
@click.option("--again", is_flag=True, help="Reconnect after each game, until none is left.")
@click.option("--tls", is_flag=True, help="Connect with TLS.")
@click.option(
    "--ca",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Trust only the certificates in this PEM file; implies --tls.",
)
@_listing("--list", "List the built-in players and exit.")
@_listing("--cast", "List the players that misbehave on purpose and exit.")
def play(**given: Any) -> None:
    """Play one game at a referee's table, or all games of a tournament with --again.

    The referee names the rulebook, and the player plays by it. Prints "Signed up as NAME."
    as soon as the referee has answered, and the score after the game. Seats are given in
    the order of connecting: to seat players in a fixed order, wait for this line before you start
    the next one.

    \b
        acquire play --browser                            play yourself, against three others
        acquire play --browser --from game.xml:37         play on from a turn of a game
        acquire play 127.0.0.1 51234 --name ann --browser
        acquire play 127.0.0.1 51234 --name alice --strategy investor
        acquire play 127.0.0.1 51234 --name mine --strategy mine.py:Mine
        acquire play 127.0.0.1 51234 --name bob --rulebook mine.toml
        acquire play example.edu 51234 --name alice --secret ... --again --tls

    Exit codes: 0 every game was played to its end; 1 the player was ejected or the connection
    lost (standard error has the reason); 2 it could not connect, or the strategy has nothing to
    break under this rulebook.
    """
    play_run = import_module(".play_run", __package__)
    play_run.run(play_run.PlayOptions(**given))
