"""``acquire check`` with launched players: exit codes, what is printed, what is left behind.

The command runs in this process, and as a process of its own only where signals or its environment
matter. The players are processes.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Self

import pytest
from child_processes import ending
from command_line import ACQUIRE, on_one_line, process, refused, succeed
from loops import in_soak
from lxml import etree, html
from sandboxes import BWRAP_AND_SOAK, every_sandbox, fake_bubblewrap, in_bwrap

from acquire.admin.cli import check_run
from acquire.admin.launching.sandbox import Sandbox
from acquire.game.rulebooks import REVISED
from check.mistakes import GENEROUS, STARTER, TRUSTED, WHERE, started
from check.rehearsal import all_cases

CASE = next(case for case in all_cases(REVISED) if case.section.slug == "turn")
"""A case in which a tile has to be placed."""
FORGED = '{"score": 100}'
SYSTEM_PYTHON = "/usr/bin/python3"
"""An interpreter that every user may run."""

PLAYER = f"""
import fcntl, os, runpy, signal, socket, subprocess, sys, time

mode, *rest = sys.argv[1:]
given = [os.environ[f"ACQUIRE_{{what}}"] for what in ("HOST", "PORT", "NAME")]
host, port, name = rest or given

def connect():
    return socket.create_connection((host, int(port)))

def sign_up():
    connection = connect()
    connection.sendall(f'<signup name="{{name}}"/>'.encode())
    connection.recv(4096)
    return connection

def play():
    return runpy.run_path({str(STARTER)!r})["main"]([host, port, name])

def wait_forever():
    time.sleep(600)

def compute_and_wait(seconds=0.45):  # more of its time to connect than one that merely waits
    while time.process_time() < seconds:
        pass
    wait_forever()

match mode:
    case "good":
        sys.exit(play())
    case "code":
        play()
        sys.exit(3)
    case "wrong":
        connection = sign_up()
        assert connection.recv(65536).startswith(b"<state>")
        connection.sendall(b"<void/>")
        assert connection.recv(65536).startswith(b"<turn>")
        print("what the player prints")
        tile = '<tile column="1" row="I"/>'
        connection.sendall(f"<pbuy><placement>{{tile}}</placement><order/></pbuy>".encode())
        connection.recv(4096)
    case "ends-0" | "ends-1":
        connection = sign_up()
        assert connection.recv(65536).startswith(b"<state>")
        connection.sendall(b"<void/>")
        assert connection.recv(65536).startswith(b"<turn>")
        print("its first words")
        print("its last words")
        sys.exit(int(mode[-1]))
    case "crash":
        print("no such setting")
        sys.exit(4)
    case "absent":
        wait_forever()
    case "slow-beside-others":
        lock = open("lock", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            compute_and_wait()
        sys.exit(play())
    case "computes":
        compute_and_wait()
    case "silent":
        connection = connect()
        wait_forever()
    case "late":
        connection = sign_up()
        connection.recv(65536)
        time.sleep(2)
        connection.sendall(b"<void/>")
        connection.recv(65536)
    case "reads-to-the-end":
        connection = sign_up()
        while connection.recv(65536):
            pass
        connection.sendall(b"<void/>")
    case "loop":
        connection = sign_up()
        connection.recv(65536)
        compute_and_wait(1.5)  # longer would only take longer
    case "fills-its-output":
        connection = sign_up()
        while True:
            print("x" * 100000)
    case "debugged":
        os.kill(os.getppid(), signal.SIGINT)  # as Ctrl-C does to both
        starter = runpy.run_path({str(STARTER)!r})
        send = starter["send"]
        wait = lambda element: time.sleep(1.2 if "<pbuy" in element else 0)
        starter["play"].__globals__["send"] = lambda to, element: (wait(element), send(to, element))
        sys.exit(starter["main"]([host, port, name]))
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
            subprocess.Popen(["sleep", "600"], start_new_session=True)
        sys.exit(play())
    case "crowd":
        for _ in range(3):
            subprocess.Popen(["sleep", "600"])
        wait_forever()
    case "killed":
        connection = sign_up()
        os.kill(os.getpid(), signal.SIGKILL)
    case "twice":
        first = connect()
        try:
            second = connect()
        except OSError:
            pass
        starter = runpy.run_path({str(STARTER)!r})
        starter["socket"].create_connection = lambda _: first
        sys.exit(starter["main"]([host, port, name]))
"""


@dataclass
class Desk:
    """A folder with a player in it."""

    folder: Path

    def player(self, mode: str, *where: str) -> tuple[str, ...]:
        """The command of a player of some kind."""
        return started(self.folder / "player.py", mode, *where)

    def check(self, mode: str, *options: str, code: int) -> str:
        """Check a player on one case; return what is printed."""
        return self.run("--only", CASE.id, *options, *self.player(mode, *WHERE), code=code)

    def run(self, *words: str, code: int) -> str:
        """Run the command in this process; return what is printed, on one line per output line."""
        return succeed("check", *words, code=code).output


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A folder with a player, of which no file is left at the end.

    Processes that are left fail the tests of this file, see ``child_processes``.
    """
    (tmp_path / "player.py").write_text(PLAYER)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)  # it remembers another folder
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    found = Desk(tmp_path)
    yield found
    assert list((tmp_path / "tmp").iterdir()) == []


