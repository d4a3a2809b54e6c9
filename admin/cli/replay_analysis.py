"""``acquire replay --analyse``: the value of every decision, on the page or in the terminal."""

import os
from pathlib import Path

import click

from ..refereeing.log.verifier import Verifier
from ..refereeing.view.plain_text import json_text
from ..refereeing.view.sentences import shortened
from ..studying.analysis.analysis import GAMES, Analysis, analyse, work_on
from ..studying.analysis.analysis_json import as_json
from ..studying.analysis.analysis_text import draw_analysis
from ..tournament.run.executors import process_pool
from .console import refuse
from .log_file import read_log
from .progress_bars import RowProgress
from .safe_console import SafeConsole


def analysis_of(log: Path, games: int | None, seed: int | None) -> Analysis:
    """Analyse a log, with a progress bar; refuse one that diverges from the rules."""
    divergence = Verifier(read_log(log)).verify().divergence
    if divergence is not None:
        refuse(f"{log}: diverges: {shortened(divergence)}", 1)
    work = work_on(log.read_bytes(), games or GAMES, seed)
    pool = process_pool(os.cpu_count() or 1)
    with RowProgress(SafeConsole(stderr=True), "decisions and turns") as bar, pool:
        return analyse(work, pool, bar.advance)


def show(analysis: Analysis, *, json_wanted: bool) -> None:
    """Print an analysis: for people, or as JSON."""
    if json_wanted:
        click.echo(json_text(as_json(analysis), indent=1))
    else:
        SafeConsole().print(draw_analysis(analysis))
