"""What a launched player sees of the tournament's files when it has a sandbox.

It sees its folder, and what its command and its variables name, without what belongs to other
players. Of a folder that contains the tournament file or the store it sees only what is named.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from admin.launching.program import Program
from admin.tournament.planning.plan import Entrant, Plan
from admin.tournament.results.secret_file import secret_path

STORE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def program_of(plan: Plan, player: Entrant, store: Path) -> Program:
    """Return the program that plays for a player; ``KeyError`` if it has no command."""
    if player.command is None:
        raise KeyError(player.name)
    own = _visible(plan, player, store)
    hidden = {*_private(plan, store)}
    for other in plan.players:
        if other.command is not None and other.name != player.name:
            theirs = {*_visible(plan, other, store)} - {*own}
            hidden |= {path for path in theirs if not _contains_any(path, own)}
    read_only = tuple(plan.folder / path for path in plan.limits.read_only)
    return Program(
        player.command,
        _folder(plan, player),
        player.environment,
        visible=(*own, *read_only),
        hidden=tuple(sorted(hidden)),
    )


def programs_of(plan: Plan, store: Path) -> list[Program]:
    """Return the programs of all players that have one."""
    return [program_of(plan, player, store) for player in plan.players if player.command]


def folder_warnings(plan: Plan, store: Path) -> Iterator[str]:
    """Yield user-facing sentences about players whose folders do not keep their files apart."""
    folders: dict[Path, list[str]] = {}
    for player in plan.players:
        if player.command is None:
            continue
        folders.setdefault(_folder(plan, player).resolve(), []).append(player.name)
        if has_no_folder_of_its_own(plan, player, store):
            yield (
                f"{player.name} has no folder of its own: in bubblewrap it sees only the files "
                "that its command names. Set its directory."
            )
    for names in folders.values():
        if len(names) > 1:
            shared = f"{', '.join(names[:-1])} and {names[-1]} have the same folder"
            yield f"{shared}, where they can read each other's files."


def has_no_folder_of_its_own(plan: Plan, player: Entrant, store: Path) -> bool:
    """Whether a player's folder contains the tournament file or the store."""
    return _is_shared(_folder(plan, player), plan, store)


def _folder(plan: Plan, player: Entrant) -> Path:
    return Path(os.path.normpath(plan.folder / (player.directory or "")))


def _is_shared(path: Path, plan: Plan, store: Path) -> bool:
    """Whether a folder has more in it than one player's files."""
    return _contains_any(path, (plan.folder, store.absolute(), Path.home()))


def _visible(plan: Plan, player: Entrant, store: Path) -> tuple[Path, ...]:
    folder = _folder(plan, player)
    own = () if _is_shared(folder, plan, store) else (folder,)
    named = (path for path in _named(player, folder) if not _is_shared(path, plan, store))
    return tuple(dict.fromkeys((*own, *(_with_siblings(path, plan, store) for path in named))))


def _named(player: Entrant, folder: Path) -> Iterator[Path]:
    """Yield the files and folders that a command or a variable names, such as a class path."""
    for word in (*(player.command or ())[1:], *player.environment.values()):
        for part in (word, *re.split(f"[={re.escape(os.pathsep)}]", word)):
            path = Path(os.path.normpath(folder / part))
            if part and _exists(path) and path != folder:
                yield path
    executable = (player.command or ("",))[0]
    if "/" in executable and _exists(folder / executable):
        yield Path(os.path.normpath(folder / executable))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a word that is no path at all
        return False


def _with_siblings(path: Path, plan: Plan, store: Path) -> Path:
    """Return the folder of a file, which may need what lies beside it, unless that is shared."""
    if path.is_dir() or _is_shared(path.parent, plan, store) or len(path.parts) <= FEW_PARTS:
        return path
    return path.parent


FEW_PARTS = 3
"""Parts of the path of a file that lies in a folder such as ``/opt``."""


def _private(plan: Plan, store: Path) -> Iterator[Path]:
    """Yield the files that no program may see."""
    store = store.absolute()
    for suffix in STORE_SUFFIXES:
        yield store.with_name(store.name + suffix)
    yield secret_path(store)
    yield store.with_suffix("")  # where the report goes
    if plan.lobby.key is not None:
        yield plan.folder / plan.lobby.key


def _contains_any(folder: Path, paths: tuple[Path, ...]) -> bool:
    real = Path(os.path.realpath(folder))
    return any(Path(os.path.realpath(path)).is_relative_to(real) for path in paths)
