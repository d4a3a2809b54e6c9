"""Shows the event stream of a game in a terminal."""

import json
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from itertools import islice
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    UnknownHandler,
)

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ....game.tiles import TILES
from ....protocol.rulebook_file import from_json
from ....protocol.user_error import UserError
from ...refereeing.view.board_text import draw
from ...refereeing.view.frames import Tabletop
from ...refereeing.view.outcome_text import standings_table
from ...refereeing.view.plain_text import printable, shortened
from ...refereeing.view.turn_text import PositionScreen

MISDIRECTED = 421  # the status of an answer to a name that the server does not know as its own
READ_TIMEOUT = 30.0  # seconds until a silent stream is given up; a live one is heard every 15
THIS_MACHINE = re.compile(r"localhost|::1|127\.[0-9.]+")  # the hosts of pages on this machine
LOBBY_FIELDS = {"whole", "matches", "waiting", "seats", "closed"}
"""The fields of a lobby that are read; its first message has them all."""
MAX_LINE_BYTES = 2**24  # bytes of a message; one about a whole game has about a tenth
HANDLERS = (HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler, UnknownHandler)
"""How addresses are opened: by HTTP, with an error for every status that is no success."""
MAX_SENTENCES = 6  # sentences shown below the board, if there is room


class CannotWatch(UserError):
    """There is nothing to watch; the text is a user-facing message."""


def messages(url: str, path: str) -> Iterator[dict[str, Any]]:
    """Read the messages of an event stream of a server; ``CannotWatch`` where there is none."""
    try:
        if not url.lstrip().lower().startswith(("http://", "https://")):
            raise CannotWatch(f"{printable(url)}: an address begins with http:// or https://.")
        url = urljoin(url, path)
        opener = _opener(url)
        with opener.open(url, timeout=READ_TIMEOUT) as stream:
            if "event-stream" not in stream.headers.get("content-type", ""):
                raise CannotWatch(f"{url} is not a page of `acquire serve --web`.")
            while line := stream.readline(MAX_LINE_BYTES):
                if not line.endswith(b"\n") and len(line) == MAX_LINE_BYTES:
                    raise ValueError(f"a message has more than {MAX_LINE_BYTES} bytes")
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
    except (OSError, HTTPException, RecursionError, ValueError) as error:
        raise CannotWatch(f"{url} cannot be read: {_reason(error)}.") from error


def _opener(url: str) -> OpenerDirector:
    """Return what connects to a server and nowhere else: it follows no redirects.

    Else a server could have this machine connect wherever the server cannot, and log in there.
    """
    # a proxy of the environment (http_proxy) does not reach this machine
    here = THIS_MACHINE.fullmatch(urlsplit(url).hostname or "")
    opener = OpenerDirector()
    opener.add_handler(ProxyHandler({} if here else None))
    for each in HANDLERS:
        opener.add_handler(each())
    return opener


def _reason(error: Exception) -> str:
    """Return why a server cannot be read, without a full stop; never nothing."""
    told = [str(getattr(error, "reason", "")), str(error)]
    if isinstance(error, HTTPError):
        told[1] = f"its answer has the status {error.code}"
        with error, suppress(OSError, HTTPException):
            if (place := error.headers.get("location")) and 300 <= error.code < 400:
                follow = "redirects are not followed. If you trust that address, give it instead"
                told = [f"it redirects to {shortened(place)}, and {follow}"]
            elif error.code == MISDIRECTED:
                told.insert(0, error.read(1000).decode(errors="replace"))
    stripped = (printable(shortened(" ".join(text.split()))).rstrip(".") for text in told)
    return next(filter(None, stripped), type(error).__name__)


@contextmanager
def understood(url: str) -> Iterator[None]:
    """Refuse messages that break what shows them, whatever is wrong with them; ``CannotWatch``."""
    try:
        yield
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        AssertionError,
    ) as error:
        raise CannotWatch(
            f"{url} cannot be shown: its messages are not those of a game, or a newer referee's "
            f"({error!r})."
        ) from error


