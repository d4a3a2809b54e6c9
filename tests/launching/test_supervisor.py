"""The supervisor as a process: what it reports, what it stops, and that it leaves nothing."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from child_processes import command_of, ending, importing
from loops import in_soak
from tournament_process import TIMEOUT, eventually, living

from acquire.admin.launching.control_groups import ControlGroup, groups_here
from acquire.admin.launching.limits import Limits, ProcessExit
from acquire.admin.launching.starting import IGNORED_SIGNALS
from acquire.admin.launching.supervisor import SUPERVISOR


class Supervised:
    """A supervisor and its program, which is a small one in Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scratch = folder / "programs" / "1"
        self.output = self.scratch / "output"
        self.notes = folder / "notes"
        self.printed = b""
        self.process = subprocess.Popen(
            SUPERVISOR,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def task(self, source: str, **changes: object) -> bytes:
        """Return what the supervisor is sent to run a program."""
        limits = asdict(Limits())
        self.scratch.mkdir(parents=True)
        program = self.folder / "program.py"
        program.write_text(importing(source))
        fields = {
            "command": [sys.executable, "-I", "-S", str(program)],
            "directory": str(self.folder),
            "environment": {"FOLDER": str(self.folder), "WORD": "a word"},
            "output": str(self.output),
            "scratch": str(self.scratch),
            "limits": {name: changes.pop(name, limit) for name, limit in limits.items()},
            "group": None,
            "sandbox": {},
            **changes,
        }
        return json.dumps(fields).encode() + b"\n"

    def start(self, source: str, **changes: object) -> None:
        """Have the supervisor run a program."""
        assert self.process.stdin is not None
        self.process.stdin.write(self.task(source, **changes))

    def release(self) -> None:
        """End the supervisor's standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def report(self) -> dict[str, Any]:
        """Wait for the supervisor's report, and for its end; return the report.

        What the program has printed is read before the release, which removes the folder.
        """
        assert self.process.stdout is not None
        line = b""
        while not line.endswith(b"\n") and (data := self.process.stdout.read(65536)):
            line += data
        if self.process.stdin is not None:
            self.printed = self.output.read_bytes() if self.output.exists() else b""
            self.release()
        assert self.process.wait(TIMEOUT) == 0
        assert not self.scratch.exists()
        assert line.endswith(b"}\n")
        report: dict[str, Any] = json.loads(line)
        return report

    def run(self, source: str, **changes: object) -> dict[str, Any]:
        """Have the supervisor run a program that ends by itself; return the report."""
        self.start(source, **changes)
        return self.report()

    def living(self) -> list[int]:
        """Return the program's processes, without the supervisor."""
        return [process for process in living(self.folder) if process != self.process.pid]

    def close(self) -> None:
        """Leave no process behind if a test has failed."""
        for process in (self.process.pid, *self.living()):
            if self.process.poll() is None or process != self.process.pid:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@pytest.fixture
def supervised(tmp_path: Path) -> Iterator[Supervised]:
    found = Supervised(tmp_path)
    yield found
    found.close()


# -- what is reported ---------------------------------------------------------------------------

ENDS = {
    "well": ("pass", 0),
    "with the highest code": ("os._exit(255)", 255),
    "by an exception": ("raise ValueError", 1),
    "by SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", -signal.SIGTERM),
    "by SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "with its group": ("os.killpg(0, signal.SIGKILL)", -signal.SIGKILL),
}


@pytest.mark.parametrize("how", ENDS)
def test_report_says_how_the_program_ended(supervised: Supervised, how: str) -> None:
    source, code = ENDS[how]
    report = supervised.run(source)
    assert (report["code"], report["stopped"], report["left"]) == (code, None, 0)
    assert report["failure"] == ""


def test_launcher_can_read_the_report(supervised: Supervised) -> None:
    ended = ProcessExit(**supervised.run("sys.exit(3)"))
    assert (ended.code, ended.failed) == (3, True)
    assert 2**20 < ended.memory < 2**30


def test_report_counts_the_cpu_time_of_the_program_and_its_children(supervised: Supervised) -> None:
    burn = """
child = os.fork()
while time.process_time() < 0.15:
    pass
if child:
    os.wait()
"""
    assert 300 <= supervised.run(burn)["processor"] < 3000


def test_report_counts_the_cpu_time_of_orphans(supervised: Supervised) -> None:
    burn = """
if not os.fork():
    os.setsid()
    if not os.fork():
        while True:
            if time.process_time() > 0.15:
                open(os.environ["FOLDER"] + "/notes", "w")
    os._exit(0)
while not os.path.exists(os.environ["FOLDER"] + "/notes"):
    time.sleep(0.01)
"""
    report = supervised.run(burn)
    assert (report["code"], report["left"]) == (0, 1)
    assert report["processor"] >= 150


CANNOT_RUN = {
    "not there": (["/no/such/program"], "No such file"),
    "not on the path": (["no-such-program"], "No such file"),
    "not executable": ([__file__], "Permission denied"),
    "a folder": (["/"], "Permission denied"),
}


