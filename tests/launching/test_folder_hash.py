"""Whatever could change what a program does changes the hash of its folder; nothing else does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from loops import for_each

from admin.launching import folder_hash
from admin.launching.folder_hash import UnusableFolderError, hash_of_folder

Change = Callable[[Path], object]


def _write(folder: Path) -> Path:
    (folder / "code" / "deep").mkdir(parents=True)
    (folder / "player.py").write_text("print(1)\n")
    (folder / "code" / "deep" / "moves.py").write_text("print(2)\n")
    (folder / "code" / "ab").write_text("c")
    (folder / "link").symlink_to("player.py")
    return folder


def _replace(folder: Path, old: str, new: str, text: str) -> None:
    """Replace one file by another, which may be in a new folder."""
    if old:
        (folder / old).unlink()
    (folder / new).parent.mkdir(exist_ok=True)
    (folder / new).write_text(text)


def _link_elsewhere(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "link").symlink_to("code/ab")


CHANGES: dict[str, Change] = {
    "a byte": lambda folder: _replace(folder, "", "player.py", "print(3)\n"),
    "a new file": lambda folder: (folder / "empty").touch(),
    "a removed file": lambda folder: (folder / "player.py").unlink(),
    "another name": lambda folder: (folder / "player.py").rename(folder / "main.py"),
    "bytes from name to content": lambda folder: _replace(folder, "code/ab", "code/a", "bc"),
    "executable": lambda folder: (folder / "player.py").chmod(0o755),
    "another link": _link_elsewhere,
    "a file for the link": lambda folder: _replace(folder, "link", "link", "player.py"),
}
NO_CHANGES: dict[str, Change] = {
    "times": lambda folder: os.utime(folder / "player.py", (1, 1)),
    "bytecode": lambda folder: _replace(folder, "", "code/__pycache__/moves.pyc", "x"),
    "a repository": lambda folder: _replace(folder, "", ".git/HEAD", "x"),
    "who may read": lambda folder: (folder / "player.py").chmod(0o600),
}


@for_each(("name", "change"), CHANGES.items(), [*CHANGES])
def test_changes_are_found(name: str, change: Change, tmp_path: Path) -> None:
    folder = _write(tmp_path / name)
    original = hash_of_folder(folder)
    change(folder)
    assert hash_of_folder(folder) != original


@for_each(("name", "change"), NO_CHANGES.items(), [*NO_CHANGES])
def test_other_changes_do_not_matter(name: str, change: Change, tmp_path: Path) -> None:
    folder = _write(tmp_path / name)
    original = hash_of_folder(folder)
    change(folder)
    assert hash_of_folder(folder) == original


def test_name_of_the_folder_does_not_matter(tmp_path: Path) -> None:
    assert hash_of_folder(_write(tmp_path / "one")) == hash_of_folder(_write(tmp_path / "two"))


def test_unusable_folders_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _write(tmp_path / "folder")
    os.mkfifo(folder / "pipe")
    with pytest.raises(UnusableFolderError, match="pipe is neither a file nor a folder"):
        hash_of_folder(folder)
    (folder / "pipe").unlink()
    monkeypatch.setattr(folder_hash, "MAX_FILES", 3)
    with pytest.raises(UnusableFolderError, match="more than 3 files"):
        hash_of_folder(folder)
    monkeypatch.setattr(folder_hash, "MAX_FILES", 4)
    monkeypatch.setattr(folder_hash, "MAX_BYTES", 10)
    with pytest.raises(UnusableFolderError, match="more than 0 MiB"):
        hash_of_folder(folder)
    shutil.rmtree(folder)
    with pytest.raises(UnusableFolderError, match="cannot be read"):
        hash_of_folder(folder)
