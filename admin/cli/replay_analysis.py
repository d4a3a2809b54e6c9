"""Analyses a game for ``acquire replay --analyse``: what every decision was worth."""

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from rich.progress import TaskProgressColumn, TimeRemainingColumn
from rich.text import Text

from ..refereeing.log.reader import read
from ..refereeing.log.verifier import Verifier
from ..refereeing.table.run import cores, signal_noted
from ..refereeing.view.plain_text import json_text
from ..studying.analysis.analysis import (
    GAMES,
    Analysis,
    AnalysisWatch,
    AnalysisWork,
    analyse,
    work_on,
)
from ..studying.analysis.analysis_report import as_json, costly_sentence, draw_analysis
from ..studying.analysis.playing import Chances
from ..studying.analysis.valuing import Valued
from ..testing.reports.for_programs import replace_file
from ..tournament.run.executors import process_pool
from .console import echo_json, refuse
from .replay import ReplayOptions
from .safe_console import Bar, SafeConsole

PAUSE = 1.0
"""Seconds after which what is known so far is written again."""


def analyse_log(options: ReplayOptions) -> tuple[dict[str, Any], int | None]:
    """Analyse a log, and print what was found unless a page will show it.

    Return it for the page, and the signal that stopped it, if any. A log that diverges from the
    rules is refused.
    """
    log, whatif = options.log, options.whatif
    record = read(log)
    divergence = Verifier(record).verify().divergence
    if divergence is not None:
        refuse(f"{log}: diverges: {divergence}", 1)
    names = record.header.names
    for seat in whatif.seats:
        if seat not in names:
            known = ", ".join(map(repr, names))
            refuse(f"--seat {seat!r}: no player is called {seat!r}. Players: {known}.")
    work = work_on(log.read_bytes(), whatif.games or GAMES, whatif.seed, whatif.seats)
    analysis, stopped_by = analysed(work)
    fields = as_json(analysis)
    if whatif.as_json:
        echo_json(fields, 1)
    elif options.html is None:
        SafeConsole().print(draw_analysis(fields))
    return fields, stopped_by


def analyse_into(log: str, file: str, first: str) -> None:
    """Analyse a log, the decisions of ``first`` before the others.

    What is known of the game so far is in a file, as JSON, at any time.

    A person's page reads it (:mod:`acquire.admin.pages.seat.seat_site`).
    """
    work = work_on(Path(log).read_bytes(), GAMES, None)._replace(first=first)
    analysis, _ = analysed(work, nullcontext(_KnownSoFar(Path(file))))
    _write(analysis, Path(file))


def analysed(
    work: AnalysisWork, watching: AbstractContextManager[AnalysisWatch] | None = None
) -> tuple[Analysis, int | None]:
    """Analyse in all processors, watched; return also the signal that stopped it, if any."""
    workers = cores()
    pool = process_pool(workers)
    with signal_noted() as stopped_by, watching or _Progress() as watch:
        try:
            analysis = analyse(work, pool, workers, watch, stopped_by)
        except BrokenExecutor:
            refuse("A process of the analysis was lost. Start it again, with fewer --games.", 1)
        if stopped_by():
            for process in multiprocessing.active_children():
                process.kill()  # its games are not wanted any more
        pool.shutdown()
    return analysis, stopped_by()


class _Progress(Bar):
    """Shows how much of a game is analysed and how long the rest takes, and what was found."""

    def __init__(self) -> None:
        columns = TaskProgressColumn(), TimeRemainingColumn()
        super().__init__(SafeConsole(stderr=True), 0, "analysed, time left", *columns)

    def found(self, found: Valued | Chances, turn: int, known: Callable[[], Analysis]) -> None:
        """Print a costly decision; show the chances of the latest turn."""
        if isinstance(found, Chances):
            shown = ", ".join(f"{chance.value * 100:.0f} %" for chance in found.win)
            self.progress.update(self.task, description=f"turn {turn}: chances {shown}")
        elif found.is_costly and self.console.is_terminal:
            self.console.print(Text(costly_sentence(found)))


class _KnownSoFar:
    """Writes what is known so far into a file, which is replaced as a whole."""

    def __init__(self, file: Path) -> None:
        self._file, self._next = file, 0.0

    def advance(self, done: int, due: int) -> None:
        """Say nothing: what is found says how far it is."""

    def found(self, found: Valued | Chances, turn: int, known: Callable[[], Analysis]) -> None:
        """Write what is known, from time to time."""
        if time.monotonic() >= self._next:
            _write(known(), self._file)
            self._next = time.monotonic() + PAUSE


def _write(analysis: Analysis, file: Path) -> None:
    replace_file(file, json_text(as_json(analysis)).encode())
