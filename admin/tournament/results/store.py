"""What a tournament has come to so far, in one SQLite file: one row a game, its log beside it.

    about      format, seed and the plan that the games were played by
    games      one row for every game that counts, by its id: the result, and the log
    outputs    what launched players printed in games that they lost
    voids      games that count for nothing, and why: the evidence

A game's rows are written in one transaction, so that whatever kills the process leaves whole games
only. Readers are never in the way (WAL).
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from admin.tournament.results.result import GameResult

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
    """A store cannot be used; the text is for people."""


class VoidGame(NamedTuple):
    """A game that was played and counts for nothing: ``detail`` may hold a traceback."""

    game: str
    attempt: int
    why: str
    detail: str = ""


class FinishedGame(NamedTuple):
    """A game that counts: its result, its compressed log, and what losers printed."""

    result: GameResult
    log: bytes
    outputs: Mapping[str, bytes] = {}


class Store:
    """A tournament's store, open for reading, or for the one run that writes to it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    # -- opening --------------------------------------------------------------------------------

    @classmethod
    def open_to_write(cls, path: Path) -> "Store":
        """Open a store for a run, and make it if there is none; ``StoreError`` when it cannot.

        Only one run at a time may have it: the lock ends with the process, however that ends.
        """
        with _told(path):
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                raise StoreError(
                    f"{path}: another run of this tournament is under way. Wait for it, look on "
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
        """Open a store that is there, also while a run writes to it; ``StoreError``."""
        if not path.exists():
            raise StoreError(
                f"{path}: nothing has been played yet. `acquire tournament run` begins."
            )
        with _told(path):
            try:
                store = cls(path, _connect(path), None)
                store._check()
            except sqlite3.OperationalError:  # as where its folder may not be written to
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
                f"{self.path} is no store of a tournament of this version. Give another --store."
            )

    def close(self) -> None:
        """Close the store, and let other runs have it."""
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- what it holds --------------------------------------------------------------------------

    def about(self, key: str) -> str | None:
        """Return what was noted of the tournament under a key."""
        query = "SELECT value FROM about WHERE key = ?"
        row = self._connection.execute(query, (key,)).fetchone()
        return None if row is None else str(row[0])

    def note(self, **values: str) -> None:
        """Note facts of the tournament, all of them or none."""
        with _told(self.path), self._connection:
            self._connection.executemany("REPLACE INTO about VALUES (?, ?)", values.items())

    def add(
        self, games: Sequence[FinishedGame], voids: Sequence[tuple[VoidGame, bytes]] = ()
    ) -> None:
        """Add games that are over, and voids with their logs, all of them or none.

        ``StoreError`` when they cannot be written; a game is never written twice.
        """
        rows = [(game.result.game, _json(game.result.fields()), game.log) for game in games]
        outputs = [
            (game.result.game, player, output)
            for game in games
            for player, output in game.outputs.items()
        ]
        with _told(self.path), self._connection as connection:
            connection.executemany("INSERT INTO games (id, result, log) VALUES (?, ?, ?)", rows)
            connection.executemany("INSERT INTO outputs VALUES (?, ?, ?)", outputs)
            connection.executemany(
                "INSERT INTO voids (game, attempt, why, detail, log) VALUES (?, ?, ?, ?, ?)",
                [(*void, log) for void, log in voids],
            )

    def results(self, after: int = 0) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count in the order in which they were over, each with its number.

        Numbers rise; ``after`` is the last one already known.
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
        """Return the games that count for nothing, in the order in which they were played."""
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
        """Yield the logs of the voids, as far as they go, by id and attempt."""
        yield from self._rows("SELECT game || '-void' || attempt, log FROM voids ORDER BY number")

    def outputs(self, game: str) -> dict[str, bytes]:
        """Return what those who lost a game had printed, as far as it was kept."""
        query = "SELECT player, output FROM outputs WHERE game = ? ORDER BY player"
        return dict(self._rows(query, game))

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        """Yield the rows of a query; ``StoreError`` where the file is damaged."""
        with _told(self.path):
            yield from self._connection.execute(query, values)


def put_aside(path: Path) -> Path | None:
    """Give a store another name and return that, or ``None`` if there is none; ``StoreError``."""
    if not path.exists():
        return None
    with Store.open_to_write(path):  # nobody else has it, and its journal is in it
        for number in count(1):
            aside = path.with_name(f"{path.stem}-{number}{path.suffix}")
            if not aside.exists():
                break
    with _told(path):
        path.rename(aside)
    return aside


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=30)


def _is_empty(connection: sqlite3.Connection) -> bool:
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()


def _json(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in a sentence what went wrong with the file."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"{path} cannot be used: {error.strerror}. Give another --store."
        ) from error
    except sqlite3.IntegrityError:
        raise  # a game written twice is a defect of ours, and no fault of the file
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be used: {error}. Give another --store.") from error
