"""The folder of a player: its files, their hash, and copies of it.

A folder has regular files, and relative links that lead to something in it. Everything else is
refused, such as a link to a tournament's secret, so that a copy is complete, contains nothing of
anybody else, and is the same on another machine. Folders count only through the files in them. What
version control and Python leave in a folder is not part of it (``IGNORED``).
"""

import hashlib
import lzma
import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import accumulate, groupby
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ...protocol.user_error import UserError

MAX_FOLDER_BYTES = 64 * 2**20
MAX_FOLDER_FILES = 10_000
MAX_DEPTH = 32
MAX_PATH_BYTES = 1000
IGNORED = frozenset({".git", ".hg", ".svn", ".DS_Store", "__pycache__"})
"""Names of files and folders that are left out."""
VERSION_DIGITS = 12
LENGTH = 8  # bytes in which a length is written
MAX_ARCHIVE_BYTES = MAX_FOLDER_BYTES + MAX_FOLDER_FILES * 2**13
"""How many bytes an archive has unpacked, with the paths and links in it."""
MODIFIED = 1_000_000_000  # when all files of a copy were modified, so that none seems outdated


class FolderRefused(UserError):
    """A folder cannot be copied; the text is user-facing."""

    def __init__(self, text: str) -> None:
        super().__init__(text.replace("\n", " "))  # the name of a file may look like two lines


class FolderEntry(NamedTuple):
    """A file of a folder, or a link: its path in it, and its bytes or where it leads."""

    path: str
    kind: str
    content: bytes


FILE, EXECUTABLE, LINK = "f", "x", "l"  # the kinds of entries
FOLDER = os.O_RDONLY | os.O_DIRECTORY  # how a folder is opened to be read,
PASSED = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY  # and on the way: it may be closed
MAX_LINKS = 40  # on the way to a folder, as the kernel has it


class FolderLimits(NamedTuple):
    """How large a folder may be, and which names in it do not count."""

    size: int = MAX_FOLDER_BYTES
    files: int = MAX_FOLDER_FILES
    ignored: frozenset[str] = IGNORED


PLAYER_FOLDER = FolderLimits()  # the limits of what is handed in


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
    return digest_of(read_folder(folder, limits))


def digest_of(entries: Iterable[FolderEntry] = ()) -> str:
    """Return the digest of a folder with these entries, in order, as 64 hexadecimal digits."""
    found = hashlib.sha256()
    for part in _written(entries):
        found.update(part)
    return found.hexdigest()


def _written(entries: Iterable[FolderEntry]) -> Iterator[bytes]:
    """Yield entries as bytes: each part after its length, so that no two folders are alike."""
    for entry in entries:
        for part in (entry.path.encode(), entry.kind.encode(), entry.content):
            yield len(part).to_bytes(LENGTH)
            yield part


def hash_of_files(folder: Path, files: Iterable[Path]) -> str:
    """Return the version of some files in a folder, in any order; ``FolderRefused``."""
    return digest_of(read_files(folder, files))[:VERSION_DIGITS]


def read_files(folder: Path, files: Iterable[Path]) -> Iterator[FolderEntry]:
    """Yield some files in a folder, in the order of their paths; ``FolderRefused``."""
    found = {str(file.relative_to(folder)): file.is_symlink() for file in files}
    return _entries(folder, found, lambda parent: _opened(folder / parent))


def read_folder(
    folder: Path, limits: FolderLimits = PLAYER_FOLDER, owner: int | None = None
) -> Iterator[FolderEntry]:
    """Yield what a folder contains, in the order of the paths; ``FolderRefused``.

    With ``owner``, files of other users are refused.
    """
    with _refusing(folder), _opened(folder) as root:
        found = dict(_walk(folder, root, limits))
        folders = {str(parent) for path in found for parent in PurePosixPath(path).parents}
        inside = partial(_opened_in, root)
        yield from _entries(folder, found, inside, limits, owner, {*found, *folders})


