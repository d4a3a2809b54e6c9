"""The files of a tournament: whether they change during a run, and a copy of all of them.

A change is taken over once two looks have seen the same, so that no folder is taken while it is
being copied.

A copy is a folder that is a tournament of its own. The store is copied by SQLite as it is at one
moment, with every log, and its chain is verified in the copy. Only then are the files copied that
the plan names: what changes meanwhile is a change of the plan, which a run from the copy
takes over. Stores that were set aside are copied as they are, for nothing plays in them. What lies
outside of the tournament's folder stays there, and so does what the store can give again.

A run that was killed leaves a journal beside its store, which SQLite would play into a restored
one. So the copy has an empty journal, which SQLite takes for none, to replace that.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ....protocol.files import PRIVATE, replace_private_file
from ....protocol.plugins import names_file, path_of
from ....protocol.settings_file import InvalidFile, parse
from ...launching.player_folder import MAX_FOLDER_FILES, FolderRefused, copy_folder, entries_of
from ...launching.program import contains_any
from ..planning.plan import Plan
from ..planning.plan_file import read_plan
from ..planning.qualified_file import qualified_path, read_qualified_plan
from ..planning.submissions import folder_of, named_files
from ..store.secret_file import read_secret, secret_path, set_aside_of
from ..store.store import Store
from ..store.store_reader import StoreError, journal_of

INTERVAL = 1.0  # least seconds between two looks
LOOKING_SHARE = 0.2  # the share of its time that the referee may spend on looking


class PlanWatch:
    """Looks for changes of a plan; ``plan`` is the current one, and after a change the new one."""

    def __init__(self, file: Path, plan: Plan, report: Callable[[str], None]) -> None:
        """``report`` is called with why a change is not taken over, once for each reason."""
        self._file, self.plan, self._report = file, plan, report
        self._reported = ""
        self._next = 0.0
        self._seen: object = None
        self._settled = self._signature()

    def look(self) -> bool:
        """Return whether there is a new plan; look at the files if it is time to.

        It takes a while if files have changed, and may be called in any thread.
        """
        if (began := time.monotonic()) < self._next:
            return False
        try:
            return self._has_changed()
        finally:
            self._next = began + max(INTERVAL, (time.monotonic() - began) / LOOKING_SHARE)

    def _has_changed(self) -> bool:
        before, self._seen = self._seen, self._signature()
        if self._seen == self._settled or self._seen != before:
            return False
        self._settled = self._seen
        try:
            new = read_qualified_plan(self._file)
        except InvalidFile as error:
            self._refuse(f"The changes are not taken over: {error}")
            return False
        if new.result_settings() != self.plan.result_settings():
            self._refuse(
                f"{self._file} has other settings now. They are not taken over, because the games "
                "played so far belong to the old ones."
            )
            return False
        if new == self.plan:
            return False
        self.plan = new
        return True

    def _refuse(self, sentence: str) -> None:
        if sentence != self._reported:
            self._reported = sentence
            self._report(sentence)

    def _signature(self) -> object:
        """Return what changes whenever a file does: names, sizes and times of all files.

        Of a folder with more of them than a player may have, some are enough.
        """
        found = []
        for file in self._files():
            with suppress(OSError):
                status = os.lstat(file)
                found.append((str(file), status.st_size, status.st_mtime_ns ^ status.st_mode))
        return sorted(found)

    def _files(self) -> Iterator[Path]:
        handed_in = self.plan.tournament.submissions
        for place in {
            *_named(self._file, self.plan),
            *(self.plan.folder.glob(handed_in) if handed_in else ()),
        }:
            yield place
            with suppress(FolderRefused):  # it is no folder, or whoever reads it says why
                for path, entry in islice(entries_of(place), MAX_FOLDER_FILES + 1):
                    if not entry.is_dir(follow_symlinks=False):
                        yield place / path


def _named(file: Path, plan: Plan) -> Iterator[Path]:
    """Yield the files that a plan names, and the folders of players that are their own."""
    yield plan.folder / file.name
    if qualified_path(file).exists():
        yield plan.folder / qualified_path(file).name
    named = (plan.tournament.roster, plan.lobby.certificate, plan.lobby.key)
    yield from (plan.folder / name for name in named if name is not None)
    for player in plan.players:
        folder = folder_of(plan.folder, player)
        if player.strategy is not None and names_file(player.strategy):
            yield path_of(player.strategy, plan.folder)
        elif player.command is not None and contains_any(folder, [plan.folder]):
            yield from named_files(player, folder)
        elif player.command is not None:
            yield folder


# -- a copy -------------------------------------------------------------------------------------


class Backup(NamedTuple):
    """What was copied: rows of the store, files and folders; and the paths that were left."""

    rows: int
    files: int
    folders: int
    left: tuple[str, ...]
    made_again: tuple[str, ...]  # folders that were left, for they follow from the store


def back_up(file: Path, store: Path, target: Path) -> Backup:
    """Copy a tournament to a new folder, whole or not at all.

    ``StoreError`` if the store is damaged, ``InvalidFile`` if the tournament file is, ``OSError``
    if the copy cannot be written.
    """
    new = target.with_name(f"{target.name}.partial")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(0o700, parents=True)
    try:
        rows = _copy_store(store, copy := new / file.with_suffix(".sqlite").name)
        journal_of(copy).touch(PRIVATE)
        plan, general = read_plan(file), parse(file, "").get("tournament", {})
        named = [*_named(file, plan)]
        if str(rulebook := general.get("rulebook")).endswith(".toml"):
            named.append(plan.folder / rulebook)
        done = {
            path: _copy(path, plan.folder, new)
            for path in [*named, *set_aside_of(store.absolute())]
        }
        _keep_modes(plan.folder, new)
        new.rename(target)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    copied = [path.is_file() for path, is_copied in done.items() if is_copied]
    left = tuple(str(path) for path, is_copied in done.items() if not is_copied)
    follow = [file.with_name(f"{file.stem}{suffix}") for suffix in ("", "-public", "-private")]
    again = tuple(f"{path}/" for path in [*follow, store.with_suffix(".builds")] if path.is_dir())
    return Backup(rows, copied.count(True), copied.count(False), left, again)


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


def _keep_modes(folder: Path, copy: Path) -> None:
    """Open nothing in a copy to more users than the original; folders get the mode of theirs."""
    for inside, _, files in os.walk(copy, topdown=False):
        own = Path(inside)
        for path in [*(own / name for name in files), *([own] if own != copy else [])]:
            with suppress(FileNotFoundError):  # it has gone meanwhile, or was made for the copy
                mode = (folder / path.relative_to(copy)).stat().st_mode & 0o777
                if not path.is_symlink():
                    path.chmod(mode if path == own else mode & path.stat().st_mode)


def _copy_store(store: Path, copy: Path) -> int:
    """Copy a store and its secret; return how many rows the copy has."""
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))
    with Store.open_to_read(store) as opened:
        secret = read_secret(opened)
        opened.copy_to(copy)
    replace_private_file(secret_path(copy), f"{secret.master.hex()}\n".encode())
    with Store.open_to_read(copy) as copied:
        for found in copied.verify_chain():
            raise StoreError(f"{store} is damaged, so the copy would be: {found}")
        return copied.count_rows()
