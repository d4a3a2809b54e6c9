"""The command as a person uses it, with players that are processes, good ones and bad ones."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import etree, html

from admin.check.catalogue import cases_for
from admin.cli.main import acquire
from game.rulebooks import REVISED

ACQUIRE = Path(sys.executable).with_name("acquire")
STARTER = Path(__file__).parents[2] / "player" / "starters" / "python" / "player.py"
CASE = next(case for case in cases_for(REVISED) if case.section.slug == "turn")
"""A case in which something has to be placed."""

PLAYER = f"""
import os, runpy, signal, socket, subprocess, sys, time

mode, *rest = sys.argv[1:]
told = [os.environ[f"ACQUIRE_{{what}}"] for what in ("HOST", "PORT", "NAME")]
host, port, name = rest or told
starter = runpy.run_path({str(STARTER)!r})

def connect():
    return socket.create_connection((host, int(port)))

def sign_up():
    connection = connect()
    connection.sendall(f'<signup name="{{name}}"/>'.encode())
    connection.recv(4096)
    return connection

def play():
    return starter["main"]([host, port, name])

match mode:
    case "good":
        sys.exit(play())
    case "code":
        play()
        sys.exit(3)
    case "wrong":
        starter["play"].__globals__["placement_xml"] = lambda move: (
            '<placement><tile column="1" row="I"/></placement>')
        sys.exit(play())
    case "absent":
        time.sleep(600)
    case "silent":
        connection = connect()
        time.sleep(600)
    case "hang":
        connection = sign_up()
        time.sleep(600)
    case "flood":
        connection = sign_up()
        try:
            while True:
                connection.sendall(b"<turn" * 50000)
        except OSError:
            sys.exit(4)
    case "loud":
        for _ in range(3000):
            print("\\x1b[31m" + "x" * 1000)
        print("the end", flush=True)
        sys.exit(play())
    case "forks":
        for _ in range(3):
            command = [sys.executable, "-c", "import time; time.sleep(600)"]
            subprocess.Popen(command, start_new_session=True)
        sys.exit(play())
    case "crowd":
        for _ in range(3):
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        time.sleep(600)
    case "killed":
        connection = sign_up()
        os.kill(os.getpid(), signal.SIGKILL)
    case "twice":
        first = connect()
        try:
            second = connect()
        except OSError:
            pass
        starter["socket"].create_connection = lambda _: first
        sys.exit(play())
