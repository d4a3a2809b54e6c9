"""``acquire play``: seat one of this package's players at a table.

The modules that play are imported when they are needed: ``acquire --help`` has to be quick.
"""

import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ...protocol.player_names import MAX_NAME
from .play_output import find_rulebook, give_up, report

if TYPE_CHECKING:
    from socket import socket

    from ...game.rulebook import Rulebook
    from .client import GameEnd


OPPONENTS = "planner,investor,ordered"


def show_built_in(ctx: click.Context, _option: click.Parameter, wanted: Any) -> None:
    """List the built-in players with a line about each, and exit."""
    if wanted and not ctx.resilient_parsing:
        from .registry import strategy_names

        show(ctx, strategy_names())


def show_cast(ctx: click.Context, _option: click.Parameter, wanted: Any) -> None:
    """List the misbehaving players with a line about each, and exit."""
    if wanted and not ctx.resilient_parsing:
        from .registry import cast_names

        show(ctx, cast_names())


def show(ctx: click.Context, names: Iterable[str]) -> None:
    """Print players with a line about each, and exit."""
    from ...game.rulebooks import RULEBOOKS
    from .registry import describe, rulebooks_of

    names = list(names)
    width = max(map(len, names))
    for name in names:
        rulebooks = rulebooks_of(name)
        only = "" if len(rulebooks) == len(RULEBOOKS) else f" ({', '.join(rulebooks)})"
        click.echo(f"{name:{width}}  {describe(name)}{only}")
    ctx.exit()


@click.command(short_help="Play one game at a referee's table.")
@click.argument("host", required=False)
@click.argument("port", type=click.IntRange(1, 65535), required=False)
@click.option("--name", help=f"Name to sign up with, 1 to {MAX_NAME} characters.")
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
    "--strategy",
    default="ordered",
    show_default=True,
    metavar="STRATEGY",
    help="Built-in player (--list), misbehaving player (--cast), or your own: FILE.py:CLASS.",
)
@click.option(
    "--rulebook",
    "rulebook_name",
    metavar="ID|FILE",
    help="TOML file of the rulebook, if the referee plays none of the five; with --browser "
    "alone also the id of one of the five.",
)
@click.option("--seed", type=click.IntRange(0), help="Seed for random choices.  [default: 0]")
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
    help="Secret that the referee or tournament asks for; also read from ACQUIRE_SECRET.",
)
@click.option("--again", is_flag=True, help="Reconnect after each game, until none is left.")
@click.option("--tls", is_flag=True, help="Connect with TLS.")
@click.option(
    "--ca",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Trust only the certificates in this PEM file; implies --tls.",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_built_in,
    help="List the built-in players and exit.",
)
@click.option(
    "--cast",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_cast,
    help="List the players that misbehave on purpose and exit.",
)
def play(
    host: str | None,
    port: int | None,
    name: str | None,
    browser: bool,
    no_open: bool,
    opponents: str,
    hide: str | None,
    strategy: str,
    rulebook_name: str | None,
    seed: int | None,
    connect_timeout: float,
    secret: str | None,
    again: bool,
    tls: bool,
    ca: Path | None,
) -> None:
    """Play one game at a referee's table, or all games of a tournament with --again.

    The referee names the rulebook, and the player plays by it. Prints "Signed up as NAME."
    as soon as the referee has answered, and the score after the game. Seats are given in
    the order of connecting: to seat players in a fixed order, wait for this line before you start
    the next one.

    Exit codes: 0 every game was played to its end; 1 the player was ejected or the connection
    lost (standard error has the reason); 2 it could not connect, or the strategy has nothing to
    break under this rulebook.

    \b
        acquire play --browser                            play yourself, against three others
        acquire play 127.0.0.1 51234 --name ann --browser
        acquire play 127.0.0.1 51234 --name alice --strategy investor
        acquire play 127.0.0.1 51234 --name mine --strategy mine.py:Mine
        acquire play 127.0.0.1 51234 --name bob --rulebook mine.toml
        acquire play example.edu 51234 --name alice --secret ... --again --tls
    """
    _refuse_without_effect(browser=browser, at_home=browser and host is None)
    if browser and host is None:
        from .browser_play import play_at_home

        sys.exit(play_at_home(name, rulebook_name, opponents, seed, hide, opens=not no_open))
    if host is None or port is None:
        raise click.UsageError("Give HOST and PORT, or --browser alone for a game of your own.")
    if name is None:
        raise click.UsageError("Give a --name.")
    rulebook = None if rulebook_name is None else find_rulebook(rulebook_name)
    sign_up_name = name if secret is None else f"{name}:{secret}"
    if browser:
        from .browser_play import play_a_seat

        connect = partial(_connect, host, port, connect_timeout, tls or ca is not None, ca)
        try:
            sys.exit(play_a_seat(connect, name, sign_up_name, rulebook, opens=not no_open))
        except OSError as error:
            give_up(_why_not_connected(error, host, port))
    seed = seed or 0
    from ...protocol.strategy_file import StrategyFileError
    from ..misbehaving import NotInCast
    from .registry import find_player, strategy_names

    try:
        found = find_player(strategy)
    except StrategyFileError as error:
        give_up(str(error))
    if found is None:
        raise click.BadParameter(
            f"{strategy!r} is not a strategy. Built-in players are {', '.join(strategy_names())}; "
            "--cast lists the misbehaving ones; FILE.py:NAME is a class of your own.",
            param_hint="'--strategy'",
        )
    failures = games = 0
    while True:
        try:
            connection = _connect(host, port, connect_timeout, tls or ca is not None, ca)
            end = _play_game(connection, name, sign_up_name, strategy, seed + games, rulebook)
        except OSError as error:
            if games:
                break  # the referee is gone, so no game is left
            give_up(_why_not_connected(error, host, port))
        except NotInCast as error:
            give_up(f"{error}. --cast lists the rulebooks of each player.")
        if games and not _had_game(end):
            break
        failures += not report(end, name if end.name == sign_up_name else end.name)
        games += 1
        if not again or not _had_game(end):
            break
    sys.exit(1 if failures else 0)


