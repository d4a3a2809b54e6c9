"""Players and machines that make a check hard: silent ones, slow wires, strays at the door."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from admin.check.catalogue import cases_for
from admin.check.checking import HOPELESS, Checker
from admin.check.judging import Result, Verdict
from admin.check.scene import scene, script
from admin.table.clocks import Clocks
from admin.table.lag import Lag
from admin.trial.playground import Playground
from admin.trial.trial import Trial, Tried
from admin.trial.wire import Manner
from check.doors import Quiet, Threads, house
from check.mutants import STARTER
from game.rulebooks import REVISED
from player.strategies.simple import Ordered
from protocol.faults import Reason

ACQUIRE = Path(sys.executable).parent / "acquire"
WHERE = ("{host}", "{port}", "{name}")


def acquire(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ACQUIRE, *arguments],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=cwd,
        env=dict(os.environ),
    )


def falls_silent(own: socket.socket, name: str) -> None:
    """Sign up, and say no more until the administrator hangs up."""
    with own, suppress(OSError):
        own.sendall(f'<signup name="{name}"/>'.encode())
        while own.recv(65536):
            pass


# -- giving up -------------------------------------------------------------------------------------


async def test_player_that_never_answers_is_given_up_for_good() -> None:
    cases = [case for case in cases_for(REVISED) if case.section.slug in ("buying", "founding")]
    judged: list[Result] = []

    class Noting(Quiet):
        def judged(self, result: Result) -> None:
            judged.append(result)

    checker = Checker(REVISED, cases, Threads(falls_silent), Noting(), jobs=8)
    results = await checker.run()
    assert len(results) == len(cases)
    played = [result.played for result in judged]
    assert HOPELESS["timed-out"] <= played.count(True) <= HOPELESS["timed-out"] + 8
    under_way = played[played.index(False) :].count(True)
    assert under_way <= 8, "only what was being played is played once others are given up"
    given_up = [result for result in results if not result.played]
    assert {result.verdict for result in given_up} == {Verdict.NOT_REACHED}
    assert all("--keep-going" in result.came for result in given_up)


# -- a slow wire -----------------------------------------------------------------------------------


def tenths(message: bytes) -> list[bytes]:
    size = len(message) // 10 + 1
    return [message[start : start + size] for start in range(0, len(message), size)]


SLOW_WIRE = Manner(cut=tenths, pause=0.08)
"""Every message is most of a second on its way."""


async def tried(play: object, clocks: Clocks) -> Tried:
    """Play one turn over a slow wire."""
    assert callable(play)
    lag = Lag()
    one_turn = script(REVISED, scene(REVISED, "", "player", "ann", "bob"))
    trial = Trial(Playground(REVISED, lag), one_turn, clocks, SLOW_WIRE)
    with trio.fail_after(30):
        async with trio.open_nursery() as background:
            background.start_soon(lag.run)
            async with Threads(play).visit("player") as visit:
                came = await trial.play(visit.connection, visit.peer)
            background.cancel_scope.cancel()
    return came


async def test_time_on_the_wire_is_not_the_players() -> None:
    came = await tried(house(lambda: lambda rulebook: Ordered(rulebook, 0)), Clocks(0.3, 0.3))
    assert came.ejected is None and came.outcome is not None


async def test_silence_behind_a_slow_wire_is_silence_all_the_same() -> None:
    came = await tried(falls_silent, Clocks(0.3, 0.3))
    assert came.ejected is not None and came.ejected.reason is Reason.TIMED_OUT
    assert not came.doubted


# -- the command -----------------------------------------------------------------------------------


def test_connections_that_are_closed_again_cost_no_case() -> None:
    command: list[str | Path]
    command = [ACQUIRE, "check", "--listen", "0", "--only", "turn/alone", "--only", "turn/drawn"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as check:
        assert check.stdout is not None
        port = check.stdout.readline().partition(". ")[0].rpartition(":")[2]
        for _ in range(2):
            for _ in range(3):
                socket.create_connection(("127.0.0.1", int(port))).close()
            player: list[str | Path]
            player = [sys.executable, STARTER, "127.0.0.1", port, "player"]
            subprocess.run(player, timeout=30, check=True, stdout=subprocess.DEVNULL)
        told = check.stdout.read()
    assert check.returncode == 0, told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--", "sh", "-c", "player {host} {port} {name}"), '"$ACQUIRE_NAME"'),
        (("--patience", "nan", "--", "true", "{port}"), "is no number of seconds"),
        (("--listen", "0", "--memory", "1 GiB"), "--memory is for a COMMAND"),
        (("--seat", "me", "--", "true", "{port}"), "--seat is for --case"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(arguments: tuple[str, ...], said: str) -> None:
    done = acquire("check", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_command_that_ends_before_its_player_is_told_so(tmp_path: Path) -> None:
    wrapper = tmp_path / "wrapper.sh"
    wrapper.write_text(f'#!/bin/sh\n"{sys.executable}" "{STARTER}" "$@" &\nsleep 0.4\n')
    wrapper.chmod(0o755)
    done = acquire("check", "--only", "clocks/before-the-match", "--", wrapper, *WHERE)
    assert done.returncode == 1
    assert "the command has to run as long as the player does" in " ".join(done.stdout.split())


def test_ctrl_c_before_anything_has_begun_is_130() -> None:
    code = (
        "import os, signal, admin.cli.main as c;"
        "c.plugins = lambda group: os.kill(os.getpid(), signal.SIGINT);"
        "import sys; sys.argv = ['acquire', '--help']; c.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 128 + signal.SIGINT, done.stderr
