"""Plays for ``acquire play``: one game, or all games of a tournament."""

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import click
from click.core import ParameterSource

from ...game.rulebook import Rulebook
from ...game.rulebooks import RULEBOOKS
from ...protocol import messages
from ...protocol.faults import Fault, Reason
from ...protocol.strategy_file import StrategyFileError, names_file, traceback_of
from ..misbehaving import NotInCast
from .browser_play import play_a_seat, play_at_home
from .client import Client, GameEnd, connect, start_tls
from .giving_up import give_up
from .play_output import find_rulebook, report
from .registry import (
    cast_names,
    describe,
    find_player,
    find_sign_up_fault,
    rulebooks_of,
    strategy_names,
)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The values of the options of :mod:`acquire.player.program.play_command`."""

    host: str | None
    port: int | None
    name: str | None
    browser: bool
    no_open: bool
    opponents: str
    hide: str | None
    strategy: str
    rulebook_name: str | None
    seed: int | None
    connect_timeout: float
    secret: str | None
    again: bool
    tls: bool
    ca: Path | None


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a game is played, and as whom."""

    options: PlayOptions
    host: str
    port: int
    name: str
    rulebook: Rulebook | None

    @property
    def sign_up_name(self) -> str:
        """The name with the secret, if there is one."""
        secret = self.options.secret
        return self.name if secret is None else f"{self.name}:{secret}"

    def shown(self, given: str) -> str:
        """Return the name that a referee gave, without the secret."""
        return self.name if given == self.sign_up_name else given

    def connect(self) -> socket:
        """Connect; ``OSError`` if that is impossible."""
        connection = connect(self.host, self.port, self.options.connect_timeout)
        if self.options.tls or self.options.ca is not None:
            return start_tls(connection, self.host, self.options.ca)
        return connection


def show(option: str) -> None:
    """Print the players of ``list`` or ``cast`` with a line about each."""
    names = strategy_names() if option == "list" else cast_names()
    width = max(map(len, names))
    for name in names:
        rulebooks = rulebooks_of(name)
        only = "" if len(rulebooks) == len(RULEBOOKS) else f" ({', '.join(rulebooks)})"
        click.echo(f"{name:{width}}  {describe(name)}{only}")


def run(options: PlayOptions) -> None:
    """Play, and exit with the code for how that went."""
    host, port, name = options.host, options.port, options.name
    _refuse_without_effect(browser=options.browser, at_home=options.browser and host is None)
    opens, named = not options.no_open, options.rulebook_name
    if options.browser and host is None:
        table = options.opponents, options.seed, options.hide
        sys.exit(play_at_home(name, named, *table, opens=opens))
    if host is None or port is None:
        raise click.UsageError("Give HOST and PORT, or --browser alone for a game of your own.")
    if name is None:
        raise click.UsageError("Give a --name.")
    seat = _Seat(options, host, port, name, None if named is None else find_rulebook(named))
    if not options.browser:
        sys.exit(1 if _play_games(seat) else 0)
    try:
        sys.exit(play_a_seat(seat.connect, name, seat.sign_up_name, seat.rulebook, opens=opens))
    except OSError as error:
        give_up(_why_not_connected(error, host, port))


def _play_games(seat: _Seat) -> int:
    """Play one game, or all with ``--again``; return how many were not played to their end."""
    strategy = seat.options.strategy
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
            end = _play_game(seat, (seat.options.seed or 0) + games)
        except OSError as error:
            if games:
                return failures  # the referee is gone, so no game is left
            give_up(_why_not_connected(error, seat.host, seat.port))
        except NotInCast as error:
            give_up(f"{error}. --cast lists the rulebooks of each player.")
        if games and not _had_game(end):
            return failures
        failures += not report(end, seat.shown(end.name))
        games += 1
        if not seat.options.again or not _had_game(end):
            return failures


def _play_game(seat: _Seat, seed: int) -> GameEnd:
    def announce(given: str) -> None:
        with suppress(OSError):  # the game goes on when standard output was closed
            click.echo(f"Signed up as {seat.shown(given)}.")

    client, strategy = Client(seat.connect()), seat.options.strategy
    make = find_player(strategy)
    assert make is not None, "it was found before"
    try:
        return client.play(
            seat.sign_up_name,
            lambda rulebook: make(rulebook, seed),
            find_sign_up_fault(strategy),
            announce,
            seat.rulebook,
        )
    except Exception as error:
        if not names_file(strategy):
            raise
        click.echo(f"{seat.name}: {strategy} has failed.\n{traceback_of(error)}", err=True)
        sys.exit(1)


def _why_not_connected(error: OSError, host: str, port: int) -> str:
    """Return a message for the user, with what to do next."""
    import ssl  # which takes long to import, and few games need it

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


def _had_game(end: GameEnd) -> bool:
    """Whether there was a game: the player had a seat at a table that was filled."""
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
