"""Referees the games of ``acquire serve``."""

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from ...game.rulebook import Rulebook, with_hidden_assets
from ...game.tiles import TILES, Tile, parse_tile
from ...protocol.faults import Fault, Reason
from ...protocol.plugins import load_explaining
from ...protocol.strategy_file import StrategyFailed
from ..pages.web.feed import run_with_feed
from ..pages.web.serving import Pages
from ..pages.web.table_publisher import SpectatorPublisher
from ..refereeing.log.writer import LogWriteError
from ..refereeing.table.listeners import CannotListen
from ..refereeing.table.run import run_until_stopped
from ..refereeing.table.server import Server, Settings
from ..refereeing.table.server_events import ServerObserver, to_each
from ..refereeing.view.plain_text import JsonPrinter
from .console import exit_after, refuse
from .safe_console import SafeConsole
from .serve import ServeOptions
from .serve_output import ServeTerminal, json_fields
from .spectators import Joining, joining, pages


def run(options: ServeOptions) -> None:
    """Referee games until all are played, and exit with the code for how that went."""
    terminal = ServeTerminal(SafeConsole(stderr=options.as_json), _rulebook_at_table(options))
    settings = _settings(options, terminal)
    with terminal:
        # games go on without a reader; their logs have it all
        closed = "Standard output was closed. The games go on; see their logs."
        lines = JsonPrinter(lambda: terminal.print_line(closed)) if options.as_json else None
        try:
            with pages(options.host, options.pages) as spectators, ExitStack() as stack:
                if spectators is not None and lines is not None:
                    lines.print({"event": "spectators", "address": spectators.address})
                joined = None
                if options.join is not None:
                    names, seconds = options.pages.web_host, options.join_clock
                    given = options.rulebook.given
                    joined = stack.enter_context(
                        joining(options.host, options.join, given, names, seconds)
                    )
                    click.echo(f"People join: {joined.address}", err=True)
                    settings = replace(settings, people=joined.people)
                server, stopped_by = _serve(settings, terminal, lines, spectators, joined)
        except (CannotListen, LogWriteError) as error:
            refuse(str(error))
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
        bag = tuple(map(parse_tile, path.read_text().split()))
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
    terminal.strategy_failed(str(error))
    return Fault(Reason.DISCONNECTED, error.sentence)


def _rulebook_at_table(options: ServeOptions) -> Rulebook:
    """Return the rulebook of the table; ``BadParameter`` if it does not allow the options."""
    rulebook = options.rulebook.value
    if options.hide is not None:
        try:
            rulebook = with_hidden_assets(rulebook, options.hide)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--hide'") from error
    least, most = rulebook.min_players, rulebook.max_players
    if not least <= options.players <= most:
        raise click.BadParameter(
            f"{options.players} is not between {least} and {most}, which rulebook {rulebook.id} "
            "allows.",
            param_hint="'--players'",
        )
    return rulebook


def _serve(
    settings: Settings,
    terminal: ServeTerminal,
    lines: JsonPrinter | None,
    spectators: Pages | None,
    joined: Joining | None,
) -> tuple[Server, int | None]:
    """Run a referee, with spectators or without; return it, and the signal that stopped it."""
    observers: list[ServerObserver] = [terminal]
    if lines is not None:
        observers.append(lines.printing(json_fields))
    if spectators is None:
        server = Server(settings, to_each(*observers))
        return server, run_until_stopped(server.run)
    observers.append(SpectatorPublisher(spectators.feed, "Acquire"))
    if joined is not None:
        observers.append(joined.publish(spectators))
    server = Server(settings, to_each(*observers))
    return server, run_until_stopped(partial(run_with_feed, server.run, spectators.feed))
