"""A store has whole games, once each, whatever reads it meanwhile and whatever kills its writer."""

import hashlib
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from child_processes import ending
from forging import connected
from loops import for_each
from sandboxes import sandbox_params

from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.tournament.games import result
from acquire.admin.tournament.games.result import Alarm, FailedGame, FinishedGame
from acquire.admin.tournament.store.row_chain import public_key
from acquire.admin.tournament.store.secret_file import TournamentSecret
from acquire.admin.tournament.store.store import Store
from acquire.admin.tournament.store.store_reader import StoreError


def finished(number: int, **outputs: bytes) -> FinishedGame:
    """Return a game that counts, with a log of its own."""
    ended, late = result.PlayerVerdict.FINISHED, result.PlayerVerdict.TIMED_OUT
    seats = (
        result.SeatResult("Zoë", ended, 1, 12_300, "", None, 40, 123, 45, 678),
        result.SeatResult("b'\"]", late, 2, 0, "1 s were\n allowed.", 7),
    )
    ids = (f"d1-t{number}-s1", f"d1-t{number}")
    game = result.GameResult(*ids, 10**18 - 1, "large-hotel", 40, 7, seats)
    return FinishedGame(game, f"log {number}".encode() + b"\x00\xff", outputs)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.sqlite"


KEY = TournamentSecret(bytes(32)).signing_key()


def signed(path: Path) -> Store:
    """Open a store to write, and sign what is written."""
    return Store.open_to_write(path).sign_with(KEY)


def changed(path: Path, script: str) -> None:
    """Change a store behind its back."""
    with connected(path) as connection:
        connection.executescript(script)


IMPORTS = """
import os, random, resource, signal, sqlite3, sys
from pathlib import Path
from acquire.admin.tournament.games.result import FailedGame, FinishedGame, GameResult
from acquire.admin.tournament.games.result import PlayerVerdict, SeatResult
from acquire.admin.tournament.store.secret_file import TournamentSecret
from acquire.admin.tournament.store.store import Store
from acquire.admin.tournament.store.store_reader import StoreError
KEY = TournamentSecret(bytes(32)).signing_key()
"""
"""What programs for other processes begin with."""


def in_another_process(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", IMPORTS + code, *map(str, arguments)], capture_output=True, text=True
    )


# -- what goes in comes out ---------------------------------------------------------------------


def test_games_are_read_back_as_they_were_added(path: Path) -> None:
    games = [finished(number) for number in (3, 1, 2)]
    with signed(path) as store:
        store.add(*games[:2])
        store.add(*games[2:])
        held = [*store.results()]
    with Store.open_to_read(path) as store:
        assert [*store.results()] == held
        assert [result for _, result in held] == [game.result for game in games]
        assert store.finished() == {"d1-t1-s1", "d1-t2-s1", "d1-t3-s1"}
        logs = [(game.result.game, game.log) for game in games]
        assert [*store.logs()] == logs
        asked = ["d1-t2-s1", "d9-t9-s9", "d1-t3-s1"]
        assert [*store.logs(asked)] == [logs[2], logs[0]], "in this order, without unknown ones"
        assert [*store.logs([])] == []


def test_outputs_are_kept_by_game_and_player_as_bytes_unless_empty(path: Path) -> None:
    with signed(path) as store:
        store.add(finished(1, bob=b"\xff\x00", ann=b""), finished(2, bob=b"other"))
        assert store.outputs("d1-t1-s1") == {"bob": b"\xff\x00"}
        assert store.outputs("d1-t2-s1") == {"bob": b"other"}
        assert store.outputs("d1-t3-s1") == {}


@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
def test_file_that_is_gone_while_it_is_written_is_reported(path: Path, replaced: bool) -> None:
    with signed(path) as store:
        store.add(finished(1))
        path.unlink()
        if replaced:
            path.write_bytes(b"")
        with pytest.raises(StoreError, match="was deleted or replaced while the tournament was"):
            store.add(finished(2))


