"""Files that others may have put there: read at most so much, replace whole, notice what is gone.

A player may have put anything into its folder, in which a report may be as well: a link in its
place, or another name of a file. So what is written is a new file, which takes the place in one
step.
"""

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

MAX_BYTES = 2**20
PRIVATE = 0o600  # the mode of a file that only its owner can read
DEVICES = ("/dev", "/dev/fd", "/proc/self/fd")
"""Folders with ``stdout`` and the like, which are written as they are."""


def bytes_of(path: Path, most: int = MAX_BYTES) -> bytes:
    """Return what is in a file that someone named; ``OSError`` if it is no file, or too large.

    A pipe or a device could make the reader wait, or send without an end.
    """
    at_once = getattr(os, "O_NONBLOCK", 0)  # else opening a pipe waits for its writer
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | at_once)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a file")
        if len(data := file.read(most + 1)) > most:
            raise OSError(errno.EFBIG, f"it is larger than {most} bytes")
    return data


def is_in_place(path: Path, descriptor: int) -> bool:
    """Whether a path leads to an open file or folder, which was not deleted or replaced."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except (FileNotFoundError, NotADirectoryError):
        return False


def is_device(path: Path) -> bool:
    """Whether a path is one such as ``/dev/stdout``, which cannot be replaced."""
    return str(path.parent) in DEVICES


def verify_replaceable(path: Path, folder: Path | None) -> None:
    """Verify that :func:`replace_file` can write a file, which is not changed; ``OSError``."""
    if path.is_dir() and not path.is_symlink():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not is_device(path):
        descriptor, new = _new_file(path, folder)
        os.close(descriptor)
        os.unlink(new)


def replace_file(path: Path, content: bytes, folder: Path | None = None) -> None:
    """Write a file whole or not at all, in place of whatever has its name; ``OSError``.

    A link of that name is replaced, or else a stranger's folder could have any file of ours
    overwritten. No link inside ``folder`` is followed, which is that of a player who is not
    trusted. Another name of an earlier file keeps its content.
    """
    if is_device(path):
        path.write_bytes(content)
        return
    descriptor, new = _new_file(path, folder)
    try:
        _put_in_place(descriptor, new, content, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


def replace_private_file(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all; ``OSError``.

    It survives a loss of power. Two processes must not write it at once, since what a killed one
    has left behind is removed.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    _put_in_place(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), new, content, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _put_in_place(descriptor: int, new: Path, content: bytes, path: Path) -> None:
    """Write an opened new file, and give it the name it shall have once it is on the disk."""
    with open(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    os.replace(new, path)


def _new_file(path: Path, folder: Path | None) -> tuple[int, Path]:
    """Open a new file beside ``path``; return its name, too."""
    parent = path.absolute().parent
    for place in (parent, *parent.parents):
        real = Path(os.path.realpath(place.parent))
        inside = folder is not None and real.is_relative_to(os.path.realpath(folder))
        if inside and place.is_symlink():
            raise OSError(errno.ELOOP, f"{place} is a link in the player's folder", str(path))
    new = parent / f".{token_hex(8)}.new"
    return os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), new