def _connect(host: str, port: int, timeout: float, tls: bool, ca: Path | None) -> "socket":
    from .client import connect, start_tls

    connection = connect(host, port, timeout)
    return start_tls(connection, host, ca) if tls else connection


def _why_not_connected(error: OSError, host: str, port: int) -> str:
    """Return a message for the user, with what to do next."""
    import ssl

    if isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"The certificate of {host} is not trusted: {error.verify_message}. Name a file of "
            "certificates to trust with --ca."
        )
    if isinstance(error, ssl.SSLError):
        return f"{host} port {port} does not speak TLS correctly: {error.reason}."
    return (
        f"Cannot connect to {host} port {port}: {error.strerror or error}. Is the referee "
        "running there? Use --connect-timeout to wait for it."
    )


def _play_game(
    connection: "socket",
    name: str,
    sign_up_name: str,
    strategy: str,
    seed: int,
    rulebook: "Rulebook | None",
) -> "GameEnd":
    from ...protocol.strategy_file import names_file, traceback_of
    from .client import Client
    from .registry import find_player, find_sign_up_fault

    def announce(given: str) -> None:
        with suppress(OSError):  # the game goes on when standard output was closed
            click.echo(f"Signed up as {name if given == sign_up_name else given}.")

    make = find_player(strategy)
    assert make is not None
    client = Client(connection)
    try:
        return client.play(
            sign_up_name,
            lambda rulebook: make(rulebook, seed),
            find_sign_up_fault(strategy),
            announce,
            rulebook,
        )
    except Exception as error:
        if not names_file(strategy):
            raise
        click.echo(f"{name}: {strategy} has failed.\n{traceback_of(error)}", err=True)
        sys.exit(1)


def _had_game(end: "GameEnd") -> bool:
    """Whether there was a game: the player had a seat at a table that was filled."""
    from ...protocol import messages
    from ...protocol.faults import Fault, Reason

    if isinstance(end.last, messages.Ejected):
        return end.last.reason != Reason.NO_SEAT.value
    return end.seated or not isinstance(end.last, Fault)


def _refuse_without_effect(*, browser: bool, at_home: bool) -> None:
    """Refuse options that would have no effect with, or without, a person at the page."""
    without: dict[str, str] = {}
    if browser:
        without = dict.fromkeys(("strategy", "again"), "has no effect with --browser")
    else:
        without["no_open"] = "needs --browser"
    if at_home:
        known = ("secret", "tls", "ca", "connect_timeout")
        without |= dict.fromkeys(known, "needs HOST and PORT")
    else:
        alone = ("opponents", "hide", *(["seed"] if browser else []))
        without |= dict.fromkeys(alone, "needs --browser without HOST and PORT")
    context = click.get_current_context()
    for name, why in without.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} {why}.")
