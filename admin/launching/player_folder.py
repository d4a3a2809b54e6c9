"""The folder of a player: its files, their hash, and copies of it.

A folder has regular files, and relative links that lead to something in it. Everything else is
refused, such as a link to a tournament's secret, so that a copy is complete, contains nothing of
anybody else, and is the same on another machine. Folders count only through the files in them. What
version control and Python leave in a folder is not part of it (``IGNORED``).
"""

import hashlib
import io
import os
import stat
import tarfile
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MAX_FOLDER_BYTES = 64 * 2**20
MAX_FOLDER_FILES = 10_000
MAX_DEPTH = 32
MAX_PATH_BYTES = 1000
IGNORED = frozenset({".git", ".hg", ".svn", ".DS_Store", "__pycache__"})
"""Names of files and folders that are left out."""
VERSION_DIGITS = 12
MODIFIED = 1_000_000_000
"""The time at which all files of a copy were modified: no tool takes one for older than another."""


class FolderRefused(Exception):
    """A folder cannot be copied; the text is user-facing."""


class FolderEntry(NamedTuple):
    """A file of a folder, or a link: its path in it, and its bytes or where it leads."""

    path: str
    kind: str
    content: bytes


FILE, EXECUTABLE, LINK = "f", "x", "l"
"""The kinds of entries."""


class FolderLimits(NamedTuple):
    """How large a folder may be, and which names in it do not count."""

    size: int = MAX_FOLDER_BYTES
    files: int = MAX_FOLDER_FILES
    ignored: frozenset[str] = IGNORED


PLAYER_FOLDER = FolderLimits()
"""The limits of what is handed in."""


class ReadFolder(NamedTuple):
    """What is known of a folder that was read: its digest, or else why it cannot be copied.

    ``refusal`` is a sentence. Both are empty of a folder that is not read as a whole.
    """

    digest: str = ""
    refusal: str = ""

    @property
    def version(self) -> str:
        """The first digits of the digest, by which people know a version."""
        return self.digest[:VERSION_DIGITS]

    @classmethod
    def of(cls, folder: Path) -> "ReadFolder":
        """Read a folder."""
        try:
            return cls(digest_of_folder(folder))
        except FolderRefused as error:
            return cls(refusal=str(error))


def digest_of_folder(folder: Path, limits: FolderLimits = PLAYER_FOLDER) -> str:
    """Return the SHA-256 digest of a folder's content, in hexadecimal; ``FolderRefused``.

    It covers the path, the executable bit and the bytes of every file, and the links, in the order
    of their paths; not the folder's name, other permissions, times, or empty folders.
    """
    return FolderDigest(read_folder(folder, limits)).value


def hash_of_files(folder: Path, files: Iterable[Path]) -> str:
    """Return the version of some files in a folder, in any order; ``FolderRefused``."""
    found = {str(file.relative_to(folder)): file.is_symlink() for file in files}
    entries = _entries(folder, found, PLAYER_FOLDER, None, None)
    return FolderDigest(entries).value[:VERSION_DIGITS]


class FolderDigest:
    """The digest of a folder, from its entries in order; of none, that of an empty folder."""

    def __init__(self, entries: Iterable[FolderEntry] = ()) -> None:
        self._hash = hashlib.sha256()
        for entry in entries:
            self.add(entry)

    def add(self, entry: FolderEntry) -> None:
        """Add an entry; every part is preceded by its length, so that no two folders are alike."""
        for part in (entry.path.encode(), entry.kind.encode(), entry.content):
            self._hash.update(len(part).to_bytes(8))
            self._hash.update(part)

    @property
    def value(self) -> str:
        """The digest of the entries so far, 64 hexadecimal digits."""
        return self._hash.hexdigest()


def read_folder(
    folder: Path, limits: FolderLimits = PLAYER_FOLDER, owner: int | None = None
) -> Iterator[FolderEntry]:
    """Yield what a folder contains, in the order of the paths; ``FolderRefused``.

    With ``owner``, files of other users are refused.
    """
    found = dict(_walk(folder, limits))
    folders = {str(parent) for path in found for parent in PurePosixPath(path).parents}
    yield from _entries(folder, found, limits, owner, {*found, *folders})


def _entries(
    folder: Path,
    found: Mapping[str, bool],
    limits: FolderLimits,
    owner: int | None,
    targets: Container[str] | None,
) -> Iterator[FolderEntry]:
    """Yield entries by path and whether each is a link, which may lead to ``targets`` only."""
    size = 0
    for path in sorted(found):
        if found[path]:
            yield FolderEntry(path, LINK, _target(folder, path, targets))
            continue
        entry = _read(folder, path, limits.size - size, owner)
        size += len(entry.content)
        yield entry


def _walk(folder: Path, limits: FolderLimits) -> Iterator[tuple[str, bool]]:
    """Yield the paths of files and links in a folder, and whether each is a link."""
    count = 0
    pending = [PurePosixPath()]
    while pending:
        inside = pending.pop()
        try:
            with os.scandir(folder / inside) as scanned:
                entries = [entry for entry in scanned if entry.name not in limits.ignored]
        except OSError as error:
            raise FolderRefused(f"{folder / inside} cannot be read: {error.strerror}.") from error
        for entry in entries:
            path = inside / entry.name
            count += 1
            if count > limits.files:
                raise FolderRefused(
                    f"{folder} contains more than {limits.files} files and folders. Leave out "
                    "what the player does not need."
                )
            try:
                length = len(str(path).encode())
            except UnicodeEncodeError:
                raise FolderRefused(
                    f"{folder} contains a name that is not UTF-8: {str(path)!r}. Rename it."
                ) from None
            if length > MAX_PATH_BYTES or len(path.parts) > MAX_DEPTH:
                raise FolderRefused(
                    f"{folder} contains a path of more than {MAX_PATH_BYTES} bytes or {MAX_DEPTH} "
                    f"folders: {str(path)[:60]!r}... Shorten it."
                )
            if entry.is_dir(follow_symlinks=False):
                pending.append(path)
            else:
                yield str(path), entry.is_symlink()


