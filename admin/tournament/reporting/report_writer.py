"""The folder of a report, written whole or not at all: in a folder beside it, then put in place."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from ..store.published import MANIFEST, PATH, SIGNATURE, FileEntry, sign_manifest
from .page_files import FOLDERS

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class FolderTakenError(Exception):
    """A folder has other files than a report's; the text is a user-facing message."""


class ReportWriter:
    """Writes the files of a report; as a context, it removes what was not finished.

    Until ``finish`` an earlier report stays as it is: pages are made while logs are verified, and
    only when all of them hold is it known that there will be a report.
    """

    def __init__(self, folder: Path) -> None:
        """``FolderTakenError`` if the folder has other files, ``OSError`` if it cannot be made."""
        self.folder = folder
        self.entries: dict[str, FileEntry] = {}
        self._earlier = set()
        for path, entry in walk(folder):
            known = PATH.fullmatch(path) or path in (MANIFEST, SIGNATURE)
            if not known or not entry.is_file(follow_symlinks=False):
                raise FolderTakenError(
                    f"{folder} cannot be written: {ascii(path)[1:-1]} in it is not a file of a "
                    "report. Remove it, or give another folder with --to."
                )
            self._earlier.add(path)
        folder.parent.mkdir(parents=True, exist_ok=True)
        # hidden, and on the same disk, so that files need only be renamed
        self._new = TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._new.cleanup()

    def write(self, path: str, data: bytes | Iterable[bytes]) -> None:
        """Write a file, whole or in parts."""
        digest, size = hashlib.sha256(), 0
        file = Path(self._new.name, path)
        file.parent.mkdir(exist_ok=True)
        with file.open("wb") as opened:
            for part in [data] if isinstance(data, bytes) else data:
                opened.write(part)
                digest.update(part)
                size += len(part)
        self.entries[path] = FileEntry(digest.hexdigest(), size)

    def finish(self, manifest: bytes, key: "Ed25519PrivateKey | None") -> None:
        """Put all files in place, the manifest last, and remove those of an earlier report."""
        self.folder.mkdir(exist_ok=True)
        for path in (MANIFEST, SIGNATURE):  # first, so that no half of a report looks like a whole
            (self.folder / path).unlink(missing_ok=True)
        for path in self._earlier - self.entries.keys():
            (self.folder / path).unlink(missing_ok=True)
        for path in self.entries:
            (self.folder / path).parent.mkdir(exist_ok=True)
            Path(self._new.name, path).replace(self.folder / path)
        for name in FOLDERS:
            folder = self.folder / name
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        if key is not None:
            (self.folder / SIGNATURE).write_bytes(sign_manifest(key, manifest))
        (self.folder / MANIFEST).write_bytes(manifest)


def walk(folder: Path, prefix: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all that is in a report's folder but hidden files, without following links."""
    if not folder.is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("."):
                continue
            path = prefix + entry.name
            if not prefix and entry.name in FOLDERS and entry.is_dir(follow_symlinks=False):
                yield from walk(Path(entry.path), f"{entry.name}/")
            else:
                yield path, entry
