"""Whether a tournament file, its roster, submissions or trials have changed during a run.

A change is taken over once two looks have seen the same, so that no folder is taken while it is
being copied.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from ....protocol.settings_file import InvalidFile
from ...launching.player_folder import IGNORED
from ..planning.plan import Plan
from ..planning.qualified_file import qualified_path, read_qualified_plan

INTERVAL = 1.0
"""Seconds between two looks."""


class PlanWatch:
    """Looks for changes of a plan; ``plan`` is the current one, and after a change the new one."""

    def __init__(self, file: Path, plan: Plan, report: Callable[[str], None]) -> None:
        """``report`` is called with why a change is not taken over, once for each reason."""
        self.plan = plan
        self._file = file
        self._report = report
        self._reported = ""
        self._next = 0.0
        self._seen: object = None
        self._settled = self._signature()

    def look(self) -> bool:
        """Return whether there is a new plan; look at the files if it is time to.

        It takes a while if files have changed, and may be called in any thread.
        """
        if time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + INTERVAL
        signature = self._signature()
        if signature == self._settled:
            return False
        stable, self._seen = signature == self._seen, signature
        if not stable:
            return False
        self._settled = signature
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
        """Return what changes whenever a file does: names, sizes and times of all files."""
        found = []
        for file in self._files():
            with suppress(OSError):
                status = os.lstat(file)
                found.append((str(file), status.st_size, status.st_mtime_ns ^ status.st_mode))
        return sorted(found)

    def _files(self) -> Iterator[Path]:
        plan, general = self.plan, self.plan.tournament
        yield from (self._file, qualified_path(self._file))
        if general.roster is not None:
            yield plan.folder / general.roster
        folders = {plan.folder / player.directory for player in plan.players if player.directory}
        if general.submissions is not None:
            folders |= {*plan.folder.glob(general.submissions)}
        for folder in folders:
            yield folder
            for here, inner, files in os.walk(folder):
                inner[:] = [name for name in inner if name not in IGNORED]
                yield from (Path(here, name) for name in files)