def game_to_watch(
    url: str, wanted: str | None, report: Callable[[str], object], seen: Collection[str] = ()
) -> str:
    """Return the id of the wanted game, or of the newest one, or of the next one not yet seen.

    If there is none yet, wait for one, and call ``report`` with who is waiting for it. Raises
    ``CannotWatch`` if there will be none.
    """
    lobby: dict[str, Any] = {}
    games: dict[str, dict[str, Any]] = {}
    last, why = "", "the connection was lost"
    for update in messages(url, "/events"):
        lobby |= {field: update[field] for field in LOBBY_FIELDS.intersection(update)}
        if lobby.keys() != LOBBY_FIELDS:
            raise CannotWatch(f"{url} is not a page of `acquire serve --web`.")
        for game in reversed(update.get("matches", ())):  # the newest comes first
            games[game["id"]] = games.get(game["id"], {}) | game
        for gone in update.get("dropped", ()):
            games.pop(gone, None)
        if (chosen := _chosen(games, wanted, seen)) is not None:
            return chosen
        if lobby["closed"]:
            why = "the referee has stopped"
            break
        signed_up = f" {len(lobby['waiting'])} of {lobby['seats']} signed up"
        names = ", ".join(map(printable, lobby["waiting"]))
        waiting = f"Waiting for a game{f'.{signed_up}' if lobby['seats'] else ''}"
        waiting += f": {names}." if names else "."
        if waiting != last:
            report(waiting)
            last = waiting
    raise CannotWatch(f"{url}: {why}, and there is no game to watch.")


def _chosen(
    games: dict[str, dict[str, Any]], wanted: str | None, seen: Collection[str]
) -> str | None:
    """Return the wanted game; else the first one after those seen, or the newest, best a live one.

    The newest game comes last.
    """
    if wanted is not None:
        if wanted not in games:
            raise CannotWatch(f"No game {wanted!r}. Games: {', '.join(games) or 'none'}.")
        return wanted
    if seen:
        last = max((at for at, id_ in enumerate(games) if id_ in seen), default=-1)
        return next(islice(games, last + 1, None), None)
    live = [id_ for id_, game in games.items() if not game["ending"]]
    return next(reversed(live or [*games]), None)


class Watcher:
    """Shows one game: the board and the last sentences; in a pipe, sentences alone."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._game = ""
        self._table: Tabletop | None = None
        self._sentences: deque[str] = deque(maxlen=MAX_SENTENCES)

    def watch(self, url: str, game: str) -> None:
        """Follow a game to its end; raises ``CannotWatch`` if the end is never reached."""
        self._game, self._table = printable(game), None
        self._sentences.clear()
        end: dict[str, Any] = {}
        try:
            with Live(console=self._console, auto_refresh=False) as display:
                for message in messages(url, f"/match/{quote(game)}/events"):
                    self._take(message)
                    if self._console.is_terminal and self._table is not None and self._sentences:
                        display.update(self._drawn(self._table), refresh=True)
                    if message.get("over") or message.get("sealed"):
                        end = message
                        break
        finally:
            if not self._console.is_terminal and self._table is not None:
                self._console.print(draw(self._table.state, self._table.rows))
        if not end:
            raise CannotWatch("The connection to the server was lost before the game finished.")
        if self._console.is_terminal and self._table is not None and self._table.standings:
            self._console.print()
            self._console.print(standings_table(self._table.standings))
        if end.get("cut"):
            raise CannotWatch(f"The game did not finish: {end['cut']}")
        if end.get("sealed"):
            self._console.print("The game is over. Hidden hands stay hidden for now.")

    def _take(self, message: dict[str, Any]) -> None:
        revealed = "match" in message and self._table is not None
        if "match" in message:
            game = message["match"]
            self._table = Tabletop(from_json(game["rulebook"]), game["names"])
        if self._table is None:
            raise CannotWatch("The first message of the game does not describe it.")
        for step in message.get("steps", []):
            self._table.put(step)
            if revealed:
                continue  # it was told when it happened
            self._sentences.append(printable(shortened(step["text"])))
            if not self._console.is_terminal:
                self._console.print(Text(self._sentences[-1]))

    def _drawn(self, table: Tabletop) -> PositionScreen:
        head = Text(f"Game {self._game}, turn {table.turn}", "bold")
        foot = Text(f"{table.bag} tiles in the bag; Ctrl-C ends watching", "dim")
        happened = Text("\n".join(self._sentences))
        tile = None if table.last is None else TILES[table.last]
        return PositionScreen(head, table.state, table.rows, happened, foot, tile)
