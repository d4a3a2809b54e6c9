"""Launched programs: what they are given, and how their end is described."""

import json
import os
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import trio
from command_line import ACQUIRE
from loops import for_each

from acquire.admin.launching.launch import Launcher
from acquire.admin.launching.limits import Limits, ProcessExit
from acquire.admin.launching.player_process import PlayerProcess
from acquire.admin.launching.processes import tasks_of_user
from acquire.admin.launching.program import Program
from acquire.admin.testing.trial.launch_source import LaunchSource
from acquire.admin.testing.trial.player_source import MachineFailed
from acquire.protocol.user_error import UserError

TIMEOUT = 240.0
LIMITS = Limits(processor=2, processes=12, file_size=2**20)
REPORT = """
import json, os, sys
print(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]))
"""


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    """A launcher for one test."""
    with Launcher(LIMITS, tmp_path / "players") as found:
        yield found


async def run(launcher: Launcher, program: Program) -> tuple[PlayerProcess, bytes]:
    """Launch a program, wait for its end, and return what it printed."""
    with trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as nursery:
            launched = await launcher.launch(program, 7, "ada", nursery)
            await launched.ended.wait()
            printed = launched.output()
            launched.release()
    return launched, printed


def reporter(folder: Path, *words: str, **environment: str) -> Program:
    """Return a program that prints its arguments, folder and environment."""
    return Program((sys.executable, "-I", "-S", "-c", REPORT, *words), folder, environment)


async def test_program_gets_its_address_and_name(launcher: Launcher, tmp_path: Path) -> None:
    program = reporter(tmp_path, "{host}", "{port}", "{name}", WHERE="{host}:{port}")
    launched, printed = await run(launcher, program)
    words, directory, environment = json.loads(printed)
    assert words == ["127.0.0.1", "7", "ada"]
    assert directory == str(tmp_path)
    ours = {key: value for key, value in environment.items() if key.startswith("ACQUIRE_")}
    assert ours == {"ACQUIRE_HOST": "127.0.0.1", "ACQUIRE_PORT": "7", "ACQUIRE_NAME": "ada"}
    assert environment["WHERE"] == "127.0.0.1:7"
    assert launched.exit is not None and launched.exit.code == 0


async def test_variables_of_the_program_come_last(launcher: Launcher, tmp_path: Path) -> None:
    program = reporter(tmp_path, ACQUIRE_NAME="bob", TMPDIR="/")
    _, printed = await run(launcher, program)
    environment = json.loads(printed)[2]
    assert (environment["ACQUIRE_NAME"], environment["TMPDIR"]) == ("bob", "/")


async def test_program_that_is_missing_has_ended_with_the_reason(
    launcher: Launcher, tmp_path: Path
) -> None:
    launched, _ = await run(launcher, Program(("./none",), tmp_path))
    assert launched.exit is not None
    assert launched.exit.describe(LIMITS, str).startswith("It could not be run: ")


async def test_program_starts_where_few_files_may_be_open(
    launcher: Launcher, tmp_path: Path
) -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, before[1]))
    try:
        launched, _ = await run(launcher, reporter(tmp_path))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert launched.exit is not None and launched.exit.code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="the limit is not for root")
