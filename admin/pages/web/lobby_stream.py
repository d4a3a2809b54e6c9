"""The event stream of the lobby: all of it for who comes, and then what changes.

The page holds the lobby as of update *n*, and its stream begins after that, with at most two
updates a second. They are made once for all spectators, who are sent them at the same moments. A
spectator that comes back, or is too far behind, is sent all of it again.
"""

from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import trio

from .event_streams import ALIVE, KEEP_ALIVE, event
from .lobby import Lobby
from .lobby_changes import Fields, changes

INTERVAL = 0.5
"""Seconds between two updates; what happens meanwhile is in one."""
MAX_UPDATES = 120
"""Updates that are kept for spectators who are behind; whoever is further behind is sent all."""


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
