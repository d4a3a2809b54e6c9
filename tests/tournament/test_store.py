"""A store has whole games, once each, whatever reads it meanwhile and whatever kills its writer."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from admin.tournament.results.result import FinishedGame, GameResult, SeatResult
from admin.tournament.results.store import Store, StoreError, VoidGame
from admin.tournament.results.verdict import PlayerVerdict


def finished(number: int, **outputs: bytes) -> FinishedGame:
    """Return a game that counts, with a log of its own."""
    seats = (
        SeatResult("Zoë", PlayerVerdict.FINISHED, 1, 12_300, "", None, 40, 123, 45, 678),
        SeatResult("b'\"]", PlayerVerdict.TIMED_OUT, 2, 0, "1 s were\n allowed.", 7),
    )
    result = GameResult(
        f"d1-t{number}-s1", f"d1-t{number}", 10**18 - 1, "large-hotel", 40, 7, seats
    )
    return FinishedGame(result, f"log {number}".encode() + b"\x00\xff", outputs)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.sqlite"


def in_another_process(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True
    )


# -- what goes in comes out ---------------------------------------------------------------------


def test_games_are_read_back_as_they_were_added(path: Path) -> None:
    games = [finished(number) for number in (3, 1, 2)]
    with Store.open_to_write(path) as store:
        store.add(games[:2])
        store.add(games[2:])
        held = [*store.results()]
    with Store.open_to_read(path) as store:
        assert [*store.results()] == held
        assert [result for _, result in held] == [game.result for game in games]
        assert store.finished() == {"d1-t1-s1", "d1-t2-s1", "d1-t3-s1"}
        assert [*store.logs()] == [(game.result.game, game.log) for game in games]


def test_reader_can_ask_for_the_games_after_a_number(path: Path) -> None:
    with Store.open_to_write(path) as store, Store.open_to_read(path) as reader:
        last, seen = 0, []
        for number in range(6):
            store.add([finished(2 * number), finished(2 * number + 1)])
            new = [*reader.results(after=last)]
            last = new[-1][0]
            seen += [result.block for _, result in new]
        assert seen == [f"d1-t{number}" for number in range(12)]
        assert [*reader.results(after=last)] == []
        numbers = [number for number, _ in reader.results()]
        assert numbers == sorted(set(numbers))


def test_logs_come_in_the_order_asked_for_without_unknown_games(path: Path) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(number) for number in range(4)])
        asked = ["d1-t2-s1", "d9-t9-s9", "d1-t0-s1"]
        assert [*store.logs(asked)] == [
            ("d1-t2-s1", finished(2).log),
            ("d1-t0-s1", finished(0).log),
        ]
        assert [*store.logs([])] == []


def test_outputs_are_kept_by_game_and_player_as_bytes(path: Path) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(1, bob=b"\xff\x00", ann=b""), finished(2, bob=b"other")])
        assert store.outputs("d1-t1-s1") == {"ann": b"", "bob": b"\xff\x00"}
        assert store.outputs("d1-t2-s1") == {"bob": b"other"}
        assert store.outputs("d1-t3-s1") == {}


@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
def test_file_that_is_gone_while_it_is_written_is_reported(path: Path, replaced: bool) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(1)])
        path.unlink()
        if replaced:
            path.write_bytes(b"")
        with pytest.raises(StoreError, match="was deleted or replaced while the tournament was"):
            store.add([finished(2)])


def test_void_games_are_kept_and_do_not_count(path: Path) -> None:
    voids = [VoidGame("d1-t1-s1", 1, "the host", "a\ntraceback"), VoidGame("d1-t1-s1", 2, "again")]
    with Store.open_to_write(path) as store:
        store.add([], [(voids[0], b"first")])
        store.add([finished(2)], [(voids[1], b"")])
        assert store.voids() == voids
        assert [*store.void_logs()] == [("d1-t1-s1-void1", b"first"), ("d1-t1-s1-void2", b"")]
        assert store.finished() == {"d1-t2-s1"}


def test_facts_are_kept_and_can_be_replaced(path: Path) -> None:
    with Store.open_to_write(path) as store:
        assert store.about("seed") is None
        store.note(seed="1", plan="{}")
        store.note(seed="2")
    with Store.open_to_write(path) as store:
        assert (store.about("seed"), store.about("plan")) == ("2", "{}")


# -- all or none, and only once -----------------------------------------------------------------


def test_adding_a_game_twice_adds_nothing(path: Path) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(1)])
        other = finished(1)._replace(log=b"another")
        with pytest.raises(sqlite3.IntegrityError):
            store.add([finished(2, bob=b"x"), other], [(VoidGame("d1-t3-s1", 1, "why"), b"")])
        assert store.finished() == {"d1-t1-s1"}
        assert dict(store.logs()) == {"d1-t1-s1": finished(1).log}
        assert store.outputs("d1-t2-s1") == {} and store.voids() == []
        store.add([finished(2)])
        assert store.finished() == {"d1-t1-s1", "d1-t2-s1"}


def test_adding_a_void_game_twice_adds_nothing(path: Path) -> None:
    void = VoidGame("d1-t1-s1", 1, "why")
    with Store.open_to_write(path) as store:
        store.add([], [(void, b"")])
        with pytest.raises(sqlite3.IntegrityError):
            store.add([finished(1)], [(void, b"")])
        assert store.voids() == [void] and store.finished() == set()


# -- one writer, many readers -------------------------------------------------------------------

OPEN = """
import sys
from pathlib import Path
from admin.tournament.results.store import Store, StoreError
try:
    with getattr(Store, sys.argv[2])(Path(sys.argv[1])) as store:
        print(len(store.finished()))
