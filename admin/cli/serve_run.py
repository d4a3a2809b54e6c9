"""Referees the games of ``acquire serve``."""

import os
import secrets
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from ...game.rulebook import Rulebook, with_hidden_assets
from ...game.tiles import TILES, Tile, parse_tile
from ...protocol.faults import Fault, Reason
from ...protocol.files import bytes_of
from ...protocol.plugins import StrategyFailed, load_explaining
from ..pages.web.serving import Pages, run_with_feed, start_python, wait_or_kill
from ..pages.web.table_publisher import SpectatorPublisher
from ..refereeing.table.listeners import listen
from ..refereeing.table.run import run_until_stopped
from ..refereeing.table.server import Server, Settings
from ..refereeing.table.server_events import Listening, ServerEvent, ServerObserver, to_each
from ..refereeing.table.signup import People
from .console import exit_after, refuse
from .safe_console import SafeConsole, json_lines
from .serve import ServeOptions
from .serve_output import ServeTerminal, json_fields

LAUNCH = "from acquire.protocol.plugins import plugins; plugins('acquire.seats')['people'].load()()"
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where a server that listens on all addresses can be reached on this machine."""


def run(options: ServeOptions) -> None:
    """Referee games until all are played, and exit with the code for how that went."""
    terminal = ServeTerminal(SafeConsole(stderr=options.as_json), _rulebook_at_table(options))
    settings = _settings(options, terminal)
    observers: list[ServerObserver] = [terminal]
    with terminal:
        closed = "Standard output was closed. The games go on; see their logs."
        lines = json_lines(terminal.console, closed) if options.as_json else None
        if lines is not None:
            observers.append(lambda event: lines.print(json_fields(event)))
        with options.pages.served(options.host, lines) as spectators, ExitStack() as stack:
            if spectators is not None:
                observers.append(SpectatorPublisher(spectators.feed, "Acquire"))
                if options.join is not None:
                    joined = _Joining(options, options.join, stack)
                    click.echo(f"People join: {joined.address}", err=True)
                    settings = replace(settings, people=joined.people)
                    observers.append(joined.publish(spectators))
            server = Server(settings, to_each(*observers))
            feed = None if spectators is None else spectators.feed
            stopped_by = run_until_stopped(partial(run_with_feed, server.run, feed))
    exit_after(stopped_by, 1 if server.unplayed else 0)


def _settings(options: ServeOptions, terminal: ServeTerminal) -> Settings:
    """Return the referee's settings; ``UsageError`` if options do not fit together."""
    rulebook = _rulebook_at_table(options)
    if len(options.opponents) >= options.players:
        raise click.BadParameter(
            f"{len(options.opponents)} of {options.players} seats leave none for a player.",
            param_hint="'--opponent'",
        )
    if options.join is not None and options.pages.web is None:
        raise click.UsageError("--join needs the lobby of --web.")
    built_in = {
        name: (name, partial(load_explaining(name), rulebook))
        for name in (*options.opponents, options.fill)
        if name is not None
    }
    return Settings(
        rulebook=rulebook,
        host=options.host,
        port=options.port,
        players=options.players,
        games=None if options.forever else options.games,
        seed=options.seed,
        log_dir=options.log_dir,
        signup_timeout=options.signup_timeout,
        secret=options.secret,
        clocks=options.clocks.at_table(options.players),
        validate_output=options.validate_output,
        bag=None if options.bag is None else _bag(options.bag),
        fill=None if options.fill is None else built_in[options.fill],
        opponents=tuple(built_in[name] for name in options.opponents),
        seat_clocks=dict(options.seat_clocks),
        at_fill_error=partial(_fault_of_strategy, terminal),
    )


def _bag(path: Path) -> tuple[Tile, ...]:
    try:
        bag = tuple(map(parse_tile, bytes_of(path).decode().split()))
    except OSError as error:
        refuse(f"{path}: {error.strerror}.")
    except ValueError as error:
        refuse(f"{path}: {error}. Give tiles such as 5A, one a line.")
    if sorted(bag) != list(TILES):
        refuse(f"{path}: not each of the 108 tiles once.")
    return bag


def _fault_of_strategy(terminal: ServeTerminal, error: BaseException) -> Fault:
    """Print the traceback of a strategy in a file, whose player is ejected; raise anything else."""
    if not isinstance(error, StrategyFailed):
        raise error
    terminal.console.say(*str(error).splitlines(), copied=True)
    return Fault(Reason.DISCONNECTED, error.sentence)


def _rulebook_at_table(options: ServeOptions) -> Rulebook:
    """Return the rulebook of the table; ``BadParameter`` if it does not allow the options."""
    rulebook = options.rulebook.value
    if options.hide is not None:
        try:
            rulebook = with_hidden_assets(rulebook, options.hide)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--hide'") from error
    options.rulebook.verify_seats(options.players, "--players")
    return rulebook


class _Joining:
    """The page on which people take a seat: its address, and how the referee recognizes them."""

    def __init__(self, options: ServeOptions, port: int, stack: ExitStack) -> None:
        """Listen for people until ``stack`` is left; raises ``CannotListen``."""
        self._options, self._stack, host = options, stack, options.host
        self._listeners = listen(host, port, "Give another --join port (0 takes a free one).")
        for listener in self._listeners:
            stack.callback(listener.close)
        self._names = [f"[{host}]" if ":" in host else host, *options.pages.web_host]
        self._port: int = self._listeners[0].getsockname()[1]
        self.address = f"http://{self._names[0]}:{self._port}/"
        self.people = People(secrets.token_urlsafe(8), options.join_clock)

    def publish(self, spectators: Pages) -> Callable[[ServerEvent], None]:
        """Publish the page; return an observer that starts its process once the referee listens."""
        spectators.feed.show(join=self._port)
        lobby = spectators.address.rstrip("/").rpartition(":")[2]

        def observe(event: ServerEvent) -> None:
            if isinstance(event, Listening):
                host, _, port = event.addresses[0].rpartition(":")
                self._start(host.strip("[]"), port, lobby)

        return observe

    def _start(self, host: str, port: str, lobby: str) -> None:
        """Start the process, whose people connect to the referee at this address."""
        numbers = [listener.fileno() for listener in self._listeners]
        where = [ANYWHERE.get(host, host), port, self._options.rulebook.given]
        what = [f"{self.people.seconds:g}", ",".join(map(str, numbers)), lobby]
        process = start_python(
            ["-c", LAUNCH, *where, *what, *self._names],
            subprocess.PIPE,  # its end ends the process, however we end
            env={**os.environ, "ACQUIRE_PEOPLE": self.people.word},
            pass_fds=numbers,
        )
        assert process.stdin is not None, "it is a pipe"
        self._stack.callback(wait_or_kill, process)
        self._stack.callback(process.stdin.close)
