"""Where built-in players play does not matter: the games are the same, byte for byte."""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Container, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from child_processes import ending
from command_line import ACQUIRE
from forging import connected
from tournament_process import RecordingObserver, built_in_toml, workers_of

from acquire.admin.refereeing.table.run import SAME_SIGNAL
from acquire.admin.refereeing.table.server_events import to_each
from acquire.admin.tournament.games.result import GameResult
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.run.executors import play_all, process_pool
from acquire.admin.tournament.run.run_events import RunObserver
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.store import Store
from acquire.protocol.user_error import UserError

PLAN = '[tournament]\nseats = 3\nseatings = "rotations"\ndeals = {deals}\nseed = 7\n'
PLAYERS = built_in_toml(ann="random", bea="ordered", cid="largest-alpha", dot="smallest-anti")
GAMES_PER_DEAL = 12
WORKERS = 2
SOAK = pytest.mark.soak

Play = Callable[[TournamentRun], None]
Games = dict[str, tuple[GameResult, bytes]]


def write_plan(folder: Path, deals: int = 2) -> Path:
    file = folder / "plan.toml"
    file.write_text(PLAN.format(deals=deals) + PLAYERS)
    return file


def games_in(path: Path) -> Games:
    """Return every game of a store with its result and log."""
    with Store.open_to_read(path) as store:
        results = {result.game: result for _, result in store.results()}
        return {game: (results[game], log) for game, log in store.logs()}


def played(folder: Path, name: str, play: Play, observer: RunObserver | None = None) -> Games:
    """Play a tournament in a store of its own, and return its games."""
    plan, observer = read_plan(folder / "plan.toml"), observer or to_each()
    with Store.open_to_write(folder / f"{name}.sqlite") as store:
        tournament = TournamentRun(plan, store, observer)
        play(tournament)
        assert tournament.progress.games == tournament.progress.total
    return games_in(folder / f"{name}.sqlite")


def by(open_executor: Callable[[], Executor]) -> Play:
    """Play with an executor."""
    return lambda tournament: play_all(tournament, open_executor, WORKERS)


alone = by(partial(ThreadPoolExecutor, 1))


# -- executors of this process ------------------------------------------------------------------


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Games:
    """The games of the usual plan, played in this process."""
    folder = tmp_path_factory.mktemp("alone")
    write_plan(folder)
    return played(folder, "alone", alone)