def test_few_processes_of_a_user_let_few_programs_run_at_once(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    launcher = Launcher(replace(LIMITS, processes=500), tmp_path / "players")
    most = tasks_of_user() + 3 * 503 + 50
    resource.setrlimit(resource.RLIMIT_NPROC, (most, before[1]))
    try:
        assert launcher.at_once(2) == 2
        assert launcher.at_once(1000) == 3
        with pytest.raises(UserError, match="but what runs at once may need 2012"):
            launcher.at_once(2, programs=4)
        resource.setrlimit(resource.RLIMIT_NPROC, (most + 20_000, before[1]))
        thrifty = Launcher(replace(LIMITS, processes=1), tmp_path / "players")
        assert 25 < thrifty.at_once(1000) < 32, "each may have a 32nd part of the user's threads"
    finally:
        resource.setrlimit(resource.RLIMIT_NPROC, before)


def test_machine_without_a_loopback_is_to_blame_and_not_a_program() -> None:
    player = ("--sandbox", "none", "--only", "1.1", "--", "true", "{port}")
    words = ["unshare", "--net", "--map-root-user", ACQUIRE, "check", *player]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.stderr.startswith("unshare: "):
        pytest.skip("networks of one's own are forbidden here")
    assert done.returncode == 2
    assert "cannot connect to 127.0.0.1: Network is unreachable." in done.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with room for 1.5 MiB, where disks can be mounted."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", str(folder)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


async def test_full_disk_costs_no_program_what_it_prints(small_disk: Path, tmp_path: Path) -> None:
    """It has room for that before it starts; one that has none does not run, and has no fault."""
    source = "import time; print('begun', flush=True); time.sleep(1); print(8**999)"
    prints = Program((sys.executable, "-I", "-S", "-c", source), tmp_path)
    with Launcher(LIMITS, small_disk / "players") as launcher, trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as nursery:
            first = await launcher.launch(prints, 7, "ada", nursery)
            while first.output() != b"begun\n":
                await trio.sleep(0.01)
            with suppress(OSError), (small_disk / "filling").open("wb", 0) as file:
                while True:
                    file.write(bytes(4096))
            with pytest.raises(UserError, match=r"There is no room in .* for what programs print"):
                launcher.at_once(1)
            second = await launcher.launch(prints, 7, "bob", nursery)
            await first.ended.wait()
            await second.ended.wait()
            printed = first.output(), second.output()
            first.release()
            second.release()
    assert printed == (f"begun\n{8**999}\n".encode(), b"")
    assert first.exit is not None and first.exit.code == 0
    assert second.exit is not None and "what programs print" in second.exit.machine_fault


async def test_player_is_not_blamed_where_the_machine_has_no_room(
    small_disk: Path, tmp_path: Path
) -> None:
    """No command goes on without what a player would have done; see ``UserError``."""
    program = Program((str(ACQUIRE), "play", "{host}", "{port}", "--name", "{name}"), tmp_path)
    with Launcher(LIMITS, small_disk / "players") as launcher, trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as nursery:
            source = LaunchSource(program, launcher, TIMEOUT, nursery)
            with suppress(OSError), (small_disk / "filling").open("wb", 0) as file:
                while True:
                    file.write(bytes(4096))
            with pytest.raises(MachineFailed, match=r"^The machine failed, not the program: .*"):
                async with source.connect("ada"):
                    pass
    assert issubclass(MachineFailed, UserError)


TAKES_THE_FOLDER = 'f=$(echo "$0"/acquire-*); mv "$f" "$0/gone"; touch "$f"; exec "$@"'
"""What a program does that leaves no other a place to be started in."""
PLAYER = (str(ACQUIRE), "play", "{host}", "{port}", "--name", "{name}", "--strategy", "ordered")
GAME = Path(__file__).parents[1] / "golden" / "revised-large-hotel.xml"


@pytest.mark.parametrize("command", ["check-server", "replay"])
def test_command_says_nothing_of_a_program_that_the_machine_cannot_start(
    command: str, tmp_path: Path
) -> None:
    words: tuple[str | Path, ...] = ("sh", "-c", TAKES_THE_FOLDER, str(tmp_path))
    if command == "replay":
        seat = f"grower-3={shlex.join((*map(str, words), *PLAYER))}"
        words = (command, GAME, "--from", "72", "--games", "2", "--seat", seat)
    else:
        words = (command, "--sandbox", "none", "--jobs", "1", "--", *words, "true", "{port}")
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        (ACQUIRE, *words), env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert " be started: Not a directory." in done.stderr


async def test_limits_are_those_of_the_launcher(launcher: Launcher, tmp_path: Path) -> None:
    source = "import resource; print(resource.getrlimit(resource.RLIMIT_FSIZE)[0])"
    program = Program((sys.executable, "-I", "-S", "-c", source), tmp_path)
    _, printed = await run(launcher, program)
    assert int(printed) == LIMITS.file_size


ENDS = {
    "processes": (ProcessExit(None, "processes", 0, 0, 0), "more than 12 processes ({processes})."),
    "processor": (ProcessExit(-signal.SIGXCPU, None, 0, 0, 0), "2 s of CPU time ({processor})."),
    "processor, together": (
        ProcessExit(None, "processor", 0, 0, 0),
        "2 s of CPU time, with everything that it started ({processor}).",
    ),
    "memory": (ProcessExit(None, "memory", 0, 0, 0), "1073741824 bytes of memory, with"),
    "killed for CPU time": (
        ProcessExit(-signal.SIGKILL, None, 0, 2000, 0),
        "SIGKILL: more than 2 s of CPU time ({processor}).",
    ),
    "killed for memory": (
        ProcessExit(-signal.SIGKILL, None, 0, 0, 0, out_of_memory=True),
        "SIGKILL: the system had run out of memory.",
    ),
    "killed": (ProcessExit(-signal.SIGKILL, None, 0, 0, 0), "SIGKILL, which no limit explains"),
    "terminated": (ProcessExit(-signal.SIGTERM, None, 0, 2000, 0), "SIGTERM, which no limit"),
    "machine": (
        ProcessExit(127, None, 0, 0, 0, "why", machine_fault="its sandbox could not be set up"),
        "The machine failed, not the program: its sandbox could not be set up.",
    ),
    "file": (ProcessExit(-signal.SIGXFSZ, None, 0, 0, 0), "more than 1048576 bytes ({file_size})."),
}


@pytest.mark.parametrize("how", ENDS)
def test_end_that_a_limit_or_the_system_explains_is_not_from_outside(how: str) -> None:
    assert ENDS[how][0].killed_from_outside(LIMITS) is (how in ("killed", "terminated"))


@for_each(
    ("code", "output", "named"),
    [
        (
            1,
            b"# There is insufficient memory for the Java Runtime Environment to continue.\n#",
            True,
        ),
        (-signal.SIGABRT, b"FATAL ERROR: [...] - JavaScript heap out of memory\n", True),
        (None, b'Exception in thread "reader" java.lang.OutOfMemoryError\n', True),
        (1, b"KeyError: 'ann'\n", False),
        (0, b"MemoryError\n", False),
    ],
)
def test_program_that_printed_that_it_lacks_memory_is_told_of_the_limit(
    code: int | None, output: bytes, named: bool
) -> None:
    told = ProcessExit(code, None, 0, 0, 0).describe(LIMITS, "--{}".format, output)
    assert told.endswith(" It seems to need more memory than --memory allows.") is named


@pytest.mark.parametrize("how", ENDS)
def test_limits_are_named_as_the_caller_names_them(how: str) -> None:
    ended, words = ENDS[how]
    keys = {name: f"limits.{name}" for name in asdict(Limits())}
    options = {name: f"--{name.replace('_', '-')}" for name in asdict(Limits())}
    for names in (keys, options):
        assert words.format(**names) in ended.describe(LIMITS, names.__getitem__)
