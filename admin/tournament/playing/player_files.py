"""What a launched player sees of the tournament's files when it has a sandbox.

It sees its folder, and what its command and its variables name, without what belongs to other
players. Of a folder that contains the tournament file or the store it sees only what is named.

A folder that is a player's own is copied, and the program runs in the copy.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from admin.launching.player_folder import why_refused
from admin.launching.program import Program
from admin.tournament.planning.named_paths import exists, parts_of
from admin.tournament.planning.plan import Entrant, Plan
from admin.tournament.results.secret_file import secret_path

STORE_SUFFIXES = ("", "-wal", "-shm", "-journal")


def program_of(plan: Plan, player: Entrant, store: Path, copy: Path | None = None) -> Program:
    """Return the program that plays for a player; ``KeyError`` if it has no command.

    It runs in a copy of the player's folder, if there is one.
    """
    if player.command is None:
        raise KeyError(player.name)
    folder = copy or folder_of(plan, player)
    own = _visible(plan, player, store, folder)
    hidden = {*_private(plan, store)}
    for other in plan.players:
        if other.command is not None and other.name != player.name:
            theirs = {*_visible(plan, other, store, folder_of(plan, other))} - {*own}
            hidden |= {path for path in theirs if not _contains_any(path, own)}
    read_only = tuple(plan.folder / path for path in plan.limits.read_only)
    return Program(
        player.command,
        folder,
        player.environment,
        visible=(*own, *read_only),
        hidden=tuple(sorted(hidden)),
    )


def programs_of(plan: Plan, store: Path) -> list[Program]:
    """Return the programs of all players that have one, to find out what sandbox they can have.

    Those that run in copies are where the copies will be.
    """
    return [
        program if why_not_copied(plan, player, store) else replace(program, directory=beside)
        for player in plan.players
        if player.command
        for program, beside in [
            (program_of(plan, player, store), Path(os.path.abspath(store)).parent)
        ]
    ]


def builds_folder(store: Path) -> Path:
    """Return where the copies of players are kept."""
    return Path(os.path.abspath(store)).with_suffix(".builds")


def why_not_copied(plan: Plan, player: Entrant, store: Path) -> str:
    """Return why a program cannot run in a copy of its folder, as a clause, or nothing."""
    folder = folder_of(plan, player)
    if _is_shared(folder, plan, store):
        return "it has no folder of its own"
    if why := why_refused(folder):
        return f"its folder cannot be copied: {why.rstrip('.')}"
    for other in plan.players:
        theirs = folder_of(plan, other)
        if other.command is not None and theirs != folder and theirs.is_relative_to(folder):
            return f"its folder contains that of {other.name}"
    first = (player.command or ("",))[0]
    for part in (*((first,) if "/" in first else ()), *_parts(player)):
        path = Path(os.path.normpath(folder / part))
        if os.path.isabs(part) == path.is_relative_to(folder) and exists(path):
            return f"it names {part}, which would not be in a copy of its folder"
    return ""


def why_not_shipped(plan: Plan, player: Entrant, store: Path) -> str:
    """Return why a program cannot run on another machine, as a clause, or nothing.

    What it names apart from its folder has to be on that machine under the same name.
    """
    if any(not os.path.isabs(path) for path in plan.limits.read_only):
        return "limits.read_only names files relative to the tournament file"
    if player.directory is not None and (why := why_not_copied(plan, player, store)):
        return why
    around = (plan.folder, Path(os.path.abspath(store)).parent)
    for path in _named(player, folder_of(plan, player)):
        inside = player.directory is not None and path.is_relative_to(folder_of(plan, player))
        if not inside and any(path.is_relative_to(folder) for folder in around):
            return f"it names {path}, which is not in a folder of its own. Set its directory"
    return ""


def folder_warnings(plan: Plan, store: Path) -> Iterator[str]:
    """Yield user-facing sentences about players whose folders do not keep their files apart."""
    folders: dict[Path, list[str]] = {}
    for player in plan.players:
        if player.command is None:
            continue
        folders.setdefault(folder_of(plan, player).resolve(), []).append(player.name)
        if has_no_folder_of_its_own(plan, player, store):
            yield (
                f"{player.name} has no folder of its own: in bubblewrap it sees only the files "
                "that its command names. Set its directory."
            )
        elif why := why_refused(folder_of(plan, player)):
            yield (
                f"{player.name} is not run in a copy of its folder, and only changes of the files "
                f"that its command names make a new version. {why}"
            )
    for names in folders.values():
        if len(names) > 1:
            shared = f"{', '.join(names[:-1])} and {names[-1]} have the same folder"
            yield f"{shared}, where they can read each other's files."


def has_no_folder_of_its_own(plan: Plan, player: Entrant, store: Path) -> bool:
    """Whether a player's folder contains the tournament file or the store."""
    return _is_shared(folder_of(plan, player), plan, store)


def folder_of(plan: Plan, player: Entrant) -> Path:
    """Return the folder that a player's command is run in, unless it is copied."""
    return Path(os.path.normpath(plan.folder / (player.directory or "")))


def _is_shared(path: Path, plan: Plan, store: Path) -> bool:
    """Whether a folder has more in it than one player's files."""
    return _contains_any(path, (plan.folder, Path(os.path.abspath(store)), Path.home()))


def _visible(plan: Plan, player: Entrant, store: Path, folder: Path) -> tuple[Path, ...]:
    own = () if _is_shared(folder, plan, store) else (folder,)
    named = (path for path in _named(player, folder) if not _is_shared(path, plan, store))
    return tuple(dict.fromkeys((*own, *(_with_siblings(path, plan, store) for path in named))))


def _named(player: Entrant, folder: Path) -> Iterator[Path]:
    """Yield the files and folders that a command or a variable names, such as a class path."""
    for part in _parts(player):
        path = Path(os.path.normpath(folder / part))
        if exists(path) and path != folder:
            yield path
    executable = (player.command or ("",))[0]
    if "/" in executable and exists(folder / executable):
        yield Path(os.path.normpath(folder / executable))


def _parts(player: Entrant) -> Iterator[str]:
    """Yield the words of a command after the first and of its variables, and their parts."""
    return parts_of((*(player.command or ())[1:], *player.environment.values()))


def _with_siblings(path: Path, plan: Plan, store: Path) -> Path:
    """Return the folder of a file, which may need what lies beside it, unless that is shared."""
    if path.is_dir() or _is_shared(path.parent, plan, store) or len(path.parts) <= FEW_PARTS:
        return path
    return path.parent


FEW_PARTS = 3
"""Parts of the path of a file that lies in a folder such as ``/opt``."""


def _private(plan: Plan, store: Path) -> Iterator[Path]:
    """Yield the files that no program may see."""
    store = Path(os.path.abspath(store))
    for suffix in STORE_SUFFIXES:
        yield store.with_name(store.name + suffix)
    yield secret_path(store)
    yield store.with_suffix("")  # where the report goes
    if plan.lobby.key is not None:
        yield plan.folder / plan.lobby.key


def _contains_any(folder: Path, paths: tuple[Path, ...]) -> bool:
    real = Path(os.path.realpath(folder))
    return any(Path(os.path.realpath(path)).is_relative_to(real) for path in paths)