def test_void_games_are_kept_and_do_not_count(path: Path) -> None:
    first = FailedGame("d1-t1-s1", "the host", "a\ntraceback", b"first", attempt=1)
    again = FailedGame("d1-t1-s1", "again", attempt=2)
    with signed(path) as store:
        store.add(first)
        store.add(finished(2), again)
        assert store.voids() == [first._replace(log=b""), again]
        assert [*store.void_logs()] == [("d1-t1-s1-void1", b"first"), ("d1-t1-s1-void2", b"")]
        assert store.finished() == {"d1-t2-s1"}


def test_facts_are_kept_and_can_be_replaced(path: Path) -> None:
    with signed(path) as store:
        assert store.about("seed") is None
        store.note(seed="1", plan="{}")
        store.note(seed="2")
    with signed(path) as store:
        assert (store.about("seed"), store.about("plan")) == ("2", "{}")


# -- all or none, and only once -----------------------------------------------------------------


def test_adding_a_game_twice_adds_nothing(path: Path) -> None:
    void = FailedGame("d1-t3-s1", "why", attempt=1)
    with signed(path) as store:
        store.add(finished(1), void)
        other = finished(1)._replace(log=b"another")
        with pytest.raises(sqlite3.IntegrityError):
            store.add(finished(2, bob=b"x"), other, FailedGame("d1-t4-s1", "why", attempt=1))
        with pytest.raises(sqlite3.IntegrityError):
            store.add(finished(2, bob=b"x"), void)
        assert store.finished() == {"d1-t1-s1"} and store.voids() == [void]
        assert dict(store.logs()) == {"d1-t1-s1": finished(1).log}
        assert store.outputs("d1-t2-s1") == {}
        store.add(finished(2))
        assert store.finished() == {"d1-t1-s1", "d1-t2-s1"}


# -- one writer, many readers -------------------------------------------------------------------

OPEN = """
try:
    with getattr(Store, sys.argv[2])(Path(sys.argv[1])) as store:
        print(len(store.finished()))
except StoreError as error:
    sys.exit(str(error))
"""


def test_second_writer_is_refused_and_readers_are_not(path: Path) -> None:
    with signed(path) as store:
        store.add(finished(1))
        refused = in_another_process(OPEN, path, "open_to_write")
        assert refused.returncode == 1
        assert refused.stderr.strip() == (
            f"{path}: another process is running this tournament. Wait for it, follow it with "
            "`acquire tournament show`, or stop it."
        )
        assert in_another_process(OPEN, path, "open_to_read").stdout == "1\n"
        store.add(finished(2))  # neither has blocked it
    assert in_another_process(OPEN, path, "open_to_write").stdout == "2\n"


def test_second_writer_in_the_same_process_is_refused_too(path: Path) -> None:
    with Store.open_to_write(path):
        for _ in range(2):  # the first refusal has not released the lock
            with pytest.raises(StoreError, match="another process is running this tournament"):
                Store.open_to_write(path)
    Store.open_to_write(path).close()


def test_reader_in_the_middle_of_reading_does_not_block_the_writer(path: Path) -> None:
    with signed(path) as store, Store.open_to_read(path) as reader:
        store.add(*(finished(number) for number in range(50)))
        reading = reader.results()
        next(reading)
        store.add(finished(99))
        assert len([*reading]) >= 49


# -- files that are not stores ------------------------------------------------------------------

BY_WRITER_AND_READER = pytest.mark.parametrize("way", ["open_to_write", "open_to_read"])
OTHERS: dict[str, str | bytes] = {
    "text": b"[tournament]\nseats = 4\n" * 100,
    "a damaged database": b"SQLite format 3\x00" + b"\x07" * 5000,
    "songs": "CREATE TABLE songs (title TEXT)",
    "another table": "CREATE TABLE about (key TEXT, value TEXT)",
    "a format": "CREATE TABLE about (key, value); INSERT INTO about VALUES ('format', '2')",
}


