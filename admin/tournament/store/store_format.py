"""The tables of a store, and whether a file has exactly these.

    about      facts about the tournament; the public key, and the signed head of the chain
    games      one row for every game that counts, by its id: the result, and the log
    voids      void games, with the reason: the evidence
    outputs    what programs printed, by turn: :mod:`acquire.admin.tournament.games.program_output`
    alarms     what was suspicious in a game; ``attempt`` is 0 for one that counts

The rows of games and voids are numbered together, in the order in which they were stored; ``link``
is explained in :mod:`acquire.admin.tournament.store.row_chain`. A file with other tables, a view or
a trigger is refused, for it could show other rows than it has.
"""

import sqlite3
from pathlib import Path

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
MAX_VALUE_BYTES = 32 * 2**20
"""Bytes of a value in the store; a log has at most 8 MiB before it is compressed."""


class StoreError(Exception):
    """A store cannot be used; the text is user-facing."""


def connect(path: str | Path, *, uri: bool = False) -> sqlite3.Connection:
    """Connect to a database that anybody may have written; values are limited in size."""
    connection = sqlite3.connect(path, timeout=30, uri=uri)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.text_factory = lambda data: data.decode(errors="replace")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def create_tables(connection: sqlite3.Connection) -> None:
    """Create all tables, or none."""
    with connection:
        connection.execute("BEGIN")
        for table in TABLES.values():
            connection.execute(table)
        connection.execute("INSERT INTO about VALUES ('format', ?)", (FORMAT,))


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a database has nothing in it."""
    return not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()


def check_format(path: Path, connection: sqlite3.Connection) -> None:
    """Verify that a database is a store of this version; ``StoreError``."""
    schema = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
    found = {name: sql for _, name, sql in connection.execute(schema)}
    if found == TABLES and _format(connection) == FORMAT:
        return
    if "about" in found and _format(connection) == "1":
        raise StoreError(
            f"{path} was written by an earlier version, without signatures. Start over with "
            "`acquire tournament run --fresh`, or give another --store."
        )
    for kind, name, sql in connection.execute(schema):
        if found.keys() >= TABLES.keys() and TABLES.get(name) != sql:
            raise StoreError(
                f"{path}: the {kind} {name!a} is not one of a tournament store. Somebody has "
                "changed the file; restore it from a copy."
            )
    raise StoreError(f"{path} is not a tournament store of this version. Give another --store.")


def _format(connection: sqlite3.Connection) -> str | None:
    try:
        row = connection.execute("SELECT value FROM about WHERE key = 'format'").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
            raise  # the file cannot be read; the plain error is that it has no such table
        return None
    return None if row is None else str(row[0])