def last(output: str) -> str:
    return output.rstrip().splitlines()[-1]


# -- how it ends --------------------------------------------------------------------------------


def test_good_player_passes_with_all_messages_if_verbose(desk: Desk) -> None:
    output = desk.check("good", "-v", code=0)
    assert last(output).startswith("1 of 1 passed. (")
    assert "To repeat:" not in output
    assert "A> <turn><board" in output and "P> <pbuy>" in output


def test_wrong_player_fails_with_reasons_and_reports(desk: Desk) -> None:
    files = ("--junit", "check.xml", "--json", "results.json", "--html", "check.html")
    output = desk.check("wrong", *files, code=1)
    for part in (
        *("Tile 1I is not in the hand", "tile-not-in-hand", CASE.title, CASE.expected),
        "what the player prints",
    ):
        assert part in on_one_line(output)
    assert (
        f"To repeat: acquire check --only {CASE.number} --sandbox none -- "
        f"{shlex.quote(sys.executable)}" in output
    )
    assert "{host} {port} {name}" in output
    assert last(output).startswith("0 of 1 passed, 1 failed. (")
    suites = etree.parse(desk.folder / "check.xml").getroot()
    assert [suite.get("failures") for suite in suites] == ["1"]
    (test,) = json.loads((desk.folder / "results.json").read_text())["tests"]
    assert (test["number"], test["status"]) == (CASE.number, "failed")
    page = html.parse(desk.folder / "check.html")
    assert page.xpath("//details[@open]/@id") == [CASE.id.replace("/", "-")]


def test_warning_is_a_failure_only_if_strict(desk: Desk) -> None:
    assert "! warning  It ended with exit code 3." in desk.check("code", code=0)
    assert "warning   It ended with exit code 3." in desk.check("code", "--strict", code=1)


@pytest.mark.parametrize("number", [signal.SIGINT, *in_soak(signal.SIGTERM)])
def test_stopped_check_reports_what_was_judged_and_leaves_nothing(
    desk: Desk, number: signal.Signals
) -> None:
    """An earlier report is gone as soon as it begins."""
    report, other = desk.folder / "results.json", desk.folder / "other.json"
    report.write_text(FORGED)
    os.link(report, other)
    started = desk.folder / "started"
    os.mkfifo(started)
    waiting = f"echo > '{started}'; sleep 600"
    words = ["check", "--only", CASE.id, "--connect-timeout", "60", "--json", str(report)]
    command = [ACQUIRE, *words, *TRUSTED, "--", "sh", "-c", waiting]
    with ending(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as process:
        started.read_text()  # blocks until the player has started
        there = report.exists()
        process.send_signal(number)
        output, _ = process.communicate(timeout=GENEROUS)
    assert not there and other.read_text() == FORGED, "another name of the file"
    assert process.returncode == 128 + number
    assert f"Not played: stopped by {number.name}." in output
    (test,) = json.loads(report.read_text())["tests"]
    assert (test["score"], test["max_score"]) == (0, 1)


def test_ctrl_c_while_the_command_is_loading_is_130(tmp_path: Path) -> None:
    code = (
        "import os, signal, acquire.admin.cli.main as c;"
        # where these tests run in the background, it is ignored
        "signal.signal(signal.SIGINT, signal.default_int_handler);"
        "c.plugins = lambda group: os.kill(os.getpid(), signal.SIGINT) or {};"  # it may be late
        "import sys; sys.argv = ['acquire', '--help']; c.main()"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path)}  # for the report of a bug
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=False
    )
    assert done.returncode == 128 + signal.SIGINT, done.stderr


# -- what cannot begin --------------------------------------------------------------------------