def _target(folder: Path, path: str, targets: Container[str] | None) -> bytes:
    """Return where a link leads, if it may."""
    try:
        target = os.readlink(folder / path)
    except OSError as error:
        raise FolderRefused(f"{folder / path} cannot be read: {error.strerror}.") from error
    leads_to = os.path.normpath(os.path.join(os.path.dirname(path), target))
    if targets is not None and (os.path.isabs(target) or leads_to not in targets):
        raise FolderRefused(
            f"{folder / path} is a link that leads out of the folder, or to nothing ({target!r}). "
            "Put the file itself there."
        )
    return target.encode(errors="surrogateescape")


def _read(folder: Path, path: str, left: int, owner: int | None) -> FolderEntry:
    """Read a regular file of at most ``left`` bytes."""
    try:
        # neither follow a link that was put there meanwhile, nor wait for the other end of a pipe
        opened = os.open(folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise FolderRefused(f"{folder / path} cannot be read: {error.strerror}.") from error
    with open(opened, "rb") as file:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            raise FolderRefused(f"{folder / path} is not a regular file. Remove it.")
        if owner is not None and found.st_uid != owner:
            raise FolderRefused(f"{folder / path} belongs to somebody else.")
        content = file.read(left + 1) if found.st_size <= left else None
    if content is None or len(content) > left:
        raise FolderRefused(
            f"{folder} is too large: its files have more bytes than it may have. Leave out what "
            "the player does not need."
        )
    return FolderEntry(path, EXECUTABLE if found.st_mode & stat.S_IXUSR else FILE, content)


# -- copies -------------------------------------------------------------------------------------


def copy_folder(
    source: Path, target: Path, limits: FolderLimits = PLAYER_FOLDER, owner: int | None = None
) -> str:
    """Copy a folder to a new one that everybody can read; return the digest of the copy.

    ``FolderRefused`` as :func:`read_folder`; ``OSError`` if the copy cannot be written.
    """
    digest = FolderDigest()
    target.mkdir(parents=True)
    for entry in read_folder(source, limits, owner):
        _write(target, entry)
        digest.add(entry)
    _open_to_all(target)
    return digest.value


def _write(target: Path, entry: FolderEntry) -> None:
    path = target / entry.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if entry.kind == LINK:
        path.symlink_to(os.fsdecode(entry.content))
        return
    with path.open("xb") as file:
        file.write(entry.content)
    path.chmod(0o755 if entry.kind == EXECUTABLE else 0o644)
    os.utime(path, (MODIFIED, MODIFIED))


def _open_to_all(folder: Path) -> None:
    """Let everybody read the folders in a folder: a program may have a user of its own."""
    for inside, _, _ in os.walk(folder):
        os.chmod(inside, 0o755)


# -- archives -----------------------------------------------------------------------------------


def pack_folder(folder: Path) -> bytes:
    """Return a folder as a compressed archive; the same content gives the same bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", preset=1, format=tarfile.PAX_FORMAT) as archive:
        for entry in read_folder(folder):
            member = tarfile.TarInfo(entry.path)
            member.mode = 0o755 if entry.kind == EXECUTABLE else 0o644
            if entry.kind == LINK:
                member.type = tarfile.SYMTYPE
                member.linkname = os.fsdecode(entry.content)
                archive.addfile(member)
            else:
                member.size = len(entry.content)
                archive.addfile(member, io.BytesIO(entry.content))
    return packed.getvalue()


def unpack_folder(packed: bytes, target: Path) -> str:
    """Write the folder that an archive contains to a new one; return its digest.

    ``FolderRefused`` if the archive is damaged, or too large. Compare the digest before anything
    in the folder is used.
    """
    left = MAX_FOLDER_BYTES
    links: list[FolderEntry] = []
    target.mkdir(parents=True)
    try:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r:xz") as archive:
            for number, member in enumerate(archive):
                left -= member.size
                if left < 0 or number >= MAX_FOLDER_FILES:
                    raise FolderRefused("The archive of a player's folder is too large.")
                entry = _entry(archive, member)
                if entry.kind == LINK:  # written last, so that no file is written through one
                    links.append(entry)
                else:
                    _write(target, entry)
        for entry in links:
            _write(target, entry)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise FolderRefused(f"The archive of a player's folder is damaged: {error}.") from error
    _open_to_all(target)
    return digest_of_folder(target)


def _entry(archive: tarfile.TarFile, member: tarfile.TarInfo) -> FolderEntry:
    """Return a member of an archive; ``ValueError`` if no folder can contain it."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{member.name!r} is not a path in it")
    if member.issym():
        return FolderEntry(member.name, LINK, os.fsencode(member.linkname))
    content = archive.extractfile(member) if member.isreg() else None
    if content is None:
        raise ValueError(f"{member.name!r} is not a regular file")
    kind = EXECUTABLE if member.mode & stat.S_IXUSR else FILE
    return FolderEntry(member.name, kind, content.read())
