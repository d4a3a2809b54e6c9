"""What keeps a program away from everything that is not its own; which of it this machine offers.

    bwrap    bubblewrap: its own processes, network, memory segments and files (Linux)
    uid      a user of its own for every start (Linux, where this process is root)
    none     nothing but the limits

Nothing here starts a player; see :mod:`admin.launching.launch`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from admin.launching.program import Program
from admin.launching.sandbox_files import system_files, toolchains, visible_arguments
from admin.launching.users import CLAIMS, claim

LOCALHOST = "127.0.0.1"
SANDBOX_PORT = 51234
"""Where every program in bubblewrap connects: each has a network of its own."""
SANDBOX_TMPDIR, SANDBOX_HOME = "/tmp", "/tmp/home"
PROBE_TIMEOUT = 20.0
"""Seconds that bubblewrap has to show that it works."""
FIRST_UID, UIDS = 61184, 4336
"""Users that belong to nobody: the range that systemd also takes for services without a user."""


class Sandbox(Enum):
    """The kind of sandbox; the value is what files and tables contain."""

    BWRAP = "bwrap"
    UID = "uid"
    NONE = "none"

    @property
    def sentence(self) -> str:
        """What it keeps apart, as a sentence."""
        return _SENTENCES[self]


_SENTENCES = {
    Sandbox.BWRAP: "Each program has its own processes, network and files (bubblewrap).",
    Sandbox.UID: "Each program is a user of its own, who shares the network and can read what "
    "everyone can read.",
    Sandbox.NONE: "Programs run without a sandbox: they can read each other's files, and stop each "
    "other. Run only programs that you trust.",
}


class NoSandbox(Exception):
    """The sandbox that was asked for does not work here; the text is user-facing."""


class Chosen(NamedTuple):
    """The sandbox for a run; ``why`` is why there is none that is better, or empty."""

    sandbox: Sandbox
    why: str = ""


def choose(wanted: str, programs: Iterable[Program]) -> Chosen:
    """Return the sandbox to use; ``wanted`` is ``auto`` or a kind.

    Each is tried before it is chosen. ``NoSandbox`` if the one that is wanted does not work.
    """
    if wanted == "none":
        return Chosen(Sandbox.NONE)
    reasons: list[str] = []
    for sandbox, test in ((Sandbox.BWRAP, _why_no_bwrap), (Sandbox.UID, _why_no_users)):
        if wanted in ("auto", sandbox.value):
            if not (why := test([*programs])):
                return Chosen(sandbox, " ".join(reasons))
            reasons.append(why)
    if wanted == "auto":
        return Chosen(Sandbox.NONE, " ".join(reasons))
    raise NoSandbox(f'limits.sandbox = "{wanted}" does not work here: {" ".join(reasons)}')


def _why_no_bwrap(_programs: Sequence[Program]) -> str:
    """Try bubblewrap as it is used later; return why it does not work, or nothing."""
    if sys.platform != "linux":
        return "bubblewrap needs Linux."
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian: apt-get install bubblewrap)."
    with tempfile.TemporaryDirectory(prefix="acquire-") as folder:
        program = Program(("/usr/bin/env", "true"), Path(folder))
        try:
            tried = subprocess.run(
                [*bwrap_words(program, 2**20), "--", *program.command],
                capture_output=True,
                timeout=PROBE_TIMEOUT,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"bubblewrap failed: {error}."
    if tried.returncode == 0:
        return ""
    complaint = tried.stderr.decode(errors="replace").strip().removeprefix("bwrap: ")
    return f"bubblewrap failed: {complaint or f'exit code {tried.returncode}'}."


def _why_no_users(programs: Sequence[Program]) -> str:
    """Return why programs cannot have users of their own, or nothing."""
    if sys.platform != "linux":
        return "Users of their own need Linux."
    if os.geteuid() != 0:
        return "Users of their own need root."
    try:
        if (claimed := claim(FIRST_UID)) is not None:
            os.close(claimed)
    except OSError as error:
        return f"Users of their own need {CLAIMS}, which cannot be written: {error.strerror}."
    needed = {str(program.directory) for program in programs}
    needed |= {program.command[0] for program in programs if "/" in program.command[0]}
    tried = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _TRY_USER, str(FIRST_UID), *sorted(needed)],
        capture_output=True,
    )
    if tried.returncode:
        return "This process may not change users."
    unreadable = tried.stdout.decode(errors="replace").strip()
    return f"The user of a program cannot read {unreadable}." if unreadable else ""


_TRY_USER = """
import os, sys
os.setgroups([])
os.setresgid(*[int(sys.argv[1])] * 3)
os.setresuid(*[int(sys.argv[1])] * 3)
print(", ".join(path for path in sys.argv[2:] if not os.access(path, os.R_OK | os.X_OK)))
"""


def bwrap_words(program: Program, scratch: int) -> list[str]:
    """Return bubblewrap's command line up to the program's.

    The program sees the system, the toolchains in PATH, and what it says, all read-only. It may
    write to two folders that exist in memory only, ``scratch`` bytes each; nothing of them is left
    when it ends. Its ``writable`` folders are those of this machine.
    """
    shown = (*toolchains(program.command[0], program.hidden), *program.visible)
    folder = str(program.directory)
    bound = [word for path in program.writable for word in ("--bind", str(path), str(path))]
    return [
        *(shutil.which("bwrap") or "bwrap", "--unshare-all", "--unshare-user", "--disable-userns"),
        *("--die-with-parent", "--cap-drop", "ALL", "--hostname", "player"),
        *system_files(),
        # the settings of the kernel in /proc belong to root, which a program of root's is there too
        *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"),
        *("--perms", "1777", "--size", str(scratch), "--tmpfs", "/dev/shm"),
        *("--remount-ro", "/dev"),
        *("--perms", "1777", "--size", str(scratch), "--tmpfs", "/tmp", "--dir", SANDBOX_HOME),
        *visible_arguments(shown, program.hidden),
        *bound,
        *("--dir", folder, "--remount-ro", "/", "--chdir", folder),
    ]
