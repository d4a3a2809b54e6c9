"""Files for the instructor alone, in a folder that nobody else can open."""

import os
from pathlib import Path

FOLDER_MODE, FILE_MODE = 0o700, 0o600


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all; ``OSError``."""
    path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    path.parent.chmod(FOLDER_MODE)
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(file, "wb") as opened:
        opened.write(text.encode(errors="replace"))
    new.replace(path)