ANY_PLAYER = ("--", "true", "{port}")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((), "Give the command that starts it after --"),
        (("--", "nowhere", "{port}"), "'nowhere': not found in PATH"),
        (("--", "./nowhere", "{port}"), "'./nowhere': no such program"),
        (("--", "", "{port}"), "'': not found in PATH"),
        (("--", "./a b/p.py", "{port}"), "it is not executable. Run chmod +x './a b/p.py', or"),
        (("--", "a b", "{port}"), "this is a folder. Give the command that starts the program"),
        (("--", "a b/", "{port}"), "such as python3 'a b/player.py' {host} {port} {name}"),
        (("--", "sh 'a b/p.py' {port}"), "Leave them out: -- sh 'a b/p.py' {port}"),
        (("--", "sh 'a b/p.py'", "{port}"), "Leave them out: -- sh 'a b/p.py' {port}"),
        (("--", "sh 'a b/p.py", "{port}"), "no such program. Give a program"),
        (("--only", "sideways", *ANY_PLAYER), "has no such section or case. Known:"),
        (("--only", "sideways", *ANY_PLAYER), f"{CASE.section.number} {CASE.section.slug}"),
        (("--only", f"{CASE.section.number}.99", *ANY_PLAYER), CASE.id),
        (("--only", f"{CASE.section.number}.99", *ANY_PLAYER), "All: the same command with --list"),
        (("--memory", "12 parsecs", *ANY_PLAYER), "'12 parsecs'"),
        (("--connect-timeout", "nan", *ANY_PLAYER), "is not a finite number"),
        (("--connect-timeout", "inf", *ANY_PLAYER), "is not a finite number"),
        (("--listen", "0", *ANY_PLAYER), "Give either a COMMAND, or --listen"),
        (("--listen", "0", "--jobs", "2"), "only one case is played at a time"),
        (("--listen", "0", "--memory", "1 GiB"), "--memory needs a COMMAND"),
        (("--seat", "me", *ANY_PLAYER), "--seat needs --case"),
        (("--", "sh", "-c", "player {host} {port} {name}"), '"$ACQUIRE_NAME"'),
    ],
)
def test_wrong_options_are_refused_with_advice(
    words: tuple[str, ...], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "p.py").touch(0o644)
    monkeypatch.chdir(tmp_path)
    assert error in refused("check", *words)


def test_unwritable_report_is_refused_before_the_check(desk: Desk) -> None:
    for option in ("--junit", "--json", "--html"):
        missing = str(desk.folder / "no" / "report")
        error = refused("check", "--only", CASE.id, option, missing, *desk.player("absent", *WHERE))
        assert f"{option}: cannot write {missing}" in error


def test_port_in_use_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        error = refused("check", "--listen", port)
    assert f"Cannot listen on 127.0.0.1 port {port}" in error
    assert "Give another --host or --listen" in error


def test_list_shows_the_cases_with_their_sources() -> None:
    output = on_one_line(succeed("check", "--list", "--only", CASE.section.slug).output)
    assert f"{CASE.number} {CASE.title} {CASE.id}" in output
    assert f"{CASE.source.heading}: “{CASE.source.quoted}”" in output


# -- players of all kinds -----------------------------------------------------------------------


ONLY = ("--only", CASE.id)
ENDED = "The program ended with exit code"
LATE = r"The answer to <state> came too late, after [\d.]+ s: the program slept or waited\."


