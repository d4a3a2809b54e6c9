"""Analyses a game for ``acquire replay --analyse``: what every decision was worth."""

import os
from typing import Any

from ..refereeing.log.verifier import Verifier
from ..refereeing.view.sentences import shortened
from ..studying.analysis.analysis import GAMES, analyse, work_on
from ..studying.analysis.analysis_json import as_json
from ..studying.analysis.analysis_text import draw_analysis
from ..tournament.run.executors import process_pool
from .console import echo_json, refuse
from .log_file import read_log
from .progress_bars import RowProgress
from .replay import ReplayOptions
from .safe_console import SafeConsole


def analyse_log(options: ReplayOptions) -> dict[str, Any]:
    """Analyse a log, and print what was found unless a page will show it.

    Return it for the page. A log that diverges from the rules is refused.
    """
    log, whatif = options.log, options.whatif
    divergence = Verifier(read_log(log)).verify().divergence
    if divergence is not None:
        refuse(f"{log}: diverges: {shortened(divergence)}", 1)
    work = work_on(log.read_bytes(), whatif.games or GAMES, whatif.seed)
    pool = process_pool(os.cpu_count() or 1)
    with RowProgress(SafeConsole(stderr=True), "decisions and turns") as bar, pool:
        analysis = analyse(work, pool, bar.advance)
    fields = as_json(analysis)
    if whatif.as_json:
        echo_json(fields, 1)
    elif options.html is None:
        SafeConsole().print(draw_analysis(analysis))
    return fields
