"""Logs are verified in several processes, which changes neither reports nor audits."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from child_processes import command_of, ending
from command_line import ACQUIRE, invoke, on_one_line, succeed
from forging import change_log
from loops import in_soak
from tournament_process import TournamentFolder, built_in, workers_of

from acquire.admin.tournament.run.executors import CALLS_THAT_PAY

WORKERS = 2
GAMES = 2 * CALLS_THAT_PAY + 2
"""So many that a second process is started, but not a third."""


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> TournamentFolder:
    folder = TournamentFolder(tmp_path_factory.mktemp("cup"))
    general = {"seats": 2, "rulebook": "quick.toml", "deals": GAMES // 6}
    folder.write(built_in("random", "ordered", "smallest-anti"), tournament=general)
    folder.play()
    return folder


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("options", [(), pytest.param(("--public",), marks=pytest.mark.soak)])
def test_report_is_the_same_however_many_processes_verify(
    cup: TournamentFolder, tmp_path: Path, options: tuple[str, ...]
) -> None:
    found = []
    for workers in (1, WORKERS):
        to = tmp_path / f"by-{workers}"
        succeed("tournament", "report", cup.file, "--to", to, *options, "--workers", workers)
        found.append(files_in(to))
    assert found[0] == found[1]
    assert len([path for path in found[0] if path.startswith("games/d")]) == GAMES
    if options:
        by_two = invoke("tournament", "audit", to, "--workers", WORKERS)
        assert by_two.output == invoke("tournament", "audit", to, "--workers", 1).output
        assert by_two.exit_code == 0


def test_forged_logs_are_found_whichever_process_reads_them(
    cup: TournamentFolder, tmp_path: Path
) -> None:
    store = tmp_path / "forged.sqlite"
    store.write_bytes(cup.store.read_bytes())
    forged = [f"d{deal}-t{table}-s{1 + deal % 2}" for deal in (1, 4, 7) for table in (1, 2, 3)]
    for game in forged:
        change_log(store, game, lambda text: text.replace('<turn number="1"', '<turn number="2"'))
    options = ("--store", store, "--workers", WORKERS)
    output = on_one_line(succeed("tournament", "audit", cup.file, *options, code=1).output)
    assert sorted(re.findall(r"game (\S+): its log does not hold: line", output)) == forged


@contextmanager
def verifying(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a session of its own, until its workers are there."""
    with ending(
        subprocess.Popen(
            [ACQUIRE, "tournament", *map(str, arguments), "--workers", str(WORKERS)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
    ) as process:
        while len(workers_of(process.pid)) < WORKERS:
            assert process.poll() is None
            time.sleep(0.005)
        yield process


@pytest.mark.parametrize(
    ("command", "number"), [("report", signal.SIGINT), *in_soak(("audit", signal.SIGTERM))]
)
def test_stop_in_the_middle_leaves_no_process(
    cup: TournamentFolder, command: str, number: int
) -> None:
    before = files_in(cup.folder)
    with verifying(command, cup.file) as process:
        workers = workers_of(process.pid)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does, to all processes
        else:
            process.send_signal(number)
        output, _ = process.communicate(timeout=240)
    assert process.returncode == 128 + number, output
    assert "Traceback" not in output
    assert not [worker for worker in workers if command_of(worker)]
    assert files_in(cup.folder) == before


@pytest.mark.soak
def test_killed_process_ends_the_audit_with_a_sentence(cup: TournamentFolder) -> None:
    with verifying("audit", cup.file) as process:
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        output, _ = process.communicate(timeout=240)
    assert process.returncode == 2, output
    assert "A worker was killed" in output and "Traceback" not in output
