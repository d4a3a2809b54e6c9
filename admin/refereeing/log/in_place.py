"""Whether what is written to is still where its name leads.

A file that was deleted can still be written to, and is gone when it is closed.
"""

import errno
import os
from pathlib import Path

DELETED = "it was deleted or replaced while the referee was running"


def verify_in_place(path: Path, descriptor: int) -> None:
    """Verify that a path leads to an open file or folder; ``OSError`` if not."""
    try:
        in_place = os.path.samestat(os.stat(path), os.fstat(descriptor))
    except (FileNotFoundError, NotADirectoryError):
        in_place = False
    if not in_place:
        raise OSError(errno.ESTALE, DELETED)


class FileInPlace:
    """A new file, unbuffered: it is written to only as long as it is in place.

    ``FileExistsError`` where there is one already, and ``OSError`` for whatever else goes wrong.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("xb", buffering=0)

    def write(self, data: bytes, /) -> int:
        """Write bytes, and verify that they are where they should be."""
        count = self._file.write(data)
        verify_in_place(self._path, self._file.fileno())
        return count

    def close(self) -> None:
        """Close the file."""
        self._file.close()
