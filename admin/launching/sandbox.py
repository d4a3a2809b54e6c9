"""What keeps a program away from everything that is not its own; which of it this machine offers.

    bwrap    bubblewrap: its own processes, network, memory segments and files (Linux)
    uid      a user of its own for every start (Linux, where this process is root)
    none     nothing but the limits

Nothing here starts a player; see :mod:`acquire.admin.launching.launch`.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from ...protocol.user_error import UserError
from .limits import Limits, read_exit
from .program import Program
from .sandbox_files import READABLE, system_files, toolchains, without_hidden
from .starting import ENV
from .supervisor import SUPERVISOR
from .system_calls import NoFilter, filter_program

SANDBOX_TMPDIR, SANDBOX_HOME = "/tmp", "/tmp/home"
PROBE_TIMEOUT = 20.0  # seconds that bubblewrap has to show that it works
FIRST_UID, UIDS = 61184, 4336
"""Users that belong to nobody: the range that systemd also takes for services without a user."""
CLAIMS = "/run/acquire-users"  # where processes claim users for programs, so that no two share
LIST_UNREADABLE = 'for place; do test -r "$place" -a -x "$place" || echo "$place"; done'


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


class NoSandbox(UserError):
    """The sandbox that was asked for does not work here; the text is user-facing.

    ``why`` is why none works, in sentences.
    """

    def __init__(self, text: str, why: str = "") -> None:
        super().__init__(text)
        self.why = why


class Chosen(NamedTuple):
    """The sandbox for a run; ``why`` is why there is none that is better, or empty."""

    sandbox: Sandbox
    why: str = ""


def choose(wanted: str, places: Sequence[Path] = (), *, never_none: bool = False) -> Chosen:
    """Return the sandbox to use; ``wanted`` is ``auto`` or a kind.

    Each is tried before it is chosen, with nothing but what belongs to this machine: programs will
    be in ``places``. ``NoSandbox`` if the one that is wanted does not work, or if ``auto`` finds
    none and there has to be one.
    """
    if wanted == "none":
        return Chosen(Sandbox.NONE)
    reasons: list[str] = []
    for sandbox, test in ((Sandbox.BWRAP, _why_no_bwrap), (Sandbox.UID, _why_no_users)):
        if wanted in ("auto", sandbox.value):
            if not (why := _why_no_filter() or test([*places])):
                return Chosen(sandbox, " ".join(reasons))
            if why not in reasons:
                reasons.append(why)
    why = " ".join(reasons)
    if wanted == "auto" and not never_none:
        return Chosen(Sandbox.NONE, why)
    if wanted == "auto":
        raise NoSandbox(
            f"There is no sandbox for programs that were handed in: {why} If you "
            'trust every one of them, set sandbox = "none" under [limits].',
            why,
        )
    raise NoSandbox(f'limits.sandbox = "{wanted}" does not work here: {why}', why)


def _why_no_filter() -> str:
    if sys.platform != "linux":
        return "Sandboxes need Linux."
    try:
        filter_program()
    except NoFilter as error:
        return str(error)
    return ""


def _why_no_bwrap(_places: Sequence[Path]) -> str:
    """Start a program in bubblewrap as later; return why that does not work, or nothing."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian: apt-get install bubblewrap)."
    with tempfile.TemporaryDirectory(prefix="acquire-") as folder:
        program = Program((ENV, "true"), Path(folder))
        shown = shown_in_bwrap(program)
        user = FIRST_UID if has_own_user_in_bwrap(program, shown) else None
        ours, theirs = socket.socketpair()
        with ours, theirs:
            task = {
                "command": program.command,
                "directory": folder,
                "environment": {},
                "output": f"{folder}/output",
                "scratch": f"{folder}/scratch",
                "group": None,
                "limits": asdict(Limits(file_size=4096)),
                "sandbox": {
                    **in_bwrap(program, shown, {}, 2**20, user),
                    "channel": theirs.fileno(),
                },
            }
            with subprocess.Popen(
                SUPERVISOR,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            ) as process:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(json.dumps(task).encode() + b"\n")
                ready, _, _ = select.select([process.stdout], [], [], PROBE_TIMEOUT)
                report = ready and read_exit(process.stdout.readline())
    if not report:
        return "bubblewrap failed: it hung."
    if report.failure or report.code != 0:
        return f"bubblewrap failed: {report.failure or f'exit code {report.code}'}."
    return ""


def _why_no_users(places: Sequence[Path]) -> str:
    if os.geteuid() != 0:
        return "Users of their own need root."
    try:
        if (claimed := claim(FIRST_UID)) is not None:
            os.close(claimed)
    except OSError as error:
        return f"Users of their own need {CLAIMS}, which cannot be written: {error.strerror}."
    try:
        tried = subprocess.run(
            ["/bin/sh", "-c", LIST_UNREADABLE, "sh", *map(str, places)],
            stdout=subprocess.PIPE,
            user=FIRST_UID,
            group=FIRST_UID,
            extra_groups=[],
        )
    except OSError:
        return "This process may not change users."
    lines = tried.stdout.decode(errors="replace").splitlines()
    links = {each: os.path.realpath(each) for each in lines if os.path.islink(each)}
    unreadable = [f"{each} (a link to {links[each]})" if each in links else each for each in lines]
    return f"The user of a program cannot read {', '.join(unreadable)}." if unreadable else ""


