"""Watching at a terminal what the pages of a server show."""

import json
from collections.abc import Callable, Collection, Iterator
from http.client import HTTPException
from itertools import takewhile
from typing import Any
from urllib.parse import quote, urljoin
from urllib.request import Request, urlopen

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from admin.view.board_text import draw
from admin.view.plain_text import printable
from admin.view.tabletop import Tabletop
from game.rulebook import with_hidden_assets
from game.rulebooks import RULEBOOKS

PATIENCE = 30.0
"""Seconds without a sign of life after which a stream is given up; it has one every 15."""
LOBBY = {"matches", "waiting", "seats", "closed"}
"""What a lobby's message has, beside other things."""
LAST = 6
"""Sentences shown below the board."""


class CannotWatch(Exception):
    """There is nothing to watch; the text is for people."""


def messages(url: str) -> Iterator[dict[str, Any]]:
    """Read the messages of an event stream; ``CannotWatch`` where there is none."""
    if not url.startswith(("http://", "https://")):
        raise CannotWatch(f"{url}: an address begins with http:// or https://.")
    try:
        with urlopen(Request(url), timeout=PATIENCE) as stream:
            if "event-stream" not in stream.headers.get("content-type", ""):
                raise CannotWatch(f"{url} is not a page of `acquire serve --web`.")
            for line in stream:
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise CannotWatch(f"{url} cannot be read: {reason}.") from error


def _page(url: str, path: str) -> str:
    """Return the address of a page of the server; ``CannotWatch`` where the URL is none."""
    try:
        return urljoin(url, path)
    except ValueError as error:
        raise CannotWatch(f"{url} cannot be read: {error}.") from error


def match_to_watch(
    url: str, wanted: str | None, tell: Callable[[str], object], seen: Collection[str] = ()
) -> str:
    """Return the id of the match that is wanted, or of the newest, or of the next after some seen.

    Where there is none yet, one is waited for, and ``tell`` is called with who waits for it.
    ``CannotWatch`` where there will be none.
    """
    last, closed = "", False
    for lobby in messages(_page(url, "/events")):
        if not lobby.keys() >= LOBBY:
            raise CannotWatch(f"{url} is not a page of `acquire serve --web`.")
        chosen = _wanted(lobby, wanted) if wanted is not None else _next(lobby, seen)
        if chosen is not None:
            return chosen
        if closed := lobby["closed"]:
            break
        if (told := _who_waits(lobby)) != last:
            tell(told)
            last = told
    why = "the referee has ended" if closed else "the server is gone"
    raise CannotWatch(f"{url}: {why}, and there is no match to watch.")


def _wanted(lobby: dict[str, Any], wanted: str) -> str:
    ids = [match["id"] for match in lobby["matches"]]
    if wanted not in ids:
        raise CannotWatch(f"There is no match {wanted!r}. There are: {', '.join(ids) or 'none'}.")
    return wanted


def _next(lobby: dict[str, Any], seen: Collection[str]) -> str | None:
    """Return the newest match, under way if there is one; after some the one that came next."""
    matches = lobby["matches"]  # the newest first
    if seen:
        newer = list(takewhile(lambda match: match["id"] not in seen, matches))
        return newer[-1]["id"] if newer else None
    under_way = [match["id"] for match in matches if not match["ending"]]
    return next(iter(under_way or [match["id"] for match in matches]), None)


def _who_waits(lobby: dict[str, Any]) -> str:
    """Say that nothing is under way, and who is here already."""
    names = ", ".join(map(printable, lobby["waiting"]))
    who = f": {names}" if names else ""
    if lobby["seats"]:
        return f"Waiting for a match. {len(lobby['waiting'])} of {lobby['seats']} signed up{who}."
    return f"Waiting for a match{who}."


class Watching:
    """One match at a terminal: the board at the top and the last sentences; plain in a pipe."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._match = ""
        self._table: Tabletop | None = None
        self._told: list[str] = []

    def watch(self, url: str, match: str) -> None:
        """Follow a match to its end; ``CannotWatch`` where that does not come."""
        self._match, self._table, self._told = printable(match), None, []
        end: dict[str, Any] = {}
        try:
            with Live(console=self._console, auto_refresh=False) as live:
                for message in messages(_page(url, f"/match/{quote(match)}/events")):
                    self._take(message)
                    if self._console.is_terminal and self._table is not None:
                        live.update(self._drawn(self._table), refresh=True)
                    if message.get("over") or message.get("sealed"):
                        end = message
                        break
        finally:
            if not self._console.is_terminal and self._table is not None:
                self._console.print(draw(self._table.state))
        if not end:
            raise CannotWatch("The server is gone; the match was not seen to its end.")
        if end.get("cut"):
            raise CannotWatch("The referee has ended before the match did.")
        if end.get("sealed"):
            self._console.print("The match is over. Hidden hands stay hidden for now.")

    def _take(self, message: dict[str, Any]) -> None:
        if "match" in message:
            told = message["match"]
            if told["rulebook"] not in RULEBOOKS:
                known = ", ".join(RULEBOOKS)
                raise CannotWatch(
                    f"The match is by a rulebook {told['rulebook']!r}; known here are {known}. "
                    "Is the server newer?"
                )
            rulebook = RULEBOOKS[told["rulebook"]]
            if told["hide_assets"]:
                rulebook = with_hidden_assets(rulebook)
            self._table = Tabletop(rulebook, told["names"])
        assert self._table is not None, "a match is introduced first"
        again = "reveal" in message and bool(self._told)  # what was seen without hidden hands
        for step in [*message.get("reveal", []), *message.get("steps", [])]:
            self._table.put(step)
            self._tell(step["text"], again=again)

    def _tell(self, text: str, *, again: bool) -> None:
        """Keep a sentence, and print it where there is no terminal, unless it was told before."""
        if again:
            return
        self._told.append(printable(text))
        if not self._console.is_terminal:
            self._console.print(Text(self._told[-1]))

    def _drawn(self, table: Tabletop) -> Group:
        head = Text(f"Match {self._match}, turn {table.turn}", "bold")
        head.append(f", {table.bag} tiles in the bag", "dim")
        return Group(head, draw(table.state), Text("\n".join(self._told[-LAST:])))
