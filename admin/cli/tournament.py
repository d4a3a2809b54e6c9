"""``acquire tournament``: write and check a tournament file, and play it."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .console import refuse, refuse_on_windows
from .options import json_lines_option, pages, web_option
from .tournament_audit import audit
from .tournament_check import check, read_plan_to_play
from .tournament_results import FILE, logs, report, show
from .tournament_store import STORE, errors_refused, store_path

if TYPE_CHECKING:
    from rich.console import Console

    from ..tournament.run.tournament_run import TournamentRun


class OrderedGroup(click.Group):
    """Lists its commands in the order in which they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of definition."""
        return list(self.commands)


@click.group(cls=OrderedGroup, short_help="Run a tournament between programs, and publish it.")
def tournament() -> None:
    """Run a tournament between programs, and publish it.

    One TOML file lists the players, the format and the number of games. One file beside it, the
    store, holds every game played; all results are computed from it.

    \b
        acquire tournament init course.toml      write a file to start from
        acquire tournament check course.toml     report all mistakes, the games and the time
        acquire tournament check course.toml --try     and try every program
        acquire tournament run course.toml       play; after a stop or a crash it resumes
        acquire tournament show course.toml      print the standings, also during the run
        acquire tournament report course.toml    write a page for everybody, and all logs
        acquire tournament audit course.toml     check again that all results hold

    Exit codes: 0 done; 1 some games were given up, a program failed its trial, or something
    does not hold (audit, report); 2 it could not begin (mistakes in the file, a store with games of
    other settings, a port in use); 130 and 143 stopped by SIGINT or SIGTERM: the same command
    resumes.
    """
    refuse_on_windows(
        "A tournament",
        "Here, `acquire serve` referees games, one after the other with --forever.",
    )


@tournament.command(short_help="Write a tournament file to start from.")
@FILE
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def init(file: Path, force: bool) -> None:
    """Write a tournament file to start from, with built-in players and every setting explained."""
    from importlib.resources import files

    text = (files("acquire.admin.tournament.planning") / "sample.toml").read_text()
    try:
        with file.open("w" if force else "x") as opened:
            opened.write(text)
    except FileExistsError:
        refuse(f"{file} already exists. Choose another name, or overwrite it with --force.")
    except OSError as error:
        refuse(f"{file} cannot be written: {error.strerror}.")
    click.echo(f"Wrote {file}. Next: acquire tournament check {shlex.quote(str(file))}")


tournament.add_command(check)


# -- run ----------------------------------------------------------------------------------------


@tournament.command(short_help="Play; after a stop or a crash the same command resumes.")
@FILE
@STORE
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    help="Games played at once.  [default: as in the file, or one per core]",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster, such as tcp://10.0.0.1:8786.",
)
@click.option("--fresh", is_flag=True, help="Start over; games already played are set aside.")
@click.option(
    "--keep-going",
    is_flag=True,
    help="Run until stopped: wait for new submissions and other changes; a ladder has no end.",
)
@click.option(
    "--retry",
    "retried",
    metavar="NAME",
    multiple=True,
    help="Start a program again that has missed three sign-ups in a row, and play the games again "
    "that it has lost so; repeatable.",
)
@web_option
@json_lines_option
def run(
    file: Path,
    store: Path | None,
    workers: int | None,
    cluster: str | None,
    fresh: bool,
    keep_going: bool,
    retried: tuple[str, ...],
    web: int | None,
    as_json: bool,
) -> None:
    """Play the games of a tournament that are not in its store yet.

    A store belongs to the settings its games were played with. You can later raise deals or
    rounds, and change workers at any time. Players may change between runs, and with --keep-going
    during a run: the games of earlier versions and of withdrawn players are archived, and only
    those that concern the changed players are played.

    --retry is for a program that never started through no fault of its own. All games of its
    present version are archived and played again, as if it had been handed in anew.

    --web serves a page with the standings and the games, on the host of [lobby], and the report so
    far. Games between programs are shown live; games of built-in players take milliseconds, so the
    page shows two of them per second. Hidden hands are revealed once their tiles are no longer in
    play.
    """
    from ..refereeing.table.run import signal_noted
    from ..tournament.driving.driver import wait_for_change
    from ..tournament.run.plan_watch import PlanWatch
    from ..tournament.store.secret_file import set_aside
    from ..tournament.store.store import Store
    from .safe_console import SafeConsole
    from .tournament_run import ShownRun

    path = store_path(file, store)
    if retried and (fresh or not path.exists()):
        refuse("--retry is for games that were played, and there are none.")
    with errors_refused():
        plan = read_plan_to_play(file, path, as_json=as_json)
    console = SafeConsole(stderr=as_json)
    program = ("acquire.admin.tournament.reporting.live_server", str(path.absolute()))
    with errors_refused(), pages(plan.lobby.host, web, program) as spectators:
        if fresh and (aside := set_aside(path)):
            console.print(f"The games played before are in {aside}.", soft_wrap=True)
        with Store.open_to_write(path) as opened, signal_noted() as stopped:
            shown = ShownRun(
                console,
                opened,
                as_json=as_json,
                workers=workers,
                cluster=cluster,
                spectators=spectators,
                keep_going=keep_going,
                stopped=stopped,
            )
            watch = PlanWatch(file, plan, shown.problem) if keep_going else None
            stopped_by = shown.play(plan, watch, retried)
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


def _exit(console: "Console", run: "TournamentRun", stopped_by: int | None, file: Path) -> None:
    """Print what to do next, and exit with the code for how the run ended."""
    games, total = run.progress
    if stopped_by is not None:
        console.print(f"Stopped after {games} of {total} games; the same command resumes.")
        sys.exit(128 + stopped_by)
    if run.given_up or games < total:
        if games < total:
            again = "The same command tries again, unless a later round was paired without them."
            console.print(f"{total - games} of {total} games were not played. {again}")
        sys.exit(1)
    command = f"acquire tournament report {shlex.quote(str(file))}"
    console.print(f"Next: {command}", soft_wrap=True)


for command in (show, report, logs, audit):
    tournament.add_command(command)
