"""All games of a tournament, in one SQLite file: a row per game, with its log.

    about      the format, the seed, and the plan that the games were played with
    games      one row for every game that counts, by its id: the result, and the log
    outputs    what programs printed in games that they lost
    voids      void games, with the reason: the evidence

A game's rows are written in one transaction, so whatever kills the process, the file contains only
whole games. Readers never block the writer (WAL).
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from admin.tournament.results.result import FinishedGame, GameResult

FORMAT = 1
_TABLES = (
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE games (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    "result TEXT NOT NULL, log BLOB NOT NULL)",
    "CREATE TABLE outputs (game TEXT NOT NULL, player TEXT NOT NULL, output BLOB NOT NULL, "
    "PRIMARY KEY (game, player)) WITHOUT ROWID",
    "CREATE TABLE voids (number INTEGER PRIMARY KEY, game TEXT NOT NULL, "
    "attempt INTEGER NOT NULL, why TEXT NOT NULL, detail TEXT NOT NULL, log BLOB NOT NULL, "
    "UNIQUE (game, attempt))",
)


class StoreError(Exception):
    """A store cannot be used; the text is user-facing."""


class VoidGame(NamedTuple):
    """A stored attempt at a game that does not count; ``detail`` may be a traceback."""

    game: str
    attempt: int
    why: str
    detail: str = ""


class Store:
    """A tournament's store, open for reading or, in one process at a time, for writing."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    # -- opening --------------------------------------------------------------------------------

    @classmethod
    def open_to_write(cls, path: Path) -> "Store":
        """Open a store for a run, and create it if it is missing; ``StoreError``.

        Only one run at a time can have it open: the lock ends with the process.
        """
        with _errors_explained(path):
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                raise StoreError(
                    f"{path}: another process is running this tournament. Wait for it, follow it "
                    "with `acquire tournament show`, or stop it."
                ) from None
            try:
                store = cls(path, _connect(path), lock)
                store._prepare()
            except BaseException:
                os.close(lock)
                raise
            return store

    @classmethod
    def open_to_read(cls, path: Path) -> "Store":
        """Open an existing store, even while a run writes to it; ``StoreError``."""
        if not path.exists():
            raise StoreError(
                f"{path}: no game has been played yet. Start with `acquire tournament run`."
            )
        with _errors_explained(path):
            try:
                store = cls(path, _connect(path), None)
                store._check()
            except sqlite3.OperationalError:  # for example, its folder is read-only
                frozen = f"file:{quote(str(path.absolute()))}?immutable=1"
                store = cls(path, sqlite3.connect(frozen, uri=True), None)
                store._check()
            return store

    def _prepare(self) -> None:
        new = _is_empty(self._connection)
        if not new:
            self._check()
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if not new:
            return
        with self._connection:  # all tables or none
            self._connection.execute("BEGIN")
            for table in _TABLES:
                self._connection.execute(table)
            self._connection.execute("INSERT INTO about VALUES ('format', ?)", (str(FORMAT),))

    def _check(self) -> None:
        try:
            found = self.about("format")
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):
                raise
            found = None
        if found != str(FORMAT):
            raise StoreError(
                f"{self.path} is not a tournament store of this version. Give another --store."
            )

    def close(self) -> None:
        """Close the store, so that other runs can open it."""
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- contents -------------------------------------------------------------------------------

    def about(self, key: str) -> str | None:
        """Return a fact about the tournament, or ``None``."""
        query = "SELECT value FROM about WHERE key = ?"
        row = self._connection.execute(query, (key,)).fetchone()
        return None if row is None else str(row[0])

    def note(self, **values: str) -> None:
        """Set facts about the tournament, all of them or none."""
        with _errors_explained(self.path), self._connection:
            self._connection.executemany("REPLACE INTO about VALUES (?, ?)", values.items())

    def add(
        self, games: Sequence[FinishedGame], voids: Sequence[tuple[VoidGame, bytes]] = ()
    ) -> None:
        """Add finished games, and void games with their logs, all of them or none.

        ``StoreError`` if they cannot be written; a game is never written twice.
        """
        rows = [(game.result.game, _json(game.result.fields()), game.log) for game in games]
        outputs = [
            (game.result.game, player, output)
            for game in games
            for player, output in game.outputs.items()
        ]
        with _errors_explained(self.path), self._connection as connection:
            connection.executemany("INSERT INTO games (id, result, log) VALUES (?, ?, ?)", rows)
            connection.executemany("INSERT INTO outputs VALUES (?, ?, ?)", outputs)
            connection.executemany(
                "INSERT INTO voids (game, attempt, why, detail, log) VALUES (?, ?, ?, ?, ?)",
                [(*void, log) for void, log in voids],
            )
        self._verify_in_place()

    def _verify_in_place(self) -> None:
        """Verify that the file being written is still the one with the store's name.

        Otherwise games would go to a file that is gone when it is closed.
        """
        assert self._lock is not None, "the store is open to write"
        try:
            in_place = os.path.samestat(os.stat(self.path), os.fstat(self._lock))
        except FileNotFoundError:
            in_place = False
        if not in_place:
            raise StoreError(
                f"{self.path} was deleted or replaced while the tournament was running. The games "
                "played so far are lost; run it again."
            )

    def results(self, after: int = 0) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count in the order in which they finished, each with its number.

        The numbers increase; ``after`` is the last one already known.
        """
        rows = self._rows(
            "SELECT number, result FROM games WHERE number > ? ORDER BY number", after
        )
        for number, text in rows:
            yield int(number), GameResult.of(json.loads(text))

    def finished(self) -> set[str]:
        """Return the ids of the games that count."""
        return {str(row[0]) for row in self._rows("SELECT id FROM games")}

    def voids(self) -> list[VoidGame]:
        """Return the void games, in the order in which they were played."""
        rows = self._rows("SELECT game, attempt, why, detail FROM voids ORDER BY number")
        return [VoidGame(*row) for row in rows]

    def logs(self, games: Iterable[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Yield the compressed logs of some games, or of all, by id."""
        if games is None:
            yield from self._rows("SELECT id, log FROM games ORDER BY number")
            return
        for game in games:
            yield from self._rows("SELECT id, log FROM games WHERE id = ?", game)

    def void_logs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the logs of void games, as far as they go, by id and attempt."""
        yield from self._rows("SELECT game || '-void' || attempt, log FROM voids ORDER BY number")

    def outputs(self, game: str) -> dict[str, bytes]:
        """Return what the players who lost a game had printed, as far as it was kept."""
        query = "SELECT player, output FROM outputs WHERE game = ? ORDER BY player"
        return dict(self._rows(query, game))

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        """Yield the rows of a query; ``StoreError`` if the file is damaged."""
        with _errors_explained(self.path):
            yield from self._connection.execute(query, values)


def set_aside(path: Path) -> Path | None:
    """Rename a store, and return its new path; ``None`` if there is none; ``StoreError``."""
    if not path.exists():
        return None
    with Store.open_to_write(path):  # so that no run has it, and its journal is merged
        for number in count(1):
            aside = path.with_name(f"{path.stem}-{number}{path.suffix}")
            if not aside.exists():
                break
    with _errors_explained(path):
        path.rename(aside)
    return aside


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=30)


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    """Raise ``StoreError`` with a sentence for whatever goes wrong with the file."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{path} cannot be used: {error.strerror}. Give another --store."
        ) from error
    except sqlite3.IntegrityError:
        raise  # a game written twice is a bug of ours, not a problem of the file
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be used: {error}. Give another --store.") from error
