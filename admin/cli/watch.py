"""``acquire watch``: shows a game live."""

import click

from ...protocol.commands import DeclaredCommand, argument, option, option_group
from .console import refuse


@option_group
class WatchOptions:
    """Watch a game live, at a terminal.

    The game is one that `acquire serve --web` or `acquire tournament run --web` shows at URL. In a
    terminal the board is drawn as it changes; in a pipe every event is printed as a sentence.
    Hidden hands stay hidden until the end. If no game is live, this waits for one.

    \b
        acquire watch http://127.0.0.1:8080/
        acquire watch http://127.0.0.1:8080/ --all
        acquire watch http://127.0.0.1:8080/ --match 3 > game-3.txt

    Exit codes: 0 watched to the end; 1 the referee stopped before the end; 2 there is nothing to
    watch.
    """

    url: str = argument()
    game: str | None = option(
        "Which game; by default the newest live one.", "--match", metavar="ID"
    )
    every: bool = option("Follow one game after another until none is left.", "--all")


def run(options: WatchOptions) -> None:
    """Watch a game, or one after another until none is left."""
    from ..pages.web.watcher import CannotWatch, Watcher, game_to_watch, understood
    from .safe_console import SafeConsole

    if options.game is not None and options.every:
        raise click.UsageError("Give --match or --all.")
    seen: list[str] = []
    watching = Watcher(SafeConsole())
    with understood(options.url):
        while options.every or not seen:
            try:
                chosen = game_to_watch(
                    options.url, options.game, lambda line: click.echo(line, err=True), seen
                )
            except CannotWatch:
                if seen:
                    return
                raise
            seen.append(chosen)
            try:
                watching.watch(options.url, chosen)
            except CannotWatch as error:
                refuse(str(error), 1)


watch = DeclaredCommand("watch", WatchOptions, "watch:run")
