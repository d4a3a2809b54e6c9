"""Who has played in a tournament, with which version; and so, which games count.

An entry is one player with one version. A new version of a program, a player that returns after
it was withdrawn, or one whose losses are forgiven, is a new entry; numbers are never used again. A
game counts as long as all its players' entries are current; the games of earlier entries are
archived.

The number of a table is that of its combination of entries in colexicographic order
(:func:`table_number`), so it stays the same when others join or leave, and the entries follow from
it. The id of a game thus says who met, with which versions, and nothing has to be moved, marked or
deleted when a game does not count any more. In rounds, entries have a first and a last round
instead. A program whose losses are forgiven is a new entry with the same version, so that the store
stays a history to which only rows are added, and the audit needs no exception.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import comb
from typing import Annotated, NamedTuple

from pydantic import FailFast, Field, TypeAdapter

from .checked_json import STRICT, InvalidFields, PlayerName, Sentences, read_checked
from .result import GameResult

MAX_ENTRIES = 1_000_000
MAX_VOIDS = 5  # attempts at a game that may be void in one run before it is given up
RoundNumber = Annotated[int, Field(ge=0, le=10**6)]


class Participant(NamedTuple):
    """A player as it takes part: its name, how it plays, and the version of its program if any."""

    name: str
    kind: str
    version: str = ""


class Entry(NamedTuple):
    """A participant from the round ``first`` to the round ``last``, ``None`` while it is current.

    Outside ladders there is only round 0.
    """

    number: Annotated[int, Field(ge=1, le=MAX_ENTRIES)]
    name: PlayerName
    kind: Sentences
    version: Annotated[str, Field(max_length=64)] = ""
    first: RoundNumber = 0
    last: RoundNumber | None = None
    series: RoundNumber = 0  # number of the series of bags open when the entry ended, or 0

    @property
    def participant(self) -> Participant:
        """The player as it takes part."""
        return Participant(self.name, self.kind, self.version)

    def plays_in(self, number: int) -> bool:
        """Whether the entry takes part in a round."""
        return self.first <= number and (self.last is None or number <= self.last)


_ENTRIES = TypeAdapter(Annotated[tuple[Entry, ...], FailFast()], config=STRICT)


class Changes(NamedTuple):
    """What has changed since the run before, by name; of ``retried`` ones losses are forgiven."""

    joined: tuple[str, ...] = ()
    new_versions: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    retried: tuple[str, ...] = ()


class Entries:
    """All entries of a tournament, in the order of their numbers."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.all = tuple(entries)
        self.current = tuple(entry for entry in self.all if entry.last is None)
        self._tables: dict[tuple[int, int], dict[str, Entry]] = {}
        self._by_name: dict[str, list[Entry]] = {}
        for entry in self.all:
            self._by_name.setdefault(entry.name, []).append(entry)

    @classmethod
    def of(cls, participants: Iterable[Participant]) -> "Entries":
        """Return the entries of a new tournament."""
        return cls(Entry(number, *one) for number, one in enumerate(participants, 1))

    @classmethod
    def read(cls, written: str | None) -> "Entries":
        """Return the entries in a store's ``entries``; ``InvalidFields``."""
        entries = read_checked(_ENTRIES, "[]" if written is None else written)
        if [entry.number for entry in entries] != list(range(1, len(entries) + 1)):
            raise InvalidFields("they are not numbered from 1")
        current = [entry.name for entry in entries if entry.last is None]
        if len(set(current)) != len(current):
            raise InvalidFields("a player has two current entries")
        return cls(entries)

    def written(self) -> str:
        """Return the entries as a store has them."""
        return json.dumps([entry._asdict() for entry in self.all], ensure_ascii=False)

    def of_player(self, name: str) -> Sequence[Entry]:
        """Return the entries of one player, in order; empty if it never took part."""
        return self._by_name.get(name, [])

    def of_game(self, game: str, players: Sequence[str]) -> tuple[Entry, ...] | None:
        """Return the entries that met in a game, in the order of ``players``; ``None`` if none did.

        In a round they are those of the time; elsewhere the number of the table tells.
        """
        if number := number_in(game, "r"):
            own = (self.of_player(name) for name in players)
            met = {one.name: one for each in own for one in each if one.plays_in(number)}
        else:
            met = self.at_table(number_in(game, "t"), len(players))
        return tuple(met[name] for name in players) if met.keys() >= {*players} else None

    def at_table(self, table: int, seats: int) -> dict[str, Entry]:
        """Return the entries that meet at a table, by name; none if there is no such table."""
        if (table, seats) not in self._tables:
            met: list[Entry] = []
            if 1 <= table <= comb(len(self.all), seats):
                met = [self.all[number - 1] for number in members_of(table, seats)]
            self._tables[table, seats] = {entry.name: entry for entry in met}
        return self._tables[table, seats]

    def counts(self, game: str, players: Sequence[str]) -> bool:
        """Whether a game counts: all who met there are still current."""
        if not self.all:
            return True
        found = self.of_game(game, players)
        return found is not None and all(entry.last is None for entry in found)

    def updated(
        self,
        participants: Iterable[Participant],
        *,
        series: int,
        ladder: bool,
        started: int = 0,
        retried: Collection[str] = (),
    ) -> tuple["Entries", Changes]:
        """Return the entries after a change of participants, and what has changed.

        Players that are ``retried`` have a new entry with the same version. ``series`` is the
        number of the open series of bags, 0 if there is none; ``started`` is the last round of
        which a game was played, 0 if there is none. A participant that left during the open series
        and returns becomes current again, with all its games; not so in a ladder.
        """
        wanted, entries = {one.name: one for one in participants}, [*self.all]
        known = {entry.name for entry in self.current}
        ended = set[str]()
        for entry in self.current:
            if wanted.get(entry.name) != entry.participant or entry.name in retried:
                ended.add(entry.name)
                entries[entry.number - 1] = entry._replace(last=started, series=series)
        for one in wanted.values():
            if one.name in known - ended:
                continue
            left = [
                entry
                for entry in entries
                if entry.last is not None and (entry.participant, entry.series) == (one, series)
            ]
            if left and not ladder and one.name not in retried:
                entries[left[-1].number - 1] = left[-1]._replace(last=None, series=0)
            else:
                first = started + 1 if self.all and ladder else 0
                entries.append(Entry(len(entries) + 1, *one, first=first))
        changes = Changes(
            tuple(name for name in wanted if name not in known),
            tuple(name for name in wanted if name in ended and name not in retried),
            tuple(entry.name for entry in self.current if entry.name not in wanted),
            tuple(name for name in wanted if name in ended and name in retried),
        )
        return Entries(entries), changes


