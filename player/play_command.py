"""``acquire play``: seat one of this package's players at a table."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from socket import socket

    from player.client import Played


def show_house(ctx: click.Context, _option: click.Parameter, wanted: Any) -> None:
    """List the house players with a line about each, and leave."""
    if wanted and not ctx.resilient_parsing:
        from player.registry import HOUSE

        show(ctx, HOUSE)


def show_cast(ctx: click.Context, _option: click.Parameter, wanted: Any) -> None:
    """List the misbehaving players with a line about each, and leave."""
    if wanted and not ctx.resilient_parsing:
        from player.registry import HOUSE, STRATEGIES

        show(ctx, [name for name in STRATEGIES if name not in HOUSE])


def show(ctx: click.Context, names: Iterable[str]) -> None:
    """Print players with a line about each, and leave."""
    from game.rulebooks import RULEBOOKS
    from player.registry import describe, rulebooks_of

    names = list(names)
    width = max(map(len, names))
    for name in names:
        where = rulebooks_of(name)
        only = "" if len(where) == len(RULEBOOKS) else f" ({', '.join(where)})"
        click.echo(f"{name:{width}}  {describe(name)}{only}")
    ctx.exit()


@click.command(short_help="Play one match against an administrator.")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@click.option("--name", required=True, help="Name to sign up with, 1 to 64 characters.")
@click.option(
    "--strategy",
    default="ordered",
    show_default=True,
    metavar="STRATEGY",
    help="How to play: a house player (--list), or a misbehaving one (--cast).",
)
@click.option("--seed", default=0, show_default=True, help="Seed of a strategy that uses chance.")
@click.option(
    "--patience",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    metavar="S",
    help="Seconds to go on trying to connect.",
)
@click.option(
    "--secret",
    envvar="ACQUIRE_SECRET",
    help="Secret of a remote player in a tournament; or in the environment, ACQUIRE_SECRET.",
)
@click.option("--again", is_flag=True, help="Come back for the next match, until there is none.")
@click.option("--tls", is_flag=True, help="Connect by TLS.")
@click.option(
    "--ca",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Trust the certificates in this PEM file alone; by TLS.",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_house,
    help="List the house players and exit.",
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
    host: str,
    port: int,
    name: str,
    strategy: str,
    seed: int,
    patience: float,
    secret: str | None,
    again: bool,
    tls: bool,
    ca: Path | None,
) -> None:
    """Play one match against an administrator, or with --again all of a tournament's.

    The administrator says which rulebook is played, and the player plays by it. Prints "Signed up
    as NAME." as soon as the administrator has answered, and the score after the match. Seats are
    given in the order of connecting: to seat players in a fixed order, wait for this line before
    you start the next one.

    Exit codes: 0 every match was seen to its end; 1 the player was ejected or the connection lost
    (standard error has the reason); 2 it could not connect, or has nothing to break under the
    rulebook played.

    \b
        acquire play 127.0.0.1 51234 --name alice --strategy investor
        acquire play example.edu 51234 --name alice --secret ... --again --tls
    """
    import ssl

    from player.client import connect, secured
    from player.misbehaving import NotInCast
    from player.registry import HOUSE, STRATEGIES

    if strategy not in STRATEGIES:
        raise click.BadParameter(
            f"{strategy!r} is no strategy. House players are {', '.join(HOUSE)}; "
            "--cast names the misbehaving ones.",
            param_hint="'--strategy'",
        )
    sign_up_name = name if secret is None else f"{name}:{secret}"
    lost = matches = 0
    while True:
        try:
            connection = connect(host, port, patience)
            if tls or ca is not None:
                connection = secured(connection, host, ca)
            played = _play(connection, name, sign_up_name, strategy, seed + matches)
        except OSError as error:
            if matches:
                break
            if isinstance(error, ssl.SSLCertVerificationError):
                _give_up(
                    f"The certificate of {host} is not trusted: {error.verify_message}. Name a "
                    "file of certificates to trust with --ca."
                )
            if isinstance(error, ssl.SSLError):
                _give_up(f"{host} port {port} does not speak TLS as it should: {error.reason}.")
            _give_up(
                f"Cannot connect to {host} port {port}: {error.strerror or error}. Is the "
                "administrator running there? Give --patience to wait for it."
            )
        except NotInCast as error:
            _give_up(f"{error}. --cast says where it has.")
        if again and matches and _no_match(played, sign_up_name):
            break
        lost += not _tell(played._replace(name=name) if played.name == sign_up_name else played)
        matches += 1
        if not again or _no_match(played, sign_up_name):
            break
    sys.exit(1 if lost else 0)


def _play(connection: "socket", name: str, sign_up_name: str, strategy: str, seed: int) -> "Played":
    """Play one match."""
    from player.client import Client
    from player.misbehaving import signs_up_with
    from player.registry import STRATEGIES

    def announce(given: str) -> None:
        with suppress(OSError):  # the match goes on when standard output was closed
            click.echo(f"Signed up as {name if given == sign_up_name else given}.")

    maker = STRATEGIES[strategy]
    return Client(connection).play(
        sign_up_name, lambda rulebook: maker(rulebook, seed), signs_up_with(strategy), announce
    )


def _tell(played: "Played") -> bool:
    """Say how a match went; return whether it was seen to its end."""
    from protocol import messages

    match played.last:
        case messages.Score(results) | messages.ScoreView(results):
            click.echo(f"{played.name}: {dict(results).get(played.name, 0)}")
            return True
        case messages.Ejected(reason, sentence):
            click.echo(f"{played.name}: ejected ({reason}). {sentence}", err=True)
        case fault:
            click.echo(f"{played.name}: {fault}", err=True)
    return False


def _no_match(played: "Played", sign_up_name: str) -> bool:
    """Whether there was no match: no seat, or the administrator was gone before it answered."""
    from protocol import messages
    from protocol.faults import Fault, Reason

    last = played.last
    if isinstance(last, messages.Ejected):
        return last.reason == Reason.NO_SEAT.value
    return isinstance(last, Fault) and played.name == sign_up_name


def _give_up(sentence: str) -> NoReturn:
    click.echo(f"Error: {sentence}", err=True)
    sys.exit(2)
