"""``acquire serve``: the options. :mod:`acquire.admin.cli.serve_run` referees."""

from pathlib import Path
from typing import Annotated

import click

from ...protocol.commands import DeclaredCommand, option, option_group
from . import options


def check_secret(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Refuse a secret that cannot be part of a name."""
    if value is not None and (":" in value or not value.isprintable() or not 1 <= len(value) <= 31):
        raise click.BadParameter("Give 1 to 31 printable characters without a colon.")
    return value


@option_group
class ServeOptions:
    """Referee games between players that connect over TCP.

    Seats are given in the order of connecting. A game begins when its table is full; at the
    sign-up deadline it begins with built-in players on the empty seats (--fill), or without them if
    enough have signed up for the rulebook. Every game leaves a log that `acquire replay` reads.

    \b
        acquire serve --players 3                     one game of three
        acquire serve --players 4 --fill ordered --signup-timeout 20
        acquire serve --players 4 --fill mine.py:Mine --signup-timeout 20
        acquire serve --opponent planner --opponent investor --players 3 \\
            --clock ann=none                          a game for a person, ann
        acquire serve --rulebook classic --players 2  hidden hands, trades
        acquire serve --rulebook mine.toml            a rulebook of your own
        acquire serve --forever --host 0.0.0.0        for a class, until Ctrl-C
        acquire serve --forever --web 8080            with a lobby and all games
                                                      live in a browser; hidden
                                                      hands stay hidden
        acquire serve --forever --web 8080 --join 8081 --opponent planner
                                                      people can take seats

    Exit codes: 0 all games were played; 1 some were not; 2 it could not begin; 129, 130 and 143
    stopped by SIGHUP, SIGINT and SIGTERM: games that were not over are logged as interrupted.
    """

    host: options.Host = option("Address to listen on.", default=options.LOCALHOST)
    port: options.Port = option("Port to listen on; 0 takes a free one.", default=51234)
    rulebook: options.NamedRulebook = options.rulebook_option()
    hide: Annotated[str, click.Choice(["cash", "certificates", "both"])] | None = option(
        "Hide every player's cash, certificates or both from the others, where the rulebook "
        "lets the table decide."
    )
    players: Annotated[int, "N"] = option(
        "Seats at each table, within the limits of the rulebook.", default=4
    )
    games: options.Count = option("Games to referee.", default=1)
    forever: bool = option("Referee games until stopped.")
    seed: options.Seed | None = option(
        "Seed of all random choices; by default each game gets a new one, which is logged."
    )
    bag: options.File | None = option(
        "Draw the tiles of every game in the order of this file: all 108, one a line, such as 5A. "
        "For tests: players who know the file know the bag."
    )
    log_dir: options.Folder = option(
        "Folder for the game logs; created if missing.", default=Path("matches")
    )
    fill: options.Strategy | None = option(
        "Fill seats that are empty at the sign-up deadline with this built-in player, or with "
        "a class of your own: FILE.py:CLASS."
    )
    signup_timeout: options.Seconds = option("Seconds to wait for a table to fill.", default=120.0)
    secret: str | None = option(
        "Admit only players that sign up as NAME:SECRET, as `acquire play --secret` does; also "
        "read from ACQUIRE_SECRET.",
        envvar="ACQUIRE_SECRET",
        metavar="WORD",
        callback=check_secret,
    )
    opponents: tuple[options.Strategy, ...] = option(
        "Keep a seat of each table for this built-in player, or for a class of your own.",
        "--opponent",
    )
    clocks: options.ClockOptions
    seat_clocks: tuple[options.SeatClock, ...] = option(
        "Seconds that the player of this name has for a turn, and for any other answer; "
        "NAME=none for no limit, as people like it. Logged.",
        "--clock",
    )
    validate_output: bool = option(
        "Validate each message before it is sent; an invalid one interrupts its game."
    )
    join: options.Port | None = option(
        "Let people take seats: the lobby of --web has a link to a page on this port of the "
        "host; 0 takes a free one."
    )
    join_clock: options.Seconds = option(
        "Seconds that a person who joins has for a turn, and for any other answer. Logged.",
        default=180.0,
    )
    pages: options.WebOptions
    as_json: bool = options.json_lines_option()


serve = DeclaredCommand("serve", ServeOptions, "serve_run:run")