@pytest.mark.parametrize("why", CANNOT_RUN)
def test_program_that_cannot_be_run_is_reported_with_the_reason(
    supervised: Supervised, why: str
) -> None:
    command, words = CANNOT_RUN[why]
    report = supervised.run("", command=command)
    assert words in report["failure"]
    assert report["code"] == 127


@pytest.mark.parametrize("field", ["directory", "output"])
def test_missing_folder_is_reported_with_the_reason(supervised: Supervised, field: str) -> None:
    report = supervised.run("", **{field: "/no/such/place"})
    assert "No such file" in report["failure"]


OTHERS_KILLED = """
def killed():
    return [line for line in open("/proc/vmstat") if line.startswith("oom_kill ")]
before = killed()
open(os.environ["FOLDER"] + "/notes", "w").write("x")
while killed() == before: time.sleep(0.01)
os.kill(0, signal.SIGKILL)
"""


def test_program_is_not_excused_because_others_were_killed_for_memory(
    supervised: Supervised,
) -> None:
    """It kills itself as soon as the system has killed any process for lack of memory."""
    if (place := groups_here()) is None:
        pytest.skip("no control group can be made here")
    supervised.start(OTHERS_KILLED)
    wait_for_family(supervised, "one")
    other = ControlGroup(*place, f"{os.getpid()}-other", 2**24, 99)
    hoard = [sys.executable, "-I", "-S", "-c", "bytearray(b'x') * 2 ** 28"]
    with suppress(subprocess.SubprocessError):  # it may be killed before it is executed
        assert subprocess.run(hoard, preexec_fn=other.join).returncode == -signal.SIGKILL
    assert other.was_killed
    other.remove()
    report = supervised.report()
    assert (report["code"], report["stopped"]) == (-signal.SIGKILL, None)
    assert (report["machine_fault"], report["out_of_memory"]) == ("", False)


def test_supervisor_without_a_task_says_so(supervised: Supervised) -> None:
    supervised.release()
    _, errors = supervised.process.communicate(timeout=TIMEOUT)
    assert supervised.process.returncode == 1
    assert errors == b"nothing to run: standard input is empty\n"


# -- what the program is given ------------------------------------------------------------------


def test_program_gets_its_environment_and_nothing_else(supervised: Supervised) -> None:
    supervised.run("import json; print(json.dumps(dict(os.environ)))")
    given = json.loads(supervised.printed)
    assert given.keys() - {"LC_CTYPE"} == {"FOLDER", "WORD"}  # Python adds that one itself
    assert given["WORD"] == "a word"


GIVEN = {
    "a session of its own": ("print(os.getsid(0) == os.getpid() == os.getpgrp())", b"True\n"),
    "only standard descriptors": (
        "print([int(name) for name in os.listdir('/proc/self/fd')][:-1], os.read(0, 1))",
        b"[0, 1, 2] b''\n",
    ),
    "the signals that its supervisor ignores": (
        "numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)\n"
        "print([signal.getsignal(number) is not signal.SIG_IGN for number in numbers])\n"
        "print(signal.pthread_sigmask(signal.SIG_BLOCK, []))",
        b"[True, True, True, True]\nset()\n",
    ),
    "one file for output and errors": (
        "os.write(1, b'one '); os.write(2, b'two '); os.write(1, b'\\xff\\0three')",
        b"one two \xff\0three",
    ),
}


@pytest.mark.parametrize(("source", "printed"), GIVEN.values(), ids=GIVEN)
def test_program_has(supervised: Supervised, source: str, printed: bytes) -> None:
    supervised.run(source)
    assert supervised.printed == printed


# -- limits -------------------------------------------------------------------------------------

FREE_XFSZ = "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"


def test_time_that_the_kernel_works_for_a_program_counts(supervised: Supervised) -> None:
    """All processes together reach the limit before the kernel ends the first for its own time."""
    report = supervised.run(
        "for _ in range(4):\n"
        "    if not os.fork():\n"
        "        zero = os.open('/dev/zero', os.O_RDONLY)\n"
        "        while True: os.read(zero, 2 ** 22)\n"
        "print(os.wait(), flush=True)\n",
        processor=1,
    )
    assert (report["stopped"], supervised.printed) == ("processor", b"")


