"""Files that programs make: how many there are, and removing what they leave behind.

Only standard library: the supervisor, which imports this, has to start quickly.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress

BLOCK = 512  # bytes of a block of `os.stat`
MAX_DEPTH = 32  # how deep folders where everyone may write are searched
MAX_PATH = 3000  # letters in a path; the system refuses paths that are little longer


def files_in_sandbox(process: int, folder: str) -> int:
    """Return how many files are in a folder that a sandboxed process sees and others do not.

    It is 0 as long as the sandbox is being built, and the process sees the same folder as others.
    """
    seen = f"/proc/{process}/root{folder}"
    with suppress(OSError):
        if os.stat(seen).st_dev != os.stat(folder).st_dev:
            found = os.statvfs(seen)
            return found.f_files - found.f_ffree
    return 0


def size_of_files(uid: int, folder: str, shared: tuple[str, ...], most: int) -> tuple[int, int]:
    """Return the number and the size in bytes of a user's files, in a folder of its own and others.

    Not more than ``most`` files are counted, and one that is more; folders that cannot be looked
    into count as that many.
    """
    files = size = 0
    pending = [folder]
    for place in shared:
        for opened, name in _owned(place, uid):
            files += 1
            if files > most:
                return files, size
            with suppress(OSError):
                found = os.stat(name, dir_fd=opened, follow_symlinks=False)
                size += found.st_blocks * BLOCK
                if stat.S_ISDIR(found.st_mode):
                    pending.append(os.path.join(os.readlink(f"/proc/self/fd/{opened}"), name))
    while pending and files <= most:
        inside = pending.pop()
        if len(inside) > MAX_PATH:
            return most + 1, size
        if not os.access(inside, os.R_OK | os.X_OK) and os.path.lexists(inside):
            return most + 1, size
        with suppress(OSError), os.scandir(inside) as entries:
            for entry in entries:
                files += 1
                if files > most:
                    break
                with suppress(OSError):
                    size += entry.stat(follow_symlinks=False).st_blocks * BLOCK
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
    return files, size


def remove_files_of(uid: int, folders: tuple[str, ...]) -> None:
    """Remove the files of a user in folders where everyone may write."""
    for folder in folders:
        for opened, name in _owned(folder, uid):
            _remove_within(opened, name)


def _remove_within(opened: int, name: str) -> None:
    """Remove a file or folder from an open folder, whatever has become of the path to it."""
    with suppress(OSError):
        os.unlink(name, dir_fd=opened)
        return
    child = os.fork()
    if child == 0:
        try:
            os.fchdir(opened)
            os.execvp("rm", ["rm", "-rf", "--", f"./{name}"])
        finally:
            os._exit(1)
    os.waitpid(child, 0)


def _owned(folder: str, uid: int, depth: int = 0) -> Iterator[tuple[int, str]]:
    """Yield what a user owns in a folder, and in its folders where everyone may write.

    It is an open folder and a name in it: a living program of another user may put a link in the
    place of a folder of its own at any moment, so no path is followed twice.
    """
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | (depth and os.O_NOFOLLOW))
        try:
            for name in os.listdir(opened):
                with suppress(OSError):
                    found = os.stat(name, dir_fd=opened, follow_symlinks=False)
                    shared = stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_IWOTH
                    if found.st_uid == uid:
                        yield opened, name
                    elif shared and depth < MAX_DEPTH:
                        yield from _owned(f"/proc/self/fd/{opened}/{name}", uid, depth + 1)
        finally:
            os.close(opened)
