"""Reads a tournament file for ``acquire tournament check``, and tries its programs."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ...protocol.settings_file import InvalidFile
from ..refereeing.table.run import run_until_stopped
from ..tournament.cluster.cluster_connection import ask_workers, differences, workers_table
from ..tournament.cluster.shipment import WorkerFacts
from ..tournament.driving.forecast import (
    forecast,
    sandbox_text,
    show_plan,
    show_schedule,
    show_warning,
    warnings_of,
)
from ..tournament.planning.plan import Entrant, Plan
from ..tournament.planning.plan_file import read_plan
from ..tournament.planning.qualified_file import (
    TriedVersion,
    read_tried,
    without_failed,
    write_tried,
)
from ..tournament.planning.schedule import new_schedule
from ..tournament.qualifying.trying import TriedPlayer, cases_of, try_programs
from .console import echo_json, exit_after, refuse
from .progress_bars import TrialProgress
from .safe_console import SafeConsole
from .tournament import CheckFileOptions
from .tournament_files import errors_refused
from .tried_players import show_tried, tried_fields


def check(options: CheckFileOptions) -> None:
    """Check a file, and exit with 1 if programs are left out that were tried."""
    file, as_json = options.file, options.as_json
    found: list[TriedPlayer] = []
    with errors_refused():
        whole = read_plan(file)
        tried = read_tried(file, whole)
        if options.try_programs:
            qualified = {name for name, one in tried.items() if one.qualified}
            players = [player for player in whole.players if player.name not in qualified]
            found = _try(file, whole, file.with_suffix(".sqlite"), tried, players, as_json=as_json)
        if options.keep or options.keep_all:
            tried = _keep(file, whole, tried, options.keep, keep_all=options.keep_all)
        try:
            plan = without_failed(file, whole, tried)
        except InvalidFile:
            if as_json:
                echo_json({"tried": tried_fields(tried, found)})
            raise
        if options.schedule:
            games = new_schedule(plan, plan.tournament.seed or 0).stage(1)
            for game in games if as_json else ():
                echo_json({"game": game.id, "players": game.players}, None)
            if not as_json:
                show_schedule(SafeConsole(), plan, games, "The games")
        else:
            _show(options, plan, tried, found)
    if options.try_programs and any(not one.plays for one in tried.values()):
        sys.exit(1)


def read_plan_to_play(file: Path, store: Path, *, as_json: bool) -> Plan:
    """Read a tournament file, try new versions if it is to be qualified, leave out what failed.

    ``InvalidFile`` if there are mistakes in it.
    """
    plan = read_plan(file)
    tried = read_tried(file, plan)
    players = [player for player in plan.players if player.name not in tried]
    if plan.tournament.qualifies and players:
        for one in _try(file, plan, store, tried, players, as_json=as_json):
            if as_json:
                fields = {"name": one.player.name, "qualified": one.qualified, "why": one.why}
                echo_json({"event": "tried", **fields}, None)
    return without_failed(file, plan, tried)


# -- trying -------------------------------------------------------------------------------------


def _try(
    file: Path,
    plan: Plan,
    store: Path,
    tried: dict[str, TriedVersion],
    players: Sequence[Entrant],
    *,
    as_json: bool,
) -> list[TriedPlayer]:
    """Try the programs among some players; what was found is kept, and added to ``tried``."""

    players = [player for player in players if player.command is not None]
    console = SafeConsole(stderr=as_json)
    workers = plan.tournament.workers or os.cpu_count() or 1

    done: list[TriedPlayer] = []

    def on_done(found: TriedPlayer) -> None:
        done.append(found)
        name, version = found.player.name, found.as_version()
        before = tried.get(name)
        tried[name] = version._replace(kept=before is not None and before.kept)
        write_tried(file, plan, tried)
        if not as_json:
            show_tried(progress.console, found)

    with TrialProgress(console) as progress:
        progress.begin(len(cases_of(plan)) * len(players))
        try:
            stopped_by = run_until_stopped(
                lambda: try_programs(plan, store, players, progress, workers, on_done)
            )
        except OSError as error:
            refuse(f"The results cannot be kept beside {file}: {error.strerror}.")
    if stopped_by is not None:
        count = f"{len(done)} of {len(players)} programs were tried"
        click.echo(f"Stopped; {count}. The same command tries the others.", err=True)
        exit_after(stopped_by)
    return done


def _keep(
    file: Path, plan: Plan, tried: dict[str, TriedVersion], names: Sequence[str], *, keep_all: bool
) -> dict[str, TriedVersion]:
    """Let programs play that have failed."""
    failed = [name for name, one in tried.items() if not one.qualified]
    for name in names:
        if name not in plan.names:
            refuse(f"There is no player {name!r}. Choose one of {', '.join(plan.names)}.")
        if name not in failed:
            refuse(f"{name} has not failed a trial in its present version.")
    kept = failed if keep_all else names
    tried = {**tried, **{name: tried[name]._replace(kept=True) for name in kept}}
    try:
        write_tried(file, plan, tried)
    except OSError as error:
        refuse(f"The results cannot be kept beside {file}: {error.strerror}.")
    return tried


# -- the plan -----------------------------------------------------------------------------------


def _show(
    options: CheckFileOptions,
    plan: Plan,
    tried: Mapping[str, TriedVersion],
    found: Sequence[TriedPlayer],
) -> None:
    store, expected = options.file.with_suffix(".sqlite"), forecast(plan, tried)
    workers: dict[str, WorkerFacts] | None = None
    if options.cluster is not None:
        programs = any(player.command for player in plan.players)
        workers = ask_workers(options.cluster, plan.limits.sandbox if programs else "")
    unequal = [] if workers is None else [*differences(workers)]
    if not options.as_json:
        console = SafeConsole()
        show_plan(console, plan, expected, store)
        if workers:
            console.print(workers_table(workers))
        for warning in unequal:
            show_warning(console, warning)
        return
    fields: dict[str, Any] = {
        **expected.fields(),
        "sandbox": sandbox_text(plan, store),
        "warnings": [*warnings_of(plan, expected, store), *unequal],
        "tried": tried_fields(tried, found),
    }
    if workers is not None:
        fields["cluster"] = {at: facts._asdict() for at, facts in workers.items()}
    echo_json(fields)
