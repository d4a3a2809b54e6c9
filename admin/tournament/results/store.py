"""All games of a tournament, in one SQLite file: a row per game, with its log.

Games of earlier versions and of withdrawn players are kept, and do not count: they are archived.

Only its owner may read the file. A game's rows are written in one transaction, so whatever kills
the process, the file contains only whole games. Readers never block the writer (WAL). The rows are
a chain, and every transaction signs its head (:mod:`admin.tournament.results.chain`).
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from admin.tournament.results.chain import (
    GAME,
    START,
    VOID,
    ChainCheck,
    Head,
    StoredRow,
    fact_digests,
    next_link,
)
from admin.tournament.results.entries import Entries
from admin.tournament.results.plain_fields import GAME_ID, InvalidFields, read_json, shown
from admin.tournament.results.result import Alarm, FinishedGame, GameResult
from admin.tournament.results.signing import is_signed, public_key, sign
from admin.tournament.results.store_format import (
    StoreError,
    check_format,
    connect,
    create_tables,
    is_empty,
)

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SEAL = ("key", "head", "signature")
"""The facts that are the store's seal: the public key, and the signed head of the chain."""
__all__ = ["Store", "StoreError", "VoidGame"]


class VoidGame(NamedTuple):
    """A stored attempt at a game that does not count; ``detail`` may be a traceback."""

    game: str
    attempt: int
    why: str
    detail: str = ""


class GameAlarm(NamedTuple):
    """An alarm with the game in which it was raised; ``attempt`` is 0 for one that counts."""

    game: str
    attempt: int
    player: str
    what: str


class VoidAttempt(NamedTuple):
    """A void game with its log and its alarms, to be stored."""

    void: VoidGame
    log: bytes = b""
    alarms: tuple[Alarm, ...] = ()


