"""The real command with players that connect: many matches at once, stopped, killed, and void."""

from __future__ import annotations

import gzip
import signal
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from admin.tournament.playing.tournament_run import MAX_VOIDS
from admin.tournament.results.store import Store
from admin.tournament.results.verdict import PlayerVerdict

if TYPE_CHECKING:
    import rogue_programs as disk
else:  # the folder is no package, and only its parent is on the path
    from tournament import rogue_programs as disk

LONG = {"signup": 30.0, "reply": 30.0, "turn": 50.0}
HOUSE = [disk.Entry(name, {"strategy": name}) for name in ("ordered", "random", "largest-alpha")]
GOOD = [disk.ACQUIRE, "play", "{host}", "{port}", "--name", "{name}"]
GENERAL = {"seats": 3, "seatings": "rotations", "deals": 1}

WAITER = """
connection = sit()
if os.path.exists(FOLDER + "/go"):
    sys.exit()
hear(connection, b"</state>")
connection.sendall(b"<void/>")
say("waits")
sentence = hear(connection, b"</ejected>")
say(sentence.decode())
sleep()
"""
"""Holds its game up, and says what it hears; leaves at once when it is told so by a file."""


@pytest.fixture
def stage(tmp_path: Path) -> disk.Stage:
    return disk.Stage(tmp_path)


def said(stage: disk.Stage) -> list[str]:
    """Return what the waiters have said."""
    file = stage.folder / "said"
    return file.read_text().splitlines() if file.exists() else []


def waiting(stage: disk.Stage) -> int:
    return said(stage).count("waits")


def assert_nothing_lives(stage: disk.Stage, run: disk.Running) -> None:
    """No process, no file and no port of a run is there any more, or will be in a moment."""
    assert disk.eventually(lambda: not stage.living(), 20), stage.living()
    assert disk.eventually(lambda: not stage.left_over(), 5), stage.left_over()
    assert disk.is_refused(run.port)


# -- several at once ----------------------------------------------------------------------------


def test_matches_are_played_side_by_side_and_as_many_as_there_are_workers(
    stage: disk.Stage,
) -> None:
    stage.write([stage.launched("waiter", WAITER), *HOUSE], tournament=GENERAL, clocks=LONG)
    with stage.run("--workers", "3") as run:
        run.until("listening")
        assert disk.eventually(lambda: waiting(stage) >= 3)
        assert run.end(signal.SIGTERM) == 128 + signal.SIGTERM
    assert waiting(stage) == 3
    began = {told["game"] for told in run.told("game-began")}
    over = {told["game"] for told in run.told("game")}
    assert len(began - over) == 3


def test_launched_players_finish_all_their_games(stage: disk.Stage) -> None:
    players = [stage.launching(name, [*GOOD, "--strategy", "ordered"]) for name in ("ada", "bob")]
    stage.write([*players, HOUSE[1]], tournament=GENERAL, clocks=LONG)
    with stage.run("--workers", "3") as run:
        assert run.end() == 0, run.errors
    results = stage.results().values()
    seats = [seat for result in results for seat in result.seats]
    assert [seat.verdict for seat in seats] == [PlayerVerdict.FINISHED] * 9
    assert all(seat.processor for seat in seats if seat.player in ("ada", "bob"))
    assert {seat.processor for seat in seats if seat.player == "random"} == {None}
    assert_nothing_lives(stage, run)