@pytest.mark.parametrize("what", OTHERS)
@BY_WRITER_AND_READER
def test_file_that_is_not_a_store_is_refused_and_not_changed(
    path: Path, what: str, way: str
) -> None:
    content, words = OTHERS[what], "is not a tournament store of this version"
    if isinstance(content, bytes):
        path.write_bytes(content)
        words = r"cannot be used: .*Give another --store"
    else:
        changed(path, content)
    before = path.read_bytes()
    path.chmod(0o644)
    with pytest.raises(StoreError, match=words):
        getattr(Store, way)(path)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (before, 0o644)
    assert [*path.parent.iterdir()] == [path]


@BY_WRITER_AND_READER
def test_damaged_name_of_a_table_is_reported_in_a_sentence(path: Path, way: str) -> None:
    """SQLite quotes it, and a text that is not UTF-8 cannot even be told."""
    with signed(path) as store:
        store.add(finished(1))
    content = path.read_bytes()
    path.write_bytes(content.replace(b"CREATE TABLE games", b"CREA\xabE TABLE games", 1))
    with pytest.raises(StoreError, match=r"cannot be used: .*Give another --store"):
        getattr(Store, way)(path)


def test_store_without_a_game_is_reported_with_the_command_to_start(path: Path) -> None:
    """Also of a run that could not begin: there was no room for the tournament's secret, say."""
    words = r"no game has been played yet. .*`acquire tournament run`"
    with pytest.raises(StoreError, match=words):
        Store.open_to_read(path)
    assert not path.exists()
    path.touch()
    with pytest.raises(StoreError, match=words):
        Store.open_to_read(path)
    Store.open_to_write(path).close()
    with pytest.raises(StoreError, match=words):
        Store.open_to_read(path)
    with signed(path) as store:
        store.add(finished(1))
    with Store.open_to_read(path) as store:
        assert store.finished() == {"d1-t1-s1"}


def test_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used: Is a directory"):
        Store.open_to_write(tmp_path)
    with pytest.raises(StoreError, match=r"cannot be used: unable to open"):
        Store.open_to_read(tmp_path)
    with pytest.raises(StoreError, match="cannot be used: No such file or directory"):
        Store.open_to_write(tmp_path / "missing" / "cup.sqlite")


def test_pipe_is_not_a_store_and_keeps_its_rights(path: Path) -> None:
    """Nor is a device: /dev/null without the rights of others stops most programs of a machine."""
    os.mkfifo(path)
    path.chmod(0o666)
    with pytest.raises(StoreError, match=r"is a device or a pipe.* Give another --store"):
        Store.open_to_write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666
    assert [*path.parent.iterdir()] == [path]


OPEN_AS_NOBODY = "os.geteuid() or os.seteuid(65534)\n" + OPEN
"""As a user who may not write everywhere, unlike the superuser."""


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Yield a read-only folder with a store in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with signed(folder / "cup.sqlite") as store:
            store.add(finished(1))
        folder.chmod(0o555)
        (folder / "cup.sqlite").chmod(0o444)
        try:
            yield folder
        finally:
            folder.chmod(0o755)


@pytest.mark.parametrize("name", ["cup.sqlite", "new.sqlite"])
def test_read_only_folder_is_reported_to_a_writer(read_only: Path, name: str) -> None:
    refused = in_another_process(OPEN_AS_NOBODY, read_only / name, "open_to_write")
    assert refused.stderr == (
        f"{read_only / name} cannot be used: Permission denied. Give another --store.\n"
    )


GROW = """
with Store.open_to_write(Path(sys.argv[1])).sign_with(KEY) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        store.add(FailedGame("d1-t2-s1", "why", "", bytes(400_000), attempt=1))
    except StoreError as error:
        print(error)
    print(len(store.finished()), len(store.voids()))
"""


def test_full_disk_is_reported_and_earlier_games_are_safe(path: Path) -> None:
    with signed(path) as store:
        store.add(finished(1))
    done = in_another_process(GROW, path)
    sentence, counts = done.stdout.splitlines()
    assert sentence.startswith(f"{path} cannot be used: ") and "Give another" in sentence
    assert counts == "1 0", done.stderr
    with Store.open_to_read(path) as store:
        assert store.finished() == {"d1-t1-s1"} and store.voids() == []


