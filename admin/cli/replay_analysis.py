"""Analyses a game for ``acquire replay --analyse``: what every decision was worth."""

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any

from rich.progress import TaskProgressColumn, TimeRemainingColumn
from rich.text import Text

from ...protocol.files import replace_file
from ..refereeing.log.reader import read
from ..refereeing.log.verifier import Verifier
from ..refereeing.table.run import cores, signal_noted
from ..refereeing.view.plain_text import json_text, number
from ..studying.analysis.analysis import GAMES, Analysis, AnalysisWork, OnFound, analyse, work_on
from ..studying.analysis.analysis_report import as_json, costly_sentence, draw_analysis
from ..studying.analysis.playing import Chances
from ..studying.analysis.valuing import Valued
from ..tournament.run.executors import process_pool
from .console import echo_json, refuse
from .replay import ReplayOptions
from .safe_console import Bar, SafeConsole

PAUSE = 1.0  # seconds after which what is known so far is written again


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
    following = 0.0

    def note(found: Valued | Chances, turn: int, known: Callable[[], Analysis]) -> None:
        nonlocal following
        if time.monotonic() >= following:
            _write(known(), Path(file))
            following = time.monotonic() + PAUSE

    _write(analysed(work, note)[0], Path(file))


def analysed(work: AnalysisWork, note: OnFound | None = None) -> tuple[Analysis, int | None]:
    """Analyse in all processors; return also the signal that stopped it, if any.

    A terminal shows how far it is, and what was found unless that is given to ``note``.
    """
    workers = cores()
    pool = process_pool(workers)
    with signal_noted() as stopped_by, _Progress() as bar:
        try:
            analysis = analyse(work, pool, workers, note or bar.found, bar.advance, stopped_by)
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
            shown = ", ".join(f"{number(chance.value * 100)} %" for chance in found.win)
            self.progress.update(self.task, description=f"turn {turn}: chances {shown}")
        elif found.is_costly and self.console.is_terminal:
            self.console.print(Text(costly_sentence(found)))


def _write(analysis: Analysis, file: Path) -> None:
    replace_file(file, json_text(as_json(analysis)).encode())
