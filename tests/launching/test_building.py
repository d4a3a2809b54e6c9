"""Versions of players are copied and built once, in a sandbox, and are complete or not there."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import trio
from child_processes import ending, on_one_processor
from sandboxes import (
    every_sandbox,
    fake_bubblewrap,
    in_bwrap,
    open_folder,
    with_and_without_sandbox,
)

from acquire.admin.launching import building
from acquire.admin.launching.building import Builds, PreparedPlayer
from acquire.admin.launching.launch import Launcher
from acquire.admin.launching.limits import Limits
from acquire.admin.launching.player_folder import FolderLimits, FolderRefused, digest_of_folder
from acquire.admin.launching.program import Program
from acquire.admin.launching.sandbox import Sandbox
from acquire.protocol.user_error import UserError

TIMEOUT = 240.0
LIMITS = Limits()
SHELL, PYTHON = "/bin/sh", "/usr/bin/python3"
COPY = Program((), Path())
"""No build."""


launchers = ExitStack()
"""The launchers of a test; an error that a test looks at would keep them alive."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can read, with the folder of a player in it."""
    with open_folder() as found:
        (found / "ada").mkdir()
        (found / "ada" / "source").write_text("a program")
        with launchers:
            yield found


def new_builds(folder: Path, kind: Sandbox = Sandbox.NONE) -> Builds:
    """Return the builds as another process would see them."""
    launcher = launchers.enter_context(Launcher(LIMITS, folder / "files", kind))
    return Builds(folder / "cup.builds", launcher, LIMITS)


def shell(script: str, **environment: str) -> Program:
    return Program((SHELL, "-c", script), Path(), environment)


async def prepare(builds: Builds, folder: Path, recipe: Program) -> PreparedPlayer:
    with trio.fail_after(TIMEOUT):
        source = folder / "ada"
        return await builds.prepare(source, digest_of_folder(source), recipe)


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "cup.builds").iterdir())


async def test_folder_without_a_build_is_copied(folder: Path) -> None:
    prepared = await prepare(new_builds(folder), folder, COPY)
    key = digest_of_folder(folder / "ada")[:32]
    assert prepared == (folder / "cup.builds" / key / "program", "", b"")
    (folder / "ada" / "source").write_text("another program")
    assert (prepared.folder / "source").read_text() == "a program"


@with_and_without_sandbox
async def test_other_users_cannot_read_the_copies(kind: Sandbox, folder: Path) -> None:
    await prepare(new_builds(folder, kind), folder, COPY)
    mode = (folder / "cup.builds").stat().st_mode & 0o777
    assert mode == (0o711 if kind is Sandbox.UID else 0o700), "its names cannot be guessed"


@with_and_without_sandbox
async def test_build_runs_once_in_a_copy(kind: Sandbox, folder: Path) -> None:
    log = folder / "log"
    log.touch()
    log.chmod(0o666)
    recipe = shell(
        f"echo built >> '{log}'; echo hello;"
        " tr a-z A-Z < source > made; chmod 755 made; ln -s made m"
    )
    for builds in (new_builds(folder, kind), new_builds(folder, kind)):
        for _ in range(2):
            prepared = await prepare(builds, folder, recipe)
            assert (prepared.failure, prepared.output[-6:]) == ("", b"hello\n")
            assert (prepared.folder / "made").read_text() == "A PROGRAM"
    for file, mode in (("made", 0o755), ("source", 0o644), (".", 0o755)):
        found = (prepared.folder / file).stat()
        assert (found.st_mode & 0o7777, found.st_uid) == (mode, os.getuid())
    assert (prepared.folder / "m").readlink() == Path("made")
    # in bubblewrap it cannot write there at all
    assert log.read_text() == ("" if kind is Sandbox.BWRAP else "built\n")
    assert kept(folder) == [prepared.folder.parent.name]
    assert [path.name for path in (folder / "ada").iterdir()] == ["source"]
    assert not (folder / "files").exists() or not list((folder / "files").iterdir())


