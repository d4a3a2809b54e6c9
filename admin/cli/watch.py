"""``acquire watch``: a game live, at a terminal."""

import click

from .console import refuse


@click.command(short_help="Watch a game live, at a terminal.")
@click.argument("url")
@click.option("--match", "game", metavar="ID", help="Which game; by default the newest live one.")
@click.option(
    "--all", "every", is_flag=True, help="Follow one game after another until none is left."
)
def watch(url: str, game: str | None, every: bool) -> None:
    """Watch a game that `acquire serve --web` or `acquire tournament run --web` shows at URL.

    In a terminal the board is drawn as it changes; in a pipe every event is printed as a sentence.
    Hidden hands stay hidden until the end. If no game is live, this waits for one.

    \b
        acquire watch http://127.0.0.1:8080/
        acquire watch http://127.0.0.1:8080/ --all
        acquire watch http://127.0.0.1:8080/ --match 3 > game-3.txt

    Exit codes: 0 watched to the end; 1 the referee stopped before the end; 2 there is nothing to
    watch.
    """
    from ..pages.web.watcher import CannotWatch, Watcher, game_to_watch
    from .safe_console import SafeConsole

    if game is not None and every:
        raise click.UsageError("Give --match or --all.")
    seen: list[str] = []
    watching = Watcher(SafeConsole())
    while every or not seen:
        try:
            chosen = game_to_watch(url, game, lambda line: click.echo(line, err=True), seen)
        except CannotWatch as error:
            if seen:
                return
            refuse(str(error))
        seen.append(chosen)
        try:
            watching.watch(url, chosen)
        except CannotWatch as error:
            refuse(str(error), 1)