def test_modules_in_the_current_folder_are_not_those_of_python(tmp_path: Path) -> None:
    for name in ("queue", "random", "types"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not of Python')")
    words = ["tournament", "run", write_plan(tmp_path, 1).name, "--workers", str(WORKERS)]
    done = subprocess.run([ACQUIRE, *words], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_machine_without_semaphores_has_one_worker() -> None:
    """Here no file can have a size, nor can one in /dev/shm, which a semaphore of Linux is."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        pool = process_pool(WORKERS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with pool:
        assert pool.submit(abs, -1).result() == 1


def test_any_executor_plays_the_games_of_one_process(tmp_path: Path, games: Games) -> None:
    write_plan(tmp_path)
    assert len(games) == 2 * GAMES_PER_DEAL
    assert played(tmp_path, "threads", by(partial(ThreadPoolExecutor, WORKERS))) == games


class Breaking(ThreadPoolExecutor):
    """An executor that loses its workers with some pieces of work, counted for all of them."""

    def __init__(self, counted: Iterator[int], breaks_at: Container[int]) -> None:
        super().__init__(1)
        self._counted, self._breaks_at = counted, breaks_at

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if next(self._counted) not in self._breaks_at:
            return super().submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("a worker is gone"))
        return future


def test_games_of_a_lost_worker_are_played_again(tmp_path: Path, games: Games) -> None:
    write_plan(tmp_path)
    problems = RecordingObserver()
    breaking = by(partial(Breaking, count(1), {3}))
    assert played(tmp_path, "broken", breaking, problems) == games
    (sentence,) = problems.problems
    assert "a worker is gone" in sentence and "played again" in sentence


def test_executor_that_never_works_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    write_plan(tmp_path)
    never = by(partial(Breaking, count(1), range(100)))
    words = "failed 5 times without a single finished game: a worker is gone"
    with pytest.raises(UserError, match=words):
        played(tmp_path, "never", never)


# -- processes ----------------------------------------------------------------------------------


def test_killed_process_of_a_pool_changes_no_game(tmp_path: Path, games: Games) -> None:
    write_plan(tmp_path)

    def kill_a_worker() -> None:
        os.kill(workers_of(os.getpid())[0], signal.SIGKILL)

    problems = RecordingObserver(kill_a_worker)
    in_processes = by(partial(process_pool, WORKERS))
    assert played(tmp_path, "pool", in_processes, problems) == games
    (sentence,) = problems.problems
    assert "played again" in sentence


KILLED_AT_THE_START = """
import os, signal, time
from concurrent.futures import BrokenExecutor
from multiprocessing import active_children, popen_spawn_posix
from acquire.admin.tournament.run.executors import process_pool

launch = popen_spawn_posix.Popen._launch

def launch_slowly(popen, process):
    launch(popen, process)
    for child in active_children():
        os.kill(child.pid, signal.SIGKILL)
    time.sleep(0.3)

if __name__ == "__main__":
    popen_spawn_posix.Popen._launch = launch_slowly
    try:
        with process_pool(2) as pool:
            for future in [pool.submit(time.sleep, 0) for _ in range(9)]:
                future.result()
    except BrokenExecutor:
        print("broken")
"""


KILLED_AFTER_CANCELLING = """
import time
from concurrent.futures import BrokenExecutor
from multiprocessing import active_children
from acquire.admin.tournament.run.executors import process_pool

if __name__ == "__main__":
    with process_pool(2) as pool:
        calls = [pool.submit(time.sleep, 60) for _ in range(9)]
        print(*{call.cancel() for call in calls})
        for process in active_children():
            process.kill()
        print(*{isinstance(call.exception(), BrokenExecutor) for call in calls})
"""


def said_by_pool(folder: Path, program: str) -> str:
    """Run a program that has a pool, whose processes import it; return what it prints."""
    (folder / "killed.py").write_text(program)
    ended = subprocess.run(
        [sys.executable, folder / "killed.py"], capture_output=True, text=True, timeout=60
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.soak
def test_pool_ends_if_a_process_is_killed_while_another_is_started(tmp_path: Path) -> None:
    assert said_by_pool(tmp_path, KILLED_AT_THE_START) == "broken\n"


def test_pool_whose_calls_were_to_be_cancelled_ends_with_its_processes(tmp_path: Path) -> None:
    """Cancelling changes nothing: its calls have been handed over, and all of them fail."""
    assert said_by_pool(tmp_path, KILLED_AFTER_CANCELLING) == "False\nTrue\n"


# -- the command --------------------------------------------------------------------------------


def command(file: Path, store: Path, workers: int = WORKERS) -> list[str]:
    code = "import sys; from acquire.admin.cli.main import main; sys.exit(main())"
    options = ["--store", str(store), "--workers", str(workers)]
    return [sys.executable, "-c", code, "tournament", "run", str(file), *options]


def started(words: list[str]) -> subprocess.Popen[str]:
    """Start a command in a session of its own."""
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def count_games(store: Path) -> int:
    """Count the games in a store that another process may be writing to."""
    if not store.exists():
        return 0
    with connected(store) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:  # killed before the tables were made
            return 0


@pytest.mark.soak
def test_run_whose_store_is_deleted_stops_with_exit_code_2(tmp_path: Path) -> None:
    file, store = write_plan(tmp_path, deals=200), tmp_path / "deleted.sqlite"
    with ending(started(command(file, store, 1))) as process:
        while not count_games(store):
            assert process.poll() is None
            time.sleep(0.005)
        store.unlink()
        _, errors = process.communicate()
    assert process.returncode == 2
    assert f"{store} was deleted or replaced" in errors
    assert "Traceback" not in errors


def test_run_killed_at_any_moment_resumes_to_the_same_games(
    tmp_path: Path, games: Games, soak: bool
) -> None:
    kills, deals = (20, 100) if soak else (1, 2)
    file = write_plan(tmp_path, deals=deals)
    killed, total = tmp_path / "killed.sqlite", GAMES_PER_DEAL * deals
    chance = random.Random(20)
    counts = [0]
    for number in range(kills):
        with ending(started(command(file, killed, 2 - number % 2))) as process:
            more = 1 + chance.randrange(total // kills // 2)
            enough = min(counts[-1] + more, total)  # a quick machine may have played them all
            while count_games(killed) < enough and process.poll() is None:
                time.sleep(0.005)
            time.sleep(chance.uniform(0, 0.05))  # so that it is killed at any moment
            process.kill()
        counts.append(count_games(killed))
        assert counts[-1] >= enough
    resumed = played(tmp_path, "killed", alone)
    assert len(resumed) == total
    assert resumed == (played(tmp_path, "whole", alone) if soak else games)


@pytest.mark.soak
@pytest.mark.parametrize("try_", [0, *(pytest.param(try_, marks=SOAK) for try_ in range(1, 10))])
def test_ctrl_c_at_a_terminal_prints_no_traceback(tmp_path: Path, try_: int) -> None:
    """At any moment, also while the workers start."""
    file, store = write_plan(tmp_path, deals=200), tmp_path / "stopped.sqlite"
    with ending(started(command(file, store))) as process:
        while len(workers_of(process.pid)) < WORKERS and process.poll() is None:
            time.sleep(0.01)
        time.sleep(try_ / 10)  # so that it is stopped at any moment
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all processes
        output = "".join(process.communicate(timeout=240))
    assert process.returncode == 130, output
    assert "Traceback" not in output and "the same command" in output


SLOW_CLASS = """
import time

import acquire


class Slow(acquire.Strategy):
    def place(self, state):
        time.sleep(SECONDS)
        return acquire.legal_placements(state)[0]

    def order(self, state):
        return ()
"""


def slow_run(folder: Path, seconds: float, workers: int) -> subprocess.Popen[str]:
    """Start a tournament of a class that thinks for so many seconds in each turn of every game."""
    (folder / "slow.py").write_text(SLOW_CLASS.replace("SECONDS", str(seconds)))
    file = write_plan(folder, deals=10)
    text = file.read_text().replace('"random"', '"slow.py:Slow"')
    file.write_text(text.replace("seats = 3", "seats = 4"))
    return started([*command(file, folder / "slow.sqlite", workers), "--json"])


def until(process: subprocess.Popen[str], event: str) -> list[dict[str, Any]]:
    """Read events up to the next one of a kind."""
    assert process.stdout is not None
    seen: list[dict[str, Any]] = []
    for line in process.stdout:
        seen.append(json.loads(line))
        if seen[-1]["event"] == event:
            return seen
    raise AssertionError(f"It ended without {event}: {seen}")


@pytest.mark.parametrize("workers", [1, pytest.param(WORKERS, marks=SOAK)])
def test_slow_games_in_progress_are_finished_and_stored(tmp_path: Path, workers: int) -> None:
    with ending(slow_run(tmp_path, 0.05, workers)) as process:
        begun = until(process, "game") + until(process, "game-began")
        process.send_signal(signal.SIGINT)
        begun += until(process, "finishing")
        *rest, over = until(process, "over")
        _, errors = process.communicate()
    assert process.returncode == 130, errors
    before = sum(event["event"] == "game" for event in begun)
    finished = sum(event["event"] == "game" for event in rest)
    assert 1 <= finished <= workers, "one each: not a batch, and none that waits for a worker"
    games = "1 game" if finished == 1 else f"{finished} games"
    assert begun[-1]["sentence"].startswith(f"Finishing {games}.")
    assert over["games"] == before + finished == count_games(tmp_path / "slow.sqlite")


@pytest.mark.parametrize("workers", [pytest.param(1, marks=SOAK), WORKERS])
def test_second_signal_ends_slow_games_with_one_sentence(tmp_path: Path, workers: int) -> None:
    with ending(slow_run(tmp_path, 60, workers)) as process:
        until(process, "game-began")
        while len(workers_of(process.pid)) < workers > 1:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        until(process, "finishing")
        time.sleep(2 * SAME_SIGNAL)  # or it would be taken for the first one
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    *_, last = errors.splitlines()
    assert last == "Stopped at once. What was not finished is lost."
    assert "resource_tracker" not in errors
