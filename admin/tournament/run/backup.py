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
        done = {path: _copy(path, plan.folder, new) for path in _named(file, plan)}
        new.rename(target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    copied = [path.is_file() for path, is_copied in done.items() if is_copied]
    left = tuple(str(path) for path, is_copied in done.items() if not is_copied)
    return Backup(rows, copied.count(True), copied.count(False), left)


def _copy(path: Path, folder: Path, target: Path) -> bool:
    """Copy a file, or the folder of a player; return whether it lies in the folder and could be."""
    path = Path(os.path.normpath(path))
    if not path.is_relative_to(folder):
        return False
    copy = target / path.relative_to(folder)
    copy.parent.mkdir(parents=True, exist_ok=True)
    try:
        if path.is_file():
            shutil.copy2(path, copy)
        elif not copy.exists():  # for another player, or in the folder of one
            copy_folder(path, copy)
    except FolderRefused:
        shutil.rmtree(copy, ignore_errors=True)
        return False
    return True


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


def _named(file: Path, plan: Plan) -> Iterator[Path]:
    """Yield the files that a plan names, and the folders of players that are their own."""
    yield plan.folder / file.name
    if qualified_path(file).exists():
        yield plan.folder / qualified_path(file).name
    general = parse(file, "").get("tournament", {})
    named = [general.get("rulebook", ""), general.get("roster")]
    named[0] = named[0] if str(named[0]).endswith(".toml") else None
    named += [plan.lobby.certificate, plan.lobby.key]
    yield from (plan.folder / name for name in named if name)
    for player in plan.players:
        folder = folder_of(plan.folder, player)
        if player.strategy is not None and names_file(player.strategy):
            yield path_of(player.strategy, plan.folder)
        elif player.command is not None and contains_any(folder, [plan.folder]):
            yield from named_files(player, folder)
        elif player.command is not None:
            yield folder
