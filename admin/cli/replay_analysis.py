"""``acquire replay --analyse``: the value of every decision, on the page or in the terminal."""

import os
from pathlib import Path

import click

from admin.analysis.analysis import GAMES, Analysis, analyse, work_on
from admin.analysis.analysis_json import as_json
from admin.analysis.analysis_text import draw_analysis
from admin.cli.console import refuse
from admin.cli.log_file import read_log
from admin.cli.progress_bars import RowProgress
from admin.cli.safe_console import SafeConsole
from admin.log.verifier import Verifier
from admin.tournament.playing.executors import process_pool
from admin.view.plain_text import json_text
from admin.view.sentences import shortened


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
