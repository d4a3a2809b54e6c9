"""All games of a tournament, in one SQLite file: a row per game, with its log.

Games of earlier versions and of withdrawn players are kept, and do not count: they are archived.

Only its owner may read the file. A game's rows are written in one transaction, so whatever kills
the process, the file contains only whole games. Readers never block the writer (WAL). The rows are
a chain, and every transaction signs its head (:mod:`acquire.admin.tournament.store.row_chain`).
"""

import fcntl
import os
import sqlite3
import stat
from contextlib import ExitStack, closing
from pathlib import Path

from ....protocol.files import is_in_place
from ..games.result import FailedGame, FinishedGame
from . import row_chain
from .store_reader import (
    ANOTHER_STORE,
    FORMAT,
    TABLES,
    StoreError,
    StoreReader,
    connect,
    errors_explained,
)


class Store(StoreReader):
    """A tournament's store, open for reading or, in one process at a time, for writing."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None = None) -> None:
        super().__init__(path, connection)
        self._lock = lock
        self._key: row_chain.SigningKey | None = None
        self._head = row_chain.Head(0, row_chain.START)

    # -- opening --------------------------------------------------------------------------------

    @classmethod
    def open_to_write(cls, path: Path) -> "Store":
        """Open a store for a run, and create it if it is missing; ``StoreError``.

        Only one run at a time can have it open: the lock ends with the process.
        """
        with errors_explained(path), ExitStack() as if_refused:
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if_refused.callback(os.close, lock)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StoreError(
                    f"{path}: another process is running this tournament. Wait for it, follow it "
                    "with `acquire tournament show`, or stop it."
                ) from None
            if not stat.S_ISREG(os.fstat(lock).st_mode):
                raise StoreError(f"{path} is a device or a pipe, not a file.", ANOTHER_STORE)
            store = cls(path, if_refused.enter_context(closing(connect(path))), lock)
            store._prepare()
            _make_private(path, lock)
            if_refused.pop_all()
            return store

    def _prepare(self) -> None:
        connection = self._connection
        new = not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        if not new:
            self.check_format()
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if new:
            with connection:
                connection.execute("BEGIN")
                for table in TABLES.values():
                    connection.execute(table)
                connection.execute("INSERT INTO about VALUES ('format', ?)", (FORMAT,))

    def sign_with(self, key: row_chain.SigningKey) -> "Store":
        """Sign all that is written from now on, which is refused before; return the store.

        ``StoreError`` names the first row that is not as it was stored, or a head that this key has
        not signed.
        """
        with errors_explained(self.path):
            if self.about("key") is None and not self.count_rows():  # new
                self._key = key
                self.note(key=row_chain.public_key(key))
                return self
            for found in self.verify_chain(row_chain.public_key(key)):
                raise StoreError(
                    f"{self.path} was changed by something else than `acquire tournament run`: "
                    f"{found}",
                    "Restore it from a copy, or start over with --fresh.",
                )
            self._key, self._head = key, self.head()
        return self

    def close(self) -> None:
        """Close the store, so that other runs can open it."""
        super().close()
        if self._lock is not None:
            os.close(self._lock)

    def note(self, **values: str) -> None:
        """Set facts about the tournament, all of them or none."""
        with errors_explained(self.path), self._connection:
            self._connection.executemany("REPLACE INTO about VALUES (?, ?)", values.items())
            digests = tuple(row_chain.fact_digests(self.facts()).items())
            head = self._sealed(self._head._replace(facts=digests))
        self._head = head

    def _sealed(self, head: row_chain.Head) -> row_chain.Head:
        """Sign a head, if there is a key yet, and return it."""
        if self._key is None:
            if self.about("key") is not None:
                raise AssertionError("only a store that is signed can be changed")
            return head
        statement = head.statement()
        signature = row_chain.sign(self._key, statement.encode())
        self._connection.executemany(
            "REPLACE INTO about VALUES (?, ?)", [("head", statement), ("signature", signature)]
        )
        return head

    def add(self, *games: FinishedGame | FailedGame) -> None:
        """Add finished and void games with their logs, all of them or none.

        ``StoreError`` if they cannot be written; a game is never written twice.
        """
        assert self._key is not None, "a store has to be signed"
        head = self._head
        with errors_explained(self.path), self._connection:
            for new in map(_row_of, games):
                link = row_chain.digest_of(head.link, new.row.digest())
                head = row_chain.Head(head.rows + 1, link, head.facts)
                self._insert(new, head.rows, link)
            head = self._sealed(head)
        self._head = head
        self._verify_in_place()

    def _insert(self, new: row_chain.StoredRow, number: int, link: str) -> None:
        connection, (row, log, outputs, detail, _) = self._connection, new
        what: tuple[object, ...] = row.result, log
        if row.kind == row_chain.VOID:
            what = row.attempt, row.why, detail, log
        values = (number, link, row.game, *what)
        places = ", ".join("?" * len(values))
        connection.execute(f"INSERT INTO {row.kind}s VALUES ({places})", values)
        connection.executemany(
            "INSERT INTO outputs VALUES (?, ?, ?)", [(row.game, *each) for each in outputs.items()]
        )
        connection.executemany(
            "INSERT INTO alarms VALUES (?, ?, ?, ?, ?)",
            [(row.game, row.attempt, place, *each) for place, each in enumerate(row.alarms, 1)],
        )

    def _verify_in_place(self) -> None:
        """Verify that the file being written is still the one with the store's name."""
        assert self._lock is not None, "the store is open to write"
        if not is_in_place(self.path, self._lock):
            raise StoreError(
                f"{self.path} was deleted or replaced while the tournament was running. The games "
                "played so far are lost; run it again."
            )


def _row_of(game: FinishedGame | FailedGame) -> row_chain.StoredRow:
    if isinstance(game, FailedGame):
        which = (0, row_chain.VOID, game.game, game.attempt)
        row = row_chain.LinkedRow(*which, why=game.why, alarms=game.alarms)
        return row_chain.StoredRow.of(row, game.log, detail=game.detail)
    outputs = {player: output for player, output in game.outputs.items() if output}
    result = game.result
    row = row_chain.LinkedRow(game=result.game, result=result.text(), alarms=game.alarms)
    return row_chain.StoredRow.of(row, game.log, outputs)


def _make_private(path: Path, file: int) -> None:
    """Let only the owner read a store: it has the seeds and all hands.

    Not before it is known to be one: the path may be that of any file, or a link to one that
    everybody needs. SQLite gives new journals the mode of the store.
    """
    if os.fstat(file).st_mode & 0o077:
        os.fchmod(file, 0o600)
    for suffix in ("-wal", "-shm"):
        journal = path.with_name(path.name + suffix)
        if journal.is_file() and not journal.is_symlink() and journal.stat().st_mode & 0o077:
            journal.chmod(0o600)
