"""Plays for ``acquire play``: one game, or all games of a tournament; a program or a person.

A person plays on a page, which is an entry point of the group ``acquire.seats``, because players
know nothing of it.
"""

import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Any, assert_never

import click
from click.core import ParameterSource

from ...game.rulebook import Assets, Rulebook, with_hidden_assets
from ...game.rulebooks import RULEBOOKS
from ...protocol import messages
from ...protocol.faults import Fault, Reason
from ...protocol.player_names import MAX_NAME
from ...protocol.plugins import SEATS, STRATEGIES, plugins
from ...protocol.rulebook_file import UnknownRulebook, find
from ...protocol.settings_file import InvalidFile
from ...protocol.strategy_file import StrategyFileError, names_file, traceback_of
from ..misbehaving import NotInCast
from .client import Client, GameEnd, connect, start_tls
from .giving_up import give_up
from .registry import (
    cast_names,
    describe,
    find_player,
    find_sign_up_fault,
    rulebooks_of,
    strategy_names,
)

NAME = "human"
"""The name of a person who gives none."""
CONNECT_TIMEOUT = 10.0


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
    clock: float | None
    start: str | None
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
        table = options.opponents, options.seed, options.hide, options.clock
        sys.exit(play_at_home(name, named, *table, _start(options.start), opens=opens))
    if host is None or port is None:
        raise click.UsageError("Give HOST and PORT, or --browser alone for a game of your own.")
    if name is None:
        raise click.UsageError("Give a --name.")
    seat = _Seat(options, host, port, name, None if named is None else find_rulebook(named))
    if not options.browser:
        sys.exit(1 if _play_games(seat) else 0)
    try:
        named_as = name, seat.sign_up_name
        sys.exit(play_a_seat(seat.connect, *named_as, seat.rulebook, options.clock, opens=opens))
    except OSError as error:
        give_up(_why_not_connected(error, host, port))


def _start(given: str | None) -> tuple[Path, int] | None:
    """Read where a recorded game is played on from: ``LOG:TURN``."""
    if given is None:
        return None
    log, _, turn = given.rpartition(":")
    if not log or not turn.isdecimal():
        raise click.BadParameter(
            f"{given!r} is not LOG:TURN, such as game.xml:37.", param_hint="'--from'"
        )
    return Path(log), int(turn)


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
        without |= dict.fromkeys(("no_open", "clock"), "needs --browser")
    if at_home:
        known = ("secret", "tls", "ca", "connect_timeout")
        without |= dict.fromkeys(known, "needs HOST and PORT")
    else:
        alone = ("opponents", "hide", "start", *(["seed"] if browser else []))
        without |= dict.fromkeys(alone, "needs --browser without HOST and PORT")
    context = click.get_current_context()
    for name, why in without.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = "from" if name == "start" else name.replace("_", "-")
            raise click.UsageError(f"--{option} {why}.")


def find_rulebook(name: str) -> Rulebook:
    """Find one of the five, or read a file."""
    try:
        return find(name)
    except UnknownRulebook as error:
        raise click.BadParameter(str(error), param_hint="'--rulebook'") from error
    except InvalidFile as error:
        give_up(str(error))


def report(end: GameEnd, name: str) -> bool:
    """Print how a game ended for the player; return whether it was played to its end.

    ``name`` is printed: the one signed up with may hold the secret.
    """
    match end.last:
        case messages.Score(results) | messages.ScoreView(results):
            click.echo(f"{name}: {dict(results).get(end.name, 0)}")
            return True
        case messages.Ejected(reason, sentence):
            click.echo(f"{name}: ejected ({reason}). {sentence}", err=True)
            return False
        case Fault() as fault:
            click.echo(f"{name}: {fault}", err=True)
            return False
        case _:
            assert_never(end.last)


# -- a person at a page -------------------------------------------------------------------------


def _load(name: str) -> Any:
    if name not in plugins(SEATS):
        give_up("This installation has no page to play on: install the whole package again.")
    return plugins(SEATS)[name].load()