FILL = """
small, stored = map(Path, sys.argv[1:])
def tell(step, *arguments):
    try:
        step(*arguments)
    except StoreError as error:
        print(error)
with Store.open_to_write(small / "cup.sqlite").sign_with(KEY) as store:
    tell(store.add, FailedGame("d1-t2-s1", "why", "", bytes(4_000_000), attempt=1))
for left in small.iterdir():
    left.unlink()
with Store.open_to_read(stored) as store:
    tell(store.copy_to, small / "copy.sqlite")
"""


@pytest.mark.parametrize("kind", sandbox_params(Sandbox.BWRAP))
def test_where_there_is_no_room_the_advice_is_to_make_some(path: Path, kind: Sandbox) -> None:
    """With another store, a second tournament would begin."""
    with signed(path) as store:
        store.add(FailedGame("d1-t2-s1", "why", "", bytes(4_000_000), attempt=1))
    small = path.parent / "small"
    small.mkdir()
    words = ("--dev-bind", "/", "/", "--size", str(2**20), "--tmpfs", str(small))
    done = subprocess.run(
        [kind.value, *words, "--", sys.executable, "-c", IMPORTS + FILL, str(small), str(path)],
        capture_output=True,
        text=True,
    )
    full = "database or disk is full"
    assert done.stdout.splitlines() == [
        f"{small}/cup.sqlite cannot be used: {full}. Make room; the same command resumes.",
        f"{small}/copy.sqlite cannot be written: {full}. Make room for it.",
    ], done.stderr


# -- killed -------------------------------------------------------------------------------------

WRITE = """
store = Store.open_to_write(Path(sys.argv[1])).sign_with(KEY)
FINISHED, CRASHED = PlayerVerdict.FINISHED, PlayerVerdict.CRASHED
seats = (SeatResult("a", FINISHED, 1, 5), SeatResult("b", CRASHED, 2, 0))
chance = random.Random(len(store.finished()))
number = len(store.finished())
while True:
    games = []
    for _ in range(chance.randint(1, 5)):
        id = f"d1-t{number}-s1"
        log = f"{number} ".encode() * chance.randint(1, 20_000)
        result = GameResult(id, f"d1-t{number}", number, "large-hotel", 9, None, seats)
        games.append(FinishedGame(result, log, {"b": f"{number} {len(log)}".encode()}))
        number += 1
    store.add(*games, FailedGame(games[0].result.game, str(number), attempt=1))
    print("added", flush=True)
"""


def test_store_of_a_killed_writer_has_whole_games_and_can_be_added_to(
    path: Path, soak: bool
) -> None:
    kills = 30 if soak else 3
    chance = random.Random(9)
    counts = [0]
    command = [sys.executable, "-c", IMPORTS + WRITE, str(path)]
    for _ in range(kills):
        writing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with ending(writing) as writer:
            assert writer.stdout is not None
            for _ in range(chance.randint(1, 5)):
                assert writer.stdout.readline() == b"added\n"
            time.sleep(chance.uniform(0, 0.02))  # so that it is killed at any moment
            writer.kill()
            _, errors = writer.communicate()
        assert errors == b""
        counts.append(whole_games(path))
        assert counts[-1] > counts[-2]


def is_intact(path: Path) -> bool:
    with connected(path) as connection:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))


