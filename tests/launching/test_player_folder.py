"""The folder of a player: what belongs to it, its hash, and copies that are the same."""

import lzma
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from loops import for_each

from acquire.admin.launching import player_folder
from acquire.admin.launching.player_folder import (
    FolderLimits,
    FolderRefused,
    ReadFolder,
    copy_folder,
    digest_of_folder,
    hash_of_files,
    pack_folder,
    read_folder,
    unpack_folder,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with files, one executable, and a link."""
    found = tmp_path / "ada"
    (found / "lib").mkdir(parents=True)
    (found / "player.py").write_text("import lib.moves")
    (found / "lib" / "moves.py").write_text("")
    (found / "run.sh").write_text("#!/bin/sh")
    (found / "run.sh").chmod(0o700)
    (found / "latest").symlink_to("lib/moves.py")
    return found


def test_hash_is_that_of_the_content(folder: Path, tmp_path: Path) -> None:
    """Written down, so that a version never changes with this program."""
    assert ReadFolder.of(folder).version == "50d9cf36e0e4"
    assert digest_of_folder(folder).startswith("50d9cf36e0e4")


def put(path: Path, text: str = "") -> Path:
    """Write a file in place of whatever is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_text(text)
    return path


def link(path: Path, target: str) -> None:
    path.unlink()
    path.symlink_to(target)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte": lambda folder: (folder / "player.py").write_text("import lib.Moves"),
    "a name": lambda folder: (folder / "player.py").rename(folder / "Player.py"),
    "a folder": lambda folder: (folder / "run.sh").rename(folder / "lib/run.sh"),
    "a new file": lambda folder: (folder / "new").touch(),
    "a byte that moves to another file": lambda folder: [
        (folder / "player.py").write_text("import lib.move"),
        (folder / "lib/moves.py").write_text("s"),
    ],
    "executable": lambda folder: (folder / "player.py").chmod(0o744),
    "not executable": lambda folder: (folder / "run.sh").chmod(0o600),
    "another link": lambda folder: link(folder / "latest", "player.py"),
    "a file for a link": lambda folder: put(folder / "latest", "lib/moves.py"),
}
NO_CHANGES: dict[str, Callable[[Path], object]] = {
    "time": lambda folder: os.utime(folder / "player.py", (1, 1)),
    "readable by all": lambda folder: (folder / "player.py").chmod(0o666),
    "an empty folder": lambda folder: put(folder / "empty" / "file").unlink(),
    "the cache of Python": lambda folder: put(folder / "__pycache__" / "moves.pyc"),
    "the folder's own name": lambda folder: None,
}


@pytest.mark.parametrize("what", [*CHANGES, *NO_CHANGES])
def test_hash_changes_with_what_a_program_can_see(folder: Path, tmp_path: Path, what: str) -> None:
    before = digest_of_folder(folder)
    {**CHANGES, **NO_CHANGES}[what](folder)
    after = digest_of_folder(folder.rename(tmp_path / "bob"))
    assert (after != before) == (what in CHANGES)


def test_hash_of_some_files_is_that_of_a_folder_with_them(folder: Path, tmp_path: Path) -> None:
    files = [folder / "latest", folder / "lib" / "moves.py", folder / "player.py"]
    before = hash_of_files(folder, files)
    assert hash_of_files(folder, reversed(files)) == before != ReadFolder.of(folder).version
    (folder / "run.sh").unlink()
    assert ReadFolder.of(folder).version == before


def test_copies_and_archives_have_the_same_content(folder: Path, tmp_path: Path) -> None:
    digest = digest_of_folder(folder)
    assert copy_folder(folder, tmp_path / "copy") == digest
    packed_digest, packed = pack_folder(folder)
    assert unpack_folder(packed, tmp_path / "unpacked") == packed_digest == digest
    for copy in (tmp_path / "copy", tmp_path / "unpacked"):
        assert digest_of_folder(copy) == digest
        assert (copy / "lib").stat().st_mode & 0o777 == 0o755
        assert (copy / "run.sh").stat().st_mode & 0o777 == 0o755
        assert (copy / "player.py").stat().st_mode & 0o777 == 0o644
        assert (copy / "latest").readlink() == Path("lib/moves.py")
    assert pack_folder(tmp_path / "copy") == pack_folder(folder)


