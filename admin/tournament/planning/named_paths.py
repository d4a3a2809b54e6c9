"""The files that the settings of a player name: they are visible to its program in a sandbox."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from admin.launching.sandbox_files import SYSTEM
from admin.tournament.planning.plan import Entrant

DEVICES = ("/dev/null", "/dev/random", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/urandom")


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


def names_outside(player: Entrant, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the files outside a folder, and outside the system, that settings name.

    Each comes after the name of the setting.
    """
    settings = {
        "command": player.command or (),
        "build": player.build or (),
        "environment": player.environment.values(),
    }
    for setting, words in settings.items():
        for part in parts_of(words):
            path = Path(os.path.normpath(folder / part))
            known = (folder, *map(Path, SYSTEM), *map(Path, DEVICES))
            if exists(path) and not any(path.is_relative_to(place) for place in known):
                yield setting, part
