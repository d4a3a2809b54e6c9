"""Plays a tournament for ``acquire tournament run``."""

import shlex
import sys
from pathlib import Path

from rich.console import Console

from ..refereeing.table.run import signal_noted
from ..tournament.driving.driver import wait_for_change
from ..tournament.run.plan_watch import PlanWatch
from ..tournament.run.tournament_run import TournamentRun
from ..tournament.store.secret_file import set_aside
from ..tournament.store.store import Store
from .console import exit_after, refuse
from .safe_console import SafeConsole
from .shown_run import ShownRun
from .spectators import pages
from .tournament import RunOptions
from .tournament_check import read_plan_to_play
from .tournament_store import errors_refused, store_path


def run(options: RunOptions) -> None:
    """Play a tournament, and exit with the code for how that went."""
    file, as_json = options.file, options.as_json
    path = store_path(file, options.store)
    if options.retried and (options.fresh or not path.exists()):
        refuse("--retry is for games that were played, and there are none.")
    with errors_refused():
        plan = read_plan_to_play(file, path, as_json=as_json)
    console = SafeConsole(stderr=as_json)
    program = ("acquire.admin.tournament.reporting.live_report", str(path.absolute()))
    with errors_refused(), pages(plan.lobby.host, options.pages, program) as spectators:
        if options.fresh and (aside := set_aside(path)):
            console.print(f"The games played before are in {aside}.", soft_wrap=True)
        with Store.open_to_write(path) as opened, signal_noted() as stopped:
            shown = ShownRun(options, console, opened, spectators, stopped)
            watch = PlanWatch(file, plan, shown.problem) if options.keep_going else None
            stopped_by = shown.play(plan, watch, options.retried)
            while watch is not None and (stopped_by := stopped_by or stopped()) is None:
                if watch.plan is plan:
                    console.print(f"Waiting for changes of {file}.")
                    stopped_by = wait_for_change(watch)
                if stopped_by is None:
                    if watch.plan.tournament.qualifies:
                        watch.plan = read_plan_to_play(file, path, as_json=as_json)
                    plan = watch.plan
                    stopped_by = shown.play(plan, watch)
            shown.show_results()
    assert shown.run is not None, "it was played"
    _exit(console, shown.run, stopped_by, file)


def _exit(console: Console, run: TournamentRun, stopped_by: int | None, file: Path) -> None:
    """Print what to do next, and exit with the code for how the run ended."""
    games, total = run.progress
    if stopped_by is not None:
        console.print(f"Stopped after {games} of {total} games; the same command resumes.")
        exit_after(stopped_by)
    if run.given_up or games < total:
        if games < total:
            again = "The same command tries again, unless a later round was paired without them."
            console.print(f"{total - games} of {total} games were not played. {again}")
        sys.exit(1)
    command = f"acquire tournament report {shlex.quote(str(file))}"
    console.print(f"Next: {command}", soft_wrap=True)
