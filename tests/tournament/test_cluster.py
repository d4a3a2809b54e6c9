"""Games on the workers of a Dask cluster are those of one machine, even if workers are lost."""

import gzip
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from command_line import printed, said
from tournament_process import (
    PLAY,
    PYTHON,
    PlayerEntry,
    RecordingObserver,
    TournamentFolder,
    built_in,
    eventually,
    free_port,
    play_here,
    remote,
)

from acquire.admin.launching.player_folder import FolderRefused, digest_of_folder, pack_folder
from acquire.admin.launching.sandbox import NoSandbox, Sandbox
from acquire.admin.refereeing.view.plain_text import json_values
from acquire.admin.tournament.arena.player_files import Programs
from acquire.admin.tournament.cluster import cluster, cluster_connection, cluster_worker
from acquire.admin.tournament.cluster.cluster import Shipment, plan_of_game, play_on_cluster
from acquire.admin.tournament.cluster.cluster_connection import differences
from acquire.admin.tournament.cluster.cluster_worker import GameOrder, WorkerFacts, WorkerHost
from acquire.admin.tournament.games.result import FinishedGame, PlayerVerdict
from acquire.admin.tournament.planning.plan_file import read_plan
from acquire.admin.tournament.planning.schedule import new_schedule
from acquire.admin.tournament.run.built_in import game_settings
from acquire.admin.tournament.run.run_events import FolderSent, Notice
from acquire.admin.tournament.run.tournament_run import TournamentRun
from acquire.admin.tournament.store.store import Store
from acquire.protocol.user_error import UserError

pytest.importorskip("distributed")

CUP = {"seats": 3, "deals": 1, "seed": 7}
SLEEPS = "import time; time.sleep(1000)  # player.py"
LEAVES = "import sys; print('no moves'); sys.exit(3)"


# -- starting a cluster -------------------------------------------------------------------------


