"""Stepping through a recorded game at a terminal, by the keys of the replay page.

The page goes by steps and by turns, the terminal by turns alone.
"""

from collections.abc import Callable, Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from ..play.extras import why_missing
from .board_text import BoardAndHotels, draw_players
from .turn_text import TurnSummary, count_turns, draw_happened, draw_title

HELP = "q quit  ← → PgUp PgDn turn  p n event  Home  End r result"


class NoKeys(Exception):
    """Keys cannot be read here; the text is a user-facing message."""


def key_reader() -> Callable[[], str]:
    """Return what waits for a key, and returns its name; ``NoKeys`` where that cannot be."""
    try:
        from readchar import key, readkey
    except ImportError as error:
        raise NoKeys(f"Keys cannot be read: {why_missing(error) or error}") from error
    names = {
        key.LEFT: "back",
        key.RIGHT: "on",
        key.PAGE_UP: "back",
        key.PAGE_DOWN: "on",
        key.HOME: "first",
        key.END: "last",
        "\x1b[1~": "first",
        "\x1b[4": "last",  # tmux and others send this and a ~, which is no key here
        "p": "event back",
        "n": "event",
        "r": "last",
        "q": "quit",
        key.ESC: "quit",
    }

    def read() -> str:
        return names.get(readkey(), "")

    return read


def step(
    console: Console, turns: Sequence[TurnSummary], place: int, read: Callable[[], str]
) -> None:
    """Show a turn, and go where the keys lead, until one quits."""
    of = count_turns(turns)
    with console.screen(hide_cursor=True) as screen:
        while True:
            screen.update(TurnScreen(turns[place], of))
            key = read()
            if key == "quit":
                return
            place = _moved(turns, place, key)


class TurnScreen:
    """A turn that fills the screen: the position, what happened, and the keys on the last line.

    Where there is no room for all that happened, the last of it is shown.
    """

    def __init__(self, turned: TurnSummary, of: int) -> None:
        self._turned = turned
        self._of = of

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        turned, height = self._turned, options.height or console.height

        def lines(*parts: RenderableType) -> list[list[Segment]]:
            return console.render_lines(Group(*parts), options.update(height=None))

        board = lines(draw_title(turned, self._of), BoardAndHotels(turned.state))
        players = lines(draw_players(turned.state.rulebook, turned.players, wrap=False))
        happened = lines(draw_happened(turned)) if turned.happened else []
        keys = lines(Text(HELP, "dim", no_wrap=True, overflow="ellipsis"))[:1]
        room = height - len(keys) - len(board) - len(players)
        if len(happened) > room:
            cut = max(room - 1, 0)
            happened = lines(Text("  ..", "dim"))[:room] + happened[len(happened) - cut :]
        empty, spare = lines(Text()), room - len(happened)
        position = [*board, *(empty if spare > 0 else []), *players, *(empty if spare > 1 else [])]
        shown = [*position, *happened][: height - len(keys)]
        shown += empty * (height - len(keys) - len(shown))
        for line in shown:
            yield from line
            yield Segment.line()
        yield from keys[0]


def _moved(turns: Sequence[TurnSummary], place: int, key: str) -> int:
    """Return the place to which a key leads."""
    last = len(turns) - 1
    match key:
        case "event":
            later = range(place + 1, last + 1)
            return next((at for at in later if turns[at].eventful), last)
        case "event back":
            return next((at for at in range(place - 1, 0, -1) if turns[at].eventful), 0)
        case "first":
            return 0
        case "last":
            return last
    steps = {"back": -1, "on": 1}
    return min(max(place + steps.get(key, 0), 0), last)