# -- stopped ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_tournament_keeps_whole_games_and_goes_on(
    stage: disk.Stage, number: signal.Signals
) -> None:
    stage.write([stage.launched("waiter", WAITER), *HOUSE], tournament=GENERAL, clocks=LONG)
    with stage.run("--workers", "2") as run:
        run.until("listening")
        assert disk.eventually(lambda: waiting(stage) == 2)
        assert run.end(number) == 128 + number
    assert "the same command goes on" in run.errors
    assert_nothing_lives(stage, run)
    before = set(stage.results())
    assert before == {told["game"] for told in run.told("game")}
    assert not stage.voids()
    goes_on(stage, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_players_are_told_that_a_tournament_is_stopped(
    stage: disk.Stage, number: signal.Signals
) -> None:
    port = disk.free_port()
    secret = {"remote": {"secret": "a-secret"}}
    stage.write(
        [disk.Entry("guest", secret), *HOUSE[:2]],
        tournament=GENERAL,
        clocks=LONG,
        lobby={"port": port, "wait": 50.0},
    )
    with stage.run("--workers", "9") as run:
        run.until("listening")
        with closing(socket.create_connection(("127.0.0.1", port))) as guest:
            guest.settimeout(disk.PATIENCE)
            guest.sendall(b'<signup name="guest:a-secret"/>')
            assert b"</state>" in hear(guest, b"</state>")
            assert run.end(number) == 128 + number
            assert b'<ejected reason="interrupted">' in hear(guest, b"</ejected>")
    assert_nothing_lives(stage, run)


def hear(connection: socket.socket, end: bytes) -> bytes:
    """Receive up to some last bytes, or to the end."""
    heard = b""
    while end not in heard and (data := connection.recv(65536)):
        heard += data
    return heard


def goes_on(stage: disk.Stage, before: set[str]) -> None:
    """The same command plays what was left, and nothing twice."""
    (stage.folder / "go").touch()
    with stage.run("--workers", "2") as run:
        assert run.end() == 0, run.errors
    assert run.told("began")[0]["games"] == len(before)
    again = [told["game"] for told in run.told("game")]
    assert not before & set(again)
    assert len(again) + len(before) == len(set(again) | before) == 12
    assert set(stage.results()) == set(again) | before
    assert_nothing_lives(stage, run)


def test_a_killed_tournament_leaves_nothing_behind_and_goes_on(stage: disk.Stage) -> None:
    stage.write([stage.launched("waiter", WAITER), *HOUSE], tournament=GENERAL, clocks=LONG)
    with stage.run("--workers", "2") as run:
        run.until("listening")
        assert disk.eventually(lambda: waiting(stage) == 2)
        run.end(signal.SIGKILL)
        assert_nothing_lives(stage, run)
    goes_on(stage, set(stage.results()))


def test_a_tournament_killed_after_some_games_leaves_no_file_of_those_either(
    stage: disk.Stage,
) -> None:
    """Their keepers are gone by then."""
    go = stage.folder / "go"
    go.touch()
    stage.write([stage.launched("waiter", WAITER), *HOUSE], tournament=GENERAL, clocks=LONG)
    with stage.run("--workers", "1") as run:
        while "waiter" not in [seat["player"] for seat in run.until("game")["seats"]]:
            pass
        go.unlink()
        assert disk.eventually(lambda: waiting(stage) == 1)
        run.end(signal.SIGKILL)
        assert_nothing_lives(stage, run)


def test_two_signals_are_no_worse_than_one(stage: disk.Stage) -> None:
    stage.write([stage.launched("waiter", WAITER), *HOUSE], tournament=GENERAL, clocks=LONG)
    with stage.run("--workers", "2") as run:
        run.until("listening")
        assert disk.eventually(lambda: waiting(stage) == 2)
        run.process.send_signal(signal.SIGINT)
        code = run.end(signal.SIGTERM)
    assert code in (128 + signal.SIGINT, 128 + signal.SIGTERM)
    assert_nothing_lives(stage, run)


def test_the_disk_holds_no_more_than_the_players_of_games_under_way(stage: disk.Stage) -> None:
    """What a launched player wrote is removed when its game is over, not with the tournament."""
    litter = "open(os.environ['TMPDIR'] + '/litter', 'w').write('x' * 9999)\n" + WAITER
    stage.write([stage.launched("waiter", litter), *HOUSE], tournament=GENERAL, clocks=LONG)
    go = stage.folder / "go"
    go.touch()
    with stage.run("--workers", "1") as run:
        for _ in range(6):
            run.until("game")
        go.unlink()
        assert disk.eventually(lambda: waiting(stage) == 1)
        littered = list(stage.temporary.rglob("litter"))
        run.end(signal.SIGTERM)
    assert len(littered) == 1


# -- void ---------------------------------------------------------------------------------------

SLOW = """
import os
import time
from functools import cache
from pathlib import Path

import trio

from player.strategies.simple import Ordered

FOLDER = Path(os.environ["HOLD_UP"])


@cache
def begin():
    trio.lowlevel.spawn_system_task(hold_up)


async def hold_up():
    while (FOLDER / "hold-up").exists():
        if any(FOLDER.glob("late-*")):
            time.sleep(0.15)
        await trio.sleep(0.01)


class Slow(Ordered):
    \"\"\"As ordered, but while somebody is late it holds the whole process up.\"\"\"

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
connection = sit()
late = f"{FOLDER}/late-{os.getpid()}"
open(late, "w").close()
try:
    hear(connection, b"</ejected>")
finally:
    os.unlink(late)
"""


@contextmanager
def held_up(stage: disk.Stage) -> Iterator[tuple[disk.Running, Path]]:
    """Run a tournament in which a house player blocks the process while another player is late.

    The file that makes it so is given as well.
    """
    for name, text in PLUGIN.items():
        file = stage.folder / "plugin" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    hold_up = stage.folder / "hold-up"
    hold_up.touch()
    environment: Mapping[str, str] = {
        "PYTHONPATH": str(stage.folder / "plugin"),
        "HOLD_UP": str(stage.folder),
    }
    write_file(stage)
    with stage.run("--workers", "3", environment=environment) as run:
        yield run, hold_up


def write_file(stage: disk.Stage) -> None:
    """Write a file of three players, of whom one is launched and late."""
    silent = stage.launched("silent", SILENT)
    slow = disk.Entry("slow", {"strategy": "slow"})
    clocks = {"signup": 30.0, "reply": 0.3}
    stage.write([slow, HOUSE[0], silent], tournament=GENERAL, clocks=clocks)


def test_a_late_player_is_not_to_blame_while_the_referee_is_late_itself(stage: disk.Stage) -> None:
    with held_up(stage) as (run, hold_up):
        void = run.until("void")
        hold_up.unlink()
        assert run.end() == 0, run.errors
    assert (void["again"], void["attempt"]) == (True, 1)
    assert "silent was late, but so was the referee itself, by" in void["why"]
    results = stage.results()
    assert len(results) == 3
    assert disk.seat(results[void["game"]], "silent").verdict is PlayerVerdict.TIMED_OUT
    assert void["game"] in {kept.game for kept in stage.voids()}
    assert_nothing_lives(stage, run)


def test_a_game_that_is_void_too_often_is_given_up_until_the_next_run(
    stage: disk.Stage,
) -> None:
    with held_up(stage) as (run, hold_up):
        game = run.until("void", again=False)["game"]
        hold_up.unlink()
        assert run.end() == 1, run.errors
    assert "void too often" in run.errors
    assert game not in stage.results()
    attempts = [void for void in stage.voids() if void.game == game]
    assert [void.attempt for void in attempts] == list(range(1, MAX_VOIDS + 1))
    assert all("so was the referee itself" in void.why for void in attempts)
    with Store.open_to_read(stage.store) as store:
        logs = dict(store.void_logs())
    for void in attempts:
        log = gzip.decompress(logs[f"{game}-void{void.attempt}"])
        assert b'<ejected player="silent" reason="timed-out"' in log
    tried_again(stage, game)


def tried_again(stage: disk.Stage, game: str) -> None:
    """The same command tries a game again that was given up."""
    environment = {"PYTHONPATH": str(stage.folder / "plugin"), "HOLD_UP": str(stage.folder)}
    with stage.run("--workers", "2", environment=environment) as again:
        assert again.end() == 0, again.errors
    assert game in stage.results()
    assert len(stage.results()) == 3
