"""What the lobby page shows: live and finished games, who waits for a table, standings.

The stream of the page begins with all of it; then come at most two updates a second. They are made
once for all spectators, who are sent them at the same moments. A spectator that comes back, or has
missed one, is sent all of it again.

The lobby is a value that JSON can hold. An update has the fields that are new; of each game that
has changed, its ``id`` and its new fields; and the ids of games that were ``dropped``. Of a
board, it has pairs of a cell and its new digit, if that is shorter than the whole board.
"""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field, fields
from itertools import chain
from typing import Any, TypeAlias

import trio

from .application import ALIVE, KEEP_ALIVE, event
from .live_game import LiveGame

Fields: TypeAlias = Mapping[str, Any]

INTERVAL = 0.5  # seconds between two updates; what happens meanwhile is in one
MAX_CELLS = 15  # cells of a board that are sent one by one: as long as the whole board
MAX_FINISHED = 100  # finished games that are kept; the oldest are dropped first
WAYS = ("previous", "next", "live")  # which other games can be asked for from a game


@dataclass(slots=True)
class Lobby:
    """All that the page shows; the feed sets fields by their names."""

    title: str = ""
    games: dict[str, LiveGame] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)  # players signed up for the next table
    seats: int = 0  # at the next table; 0 in a tournament, where nobody waits for a table
    join: int = 0  # the port of the page on which people take a seat; 0 if there is none
    played: int = 0  # games of a tournament that have been played
    total: int = 0  # games of a tournament in all
    standings: Fields = field(default_factory=lambda: {"columns": [], "rows": []})
    older: int = 0  # how many finished games are shown no more
    closed: bool = False  # whether the referee has stopped, so that nothing changes any more
    report: str = ""  # where pages with all results are, if there are any

    def forget_old(self) -> None:
        """Drop the oldest finished games."""
        finished = [game.id for game in self.games.values() if game.ending]
        for id_ in finished[: max(len(finished) - MAX_FINISHED, 0)]:
            del self.games[id_]
            self.older += 1

    def beside(self, id_: str, which: str) -> str | None:
        """Return the game ``previous`` to another one, the ``next``, or the next ``live`` one.

        ``None`` if there is none. After the newest live game comes the oldest.
        """
        ids = [*self.games]
        if id_ not in ids:
            return None
        before, after = ids[: ids.index(id_)], ids[ids.index(id_) + 1 :]
        found = {
            "previous": reversed(before),
            "next": iter(after),
            "live": (other for other in chain(after, before) if not self.games[other].ending),
        }
        return next(found[which], None)

    def fields(self) -> dict[str, Any]:
        """Return it as values for JSON; the newest game comes first."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        games: dict[str, LiveGame] = found.pop("games")
        return {**found, "matches": [game.fields() for game in reversed(games.values())]}


class LobbyStream:
    """What spectators of a lobby are sent. Call ``changed`` whenever the lobby may have changed."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._shown: Fields = lobby.fields()
        self._number = 0  # how many updates there have been
        self._latest = b""
        self._whole: bytes | None = None
        self._due = float("-inf")
        self._news = trio.Event()

    def changed(self) -> None:
        """Wake everybody who waits for an update."""
        self._news.set()

    def _update(self) -> None:
        """Make an update of what has changed, unless it is too soon for one."""
        if not self._news.is_set() or (trio.current_time() < self._due and not self._lobby.closed):
            return
        self._news = trio.Event()
        now = self._lobby.fields()
        if update := changes(self._shown, now):
            self._shown, self._whole = now, None
            self._number += 1
            self._latest = event(update)
            self._due = trio.current_time() + INTERVAL

    async def messages(self) -> AsyncGenerator[bytes, None]:
        """Yield the whole lobby, and then updates until its end; all of it again to the slow."""
        seen: int | None = None
        while True:
            self._update()
            closed, before, seen = self._lobby.closed, seen, self._number
            if before == seen - 1:
                yield self._latest
            elif before != seen:
                if self._whole is None:
                    self._whole = event({"whole": True, **self._shown})
                yield self._whole
            if closed:
                return
            with trio.move_on_after(KEEP_ALIVE) as waiting:
                if seen == self._number:  # or there was news while it was sent
                    await self._news.wait()
            if waiting.cancelled_caught:
                yield ALIVE
            elif not self._lobby.closed:
                await trio.sleep_until(self._due)


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