# -- ids of games -------------------------------------------------------------------------------


def number_in(game: str, letter: str) -> int:
    """Return the number after a letter in a game's id: that of a table, say; 0 if there is none.

    Only games that belong to a round have an ``r``.

    >>> [number_in("d3-t12-s2", letter) for letter in "rdts"]
    [0, 3, 12, 2]
    """
    for part in game.split("-"):
        if part[:1] == letter and part[1:].isdecimal():
            return int(part[1:])
    return 0


def table_number(entries: Iterable[int]) -> int:
    """Return the number of the table at which some entries meet, from 1.

    All tables among the first *n* entries come before any table with a later one.

    >>> [table_number(three) for three in ((1, 2, 3), (1, 2, 4), (2, 3, 4), (1, 2, 5))]
    [1, 2, 4, 5]
    """
    return 1 + sum(comb(entry - 1, place) for place, entry in enumerate(sorted(entries), 1))


def members_of(table: int, seats: int) -> Iterator[int]:
    """Yield the numbers of the entries that meet at a table, the last one first.

    >>> [*members_of(5, 3)]
    [5, 2, 1]
    """
    left = table - 1
    for place in range(seats, 0, -1):
        entry = place
        while comb(entry, place) <= left:
            entry += 1
        left -= comb(entry - 1, place)
        yield entry


# -- games that are given up --------------------------------------------------------------------


def given_up(voids: Iterable[str], results: Sequence[GameResult], entries: Entries) -> list[str]:
    """Return the ids of the games that were void too often and not played since.

    ``voids`` has the id of a game once for every void attempt; ``results`` are all games. Games of
    earlier entries are nobody's loss. The next run tries these games again, unless a later round
    has begun, which was paired without them: then they are never played, or a resumed run, and the
    audit, would pair that round differently. All this follows from the store alone.
    """
    played = {result.game for result in results}
    archived = {each.block for each in results if not entries.counts(each.game, each.players)}
    return [
        game
        for game, attempts in Counter(voids).items()
        if attempts % MAX_VOIDS == 0 and game not in played and block_of(game) not in archived
    ]


def block_of(game: str) -> str:
    """Return the block of a game, from its id.

    >>> block_of("r12-d1-t3-s2")
    'r12-d1-t3'
    """
    return game.rpartition("-")[0]


def given_up_in_words(games: Iterable[str]) -> str:
    """Return a user-facing sentence about the games that were given up."""
    return f"Given up after {MAX_VOIDS} void attempts: {', '.join(sorted(games))}."
