"""``acquire play``: the options. :mod:`acquire.player.program.play_run` plays."""

from pathlib import Path
from typing import Annotated

import click

from ...protocol.commands import DeclaredCommand, FiniteRange, argument, option, option_group
from ...protocol.player_names import MAX_NAME
from ...protocol.plugins import STRATEGIES, plugins


@option_group
class PlayOptions:
    """Play one game at a referee's table.

    The referee names the rulebook, and the player plays by it. Prints "Signed up as NAME."
    as soon as the referee has answered, and the score after the game. Seats are given in
    the order of connecting: to seat players in a fixed order, wait for this line before you start
    the next one. With --again all games of a tournament are played.

    \b
        acquire play --browser                      play against three others
        acquire play --browser --from game.xml:37   play on from a turn of a game
        acquire play 127.0.0.1 51234 --name ann --browser
        acquire play 127.0.0.1 51234 --name alice --strategy investor
        acquire play 127.0.0.1 51234 --name mine --strategy mine.py:Mine
        acquire play 127.0.0.1 51234 --name bob --rulebook mine.toml
        acquire play example.edu 51234 --name alice --secret ... --again --tls

    Exit codes: 0 every game was played to its end; 1 the player was ejected or the connection
    lost (standard error has the reason); 2 it could not connect, or the strategy has nothing to
    break under this rulebook.
    """

    host: str | None = argument(required=False)
    port: Annotated[int, click.IntRange(1, 65535)] | None = argument(required=False)
    name: Annotated[str, "NAME"] | None = option(
        f"Name to sign up with, 1 to {MAX_NAME} characters."
    )
    browser: bool = option(
        "Play yourself, on a page in your browser. Without HOST and PORT a table with built-in "
        "players (--opponents) is set up for you."
    )
    no_open: bool = option("Print the page's address, and open no browser.")
    opponents: Annotated[str, "A,B,.."] = option(
        "Built-in players at the table that --browser sets up.", default="planner,investor,ordered"
    )
    hide: str | None = option(
        "Hide every player's cash, certificates or both at that table, where the rulebook lets it.",
        type=click.Choice(["cash", "certificates", "both"]),
    )
    clock: Annotated[float, FiniteRange(0, min_open=True), "S"] | None = option(
        "With --browser: seconds that the referee gives you for an answer. No message tells them, "
        "so without this the page shows no clock. With it, a built-in player makes a move for you "
        "just before they are over. The next move is yours again, with half the time."
    )
    start: Annotated[str, "LOG:TURN"] | None = option(
        "With --browser alone: play a recorded game on from this turn, with `planner` in the "
        "other seats. Yours is that of --name; without it, that of whoever moves.",
        "--from",
    )
    strategy: Annotated[str, "STRATEGY"] = option(
        "Built-in player (--list), misbehaving player (--cast), or your own: FILE.py:CLASS.",
        default="ordered",
        shell_complete=lambda _ctx, _option, typed: [
            name for name in plugins(STRATEGIES) if name.startswith(typed)
        ],
    )
    rulebook: Annotated[str, "ID|FILE"] | None = option(
        "TOML file of the rulebook, if the referee plays none of the five; with --browser "
        "alone also the id of one of the five."
    )
    seed: Annotated[int, click.IntRange(0), "N"] | None = option(
        "Seed for random choices.  [default: 0]"
    )
    connect_timeout: Annotated[float, FiniteRange(0), "S"] = option(
        "Seconds to keep trying to connect.", default=0.0
    )
    secret: Annotated[str, "WORD"] | None = option(
        "Secret that the referee or tournament asks for; also read from ACQUIRE_SECRET.",
        envvar="ACQUIRE_SECRET",
    )
    again: bool = option("Reconnect after each game, until none is left.")
    tls: bool = option("Connect with TLS.")
    ca: Annotated[Path, click.Path(path_type=Path, dir_okay=False, exists=True)] | None = option(
        "Trust only the certificates in this PEM file; implies --tls."
    )
    listed: bool = option("List the built-in players and exit.", "--list")
    cast: bool = option("List the players that misbehave on purpose and exit.")


play = DeclaredCommand("play", PlayOptions, "play_run:run")
