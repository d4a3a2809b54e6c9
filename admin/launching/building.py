"""Versions of players, ready to run: copies of their folders, in each of which a build may run.

    FOLDER/KEY/program       the folder in which the program runs
    FOLDER/KEY/digest        the digest of that folder; empty if the build failed
    FOLDER/KEY/output        the end of what the build printed

KEY is a digest of the folder, and for a build also one of its command and variables. All
this is made under a temporary name, so what has its name is complete. Nobody changes a copy during
a run, and it is what a cluster's worker is sent. The build sees only the
copy, within limits of its own. A version that was built is used again; one whose build failed is
tried again by the next process.
"""

import fcntl
import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import trio

from ...protocol.user_error import UserError
from .launch import Launcher
from .leftovers import size_of_files
from .limits import Limits
from .player_folder import FolderLimits, FolderRefused, copy_folder, digest_of_folder
from .player_process import PlayerProcess
from .program import Program
from .sandbox import Sandbox

BUILD_TIMEOUT = 60.0  # seconds that a build may take, not counting waits for a processor
MAX_EXCUSED = 4 * BUILD_TIMEOUT  # seconds of waiting that a build is excused for at most
AT_LEAST = {"memory": 2 * 2**30, "processor": 120, "processes": 256, "scratch": 256 * 2**20}
"""What a build may use, or more if programs may: compilers need more than what they make."""
BUILT = FolderLimits(size=256 * 2**20, files=20_000, ignored=frozenset())
"""How large the folder of a program may be with what was built in it."""
SIZE_INTERVAL = 0.25  # seconds between two looks at the size of a build's folder
KEY_DIGITS = 32  # more than a version has: no one can make a folder that is taken for a rival's
TEMPORARY = ".new-"  # what the names of folders that are not complete begin with


class PreparedPlayer(NamedTuple):
    """A version of a player that is ready to run in ``folder``, or why it is not."""

    folder: Path
    failure: str = ""  # a sentence for users, empty if all is well
    output: bytes = b""  # the end of what the build printed