def socket_at(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket has to be short
        try:
            server.bind(path.name)
        finally:
            os.chdir(here)


def by_way_of_a_link(path: Path) -> None:
    """Lead to another player, with words that look as if they led to a file beside."""
    put(path / "bob" / "player.py")
    (path / "up").symlink_to("../lib")
    (path / "own").symlink_to("up/../../bob/player.py")
    put(path.parent / "bob" / "player.py")
    put(path.parent.parent / "bob" / "player.py", "bob's")
    assert (path / "own").read_text() == "bob's"


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link to another player": (lambda x: x.symlink_to("../bob/player.py"), "leads out of"),
    "a link by way of another": (by_way_of_a_link, "leads out of"),
    "a link to the system": (lambda x: x.symlink_to("/etc/passwd"), "leads out of"),
    "an absolute link into itself": (lambda x: x.symlink_to(x.parent / "run.sh"), "leads out of"),
    "a link to nothing": (lambda x: x.symlink_to("none"), "leads out of"),
    "a link to itself": (lambda x: x.symlink_to("../ada/player.py"), "leads out of"),
    "a pipe": (os.mkfifo, "not a regular file"),
    "a socket": (socket_at, "cannot be read"),
    "a file without end": (lambda x: os.truncate(put(x), 2**40), "too large"),
    "a deep folder": (lambda x: (x / "/".join("a" * 40)).mkdir(parents=True), "32 folders"),
    "a name that is no text": (lambda x: put(x / os.fsdecode(b"\xff")), "UTF-8"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_copied_is_refused(folder: Path, tmp_path: Path, what: str) -> None:
    make, words = REFUSED[what]
    make(folder / "x")
    for use in (digest_of_folder, pack_folder, lambda path: copy_folder(path, tmp_path / "copy")):
        with pytest.raises(FolderRefused, match=words) as refused:
            use(folder)
        assert str(folder) in str(refused.value)


def test_folder_exchanged_for_a_link_meanwhile_is_not_followed(
    folder: Path, tmp_path: Path
) -> None:
    """Its owner may be at work while a user reads it who may read more than they."""
    put(tmp_path / "secrets" / "moves.py", "a secret")
    read = read_folder(folder)
    assert next(read).path == "latest"
    (folder / "lib").rename(folder / "kept")
    (folder / "lib").symlink_to("../secrets")
    assert (folder / "lib" / "moves.py").read_text() == "a secret"
    with pytest.raises(FolderRefused, match="lib cannot be read: Not a directory"):
        next(read)


def test_link_of_another_user_does_not_lead_to_a_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").symlink_to(tmp_path)
    assert digest_of_folder(tmp_path / "mine" / "ada") == digest_of_folder(folder)
    if os.geteuid() == 0:
        os.lchown(tmp_path / "mine", 65534, 65534)
        for by_sudo in ("", "nobody", "1000", None):
            with pytest.raises(FolderRefused, match="mine is a link of another user"):
                digest_of_folder(tmp_path / "mine" / "ada")
            monkeypatch.setenv("SUDO_UID", "65534" if by_sudo is None else by_sudo)
        assert digest_of_folder(tmp_path / "mine" / "ada") == digest_of_folder(folder)
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(FolderRefused, match="circle cannot be read"):
        digest_of_folder(tmp_path / "circle")


def test_file_exchanged_for_a_link_meanwhile_is_not_followed(folder: Path, tmp_path: Path) -> None:
    put(tmp_path / "secret", "a secret")
    read = read_folder(folder)
    assert next(read).path == "latest"
    link(folder / "lib" / "moves.py", "../../secret")
    with pytest.raises(FolderRefused, match=r"moves.py cannot be read"):
        next(read)


READ_AS_NOBODY = """
import os, sys
from pathlib import Path
from acquire.admin.launching.player_folder import digest_of_folder
os.geteuid() or os.seteuid(65534)
print(digest_of_folder(Path(sys.argv[1])))
"""


def test_folder_below_one_that_may_only_be_passed_is_read(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as closed:
        copy_folder(folder, Path(closed) / "ada")
        os.chmod(closed, 0o111)
        words = [sys.executable, "-c", READ_AS_NOBODY, str(Path(closed) / "ada")]
        done = subprocess.run(words, capture_output=True, text=True)
        os.chmod(closed, 0o700)
    assert (done.stdout.strip(), done.stderr) == (digest_of_folder(folder), "")


def test_size_of_all_files_together_is_limited(folder: Path, tmp_path: Path) -> None:
    size = sum(path.stat().st_size for path in folder.rglob("*.*"))
    copy_folder(folder, tmp_path / "fits", FolderLimits(size=size))
    with pytest.raises(FolderRefused, match="too large"):
        copy_folder(folder, tmp_path / "copy", FolderLimits(size=size - 1))


def test_number_of_files_and_folders_is_limited(folder: Path) -> None:
    count = len([*folder.rglob("*")])
    assert digest_of_folder(folder, FolderLimits(files=count)) == digest_of_folder(folder)
    with pytest.raises(FolderRefused, match=f"more than {count - 1} files"):
        digest_of_folder(folder, FolderLimits(files=count - 1))


def test_file_of_another_user_is_refused_where_an_owner_is_given(
    folder: Path, tmp_path: Path
) -> None:
    copy_folder(folder, tmp_path / "own", owner=os.getuid())
    with pytest.raises(FolderRefused, match="somebody else"):
        copy_folder(folder, tmp_path / "copy", owner=os.getuid() + 1)


def test_folder_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderRefused, match="none cannot be read: No such file"):
        digest_of_folder(tmp_path / "none")


def archive(*entries: tuple[str, str, bytes]) -> bytes:
    """Return an archive of paths, kinds and contents."""
    parts = [part for path, kind, data in entries for part in (path.encode(), kind.encode(), data)]
    return lzma.compress(b"".join(len(part).to_bytes(8) + part for part in parts), preset=0)


@for_each(
    "packed",
    [
        archive(("../outside", "f", b"")),
        archive(("/tmp/outside", "f", b"")),
        archive(("", "f", b"")),
        archive(("device", "c", b"")),
        archive(("link", "l", b"/etc/passwd")),
        archive(("large", "f", bytes(2**20))),
        archive(*((str(number), "f", b"") for number in range(100))),
        lzma.compress(bytes(2**20 + 1), preset=0),
        lzma.compress(bytes(7), preset=0),
        lzma.compress((9).to_bytes(8), preset=0),
        archive(("cut off", "f", b""))[:60],
        b"no archive",
        b"",
    ],
    ids=lambda packed: repr(packed[:10]),
)
def test_damaged_archive_is_refused(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, packed: bytes
) -> None:
    monkeypatch.setattr(player_folder, "MAX_FOLDER_FILES", 99)
    monkeypatch.setattr(player_folder, "MAX_ARCHIVE_BYTES", 2**20)
    with pytest.raises(FolderRefused):
        unpack_folder(packed, tmp_path_factory.mktemp("unpacked") / "new")


@pytest.mark.parametrize("kind", ["f", "l"])
def test_nothing_of_an_archive_is_written_through_a_link_in_it(tmp_path: Path, kind: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    packed = archive(("lib", "l", bytes(outside)), ("lib/moves.py", kind, b"x"))
    with pytest.raises(FolderRefused):
        unpack_folder(packed, tmp_path / "new")
    assert list(outside.iterdir()) == []
