"""The event stream of the lobby: all of it for who comes, and then what changes.

The page holds the lobby as of update *n*, and its stream begins after that, with at most two
updates a second. They are made once for all spectators, who are sent them at the same moments. A
spectator that comes back, or is too far behind, is sent all of it again.

The lobby is a value that JSON can hold. An update has the fields that are new; of each game that
has changed, its ``id`` and its new fields; and the ids of games that were ``dropped``. Of a
board, it has pairs of a cell and its new digit, if that is shorter than the whole board.
"""

from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import trio

from .event_streams import ALIVE, KEEP_ALIVE, event
from .lobby import Lobby

Fields: TypeAlias = Mapping[str, Any]

INTERVAL = 0.5
"""Seconds between two updates; what happens meanwhile is in one."""
MAX_UPDATES = 120
"""Updates that are kept for spectators who are behind; whoever is further behind is sent all."""
MAX_CELLS = 15
"""Cells of a board that are sent one by one: as long as the whole board."""


class LobbyStream:
    """What spectators of a lobby are sent. Call ``changed`` whenever the lobby may have changed."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._shown: Fields = lobby.fields()
        self._number = 0
        """How many updates there have been."""
        self._updates: deque[bytes] = deque(maxlen=MAX_UPDATES)
        self._whole: bytes | None = None
        self._due = float("-inf")
        self._news = trio.Event()

    def changed(self) -> None:
        """Wake everybody who waits for an update."""
        self._news.set()

    def fields(self) -> dict[str, Any]:
        """Return the lobby as it is shown; ``number`` is that of the last update in it."""
        self._update()
        return {**self._shown, "number": self._number}

    def _update(self) -> None:
        """Make an update of what has changed, unless it is too soon for one."""
        if not self._news.is_set() or (trio.current_time() < self._due and not self._lobby.closed):
            return
        self._news = trio.Event()
        now = self._lobby.fields()
        if update := changes(self._shown, now):
            self._shown, self._whole = now, None
            self._number += 1
            self._updates.append(event(self._number, update))
            self._due = trio.current_time() + INTERVAL

    async def messages(self, seen: int | None) -> AsyncIterator[bytes]:
        """Yield updates after number ``seen``, or else the whole lobby first, until its end."""
        while True:
            self._update()
            closed = self._lobby.closed
            if (pending := self._pending(seen)) or seen is None:
                yield pending
            seen = self._number
            if closed:
                return
            with trio.move_on_after(KEEP_ALIVE) as waiting:
                await self._news.wait()
            if waiting.cancelled_caught:
                yield ALIVE
            elif not self._lobby.closed:
                await trio.sleep_until(self._due)

    def _pending(self, seen: int | None) -> bytes:
        behind = None if seen is None else self._number - seen
        if behind is not None and 0 <= behind <= len(self._updates):
            return b"".join(list(self._updates)[len(self._updates) - behind :])
        if self._whole is None:
            self._whole = event(self._number, {"whole": True, **self._shown})
        return self._whole


def changes(before: Fields, now: Fields) -> dict[str, Any]:
    """Return the update that makes one lobby of another; it is empty if nothing has changed."""
    update = {
        key: value for key, value in now.items() if key != "matches" and before.get(key) != value
    }
    known = {game["id"]: game for game in before["matches"]}
    games = [_game_changes(known.pop(game["id"], {}), game) for game in now["matches"]]
    if changed := [game for game in games if len(game) > 1]:
        update["matches"] = changed
    if known:
        update["dropped"] = list(known)
    return update


def _game_changes(before: Fields, now: Fields) -> dict[str, Any]:
    update = {key: now[key] for key in now if key not in before or before[key] != now[key]}
    if before and "board" in update:
        update["board"] = _cells(before["board"], now["board"])
    return {"id": now["id"], **update}


def _cells(before: str, now: str) -> list[int] | str:
    pairs = enumerate(zip(before, now, strict=True))
    found = [(cell, int(new)) for cell, (old, new) in pairs if old != new]
    return [number for pair in found for number in pair] if len(found) <= MAX_CELLS else now


def applied(before: Fields, update: Fields) -> dict[str, Any]:
    """Return the lobby after an update; games that are new come first.

    >>> lobby = {"title": "", "matches": [{"id": "1", "board": "000", "turn": 1}]}
    >>> applied(lobby, {"matches": [{"id": "1", "board": [1, 8]}]})["matches"]
    [{'id': '1', 'board': '080', 'turn': 1}]
    """
    gone, fresh = {*update.get("dropped", ())}, {}
    for game in update.get("matches", ()):
        fresh[game["id"]] = game
    games = []
    for game in before["matches"]:
        changed = fresh.pop(game["id"], {})
        if game["id"] in gone:
            continue
        after = {**game, **changed}
        if isinstance(after["board"], list):
            after["board"] = _put(game["board"], after["board"])
        games.append(after)
    rest = {key: value for key, value in update.items() if key != "dropped"}
    return {**before, **rest, "matches": [*fresh.values(), *games]}


def _put(board: str, pairs: list[int]) -> str:
    cells = list(board)
    for cell, digit in zip(pairs[::2], pairs[1::2], strict=True):
        cells[cell] = str(digit)
    return "".join(cells)


def lobbies(messages: Iterable[Fields]) -> Iterator[dict[str, Any]]:
    """Yield the lobby after each message of its stream; the first message is all of it."""
    lobby: dict[str, Any] = {}
    for message in messages:
        lobby = dict(message) if message.get("whole") else applied(lobby, message)
        yield lobby
