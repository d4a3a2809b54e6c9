"""The real command with players that connect: many games at once, stopped, killed, and void."""

import fcntl
import gzip
import os
import pty
import signal
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial

import pytest
import trio
from child_processes import ending
from command_line import ACQUIRE
from loops import in_soak
from sandboxes import fake_bubblewrap, in_bwrap
from tournament_process import (
    PLAY,
    TIMEOUT,
    RecordingObserver,
    TournamentFolder,
    TournamentProcess,
    built_in,
    eventually,
    free_port,
    is_refused,
    of_kind,
    play_here,
    remote,
    seat_of,
)

from acquire.admin.launching.sandbox import Sandbox
from acquire.admin.tournament.games.entries import MAX_VOIDS
from acquire.admin.tournament.games.result import PlayerVerdict
from acquire.admin.tournament.run.run_events import GameVoided, RunEvent, RunStarted, Trouble
from acquire.admin.tournament.store.store import Store

TABLES_OF_THREE = {"seats": 3, "seatings": "rotations", "deals": 1}

WAITER = """
open(os.environ["TMPDIR"] + "/litter", "w").close()
connection = sign_up()
if os.path.exists(FOLDER + "/go"):
    sys.exit()
read(connection, b"</state>")
connection.sendall(b"<void/>")
note("waits")
note(read(connection, b"</ejected>").decode())
sleep()
"""
"""Holds its game up; leaves at once if there is a file `go`."""


LEAVER = """
connection = sign_up()
read(connection, b"</state>")
for _ in range(40):
    if not os.fork():
        connection.close()
        sleep()
connection.close()
sleep()
"""
"""Leaves its game, and takes its supervisor some time to stop."""


@pytest.fixture
def waiters(folder: TournamentFolder) -> TournamentFolder:
    """A tournament of four, one of whom holds up its games: nine of twelve."""
    players = [folder.program("waiter", WAITER), *built_in("ordered", "random", "largest-alpha")]
    folder.write(players, tournament=TABLES_OF_THREE)
    return folder


def wait_for(folder: TournamentFolder, waiters: int) -> None:
    """Wait until this many games are held up."""
    assert eventually(lambda: folder.notes().count("waits") >= waiters)


def assert_nothing_is_left(folder: TournamentFolder) -> None:
    """No process or file of a tournament is left, or will be in a moment."""
    assert eventually(lambda: not folder.living()), folder.living()
    assert eventually(lambda: not folder.temporary_files()), folder.temporary_files()


def assert_resumes(folder: TournamentFolder, before: set[str]) -> None:
    """Another run plays the games that are left, and none twice."""
    (folder.folder / "go").touch()
    observer = RecordingObserver()
    trio.run(play_here, folder, observer, 2)
    assert observer.of(RunStarted)[0].progress.games == len(before)
    resumed = [result.game for result in observer.results]
    assert not before & set(resumed)
    assert len(resumed) + len(before) == len(set(resumed) | before) == 12
    assert set(folder.results()) == set(resumed) | before
    assert_nothing_is_left(folder)


# -- stopped ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGHUP, *in_soak(signal.SIGTERM)])
def test_as_many_games_as_workers_are_played_at_once_and_a_stop_keeps_whole_games(
    waiters: TournamentFolder, number: signal.Signals
) -> None:
    with waiters.run("--workers", "3") as process:
        wait_for(waiters, 3)
        assert process.end(number) == 128 + number
    assert waiters.notes().count("waits") == 3
    began = {event["game"] for event in process.of_kind("game-began")}
    finished = {event["game"] for event in process.of_kind("game")}
    assert len(began - finished) == 3
    assert set(waiters.results()) == finished
    assert not waiters.voids()
    assert "the same command" in process.errors
    assert_nothing_is_left(waiters)
    assert_resumes(waiters, finished)


def test_terminal_that_is_closed_stops_a_tournament_in_order(waiters: TournamentFolder) -> None:
    """Nothing can be printed any more, which is no reason to fail."""
    shown, terminal = pty.openpty()
    with ending(
        subprocess.Popen(
            [ACQUIRE, "tournament", "run", waiters.file],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            preexec_fn=partial(fcntl.ioctl, 0, termios.TIOCSCTTY, 0),
        )
    ) as run:
        os.close(terminal)
        while not waiters.notes():
            os.read(shown, 65536)
        os.close(shown)
        assert run.wait(TIMEOUT) == 128 + signal.SIGHUP
    assert_nothing_is_left(waiters)


def test_remote_player_is_told_that_the_tournament_is_interrupted(folder: TournamentFolder) -> None:
    """And a second signal changes nothing."""
    port = free_port()
    folder.write_beside(remote("guest", "a-secret"), lobby={"port": port, "wait": TIMEOUT})
    with folder.run("--workers", "9") as process:
        process.until("listening")
        with closing(socket.create_connection(("127.0.0.1", port))) as guest:
            guest.settimeout(TIMEOUT)
            guest.sendall(b'<signup name="guest:a-secret"/>')
            assert b"</state>" in receive(guest, b"</state>")
            process.process.send_signal(signal.SIGINT)
            code = process.end(signal.SIGTERM)
            assert code in (128 + signal.SIGINT, 128 + signal.SIGTERM)
            assert b'<ejected reason="interrupted">' in receive(guest, b"</ejected>")
    assert_nothing_is_left(folder)
    assert is_refused(process.port)


