"""Files that only their owner can read, written whole or not at all."""

import os
from pathlib import Path

PRIVATE = 0o600
"""The mode of such a file: its owner may read and write it, nobody else."""


def write_private_file(path: Path, data: bytes) -> None:
    """Write a file so that it survives a loss of power too; ``OSError``.

    Two processes must not write it at once.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)
        opened.flush()
        os.fsync(file)
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
