"""Plays for ``acquire play``: one game, or all games of a tournament; a program or a person.

A person plays on a page, which is an entry point of the group ``acquire.seats``, because players
know nothing of it.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from shutil import get_terminal_size
from socket import socket
from typing import Any, assert_never

import click

from ...game.rulebook import Assets, Rulebook, with_hidden_assets
from ...game.rulebooks import RULEBOOKS
from ...protocol import messages
from ...protocol.commands import dashed, on_command_line
from ...protocol.faults import Fault, Reason
from ...protocol.player_names import MAX_NAME, name_too_long
from ...protocol.plugins import SEATS, STRATEGIES, names_file, plugins, traceback_of
from ...protocol.rulebook_file import UnknownRulebook, find
from ...protocol.user_error import UserError
from ..misbehaving import NotInCast
from . import registry
from .client import SILENCE, AnswererFactory, Client, GameEnd, SocketAction, connect, start_tls
from .play_command import PlayOptions

NAME = "human"  # the name of a person who gives none
WEAKEST, STRONGEST = ("ordered", "random", "smallest-anti"), ("simulator", "planner")
"""The opponents of a person who wants an easier game, or a harder one."""
CONNECT_TIMEOUT = 10.0
PEOPLE_WORD = "ACQUIRE_PEOPLE"  # variable with the word by which the referee recognizes people


@dataclass(slots=True)
class _Seat:
    """A seat in one game or more."""

    name: str
    sign_up_name: str  # the name with the secret, if there is one
    rulebook: Rulebook | None
    passed: bool = False  # whether the last game was played to its end

    def _shown(self, given: str) -> str:
        """Return the name that a referee gave, without the secret."""
        return self.name if given == self.sign_up_name else given

    def _announce(self, given: str) -> None:
        with suppress(OSError):  # the game goes on when standard output was closed
            click.echo(f"Signed up as {self._shown(given)}.")

    def play(
        self, connection: socket, make: AnswererFactory, sign_up: SocketAction | None = None
    ) -> GameEnd:
        """Play one game."""
        client = Client(connection)
        return client.play(
            self.sign_up_name, make, sign_up, self._announce, self.rulebook, self._report_silence
        )

    def _report_silence(self) -> None:
        waiting = f"no answer to the sign-up for {SILENCE:.0f} s; still waiting"
        click.echo(f"{self.name}: {waiting}. Is it a referee that listens there?", err=True)

    def report(self, end: GameEnd) -> None:
        """Print how a game ended for the player, and note whether it was played to its end."""
        name, self.passed = self._shown(end.name), False
        match end.last:
            case messages.Score(results) | messages.ScoreView(results):
                click.echo(f"{name}: {dict(results).get(end.name, 0)}")
                self.passed = True
            case messages.Ejected(reason, sentence):
                click.echo(f"{name}: ejected ({reason}). {sentence}", err=True)
            case Fault() as fault:
                click.echo(f"{name}: {fault}", err=True)
            case _:
                assert_never(end.last)

    def game_on_a_page(
        self,
        connection: socket,
        clock: float | None,
        log: Callable[[], Path | None] = lambda: None,
        *,
        waits: bool,
        levels: Sequence[str] = (),
    ) -> Any:
        """Return a game for the page; ``log`` waits for a log that is here."""

        def on_end(end: GameEnd) -> Path | None:
            self.report(end)
            found = log() if self.passed else None
            if found is not None:
                click.echo(f"Log: {found}")
            click.echo("Close the page, or press Ctrl-C, to finish.")
            return found

        return connection, partial(self.play, connection), on_end, clock, waits, levels


def show(players: Sequence[registry.ListedPlayer]) -> None:
    """Print players with a line about each, which a terminal shows as a column."""
    width = max(len(player.name) for player in players)
    on_terminal = sys.stdout.isatty() or "COLUMNS" in os.environ
    columns = max(60, get_terminal_size().columns) if on_terminal else sys.maxsize
    for name, description, rulebooks in players:
        only = "" if len(rulebooks) == len(RULEBOOKS) else f" ({', '.join(rulebooks)})"
        line = f"{name:{width}}  {description}{only}"
        click.echo(click.wrap_text(line, columns, subsequent_indent=" " * (width + 2)))


def run(options: PlayOptions) -> None:
    """Play, and exit with the code for how that went."""
    if options.listed or options.cast:
        show(registry.built_in_players() if options.listed else registry.misbehaving_players())
        return
    host, port, name = options.host, options.port, options.name
    _refuse_without_effect(browser=options.browser, at_home=options.browser and host is None)
    if options.browser and host is None:
        sys.exit(_play_at_home(options))
    if host is None or port is None:
        raise click.UsageError("Give HOST and PORT, or --browser alone for a game of your own.")
    if name is None:
        raise click.UsageError("Give a --name.")
    rulebook = None if options.rulebook is None else find_rulebook(options.rulebook)
    seat = _Seat(name, name if options.secret is None else f"{name}:{options.secret}", rulebook)

    def connected() -> socket:
        connection = connect(host, port, options.connect_timeout)
        if options.tls or options.ca is not None:
            return start_tls(connection, host, options.ca)
        return connection

    try:
        if not options.browser:
            sys.exit(1 if _play_games(options, seat, connected) else 0)
        _load("browser")(
            lambda *_: seat.game_on_a_page(connected(), options.clock, waits=True),
            _show_address,
            open_browser=not options.no_open,
        )
    except OSError as error:
        raise UserError(_why_not_connected(error, host, port)) from error
    sys.exit(0 if seat.passed else 1)


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


def _play_games(options: PlayOptions, seat: _Seat, connected: Callable[[], socket]) -> int:
    """Play one game, or all with ``--again``; return how many were not played to their end.

    ``OSError`` if it cannot connect for the first one.
    """
    strategy = options.strategy
    make = registry.find_player(strategy)
    if make is None:
        raise click.BadParameter(
            f"{strategy!r} is not a strategy. Built-in players: {', '.join(plugins(STRATEGIES))}; "
            "--cast lists the misbehaving ones; FILE.py:NAME is a class of your own.",
            param_hint="'--strategy'",
        )
    failures, sign_up = 0, registry.find_sign_up_fault(strategy)

    def play(seed: int) -> GameEnd:
        return seat.play(connected(), lambda rulebook: make(rulebook, seed), sign_up)

    for seed in count(options.seed or 0):
        is_first = seed == (options.seed or 0)
        try:
            end = play(seed)
        except OSError:
            if is_first:
                raise
            break  # the referee is gone, so no game is left
        except NotInCast as error:
            raise UserError(f"{error}. --cast lists the rulebooks of each player.") from error
        except Exception as error:
            if not names_file(strategy):
                raise
            click.echo(f"{seat.name}: {strategy} has failed.\n{traceback_of(error)}", err=True)
            sys.exit(1)
        if not is_first and not _had_game(end):
            break
        seat.report(end)
        failures += not seat.passed
        if not options.again or not _had_game(end):
            break
    return failures


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
    for name in on_command_line():
        if name in without:
            option = "--from" if name == "start" else dashed(name)
            raise click.UsageError(f"{option} {without[name]}.")


def find_rulebook(name: str) -> Rulebook:
    """Find one of the five, or read a file."""
    try:
        return find(name)
    except UnknownRulebook as error:
        raise click.BadParameter(str(error), param_hint="'--rulebook'") from error


# -- a person at a page -------------------------------------------------------------------------


def _load(name: str) -> Any:
    if name not in plugins(SEATS):
        why = "This installation has no page to play on: install the whole package again."
        raise UserError(why)
    return plugins(SEATS)[name].load()


def _show_address(address: str) -> None:
    click.echo(f"Your seat: {address}")


def _play_at_home(options: PlayOptions) -> int:
    """Set up a table with built-in players and play at it; return the exit code."""
    person, named = options.name or NAME, options.rulebook or "revised"
    start, rules = _start(options.start), find_rulebook(named)
    others = [one.strip() for one in options.opponents.split(",") if one.strip()]
    for other in others:
        if other not in plugins(STRATEGIES) and not names_file(other):
            raise click.BadParameter(
                f"{other!r} is not a built-in player. These are: {', '.join(plugins(STRATEGIES))}.",
                param_hint="'--opponents'",
            )
    _check_table(rules, len(others) + 1, person, options.hide)
    seats: list[_Seat] = []
    levels, level = (WEAKEST, others, STRONGEST), 1
    with ExitStack() as stack:

        def begin(wanted: Any, change: int) -> Any:
            nonlocal others, level
            stack.close()
            level = max(0, min(level + change, len(levels) - 1))
            others = [*islice(cycle(levels[level]), len(others))]
            seed = None if options.seed is None else options.seed + len(seats)
            table = stack.enter_context(
                _load("table")(person, named, others, seed, options.hide, wanted)
            )
            seats.append(_Seat(table.name, table.name, table.rulebook or rules))
            connection = connect("127.0.0.1", table.port, CONNECT_TIMEOUT)
            there = (("easier", level > 0), ("harder", level < len(levels) - 1))
            ways = [way for way, is_there in there if is_there]
            return seats[-1].game_on_a_page(
                connection, options.clock, table.log, waits=False, levels=ways
            )

        try:
            opens, first = not options.no_open, start and (*start, options.name or "")
            _load("browser")(begin, _show_address, open_browser=opens, again=True, start=first)
            return 0 if all(seat.passed for seat in seats) else 1
        except OSError as error:
            raise UserError(str(error)) from error


def serve_people() -> None:
    """Serve people who joined by a page, on inherited sockets; the referee's entry point."""
    host, port, named, clock, sockets, lobby, *names = sys.argv[1:]
    rulebook = find_rulebook(named)

    def play(connection: socket, name: str, make: Any) -> GameEnd:
        return Client(connection).play(name, make, rulebook=rulebook)

    _load("door")(
        [socket(fileno=int(number)) for number in sockets.split(",")],
        lambda: connect(host, int(port), CONNECT_TIMEOUT),
        play,
        os.environ.get(PEOPLE_WORD, ""),
        clock,
        names,
        int(lobby),
    )


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
        raise click.BadParameter(name_too_long(name), param_hint="'--name'")
    if hide is not None:
        try:
            with_hidden_assets(rules, hide)
        except ValueError as error:
            others = [book.id for book in RULEBOOKS.values() if book.assets is not Assets.OPEN]
            raise click.BadParameter(
                f"{error}. The table can hide them under {', '.join(others)}: add --rulebook.",
                param_hint="'--hide'",
            ) from error
