"""Analyses a game for ``acquire replay --analyse``: what every decision was worth."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any

from rich.console import Console
from rich.progress import TaskProgressColumn, TimeRemainingColumn
from rich.text import Text

from ..refereeing.log.verifier import Verifier
from ..refereeing.table.run import signal_noted
from ..refereeing.view.sentences import shortened
from ..studying.analysis.analysis import GAMES, Analysis, AnalysisWork, analyse, work_on
from ..studying.analysis.analysis_report import as_json, costly_sentence, draw_analysis
from ..studying.analysis.chances import Chances
from ..studying.analysis.valuing import Valued
from ..tournament.run.executors import process_pool
from .console import echo_json, refuse
from .log_file import read_log
from .progress_bars import Bar
from .replay import ReplayOptions
from .safe_console import SafeConsole


def analyse_log(options: ReplayOptions) -> tuple[dict[str, Any], int | None]:
    """Analyse a log, and print what was found unless a page will show it.

    Return it for the page, and the signal that stopped it, if any. A log that diverges from the
    rules is refused.
    """
    log, whatif = options.log, options.whatif
    record = read_log(log)
    divergence = Verifier(record).verify().divergence
    if divergence is not None:
        refuse(f"{log}: diverges: {shortened(divergence)}", 1)
    names = [seat.name for seat in record.header.seats]
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


def analysed(work: AnalysisWork) -> tuple[Analysis, int | None]:
    """Analyse in all processors, with progress; return also the signal that stopped it, if any."""
    workers = os.cpu_count() or 1
    pool = process_pool(workers)
    with signal_noted() as stopped_by, _Progress(SafeConsole(stderr=True), stopped_by) as watch:
        try:
            analysis = analyse(work, pool, workers, watch)
        except BrokenExecutor:
            refuse("A process of the analysis was lost. Start it again, with fewer --games.", 1)
        if stopped_by():
            for process in multiprocessing.active_children():
                process.kill()  # its games are not wanted any more
        pool.shutdown()
    return analysis, stopped_by()


class _Progress(Bar):
    """Shows how much of a game is analysed and how long the rest takes, and what was found."""

    def __init__(self, console: Console, stopped_by: Callable[[], int | None]) -> None:
        columns = TaskProgressColumn(), TimeRemainingColumn()
        super().__init__(console, 0, "analysed, time left", *columns)
        self._stopped_by = stopped_by

    def is_stopped(self) -> bool:
        """Whether a signal has come."""
        return self._stopped_by() is not None

    def advance(self, done: int, due: int) -> None:
        """Show that a part of the work is done."""
        self.progress.update(self.task, completed=done, total=due)

    def found(self, found: Valued | Chances, turn: int) -> None:
        """Print a costly decision; show the chances of the latest turn."""
        if isinstance(found, Chances):
            shown = ", ".join(f"{chance.value * 100:.0f} %" for chance in found.win)
            self.progress.update(self.task, description=f"turn {turn}: chances {shown}")
        elif found.is_costly and self.progress.console.is_terminal:
            self.progress.console.print(Text(costly_sentence(found)))
