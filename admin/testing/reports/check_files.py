"""Writes the reports that were asked for, each to its file.

A player may have put anything into its folder, in which a report may be as well: a link in its
place, or another name of a file. So a report is always a new file, which takes the place in one
step, and no link in the player's folder is followed.
"""

import errno
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from ..judging.check_result import CheckResult

DEVICES = ("/dev", "/dev/fd", "/proc/self/fd")
"""Folders with ``stdout`` and the like, which are written as they are."""


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """The paths of the reports by format, and the folder of a player who is not trusted.

    A format is the name of its command-line option; ``write_as`` has the function of each.
    """

    paths: Mapping[str, Path]
    write_as: Mapping[str, Callable[[CheckResult], bytes]]
    folder: Path | None = None

    def unwritable(self) -> str | None:
        """Return why one of the files cannot be written, or ``None``; no file is left behind."""
        for option, path in self.paths.items():
            try:
                verify_replaceable(path, self.folder)
            except OSError as error:
                return f"--{option}: cannot write {path}: {error.strerror}."
        return None

    def remove_old(self) -> None:
        """Remove earlier reports: they would be taken for those of a check that was killed."""
        for path in self.paths.values():
            if not _is_device(path):
                with suppress(OSError):  # writing it will report this
                    path.unlink(missing_ok=True)

    def write(self, check: CheckResult) -> list[str]:
        """Write the files; return an error message for each that could not be written."""
        errors = []
        for option, path in self.paths.items():
            try:
                replace_file(path, self.write_as[option](check), self.folder)
            except OSError as error:
                errors.append(f"Cannot write {path}: {error.strerror}.")
        return errors


def verify_replaceable(path: Path, folder: Path | None) -> None:
    """Verify that :func:`replace_file` can write a file, which is not changed; ``OSError``."""
    if path.is_dir() and not path.is_symlink():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not _is_device(path):
        descriptor, new = _new_file(path, folder)
        os.close(descriptor)
        os.unlink(new)


def replace_file(path: Path, content: bytes, folder: Path | None) -> None:
    """Write a file whole or not at all, in place of whatever has its name; ``OSError``.

    No link inside ``folder`` is followed, which is that of a player who is not trusted. Another
    name of an earlier file keeps its content.
    """
    if _is_device(path):
        path.write_bytes(content)
        return
    descriptor, new = _new_file(path, folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.replace(new, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise


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


def _is_device(path: Path) -> bool:
    return str(path.parent) in DEVICES
