"""The hash of a folder, by which a change in a player's files is found.

It covers the path, the executable bit and the bytes of every file, and the target of every symbolic
link, which is not followed. Names, owners and times do not matter, nor do files that tools leave
behind (``IGNORED``).
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

HASH_DIGITS = 12
"""Hexadecimal digits of a hash: enough for the versions of one tournament."""
IGNORED = frozenset({".git", ".DS_Store", "__pycache__"})
"""Files and folders that do not count, wherever they are."""
MAX_FILES = 20_000
MAX_BYTES = 512 * 2**20
LENGTH_BYTES = 8


class UnusableFolderError(Exception):
    """A folder cannot be handed in as it is; the text is user-facing."""


def hash_of_folder(folder: Path) -> str:
    """Return the hash of everything in a folder; ``UnusableFolderError``.

    It is the first 12 hexadecimal digits of the SHA-256 digest.
    """
    return hash_of_files(folder, files_in(folder))


def hash_of_files(folder: Path, files: list[Path]) -> str:
    """Return the hash of some files in a folder, in any order; ``UnusableFolderError``."""
    whole = hashlib.sha256()
    size = 0
    for file in sorted(files, key=lambda file: file.relative_to(folder).parts):
        kind, content = _content(file)
        size += len(content)
        if size > MAX_BYTES:
            raise UnusableFolderError(
                f"{folder} has more than {MAX_BYTES // 2**20} MiB. Remove what the program does "
                "not need."
            )
        name = os.fsencode(file.relative_to(folder).as_posix())
        for part in (kind, name, content):
            whole.update(len(part).to_bytes(LENGTH_BYTES))
            whole.update(part)
    return whole.hexdigest()[:HASH_DIGITS]


def files_in(folder: Path) -> list[Path]:
    """Return the files and symbolic links below a folder that count; ``UnusableFolderError``."""
    found = []
    for file in _walk(folder):
        found.append(file)
        if len(found) > MAX_FILES:
            raise UnusableFolderError(
                f"{folder} has more than {MAX_FILES:,} files. Remove what the program does not "
                "need."
            )
    return found


def _walk(folder: Path) -> Iterator[Path]:
    folders = [folder]
    while folders:
        here = folders.pop()
        try:
            entries = list(os.scandir(here))
        except OSError as error:
            raise UnusableFolderError(f"{here} cannot be read: {error.strerror}.") from None
        for entry in entries:
            if entry.name in IGNORED:
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(Path(entry))
            else:
                yield Path(entry)


def _content(file: Path) -> tuple[bytes, bytes]:
    """Return the kind of a file, and its bytes or the target of a link."""
    try:
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            return b"link", os.fsencode(os.readlink(file))
        if not stat.S_ISREG(status.st_mode):
            raise UnusableFolderError(f"{file} is neither a file nor a folder. Remove it.")
        return b"program" if status.st_mode & stat.S_IXUSR else b"file", file.read_bytes()
    except OSError as error:
        raise UnusableFolderError(f"{file} cannot be read: {error.strerror}.") from None