def _entries(
    folder: Path,
    found: Mapping[str, bool],
    opened: Callable[[str], AbstractContextManager[int]],
    limits: FolderLimits = PLAYER_FOLDER,
    owner: int | None = None,
    targets: Container[str] | None = None,
) -> Iterator[FolderEntry]:
    """Yield entries by path and whether each is a link, which may lead to ``targets`` only.

    ``opened`` opens the folder that some are in.
    """
    left = limits.size
    for parent, paths in groupby(sorted(found), os.path.dirname):
        with _refusing(folder / parent), opened(parent) as inside:
            for path in paths:
                with _refusing(folder / path):
                    if found[path]:
                        target = os.readlink(os.path.basename(path), dir_fd=inside)
                        if targets is not None:
                            _verify_target(folder, path, target, found, targets)
                        entry = FolderEntry(path, LINK, target.encode(errors="surrogateescape"))
                    else:
                        entry = _read(folder, path, inside, left, owner)
                        left -= len(entry.content)
                yield entry


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FolderRefused(f"{path} cannot be read: {error.strerror}.") from error


# Who owns a folder can exchange what is in it at any moment, and this process may read more than
# they. So every folder is opened in the one above it, and links lead nowhere.


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder. On the way there, no link is followed that may be a player's."""
    trusted, by_sudo = {0, os.geteuid()}, os.environ.get("SUDO_UID", "")
    if os.geteuid() == 0 and by_sudo.isdecimal():
        trusted.add(int(by_sudo))
    left, links = [*reversed(folder.absolute().parts)], 0
    opened = os.open(left.pop(), PASSED)
    try:
        while left:
            found = os.stat(part := left.pop(), dir_fd=opened, follow_symlinks=False)
            if stat.S_ISLNK(found.st_mode) and (links := links + 1) <= MAX_LINKS:
                if found.st_uid not in trusted:
                    why = f"{part} is a link of another user"
                    raise FolderRefused(f"{folder}: {why}. Give the path without links.")
                left += reversed(Path(os.readlink(part, dir_fd=opened)).parts)
                continue
            opened = _stepped(opened, part, PASSED)
        yield opened
    finally:
        os.close(opened)


@contextmanager
def _opened_in(root: int, inside: str) -> Iterator[int]:
    """Open a folder in an open one."""
    opened = os.open(".", FOLDER, dir_fd=root)
    try:
        for part in PurePosixPath(inside).parts:
            opened = _stepped(opened, part, FOLDER)
        yield opened
    finally:
        os.close(opened)


def _stepped(above: int, name: str, how: int) -> int:
    """Open a folder, which may be no link, in an open one, which is closed then."""
    opened = os.open(name, how | os.O_NOFOLLOW, dir_fd=above)
    os.close(above)
    return opened


def entries_of(
    folder: Path, ignored: Container[str] = IGNORED
) -> Iterator[tuple[PurePosixPath, os.DirEntry[str]]]:
    """Yield what is in a folder and in those below, one by one; ``FolderRefused``.

    There may be millions: take no more than you need.
    """
    with _refusing(folder), _opened(folder) as root:
        yield from _entries_in(folder, root, ignored)


def _entries_in(
    folder: Path, root: int, ignored: Container[str]
) -> Iterator[tuple[PurePosixPath, os.DirEntry[str]]]:
    pending = [PurePosixPath()]
    while pending:
        inside = pending.pop()
        with (
            _refusing(folder / inside),
            _opened_in(root, str(inside)) as opened,
            os.scandir(opened) as scanned,
        ):
            for entry in scanned:
                if entry.name not in ignored:
                    yield inside / entry.name, entry
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(inside / entry.name)