def receive(connection: socket.socket, end: bytes) -> bytes:
    """Receive until some bytes have come, or the connection has ended."""
    received = b""
    while end not in received and (data := connection.recv(65536)):
        received += data
    return received


# -- killed -------------------------------------------------------------------------------------


def test_killed_tournament_leaves_nothing_behind_and_resumes(waiters: TournamentFolder) -> None:
    """Neither of a current game, nor of one that is over and whose supervisor is gone."""
    go = waiters.folder / "go"
    go.touch()
    with waiters.run() as process:
        while "waiter" not in [seat["player"] for seat in process.until("game")["seats"]]:
            pass
        go.unlink()
        wait_for(waiters, 1)
        litter = list(waiters.temporary.rglob("litter"))
        process.end(signal.SIGKILL)
        assert_nothing_is_left(waiters)
    assert len(litter) == 1, "files are removed when their game is over"
    assert_resumes(waiters, set(waiters.results()))


def test_supervisor_that_the_referee_kills_is_nobodys_fault(
    folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a starved machine one may not answer in time; its player lost by leaving, no more."""
    monkeypatch.setattr("acquire.admin.launching.player_process.SUPERVISOR_TIMEOUT", 0.0)
    folder.write_beside(folder.program("leaver", LEAVER))
    observer = RecordingObserver()
    trio.run(play_here, folder, observer, 3)
    assert [seat_of(result, "leaver").verdict for result in observer.results] == [
        PlayerVerdict.DISCONNECTED
    ] * 3
    told = [trouble.sentence for trouble in observer.of(Trouble)]
    assert told and {each.partition(", leaver: ")[0] for each in told} <= folder.results().keys()
    assert all("did not answer for 5 s, and the referee killed it" in each for each in told)
    assert not observer.of(GameVoided)
    assert not [alarm for game in folder.results() for alarm in folder.alarms(game)]


# -- void ---------------------------------------------------------------------------------------


@in_bwrap
def test_game_is_void_if_a_sandbox_could_not_be_set_up(
    kind: Sandbox, folder: TournamentFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no loss and no missed sign-up, and is played again."""
    ann = folder.starter("ann", command=["/usr/bin/python3", *PLAY[1:]])
    folder.write_beside(ann, limits={"sandbox": kind.value})
    fake_bubblewrap(folder.folder, monkeypatch, range(2, 6))  # after it was found to work
    events = folder.play()
    (void,) = of_kind("void", events)
    reason = "ann is not to blame: it could not be set up: No space left on device."
    assert (void["why"], void["again"]) == (reason, True)
    seats = [seat for result in folder.results().values() for seat in result.seats]
    assert [seat.verdict for seat in seats] == [PlayerVerdict.FINISHED] * 9
    assert all((seat.processor is not None) == (seat.player == "ann") for seat in seats)
    assert not of_kind("listening", events), "there is no remote player"


@in_bwrap
def test_game_is_void_if_the_copy_of_a_program_is_gone(
    kind: Sandbox, folder: TournamentFolder
) -> None:
    """Somebody has moved the tournament's folder, or tidied up, while it was played."""
    ann = folder.starter("ann", command=["/usr/bin/python3", *PLAY[1:]])
    folder.write_beside(ann, limits={"sandbox": kind.value})
    builds, moved = folder.folder / "cup.builds", folder.folder / "moved"
    recorded = RecordingObserver(lambda: builds.rename(moved))

    def observe(event: RunEvent) -> None:
        if isinstance(event, GameVoided):
            moved.rename(builds)
        recorded(event)

    trio.run(play_here, folder, observe)
    (voided,) = recorded.of(GameVoided)
    assert voided.void.why.startswith("ann is not to blame: ") and voided.again
    assert str(builds) in voided.void.why
    seats = [seat for result in folder.results().values() for seat in result.seats]
    assert [seat.verdict for seat in seats] == [PlayerVerdict.FINISHED] * 9


SLOW = """
import os
import time
from functools import cache
from pathlib import Path

import trio

from acquire.player.strategies.simple import Ordered

FOLDER = Path(os.environ["FOLDER"])


@cache
def begin():
    trio.lowlevel.spawn_system_task(block)


async def block():
    while (FOLDER / "block").exists():
        if any(FOLDER.glob("late-*")):
            time.sleep(0.5)
        await trio.sleep(0.01)


class Slow(Ordered):
    \"\"\"As ordered; but while another player is late it blocks the whole process.\"\"\"

    def __init__(self, rulebook, seed):
        super().__init__(rulebook, seed)
        begin()
"""
PLUGIN = {
    "slow_player.py": SLOW,
    "slow_player-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: slow-player\nVersion: 1\n",
    "slow_player-1.dist-info/entry_points.txt": "[acquire.strategies]\nslow = slow_player:Slow\n",
}
SILENT = """
connection = sign_up()
late = f"{FOLDER}/late-{os.getpid()}"
open(late, "w").close()
try:
    read(connection, b"</ejected>")
finally:
    os.unlink(late)
"""


@contextmanager
def blocked(folder: TournamentFolder) -> Iterator[TournamentProcess]:
    """Run a tournament with a built-in player that blocks the process, and a silent program.

    It blocks while there is a file `block`.
    """
    for name, text in PLUGIN.items():
        file = folder.folder / "plugin" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    players = [*built_in("slow", "ordered"), folder.program("silent", SILENT)]
    folder.write(players, tournament=TABLES_OF_THREE, clocks={"signup": 60.0, "reply": 0.3})
    environment = {"PYTHONPATH": str(folder.folder / "plugin"), "FOLDER": str(folder.folder)}
    with folder.run(environment=environment) as process:
        yield process


@pytest.mark.soak
def test_game_is_void_while_no_program_can_be_started(folder: TournamentFolder) -> None:
    """Here, because a file is where the folder for programs was."""
    leaving = "sign_up(); note('waits')\nwhile not os.path.exists(FOLDER + '/go'): time.sleep(0.01)"
    folder.write_beside(folder.program("ann", leaving))
    with folder.run() as process:
        wait_for(folder, 1)
        (programs,) = folder.temporary.glob("acquire-*")
        moved = programs.rename(programs.with_name("moved"))
        programs.touch()
        (folder.folder / "go").touch()
        void = process.until("void")
        began = time.monotonic()
        assert process.until("void")["attempt"] == 2
        assert time.monotonic() - began > 0.4, "five attempts shall not burn in a second"
        programs.unlink()
        moved.rename(programs)
        assert process.end() == 0, process.errors
    assert (void["why"], void["again"]) == ("ann could not be started: Not a directory.", True)
    verdicts = [seat_of(result, "ann").verdict for result in folder.results().values()]
    assert verdicts == [PlayerVerdict.DISCONNECTED] * 3


COMPUTING = """
connection = sign_up()
read(connection, b"</state>")
began = time.process_time()
while time.process_time() - began < SECONDS:
    pass
connection.sendall(b"<void/>")
"""
"""Computes for some seconds of CPU time before its first answer, and leaves after it."""


@pytest.mark.soak
def test_only_the_programs_own_computing_is_on_its_clock(folder: TournamentFolder) -> None:
    """Beside programs that loop, half a clock of computing takes several clocks."""
    names = {"slow": 0.4, "endless": 1e9}
    programs = [
        folder.program(name, COMPUTING.replace("SECONDS", str(seconds)))
        for name, seconds in names.items()
    ]
    players = [*programs, *built_in("ordered")]
    folder.write(players, tournament=TABLES_OF_THREE, clocks={"reply": 1.0})
    loop = [sys.executable, "-c", "while True: pass"]
    with ExitStack() as loops:
        for _ in range(6 * (os.cpu_count() or 1)):
            # Linux may share the processors among sessions, however many processes each has
            loops.enter_context(ending(subprocess.Popen(loop, start_new_session=True)))
        with folder.run() as process:
            assert process.end() == 0, process.errors
    for result in folder.results().values():
        slow, endless = seat_of(result, "slow"), seat_of(result, "endless")
        assert slow.verdict is not PlayerVerdict.TIMED_OUT, slow.detail
        assert slow.answers == 1
        assert slow.slowest > 1_000_000, "the machine was not busy"
        assert endless.verdict is PlayerVerdict.TIMED_OUT
        assert "it computed for" in endless.detail


@pytest.mark.soak
def test_late_player_is_not_blamed_while_the_referee_is_late_itself(
    folder: TournamentFolder,
) -> None:
    """Its game is void, and played again, until it is given up; the next run tries again."""
    block = folder.folder / "block"
    block.touch()
    with blocked(folder) as process:
        void = process.until("void")
        given_up = process.until("void", again=False)["game"]
        block.unlink()
        assert process.end() == 1, process.errors
    assert (void["again"], void["attempt"]) == (True, 1)
    assert f"Given up after {MAX_VOIDS} void attempts: {given_up}." in process.errors
    assert given_up not in folder.results()
    attempts = [void for void in folder.voids() if void.game == given_up]
    assert [void.attempt for void in attempts] == list(range(1, MAX_VOIDS + 1))
    with Store.open_to_read(folder.store) as store:
        logs = dict(store.void_logs())
    bags = set()
    for attempt in attempts:
        assert "silent was late on a machine that was too busy." in attempt.why
        assert "the referee itself was late for" in attempt.why
        log = gzip.decompress(logs[f"{given_up}-void{attempt.attempt}"])
        assert b'<ejected player="silent" reason="timed-out"' in log
        bags.add(log.partition(b"</bag>")[0])
    assert len(bags) == MAX_VOIDS, "its players have seen the bags of the attempts before"
    with blocked(folder) as again:
        assert again.end() == 0, again.errors
    results = folder.results()
    assert len(results) == 3
    assert seat_of(results[given_up], "silent").verdict is PlayerVerdict.TIMED_OUT
    assert_nothing_is_left(folder)
