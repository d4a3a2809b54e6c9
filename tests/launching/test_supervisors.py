"""Supervisors that one process forks: what a program gets of it, and what happens when it dies."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from subprocess import PIPE

import pytest
import trio
import trio.testing
from child_processes import command_of, ending

from acquire.admin.launching.launch import Launcher
from acquire.admin.launching.limits import Limits
from acquire.admin.launching.processes import children
from acquire.admin.launching.program import Program

TIMEOUT = 240.0
REPORT = """
import json, os, signal
names = [int(name) for name in os.listdir("/proc/self/fd")][:-1]
blocked = [int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, [])]
ignored = [
    int(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)
    if signal.getsignal(number) is signal.SIG_IGN
]
print(json.dumps([names, blocked, ignored, os.getsid(0) == os.getpid()]))
"""

COMMAND = """
import os, sys, time, trio
from pathlib import Path
from acquire.admin.launching.launch import Launcher
from acquire.admin.launching.limits import Limits
from acquire.admin.launching.program import Program

async def main():
    launcher = Launcher(Limits(), Path(sys.argv[1]))
    async with trio.open_nursery() as nursery:
        program = Program(("true",), Path.cwd())
        launched = await launcher.launch(program, 7, "ada", nursery)
        await launched.ended.wait()
        print(*launcher._supervisors.pids, flush=True)
        time.sleep(600)

trio.run(main)
"""
CLEAN = [[0, 1, 2], [], [], True]
"""Standard descriptors only, no signal blocked or ignored, a session of its own."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    """A launcher for one test, of which no process is left."""
    before = set(children(os.getpid()))
    with Launcher(Limits(), tmp_path / "players") as found:
        yield found
    assert set(children(os.getpid())) <= before


async def printed(launcher: Launcher, folder: Path) -> object:
    """Launch a program, and return what it reports."""
    program = Program((sys.executable, "-I", "-S", "-c", REPORT), folder)
    with trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as nursery:
            launched = await launcher.launch(program, 7, "ada", nursery)
            assert launched.pid in children(os.getpid())
            await launched.ended.wait()
            output = launched.output()
            launched.release()
    return json.loads(output)


def fork_server(before: set[int]) -> int:
    """The child of this process that forks the supervisors."""
    (found,) = set(children(os.getpid())) - before
    return found


async def test_program_gets_nothing_of_the_process_that_forked_its_supervisor(
    launcher: Launcher, tmp_path: Path
) -> None:
    for _ in range(2):
        assert await printed(launcher, tmp_path) == CLEAN


@pytest.mark.parametrize("deed", [signal.SIGKILL, signal.SIGSTOP])
async def test_programs_are_started_when_the_fork_server_was_killed_or_stopped(
    launcher: Launcher, tmp_path: Path, deed: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acquire.admin.launching.player_process.FORK_TIMEOUT", 2.0)
    before = set(children(os.getpid()))
    assert await printed(launcher, tmp_path) == CLEAN
    first = fork_server(before)
    os.kill(first, deed)
    assert await printed(launcher, tmp_path) == CLEAN
    assert fork_server(before) != first


async def test_supervisors_outlive_the_process_that_forked_them(
    launcher: Launcher, tmp_path: Path
) -> None:
    before = set(children(os.getpid()))
    source = (
        "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\nprint('still here')"
    )
    program = Program((sys.executable, "-c", source), tmp_path)
    with trio.fail_after(TIMEOUT):
        async with trio.open_nursery() as nursery:
            launched = await launcher.launch(program, 7, "ada", nursery)
            (server,) = set(children(os.getpid())) - before - {launched.pid}
            os.kill(server, signal.SIGKILL)
            (tmp_path / "go").touch()
            await launched.ended.wait()
            assert launched.output() == b"still here\n"
            assert launched.exit is not None and launched.exit.code == 0
            launched.release()


@pytest.mark.parametrize("stopped", [False, True])
def test_fork_server_ends_with_its_command(tmp_path: Path, stopped: bool) -> None:
    """Also when it cannot see that, and when the command was started with SIGCHLD ignored."""
    (tmp_path / "command.py").write_text(COMMAND)
    words = [sys.executable, str(tmp_path / "command.py"), str(tmp_path / "players")]
    ignoring = partial(signal.signal, signal.SIGCHLD, signal.SIG_IGN)
    with ending(subprocess.Popen(words, stdout=subprocess.PIPE, preexec_fn=ignoring)) as command:
        assert command.stdout is not None
        server = int(command.stdout.readline())
        if stopped:
            os.kill(server, signal.SIGSTOP)
        command.kill()
        command.wait()
    deadline = time.monotonic() + TIMEOUT
    while b"serve(" in command_of(server):
        assert time.monotonic() < deadline
        time.sleep(0.01)


TRACER = """
import ctypes, select, sys
libc = ctypes.CDLL(None)
assert libc.ptrace(0x4206, int(sys.stdin.readline()), None, None) == 0  # PTRACE_SEIZE
print("seized", flush=True)
sys.exit(not select.select([sys.stdin], [], [], 30)[0])
"""
TRACED = """
import ctypes, os, time
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1))  # whoever wants to may trace it
print(os.getpid(), flush=True)
time.sleep(1000)
"""


@pytest.mark.parametrize(
    ("number", "why"),
    [(signal.SIGKILL, "unknown"), (signal.SIGSTOP, "unknown"), (None, "unanswered")],
)
async def test_referee_does_not_stand_still_while_what_was_left_ends(
    tmp_path: Path, number: int | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that another one traces cannot be waited for before that one ends.

    A supervisor that waits for it in vain is killed by the referee, who accuses nobody of that.
    """
    monkeypatch.setattr("acquire.admin.launching.player_process.SUPERVISOR_TIMEOUT", 0.05)
    command = (sys.executable, "-I", "-S", "-c")
    with (
        ending(subprocess.Popen((*command, TRACER), stdin=PIPE, stdout=PIPE, text=True)) as tracer,
        Launcher(Limits(), tmp_path / "players") as launcher,
        trio.fail_after(TIMEOUT),
    ):
        assert tracer.stdin is not None and tracer.stdout is not None
        async with trio.open_nursery() as nursery:
            program = Program((*command, TRACED), tmp_path)
            launched = await launcher.launch(program, 7, "ada", nursery)
            while not (traced := launched.output()).endswith(b"\n"):
                await trio.sleep(0.01)
            tracer.stdin.write(traced.decode())
            tracer.stdin.flush()
            if tracer.stdout.readline() != "seized\n":
                pytest.skip("no process may trace another here")
            if number is not None:
                os.kill(launched.pid, number)
            if number != signal.SIGKILL:
                launched.stop()
            while int(traced) not in children(os.getpid()):
                await trio.sleep(0.01)
            await trio.testing.wait_all_tasks_blocked()
            assert not launched.ended.is_set()
            tracer.stdin.close()
            await launched.ended.wait()
            launched.release()
        assert tracer.wait() == 0, "it was told to end while the process was still there"
    assert launched.exit is not None
    assert (launched.exit.stopped, launched.exit.left) == (why, 1)
    assert launched.exit.failed == (why == "unknown")
