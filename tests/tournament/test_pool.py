"""Where house players play does not matter: the same games, to the byte."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from admin.tournament.planning.plan_file import read_plan
from admin.tournament.playing import pool
from admin.tournament.playing.observer import Observer
from admin.tournament.playing.tournament_run import TournamentRun
from admin.tournament.results.store import Store

PLAN = """
[tournament]
seats = {seats}
rulebook = "{rulebook}"
seatings = "rotations"
deals = {deals}
seed = 7

[[players]]
name = "ann"
strategy = "random"
[[players]]
name = "bea"
strategy = "ordered"
[[players]]
name = "cid"
strategy = "largest-alpha"
[[players]]
name = "dot"
strategy = "smallest-anti"
"""

Play = Callable[[TournamentRun], None]


def write_plan(folder: Path, deals: int = 2, seats: int = 3, rulebook: str = "revised") -> Path:
    file = folder / "plan.toml"
    file.write_text(PLAN.format(seats=seats, rulebook=rulebook, deals=deals))
    return file


def played(folder: Path, name: str, play: Play, observer: Observer | None = None) -> dict[str, Any]:
    """Play a tournament in a store of its own, and return every game's result and log."""
    plan = read_plan(folder / "plan.toml")
    with Store.open_to_write(folder / f"{name}.sqlite") as store:
        tournament = TournamentRun(plan, store, observer or Observer())
        play(tournament)
        assert tournament.progress.games == tournament.progress.total
        results = {result.game: result for _, result in store.results()}
        return {game: (results[game], log) for game, log in store.logs()}


def in_one_process(tournament: TournamentRun) -> None:
    pool.play_all(tournament, Observer(), pool.InThisProcess, 1)


def in_processes(tournament: TournamentRun) -> None:
    pool.play_all(tournament, Observer(), partial(pool.processes, 2), 2)


@pytest.mark.parametrize("rulebook", ["revised", "classic"])
def test_pool_plays_the_games_of_one_process(tmp_path: Path, rulebook: str) -> None:
    write_plan(tmp_path, rulebook=rulebook)
    alone = played(tmp_path, "alone", in_one_process)
    assert len(alone) == 24
    assert played(tmp_path, "pool", in_processes) == alone


class Complaints(Observer):
    """Writes down what went wrong, and does something at the first games that are over."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.sentences: list[str] = []
        self._act: Callable[[], None] | None = act

    def game_over(self, *_: object) -> None:
        if self._act is not None:
            act, self._act = self._act, None
            act()

    def trouble(self, sentence: str) -> None:
        self.sentences.append(sentence)


def test_killed_worker_process_changes_nothing(tmp_path: Path) -> None:
    write_plan(tmp_path, deals=6)
    alone = played(tmp_path, "alone", in_one_process)

    def kill_a_child() -> None:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        workers = [int(child) for child in children if b"spawn_main" in _command(child)]
        os.kill(workers[0], signal.SIGKILL)

    complaints = Complaints(kill_a_child)
    assert (
        played(
            tmp_path,
            "pool",
            lambda tournament: pool.play_all(tournament, complaints, partial(pool.processes, 2), 2),
            complaints,
        )
        == alone
    )
    assert len(complaints.sentences) == 1
    assert "played again" in complaints.sentences[0]


def _command(process: str) -> bytes:
    return Path(f"/proc/{process}/cmdline").read_bytes()


class Failing(Executor):
    """An executor whose workers never come back."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("all gone"))
        return future


def test_executor_that_never_works_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    write_plan(tmp_path)
    with pytest.raises(pool.CannotPlay, match=r"failed 5 times without a single game.*all gone"):
        played(tmp_path, "never", lambda c: pool.play_all(c, Observer(), Failing, 2))


# -- a cluster ----------------------------------------------------------------------------------