@with_and_without_sandbox
async def test_folders_that_nobody_may_enter_are_removed(kind: Sandbox, folder: Path) -> None:
    """Root may enter them anyway, so this tests something for ordinary users only."""
    own = folder / "outside"
    own.mkdir(mode=0o500)
    script = (
        f"mkdir -p a/b/c; touch a/b/c/x; ln -s '{own}' a/b/link; chmod 0 a/b/c a/b; chmod 555 a ."
    )
    prepared = await prepare(new_builds(folder, kind), folder, shell(f"{script}; exit 1"))
    assert prepared.failure
    assert kept(folder) == [prepared.folder.parent.name]
    assert sorted(path.name for path in prepared.folder.parent.iterdir()) == ["digest", "output"]
    assert own.stat().st_mode & 0o777 == 0o500, "no link was followed"


async def test_several_that_ask_for_a_version_share_its_build(folder: Path) -> None:
    builds, recipe = new_builds(folder), shell(f"echo built >> '{folder}/log'")
    (folder / "bob").mkdir()
    (folder / "bob" / "source").write_text("a program")

    async with trio.open_nursery() as nursery:
        for name in ("ada", "ada", "bob"):
            source = folder / name
            nursery.start_soon(builds.prepare, source, digest_of_folder(source), recipe)
    assert (folder / "log").read_text() == "built\n"


async def test_another_command_or_variable_is_another_build(folder: Path) -> None:
    builds = new_builds(folder)
    recipes = [
        COPY,
        shell("cp source made"),
        shell("cp source made; exit"),
        shell("cp source made", WORD="x"),
    ]
    found = [await prepare(builds, folder, recipe) for recipe in recipes]
    assert len({each.folder for each in found}) == 4
    assert len({each.folder.parent.name[:12] for each in found}) == 1


FAILURES = {
    "exit code": ("echo wrong; exit 3", "It ended with exit code 3.", b"wrong\n"),
    "not found": ("exec /none", "It ended with exit code 127.", None),
    "a link that leads out": (
        "ln -s /etc/passwd x",
        "What it built cannot be used: x is a link that leads out of the folder, or to nothing "
        "('/etc/passwd'). Put the file itself there.",
        b"",
    ),
    "a pipe": (
        "mkfifo x",
        "What it built cannot be used: x is not a regular file. Remove it.",
        b"",
    ),
    "many files": (
        "i=0; while :; do i=$((i+1)); : > f$i; done",
        "It was stopped: more than 500 files in its folder.",
        b"",
    ),
    "large files": (
        "while :; do cat source source > x; cat x x >> source; done",
        "It was stopped: more than 1 MiB in its folder.",
        None,
    ),
    "too long": ("sleep 1000", "It was stopped after 0.5 s.", b""),
}


