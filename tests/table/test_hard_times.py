"""What must not take a server down: a crowd at the door, a full disk, a signal at the end."""

import os
import resource
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio
from child_processes import ending
from command_line import ACQUIRE
from loopback import serving

from acquire.admin.refereeing.log.reader import read
from acquire.admin.refereeing.log.verifier import Verifier
from acquire.game.turn import Ending

ROUNDS = 40
"""A connection that comes just as the last table fills has taken a server down in one of five."""


def serve(log_dir: Path) -> list[str]:
    return [ACQUIRE, "serve", "--port", "0", "--players", "3", "--log-dir", str(log_dir)]


async def test_connections_that_come_as_the_last_table_fills_do_no_harm(tmp_path: Path) -> None:
    async def knock(port: int) -> None:
        while True:
            try:
                stream = await trio.open_tcp_stream("127.0.0.1", port)
            except OSError:
                return  # the last table is full, and nobody listens any more
            await stream.aclose()

    async def sign_up_and_leave(stream: trio.SocketStream, name: str) -> None:
        await stream.send_all(f'<signup name="{name}"/>'.encode())
        await stream.receive_some(100)
        await trio.sleep(0)
        await stream.aclose()

    for round_ in range(ROUNDS):
        async with (
            serving(tmp_path, seed=round_, signup_timeout=1) as (_, witness),
            trio.open_nursery() as nursery,
        ):
            # connected before anybody signs up: the server may stop listening soon after
            streams = [await trio.open_tcp_stream("127.0.0.1", witness.port) for _ in range(3)]
            for stream, name in zip(streams, ("ann", "bob", "cyd"), strict=True):
                nursery.start_soon(sign_up_and_leave, stream, name)
            nursery.start_soon(knock, witness.port)
        assert witness.games or witness.given_up
        assert not witness.broken_off


def test_a_full_disk_stops_the_server(tmp_path: Path) -> None:
    """Files of this process may have 12 kB: about a third of a game's log."""
    done = subprocess.run(
        [*serve(tmp_path), "--games", "9", "--fill", "random", "--signup-timeout", "0.1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # the cache would be cut short too
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000)),
    )
    assert done.returncode == 2
    assert "Game 1 was abandoned: The log " in " ".join(done.stdout.split())
    assert done.stderr.startswith("Error: The log ")
    assert "cannot be written: File too large. Give another --log-dir.\n" in done.stderr
    assert "bug" not in done.stdout + done.stderr
    for log in tmp_path.glob("*.xml"):
        assert Verifier(read(log)).verify().divergence is None


@pytest.mark.soak
def test_a_signal_while_scores_are_taken_note_of_loses_no_score(tmp_path: Path) -> None:
    with (
        ending(
            subprocess.Popen(
                [*serve(tmp_path), "--reply-timeout", "30", "--json"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        ) as server,
        ExitStack() as stack,
    ):
        assert server.stdout is not None
        port = server.stdout.readline().rpartition(":")[2].partition('"')[0]
        play = [ACQUIRE, "play", "127.0.0.1", port, "--strategy"]
        names = (("ordered", "ann"), ("ordered", "bob"), ("score-silent", "cyd"))
        *quick, slow = (
            stack.enter_context(
                ending(
                    subprocess.Popen(
                        [*play, strategy, "--name", name],
                        stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL,
                    )
                )
            )
            for strategy, name in names
        )
        assert [player.wait(60) for player in quick] == [0, 0]
        server.send_signal(signal.SIGINT)
        out, err = server.communicate(timeout=30)
        slow.wait(30)
    assert server.returncode == 130
    assert "bug" not in out + err
    assert '"rank": 1' in out, "the standings were known already"
    (log,) = tmp_path.glob("*.xml")
    record = read(log)
    verdict = Verifier(record).verify()
    assert verdict.divergence is None
    assert not record.complete
    assert verdict.outcome.ending is not Ending.INTERRUPTED
    assert len(verdict.outcome.standings) == 3


@pytest.mark.parametrize("options", [["--json"], []], ids=["program", "person"])
def test_a_reader_that_goes_away_stops_no_game(tmp_path: Path, options: list[str]) -> None:
    games = ["--games", "3", "--fill", "random", "--signup-timeout", "0.2"]
    with ending(
        subprocess.Popen(
            [*serve(tmp_path), *games, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.readline()
        server.stdout.close()
        told = server.stderr.read()
        assert server.wait(60) == 0
    assert "Traceback" not in told
    assert ("Standard output was closed." in told) is bool(options)
    assert len([*tmp_path.glob("*.xml")]) == 3
    assert all(read(log).complete for log in tmp_path.glob("*.xml"))
