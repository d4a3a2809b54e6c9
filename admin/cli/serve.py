"""``acquire serve``: the options, and a referee run with them."""

import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...protocol.faults import Fault, Reason
from ...protocol.strategy_file import StrategyFailed
from ..refereeing.play.plugins import load_explaining
from .console import refuse
from .options import (
    PORT,
    NamedRulebook,
    SeatClock,
    Seconds,
    StrategyName,
    host_option,
    json_lines_option,
    pages,
    reply_timeout_option,
    rulebook_option,
    seed_option,
    turn_timeout_option,
    web_names,
    web_option,
)

if TYPE_CHECKING:
    from ...game.rulebook import Rulebook
    from ..pages.web.serving import Pages
    from ..refereeing.table.observer import ServerObserver
    from ..refereeing.table.server import Server
    from ..refereeing.table.server_settings import Settings
    from .joining import Joining
    from .serve_output import ServeTerminal


def check_secret(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Refuse a secret that cannot be part of a name."""
    if value is not None and (":" in value or not value.isprintable() or not 1 <= len(value) <= 31):
        raise click.BadParameter("Give 1 to 31 printable characters without a colon.")
    return value


@click.command(short_help="Referee games between players that connect over TCP.")
@host_option("Address to listen on.")
@click.option(
    "--port",
    default=51234,
    show_default=True,
    type=PORT,
    help="Port to listen on; 0 takes a free one.",
)
@rulebook_option
@click.option(
    "--hide",
    type=click.Choice(["cash", "certificates", "both"]),
    help="Hide every player's cash, certificates or both from the others, where the rulebook lets "
    "the table decide.",
)
@click.option(
    "--players",
    default=4,
    show_default=True,
    help="Seats at each table, within the limits of the rulebook.",
)
@click.option(
    "--games", type=click.IntRange(1), default=1, show_default=True, help="Games to referee."
)
@click.option("--forever", is_flag=True, help="Referee games until stopped.")
@seed_option("Seed of all random choices; by default each game gets a new one, which is logged.")
@click.option(
    "--log-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("matches"),
    show_default=True,
    help="Folder for the game logs; created if missing.",
)
@click.option(
    "--fill",
    type=StrategyName(),
    help="Fill seats that are empty at the sign-up deadline with this built-in player, or with a "
    "class of your own: FILE.py:CLASS.",
)
@click.option(
    "--signup-timeout",
    type=Seconds(),
    default=120.0,
    show_default=True,
    metavar="S",
    help="Seconds to wait for a table to fill.",
)
@click.option(
    "--secret",
    envvar="ACQUIRE_SECRET",
    callback=check_secret,
    help="Admit only players that sign up as NAME:SECRET, as `acquire play --secret` does; also "
    "read from ACQUIRE_SECRET.",
)
@click.option(
    "--opponent",
    "opponents",
    type=StrategyName(),
    multiple=True,
    metavar="STRATEGY",
    help="Keep a seat of each table for this built-in player, or for a class of your own. Can be "
    "given again.",
)
@reply_timeout_option("a player")
@turn_timeout_option("a player")
@click.option(
    "--clock",
    "seat_clocks",
    type=SeatClock(),
    multiple=True,
    metavar="NAME=S",
    help="Seconds that the player of this name has for a turn, and for any other answer; "
    "NAME=none for no limit, as people like it. Logged. Can be given again.",
)
@click.option(
    "--validate-output",
    is_flag=True,
    help="Validate each message before it is sent; an invalid one interrupts its game.",
)
@click.option(
    "--join",
    type=PORT,
    metavar="PORT",
    help="Let people take seats: the lobby of --web has a link to a page on this port of the host; "
    "0 takes a free one.",
)
@click.option(
    "--join-clock",
    type=Seconds(),
    default=180.0,
    show_default=True,
    metavar="S",
    help="Seconds that a person who joins has for a turn, and for any other answer. Logged.",
)
@web_option
@json_lines_option
def serve(
    host: str,
    port: int,
    rulebook: NamedRulebook,
    hide: str | None,
    players: int,
    games: int,
    forever: bool,
    seed: int | None,
    log_dir: Path,
    fill: str | None,
    signup_timeout: float,
    secret: str | None,
    opponents: tuple[str, ...],
    reply_timeout: float,
    turn_timeout: float | None,
    seat_clocks: tuple[tuple[str, float], ...],
    validate_output: bool,
    join: int | None,
    join_clock: float,
    web: int | None,
    as_json: bool,
) -> None:
    """Referee games between players that connect over TCP.

    Seats are given in the order of connecting. A game begins when its table is full; at the
    sign-up deadline it begins with built-in players on the empty seats (--fill), or without them if
    enough have signed up for the rulebook. Every game leaves a log that `acquire replay` reads.

    \b
        acquire serve --players 3                         one game of three
        acquire serve --players 4 --fill ordered --signup-timeout 20
        acquire serve --players 4 --fill mine.py:Mine --signup-timeout 20
        acquire serve --opponent planner --opponent investor --players 3 --clock ann=none
                                                          a game for a person called ann
        acquire serve --rulebook classic --players 2      hidden hands, trades, the market
        acquire serve --rulebook mine.toml                a rulebook of your own
        acquire serve --forever --host 0.0.0.0            for a class, until Ctrl-C
        acquire serve --forever --web 8080                with a lobby, and every game live, in a
                                                          browser; hidden hands stay hidden
        acquire serve --forever --web 8080 --join 8081 --opponent planner
                                                          people can take seats in the lobby
    """
    from ..refereeing.log.writer import LogWriteError
    from ..refereeing.table.clocks import Clocks
    from ..refereeing.table.listeners import CannotListen
    from ..refereeing.table.server_settings import Settings
    from .joining import joining
    from .safe_console import SafeConsole
    from .serve_output import ServeJson, ServeTerminal

    at_table = _for_table(rulebook.value, players, hide)
    if len(opponents) >= players:
        raise click.BadParameter(
            f"{len(opponents)} of {players} seats leave none for a player.",
            param_hint="'--opponent'",
        )
    if join is not None and web is None:
        raise click.UsageError("--join needs the lobby of --web.")
    settings = Settings(
        rulebook=at_table,
        host=host,
        port=port,
        players=players,
        games=None if forever else games,
        seed=seed,
        log_dir=log_dir,
        signup_timeout=signup_timeout,
        secret=secret,
        clocks=Clocks.for_seats(players, reply_timeout, turn_timeout),
        validate_output=validate_output,
        fill=None if fill is None else (fill, partial(load_explaining(fill), at_table)),
        opponents=tuple((name, partial(load_explaining(name), at_table)) for name in opponents),
        seat_clocks=dict(seat_clocks),
        at_fill_error=lambda error: _fault_of_strategy(error, terminal),
    )
    terminal = ServeTerminal(SafeConsole(stderr=as_json), at_table)
    with terminal:
        observer = ServeJson(terminal) if as_json else terminal
        try:
            with pages(host, web) as spectators, ExitStack() as stack:
                if spectators is not None and isinstance(observer, ServeJson):
                    observer.spectators(spectators.address)
                joined = None
                if join is not None:
                    joined = stack.enter_context(
                        joining(host, join, rulebook.given, web_names(), join_clock)
                    )
                    click.echo(f"People join: {joined.address}", err=True)
                    settings = replace(settings, people=joined.people)
                server, stopped_by = _run(settings, observer, spectators, joined)
        except (CannotListen, LogWriteError) as error:
            refuse(str(error))
    if stopped_by is not None:
        sys.exit(128 + stopped_by)
    if server.unplayed:
        sys.exit(1)


def _fault_of_strategy(error: BaseException, terminal: "ServeTerminal") -> Fault:
    """Print the traceback of a strategy in a file, whose player is ejected; raise anything else."""
    if not isinstance(error, StrategyFailed):
        raise error
    terminal.strategy_failed(str(error))
    return Fault(Reason.DISCONNECTED, error.sentence)


def _for_table(rulebook: "Rulebook", players: int, hide: str | None) -> "Rulebook":
    """Return the rulebook of the table; ``BadParameter`` if it does not allow the options."""
    from ...game.rulebook import with_hidden_assets

    if hide is not None:
        try:
            rulebook = with_hidden_assets(rulebook, hide)
        except ValueError as error:
            raise click.BadParameter(f"{error}.", param_hint="'--hide'") from error
    least, most = rulebook.min_players, rulebook.max_players
    if not least <= players <= most:
        raise click.BadParameter(
            f"{players} is not between {least} and {most}, which rulebook {rulebook.id} allows.",
            param_hint="'--players'",
        )
    return rulebook


def _run(
    settings: "Settings",
    observer: "ServerObserver",
    pages: "Pages | None",
    joined: "Joining | None",
) -> "tuple[Server, int | None]":
    """Run a referee, with spectators or without; return it, and the signal that stopped it."""
    from ..refereeing.table.run import run_until_stopped
    from ..refereeing.table.server import Server

    if pages is None:
        server = Server(settings, observer)
        return server, run_until_stopped(server.run)
    from ..pages.web.feed import run_with_feed
    from ..pages.web.table_publisher import SpectatorPublisher
    from .joining import JoinPublisher

    if joined is None:
        publisher = SpectatorPublisher(observer, pages.feed, "Acquire")
    else:
        publisher = JoinPublisher(observer, pages.feed, "Acquire", joined)
    server = Server(settings, publisher)
    return server, run_until_stopped(partial(run_with_feed, server.run, pages.feed))
