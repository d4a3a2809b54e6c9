"""What works on Windows, tried here without what Windows lacks.

A process first imports the libraries, which know Windows themselves. Then it loses the modules and
the functions that Windows does not have, the only way to wait is that of Windows, and it runs a
command. What this cannot show, the types do: see ``make lint``.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from child_processes import ending

from acquire import play_remote, read_game
from acquire.player.strategies.simple import Ordered

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
STARTER = ROOT / "player" / "starters" / "python" / "player.py"
WITHOUT = """
import asyncio, ctypes, multiprocessing, pathlib, shutil, signal, socket, sqlite3, subprocess
import concurrent.futures.thread, importlib.metadata, selectors, sys, sysconfig, tempfile
import webbrowser, click, click.testing, lxml.etree, pydantic, trio
import rich.console, rich.progress, rich.table, rich.live

sysconfig.get_config_vars()
for name in ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "syslog", "readline"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "geteuid", "getuid", "chown", "nice", "sysconf", "mkfifo"):
    delattr(os, name)
for name in ("O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "posix_spawnp", "setsid"):
    delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGCHLD", "SIGXCPU", "SIGXFSZ", "SIGPIPE", "SIGALRM"):
    delattr(signal, name)
del socket.recv_fds, socket.send_fds
del trio.lowlevel.FdStream
selectors.DefaultSelector = selectors.SelectSelector
sys.platform = "win32"
"""
COMMAND = f"import os{WITHOUT}\nfrom acquire.admin.cli.main import main\nmain()\n"


def start(
    *arguments: str | Path, program: str = COMMAND
) -> AbstractContextManager[subprocess.Popen[str]]:
    """Start a command without what Windows lacks, for a block."""
    return ending(
        subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "COLUMNS": "100"},
        )
    )


def run(*arguments: str | Path, program: str = COMMAND) -> str:
    """Run a command to its end; return all that it printed."""
    with start(*arguments, program=program) as process:
        return "".join(finish(process))


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for a process; return what it printed on both streams, in which nothing failed."""
    out, err = process.communicate(timeout=240)
    assert "Traceback" not in err and "Internal error" not in err, err
    return out, err


def port_of(process: subprocess.Popen[str]) -> str:
    """Read the port that a process prints when it listens."""
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"127\.0\.0\.1:(\d+)", line):
            return found[1]
    raise AssertionError(process.communicate())


LOG = shlex.quote(str(GOLDEN / "revised-nobody-left.xml"))
COMMANDS = {
    "--help": "referee for programs",
    "rulebooks revised": "Tower",
    f"replay {LOG} --verify": "verified: 119 facts",
    f"replay {LOG}": "turn",
    f"explain {LOG}": "ejected",
    "play --list": "investor",
    "tournament check cup.toml": "A tournament needs Linux or macOS",
    "duel random ordered": "A duel needs Linux or macOS",
    "check -- python x.py": "Starting a player needs Linux or macOS",
    "serve --port 0 --web 0": "Showing live pages needs Linux or macOS",
}
"""What commands print that start no processes, or would have to."""


def test_commands_work_or_are_refused() -> None:
    program = """
import json, shlex
from acquire.admin.cli.main import acquire
run = click.testing.CliRunner().invoke
words = map(shlex.split, sys.argv[1:])
print(json.dumps([run(acquire, one, catch_exceptions=False).output for one in words]))
"""
    printed = json.loads(run(*COMMANDS, program=f"import os{WITHOUT}{program}"))
    for output, expected in zip(printed, COMMANDS.values(), strict=True):
        assert expected in output


def test_game_over_tcp(tmp_path: Path) -> None:
    game = ("--rulebook", "classic", "--players", "2")
    with start("serve", "--port", "0", "--log-dir", tmp_path, *game) as server:
        port = port_of(server)
        with start("play", "127.0.0.1", port, "--name", "ann") as player:
            play_remote(Ordered, "127.0.0.1", int(port), "bob")
            finish(player)
        finish(server)
    [log] = tmp_path.glob("*.xml*")
    played = read_game(log)
    assert sorted(played.scores) == ["ann", "bob"] and not played.ejected


@pytest.mark.soak
def test_check_of_a_player_that_connects() -> None:
    """Each case has a connection of its own, for which the player is started again."""
    with start("check", "--listen", "0", "--only", "1.1") as check:
        port = port_of(check)
        subprocess.run([sys.executable, STARTER, "127.0.0.1", port, "me"], check=False, timeout=120)
        printed, _ = finish(check)
    assert "1 of 1" in printed


def test_library() -> None:
    program = """
import acquire
game = acquire.play_game({"ann": "investor", "bob": "random", "cyd": "ordered"}, seed=7)
print(acquire.read_game(game.log).winners)
"""
    assert "('ann',)" in run(program=f"import os{WITHOUT}{program}")
