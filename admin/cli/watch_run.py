"""Shows a game live for ``acquire watch``."""

import click

from ..pages.web.watcher import CannotWatch, Watcher, game_to_watch
from .console import refuse
from .safe_console import SafeConsole
from .watch import WatchOptions


def run(options: WatchOptions) -> None:
    """Watch a game, or one after another until none is left."""
    if options.game is not None and options.every:
        raise click.UsageError("Give --match or --all.")
    seen: list[str] = []
    watching = Watcher(SafeConsole())
    while options.every or not seen:
        try:
            chosen = game_to_watch(
                options.url, options.game, lambda line: click.echo(line, err=True), seen
            )
        except CannotWatch as error:
            if seen:
                return
            refuse(str(error))
        seen.append(chosen)
        try:
            watching.watch(options.url, chosen)
        except CannotWatch as error:
            refuse(str(error), 1)
