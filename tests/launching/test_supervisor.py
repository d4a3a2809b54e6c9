"""The supervisor alone, as a process: what it reports, what it stops, and what it never leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from admin.launching import supervisor
from admin.launching.launch import ProcessExit

if TYPE_CHECKING:
    import rogue_programs as disk
else:  # the folder is no package, and only its parent is on the path
    from tournament import rogue_programs as disk

LIMITS = {"memory": 2**30, "processor": 600, "processes": 64, "file_size": 2**24}
SLEEP = "import time; time.sleep(1000)"
IMPORTS = "import os, signal, sys, time\n"
KEEPER = [sys.executable, "-I", "-S", supervisor.__file__]


class Kept:
    """A supervisor and its player, which is a little program in Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder / "players" / "1"
        self.output = self.scratch / "output"
        self.said = folder / "said"
        self.printed = b""
        self.process = subprocess.Popen(
            KEEPER,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def task(self, source: str, **changes: object) -> bytes:
        """Return what the supervisor is told."""
        self.scratch.mkdir(parents=True)
        program = self.folder / "player.py"
        program.write_text(IMPORTS + source)
        fields = {
            "command": [sys.executable, "-I", "-S", str(program)],
            "directory": str(self.folder),
            "environment": {"WITNESS": str(self.folder), "WORD": "a word"},
            "output": str(self.output),
            "scratch": str(self.scratch),
            **LIMITS,
            **changes,
        }
        return json.dumps(fields).encode() + b"\n"

    def tell(self, source: str, **changes: object) -> None:
        """Have it keep a program."""
        assert self.process.stdin is not None
        self.process.stdin.write(self.task(source, **changes))

    def let_go(self) -> None:
        """End its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def report(self) -> dict[str, Any]:
        """Wait for what it reports, then for its end, which is to be a good one.

        What the player has printed is there until it is released; then its folder is gone.
        """
        assert self.process.stdout is not None
        line = b""
        while not line.endswith(b"\n") and (data := self.process.stdout.read(65536)):
            line += data
        if self.process.stdin is not None:
            self.printed = self.output.read_bytes() if self.output.exists() else b""
            self.let_go()
        assert self.process.wait(disk.PATIENCE) == 0
        assert not self.scratch.exists()
        assert line.endswith(b"}\n")
        report: dict[str, Any] = json.loads(line)
        return report

    def run(self, source: str, **changes: object) -> dict[str, Any]:
        """Have it keep a program that ends by itself."""
        self.tell(source, **changes)
        return self.report()

    def living(self) -> list[int]:
        """Return the processes of the player, the supervisor apart."""
        return [process for process in disk.living(self.folder) if process != self.process.pid]

    def close(self) -> None:
        """Leave nothing of it, if a test has failed."""
        for process in (self.process.pid, *self.living()):
            if self.process.poll() is None or process != self.process.pid:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    found = Kept(tmp_path)
    yield found
    found.close()


# -- what is reported ---------------------------------------------------------------------------

ENDS = {
    "well": ("pass", 0),
    "with a code": ("sys.exit(7)", 7),
    "with the highest code": ("os._exit(255)", 255),
    "by an exception": ("raise ValueError", 1),
    "by SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", -signal.SIGTERM),
    "by SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "by SIGHUP": ("os.kill(os.getpid(), signal.SIGHUP); time.sleep(9)", -signal.SIGHUP),
    "by SIGABRT": ("os.abort()", -signal.SIGABRT),
    "with its group": ("os.killpg(0, signal.SIGKILL)", -signal.SIGKILL),
}


@pytest.mark.parametrize("how", ENDS)
def test_the_report_tells_how_a_player_ended(kept: Kept, how: str) -> None:
    source, code = ENDS[how]
    report = kept.run(source)
    assert (report["code"], report["stopped"], report["left"]) == (code, None, 0)
    assert report["failure"] == ""


def test_the_report_is_what_the_launcher_reads(kept: Kept) -> None:
    how = ProcessExit(**kept.run("sys.exit(3)"))
    assert (how.code, how.badly) == (3, True)
    assert 2**20 < how.memory < 2**30


def test_processor_time_of_the_player_and_its_children_is_reported(kept: Kept) -> None:
    burn = """
child = os.fork()
while time.process_time() < 0.3:
    pass
if child:
    os.wait()
"""
    assert 600 <= kept.run(burn)["processor"] < 3000


def test_processor_time_of_orphans_is_reported(kept: Kept) -> None:
    burn = """
if not os.fork():
    os.setsid()
    if not os.fork():
        while True:
            if time.process_time() > 0.3:
                open(os.environ["WITNESS"] + "/said", "w")
    os._exit(0)
while not os.path.exists(os.environ["WITNESS"] + "/said"):
    time.sleep(0.01)
"""
    report = kept.run(burn)
    assert (report["code"], report["left"]) == (0, 1)
    assert report["processor"] >= 300


CANNOT = {
    "not there": (["/no/such/program"], "No such file"),
    "not on the path": (["no-such-program"], "No such file"),
    "not executable": ([__file__], "Permission denied"),
    "a folder": (["/"], "Permission denied"),
}


@pytest.mark.parametrize("why", CANNOT)
def test_a_program_that_cannot_be_run_is_a_failure_in_words(kept: Kept, why: str) -> None:
    command, words = CANNOT[why]
    report = kept.run("", command=command)
    assert words in report["failure"]
    assert report["code"] == supervisor.CANNOT_RUN


@pytest.mark.parametrize("field", ["directory", "output"])
def test_a_folder_that_is_gone_is_a_failure_in_words(kept: Kept, field: str) -> None:
    report = kept.run("", **{field: "/no/such/place"})
    assert "No such file" in report["failure"]


def test_a_keeper_that_was_asked_nothing_says_so(kept: Kept) -> None:
    kept.let_go()
    _, complaint = kept.process.communicate(timeout=disk.PATIENCE)
    assert (kept.process.returncode, complaint) == (1, b"nothing was asked\n")


# -- what the player is given -------------------------------------------------------------------


def test_a_player_gets_its_environment_and_nothing_else(kept: Kept) -> None:
    kept.run("import json; print(json.dumps(dict(os.environ)))")
    given = json.loads(kept.printed)
    assert given.keys() - {"LC_CTYPE"} == {"WITNESS", "WORD"}  # that one is Python's own doing
    assert given["WORD"] == "a word"


def test_a_player_has_a_session_of_its_own_and_nothing_open_but_stdio(kept: Kept) -> None:
    kept.run(
        """
print(os.getsid(0) == os.getpid() == os.getpgrp())
print([int(name) for name in os.listdir("/proc/self/fd")][:-1], os.read(0, 1))
"""
    )
    assert kept.printed.decode() == "True\n[0, 1, 2] b''\n"


def test_a_player_hears_the_signals_that_its_keeper_ignores(kept: Kept) -> None:
    kept.run(
        """
numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
print([signal.getsignal(number) is not signal.SIG_IGN for number in numbers])
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""
    )
    assert kept.printed.decode() == "[True, True, True, True]\nset()\n"