def play_a_seat(
    connect: Callable[[], socket],
    name: str,
    sign_up_name: str,
    rulebook: Rulebook | None,
    clock: float | None,
    *,
    opens: bool,
) -> int:
    """Play one game on the page; return the exit code. ``clock`` is what the referee gives."""
    seats: list[PersonsSeat] = []

    def begin(_: object) -> Any:
        seats.append(PersonsSeat(name, sign_up_name, rulebook))
        return seats[0].game(connect(), lambda: None, clock, waits=True)

    _load("browser")(begin, _show_address, open_browser=opens)
    return 0 if seats[0].passed else 1


def _show_address(address: str) -> None:
    click.echo(f"Your seat: {address}")


class PersonsSeat:
    """A person's seat in one game; it has ``passed`` once the game was played to its end."""

    def __init__(self, name: str, sign_up_name: str, rulebook: Rulebook | None) -> None:
        self._name, self._sign_up_name, self._rulebook = name, sign_up_name, rulebook
        self.passed = False

    def _shown(self, given: str) -> str:
        return self._name if given == self._sign_up_name else given

    def game(
        self,
        connection: socket,
        log: Callable[[], Path | None],
        clock: float | None,
        *,
        waits: bool,
    ) -> Any:
        """Return the game for the page; ``log`` waits for a log that is here."""

        def play(make: Any) -> GameEnd:
            return Client(connection).play(
                self._sign_up_name,
                make,
                on_signed_up=lambda given: click.echo(f"Signed up as {self._shown(given)}."),
                rulebook=self._rulebook,
            )

        def on_end(end: GameEnd) -> Path | None:
            self.passed = report(end, self._shown(end.name))
            found = log() if self.passed else None
            if found is not None:
                click.echo(f"Log: {found}")
            click.echo("Close the page, or press Ctrl-C, to finish.")
            return found

        return connection, play, on_end, clock, waits


def play_at_home(
    name: str | None,
    rulebook: str | None,
    opponents: str,
    seed: int | None,
    hide: str | None,
    clock: float | None,
    start: tuple[Path, int] | None,
    *,
    opens: bool,
) -> int:
    """Set up a table with built-in players and play at it; return the exit code.

    ``start`` is a log, and the turn of it from which the game is played again.
    """
    person, named = name or NAME, rulebook or "revised"
    rules = find_rulebook(named)
    others = [one.strip() for one in opponents.split(",") if one.strip()]
    for other in others:
        if other not in plugins(STRATEGIES) and not names_file(other):
            raise click.BadParameter(
                f"{other!r} is not a built-in player. These are: {', '.join(plugins(STRATEGIES))}.",
                param_hint="'--opponents'",
            )
    _check_table(rules, len(others) + 1, person, hide)
    seats: list[PersonsSeat] = []
    with ExitStack() as stack:

        def begin(wanted: Any) -> Any:
            stack.close()
            if start is not None and not seats:
                wanted = (*start, name or "")
            this_seed = None if seed is None else seed + len(seats)
            table = stack.enter_context(
                _load("table")(person, named, others, this_seed, hide, wanted)
            )
            seats.append(PersonsSeat(table.name, table.name, table.rulebook or rules))
            connection = connect("127.0.0.1", table.port, CONNECT_TIMEOUT)
            return seats[-1].game(connection, table.log, clock, waits=False)

        try:
            _load("browser")(begin, _show_address, open_browser=opens, again=True)
            return 0 if all(seat.passed for seat in seats) else 1
        except (OSError, RuntimeError) as error:
            give_up(str(error))


def _check_table(rules: Rulebook, players: int, name: str, hide: str | None) -> None:
    """Refuse a table that the rulebook does not allow, before a referee is started."""
    if not rules.min_players <= players <= rules.max_players:
        given = f"{players - 1} opponent{'' if players == 2 else 's'}"
        raise click.BadParameter(
            f"{given}; rulebook {rules.id} is for {rules.min_players - 1} to "
            f"{rules.max_players - 1}, and you.",
            param_hint="'--opponents'",
        )
    if len(name) > MAX_NAME:
        raise click.BadParameter(
            f"The name has {len(name)} characters; {MAX_NAME} are allowed.", param_hint="'--name'"
        )
    if hide is not None:
        try:
            with_hidden_assets(rules, hide)
        except ValueError as error:
            others = [book.id for book in RULEBOOKS.values() if book.assets is not Assets.OPEN]
            raise click.BadParameter(
                f"{error}. The table can hide them under {', '.join(others)}: add --rulebook.",
                param_hint="'--hide'",
            ) from error
