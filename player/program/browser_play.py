"""``acquire play --browser``: a person plays, on a page that another package brings.

The page is an entry point of the group ``acquire.seats``, because players know nothing of it.
"""

from collections.abc import Callable
from pathlib import Path
from socket import socket
from typing import Any

import click

from ...game.rulebook import Assets, Rulebook, with_hidden_assets
from ...game.rulebooks import RULEBOOKS
from ...protocol.player_names import MAX_NAME
from ...protocol.plugins import SEATS, STRATEGIES, plugins
from ...protocol.strategy_file import names_file
from .client import Client, GameEnd, connect
from .giving_up import give_up
from .play_output import find_rulebook, report

NAME = "human"
"""The name of a person who gives none."""
CONNECT_TIMEOUT = 10.0


def _load(name: str) -> Any:
    if name not in plugins(SEATS):
        give_up("This installation has no page to play on: install the whole package again.")
    return plugins(SEATS)[name].load()


def play_a_seat(
    connect: Callable[[], socket],
    name: str,
    sign_up_name: str,
    rulebook: Rulebook | None,
    log: Callable[[], Path | None] = lambda: None,
    *,
    opens: bool,
) -> int:
    """Play one game on the page; return the exit code. ``log`` waits for a log that is here."""
    play_in_browser = _load("browser")  # first: who has connected has little time to sign up
    connection = connect()
    client = Client(connection)

    def announce(given: str) -> None:
        click.echo(f"Signed up as {name if given == sign_up_name else given}.")

    def play(make: Any) -> GameEnd:
        return client.play(sign_up_name, make, on_signed_up=announce, rulebook=rulebook)

    def show_address(address: str) -> None:
        click.echo(f"Your seat: {address}")

    passed = []

    def on_end(end: GameEnd) -> Path | None:
        passed.append(report(end, name if end.name == sign_up_name else end.name))
        found = log() if passed[0] else None
        if found is not None:
            click.echo(f"Log: {found}")
        click.echo("Close the page, or press Ctrl-C, to finish.")
        return found

    play_in_browser(connection, play, show_address, on_end, open_browser=opens)
    return 0 if all(passed) else 1


def play_at_home(
    name: str | None,
    rulebook: str | None,
    opponents: str,
    seed: int | None,
    hide: str | None,
    *,
    opens: bool,
) -> int:
    """Set up a table with built-in players and play at it; return the exit code."""
    name, named = name or NAME, rulebook or "revised"
    rules = find_rulebook(named)
    others = [one.strip() for one in opponents.split(",") if one.strip()]
    for other in others:
        if other not in plugins(STRATEGIES) and not names_file(other):
            raise click.BadParameter(
                f"{other!r} is not a built-in player. These are: {', '.join(plugins(STRATEGIES))}.",
                param_hint="'--opponents'",
            )
    _check_table(rules, len(others) + 1, name, hide)
    try:
        with _load("table")(name, named, others, seed, hide) as table:

            def connect_to_table() -> socket:
                return connect("127.0.0.1", table.port, CONNECT_TIMEOUT)

            return play_a_seat(connect_to_table, name, name, rules, table.log, opens=opens)
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
