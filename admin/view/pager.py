"""Stepping through a recorded match at a terminal, by keys."""

from collections.abc import Callable, Sequence

from rich.console import Console, Group
from rich.text import Text

from admin.view.turn_text import TurnSummary, count_turns, draw_turn

HELP = "← → turn   PgUp PgDn ten turns   Home End   e next event   q quit"
TEN = 10


class NoKeys(Exception):
    """Keys cannot be read here; the text is a user-facing message."""


def key_reader() -> Callable[[], str]:
    """Return what waits for a key, and returns its name; ``NoKeys`` where that cannot be."""
    try:
        from readchar import key, readkey
    except ImportError as error:
        raise NoKeys(
            "Stepping needs the library readchar: pip install 'acquire-referee[step]'."
        ) from error
    names = {
        key.LEFT: "back",
        key.RIGHT: "on",
        key.PAGE_UP: "far back",
        key.PAGE_DOWN: "far on",
        key.HOME: "first",
        key.END: "last",
        "e": "event",
        " ": "on",
        "q": "quit",
        key.ESC: "quit",
    }

    def read() -> str:
        return names.get(readkey(), "")

    return read


def step(
    console: Console, turns: Sequence[TurnSummary], place: int, read: Callable[[], str]
) -> None:
    """Show a turn, and go where the keys say, until one says to quit."""
    of = count_turns(turns)
    with console.screen(hide_cursor=True) as screen:
        while True:
            screen.update(Group(draw_turn(turns[place], of), Text(HELP, "dim")))
            key = read()
            if key == "quit":
                return
            place = _moved(turns, place, key)


def _moved(turns: Sequence[TurnSummary], place: int, key: str) -> int:
    """Return the place to which a key leads."""
    last = len(turns) - 1
    match key:
        case "event":
            later = range(place + 1, last + 1)
            return next((at for at in later if turns[at].eventful), last)
        case "first":
            return 0
        case "last":
            return last
    steps = {"back": -1, "on": 1, "far back": -TEN, "far on": TEN}
    return min(max(place + steps.get(key, 0), 0), last)