def _walk(folder: Path, root: int, limits: FolderLimits) -> Iterator[tuple[str, bool]]:
    """Yield the paths of files and links in an open folder, and whether each is a link."""
    for count, (path, entry) in enumerate(_entries_in(folder, root, limits.ignored), 1):
        if count > limits.files:
            raise FolderRefused(
                f"{folder} contains more than {limits.files} files and folders. Leave out what "
                "the player does not need."
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
        if not entry.is_dir(follow_symlinks=False):
            yield str(path), entry.is_symlink()


def _verify_target(
    folder: Path, path: str, target: str, found: Mapping[str, bool], targets: Container[str]
) -> None:
    """Verify that a link leads to one of the ``targets``, and not through a link."""
    above = os.path.dirname(path)
    steps = accumulate(target.split("/")[:-1], os.path.join, initial=above)
    # after a link, ".." is not where the words say
    through = os.path.isabs(target) or any(found.get(os.path.normpath(step)) for step in steps)
    if through or os.path.normpath(os.path.join(above, target)) not in targets:
        raise FolderRefused(
            f"{folder / path} is a link that leads out of the folder, or to nothing ({target!r}). "
            "Put the file itself there."
        )


def _read(folder: Path, path: str, inside: int, left: int, owner: int | None) -> FolderEntry:
    """Read a regular file of at most ``left`` bytes in an open folder; ``OSError``."""

    # neither follow a link that was put there meanwhile, nor wait for the other end of a pipe
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=inside)

    with open(os.path.basename(path), "rb", opener=opener) as file:
        found = os.fstat(file.fileno())
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
    target.mkdir(parents=True)

    def copied() -> Iterator[FolderEntry]:
        for entry in read_folder(source, limits, owner):
            _write(target, entry)
            yield entry

    digest = digest_of(copied())
    _open_to_all(target)
    return digest


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


def pack_folder(folder: Path) -> tuple[str, bytes]:
    """Return the digest of a folder, and it as a compressed archive; ``FolderRefused``.

    The same content gives the same bytes.
    """
    content = b"".join(_written(read_folder(folder)))
    return hashlib.sha256(content).hexdigest(), lzma.compress(content, preset=1)


def unpack_folder(packed: bytes, target: Path) -> str:
    """Write the folder that an archive contains to a new one; return its digest.

    ``FolderRefused`` if the archive is damaged, or too large. Compare the digest before anything
    in the folder is used.
    """
    target.mkdir(parents=True)
    unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    try:
        entries = list(_read_entries(unpacking.decompress(packed, MAX_ARCHIVE_BYTES)))
        if not unpacking.eof or len(entries) > MAX_FOLDER_FILES:
            raise ValueError("it is cut off, or too large")
        # links are written last, and deep ones first, so that nothing is written through one
        for entry in sorted(entries, key=lambda entry: (entry.kind == LINK, -len(entry.path))):
            _write(target, entry)
    except (lzma.LZMAError, EOFError, OSError, ValueError) as error:
        raise FolderRefused(f"The archive of a player's folder is damaged: {error}.") from error
    _open_to_all(target)
    return digest_of_folder(target)


def _read_entries(content: bytes) -> Iterator[FolderEntry]:
    """Yield the entries of an archive; ``ValueError`` if no folder can contain one."""
    parts = _read_parts(content)
    for path, kind, data in zip(parts, parts, parts, strict=True):
        entry = FolderEntry(path.decode(), kind.decode(), data)
        place = PurePosixPath(entry.path)
        if place.is_absolute() or ".." in place.parts or not place.parts:
            raise ValueError(f"{entry.path!r} is not a path in it")
        if entry.kind not in (FILE, EXECUTABLE, LINK):
            raise ValueError(f"{entry.path!r} is not a regular file")
        yield entry


def _read_parts(content: bytes) -> Iterator[bytes]:
    begin = 0
    while begin < len(content):
        end = begin + LENGTH + int.from_bytes(content[begin : begin + LENGTH])
        if end > len(content):
            raise ValueError("it is cut off")
        yield content[begin + LENGTH : end]
        begin = end
