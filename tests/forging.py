"""A small real tournament, and what a forger does to its store and its report."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import Result
from command_line import invoke, succeed
from tournament_process import QUICK, free_port

from acquire.admin.refereeing.table.server_events import to_each
from acquire.admin.tournament.auditing.audit import audit_store
from acquire.admin.tournament.games.result import Alarm, FailedGame
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.reporting.report_files import ReportWriter, write_report
from acquire.admin.tournament.run.built_in import play_built_in_game
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.row_chain import (
    START,
    Head,
    digest_of,
    fact_digests,
    public_key,
    sign,
)
from acquire.admin.tournament.store.secret_file import TournamentSecret
from acquire.admin.tournament.store.store import Store

PLAN = """
[tournament]
name = "Cup"
seats = 2
format = "gauntlet"
challenger = "ann"
rulebook = "quick.toml"
[clocks]
signup = 0.1
[lobby]
port = {port}
wait = 0.1
[[players]]
name = "ann"
strategy = "random"
[[players]]
name = "bea <&>"
strategy = "ordered"
[[players]]
name = "eve"
remote = {{ secret = "a-long-secret" }}
"""
"""Two built-in players, and a remote one that never comes; so bags are derived from a secret."""
GAMES = 4
ALARM = "It connected to the address of eve, and was refused."


class Forged:
    """A tournament in a folder of its own: its file, its store, its report."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "cup.toml"
        self.store, self.report = folder / "cup.sqlite", folder / "cup"

    @property
    def secret(self) -> TournamentSecret:
        return TournamentSecret(bytes.fromhex((self.folder / "cup.secret").read_text()))

    @property
    def key(self) -> str:
        return public_key(self.secret.signing_key())

    def copy(self, to: Path) -> Forged:
        shutil.copytree(self.folder, to)
        return Forged(to)


def command(*arguments: object) -> Result:
    return invoke("tournament", *arguments)


def play(folder: Path, games: int = GAMES) -> Forged:
    """Play a tournament, with a void game and an alarm, and write its report."""
    played = Forged(folder)
    (folder / "quick.toml").write_text(QUICK)
    played.file.write_text(PLAN.format(port=free_port()))
    with Store.open_to_write(played.store) as store:
        run = TournamentRun(read_plan(played.file), store, to_each())
        (first,) = (game for games in run.stages() for game in games if game.id == "d1-t1-s1")
        alarms = (Alarm("ann", ALARM),)
        run.void(FailedGame(first.id, "The referee was late itself.", alarms=alarms))
        finished = play_built_in_game(run.settings, run.start(first))
        run.finish([finished._replace(alarms=alarms, outputs={first.players[1]: b"printed"})])
    if games == GAMES:
        succeed("tournament", "run", played.file, "--workers", 1)
        succeed("tournament", "report", played.file)
    return played


def write_whole_report(
    store: Store,
    folder: Path,
    secret: TournamentSecret | None = None,
    *,
    logs: bool = False,
    advance: Callable[[int, int], object] = lambda done, total: None,
) -> None:
    """Write the report of a store, whether or not everything in it holds."""
    key = None if secret is None else secret.signing_key()
    with ReportWriter(folder) as writer:
        on_page = writer.write if logs else None
        _, content = audit_store(store, secret, on_page=on_page, logs=logs)
        write_report(writer, store, content, key, advance)


# -- the store ----------------------------------------------------------------------------------


@contextmanager
def connected(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def _change(store: Path, game: str, column: str, change: Callable[[Any], object]) -> None:
    with connected(store) as connection:
        query = f"SELECT {column} FROM games WHERE id = ?"
        (old,) = connection.execute(query, [game]).fetchone()
        query = f"UPDATE games SET {column} = ? WHERE id = ?"
        connection.execute(query, [change(old), game])


def change_log(store: Path, game: str, change: Callable[[str], str]) -> None:
    """Change the text of a game's log."""

    def changed(log: bytes) -> bytes:
        return gzip.compress(change(gzip.decompress(log).decode()).encode(), mtime=0)

    _change(store, game, "log", changed)


def change_result(store: Path, game: str, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the fields of a game's result."""

    def changed(text: str) -> str:
        fields = json.loads(text)
        change(fields)
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    _change(store, game, "result", changed)


def chain_again(store: Path, secret: TournamentSecret | None = None) -> None:
    """Number and link all rows again, and write a head; sign it only with the secret."""
    with Store.open_to_read(store) as opened:
        rows, facts = [row for row, *_ in opened.rows()], opened.facts()
    link = START
    with connected(store) as connection:
        for table in ("games", "voids"):  # out of the way, for numbers are unique
            connection.execute(f"UPDATE {table} SET number = -number")
        for number, row in enumerate(rows, 1):
            link = digest_of(link, row.digest())
            query = f"UPDATE {row.kind}s SET number = ?, link = ? WHERE number = ?"
            connection.execute(query, [number, link, -row.number])
        head = Head(len(rows), link, tuple(fact_digests(facts).items())).statement()
        values = {"head": head}
        if secret is not None:
            values["signature"] = sign(secret.signing_key(), head.encode())
        connection.executemany("REPLACE INTO about VALUES (?, ?)", values.items())
