"""A tournament's store, as everybody reads it, even while a run writes to it.

    about      facts about the tournament; the public key, and the signed head of the chain
    games      one row for every game that counts, by its id: the result, and the log
    voids      void games, with the reason: the evidence
    outputs    what programs printed, by turn: :mod:`acquire.admin.tournament.games.program_output`
    alarms     what was suspicious in a game; ``attempt`` is 0 for one that counts

The rows of games and voids are numbered together, in the order in which they were stored; ``link``
is explained in :mod:`acquire.admin.tournament.store.row_chain`. A file with other tables, a view or
a trigger is refused, for it could show other rows than it has. What a column has may still be
anything, and is checked.
"""

import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from ....protocol.user_error import UserError
from ..games.checked_json import InvalidFields, is_game_id, shown
from ..games.entries import Entries
from ..games.result import Alarm, FailedGame, GameAlarm, GameResult, read_result
from .row_chain import GAME, VOID, ChainCheck, Head, LinkedRow, Seal, StoredRow, fact_digests

FORMAT = "2"
_ROW = "number INTEGER PRIMARY KEY, link TEXT NOT NULL"
TABLES = {
    "about": "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "games": f"CREATE TABLE games ({_ROW}, id TEXT NOT NULL UNIQUE, "
    "result TEXT NOT NULL, log BLOB NOT NULL)",
    "voids": f"CREATE TABLE voids ({_ROW}, game TEXT NOT NULL, attempt INTEGER NOT NULL, "
    "why TEXT NOT NULL, detail TEXT NOT NULL, log BLOB NOT NULL, UNIQUE (game, attempt))",
    "outputs": "CREATE TABLE outputs (game TEXT NOT NULL, player TEXT NOT NULL, "
    "output BLOB NOT NULL, PRIMARY KEY (game, player)) WITHOUT ROWID",
    "alarms": "CREATE TABLE alarms (game TEXT NOT NULL, attempt INTEGER NOT NULL, "
    "place INTEGER NOT NULL, player TEXT NOT NULL, what TEXT NOT NULL, "
    "PRIMARY KEY (game, attempt, place)) WITHOUT ROWID",
}
IMMUTABLE = "immutable=1"  # how SQLite reads a file beside which it can write nothing
MAX_VALUE_BYTES = 32 * 2**20  # of a value; a log has at most 8 MiB before it is compressed
RESTORE = "Somebody has changed the file; restore it from a copy."


ANOTHER_STORE = "Give another --store."
MAKE_ROOM = "Make room; the same command resumes."
FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class StoreError(UserError):
    """A store cannot be used; the text is user-facing.

    It ends with ``advice``, if that is one for `acquire tournament`, which not every command can
    give (:func:`advised`); ``what`` is the text without it.
    """

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(f"{what} {advice}".rstrip())
        self.what, self.advice = what, advice


class StoreReader:
    """A tournament's store, open for reading."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open_to_read(cls, path: Path) -> Self:
        """Open an existing store, even while a run writes to it; ``StoreError``."""
        none = f"{path}: no game has been played yet. Start with `acquire tournament run`."
        with errors_explained(path), ExitStack() as if_refused:
            if not path.exists() or not path.stat().st_size:
                raise StoreError(none)
            ahead = journal_of(path)
            is_ahead = ahead.exists() and ahead.stat().st_size > 0  # has games that are not in it
            try:
                # or closing it would write them into it
                opened = connect(path, "mode=ro" if is_ahead else "")
                store = cls(path, if_refused.enter_context(closing(opened)))
                store.check_format()
            except sqlite3.OperationalError as error:  # for example, its folder is read-only
                if is_ahead:
                    raise StoreError(
                        f"{path} cannot be read here: {error}, and {ahead.name} has games, too. "
                        "Copy both to a folder in which you may write."
                    ) from error
                if_refused.close()
                frozen = connect(path, IMMUTABLE)
                store = cls(path, if_refused.enter_context(closing(frozen)))
                store.check_format()
            if store.about("key") is None and not store.count_rows():  # the run could not begin
                raise StoreError(none)
            if_refused.pop_all()
            return store

    def check_format(self) -> None:
        """Verify that the file is a store of this version; ``StoreError``."""
        path, schema = self.path, "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
        found = [*self._connection.execute(schema)]
        tables = {name: sql for _, name, sql in found}
        version = self.about("format") if tables.get("about") == TABLES["about"] else None
        if tables == TABLES and version == FORMAT:
            return
        for kind, name, sql in found:
            if tables.keys() >= TABLES.keys() and TABLES.get(name) != sql:
                what = f"the {kind} {name!a} is not one of a tournament store"
                raise StoreError(f"{path}: {what}. {RESTORE}")
        raise StoreError(f"{path} is not a tournament store of this version.", ANOTHER_STORE)

    def close(self) -> None:
        """Close the store."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- facts ----------------------------------------------------------------------------------

    def about(self, key: str) -> str | None:
        """Return a fact about the tournament, or ``None``."""
        query = "SELECT value FROM about WHERE key = ?"
        row = self._connection.execute(query, (key,)).fetchone()
        return None if row is None else str(row[0])

    def facts(self) -> dict[str, str]:
        """Return all facts about the tournament that the head's signature covers."""
        rows = self._rows("SELECT key, value FROM about ORDER BY key")
        return {str(key): str(value) for key, value in rows if key not in Seal._fields}

    def seal(self) -> Seal:
        """Return the public key and the signed head of the chain; empty if there is none."""
        return Seal(*(self.about(name) or "" for name in Seal._fields))

    def head(self) -> Head:
        """Return the head of the chain as it was signed; ``StoreError`` if it is none."""
        with self.damage_named("the head of the chain"):
            return Head.of(self.seal().head)

    def entries(self) -> Entries:
        """Return who has played, with which version; ``StoreError``."""
        with self.damage_named("the entries"):
            return Entries.read(self.about("entries"))

    @contextmanager
    def damage_named(self, what: str) -> Iterator[None]:
        """Raise ``StoreError`` with what is read, if it is not what can be stored."""
        try:
            yield
        except InvalidFields as error:
            raise StoreError(
                f"{self.path}: {what} cannot be read: {error}. Restore the file from a copy."
            ) from None

    # -- games ----------------------------------------------------------------------------------

    def results(self) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count, as :meth:`all_results` does."""
        entries = self.entries()
        for number, result in self.all_results():
            if entries.counts(result.game, result.players):
                yield number, result

    def all_results(self) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count and the archived ones, each with its number, which increases.

        ``StoreError`` names a row that is not a result.
        """
        for number, game, text in self._rows(
            "SELECT number, id, result FROM games ORDER BY number"
        ):
            with self.damage_named(f"the result of game {shown(game)} (row {number})"):
                result = read_result(game, text)
            yield int(number), result

    def finished(self) -> set[str]:
        """Return the ids of all games, also of archived ones."""
        return {self._id(row[0]) for row in self._rows("SELECT id FROM games")}

    def voids(self) -> list[FailedGame]:
        """Return the void games without their logs, in the order in which they were played."""
        rows = self._rows("SELECT game, attempt, why, detail FROM voids ORDER BY number")
        return [
            FailedGame(self._id(game), str(why), str(detail), attempt=self._whole(attempt))
            for game, attempt, why, detail in rows
        ]

    def alarms(self, game: str | None = None) -> list[GameAlarm]:
        """Return what was suspicious in all games, or in one, by game and attempt."""
        query = "SELECT game, attempt, player, what FROM alarms {} ORDER BY game, attempt, place"
        where, values = ("", ()) if game is None else ("WHERE game = ?", (game,))
        return [
            GameAlarm(self._id(game), self._whole(attempt), str(player), str(what))
            for game, attempt, player, what in self._rows(query.format(where), *values)
        ]

    def logs(self, games: Iterable[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Yield the compressed logs of some games, or of all, by id."""
        if games is None:
            rows: Iterable[Any] = self._rows("SELECT id, log FROM games ORDER BY number")
        else:
            query = "SELECT id, log FROM games WHERE id = ?"
            rows = (row for game in games for row in self._rows(query, game))
        for game, log in rows:
            yield self._id(game), _as_bytes(log)

    def log(self, game: str) -> bytes:
        """Return the compressed log of a game, or nothing if there is none."""
        return next((log for _, log in self.logs([game])), b"")

    def void_logs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the logs of void games, as far as they go, by id and attempt."""
        query = "SELECT game, attempt, log FROM voids ORDER BY number"
        for game, attempt, log in self._rows(query):
            yield f"{self._id(game)}-void{self._whole(attempt)}", _as_bytes(log)

    def outputs(self, game: str) -> dict[str, bytes]:
        """Return what the players who lost a game had printed, as far as it was kept."""
        query = "SELECT player, output FROM outputs WHERE game = ? ORDER BY player"
        return {str(player): _as_bytes(output) for player, output in self._rows(query, game)}

    def _id(self, value: object) -> str:
        if not is_game_id(value):
            raise StoreError(f"{self.path}: {shown(value)} is not the id of a game. {RESTORE}")
        return str(value)

    def _whole(self, value: object) -> int:
        if type(value) is not int:
            raise StoreError(f"{self.path}: the attempt {shown(value)} is not a number.")
        return value

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        """Yield the rows of a query; ``StoreError`` if the file is damaged."""
        with errors_explained(self.path):
            for row in self._connection.execute(query, values):  # noqa: UP028
                yield row  # "yield from" would close the cursor, even after the connection

    # -- the chain ------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See the store as it is now, whatever a run adds meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        with errors_explained(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def copy_to(self, path: Path) -> None:
        """Copy the store as it is now to an empty file, whatever a run adds meanwhile."""
        with errors_explained(self.path), closing(connect(path)) as copy:
            try:
                self._connection.backup(copy)
            except sqlite3.Error as error:
                if not _is_full(error):
                    raise
                raise StoreError(f"{path} cannot be written: {error}. Make room for it.") from error

    def rows(self) -> Iterator[StoredRow]:
        """Yield all rows in the order in which they were stored, whatever they contain."""
        query = (
            "SELECT number, ?, id, 0, result, '', '', log, link FROM games UNION ALL "
            "SELECT number, ?, game, attempt, '', why, detail, log, link FROM voids ORDER BY number"
        )
        for number, kind, game, attempt, result, why, detail, log, link in self._rows(
            query, GAME, VOID
        ):
            outputs = self.outputs(game) if kind == GAME else {}
            alarms = (Alarm(*each[2:]) for each in self.alarms(game) if each.attempt == attempt)
            what = (number, kind, str(game), attempt, str(link), str(result), str(why))
            row = LinkedRow(*what, alarms=tuple(alarms))
            yield StoredRow.of(row, _as_bytes(log), outputs, str(detail))

    def count_rows(self) -> int:
        """Return the number of rows."""
        query = "SELECT (SELECT COUNT(*) FROM games) + (SELECT COUNT(*) FROM voids)"
        return sum(int(row[0]) for row in self._rows(query))

    def verify_chain(self, key: str | None = None) -> Iterator[str]:
        """Yield, as sentences, where the rows or facts are not as they were stored.

        The head has to be signed by ``key``, a public key; by default by the one in the store.
        """
        check = ChainCheck()
        for row, *_ in self.rows():
            if found := check.take(row):
                yield found
        yield from check.end(self.head(), fact_digests(self.facts()))
        yield from self.seal().contradictions(key)


def journal_of(store: Path) -> Path:
    """Return where SQLite keeps what is not in a store yet; a killed run leaves it there."""
    return store.with_name(f"{store.name}-wal")


def connect(path: Path, how: str = "") -> sqlite3.Connection:
    """Connect to a database that anybody may have written; values are limited in size.

    ``how`` is a query, as SQLite has it in the address of a file.

    A run writes ahead (WAL), so no store has a rollback journal. SQLite would play one back before
    the first word is read, and delete whatever file it names.
    """
    if how != IMMUTABLE and os.path.lexists(journal := f"{os.path.realpath(path)}-journal"):
        raise StoreError(f"{path} cannot be used: {journal} is not of a tournament. Remove that.")
    address = f"file://{quote(os.fsencode(path.absolute()))}?{how}"
    connection = sqlite3.connect(address, timeout=30, uri=True)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.text_factory = lambda data: data.decode(errors="replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _as_bytes(value: object) -> bytes:
    """Return a value of a column of bytes, which a changed file may have as something else."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@contextmanager
def errors_explained(path: Path) -> Iterator[None]:
    """Raise ``StoreError`` with a sentence for whatever goes wrong with the file."""
    try:
        yield
    except OSError as error:
        advice = MAKE_ROOM if error.errno in FULL else ANOTHER_STORE
        raise StoreError(f"{path} cannot be used: {error.strerror}.", advice) from error
    except sqlite3.IntegrityError:
        raise  # a game written twice is a bug of ours, not a problem of the file
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged name cannot even be told
        advice = MAKE_ROOM if _is_full(error) else ANOTHER_STORE
        raise StoreError(f"{path} cannot be used: {error}.", advice) from error


def _is_full(error: Exception) -> bool:
    """Whether there is no room for what was to be written; an error of Python's has no code."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


@contextmanager
def advised(advice: str) -> Iterator[None]:
    """Give another advice with a ``StoreError``, for a command that has other options."""
    try:
        yield
    except StoreError as error:
        if not error.advice:
            raise
        raise StoreError(error.what, advice) from error