"""


@dataclass
class Desk:
    """A folder with a player in it, from which the command is run."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "TMPDIR": str(self.folder / "tmp"), "COLUMNS": "100"}

    def words(self, mode: str, *options: str) -> list[str]:
        """Return the command for one case with a player of this kind."""
        player = [
            sys.executable,
            str(self.folder / "player.py"),
            mode,
            "{host}",
            "{port}",
            "{name}",
        ]
        return [str(ACQUIRE), "check", "--only", CASE.id, *options, "--", *player]

    def check(self, mode: str, *options: str, code: int) -> str:
        """Check a player; what is said on standard output."""
        return self.run(self.words(mode, *options), code)

    def run(self, words: list[str], code: int) -> str:
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback (most recent" not in done.stderr
        return done.stdout + done.stderr

    def running(self) -> list[int]:
        """Return the processes that were started from this folder and still run."""
        mine = os.fsencode(self.folder / "player.py")
        return [
            int(process.name)
            for process in Path("/proc").glob("[0-9]*")
            if _is_of(process, (mine, os.fsencode(self.folder / "tmp")))
        ]


def _is_of(process: Path, signs: tuple[bytes, ...]) -> bool:
    try:
        words = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        return "Z" not in (process / "stat").read_text().rpartition(")")[2].split()[0] and any(
            sign in words for sign in signs
        )
    except OSError:  # it is gone, or nobody's
        return False


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A place with a player, where at the end nothing is left of any."""
    (tmp_path / "player.py").write_text(PLAYER)
    (tmp_path / "tmp").mkdir()
    found = Desk(tmp_path)
    yield found
    assert found.running() == []
    assert list((tmp_path / "tmp").iterdir()) == []


def refused(*words: str) -> str:
    """Ask for what cannot begin; what is said, on one line."""
    done = CliRunner().invoke(acquire, ["check", *words])
    assert done.exit_code == 2, done.output
    return " ".join(done.output.split())


def last(said: str) -> str:
    return said.splitlines()[-1]


# -- how it ends --------------------------------------------------------------------------------


def test_good_player_passes_and_the_last_line_says_so(desk: Desk) -> None:
    said = desk.check("good", code=0)
    assert last(said).startswith("1 of 1 passed. (")
    assert "Again:" not in said


def test_wrong_player_fails_and_is_told_why(desk: Desk) -> None:
    said = desk.check("wrong", code=1)
    whole = " ".join(said.split())
    for part in ("Tile 1I is not in the hand", "tile-not-in-hand", CASE.title, CASE.expected):
        assert part in whole
    assert f"Again: acquire check --only {CASE.number} -- " in said
    assert last(said).startswith("0 of 1 passed, 1 failed. (")


def test_warning_is_no_failure_unless_it_is_strict(desk: Desk) -> None:
    assert "! warning  It ended with exit code 3." in desk.check("code", code=0)
    assert "warning   It ended with exit code 3." in desk.check("code", "--strict", code=1)


def test_verbose_shows_what_was_said_in_a_passed_case(desk: Desk) -> None:
    said = desk.check("good", "-v", code=0)
    assert "A> <turn><board" in said and "P> <pbuy>" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_check_reports_what_was_judged_and_leaves_nothing(
    desk: Desk, number: signal.Signals
) -> None:
    report = desk.folder / "results.json"
    words = desk.words("absent", "--patience", "60", "--json", str(report))
    process = subprocess.Popen(
        words, cwd=desk.folder, env=desk.environment, stdout=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 20
    while not any(child != process.pid for child in _players(desk)):
        assert time.monotonic() < until, "the player was not started"
        os.sched_yield()
    process.send_signal(number)
    said, _ = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert f"Not played: stopped by {number.name}." in said
    (test,) = json.loads(report.read_text())["tests"]
    assert (test["score"], test["max_score"]) == (0, 1)


def _players(desk: Desk) -> list[int]:
    """Return the processes that run the player itself."""
    found = []
    for process in desk.running():
        try:
            words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if len(words) > 1 and words[1] == os.fsencode(desk.folder / "player.py"):
            found.append(process)
    return found


# -- what cannot begin --------------------------------------------------------------------------


def test_what_cannot_begin_says_what_to_do() -> None:
    player = ("--", "true", "{port}")
    assert "Give the command that starts it after --" in refused()
    assert "'nowhere': not found in PATH" in refused("--", "nowhere", "{port}")
    assert "'./nowhere': no such program" in refused("--", "./nowhere", "{port}")
    said = refused("--only", "sideways", *player)
    assert "no such section or case. There are:" in said
    assert f"{CASE.section.number} {CASE.section.slug}" in said
    assert CASE.id in refused("--only", f"{CASE.section.number}.99", *player)
    assert "'12 parsecs' is no size" in refused("--memory", "12 parsecs", *player)
    assert "or --listen and start the player" in refused("--listen", "0", *player)
    assert "one after the other" in refused("--listen", "0", "--jobs", "2")


def test_report_that_cannot_be_written_is_found_out_first(desk: Desk) -> None:
    for option in ("--junit", "--json", "--html"):
        missing = str(desk.folder / "no" / "report")
        said = refused(*desk.words("absent", option, missing)[2:])
        assert f"{option}: {missing} cannot be written" in said


def test_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"Cannot listen on 127.0.0.1 port {port}" in refused("--listen", port)


def test_list_tells_the_cases_with_their_sources() -> None:
    listed = CliRunner().invoke(acquire, ["check", "--list", "--only", CASE.section.slug])
    said = " ".join(listed.output.split())
    assert f"{CASE.number} {CASE.title} {CASE.id}" in said
    assert f"{CASE.source.heading}: “{CASE.source.quoted}”" in said


# -- players of all kinds -----------------------------------------------------------------------


def test_player_that_takes_the_port_from_its_environment(desk: Desk) -> None:
    words = [word for word in desk.words("good") if not word.startswith("{")]
    said = desk.run(words, 0)
    assert "no {port} in the command" in said
    assert "1 of 1 passed." in said


WAITING = {
    "absent": "It did not connect within 0.7 s.",
    "silent": "The limit for <signup> was 1 s",
    "hang": "The limit for <void> was 1 s",
}
"""Players that do nothing at some point, and what is said of them."""


def test_player_that_never_connects_or_signs_up_or_answers(desk: Desk) -> None:
    patience = {"absent": "0.7"}
    processes = {
        mode: subprocess.Popen(
            desk.words(mode, "--patience", patience.get(mode, "20")),
            cwd=desk.folder,
            env=desk.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for mode in WAITING
    }
    for mode, process in processes.items():
        said, _ = process.communicate(timeout=30)
        assert process.returncode == 1
        assert WAITING[mode] in " ".join(said.split())
        assert "1 not reached" in last(said)


def test_player_that_never_comes_is_given_up(desk: Desk) -> None:
    words = desk.words("absent", "--patience", "0.3", "--jobs", "1")
    words[words.index(CASE.id)] = CASE.section.slug
    said = desk.run(words, 1)
    assert "It did not connect within 0.3 s." in said
    assert "Given up: it did not come in 3 cases one after another" in " ".join(said.split())


def test_player_that_sends_megabytes(desk: Desk) -> None:
    said = desk.check("flood", "--html", "flood.html", code=1)
    assert "<turn<turn" in said
    assert len(said) < 50_000
    assert (desk.folder / "flood.html").stat().st_size < 500_000


def test_player_that_prints_megabytes(desk: Desk) -> None:
    said = desk.check("loud", "-v", code=0)
    assert "the end" in said
    assert "\x1b" not in said
    assert len(said) < 50_000


def test_player_that_leaves_processes_behind(desk: Desk) -> None:
    said = desk.check("forks", code=0)
    assert "It left processes of its own running." in said


def test_player_with_more_processes_than_it_may_have(desk: Desk) -> None:
    said = desk.check("crowd", "--processes", "2", code=1)
    assert "more than 2 processes (--processes)" in said


def test_player_that_is_killed(desk: Desk) -> None:
    said = desk.check("killed", code=1)
    assert "(disconnected)" in said
    assert "SIGKILL" in said


def test_player_that_connects_twice_is_heard_once(desk: Desk) -> None:
    assert "1 of 1 passed." in desk.check("twice", code=0)


# -- a player that connects by itself -----------------------------------------------------------


def test_player_that_connects_by_itself(desk: Desk) -> None:
    words = [str(ACQUIRE), "check", "--only", CASE.id, "--listen", "0"]
    process = subprocess.Popen(
        words, cwd=desk.folder, env=desk.environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    assert "sign up by any name" in first
    port = first.partition("127.0.0.1:")[2].partition(".")[0]
    subprocess.run(
        [sys.executable, str(STARTER), "127.0.0.1", port, "player"],
        check=True,
        capture_output=True,
        timeout=20,
    )
    said, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert last(said).startswith("1 of 1 passed.")


def test_player_that_does_not_come_by_itself(desk: Desk) -> None:
    words = ["--only", CASE.id, "--listen", "0", "--patience", "0.2"]
    said = desk.run([str(ACQUIRE), "check", *words], 1)
    assert "Nobody connected within 0.2 s." in said


# -- reports ------------------------------------------------------------------------------------


def test_reports_are_written_though_cases_failed(desk: Desk) -> None:
    files = ("--junit", "check.xml", "--json", "results.json", "--html", "check.html")
    desk.check("wrong", *files, code=1)
    suites = etree.parse(desk.folder / "check.xml").getroot()
    assert [suite.get("failures") for suite in suites] == ["1"]
    (test,) = json.loads((desk.folder / "results.json").read_text())["tests"]
    assert (test["number"], test["status"]) == (CASE.number, "failed")
    page = html.parse(desk.folder / "check.html")
    assert page.xpath("//details[@open]/@id") == [CASE.id.replace("/", "-")]
