"""A copy of a tournament, made while it is played: a folder that is a tournament of its own.

The store is copied by SQLite as it is at one moment, with every log, and its chain is verified in
the copy. Only then are the files copied that the plan names: what changes meanwhile is a change of
the plan, which a run from the copy takes over. What lies outside of the tournament's folder stays
there.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ....protocol.settings_file import parse
from ....protocol.strategy_file import names_file, path_of
from ...launching.player_folder import FolderRefused, copy_folder
from ..planning.plan import Plan
from ..planning.plan_file import read_plan
from ..planning.qualified_file import qualified_path
from ..planning.submissions import contains_any, folder_of, named_files
from ..store.secret_file import PRIVATE, read_secret, secret_path, write_private_file
from ..store.store import Store
from ..store.store_reader import StoreError


class Backup(NamedTuple):
    """What was copied: rows of the store, files and folders; and the paths that were left."""

    rows: int
    files: int
    folders: int
    left: tuple[str, ...]


def back_up(file: Path, store: Path, target: Path) -> Backup:
    """Copy a tournament to a new folder, whole or not at all.

    ``StoreError`` if the store is damaged, ``InvalidFile`` if the tournament file is, ``OSError``
    if the copy cannot be written.
    """
    new = target.with_name(f"{target.name}.partial")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(0o700, parents=True)
    try:
        rows = _copy_store(store, new / file.with_suffix(".sqlite").name)
        plan = read_plan(file)
        files, folders, left = 0, 0, []
        for path in _files_of(file, plan):
            copy = _place(path, plan.folder, new)
            if copy is None or not path.is_file():
                left.append(str(path))
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
            files += 1
        for folder in _folders_of(plan):
            copy = _place(folder, plan.folder, new)
            try:
                if copy is None:
                    raise FolderRefused
                if not copy.exists():
                    copy_folder(folder, copy)
                    folders += 1
            except FolderRefused:
                left.append(str(folder))
                shutil.rmtree(copy or new / "none", ignore_errors=True)
        new.rename(target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return Backup(rows, files, folders, tuple(left))


def _copy_store(store: Path, copy: Path) -> int:
    """Copy a store and its secret; return how many rows the copy has."""
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))
    with Store.open_to_read(store) as opened:
        secret = read_secret(opened)
        opened.copy_to(copy)
    write_private_file(secret_path(copy), f"{secret.master.hex()}\n".encode())
    with Store.open_to_read(copy) as copied:
        for found in copied.verify_chain():
            raise StoreError(f"{store} is damaged, so the copy would be: {found}")
        return copied.count_rows()


def _files_of(file: Path, plan: Plan) -> Iterator[Path]:
    """Yield the files of a plan, apart from the folders of players."""
    yield plan.folder / file.name
    if qualified_path(file).exists():
        yield plan.folder / qualified_path(file).name
    general = parse(file, "").get("tournament", {})
    named = [general.get("rulebook", ""), general.get("roster")]
    named[0] = named[0] if str(named[0]).endswith(".toml") else None
    named += [plan.lobby.certificate, plan.lobby.key]
    yield from (plan.folder / name for name in named if name)
    for player in plan.players:
        if player.strategy is not None and names_file(player.strategy):
            yield path_of(player.strategy, plan.folder)
        elif player.command is not None and contains_any(
            folder := folder_of(plan.folder, player), [plan.folder]
        ):
            yield from named_files(player, folder)


def _folders_of(plan: Plan) -> Iterator[Path]:
    """Yield the folders of players that are their own."""
    for player in plan.players:
        folder = folder_of(plan.folder, player)
        if player.command is not None and not contains_any(folder, [plan.folder]):
            yield folder


def _place(path: Path, folder: Path, target: Path) -> Path | None:
    """Return where a file is copied to, ``None`` if it lies outside of the folder."""
    found = Path(os.path.normpath(path))
    return target / found.relative_to(folder) if found.is_relative_to(folder) else None
