"""The paths in the words of a player's settings.

What a hand-in writes is judged by its text alone, never by what is there: files come and go, and
nothing that it names is shown to it for being named.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from .sandbox_files import SYSTEM

EVERYWHERE = (*SYSTEM, "/etc", "/dev", "/proc", "/tmp")
"""Folders that every program has, with or without a sandbox."""
ADDRESS = "//"
"""What follows the colon of an address, which is no path."""


def parts_of(words: Iterable[str]) -> Iterator[str]:
    """Yield words, and their parts between ``=`` and ``:``, each of which may be a path."""
    for word in words:
        for part in (word, *re.split(f"[={re.escape(os.pathsep)}]", word)):
            if part:
                yield part


def exists(path: Path) -> bool:
    """Whether there is a file or folder; not if that cannot be a path."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def leads_out(part: str) -> bool:
    """Whether a text is a path to something that is neither in a program's folder nor everywhere.

    >>> [leads_out(part) for part in ("lib/a.jar", "../b", "x/../../b", "/usr/bin/env", "/srv/b")]
    [False, True, True, False, True]
    """
    path = os.path.normpath(part)
    if path.startswith("/"):
        known = any(os.path.commonpath((path, place)) == place for place in EVERYWHERE)
        return not (known or path == "/" or part.startswith(ADDRESS))
    return path == os.pardir or path.startswith(os.pardir + os.sep)
