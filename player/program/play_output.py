"""What ``acquire play`` prints at the end; and the rulebook that it is given."""

from typing import assert_never

import click

from ...game.rulebook import Rulebook
from ...protocol import messages
from ...protocol.faults import Fault
from ...protocol.rulebook_file import UnknownRulebook, find
from ...protocol.settings_file import InvalidFile
from .client import GameEnd
from .giving_up import give_up


def find_rulebook(name: str) -> Rulebook:
    """Find one of the five, or read a file."""
    try:
        return find(name)
    except UnknownRulebook as error:
        raise click.BadParameter(str(error), param_hint="'--rulebook'") from error
    except InvalidFile as error:
        give_up(str(error))


def report(end: GameEnd, name: str) -> bool:
    """Print how a game ended for the player; return whether it was played to its end.

    ``name`` is printed: the one signed up with may hold the secret.
    """
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
