"""``acquire play``: seat one of this package's players at a table."""

import sys
from collections.abc import Iterable
from typing import Any

import click


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
def play(host: str, port: int, name: str, strategy: str, seed: int, patience: float) -> None:
    """Play one match against an administrator.

    The administrator says which rulebook is played, and the player plays by it. Prints the
    player's score. Exit codes: 0 the match was seen to its end; 1 the player was ejected or the
    connection lost, and why is said on standard error; 2 it could not connect, or has nothing to
    break under the rulebook played.

    \b
        acquire play 127.0.0.1 51234 --name alice --strategy investor
    """
    from player.client import Client, connect
    from player.misbehaving import NotInCast, signs_up_with
    from player.registry import HOUSE, STRATEGIES
    from protocol import messages

    if strategy not in STRATEGIES:
        raise click.BadParameter(
            f"{strategy!r} is no strategy. House players are {', '.join(HOUSE)}; "
            "--cast names the misbehaving ones.",
            param_hint="'--strategy'",
        )
    try:
        connection = connect(host, port, patience)
    except OSError as error:
        click.echo(
            f"Error: Cannot connect to {host} port {port}: {error.strerror or error}. Is the "
            "administrator running there? Give --patience to wait for it.",
            err=True,
        )
        sys.exit(2)
    maker = STRATEGIES[strategy]
    try:
        played = Client(connection).play(
            name, lambda rulebook: maker(rulebook, seed), signs_up_with(strategy)
        )
    except NotInCast as error:
        click.echo(f"Error: {error}. --cast says where it has.", err=True)
        sys.exit(2)
    match played.last:
        case messages.Score(results) | messages.SeenScore(results):
            click.echo(f"{played.name}: {dict(results).get(played.name, 0)}")
        case messages.Ejected(reason, sentence):
            click.echo(f"{played.name}: ejected ({reason}). {sentence}", err=True)
            sys.exit(1)
        case fault:
            click.echo(f"{played.name}: {fault}", err=True)
            sys.exit(1)