def claim(uid: int) -> int | None:
    """Return a descriptor that keeps a user from being claimed again until its last copy is closed.

    ``None`` if it is claimed already, also by another process, for several workers or tournaments
    may be on this machine; ``OSError`` if nobody can tell.
    """
    os.makedirs(CLAIMS, mode=0o700, exist_ok=True)
    lock = os.open(f"{CLAIMS}/{uid}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


# -- bubblewrap ---------------------------------------------------------------------------------


def has_own_user_in_bwrap(program: Program, shown: Iterable[Path]) -> bool:
    """Whether a program in bubblewrap can have a user of its own, with which it shares no limit.

    That needs root, and that every user can read what the program is ``shown``.
    """
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return False
    seen = (*shown, *program.writable)
    return all(path.stat().st_mode & READABLE for path in seen if path.exists())


def in_bwrap(
    program: Program,
    shown: Mapping[Path, tuple[str, ...]],
    environment: Mapping[str, str],
    scratch: int,
    uid: int | None,
) -> dict[str, object]:
    """Return how the supervisor starts a program in bubblewrap, with a user of its own or without.

    The program sees the system and what is ``shown`` (:func:`shown_in_bwrap`), all read-only. It
    may write to two folders that exist in memory only, ``scratch`` bytes each; nothing of them is
    left when it ends. Its ``writable`` folders are those of this machine.

    Its variables are for the program alone, which once had bubblewrap load a library of its own:
    bubblewrap is started with constant variables in the root folder, and sets the program's inside.
    As root it makes no user namespace: ``setpriv`` changes to a user that no other program has, and
    only then does ``env`` set the variables. A path in the program's words is shown to nobody,
    because no check of a path that may appear later is right.
    """
    folder = str(program.directory)
    if uid is None:
        before = []
        user = ["--unshare-user", "--disable-userns"]
        user += [word for pair in environment.items() for word in ("--setenv", *pair)]
    else:
        user = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
        # root's rights are given up first: the program's variables could have root load its files
        variables = [f"{name}={value}" for name, value in environment.items()]
        rights = f"--reuid={uid} --regid={uid} --clear-groups --inh-caps=-all --bounding-set=-all"
        setpriv = [shutil.which("setpriv") or "setpriv", *rights.split(), "--"]
        before = [*setpriv, ENV, "-i", "--", *variables]
    in_memory = ["--perms", "1777", "--size", str(scratch), "--tmpfs"]
    arguments = [
        *(f"--unshare-{what}" for what in ("ipc", "pid", "net", "uts", "cgroup-try")),
        *("--die-with-parent", "--hostname", "player", "--cap-drop", "ALL", "--clearenv"),
        *user,
        *system_files(),
        # the settings of the kernel in /proc belong to root, which a program of root's is there too
        *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", *in_memory, "/dev/shm"),
        # the machine has few terminals
        *("--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts", "--remount-ro", "/dev"),
        *(*in_memory, "/tmp", "--perms", "0777", "--dir", SANDBOX_HOME),
        *_folders_above((*shown, *program.writable, program.directory)),
        *(word for path, how in shown.items() for word in (*how, str(path))),
        *(word for path in program.writable for word in ("--bind", str(path), str(path))),
        *("--dir", folder, "--remount-ro", "/", "--chdir", folder),
    ]
    return {
        "bwrap": shutil.which("bwrap") or "bwrap",
        "arguments": arguments,
        "before": before,
        "uid": uid,
        "filter": filter_in_task(),
    }


def filter_in_task(connects_only: bool = False) -> str:
    """Return the filter for system calls as text."""
    return base64.b64encode(filter_program(connects_only)).decode()


def shown_in_bwrap(program: Program) -> dict[Path, tuple[str, ...]]:
    """Return what a program sees outside the system's folders: the toolchains in PATH, and its own.

    These are paths with bubblewrap's arguments for each (:func:`without_hidden`).
    """
    executable = program.command[0] if program.shows_toolchain else None
    tools = toolchains(executable, (*program.hidden, program.directory))
    return without_hidden(tools, program.visible, program.hidden, program.directory)


def _folders_above(paths: Sequence[Path]) -> list[str]:
    """Return the arguments that make the folders above some paths, which every user may enter."""
    folders = {path.parent for path in paths}  # of most of them, the same few
    above = {each for folder in folders for each in (folder, *folder.parents)} - {Path("/")}
    made = (path for path in sorted(above) if not path.is_relative_to("/tmp") or path.parts[2:])
    return [word for path in made for word in ("--perms", "0755", "--dir", str(path))]