class Builds:
    """Prepares versions in a folder; each is copied and built once, also if several ask for it."""

    def __init__(self, folder: Path, launcher: Launcher, limits: Limits) -> None:
        """``limits`` are those of the programs; builds have more of some things."""
        self._folder = folder.absolute()
        # nobody shall read what others have handed in; a program has to reach its own
        self._mode = 0o711 if launcher.sandbox is Sandbox.UID else 0o700
        least = {**AT_LEAST, "file_size": BUILT.size}.items()
        raised: dict[str, Any] = {name: max(size, getattr(limits, name)) for name, size in least}
        self._launcher = launcher.limited(replace(limits, **raised))
        self._prepared: dict[str, PreparedPlayer] = {}
        self._locks: dict[str, trio.Lock] = {}
        _remove_leftovers(self._folder)

    async def prepare(self, source: Path, digest: str, build: Program) -> PreparedPlayer:
        """Copy a player's folder, which had this digest, and build it, unless that was done.

        ``build`` has the command for it, which may be empty, and runs in the copy.
        ``FolderRefused`` if the folder cannot be copied or was changed, ``UserError`` if copies
        cannot be written, or the machine failed while one was built.
        """
        key = digest[:KEY_DIGITS]
        if build.command:  # which makes another build of the same folder
            parts = json.dumps([build.command, sorted(build.environment.items())])
            key += f"-{hashlib.sha256(parts.encode()).hexdigest()[:8]}"
        async with self._locks.setdefault(key, trio.Lock()):
            if key not in self._prepared:
                found = await trio.to_thread.run_sync(self._stored, key)
                self._prepared[key] = found or await self._make(source, digest, key, build)
            return self._prepared[key]

    def _stored(self, key: str) -> PreparedPlayer | None:
        place = self._folder / key
        try:
            output = (place / "output").read_bytes()
            if (place / "digest").read_text("ascii") != digest_of_folder(place / "program", BUILT):
                return None
        except (OSError, ValueError, FolderRefused):
            return None
        return PreparedPlayer(place / "program", "", output)

    async def _make(self, source: Path, digest: str, key: str, build: Program) -> PreparedPlayer:
        try:
            with _new_folder(self._folder, self._mode) as new:
                # the second reading of a folder, for it may have changed since the first; a copy
                # that is there already is played, whatever has become of the folder
                copied = await trio.to_thread.run_sync(copy_folder, source, new / "work")
                verify_unchanged(source, copied, digest)
                failure, output, built = await self._build(new, build, copied)
                if found := await trio.to_thread.run_sync(self._stored, key):
                    return found  # another process was faster, and uses it
                (new / "output").write_bytes(output)
                (new / "digest").write_text(built, encoding="ascii")
                place = self._folder / key
                await trio.to_thread.run_sync(_remove, new / "work")
                if place.exists():  # of an earlier process: its build failed, or files were changed
                    place.rename(new / "old")
                    await trio.to_thread.run_sync(_remove, new / "old")
                new.rename(place)
        except OSError as error:
            raise UserError(
                f"Copies of players cannot be kept in {self._folder}: {error.strerror or error}."
            ) from error
        return PreparedPlayer(self._folder / key / "program", failure, output)

    # -- building -------------------------------------------------------------------------------

    async def _build(self, new: Path, build: Program, copied: str) -> tuple[str, bytes, str]:
        """Make ``program`` from ``work``, which has the digest ``copied``.

        Return why that failed, what the build printed, and the digest of the program.
        """
        work, program = new / "work", new / "program"
        if not build.command:
            work.rename(program)
            return "", b"", copied
        visible = (work, *build.visible)
        build = replace(build, directory=work, visible=visible, writable=(work,))
        async with trio.open_nursery() as nursery:
            process, listener = await self._launcher.launch_listening(build, "build", nursery)
            if listener is not None:
                listener.close()
            try:
                failure = await self._wait(process, work)
                output = process.output().replace(f"{work}/".encode(), b"")
            finally:
                process.release()
        if process.exit is not None and process.exit.machine_fault:
            raise UserError(f"A player could not be built. {failure}")
        if failure:
            return failure, output, ""
        owner = os.getuid() if process.uid is None else process.uid
        try:
            built = await trio.to_thread.run_sync(copy_folder, work, program, BUILT, owner)
        except FolderRefused as error:
            await trio.to_thread.run_sync(_remove, program)
            text = str(error).replace(f"{work}/", "").replace(str(work), "The folder")
            return f"What it built cannot be used: {text}", output, ""
        return "", output, built

    async def _wait(self, process: PlayerProcess, work: Path) -> str:
        """Wait for the end of a build; return why it failed, or nothing."""
        why, began = "", trio.current_time()
        while not process.ended.is_set() and not why:
            why = await trio.to_thread.run_sync(_excess, work)
            _, waited, _ = process.work.since(began)
            if trio.current_time() - began - min(waited, MAX_EXCUSED) > BUILD_TIMEOUT:
                why = f"It was stopped after {BUILD_TIMEOUT:g} s."
            with trio.move_on_after(0 if why else SIZE_INTERVAL):
                await process.ended.wait()
        ended = await process.end(0)
        if why or not (ended.failed or ended.failure or ended.machine_fault):
            return why
        limit = "the limit of {} for builds".format
        return ended.describe(process.limits, limit, process.output())


def verify_unchanged(source: Path, copied: str, digest: str) -> None:
    """Verify that the copy of a folder has the digest that the folder had; ``FolderRefused``."""
    if copied != digest:
        raise FolderRefused(
            f"{source} was changed while the tournament began. The same command plays the new "
            "version."
        )


def _excess(folder: Path) -> str:
    """Return in what way a folder has become too large, or nothing."""
    files, size = size_of_files(0, str(folder), (), BUILT.files)
    if files > BUILT.files:
        return f"It was stopped: more than {BUILT.files} files in its folder."
    if size > BUILT.size:
        return f"It was stopped: more than {BUILT.size // 2**20} MiB in its folder."
    return ""


# -- folders ------------------------------------------------------------------------------------


@contextmanager
def _new_folder(folder: Path, mode: int) -> Iterator[Path]:
    """Make a folder with a temporary name; it is removed unless it was renamed.

    It is locked as long as it is used, so that another process does not remove it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(mode)
    new = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=folder))
    lock = os.open(new, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        new.chmod(0o755)
        yield new
    finally:
        os.close(lock)
        if new.exists():
            _remove(new)


def _remove(folder: Path) -> None:
    """Remove a folder, however deep it is, whoever owns what is in it, and whoever may enter it."""
    remove = ["rm", "-rf", "--", str(folder)]
    let_enter = ["chmod", "-R", "u+rwx", "--", str(folder)]
    for command in (remove, let_enter, remove):
        if folder.exists():  # most are removed at once
            subprocess.run(command, check=False, stderr=subprocess.DEVNULL)


def _remove_leftovers(folder: Path) -> None:
    for left in folder.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            lock = os.open(left, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(left)
            finally:
                os.close(lock)
