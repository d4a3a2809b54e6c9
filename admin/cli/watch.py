"""``acquire watch``: the options. :mod:`acquire.admin.cli.watch_run` shows the game."""

from .declared import DeclaredCommand, argument, option, option_group


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


watch = DeclaredCommand("watch", WatchOptions, "watch_run:run")