def whole_games(path: Path) -> int:
    """Count the games of a store, each with its log and output, and in whole batches."""
    with signed(path) as store:
        assert is_intact(path)
        results = [result for _, result in store.results()]
        assert [result.seed for result in results] == [*range(len(results))]
        for game, log in store.logs():
            number = game.removeprefix("d1-t").removesuffix("-s1")
            assert log == f"{number} ".encode() * (len(log) // (len(number) + 1))
            assert store.outputs(game) == {"b": f"{number} {len(log)}".encode()}
        assert int(store.voids()[-1].why) == len(results)  # the void game of the last batch
        return len(results)


# -- signed and chained -------------------------------------------------------------------------


def breaks(path: Path) -> list[str]:
    with Store.open_to_read(path) as store:
        return [*store.verify_chain()]


@pytest.fixture
def stored(path: Path) -> Path:
    """A store with two games, a void one between them, and alarms."""
    alarmed = finished(1, bob=b"output")._replace(alarms=(Alarm("Zoë", "odd"), Alarm("b", "too")))
    with signed(path) as store:
        store.note(shown='{"name": "Cup", "points": [1, 0]}', plan='{"a": 1}', seed="7")
        void = FailedGame("d1-t2-s1", "late", "", b"log", (Alarm("Zoë", "void"),), attempt=1)
        store.add(alarmed, void)
        store.add(finished(2))
        assert [*store.verify_chain(public_key(KEY))] == []
    assert breaks(path) == []
    return path


def test_alarms_are_kept_by_game_and_attempt(stored: Path) -> None:
    with Store.open_to_read(stored) as store:
        assert [tuple(alarm) for alarm in store.alarms()] == [
            ("d1-t1-s1", 0, "Zoë", "odd"),
            ("d1-t1-s1", 0, "b", "too"),
            ("d1-t2-s1", 1, "Zoë", "void"),
        ]
        assert [alarm.what for alarm in store.alarms("d1-t2-s1")] == ["void"]


def test_rows_are_linked_in_the_order_in_which_they_were_stored(stored: Path) -> None:
    with Store.open_to_read(stored) as store:
        rows = [*store.rows()]
    assert [row.place for row, *_ in rows] == [
        "row 1 (game d1-t1-s1)",
        "row 2 (void game d1-t2-s1, attempt 1)",
        "row 3 (game d1-t2-s1)",
    ]
    link = "0" * 64
    for row, log, outputs, detail, _ in rows:
        assert log is not None
        parts = [row.kind, row.game, str(row.attempt), row.result, row.why]
        parts += [hashed(detail), hashed(log), str(len(outputs))]
        parts += [part for player in outputs for part in (player, hashed(outputs[player]))]
        parts += [str(len(row.alarms)), *(part for alarm in row.alarms for part in alarm)]
        link = hashed(link, hashed(*parts))
        assert row.link == link


def hashed(*parts: str | bytes) -> str:
    """Hash some parts as docs/trust/proof.md says."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


CHANGES = {
    "UPDATE games SET result = replace(result, '12300', '12301') WHERE number = 1": "row 1 (game",
    "UPDATE games SET log = x'00' WHERE number = 3": "row 3 (game d1-t2-s1) is not as it was",
    "UPDATE games SET id = 'd9' WHERE number = 3": "row 3 (game d9) is not as it was stored",
    "UPDATE outputs SET output = x'00'": "row 1 (game d1-t1-s1) is not as it was stored",
    "DELETE FROM outputs": "row 1 (game d1-t1-s1) is not as it was stored",
    "INSERT INTO outputs VALUES ('d1-t2-s1', 'a', x'00')": "row 3 (game d1-t2-s1) is not",
    "DELETE FROM alarms WHERE attempt = 0 AND place = 2": "row 1 (game d1-t1-s1) is not",
    "UPDATE alarms SET player = 'b' WHERE attempt = 1": "row 2 (void game d1-t2-s1, attempt 1) is",
    "UPDATE voids SET why = 'never'": "row 2 (void game d1-t2-s1, attempt 1) is not as it was",
    "DELETE FROM voids": "row 3 (game d1-t2-s1) comes where row 2 is expected",
    "DELETE FROM games WHERE number = 3": "the last row is 2, but 3 rows were signed",
    "INSERT INTO games SELECT 4, link, 'x', result, log FROM games LIMIT 1": "row 4 (game x) is",
    "UPDATE about SET value = replace(value, 'Cup', 'Cap') WHERE key = 'shown'": "'shown.name'",
    "UPDATE about SET value = '8' WHERE key = 'seed'": "the fact 'seed' is not the signed one",
    "UPDATE about SET value = '{}' WHERE key = 'plan'": "the fact 'plan' is not the signed one",
    "INSERT INTO about VALUES ('more', '')": "the fact 'more' is not the signed one",
    "DELETE FROM about WHERE key = 'secret'; DELETE FROM about WHERE key = 'seed'": "'seed'",
    "UPDATE about SET value = '' WHERE key = 'signature'": "the head of the chain is not signed",
    "UPDATE about SET value = replace(value, 'rows 3', 'rows 4') WHERE key = 'head'": "4 rows",
}


@pytest.mark.parametrize("script", CHANGES)
def test_change_of_a_store_is_named_and_no_run_resumes(stored: Path, script: str) -> None:
    changed(stored, script)
    found = breaks(stored)
    assert CHANGES[script] in found[0]
    assert len(found) == 1 + ("rows 3" in script or "SELECT 4" in script)
    with (
        Store.open_to_write(stored) as store,
        pytest.raises(StoreError, match="was changed by something else than") as refused,
    ):
        store.sign_with(KEY)
    assert found[0] in str(refused.value)


def test_rows_in_another_order_are_named(stored: Path) -> None:
    changed(
        stored,
        "UPDATE games SET number = 9 WHERE number = 1;"
        "UPDATE games SET number = 1 WHERE number = 3;"
        "UPDATE games SET number = 3 WHERE number = 9",
    )
    first, second, *_ = breaks(stored)
    assert first.startswith("row 1 (game d1-t2-s1) is not as it was stored")
    assert second.startswith("row 2 (void game d1-t2-s1, attempt 1)")


def test_store_of_another_key_or_without_a_seal_is_refused(stored: Path) -> None:
    other = TournamentSecret(bytes(31) + b"1").signing_key()
    expected = f"expected {public_key(other)}"
    with Store.open_to_write(stored) as store, pytest.raises(StoreError, match=expected):
        store.sign_with(other)
    changed(stored, "DELETE FROM about WHERE key IN ('key', 'head', 'signature')")
    with Store.open_to_write(stored) as store, pytest.raises(StoreError, match="head of a chain"):
        store.sign_with(KEY)


def test_nothing_is_stored_unsigned(path: Path) -> None:
    with Store.open_to_write(path) as store, pytest.raises(AssertionError):
        store.add(finished(1))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("CREATE TRIGGER evil AFTER INSERT ON games BEGIN DELETE FROM voids; END", "the trigger"),
        (
            "ALTER TABLE games RENAME TO others; CREATE VIEW games AS SELECT * FROM others",
            "table 'others'",
        ),
    ],
)
def test_store_with_another_schema_is_refused(stored: Path, script: str, words: str) -> None:
    changed(stored, script)
    for way in (Store.open_to_read, Store.open_to_write):
        with pytest.raises(StoreError, match=words):
            way(stored)


def refused_results(path: Path) -> str:
    """Return why the results of a store cannot be read."""
    with Store.open_to_read(path) as store, pytest.raises(StoreError) as refused:
        [*store.results()]
    return str(refused.value)


BAD_RESULTS = {
    "nothing": "not JSON",
    "[" * 100_000: "recursion limit",
    '{"a":' * 201 + "1" + "}" * 201: "recursion limit",
    "[]": "the field 0 is missing",
    '{"game": "d1-t1-s1"}': "the field block is missing",
    "9" * 5000: "not JSON",
    '"' + "[" * 9000 + '"': "an array or an object",
    "{" + ",".join(f'"{number}":0' for number in range(2000)) + "}": "it has 2,0",
}


@for_each("text", BAD_RESULTS)
def test_damaged_result_is_reported_with_its_game(stored: Path, text: str) -> None:
    changed(stored, f"UPDATE games SET result = '{text}' WHERE number = 1")
    why = refused_results(stored)
    assert "the result of game 'd1-t1-s1' (row 1) cannot be read" in why
    assert BAD_RESULTS[text] in why


BAD_FIELDS = {
    '"verdict":"finished"': '"verdict":"won"',
    '"rank":1': '"rank":"1"',
    '"money":12300': '"money":-1',
    '"money":0': '"money":1e9',
    '"turns":40': '"turns":true',
    '"seed":': '"sead":',
    '"out_of_step":7': '"out_of_step":[7]',
    '"sandbox":""': '"sandbox":"","more":1',
    '"player":"Zoë"': '"player":null',
    '"block":"d1-t1"': '"block":"../d1"',
    '"game":"d1-t1-s1"': '"game":"d1-t2-s1"',
}


@pytest.mark.parametrize("field", BAD_FIELDS)
def test_field_of_another_kind_is_reported_with_its_name(stored: Path, field: str) -> None:
    new = BAD_FIELDS[field]
    changed(stored, f"UPDATE games SET result = replace(result, '{field}', '{new}')")
    named = "more" if "more" in new else field[1:].partition('"')[0]
    assert f" {named}" in refused_results(stored).replace("'", "")


@pytest.mark.parametrize("game", ["../../x", "", "a/b", "\x1b[31m"])
def test_id_that_cannot_be_a_file_name_is_reported(stored: Path, game: str) -> None:
    with connected(stored) as connection:
        connection.execute("UPDATE games SET id = ? WHERE number = 1", [game])
        connection.execute("UPDATE voids SET game = ?", [game])
    with Store.open_to_read(stored) as store:
        for read in (store.logs, store.void_logs, store.finished, store.voids):
            with pytest.raises(StoreError, match="is not the id of a game"):
                [*read()]


# -- bugs of the past ----------------------------------------------------------------------------


OPEN_AND_DIE = """
left = int(sys.argv[2])
def count(statement):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
def watch(frame, event, function):
    connection = getattr(function, "__self__", None)
    if event == "c_call" and isinstance(connection, sqlite3.Connection):
        sys.setprofile(None)
        connection.set_trace_callback(count)
sys.setprofile(watch)
Store.open_to_write(Path(sys.argv[1])).close()
"""


def test_store_of_a_writer_killed_while_creating_it_can_be_used(tmp_path: Path, soak: bool) -> None:
    unusable = []
    for number in range(1, 30, 1 if soak else 5):
        path = tmp_path / f"{number}.sqlite"
        done = in_another_process(OPEN_AND_DIE, path, number)
        if done.returncode == 0:
            break  # all statements have run
        assert done.returncode == -signal.SIGKILL, done.stderr
        try:
            Store.open_to_write(path).close()
        except StoreError:
            unusable.append(number)
    else:
        raise AssertionError("it was killed again and again")
    assert number > 5
    assert not unusable


def test_store_damaged_in_the_middle_is_reported(path: Path) -> None:
    with signed(path) as store:
        store.add(*(finished(number)._replace(log=bytes(9000)) for number in range(20)))
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    assert refused_results(path)


def test_store_in_a_read_only_folder_can_be_read(read_only: Path) -> None:
    done = in_another_process(OPEN_AS_NOBODY, read_only / "cup.sqlite", "open_to_read")
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_reading_a_store_leaves_it_as_it_is(path: Path, tmp_path: Path) -> None:
    """Also one that was copied while it was open, whose last games are in the file beside it."""
    copies = [tmp_path / "copy.sqlite", tmp_path / "copy.sqlite-wal"]
    with signed(path) as store:
        store.add(finished(1))
        for copy, name in zip(copies, ("cup.sqlite", "cup.sqlite-wal"), strict=True):
            copy.write_bytes(path.with_name(name).read_bytes())
    before = [copy.read_bytes() for copy in copies]
    with Store.open_to_read(copies[0]) as store:
        assert [result.game for _, result in store.all_results()] == [finished(1).result.game]
    assert before[1] and [copy.read_bytes() for copy in copies] == before


def test_store_is_not_read_without_the_games_beside_it(read_only: Path, path: Path) -> None:
    """Where nothing can be written, SQLite would leave out what is in its journal (WAL)."""
    signed(path).close()
    read_only.chmod(0o755)
    with signed(path) as store:
        store.add(finished(1))
        for name in ("cup.sqlite", "cup.sqlite-wal"):
            (read_only / name).unlink(missing_ok=True)
            (read_only / name).write_bytes(path.with_name(name).read_bytes())
            (read_only / name).chmod(0o444)
    read_only.chmod(0o555)
    done = in_another_process(OPEN_AS_NOBODY, read_only / "cup.sqlite", "open_to_read")
    assert "cannot be read here" in done.stderr and "Copy both to a folder" in done.stderr
