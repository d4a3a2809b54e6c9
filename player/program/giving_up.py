"""How the commands of players give up. Every command imports this: it imports nothing heavy."""

import sys
from typing import NoReturn

import click


def give_up(message: str) -> NoReturn:
    """Print an error and exit with 2."""
    click.echo(f"Error: {message}", err=True)
    sys.exit(2)