PROCESSOR = {
    "processor, after a warning": (
        {"processor": 1},
        "signal.signal(signal.SIGXCPU, lambda *_: print('warned', flush=True))\nwhile True: pass",
        -signal.SIGKILL,
    )
}
MEMORY_AND_FILES = {
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


@pytest.mark.parametrize("what", [*MEMORY_AND_FILES, *in_soak(*PROCESSOR)])
def test_program_is_held_to_its_limits(supervised: Supervised, what: str) -> None:
    limits, source, code = {**PROCESSOR, **MEMORY_AND_FILES}[what]
    report = supervised.run(source, **limits)
    assert (report["code"], report["stopped"]) == (code, None)
    assert (supervised.printed == b"warned\n") == ("warning" in what)


def test_output_ends_at_the_file_size_limit(supervised: Supervised) -> None:
    supervised.run(FREE_XFSZ + "while True: os.write(1, b'x' * 999)", file_size=10_000)
    assert len(supervised.printed) == 10_000


def test_all_of_too_many_processes_are_stopped(supervised: Supervised) -> None:
    report = supervised.run("for _ in range(5): os.fork()\ntime.sleep(1000)", processes=8)
    assert (report["code"], report["stopped"]) == (None, "processes")
    assert report["left"] > 8
    assert supervised.living() == []


def test_as_many_processes_as_allowed_are_not_stopped(supervised: Supervised) -> None:
    family = """
children = [os.fork() for _ in range(2)]
time.sleep(0.5 if all(children) else 0.4)
"""
    report = supervised.run(family, processes=4)
    assert (report["code"], report["stopped"]) == (0, None)


# -- the end ------------------------------------------------------------------------------------

NOTE = 'open(os.environ["FOLDER"] + "/notes", "a").write("x")\n'
FAMILIES = {
    "one": NOTE + "time.sleep(1000)",
    "ignores signals": "for number in set(signal.Signals) - {9, 19}:\n"
    "    signal.signal(number, signal.SIG_IGN)\n" + NOTE + "time.sleep(1000)",
    "stopped": NOTE + "os.kill(os.getpid(), signal.SIGSTOP)",
    "children": "os.fork(); os.fork()\n" + NOTE + "time.sleep(1000)",
    "another session": "os.fork() or os.setsid()\n" + NOTE + "time.sleep(1000)",
    "orphans": """
if not os.fork():
    os.setsid()
    os.fork() and os._exit(0)
"""
    + NOTE
    + "time.sleep(1000)",
    "no environment": """
if not os.fork():
    os.setsid()
    os.fork() and os._exit(0)
    folder = os.environ["FOLDER"]
    open(folder + "/notes", "a").write("x")
    os.execve("/bin/sleep", [folder, "1000"], {})
"""
    + NOTE
    + "time.sleep(1000)",
    "a child of a thread": """
import threading
threading.Thread(target=lambda: os.fork() or time.sleep(1000)).start()
"""
    + NOTE
    + "time.sleep(1000)",
}
MEMBERS = {"children": 4, "another session": 2, "orphans": 2, "no environment": 2}


def begin(supervised: Supervised, family: str) -> None:
    """Have a family of processes supervised, and wait until all of them have started."""
    supervised.start(FAMILIES[family])
    wait_for_family(supervised, family)
    assert len(supervised.living()) >= MEMBERS.get(family, 1)


def wait_for_family(supervised: Supervised, family: str) -> None:
    """Wait until every process of a family has made its note."""
    members, notes = MEMBERS.get(family, 1), supervised.notes
    assert eventually(lambda: notes.exists() and notes.stat().st_size == members)


@pytest.mark.parametrize("family", FAMILIES)
def test_end_of_standard_input_stops_every_process(supervised: Supervised, family: str) -> None:
    begin(supervised, family)
    supervised.release()
    report = supervised.report()
    assert (report["code"], report["stopped"]) == (None, "asked")
    assert report["left"] >= MEMBERS.get(family, 1)
    assert supervised.living() == []


@pytest.mark.parametrize("number", IGNORED_SIGNALS)
def test_supervisor_ignores_signals(supervised: Supervised, number: signal.Signals) -> None:
    begin(supervised, "one")
    supervised.process.send_signal(number)
    supervised.release()
    assert supervised.report()["stopped"] == "asked"


def test_child_that_outlives_the_program_is_stopped(supervised: Supervised) -> None:
    report = supervised.run("if not os.fork(): time.sleep(1000)")
    assert (report["code"], report["left"]) == (0, 1)
    assert supervised.living() == []


def test_program_ends_when_its_supervisor_is_killed(supervised: Supervised) -> None:
    begin(supervised, "ignores signals")
    supervised.process.kill()
    assert eventually(lambda: not supervised.living())


LAUNCHER = """
import subprocess, sys
supervisor = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              start_new_session=True)
supervisor.stdin.write(sys.stdin.buffer.readline())
supervisor.stdin.flush()
print(supervisor.pid, flush=True)
supervisor.wait()
"""


@pytest.mark.parametrize("family", ["ignores signals", "no environment"])
def test_no_process_or_file_is_left_when_the_launching_process_is_killed(
    supervised: Supervised, family: str
) -> None:
    task = supervised.task(FAMILIES[family])
    command = [sys.executable, "-c", LAUNCHER, *SUPERVISOR]
    with ending(
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ) as launcher:
        assert launcher.stdin is not None and launcher.stdout is not None
        launcher.stdin.write(task)
        launcher.stdin.flush()
        pid = int(launcher.stdout.readline())
        wait_for_family(supervised, family)
        launcher.kill()
        launcher.wait(TIMEOUT)
    assert eventually(lambda: not supervised.living() and not supervised.scratch.parent.exists())
    assert eventually(lambda: not command_of(pid))
