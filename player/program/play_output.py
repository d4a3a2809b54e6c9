"""What ``acquire play`` prints at the end, and how it gives up."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, assert_never

import click

if TYPE_CHECKING:
    from ...game.rulebook import Rulebook
    from .client import GameEnd


def find_rulebook(name: str) -> "Rulebook":
    """Find one of the five, or read a file."""
    from ...game.rulebooks import RULEBOOKS
    from ...protocol import rulebook_file
    from ...protocol.settings_file import InvalidFile

    if name in RULEBOOKS:
        return RULEBOOKS[name]
    if not Path(name).is_file():
        raise click.BadParameter(
            f"{name!r} is neither a file nor one of {', '.join(RULEBOOKS)}.",
            param_hint="'--rulebook'",
        )
    try:
        return rulebook_file.read(Path(name))
    except InvalidFile as error:
        give_up(str(error))


def report(end: "GameEnd", name: str) -> bool:
    """Print how a game ended for the player; return whether it was played to its end.

    ``name`` is printed: the one signed up with may hold the secret.
    """
    from ...protocol import messages
    from ...protocol.faults import Fault

    match end.last:
        case messages.Score(results) | messages.ScoreView(results):
            click.echo(f"{name}: {dict(results).get(end.name, 0)}")
            return True
        case messages.Ejected(reason, sentence):
            click.echo(f"{name}: ejected ({reason}). {sentence}", err=True)
            return False
        case Fault() as fault:
            click.echo(f"{name}: {fault}", err=True)
            return False
        case _:
            assert_never(end.last)


def give_up(message: str) -> NoReturn:
    """Print an error and exit with 2."""
    click.echo(f"Error: {message}", err=True)
    sys.exit(2)