except StoreError as error:
    sys.exit(str(error))
"""


def test_second_writer_is_refused_and_readers_are_not(path: Path) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(1)])
        refused = in_another_process(OPEN, path, "open_to_write")
        assert refused.returncode == 1
        assert refused.stderr.strip() == (
            f"{path}: another process is running this tournament. Wait for it, follow it with "
            "`acquire tournament show`, or stop it."
        )
        assert in_another_process(OPEN, path, "open_to_read").stdout == "1\n"
        store.add([finished(2)])  # neither has blocked it
    assert in_another_process(OPEN, path, "open_to_write").stdout == "2\n"


def test_second_writer_in_the_same_process_is_refused_too(path: Path) -> None:
    with Store.open_to_write(path):
        with pytest.raises(StoreError, match="another process is running this tournament"):
            Store.open_to_write(path)
        with pytest.raises(
            StoreError, match="another process"
        ):  # the refusal has not released the lock
            Store.open_to_write(path)
    Store.open_to_write(path).close()


def test_reader_in_the_middle_of_reading_does_not_block_the_writer(path: Path) -> None:
    with Store.open_to_write(path) as store, Store.open_to_read(path) as reader:
        store.add([finished(number) for number in range(50)])
        reading = reader.results()
        next(reading)
        store.add([finished(99)])
        assert len([*reading]) >= 49


# -- files that are not stores ------------------------------------------------------------------

OTHERS = {
    "text": b"[tournament]\nseats = 4\n" * 100,
    "a damaged database": b"SQLite format 3\x00" + b"\x07" * 5000,
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS.keys())
@pytest.mark.parametrize("way", ["open_to_write", "open_to_read"])
def test_file_that_is_not_a_store_is_refused_and_not_changed(
    path: Path, data: bytes, way: str
) -> None:
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"cannot be used: .*Give another --store"):
        getattr(Store, way)(path)
    assert path.read_bytes() == data
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("way", ["open_to_write", "open_to_read"])
@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE songs (title TEXT)",
        "CREATE TABLE about (key TEXT, value TEXT)",
        "CREATE TABLE about (key, value); INSERT INTO about VALUES ('format', '2')",
    ],
)
def test_other_database_is_refused_and_not_changed(path: Path, way: str, script: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is not a tournament store of this version"):
        getattr(Store, way)(path)
    assert path.read_bytes() == before


def test_missing_store_is_reported_with_the_command_to_start(path: Path) -> None:
    with pytest.raises(
        StoreError, match=r"no game has been played yet. .*`acquire tournament run`"
    ):
        Store.open_to_read(path)
    assert not path.exists()


def test_missing_folder_is_reported(path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used: No such file or directory"):
        Store.open_to_write(path / "cup.sqlite")


def test_folder_is_not_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used: Is a directory"):
        Store.open_to_write(tmp_path)
    with pytest.raises(StoreError, match=r"cannot be used: unable to open"):
        Store.open_to_read(tmp_path)


def test_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store.open_to_write(path) as store:
        store.add([finished(1)])
    with Store.open_to_read(path) as store:
        assert store.finished() == {"d1-t1-s1"}


OPEN_AS_NOBODY = OPEN.replace("try:", "import os; os.geteuid() or os.seteuid(65534)\ntry:", 1)
"""As a user who may not write everywhere, unlike the superuser."""


@pytest.fixture
def read_only() -> Iterator[Path]:
    """Yield a read-only folder with a store in it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Store.open_to_write(folder / "cup.sqlite") as store:
            store.add([finished(1)])
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
import resource, sys
from pathlib import Path
from admin.tournament.results.store import Store, StoreError, VoidGame
with Store.open_to_write(Path(sys.argv[1])) as store:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        store.add([], [(VoidGame("d1-t2-s1", 1, "why"), bytes(400_000))])
    except StoreError as error:
        print(error)
    print(len(store.finished()), len(store.voids()))
