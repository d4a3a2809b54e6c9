"""A copy of a store for everybody: aliases for names, and nothing that programs have printed.

It is a store of its own, with a chain of its own that the tournament's key signs, so a report of it
is written and audited like any other, without an exception. What an audit of it cannot show is that
its games are those of the real store: that is the word of the owner of the key. Whose the aliases
are is private, as grades are, and so in a file beside the report and not in it. The alias of a
player follows from the secret of the tournament, so it stays the same as long as that is kept, and
nobody else can find out whose it is. Built-in players keep their names.

Names are replaced in the logs too. A log says nothing about its rules by the names, so the copy is
verified like any other; the bytes that a player was ejected for lose the names in them.
"""

import base64
import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from lxml import etree

from ....protocol.writing import attribute
from ..games.entries import Entries
from ..games.result import Alarm, FailedGame, FinishedGame, GameResult, read_result
from ..planning.facts import PlayerAndKind, TournamentFacts, stored_facts
from ..planning.roster import Student, stored_roster
from ..run.executors import called_in_order
from ..store.row_chain import GAME, LinkedRow, SigningKey
from ..store.secret_file import TournamentSecret
from ..store.store import Store
from ..store.store_reader import StoreError
from .csv_tables import csv_text
from .game_page import GamePages, MadePage, MakePage
from .game_story import replay

_NAMED = re.compile(r'^(<(?:seat name|[a-z-]+(?: [a-z]+="[^"]*")*? player)=)"([^"]*)"')
"""A line of a log up to the name in it."""
COLUMNS = ("id", "name", "section", "player", "alias")
MIN_LENGTH = 4  # characters from which on a name is looked for within words, too


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
        self.by_name = {
            player.name: secret.alias(player.name)
            for player in players
            if not player.kind.startswith("strategy")
        }
        names = {*self.by_name}
        words = {*names}
        for student in self._students:
            words |= {student.id, student.name, student.team, *student.name.split()}
            names |= {student.name, student.team}
        # parts of names say whose they are even within other words, if they are long
        parts = {part for name in names for part in re.findall(r"[^\W_]+", name)}
        self._words = _pattern(words | {part for part in parts if len(part) >= MIN_LENGTH})
        self._folded = {name.casefold(): alias for name, alias in self.by_name.items()}

    def of(self, name: str) -> str:
        """Return the alias of a player, or the name of a built-in one."""
        return self.by_name.get(name, name)

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
        masked = self.masked(data.decode(errors="surrogateescape"))
        return masked.encode(errors="surrogateescape")

    def csv(self) -> str:
        """Return whose aliases these are, as CSV, for the instructor alone."""
        listed = {student.player for student in self._students}
        others = (Student(name) for name in self.by_name if name not in listed)
        return csv_text(
            COLUMNS,
            (
                (*student[:2], student.section, student.player, self._secret.alias(student.player))
                for student in (*self._students, *others)
            ),
        )


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


def aliases_of(store: Store, secret: TournamentSecret) -> Aliases:
    """Return the aliases of all who have taken part in a tournament, or are in its roster."""
    facts = stored_facts(store)
    players = [*facts.players]
    players += [PlayerAndKind(entry.name, entry.kind) for entry in store.entries().all]
    players += [PlayerAndKind(name, "left out") for name in facts.left_out]
    return Aliases(secret, players, stored_roster(store))