def test_what_a_player_prints_and_complains_of_is_in_one_file_in_order(kept: Kept) -> None:
    kept.run('os.write(1, b"one "); os.write(2, b"two "); os.write(1, b"\\xff\\0three")')
    assert kept.printed == b"one two \xff\0three"


# -- limits -------------------------------------------------------------------------------------

FREE_XFSZ = "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
TOO_MUCH = {
    "processor": ({"processor": 1}, "while True: pass", -signal.SIGXCPU),
    "processor, deaf": (
        {"processor": 1},
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass",
        -signal.SIGKILL,
    ),
    "memory": ({"memory": 2**26}, "hoard = bytearray(2 ** 27)", 1),
    "output": (
        {"file_size": 10_000},
        FREE_XFSZ + "while True: os.write(1, b'x' * 999)",
        -signal.SIGXFSZ,
    ),
    "file": (
        {"file_size": 10_000},
        FREE_XFSZ
        + "open('huge', 'wb', 0).write(b'x' * 9999); open('more', 'wb', 0).truncate(10001)",
        -signal.SIGXFSZ,
    ),
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_a_player_is_held_to_its_limits(kept: Kept, what: str) -> None:
    limits, source, code = TOO_MUCH[what]
    report = kept.run(source, **limits)
    assert (report["code"], report["stopped"]) == (code, None)


def test_output_ends_at_the_limit_of_a_file(kept: Kept) -> None:
    kept.run(FREE_XFSZ + "while True: os.write(1, b'x' * 999)", file_size=10_000)
    assert len(kept.printed) == 10_000


def test_too_many_processes_are_stopped_all_of_them(kept: Kept) -> None:
    report = kept.run("for _ in range(5): os.fork()\ntime.sleep(1000)", processes=8)
    assert (report["code"], report["stopped"]) == (None, "processes")
    assert report["left"] > 8
    assert kept.living() == []


def test_as_many_processes_as_allowed_are_left_alone(kept: Kept) -> None:
    family = """
children = [os.fork() for _ in range(2)]
time.sleep(0.5 if all(children) else 0.4)
"""
    report = kept.run(family, processes=4)
    assert (report["code"], report["stopped"]) == (0, None)


# -- the end ------------------------------------------------------------------------------------

SAY = 'open(os.environ["WITNESS"] + "/said", "a").write("x")\n'
FAMILIES = {
    "one": SAY + "time.sleep(1000)",
    "deaf": "for number in set(signal.Signals) - {9, 19}: signal.signal(number, signal.SIG_IGN)\n"
    + SAY
    + "time.sleep(1000)",
    "stopped": SAY + "os.kill(os.getpid(), signal.SIGSTOP)",
    "children": "os.fork(); os.fork()\n" + SAY + "time.sleep(1000)",
    "another session": "os.fork() or os.setsid()\n" + SAY + "time.sleep(1000)",
    "orphans": """
if not os.fork():
    os.setsid()
    os.fork() and os._exit(0)
"""
    + SAY
    + "time.sleep(1000)",
    "no environment": """
if not os.fork():
    os.setsid()
    os.fork() and os._exit(0)
    folder = os.environ["WITNESS"]
    open(folder + "/said", "a").write("x")
    os.execve("/bin/sleep", [folder, "1000"], {})
"""
    + SAY
    + "time.sleep(1000)",
    "a child of a thread": """
import threading
threading.Thread(target=lambda: os.fork() or time.sleep(1000)).start()
"""
    + SAY
    + "time.sleep(1000)",
}
MEMBERS = {"children": 4, "another session": 2, "orphans": 2, "no environment": 2}


def begin(kept: Kept, family: str) -> None:
    """Have a family of processes kept, and wait until all of it is there."""
    kept.tell(FAMILIES[family])
    many = MEMBERS.get(family, 1)
    assert disk.eventually(lambda: kept.said.exists() and kept.said.stat().st_size == many)
    assert len(kept.living()) >= many


@pytest.mark.parametrize("family", FAMILIES)
def test_the_end_of_stdin_stops_all_there_is(kept: Kept, family: str) -> None:
    begin(kept, family)
    kept.let_go()
    report = kept.report()
    assert (report["code"], report["stopped"]) == (None, "asked")
    assert report["left"] >= MEMBERS.get(family, 1)
    assert kept.living() == []


@pytest.mark.parametrize("number", supervisor.IGNORED_SIGNALS)
def test_a_signal_for_the_keeper_is_no_reason_to_end(kept: Kept, number: signal.Signals) -> None:
    begin(kept, "one")
    kept.process.send_signal(number)
    kept.let_go()
    assert kept.report()["stopped"] == "asked"


def test_what_a_player_leaves_behind_is_stopped_at_its_end(kept: Kept) -> None:
    report = kept.run("if not os.fork(): time.sleep(1000)")
    assert (report["code"], report["left"]) == (0, 1)
    assert kept.living() == []


def test_the_player_ends_with_a_keeper_that_is_killed(kept: Kept) -> None:
    begin(kept, "deaf")
    kept.process.kill()
    assert disk.eventually(lambda: not kept.living())


HOLDER = """
import subprocess, sys
kept = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        start_new_session=True)
kept.stdin.write(sys.stdin.buffer.readline())
kept.stdin.flush()
print(kept.pid, flush=True)
kept.wait()
"""


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_left_when_the_holder_is_killed(kept: Kept, family: str) -> None:
    """Neither a process nor the folder of its files, for nobody else would clear up."""
    task = kept.task(FAMILIES[family])
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, *KEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdin is not None and holder.stdout is not None
    with holder.stdin, holder.stdout:
        holder.stdin.write(task)
        holder.stdin.flush()
        second = int(holder.stdout.readline())
        many = MEMBERS.get(family, 1)
        assert disk.eventually(lambda: kept.said.exists() and kept.said.stat().st_size == many)
        holder.kill()
        holder.wait(disk.PATIENCE)
    assert disk.eventually(lambda: not kept.living() and not kept.scratch.parent.exists())
    assert disk.eventually(lambda: not Path(f"/proc/{second}/exe").exists())