@pytest.mark.parametrize(
    ("mode", "options", "code", "told"),
    [
        ("twice", ONLY, 0, ["1 of 1 passed."]),
        ("forks", ONLY, 0, ["It left processes running."]),
        ("silent", ONLY, 1, ["<signup>", r"\(timed-out\)", "1 not reached"]),
        ("killed", ONLY, 1, [r"\(disconnected\)", "SIGKILL"]),
        ("crowd", (*ONLY, "--processes", "2"), 1, [r"more than 2 processes \(--processes\)"]),
        ("reads-to-the-end", ONLY, 1, ["perhaps for the end of a line or of the input"]),
        (
            *("late", ONLY, 1),
            [
                f"actual {LATE} No complete answer arrived in time. The limit",
                "slept or waited for something else for",
            ],
        ),
        (
            *("fills-its-output", ONLY, 1),
            [
                r"actual The program printed too much: its output reached the limit "
                r"\(--file-size\) before it answered the first position\."
            ],
        ),
        (
            *("crash", ONLY, 1),
            [rf"{ENDED} 4 before it connected\. Last line of its output: no such setting"],
        ),
        (
            *("absent", ("--only", "turn", "--connect-timeout", "0.2", "--jobs", "1"), 1),
            [
                r"It did not connect within 0\.2 s\.",
                "Given up: the player did not connect in 3 cases in a row",
            ],
        ),
        (
            "slow-beside-others",
            ("--only=4.1", "--only=4.2", "--connect-timeout", "4", "--jobs", "2"),
            *(0, ["2 of 2 passed"]),
        ),
        *in_soak(
            (
                *("loop", ONLY, 1),
                [
                    r"The program was computing when its time for <state> was over: probably it .*"
                    "endless loop",
                    "it computed for",
                ],
            ),
            (
                *("computes", (*ONLY, "--connect-timeout", "1"), 1),
                [r"It did not connect within 1 s\.", "more time may help"],
            ),
        ),
    ],
)
def test_what_a_player_did_is_told(
    desk: Desk, mode: str, options: tuple[str, ...], code: int, told: list[str]
) -> None:
    output = on_one_line(desk.run(*options, *desk.player(mode, *WHERE), code=code))
    assert all(re.search(each, output) for each in told), output


@pytest.mark.parametrize("code", [0, *in_soak(1)])
def test_program_that_ends_before_it_answers_is_explained_by_its_exit(
    desk: Desk, code: int
) -> None:
    output = on_one_line(desk.check(f"ends-{code}", "--html", "check.html", code=1))
    ended = f"{ENDED} {code} before it answered <turn>."
    assert f"actual {ended} (disconnected) Last line of its output: its last words" in output
    assert f"What was wrong {ended} The rule" in output
    assert ended in html.parse(desk.folder / "check.html").getroot().text_content()


def test_player_that_takes_the_port_from_its_environment(desk: Desk) -> None:
    output = desk.run("--only", CASE.id, *desk.player("good"), code=0)
    assert "no {port} in the command" in output
    assert "1 of 1 passed." in output


def test_unknown_placeholder_is_noted(desk: Desk) -> None:
    output = desk.run("--only", CASE.id, *TRUSTED, "--", "true", "{port}", "{nane}", code=1)
    assert "{nane} is not a placeholder. Use {host}, {port} or {name}." in output
    assert "The program ended with exit code 0 before it connected." in output


def test_player_in_a_debugger_has_the_terminal_and_all_the_time(desk: Desk) -> None:
    """Also when its user presses Ctrl-C, which is for the debugger."""
    command = desk.player("debugged", *WHERE)[len(TRUSTED) :]
    done = process("check", "--only", CASE.id, "--no-clocks", *command)
    assert "1 of 1 passed." in done.stdout and done.returncode == 0, done.stdout + done.stderr
    words = ("--no-clocks", "--listen", "0")
    assert "--no-clocks starts the player" in refused("check", "--only", CASE.id, *words)


OWN = """
title = "My own"
visibility = "hidden"
[[cases]]
id = "alone"
title = "A tile without neighbours"
expected = "Place a tile."
players = "player 3A 5C 7E 9G 11I 1I | ann | bob"
"""


def test_own_cases_are_played_and_weighted(desk: Desk) -> None:
    own, weights, report = (desk.folder / name for name in ("own.toml", "w.toml", "r.json"))
    own.write_text(OWN)
    weights.write_text("own = 4\nturn = 6")
    options = ("--cases", str(own), "--only", "own", "--weights", str(weights))
    output = desk.run(*options, "--json", str(report), *started(), code=0)
    assert "1 of 1 passed. 4 of 4 points." in last(output)
    (test,) = json.loads(report.read_text())["tests"]
    assert (test["visibility"], test["score"], test["number"]) == ("hidden", 4, "15.1")
    weights.write_text("owns = 4")
    assert "'owns' is not a section" in refused("check", *options, *started())
    own.write_text(OWN.replace("expected", "expect"))
    said = refused("check", *options, *started())
    assert "own.toml has 2 mistakes" in said and "cases[1] (alone).expected: is missing." in said


def test_player_that_sends_megabytes(desk: Desk) -> None:
    output = desk.check("flood", "--html", "flood.html", code=1)
    assert "<turn<turn" in output
    assert len(output) < 50_000
    assert (desk.folder / "flood.html").stat().st_size < 500_000


def test_player_that_prints_megabytes(desk: Desk) -> None:
    output = desk.check("loud", "-v", code=0)
    assert "the end" in output
    assert "\x1b" not in output
    assert len(output) < 50_000