def public_copy(
    store: Store,
    aliases: Aliases,
    key: SigningKey,
    path: Path,
    advance: Callable[[int, int], object] = lambda done, total: None,
    pages: GamePages | None = None,
    workers: int = 1,
) -> Store:
    """Write the copy of a store into a new file, and return it open; ``StoreError``.

    ``advance`` is sent how many rows are done, and how many there are. ``pages`` take those of the
    games that count. Logs are verified with aliases for names, in at most so many processes.
    """
    entries = store.entries()
    public = Entries(
        entry._replace(name=aliases.of(entry.name), version=aliases.version(entry.version))
        for entry in entries.all
    )
    # neither the plan nor the roster
    facts = {name: text for name, text in store.facts().items() if name in ("seed", "series")}
    facts |= {"shown": aliased_facts(store, aliases).text(), "entries": public.written()}

    def calls() -> Iterator[tuple[LinkedRow, Callable[[], tuple[bytes, MadePage | None]] | None]]:
        for row, data, *_ in store.rows():
            if row.kind != GAME or data is None:
                yield row, None
                continue
            result, make = read_result(row.game, row.result), None
            if pages is not None and entries.counts(result.game, result.players):
                make = pages.maker(_renamed(result, aliases), {})
            yield row, partial(renamed_log, row.game, data, aliases, make)

    total = store.count_rows()
    copy = Store.open_to_write(path)
    try:
        copy.sign_with(key)
        copy.note(**facts)
        for done, (row, renamed) in enumerate(called_in_order(calls(), total, workers), 1):
            alarms = tuple(
                Alarm(aliases.of(alarm.player), aliases.in_text(alarm.what)) for alarm in row.alarms
            )
            if renamed is not None:
                result = _renamed(read_result(row.game, row.result), aliases)
                log, made = renamed
                copy.add(FinishedGame(result, log, {}, alarms))
                if made is not None and pages is not None:
                    pages.take(row.game, made)
            else:
                why, attempt = aliases.in_text(row.why), row.attempt
                copy.add(FailedGame(row.game, why, alarms=alarms, attempt=attempt))
            advance(done, total)
    except BaseException:
        copy.close()
        raise
    return copy


def aliased_facts(store: Store, aliases: Aliases) -> TournamentFacts:
    """Return what the copy of a store says about its tournament."""
    facts = stored_facts(store)
    challenger = facts.challenger
    return facts.model_copy(
        update={
            "players": tuple(PlayerAndKind(aliases.of(name), kind) for name, kind in facts.players),
            "left_out": tuple(map(aliases.of, facts.left_out)),
            "challenger": None if challenger is None else aliases.of(challenger),
            "public": True,
            "languages": {},
        }
    )


def _renamed(result: GameResult, aliases: Aliases) -> GameResult:
    seats = tuple(
        seat._replace(
            player=aliases.of(seat.player),
            detail=aliases.masked(seat.detail),
            cause=aliases.masked(seat.cause),
            version=aliases.version(seat.version),
        )
        for seat in result.seats
    )
    return result._replace(seats=seats)


# -- logs ---------------------------------------------------------------------------------------


def renamed_log(
    game: str, log: bytes, aliases: Aliases, make: MakePage | None = None
) -> tuple[bytes, MadePage | None]:
    """Put aliases for the names in a compressed log; ``StoreError`` if it does not hold then.

    The page of the game comes with it, if ``make`` is given.
    Where the bytes that a player was ejected for are another fault without the names in them, they
    are left out. Then the fault is the referee's word.
    """
    lines = gzip.decompress(log).decode().split("\n")
    quoted = {attribute(name): attribute(alias) for name, alias in aliases.by_name.items()}
    for with_bytes in (True, False):
        renamed = [_renamed_line(line, quoted, aliases, with_bytes) for line in lines]
        # tied players are in the order of their new names
        places = [at for at, line in enumerate(renamed) if line.startswith("<ranked ")]
        ranked = sorted((renamed[at] for at in places), key=_rank)
        for at, line in zip(places, ranked, strict=True):
            renamed[at] = line
        found = gzip.compress("\n".join(renamed).encode(), mtime=0)
        replayed = replay(game, found)
        if replayed is not None and replayed.holds:
            return found, None if make is None else make(replayed)
    raise StoreError(
        f"game {game}: its log does not hold with aliases for names, so there is no public report. "
        "Rename the players in it whose names are words of the protocol."
    )


def _renamed_line(line: str, quoted: Mapping[str, str], aliases: Aliases, with_bytes: bool) -> str:
    def rename(found: re.Match[str]) -> str:
        name = f'"{found[2]}"'
        return f"{found[1]}{quoted.get(name, name)}"

    line = _NAMED.sub(rename, line)
    if not line.startswith("<ejected "):
        return line
    element = etree.fromstring(line)
    for words in ("detail", "hint"):
        if words in element.attrib:
            element.set(words, aliases.masked(element.attrib[words]))
    if (received := element.find("bytes")) is not None:
        if with_bytes:
            data = aliases.masked_bytes(base64.b64decode(received.text or ""))
            received.text = base64.b64encode(data).decode()
        else:
            element.remove(received)
    return etree.tostring(element, encoding="unicode")


def _rank(line: str) -> tuple[int, str]:
    element = etree.fromstring(line)
    return int(element.attrib["rank"]), element.attrib["player"]
