"""What the lobby page shows: live and finished games, who waits for a table, standings."""

from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from .live_game import LiveGame

MAX_FINISHED = 100
"""Finished games that are kept; the oldest are dropped first."""
WAYS = ("previous", "next", "live")
"""Which other games can be asked for from a game."""


@dataclass(slots=True)
class Lobby:
    """All that the page shows; ``waiting`` players have signed up for the next table of ``seats``.

    In a tournament ``played`` of ``total`` games have been played, and ``seats`` is 0, since nobody
    waits for a table. ``columns`` and ``rows`` are the standings.
    """

    title: str = ""
    games: dict[str, LiveGame] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    seats: int = 0
    join: int = 0
    """The port of the page on which people take a seat; 0 if there is none."""
    played: int = 0
    total: int = 0
    columns: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    older: int = 0
    """How many finished games are shown no more."""
    closed: bool = False
    """Whether the referee has stopped, so that nothing changes any more."""
    report: str = ""
    """Where pages with all results are, if there are any."""

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
        return {
            "title": self.title,
            "closed": self.closed,
            "report": self.report,
            "waiting": self.waiting,
            "seats": self.seats,
            "join": self.join,
            "played": self.played,
            "total": self.total,
            "older": self.older,
            "matches": [game.fields() for game in reversed(self.games.values())],
            "standings": {"columns": self.columns, "rows": self.rows},
        }