class Cluster:
    """A scheduler and workers, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int, *options: str) -> list[subprocess.Popen[bytes]]:
        """Start a scheduler and some workers, and return the workers when all have joined."""
        self.scheduler = self._start(
            "scheduler", "Scheduler at", "--host", "127.0.0.1", "--port", str(self.port)
        )
        return [self.start_worker(*options) for _ in range(workers)]

    def start_worker(self, *options: str) -> subprocess.Popen[bytes]:
        usual = ["--nthreads", "2", "--no-nanny", "--local-directory", str(self._folder)]
        return self._start("worker", "Registered to", self.address, *usual, *options)

    def _start(self, what: str, words: str, *options: str) -> subprocess.Popen[bytes]:
        """Start a process, and wait until it has printed some words."""
        log = self._folder / f"log-{len(self.processes)}"
        log.parent.mkdir(exist_ok=True)
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{what}", *options, "--no-dashboard"],
                stdout=output,
                stderr=output,
            )
        self.processes.append(process)
        assert eventually(lambda: words in log.read_text() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        return process


@contextmanager
def cluster_of(folder: TournamentFolder, workers: int, *options: str) -> Iterator[Cluster]:
    found = Cluster(folder.folder / "workers")
    try:
        found.start(workers, *options)
        yield found
    finally:
        for process in found.processes:
            process.kill()
            process.wait()


def play(
    folder: TournamentFolder, address: str, observer: RecordingObserver | None = None
) -> RecordingObserver:
    observer = observer or RecordingObserver()
    with Store.open_to_write(folder.store) as store:
        tournament = TournamentRun(read_plan(folder.file), store, observer)
        play_on_cluster(tournament, address, lambda: False, lambda: False)
    return observer


def games_of(folder: TournamentFolder) -> dict[str, Any]:
    """Return all games: their results and every record of their logs, without what took time."""
    times = {"thought": 0, "slowest": 0, "processor": None}
    with Store.open_to_read(folder.store) as store:
        logs = dict(store.logs())
    found = {}
    for game, result in folder.results().items():
        fields = json_values(result)
        seats = [{**seat, **times} for seat in fields.pop("seats")]
        plain = gzip.decompress(logs[game]).decode()
        found[game] = fields, seats, re.sub(r' (latency|lag)="\d+"', "", plain)
    return found


def games_of_one_machine(folder: TournamentFolder) -> dict[str, Any]:
    """Play the same tournament again on this machine, with the same secret."""
    store = folder.store
    folder.store = folder.folder / "alone.sqlite"
    trio.run(play_here, folder, RecordingObserver(), 2)
    found = games_of(folder)
    folder.store = store
    return found


def programs_left(folder: TournamentFolder) -> dict[int, str]:
    """Return the programs that run: nothing else has the folder in its environment."""
    return {process: words for process, words in folder.living().items() if "player.py" in words}


# -- all is well --------------------------------------------------------------------------------


def test_cluster_plays_the_games_of_one_machine(folder: TournamentFolder) -> None:
    """Also a player that is built, and one that cannot be; folders are sent once.

    The worker has two threads, and plays one game at a time because it says so.
    """
    build = [*PYTHON, "-c", "import os; os.rename('player.py', 'made.py'); print('built')"]
    made = [*PYTHON, "made.py", *PLAY[-3:]]
    players = [
        folder.starter("ada"),
        folder.starter("bob", build=build, command=made),
        folder.starter("eve", build=[*PYTHON, "-c", LEAVES]),
    ]
    (folder.folder / "eve" / "notes").touch()
    folder.write(players, tournament=CUP)
    with cluster_of(folder, 1, "--resources", "games=1") as running:
        words = ("tournament", "check", folder.file, "--cluster", running.address)
        checked, shown = printed(*words, "--json"), said(*words)
        observer = play(folder, running.address)
        assert eventually(lambda: not programs_left(folder))
    (worker,) = checked["cluster"].values()
    assert worker["sandbox"] == "none" and {*worker["versions"]} == {"Java", "Python", "node"}
    assert "worker sandbox" in shown and "differ" not in shown
    _, connected, worker = observer.of(Notice)
    assert connected.sentence == "Connected. Waiting for workers to join."
    assert worker.fields and (worker.fields["games"], worker.fields["sandbox"]) == (1, "none")
    sent = [(each.address, each.digest) for each in observer.of(FolderSent)]
    assert len(sent) == len(set(sent)) == 2, "ada's and bob's are the same"
    sentence = observer.problems[0]
    assert "eve could not be built by the worker at tcp" in sentence
    games = games_of(folder)
    assert games == games_of_one_machine(folder)
    verdicts = {seat["player"]: seat["verdict"] for _, seats, _ in games.values() for seat in seats}
    assert verdicts == {"ada": "finished", "bob": "finished", "eve": "never-started"}
    assert {folder.outputs(game)["eve"] for game in games} == {b"no moves\n"}


def test_worker_gets_only_what_its_game_needs(folder: TournamentFolder) -> None:
    secret, seed = "the-remote-secret", 123456789123456789
    players = [*built_in("ordered", "random"), folder.starter("ada"), remote("zoe", secret)]
    lobby = {"host": "127.1.2.3", "port": 20_000}
    folder.write(players, tournament={**CUP, "seed": seed}, lobby=lobby)
    plan = read_plan(folder.file)
    game = next(game for game in new_schedule(plan, seed).stage(1) if "zoe" not in game.players)
    sent = pickle.dumps(plan_of_game(plan, game), protocol=0)  # in which numbers can be read
    assert b"ada" in sent and b"ordered" in sent
    for word in (secret, str(seed), "zoe", "127.1.2.3", str(folder.folder)):
        assert word.encode() not in sent, word


# -- what a cluster cannot play -----------------------------------------------------------------


def test_player_that_cannot_be_sent_is_refused_before_anything_is_played(
    folder: TournamentFolder,
) -> None:
    file, own = str(folder.folder / "eve.py"), {"directory": "own"}
    (folder.folder / "own").mkdir()
    (folder.folder / "eve.py").write_text('import acquire\n\nEve = acquire.built_in("random")\n')
    apart = f"it names {file}, which is not in a folder of its own. Set its directory."
    beside = "it names ../eve.py, which would not be in a copy of its folder."
    cannot = "cannot be sent to other machines:"
    refused: list[tuple[dict[str, object], str]] = [
        ({"remote": {"secret": "a-secret"}}, "is a remote player, which connects to this"),
        ({"strategy": "eve.py:Eve"}, f"{cannot} its class is in a file of this one."),
        ({"command": ["python3", "eve.py"]}, f"{cannot} {apart}"),
        ({"command": ["python3", "../eve.py"], **own}, f"{cannot} {beside}"),
        ({"command": ["python3", file], **own}, f"{cannot} {apart}"),
    ]
    for number, (settings, sentence) in enumerate(refused):
        folder.store = folder.folder / f"{number}.sqlite"
        eve = PlayerEntry("eve", settings)
        folder.write_beside(eve, CUP, lobby={"port": 20_000})
        with pytest.raises(UserError) as refusal:
            play(folder, "tcp://127.0.0.1:1")
        assert f"eve {sentence}" in str(refusal.value)


def test_program_without_files_can_be_sent(folder: TournamentFolder) -> None:
    ada = PlayerEntry("ada", {"command": ["python3", "-m", "player"]})
    folder.write_beside(ada, CUP)
    plan = read_plan(folder.file)
    assert Programs(plan, folder.store).why_not_shipped(plan.players[0]) == ""


def test_cluster_that_does_not_answer_is_reported_in_a_sentence(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", 0.1)
    folder.write(built_in("ordered", "random", "investor"), tournament=CUP)
    with pytest.raises(UserError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1: "):
        play(folder, "tcp://127.0.0.1:1")


def test_worker_without_a_sandbox_plays_only_if_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoSandbox, match="could reach Dask's ports") as refused:
        cluster_worker.sandbox_here("auto", tmp_path)
    assert "bubblewrap is not installed" in str(refused.value)
    assert cluster_worker.sandbox_here("none", tmp_path) is Sandbox.NONE


def test_workers_that_differ_are_named_with_what_they_have() -> None:
    alike = WorkerFacts("bwrap", versions={"Java": "17.0.9", "node": "18.1"})
    assert not [*differences({"a": alike, "b": alike})]
    others = {
        "c": alike._replace(sandbox="none"),
        "d": alike._replace(versions={"Java": "", "node": "18.1"}),
        "e": WorkerFacts(why_not="No bubblewrap."),
    }
    refused, sandbox, java = differences({"a": alike, "b": alike, **others})
    assert refused == "The worker at e cannot play: No bubblewrap."
    assert "differ in sandbox: bwrap at a, b and d; none at c." in sandbox
    assert "differ in Java: none at d; 17.0.9 at a, b and c." in java
    assert "no workers" in next(differences({}))


# -- a worker, without a cluster ----------------------------------------------------------------


@pytest.fixture
def host(tmp_path: Path) -> Iterator[WorkerHost]:
    found = WorkerHost(tmp_path / "host")
    yield found
    found.close()


def order_of(folder: TournamentFolder, player: PlayerEntry, digest: str) -> GameOrder:
    """Return an order for a game of a player and two built-in ones."""
    folder.write_beside(player, CUP)
    plan = read_plan(folder.file)
    game = next(iter(new_schedule(plan, 7).stage(1)))
    return GameOrder(game, plan_of_game(plan, game), game_settings(plan), {player.name: digest})


def test_folder_that_was_changed_on_its_way_is_refused(
    host: WorkerHost, folder: TournamentFolder
) -> None:
    player = folder.starter("ada")
    _, packed = pack_folder(folder.folder / "ada")
    digest = digest_of_folder(folder.folder / "ada")
    (folder.folder / "ada" / "player.py").write_text("another program")
    with pytest.raises(FolderRefused, match="damaged on its way"):
        host.receive(digest, pack_folder(folder.folder / "ada")[1])
    order = order_of(folder, player, digest)
    assert host.folders() == ()
    host.receive(digest, packed)
    host.receive(digest, packed)
    assert host.folders() == (digest,)
    answer = host.play(order, lambda: True)
    assert isinstance(answer, FinishedGame)
    assert {seat.verdict for seat in answer.result.seats} == {PlayerVerdict.FINISHED}


def test_folder_that_changes_while_the_tournament_begins_costs_its_player_alone(
    host: WorkerHost, folder: TournamentFolder
) -> None:
    ada, bob, eve = (folder.starter(name) for name in ("ada", "bob", "eve"))
    folder.write([ada, bob, eve], tournament=CUP)
    plan = read_plan(folder.file)
    (folder.folder / "ada" / "player.py").write_text("another program")
    (folder.folder / "eve" / "pipe").symlink_to("/dev/null")
    packed = folder.folder / "packed"
    packed.mkdir()
    shipment = Shipment(plan, folder.store, packed)
    assert {*shipment.digests} == {"bob"} and {*shipment.refused} == {"ada", "eve"}
    host.receive(shipment.digests["bob"], shipment.packed(shipment.digests["bob"]))
    game = next(iter(new_schedule(plan, 7).stage(1)))
    settings, refused = game_settings(plan), shipment.refused
    order = GameOrder(game, plan_of_game(plan, game), settings, shipment.digests, refused=refused)
    answer = host.play(order, lambda: True)
    assert isinstance(answer, FinishedGame)
    verdicts = {seat.player: (seat.verdict, seat.detail) for seat in answer.result.seats}
    assert verdicts["bob"][0] is PlayerVerdict.FINISHED
    assert verdicts["ada"][0] is verdicts["eve"][0] is PlayerVerdict.NEVER_STARTED
    assert "was changed while the tournament began" in verdicts["ada"][1]


def test_game_that_is_not_wanted_any_more_ends(host: WorkerHost, folder: TournamentFolder) -> None:
    order = order_of(folder, PlayerEntry("eve", {"command": [*PYTHON, "-c", SLEEPS]}), "")

    def is_wanted() -> bool:
        return not programs_left(folder)

    with pytest.raises(RuntimeError, match="nobody wants"):
        host.play(order, is_wanted)
    assert not programs_left(folder)


# -- what is lost -------------------------------------------------------------------------------


@pytest.mark.soak
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_worker_that_is_killed_or_stands_still_costs_only_its_games_in_progress(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    monkeypatch.setattr(cluster_connection, "SILENCE_TIMEOUT", 5.0)
    players = [folder.starter(name) for name in ("ada", "bob", "cid", "dan")]
    folder.write(players, tournament={**CUP, "deals": 2})
    with cluster_of(folder, 2) as running:
        victim = running.processes[1]
        lose_it = RecordingObserver(lambda: victim.send_signal(how), after=3)
        observer = play(folder, running.address, lose_it)
    assert eventually(lambda: not programs_left(folder)), "none is left without its worker"
    assert any("was lost" in sentence for sentence in observer.problems)
    assert games_of(folder) == games_of_one_machine(folder)


@pytest.mark.soak
def test_worker_is_not_sent_again_what_it_has_from_an_earlier_run(folder: TournamentFolder) -> None:
    folder.write_beside(folder.starter("ada"), CUP)
    with cluster_of(folder, 1) as running:
        assert len(play(folder, running.address).of(FolderSent)) == 1
        folder.store = folder.folder / "again.sqlite"
        again = play(folder, running.address)
        assert not again.of(FolderSent) and len(again.results) == 3


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["programs", "built-in"])
def test_scheduler_that_comes_back_is_used_again(folder: TournamentFolder, kind: str) -> None:
    players = built_in("ordered", "random", "investor")
    if kind == "programs":
        players = [folder.starter(name) for name in ("ada", "bob", "cid")]
    folder.write(players, tournament={**CUP, "deals": 4 if kind == "programs" else 100})
    with cluster_of(folder, 2) as running:

        def restart() -> None:
            running.scheduler.kill()
            threading.Thread(target=running.start, args=(2,), daemon=True).start()

        observer = play(folder, running.address, RecordingObserver(restart, after=3))
        assert eventually(lambda: not programs_left(folder))
    assert any("does not answer" in sentence for sentence in observer.problems)
    assert games_of(folder) == games_of_one_machine(folder) if kind == "programs" else True


@pytest.mark.soak
def test_scheduler_that_does_not_come_back_ends_the_run_and_the_same_command_resumes(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "RETURN_TIMEOUT", 2.0)
    folder.write([folder.starter(name) for name in ("ada", "bob", "cid")], tournament=CUP)
    with cluster_of(folder, 1) as running:
        with pytest.raises(UserError, match="Games that are finished are safe"):
            play(folder, running.address, RecordingObserver(running.scheduler.kill))
        assert eventually(lambda: not programs_left(folder))
        before = len(folder.results())
        running.start(1)
        resumed = play(folder, running.address)
    assert before > 0 and len(resumed.results) == 3 - before
    assert len(folder.results()) == 3


@pytest.mark.soak
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_stopped_run_frees_its_workers(folder: TournamentFolder, how: signal.Signals) -> None:
    waits = PlayerEntry("eve", {"command": [*PYTHON, "-c", SLEEPS], "directory": "own"})
    (folder.folder / "own").mkdir()
    folder.write([folder.starter("ada"), waits, *built_in("ordered")], tournament=CUP)
    with cluster_of(folder, 1) as running, folder.run("--cluster", running.address) as process:
        assert eventually(lambda: programs_left(folder))
        code = process.end(how)
        assert code == (128 + how if how is signal.SIGTERM else -how)
        assert eventually(lambda: not programs_left(folder))


@pytest.mark.soak
def test_player_is_not_given_to_a_worker_that_cannot_build_it(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = folder.folder / "bin"
    compiler.mkdir()
    (compiler / "compile").write_text("#!/bin/sh\ncp player.py made.py\n")
    (compiler / "compile").chmod(0o755)
    made = [*PYTHON, "made.py", *PLAY[-3:]]
    eve = folder.starter("eve", build=["sh", "-c", "compile"], command=made)
    folder.write([folder.starter("ada"), eve, *built_in("ordered")], tournament={**CUP, "deals": 3})
    with cluster_of(folder, 1) as running:
        monkeypatch.setenv("PATH", f"{compiler}:{os.environ['PATH']}")
        running.start_worker()
        observer = play(folder, running.address)
    assert (
        len([sentence for sentence in observer.problems if "could not be built" in sentence]) == 1
    )
    seats = [seat for result in folder.results().values() for seat in result.seats]
    assert {seat.verdict for seat in seats} == {PlayerVerdict.FINISHED}
