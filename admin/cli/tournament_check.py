"""``acquire tournament check``: a tournament file, its games and the time; and try its programs."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..refereeing.view.plain_text import json_text
from .console import refuse
from .tournament_results import FILE
from .tournament_store import JSON, errors_refused, store_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..tournament.planning.plan import Entrant, Plan
    from ..tournament.planning.qualified_file import TriedVersion
    from ..tournament.qualifying.trying import TriedPlayer

T = TypeVar("T")


@click.command(short_help="Report all mistakes in a file, the number of games and the time.")
@FILE
@click.option("--schedule", is_flag=True, help="List all games in their order instead.")
@click.option(
    "--try",
    "try_programs",
    is_flag=True,
    help="Start every program that has not qualified yet, and leave out those that fail.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="NAME",
    help="Let a program play although it has failed; repeatable.",
)
@click.option("--keep-all", is_flag=True, help="Let all programs play that have failed.")
@JSON
def check(
    file: Path,
    schedule: bool,
    try_programs: bool,
    keep: tuple[str, ...],
    keep_all: bool,
    as_json: bool,
) -> None:
    """Report all mistakes in a tournament file, the number of games, and how long they take.

    With --try every program is built, started in its sandbox under the limits of the tournament,
    and plays a few cases of `acquire check` and a whole game against built-in players. What went
    wrong is explained. The result is kept beside the file (course.qualified.json for course.toml):
    `run` leaves out a program that has failed, until its version changes. A version that has
    qualified is not tried again.

    Exit codes: 0 done; 1 with --try, programs have failed and are left out; 2 there are mistakes in
    the file; 130 and 143 stopped by SIGINT and SIGTERM.
    """
    from ...protocol.settings_file import InvalidFile
    from ..tournament.planning.plan_file import read_plan
    from ..tournament.planning.qualified_file import read_tried, without_failed
    from .tried_players import tried_fields

    whole, store = read_or_refuse(read_plan, file), store_path(file, None)
    tried = read_or_refuse(read_tried, file, whole)
    found: list[TriedPlayer] = []
    with errors_refused():
        if try_programs:
            players = [player for player in whole.players if not _qualified(player, tried)]
            found = _try(file, whole, store, tried, players, as_json=as_json)
            tried = read_tried(file, whole)
        if keep or keep_all:
            tried = _keep(file, whole, tried, keep, keep_all=keep_all)
        try:
            plan = without_failed(file, whole, tried)
        except InvalidFile as error:
            if as_json:
                click.echo(json_text({"tried": tried_fields(tried, found)}, indent=2))
            refuse(str(error))
        if schedule:
            _list_games(plan, as_json=as_json)
        else:
            _show(file, plan, tried, found, as_json=as_json)
    if try_programs and any(not one.plays for one in tried.values()):
        sys.exit(1)


def read_or_refuse(read: Callable[..., T], *args: Any) -> T:
    """Read a file of settings, or refuse with all mistakes in it."""
    from ...protocol.settings_file import InvalidFile

    try:
        return read(*args)
    except InvalidFile as error:
        refuse(str(error))


def read_plan_to_play(file: Path, store: Path, *, as_json: bool) -> "Plan":
    """Read a tournament file, try new versions if it is to be qualified, leave out what failed."""
    from ..tournament.planning.plan_file import read_plan
    from ..tournament.planning.qualified_file import read_qualified_plan, read_tried

    plan = read_or_refuse(read_plan, file)
    if plan.tournament.qualifies:
        tried = read_or_refuse(read_tried, file, plan)
        if players := [player for player in plan.players if player.name not in tried]:
            for one in _try(file, plan, store, tried, players, as_json=as_json):
                if as_json:
                    fields = {"name": one.player.name, "qualified": one.qualified, "why": one.why}
                    click.echo(json_text({"event": "tried", **fields}))
    return read_or_refuse(read_qualified_plan, file)


# -- trying -------------------------------------------------------------------------------------


def _qualified(player: "Entrant", tried: "Mapping[str, TriedVersion]") -> bool:
    return player.name in tried and tried[player.name].qualified


def _try(
    file: Path,
    plan: "Plan",
    store: Path,
    tried: "dict[str, TriedVersion]",
    players: "Sequence[Entrant]",
    *,
    as_json: bool,
) -> "list[TriedPlayer]":
    """Try the programs among some players, and keep what was found."""
    import os

    from ..refereeing.table.run import run_until_stopped
    from ..tournament.planning.qualified_file import write_tried
    from ..tournament.qualifying.trying import Trying
    from .progress_bars import TrialProgress
    from .safe_console import SafeConsole
    from .tried_players import show_tried

    players = [player for player in players if player.command is not None]
    console = SafeConsole(stderr=as_json)
    workers = plan.tournament.workers or os.cpu_count() or 1

    def on_done(found: "TriedPlayer") -> None:
        name = found.player.name
        version = found.as_version()
        if name in tried and tried[name].kept:
            version = version.model_copy(update={"kept": True})
        tried[name] = version
        write_tried(file, plan, tried)
        if not as_json:
            show_tried(progress.console, found)

    with TrialProgress(console) as progress:
        trying = Trying(plan, store, players, progress)
        progress.begin(trying.total)
        try:
            stopped_by = run_until_stopped(lambda: trying.run(workers, on_done))
        except OSError as error:
            refuse(f"The results cannot be kept beside {file}: {error.strerror}.")
    if stopped_by is not None:
        count = f"{len(trying.tried)} of {len(players)} programs were tried"
        click.echo(f"Stopped; {count}. The same command tries the others.", err=True)
        sys.exit(128 + stopped_by)
    return trying.tried


def _keep(
    file: Path,
    plan: "Plan",
    tried: "dict[str, TriedVersion]",
    names: Sequence[str],
    *,
    keep_all: bool,
) -> "dict[str, TriedVersion]":
    """Let programs play that have failed."""
    from ..tournament.planning.qualified_file import keep, write_tried

    failed = [name for name, one in tried.items() if not one.qualified]
    for name in names:
        if name not in plan.names:
            refuse(f"There is no player {name!r}. Choose one of {', '.join(plan.names)}.")
        if name not in failed:
            refuse(f"{name} has not failed a trial in its present version.")
    tried = keep(tried, failed if keep_all else names)
    try:
        write_tried(file, plan, tried)
    except OSError as error:
        refuse(f"The results cannot be kept beside {file}: {error.strerror}.")
    return tried


# -- the plan -----------------------------------------------------------------------------------


def _list_games(plan: "Plan", *, as_json: bool) -> None:
    from ..tournament.driving.plan_text import show_schedule
    from ..tournament.planning.schedule import Schedule
    from .safe_console import SafeConsole

    games = Schedule(plan, plan.tournament.seed or 0).stage(1)
    if as_json:
        for game in games:
            click.echo(json_text({"game": game.id, "players": game.players}))
    else:
        show_schedule(SafeConsole(), plan, games, "The games")


def _show(
    file: Path,
    plan: "Plan",
    tried: "Mapping[str, TriedVersion]",
    found: "Sequence[TriedPlayer]",
    *,
    as_json: bool,
) -> None:
    from ..tournament.driving.forecast import forecast
    from ..tournament.driving.plan_text import sandbox_text, show_plan, warnings_of
    from .safe_console import SafeConsole
    from .tried_players import tried_fields

    store, expected = store_path(file, None), forecast(plan, tried)
    if not as_json:
        show_plan(SafeConsole(), plan, expected, store)
        return
    fields: dict[str, Any] = {
        **expected.fields(),
        "sandbox": sandbox_text(plan, store),
        "warnings": warnings_of(plan, expected, store),
        "tried": tried_fields(tried, found),
    }
    click.echo(json_text(fields, indent=2))