def test_command_that_ends_before_its_player_is_explained(desk: Desk) -> None:
    wrapper = desk.folder / "wrapper.sh"
    wrapper.write_text(f'#!/bin/sh\n"{sys.executable}" "{STARTER}" "$@" &\nsleep 0.4\n')
    wrapper.chmod(0o755)
    only = ("--only", "clocks/before-the-match", *TRUSTED)
    output = desk.run(*only, "--", str(wrapper), *WHERE, code=1)
    assert "the command must run for as long as the player does" in on_one_line(output)


# -- a player that connects by itself -----------------------------------------------------------


def test_player_connects_by_itself_once_for_each_case(desk: Desk) -> None:
    """Connections that are closed again at once do not count."""
    words = ("check", "--listen", "0", "--only", "turn/alone", "--only", "turn/drawn")
    with ending(subprocess.Popen([ACQUIRE, *words], stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        assert "once for each of 2 cases" in first and "sign up with any name" in first
        port = int(first.partition("127.0.0.1:")[2].partition(".")[0])
        for _ in range(2):
            for _ in range(3):
                socket.create_connection(("127.0.0.1", port)).close()
            player = [sys.executable, str(STARTER), "127.0.0.1", str(port), "player"]
            subprocess.run(player, timeout=GENEROUS, check=True, stdout=subprocess.DEVNULL)
        output, _ = process.communicate(timeout=GENEROUS)
    assert process.returncode == 0
    assert last(output).startswith("2 of 2 passed.")


def test_player_that_never_connects_by_itself(desk: Desk) -> None:
    output = desk.run("--only", CASE.id, "--listen", "0", "--connect-timeout", "0.2", code=1)
    assert "No player connected within 0.2 s." in output
    assert " Connect once and sign up with any name." in output


# -- a player that is not trusted ---------------------------------------------------------------

ATTACK = f"""
import os, runpy, signal, sys, time

REPORT, LOG = "results.json", open(os.dup(1), "w")

def forge():
    for change in (lambda: os.unlink(REPORT), lambda: open(REPORT, "w").write({FORGED!r}),
                   lambda: os.symlink("../target", "check.xml")):
        try:
            change()
        except OSError:
            pass

def kill_all():
    for process in os.listdir("/proc"):
        if process.isdigit() and int(process) != os.getpid():
            try:
                if b"player.py" not in open(f"/proc/{{process}}/cmdline", "rb").read():
                    continue
                os.kill(int(process), signal.SIGKILL)
            except OSError:
                pass

print("sees", sorted(os.listdir(".")), os.path.exists("../solution.py"), flush=True)
forge()
kill_all()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in range(1, 64):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    for _ in range(6000):
        forge()
        time.sleep(0.01)
    os._exit(0)
sys.exit(runpy.run_path("starter.py")["main"](sys.argv[1:4]))
"""
"""It forges the report before and after it, and kills the check, whose command line names it."""


@pytest.fixture
def handed_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that every user may read and write, with the attacker, and a secret beside it.

    It is the current one.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "submission")
        folder.mkdir()
        (folder.parent / "solution.py").write_text("SECRET")
        (folder / "player.py").write_text(ATTACK)
        (folder / "starter.py").write_text(STARTER.read_text())
        folder.parent.chmod(0o755)
        folder.chmod(0o777)
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            yield folder


def words_for(kind: Sandbox, *options: str) -> list[str]:
    """Return the words that check the player of the current folder in a sandbox."""
    player = [SYSTEM_PYTHON, "player.py", "{host}", "{port}", "{name}"]
    return ["check", "--only", CASE.id, "--sandbox", kind.value, *options, "--", *player]


@pytest.mark.parametrize("kind", BWRAP_AND_SOAK)
def test_player_cannot_forge_its_report(kind: Sandbox, handed_in: Path) -> None:
    """It writes, links and removes reports, kills the check, and leaves a daemon behind."""
    reports = ("--json", "results.json", "--junit", "check.xml", "-v")
    for name in ("results.json", "check.xml"):
        (handed_in / name).symlink_to("../target")  # also where it has handed in a link
    done = process(*words_for(kind, *reports))
    assert done.returncode == 0, done.stdout + done.stderr
    report, suites = handed_in / "results.json", handed_in / "check.xml"
    (test,) = json.loads(report.read_text())["tests"]
    assert test["score"] == test["max_score"] == 1
    assert not report.is_symlink() and not suites.is_symlink()
    assert not (handed_in.parent / "target").exists()
    assert etree.parse(suites).getroot().get("tests") == "1"
    found = on_one_line(done.stdout)
    assert "sees ['player.py', 'starter.py'] " in found
    if kind is Sandbox.BWRAP:
        assert "'starter.py'] False" in found, "it saw a file beside its folder"


@every_sandbox
def test_ordinary_player_passes_in_every_sandbox(kind: Sandbox, handed_in: Path) -> None:
    (handed_in / "starter.py").rename(handed_in / "player.py")
    assert last(succeed(*words_for(kind, "--strict")).stdout)[:16] == "1 of 1 passed. ("


@every_sandbox
def test_player_that_connects_to_the_port_of_serve_by_itself_fails(
    kind: Sandbox, handed_in: Path
) -> None:
    (handed_in / "starter.py").rename(handed_in / "player.py")
    *words, _, name = words_for(kind)
    assert "Connection refused" in succeed(*words, "51234", name, code=1).stdout


@pytest.mark.parametrize("kind", BWRAP_AND_SOAK)
def test_class_that_is_not_trusted_is_imported_in_the_sandbox_only(
    kind: Sandbox, handed_in: Path
) -> None:
    trace = handed_in.parent / "trace"
    (handed_in / "mine.py").write_text(f"open({str(trace)!r}, 'w')")
    words = ["check", "--only", CASE.id, "--sandbox", kind.value, "--", "mine.py:Mine"]
    succeed(*words, code=1)
    assert not trace.exists()


@in_bwrap
def test_report_behind_a_link_that_was_handed_in_is_refused(kind: Sandbox, handed_in: Path) -> None:
    target = handed_in.parent / "target"
    target.mkdir()
    (handed_in / "out").symlink_to(target)
    (handed_in.parent / "alias").symlink_to(handed_in)
    for place in ("out", handed_in / "out", handed_in.parent / "alias" / "out"):
        error = refused(*words_for(kind, "--json", f"{place}/results.json"))
        assert "out is a link in the player's folder" in error
    assert [*target.iterdir()] == []


@in_bwrap
def test_case_is_played_again_if_its_sandbox_could_not_be_set_up(
    kind: Sandbox, handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(STARTER, handed_in / "player.py")
    starts = fake_bubblewrap(handed_in.parent, monkeypatch, range(2, 6))  # after the trial of it
    succeed(*words_for(kind))
    assert len(starts.read_text().split()) == 6


@pytest.mark.skipif(os.geteuid() != 0, reason="only root must have a sandbox")
def test_root_without_a_sandbox_is_refused(
    handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither bubblewrap nor a user that may read the folder."""
    handed_in.chmod(0o700)
    monkeypatch.setenv("PATH", "/nowhere")
    player = ["--", SYSTEM_PYTHON, "player.py", "{host}", "{port}", "{name}"]
    error = refused("check", "--only", CASE.id, *player)
    assert f"The user of a program cannot read {handed_in}." in error
    assert "Install bubblewrap" in error and "give --sandbox none" in error


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts programs as other users")
def test_link_that_a_program_cannot_follow_is_named_with_its_end(handed_in: Path) -> None:
    """A virtual environment's Python is a link, often into somebody's home."""
    home = handed_in / "home"
    home.mkdir(mode=0o700)
    (home / "python").write_text("#!/bin/sh\n")
    (home / "python").chmod(0o755)
    link = handed_in / "python"
    link.symlink_to("home/python")
    error = refused("check-server", "--", link, "administrator.py", "{port}")
    assert f"cannot read {link} (a link to {home / 'python'})" in error
    assert "Use a program and a folder that every user can read" in error


def test_report_can_go_to_standard_output(desk: Desk) -> None:
    words = ["check", "--only", CASE.id, "--junit", "/dev/stdout", *desk.player("good", *WHERE)]
    done = process(*words)
    assert done.returncode == 0, done
    assert '<testsuites name="acquire check"' in done.stdout
    assert Path("/dev/stdout").is_symlink()


def test_check_takes_as_long_as_it_took_when_the_clock_is_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class SetBack(datetime):
        years = iter((2026, 2001, 2000))

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls(next(cls.years), 1, 1, tzinfo=tz)

    monkeypatch.setattr(check_run, "datetime", SetBack)
    printed = succeed("check", "--only", CASE.id, *started()).stdout
    (seconds,) = re.findall(r"passed\. \((.*) s\)", printed)
    assert 0 <= float(seconds) < GENEROUS