@contextmanager
def dask_cluster(workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a scheduler and workers, each a process of its own, and stop them at the end."""
    pytest.importorskip("distributed")
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    scheduler = subprocess.Popen(
        [*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard"], **quiet
    )
    running = [scheduler]
    try:
        address = _announced(scheduler)
        for _ in range(workers):
            worker = [sys.executable, "-m", "distributed.cli.dask_worker", address]
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
            running.append(subprocess.Popen([*worker, *options], **quiet))
        for process in running[1:]:
            _announced(process, "Registered to")
        yield address, running[1:]
    finally:
        for process in running:
            process.kill()
            process.communicate()


def _announced(process: subprocess.Popen[bytes], word: str = "Scheduler at") -> str:
    """Wait until a process says where it is; go on reading what it says, so that it never waits."""
    assert process.stderr is not None
    heard = []
    for line in process.stderr:
        heard.append(line)
        if word.encode() in line:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return line.split()[-1].decode()
    raise AssertionError(b"".join(heard).decode())


def test_cluster_plays_the_games_of_one_process_even_if_a_worker_is_killed(tmp_path: Path) -> None:
    write_plan(tmp_path, deals=4)
    alone = played(tmp_path, "alone", in_one_process)
    with dask_cluster(2) as (address, workers), pool.cluster(address) as (open_executor, threads):
        assert threads == 2
        complaints = Complaints(workers[0].kill)

        def play(tournament: TournamentRun) -> None:
            pool.play_all(tournament, complaints, open_executor, threads)

        assert played(tmp_path, "cluster", play, complaints) == alone


def test_cluster_that_does_not_answer_is_told_in_a_sentence() -> None:
    pytest.importorskip("distributed")
    with (
        pytest.raises(pool.CannotPlay, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1"),
        pool.cluster("tcp://127.0.0.1:1", patience=0.5),
    ):
        raise AssertionError("nobody is there")


# -- killed at any moment -----------------------------------------------------------------------


def command(*arguments: object) -> list[str]:
    code = "import sys; from admin.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", code, "tournament", *map(str, arguments)]


def standings(file: Path, store: Path) -> bytes:
    """Return the standings as the command prints them for a program."""
    show = command("show", file, "--store", store, "--json")
    return subprocess.run(show, capture_output=True, check=True).stdout


def test_killed_at_any_moment_a_run_goes_on_to_the_same_standings(
    tmp_path: Path, soak: bool
) -> None:
    kills, deals = (20, 100) if soak else (6, 25)
    file = write_plan(tmp_path, deals=deals)
    whole, killed = tmp_path / "whole.sqlite", tmp_path / "killed.sqlite"
    run = partial(command, "run", file, "--store")
    subprocess.run(run(whole, "--workers", 2), capture_output=True, check=True)
    chance = random.Random(20)
    stood = [0]
    for _ in range(kills):
        process = subprocess.Popen(
            run(killed, "--workers", 2), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        more = stood[-1] + chance.randrange(12 * deals // kills)
        while _games(killed) < more and process.poll() is None:
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.05))  # the moment is what is tried
        process.kill()
        process.wait()
        stood.append(_games(killed))
        assert stood[-1] >= stood[-2], "games were lost"
    subprocess.run(run(killed, "--workers", 2), capture_output=True, check=True)
    assert _games(killed) == _games(whole) == 12 * deals
    assert standings(file, killed) == standings(file, whole)
    assert len(set(stood)) > 3, "the kills came before anything was played"


WORKERS = 2


@pytest.mark.parametrize("beat", [0.0, 0.2, 0.6])
def test_ctrl_c_at_a_terminal_is_quiet_also_while_workers_start(
    tmp_path: Path, beat: float
) -> None:
    file, store = write_plan(tmp_path, deals=2000), tmp_path / "stopped.sqlite"
    process = subprocess.Popen(
        command("run", file, "--store", store, "--workers", WORKERS),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    while len(children_of(process.pid)) < WORKERS and process.poll() is None:
        time.sleep(0.01)
    time.sleep(beat)
    os.killpg(process.pid, signal.SIGINT)  # a terminal tells all processes
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said and "the same command goes on" in said


def children_of(parent: int) -> list[str]:
    """The processes that a process has started."""
    return Path(f"/proc/{parent}/task/{parent}/children").read_text().split()


def _games(store: Path) -> int:
    if not store.exists():
        return 0
    with sqlite3.connect(store) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:  # killed before the tables were made
            return 0
        finally:
            connection.rollback()


def test_json_lines_tell_every_game_once(tmp_path: Path) -> None:
    file = write_plan(tmp_path)
    done = subprocess.run(
        command("run", file, "--json", "--workers", 1), capture_output=True, check=True, text=True
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["event"] for line in lines[:2]] == ["began", "game-began"]
    games = [line["game"] for line in lines if line["event"] == "game"]
    assert len(games) == len(set(games)) == 24
    assert lines[-1]["event"] == "over"
    assert lines[-1]["games"] == lines[-1]["total"] == 24