@pytest.mark.parametrize("how", FAILURES)
async def test_build_that_fails_is_explained_and_leaves_nothing_to_run(
    how: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BUILD_TIMEOUT", 0.5 if how == "too long" else TIMEOUT)
    monkeypatch.setattr(building, "BUILT", FolderLimits(2**20, 500, frozenset()))
    script, failure, output = FAILURES[how]
    prepared = await prepare(new_builds(folder), folder, shell(script))
    assert prepared.failure == failure
    assert output is None or prepared.output == output
    (key,) = kept(folder)
    left = sorted(path.name for path in (folder / "cup.builds" / key).iterdir())
    assert left == ["digest", "output"]
    assert (folder / "cup.builds" / key / "digest").read_bytes() == b""
    assert (folder / "cup.builds" / key / "output").read_bytes() == prepared.output


@in_bwrap
async def test_build_is_not_to_blame_for_the_machine(
    kind: Sandbox, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builds = new_builds(folder, kind)
    fake_bubblewrap(folder, monkeypatch, range(1, 1000))
    with pytest.raises(
        UserError, match=r"could not be built\. The machine failed, not the program"
    ):
        await prepare(builds, folder, shell("true"))
    assert kept(folder) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows who waits")
async def test_time_of_a_build_stands_still_while_others_have_the_processor(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BUILD_TIMEOUT", 1.2)
    busy = (sys.executable, "-c", "while True: pass")
    with on_one_processor(), ExitStack() as others:
        for _ in range(4):  # each in a session: some kernels share the processor among sessions
            others.enter_context(ending(subprocess.Popen(busy, start_new_session=True)))
        began = trio.current_time()
        prepared = await prepare(new_builds(folder), folder, Program(busy, Path()))
    assert prepared.failure == "It was stopped after 1.2 s."
    assert trio.current_time() - began >= 2 * building.BUILD_TIMEOUT  # it waits most of the time


HIDDEN = {
    "removed and mapped": (
        "import ctypes, os, time\n"
        "for _ in range(40):\n"
        "    file = os.open('x', os.O_CREAT | os.O_RDWR)\n"
        "    os.unlink('x')\n"
        "    os.write(file, bytes(2**20))\n"
        "    ctypes.CDLL(None).mmap(None, 4096, 1, 2, file, 0)\n"
        "    os.close(file)\n"
        "time.sleep(1000)"
    ),
    "in a folder that is closed": (
        "import os, time; os.mkdir('x'); os.chmod('x', 0o300); time.sleep(1000)"
    ),
}


@pytest.mark.parametrize(
    "how",
    [
        "removed and mapped",
        pytest.param(
            "in a folder that is closed",
            marks=pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder"),
        ),
    ],
)
@every_sandbox
async def test_build_that_hides_files_does_not_fill_the_disk(
    kind: Sandbox, folder: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BUILT", building.BUILT._replace(size=2**22))
    monkeypatch.setitem(building.AT_LEAST, "scratch", 1)
    limits = Limits(file_size=2**20, scratch=2**20)
    launcher = launchers.enter_context(Launcher(limits, folder / "files", kind))
    builds = Builds(folder / "cup.builds", launcher, limits)
    prepared = await prepare(builds, folder, Program((PYTHON, "-c", HIDDEN[how]), Path()))
    assert prepared.failure.startswith("It was stopped: ") and "files" in prepared.failure


async def test_build_that_failed_is_tried_again_by_the_next_process(folder: Path) -> None:
    recipe = shell(f"cat '{folder}/library'")
    builds = new_builds(folder)
    assert (await prepare(builds, folder, recipe)).failure
    (folder / "library").write_text("here now")
    assert (await prepare(builds, folder, recipe)).failure
    prepared = await prepare(new_builds(folder), folder, recipe)
    assert (prepared.failure, prepared.output) == ("", b"here now")
    assert prepared.folder.is_dir()


async def test_copy_that_was_changed_is_made_again(folder: Path) -> None:
    prepared = await prepare(new_builds(folder), folder, COPY)
    (prepared.folder / "source").write_text("something else")
    again = await prepare(new_builds(folder), folder, COPY)
    assert again == prepared
    assert (prepared.folder / "source").read_text() == "a program"


async def test_interrupted_build_leaves_nothing(folder: Path) -> None:
    builds, began = new_builds(folder), folder / "began"
    async with trio.open_nursery() as nursery:
        source, forever = folder / "ada", shell(f": > '{began}'; sleep 1000")
        nursery.start_soon(builds.prepare, source, digest_of_folder(source), forever)
        with trio.fail_after(TIMEOUT):
            while not began.exists():
                await trio.sleep(0.01)
        assert len(kept(folder)) == 1
        new_builds(folder)  # another process leaves it alone
        assert len(kept(folder)) == 1
        nursery.cancel_scope.cancel()
    assert kept(folder) == []


async def test_what_a_killed_process_has_left_is_removed(folder: Path) -> None:
    (folder / "cup.builds" / ".new-killed" / "work").mkdir(parents=True)
    new_builds(folder)
    assert kept(folder) == []


async def test_folder_that_was_changed_since_it_was_read_is_refused(folder: Path) -> None:
    source = folder / "ada"
    digest = digest_of_folder(source)
    (source / "source").write_text("another program")
    with pytest.raises(FolderRefused, match="was changed while the tournament began"):
        await new_builds(folder).prepare(source, digest, COPY)


async def test_folder_that_cannot_be_copied_is_refused(folder: Path) -> None:
    (folder / "ada" / "link").symlink_to("/etc")
    with pytest.raises(FolderRefused, match="leads out"):
        await prepare(new_builds(folder), folder, COPY)


async def test_copies_that_cannot_be_written_are_reported(folder: Path) -> None:
    (folder / "cup.builds").touch()
    with pytest.raises(UserError, match=r"cannot be kept in .*cup\.builds"):
        await prepare(new_builds(folder), folder, COPY)