class Store:
    """A tournament's store, open for reading or, in one process at a time, for writing."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: int | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._key: Ed25519PrivateKey | None = None
        self._head = Head(0, START)

    # -- opening --------------------------------------------------------------------------------

    @classmethod
    def open_to_write(cls, path: Path) -> "Store":
        """Open a store for a run, and create it if it is missing; ``StoreError``.

        Only one run at a time can have it open: the lock ends with the process.
        """
        with _errors_explained(path):
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                raise StoreError(
                    f"{path}: another process is running this tournament. Wait for it, follow it "
                    "with `acquire tournament show`, or stop it."
                ) from None
            try:
                _make_private(path, lock)
                store = cls(path, connect(path), lock)
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
                store = cls(path, connect(path), None)
                check_format(path, store._connection)
            except sqlite3.OperationalError:  # for example, its folder is read-only
                frozen = f"file:{quote(str(path.absolute()))}?immutable=1"
                store = cls(path, connect(frozen, uri=True), None)
                check_format(path, store._connection)
            return store

    def _prepare(self) -> None:
        new = is_empty(self._connection)
        if not new:
            check_format(self.path, self._connection)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        if new:
            create_tables(self._connection)

    def sign_with(self, key: "Ed25519PrivateKey") -> "Store":
        """Sign all that is written from now on, which is refused before; return the store.

        ``StoreError`` names the first row that is not as it was stored, or a head that this key has
        not signed.
        """
        with _errors_explained(self.path):
            if self.about("key") is None and not self._has_rows():  # new
                self._key = key
                self.note(key=public_key(key))
                return self
            for found in self.verify_chain(public_key(key)):
                raise StoreError(
                    f"{self.path} was changed by something else than `acquire tournament run`: "
                    f"{found} Restore it from a copy, or start over with --fresh."
                )
            self._key, self._head = key, self.head()
        return self

    def _has_rows(self) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM games) OR EXISTS (SELECT 1 FROM voids)"
        return bool(self._connection.execute(query).fetchone()[0])

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

    def facts(self) -> dict[str, str]:
        """Return all facts about the tournament that the head's signature covers."""
        rows = self._rows("SELECT key, value FROM about ORDER BY key")
        return {str(key): str(value) for key, value in rows if key not in SEAL}

    def head(self) -> Head:
        """Return the head of the chain as it was signed; ``StoreError`` if it is none."""
        try:
            return Head.of(self.about("head") or "")
        except InvalidFields as error:
            raise StoreError(f"{self.path}: {error}. Restore the file from a copy.") from None

    def note(self, **values: str) -> None:
        """Set facts about the tournament, all of them or none."""
        with _errors_explained(self.path), self._connection:
            self._connection.executemany("REPLACE INTO about VALUES (?, ?)", values.items())
            digests = fact_digests(self.facts())
            head = self._sealed(self._head._replace(facts=tuple(digests.items())))
        self._head = head

    def _sealed(self, head: Head) -> Head:
        """Sign a head, and return it.

        A new store can be given facts before it has a key.
        """
        if self._key is None:
            if self.about("key") is not None:
                raise AssertionError("only a store that is signed can be changed")
            return head
        statement = head.statement()
        signature = sign(self._key, statement.encode())
        self._connection.executemany(
            "REPLACE INTO about VALUES (?, ?)", [("head", statement), ("signature", signature)]
        )
        return head

    def add(self, games: Sequence[FinishedGame], voids: Sequence[VoidAttempt] = ()) -> None:
        """Add finished games, and void games with their logs, all of them or none.

        ``StoreError`` if they cannot be written; a game is never written twice.
        """
        assert self._key is not None, "a store has to be signed"
        head = self._head
        with _errors_explained(self.path), self._connection:
            for row in (*map(_game_row, games), *map(_void_row, voids)):
                link = next_link(head.link, row.digest())
                head = Head(head.rows + 1, link, head.facts)
                self._insert(row._replace(number=head.rows, link=link))
            head = self._sealed(head)
        self._head = head
        self._verify_in_place()

    def _insert(self, row: StoredRow) -> None:
        connection, place = self._connection, (row.number, row.link, row.game)
        if row.kind == GAME:
            connection.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?)", (*place, row.result, row.log)
            )
        else:
            connection.execute(
                "INSERT INTO voids VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*place, row.attempt, row.why, row.detail, row.log),
            )
        connection.executemany(
            "INSERT INTO outputs VALUES (?, ?, ?)", [(row.game, *each) for each in row.outputs]
        )
        connection.executemany(
            "INSERT INTO alarms VALUES (?, ?, ?, ?, ?)",
            [(row.game, row.attempt, place, *each) for place, each in enumerate(row.alarms, 1)],
        )

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

    def entries(self) -> Entries:
        """Return who has played, with which version; ``StoreError``."""
        try:
            return Entries.read(self.about("entries"))
        except InvalidFields as error:
            raise StoreError(
                f"{self.path}: the entries are damaged: {error}. Restore the file from a copy."
            ) from None

    def results(self, after: int = 0) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count in the order in which they finished, each with its number.

        The numbers increase; ``after`` is the last one already known. ``StoreError`` names a row
        that is not a result.
        """
        entries = self.entries()
        for number, result in self.all_results(after):
            if entries.counts(result.game, [seat.player for seat in result.seats]):
                yield number, result

    def archived_results(self) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count no more: of earlier versions, and of withdrawn players."""
        entries = self.entries()
        for number, result in self.all_results():
            if not entries.counts(result.game, [seat.player for seat in result.seats]):
                yield number, result

    def all_results(self, after: int = 0) -> Iterator[tuple[int, GameResult]]:
        """Yield the games that count and the archived ones, as :meth:`results` does."""
        rows = self._rows(
            "SELECT number, id, result FROM games WHERE number > ? ORDER BY number", after
        )
        for number, game, text in rows:
            try:
                result = read_result(game, text)
            except InvalidFields as error:
                raise StoreError(
                    f"{self.path}: the result of game {shown(game)} (row {number}) is damaged: "
                    f"{error}. Restore the file from a copy."
                ) from None
            yield int(number), result

    def finished(self) -> set[str]:
        """Return the ids of all games, also of archived ones."""
        return {self._id(row[0]) for row in self._rows("SELECT id FROM games")}

    def voids(self) -> list[VoidGame]:
        """Return the void games, in the order in which they were played."""
        rows = self._rows("SELECT game, attempt, why, detail FROM voids ORDER BY number")
        return [
            VoidGame(self._id(game), self._whole(attempt), str(why), str(detail))
            for game, attempt, why, detail in rows
        ]

    def alarms(self, game: str | None = None) -> list[GameAlarm]:
        """Return what was suspicious in all games, or in one, by game and attempt."""
        query = "SELECT game, attempt, player, what FROM alarms {} ORDER BY game, attempt, place"
        if game is None:
            rows = self._rows(query.format(""))
        else:
            rows = self._rows(query.format("WHERE game = ?"), game)
        return [
            GameAlarm(self._id(game), self._whole(attempt), str(player), str(what))
            for game, attempt, player, what in rows
        ]

    def logs(self, games: Iterable[str] | None = None) -> Iterator[tuple[str, bytes]]:
        """Yield the compressed logs of some games, or of all, by id."""
        if games is None:
            yield from self._logs("SELECT id, log FROM games ORDER BY number")
            return
        for game in games:
            yield from self._logs("SELECT id, log FROM games WHERE id = ?", game)

    def _logs(self, query: str, *values: object) -> Iterator[tuple[str, bytes]]:
        for game, log in self._rows(query, *values):
            yield self._id(game), _bytes(log)

    def void_logs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the logs of void games, as far as they go, by id and attempt."""
        for game, attempt, log in self._rows(
            "SELECT game, attempt, log FROM voids ORDER BY number"
        ):
            yield f"{self._id(game)}-void{self._whole(attempt)}", _bytes(log)

    def outputs(self, game: str) -> dict[str, bytes]:
        """Return what the players who lost a game had printed, as far as it was kept."""
        query = "SELECT player, output FROM outputs WHERE game = ? ORDER BY player"
        return {str(player): _bytes(output) for player, output in self._rows(query, game)}

    def _id(self, value: object) -> str:
        if not GAME_ID.holds(value):
            raise StoreError(
                f"{self.path}: {shown(value)} is not the id of a game. Somebody has changed the "
                "file; restore it from a copy."
            )
        return str(value)

    def _whole(self, value: object) -> int:
        if type(value) is not int:
            raise StoreError(f"{self.path}: the attempt {shown(value)} is not a number.")
        return value

    def _rows(self, query: str, *values: object) -> Iterator[Any]:
        """Yield the rows of a query; ``StoreError`` if the file is damaged."""
        with _errors_explained(self.path):
            for row in self._connection.execute(query, values):  # noqa: UP028
                yield row  # "yield from" would close the cursor, even after the connection

    # -- the chain ------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See the store as it is now, whatever a run adds meanwhile."""
        if self._connection.in_transaction:
            yield
            return
        with _errors_explained(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def rows(self) -> Iterator[StoredRow]:
        """Yield all rows in the order in which they were stored, whatever they contain."""
        query = (
            "SELECT number, ?, id, 0, result, '', '', log, link FROM games UNION ALL "
            "SELECT number, ?, game, attempt, '', why, detail, log, link FROM voids ORDER BY number"
        )
        for number, kind, game, attempt, result, why, detail, log, link in self._rows(
            query, GAME, VOID
        ):
            yield StoredRow(
                number,
                kind,
                str(game),
                attempt,
                str(result),
                str(why),
                str(detail),
                _bytes(log),
                tuple(self.outputs(game).items()) if kind == GAME else (),
                tuple(
                    Alarm(alarm.player, alarm.what)
                    for alarm in self.alarms(game)
                    if alarm.attempt == attempt
                ),
                str(link),
            )

    def count_rows(self) -> int:
        """Return the number of rows."""
        query = "SELECT (SELECT COUNT(*) FROM games) + (SELECT COUNT(*) FROM voids)"
        return sum(int(row[0]) for row in self._rows(query))

    def verify_chain(self, key: str | None = None) -> Iterator[str]:
        """Yield, as sentences, where the rows or facts are not as they were stored.

        The head has to be signed by ``key``, a public key; by default by the one in the store.
        """
        check = ChainCheck()
        for row in self.rows():
            if found := check.take(row.what, row.number, row.digest(), row.link):
                yield found
        yield from check.end(self.head(), fact_digests(self.facts()))
        yield from self.verify_signature(key)

    def verify_signature(self, key: str | None = None) -> Iterator[str]:
        """Yield what is wrong with the signature of the head, as for :meth:`verify_chain`."""
        own, statement = self.about("key") or "", (self.about("head") or "").encode()
        if key is not None and key != own:
            yield f"the store has the key {shown(own)}; expected {key}."
        if not is_signed(key or own, self.about("signature") or "", statement):
            yield "the head of the chain is not signed by the key of the tournament."


def read_result(game: object, text: object) -> GameResult:
    """Return the result in a row of a game; ``InvalidFields`` if it is none."""
    if not isinstance(text, str):
        raise InvalidFields(f"{shown(text)} is not text")
    result = GameResult.of(read_json(text))
    if result.game != game:
        raise InvalidFields(f"it is of game {shown(result.game)}")
    return result


def result_text(result: GameResult) -> str:
    """Return a result as a row has it; the same result gives the same text."""
    return json.dumps(result.fields(), ensure_ascii=False, separators=(",", ":"))


def _game_row(game: FinishedGame) -> StoredRow:
    outputs = tuple(sorted(item for item in game.outputs.items() if item[1]))
    result = game.result
    text = result_text(result)
    return StoredRow(0, GAME, result.game, 0, text, "", "", game.log, outputs, game.alarms)


def _void_row(attempt: VoidAttempt) -> StoredRow:
    void, log, alarms = attempt
    return StoredRow(
        0, VOID, void.game, void.attempt, "", void.why, void.detail, log, alarms=alarms
    )


def _bytes(value: object) -> bytes:
    """Return a value of a column of bytes, which a changed file may have as something else."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


def _make_private(path: Path, file: int) -> None:
    """Let only the owner read a store: it has the seeds and all hands.

    SQLite gives new journals the mode of the store.
    """
    if os.fstat(file).st_mode & 0o077:
        os.fchmod(file, 0o600)
    for suffix in ("-wal", "-shm"):
        journal = path.with_name(path.name + suffix)
        if journal.exists() and journal.stat().st_mode & 0o077:
            journal.chmod(0o600)


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
