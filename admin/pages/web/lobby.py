"""What the lobby page shows: live and finished games, who waits for a table, standings."""

from dataclasses import dataclass, field
from typing import Any, Literal

from .miniature import Miniature

MAX_FINISHED = 100
"""Finished games that are kept; the oldest are dropped first."""

WAYS = ("previous", "next", "live")
"""Which other games can be asked for from a game."""


@dataclass(slots=True)
class LobbyEntry:
    """One game in the lobby; ``results`` are rank, name, score, and whether it finished.

    ``ending`` is a sentence once it is over. It was ``abandoned`` if it did not come to its end.
    """

    id: str
    title: str
    players: list[str]
    table: Miniature
    ending: str = ""
    abandoned: bool = False
    results: list[list[Any]] = field(default_factory=list)

    @property
    def state(self) -> Literal["live", "finished", "abandoned"]:
        """How far it is."""
        if not self.ending:
            return "live"
        return "abandoned" if self.abandoned else "finished"

    @property
    def finished(self) -> bool:
        """Whether it is over, in whichever way."""
        return bool(self.ending)


@dataclass(slots=True)
class Lobby:
    """All that the page shows; ``waiting`` players have signed up for the next table of ``seats``.

    In a tournament ``played`` of ``total`` games have been played, and ``seats`` is 0, since nobody
    waits for a table. ``columns`` and ``rows`` are the standings.
    """

    title: str = ""
    entries: dict[str, LobbyEntry] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    seats: int = 0
    join: int = 0
    """The port of the page on which people take a seat; 0 if there is none."""
    played: int = 0
    total: int = 0
    columns: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    closed: bool = False
    """Whether the referee has stopped, so that nothing changes any more."""
    report: str = ""
    """Where pages with all results are, if there are any."""

    def forget_old(self) -> list[str]:
        """Drop the oldest finished games, and return their ids."""
        finished = [entry.id for entry in self.entries.values() if entry.finished]
        dropped = finished[: max(len(finished) - MAX_FINISHED, 0)]
        for id_ in dropped:
            del self.entries[id_]
        return dropped

    def beside(self, id_: str, which: str) -> str | None:
        """Return the game ``previous`` to another one, the ``next``, or the next ``live`` one.

        ``None`` if there is none. After the newest live game comes the oldest.
        """
        ids = list(self.entries)
        if id_ not in ids:
            return None
        place = ids.index(id_)
        match which:
            case "previous":
                found = ids[place - 1 : place] if place else []
            case "next":
                found = ids[place + 1 :]
            case "live":
                others = ids[place + 1 :] + ids[:place]
                found = [other for other in others if not self.entries[other].finished]
            case _:
                found = []
        return next(iter(found), None)

    def fields(self) -> dict[str, Any]:
        """Return it as values for JSON."""
        return {
            "title": self.title,
            "closed": self.closed,
            "report": self.report,
            "waiting": self.waiting,
            "seats": self.seats,
            "join": self.join,
            "played": self.played,
            "total": self.total,
            "matches": [
                {
                    "id": entry.id,
                    "title": entry.title,
                    "players": entry.players,
                    "state": entry.state,
                    **entry.table.fields(),
                    "ending": entry.ending,
                    "results": entry.results,
                }
                for entry in reversed(self.entries.values())
            ],
            "standings": {"columns": self.columns, "rows": self.rows},
        }
