"""What the lobby page shows: matches under way and over, who waits for a table, standings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

KEPT = 100
"""Matches that are over and can still be looked at; the oldest go first."""


@dataclass(slots=True)
class Entry:
    """One match in the lobby: ``results`` are rank, name and score, once it is over."""

    id: str
    title: str
    players: list[str]
    turn: int = 0
    ending: str = ""
    results: list[list[Any]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return bool(self.ending)


@dataclass(slots=True)
class Lobby:
    """All that is shown; ``waiting`` are those signed up for the next table, of ``seats``.

    In a tournament there are ``total`` games, of which so many are ``played``, and no table to
    wait for: ``seats`` is 0. ``columns`` and ``rows`` are standings that somebody else works out.
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
    """Whether the referee is gone, and nothing will come any more."""

    def forget_old(self) -> list[str]:
        """Drop the oldest matches that are over, beyond those kept; return their ids."""
        over = [entry.id for entry in self.entries.values() if entry.over]
        dropped = over[: max(len(over) - KEPT, 0)]
        for id_ in dropped:
            del self.entries[id_]
        return dropped

    def fields(self) -> Mapping[str, Any]:
        """Return it as plain values."""
        return {
            "title": self.title,
            "closed": self.closed,
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
