"""Aliases instead of names, wherever a public report has text.

The alias of a player follows from the secret of the tournament, so it stays the same as long as
that is kept, and nobody else can find out whose it is. Built-in players keep their names.
"""

import re
from collections.abc import Iterable, Mapping

from ..planning.facts import PlayerAndKind
from ..planning.roster import Student
from ..standings.csv_tables import csv_text
from ..store.secret_file import TournamentSecret

COLUMNS = ("id", "name", "section", "player", "alias")
MIN_LENGTH = 4
"""Characters of a name from which on it is looked for within words too."""


class Aliases:
    """The aliases of all who have taken part; ``students`` are those of the roster."""

    def __init__(
        self,
        secret: TournamentSecret,
        players: Iterable[PlayerAndKind],
        students: Iterable[Student],
    ) -> None:
        self._secret = secret
        self._students = tuple(students)
        self._by_name = {
            player.name: secret.alias(player.name)
            for player in players
            if not player.kind.startswith("strategy")
        }
        words = {*self._by_name, *_long_parts(self._by_name)}
        for student in self._students:
            words |= {student.id, student.name, student.team, *student.name.split()}
            words |= _long_parts([student.name, student.team])
        self._words = _pattern(words)
        self._folded = {name.casefold(): alias for name, alias in self._by_name.items()}

    def of(self, name: str) -> str:
        """Return the alias of a player, or the name of a built-in one."""
        return self._by_name.get(name, name)

    @property
    def by_name(self) -> Mapping[str, str]:
        """All aliases."""
        return self._by_name

    def version(self, version: str) -> str:
        """Return what stands for a version."""
        return self._secret.version_alias(version) if version else ""

    def in_text(self, text: str) -> str:
        """Return a sentence of the referee with aliases for names."""
        return self._words.sub(
            lambda word: self._folded.get(word[0].casefold(), "x" * len(word[0])), text
        )

    def masked(self, text: str) -> str:
        """Return text in which each name and id is made unreadable, with as many bytes."""
        return self._words.sub(lambda word: "x" * len(word[0].encode(errors="replace")), text)

    def masked_bytes(self, data: bytes) -> bytes:
        """Return bytes that a player has sent, without names and ids, and as many."""
        text = data.decode(errors="surrogateescape")
        return self._words.sub(lambda word: "x" * len(word[0].encode()), text).encode(
            errors="surrogateescape"
        )

    def csv(self) -> str:
        """Return whose aliases these are, as CSV, for the instructor alone."""
        listed = {student.player for student in self._students}
        others = (Student(name) for name in self._by_name if name not in listed)
        return csv_text(
            COLUMNS,
            (
                (*student[:2], student.section, student.player, self._secret.alias(student.player))
                for student in (*self._students, *others)
            ),
        )


def _long_parts(names: Iterable[str]) -> set[str]:
    """Return the parts of names that say whose they are even within other words."""
    return {
        part for name in names for part in re.findall(r"[^\W_]+", name) if len(part) >= MIN_LENGTH
    }


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds some words, short ones only where they stand alone."""
    parts = [
        re.escape(word)
        if len(word) >= MIN_LENGTH or any(map(str.isdigit, word))
        else rf"(?<!\w){re.escape(word)}(?!\w)"
        for word in sorted(words, key=lambda word: (-len(word), word))
        if len(word) > 1
    ]
    return re.compile("|".join(parts) or r"(?!)", re.IGNORECASE)
