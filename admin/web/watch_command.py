"""``acquire watch``: a match live, at a terminal."""

import sys

import click


@click.command(short_help="Watch a match live, at a terminal.")
@click.argument("url")
@click.option("--match", metavar="ID", help="Which match; by default the newest under way.")
def watch(url: str, match: str | None) -> None:
    """Watch a match that `acquire serve --web` shows at URL, until it is over.

    On a terminal the board is drawn as it changes; in a pipe all that happens comes as sentences.
    Hidden hands stay hidden until the end.

    \b
        acquire watch http://127.0.0.1:8080/
        acquire watch http://127.0.0.1:8080/ --match 3 > match-3.txt

    Exit codes: 0 seen to its end; 1 the server is gone before; 2 there is nothing to watch.
    """
    from admin.progress import Outlet
    from admin.web.watching import CannotWatch, Watching, match_to_watch

    try:
        chosen = match_to_watch(url, match)
    except CannotWatch as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
    try:
        Watching(Outlet()).watch(url, chosen)
    except CannotWatch as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
