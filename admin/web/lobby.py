"""What the lobby page shows: live and finished matches, who waits for a table, standings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_FINISHED = 100
"""Finished matches that are kept; the oldest are dropped first."""


@dataclass(slots=True)
class Entry:
    """One match in the lobby; ``results`` are rank, name, score, and whether it finished."""

    id: str
    title: str
    players: list[str]
    turn: int = 0
    ending: str = ""
    results: list[list[Any]] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether it has ended."""
        return bool(self.ending)


@dataclass(slots=True)
class Lobby:
    """All that the page shows; ``waiting`` players have signed up for the next table of ``seats``.

    In a tournament ``played`` of ``total`` games have been played, and ``seats`` is 0, since nobody
    waits for a table. ``columns`` and ``rows`` are the standings.
    """

    title: str = ""
    entries: dict[str, Entry] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    seats: int = 0
    played: int = 0
    total: int = 0
    columns: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    closed: bool = False
    """Whether the server has stopped, so that nothing changes any more."""
    report: str = ""
    """Where pages with all results are, if there are any."""

    def forget_old(self) -> list[str]:
        """Drop the oldest finished matches, and return their ids."""
        finished = [entry.id for entry in self.entries.values() if entry.finished]
        dropped = finished[: max(len(finished) - MAX_FINISHED, 0)]
        for id_ in dropped:
            del self.entries[id_]
        return dropped

    def fields(self) -> Mapping[str, Any]:
        """Return it as values for JSON."""
        return {
            "title": self.title,
            "closed": self.closed,
            "report": self.report,
            "waiting": self.waiting,
            "seats": self.seats,
            "played": self.played,
            "total": self.total,
            "matches": [
                {
                    "id": entry.id,
                    "title": entry.title,
                    "players": entry.players,
                    "turn": entry.turn,
                    "ending": entry.ending,
                    "results": entry.results,
                }
                for entry in reversed(self.entries.values())
            ],
            "standings": {"columns": self.columns, "rows": self.rows},
        }
