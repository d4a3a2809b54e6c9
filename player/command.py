"""``acquire play``: seat one of this package's players at a table."""

import sys

import click


@click.command(short_help="Play one match against an administrator.")
@click.argument("host")
@click.argument("port", type=click.IntRange(1, 65535))
@click.option("--name", required=True, help="Name to sign up with, 1 to 64 characters.")
@click.option("--strategy", default="ordered", show_default=True, help="How to play; see below.")
@click.option("--seed", default=0, show_default=True, help="Seed of a strategy that uses chance.")
@click.option(
    "--patience",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    metavar="S",
    help="Seconds to go on trying to connect.",
)
def play(host: str, port: int, name: str, strategy: str, seed: int, patience: float) -> None:
    """Play one match against an administrator.

    Exit code 0 when the match was seen to its end, 1 when the player was ejected or the connection
    lost, 2 when it could not connect.
    """
    from game.rulebook import REVISED
    from player.client import Client, connect
    from player.registry import STRATEGIES
    from protocol import messages

    if strategy not in STRATEGIES:
        raise click.BadParameter(
            f"{strategy!r} is no strategy; there are {', '.join(STRATEGIES)}.",
            param_hint="'--strategy'",
        )
    try:
        connection = connect(host, port, patience)
    except OSError as error:
        raise click.UsageError(
            f"Cannot connect to {host} port {port}: {error.strerror}. Is the administrator "
            "running there? Give --patience to wait for it."
        ) from error
    played = Client(connection, REVISED).play(name, STRATEGIES[strategy](REVISED, seed))
    match played.last:
        case messages.Score(results):
            click.echo(f"{played.name}: {dict(results).get(played.name, 0)}")
        case messages.Ejected(reason, sentence):
            click.echo(f"{played.name}: ejected ({reason}). {sentence}", err=True)
            sys.exit(1)
        case fault:
            click.echo(f"{played.name}: {fault}", err=True)
            sys.exit(1)