"""


def test_full_disk_is_reported_and_earlier_games_are_safe(path: Path) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(1)])
    done = in_another_process(GROW, path)
    sentence, counts = done.stdout.splitlines()
    assert sentence.startswith(f"{path} cannot be used: ") and "Give another" in sentence
    assert counts == "1 0", done.stderr
    with Store.open_to_read(path) as store:
        assert store.finished() == {"d1-t1-s1"} and store.voids() == []


# -- killed -------------------------------------------------------------------------------------

WRITE = """
import random, sys
from pathlib import Path
from admin.tournament.results.store import Store, VoidGame
from admin.tournament.results.result import FinishedGame, GameResult, SeatResult
from admin.tournament.results.verdict import PlayerVerdict
store = Store.open_to_write(Path(sys.argv[1]))
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
    store.add(games, [(VoidGame(games[0].result.game, 1, str(number)), b"")])
    print("added", flush=True)
"""


def test_store_of_a_killed_writer_has_whole_games_and_can_be_added_to(
    path: Path, soak: bool
) -> None:
    kills = 30 if soak else 6
    chance = random.Random(9)
    counts = [0]
    for _ in range(kills):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITE, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
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
    connection = sqlite3.connect(path)
    try:
        return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))
    finally:
        connection.close()


def whole_games(path: Path) -> int:
    """Count the games of a store, each with its log and output, and in whole batches."""
    with Store.open_to_write(path) as store:
        assert is_intact(path)
        results = [result for _, result in store.results()]
        assert [result.seed for result in results] == [*range(len(results))]
        for game, log in store.logs():
            number = game.removeprefix("d1-t").removesuffix("-s1")
            assert log == f"{number} ".encode() * (len(log) // (len(number) + 1))
            assert store.outputs(game) == {"b": f"{number} {len(log)}".encode()}
        assert int(store.voids()[-1].why) == len(results)  # the void game of the last batch
        return len(results)


# -- bugs of the past ----------------------------------------------------------------------------


OPEN_AND_DIE = """
import os, signal, sqlite3, sys
from pathlib import Path
from admin.tournament.results.store import Store
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


def test_store_of_a_writer_killed_while_creating_it_can_be_used(tmp_path: Path) -> None:
    unusable = []
    for number in range(1, 30):
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
        raise AssertionError("it was killed 29 times")
    assert number > 5
    assert not unusable


def test_store_damaged_in_the_middle_is_reported(path: Path) -> None:
    with Store.open_to_write(path) as store:
        store.add([finished(number)._replace(log=bytes(9000)) for number in range(20)])
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))
    with Store.open_to_read(path) as store, pytest.raises(StoreError):
        [*store.results()]


def test_store_in_a_read_only_folder_can_be_read(read_only: Path) -> None:
    done = in_another_process(OPEN_AS_NOBODY, read_only / "cup.sqlite", "open_to_read")
    assert (done.stdout, done.stderr) == ("1\n", "")
