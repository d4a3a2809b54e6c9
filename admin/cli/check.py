"""``acquire check``: the options, a check run with them, and its reports."""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from .console import refuse
from .options import NamedRulebook, rulebook_option
from .player_options import OpenSource, PlayerOptions, player_options

if TYPE_CHECKING:
    from ...game.rulebook import Rulebook
    from ..testing.case_parts.case import Case
    from ..testing.judging.check_result import CheckResult
    from ..testing.reports.check_files import ReportFiles
    from ..testing.trial.listen_source import ListenSource
    from .check_output import RepeatCommand
    from .progress_bars import CheckProgress


FILE = click.Path(path_type=Path, dir_okay=False)
JOBS_PER_CORE = 2
"""Cases at a time: while one waits for its player to start or to end, another is played."""


@click.command(
    short_help="Test a player on short cases and explain failures.",
    context_settings={"allow_interspersed_args": False},
)
@rulebook_option
@click.option(
    "--only",
    multiple=True,
    metavar="WHICH",
    help="Play only a section (7, mergers) or a case (7.3, mergers/tie); repeatable.",
)
@click.option(
    "--case",
    "saved",
    multiple=True,
    type=FILE,
    metavar="LOG",
    help="Replay the ejection in LOG instead; repeatable.",
)
@click.option("--seat", metavar="NAME", help="Which ejected player, if LOG has several.")
@click.option("--list", "listed", is_flag=True, help="List the cases without playing them.")
@click.option(
    "--strict", is_flag=True, help="Treat warnings, also of unusual XML, as failures: exit code 1."
)
@click.option("-v", "--verbose", is_flag=True, help="Show all messages, also of passed cases.")
@click.option("--junit", type=FILE, help="Write JUnit XML to this file.")
@click.option("--json", type=FILE, help="Write Gradescope's results.json to this file.")
@click.option("--html", type=FILE, help="Write an HTML page to this file.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Cases at a time; one at a time once a slow start missed the time to connect.  "
    "[default: two per core]",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Play all cases even if the player repeatedly fails to connect or answer.",
)
@player_options
def check(
    rulebook: NamedRulebook,
    only: tuple[str, ...],
    saved: tuple[Path, ...],
    seat: str | None,
    listed: bool,
    strict: bool,
    verbose: bool,
    junit: Path | None,
    json: Path | None,
    html: Path | None,
    jobs: int | None,
    keep_going: bool,
    **player: Any,
) -> None:
    """Test a player on short cases and explain failures.

    Each case is a position or two, played at the same table and with the same referee as a game.
    COMMAND starts the player for each case. In it {host} and {port} stand for the address to
    connect to, {name} for the name to sign up with; the environment variables ACQUIRE_HOST,
    ACQUIRE_PORT and ACQUIRE_NAME have the same values. FILE.py:CLASS, a strategy of your own, is
    started by `acquire play`.

    \b
        acquire check -- python3 player.py {host} {port} {name}
        acquire check -- node player.js {host} {port} {name}
        acquire check -- mine.py:Mine
        acquire check -- java -cp classes Player {host} {port} {name}
        acquire check --only mergers --only 9.2 -- ./player {port} {name}
        acquire check --html check.html --junit check.xml -- ./player {port} {name}
        acquire check --case game-shrunk.xml -- ./player {port} {name}
        acquire check --rulebook mine.toml -- ./player {port} {name}
        acquire check --list

    How to write a player: docs/write-a-player.md. What the referee sends: docs/protocol.md.

    Exit codes: 0 all cases passed, even with warnings unless --strict; 1 cases failed or were not
    played to their end; 2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM, after a
    report of the cases judged so far.
    """
    from ...game.rulebooks import is_one_of_the_five

    _refuse_useless_options(saved, seat)
    played, cases = _saved(saved, seat) if saved else _chosen(rulebook.value, only)
    if not (saved or only) and not is_one_of_the_five(rulebook.value):
        click.echo(f"{len(cases)} cases apply to rulebook {rulebook.value.id}.", err=True)
    if listed:
        _list(cases)
        return
    options = PlayerOptions.verified(player)
    files = _files(options.distrusted_folder, junit=junit, json=json, html=html)
    if not is_one_of_the_five(rulebook.value):
        options = replace(options, rulebook=Path(rulebook.given).absolute())
    if options.listen is not None:
        if jobs is not None and jobs > 1:
            raise click.UsageError("With --listen only one case is played at a time.")
        cases = _with_usual_name(cases, chosen=bool(only or saved))
        jobs = 1
    if reason := files.unwritable():
        refuse(reason)
    private = [*files.paths.values(), *saved, Path(rulebook.given)]
    plan = _Plan(played, cases, strict, jobs or JOBS_PER_CORE * _cores(), keep_going, private)
    files.remove_old()
    result, stopped_by = _run(plan, options)
    logs = " ".join(f"--case {shlex.quote(str(log))}" for log in saved)
    revised = rulebook.given == "revised"
    settings = "" if revised else f" --rulebook {shlex.quote(rulebook.given)}"
    settings += " --strict" if strict else ""

    def repeat(number: str) -> str:
        return f"acquire check {logs or f'--only {number}'}{settings} {options.as_arguments}"

    _report(result, files, repeat, verbose)
    if stopped_by is not None:
        sys.exit(128 + stopped_by)
    sys.exit(0 if result.passed else 1)


def _refuse_useless_options(saved: Sequence[Path], seat: str | None) -> None:
    """Refuse options that would change nothing."""
    context = click.get_current_context()
    for option in ("only", "rulebook"):
        if saved and context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            name = option.removesuffix("_id")
            raise click.UsageError(
                f"Give either --{name} or --case: a log has its own cases and rulebook."
            )
    if seat is not None and not saved:
        raise click.UsageError("--seat needs --case.")


# -- before it begins ---------------------------------------------------------------------------


def _chosen(rulebook: "Rulebook", only: Sequence[str]) -> tuple["Rulebook", list["Case"]]:
    """Return the chosen cases in their order."""
    from ..testing.cases.catalogue import cases_for
    from ..testing.reports.listing import names, unknown_name

    cases = cases_for(rulebook)
    if not only:
        return rulebook, cases
    chosen: set[str] = set()
    for name in only:
        found = {case.id for case in cases if name in names(case)}
        if not found:
            refuse(unknown_name(name, rulebook, cases))
        chosen |= found
    return rulebook, [case for case in cases if case.id in chosen]


def _saved(logs: Sequence[Path], seat: str | None) -> tuple["Rulebook", list["Case"]]:
    """Return the cases in logs, and their rulebook."""
    from ..testing.cases.saved_case import CannotLoadCase, saved_cases

    try:
        cases = saved_cases(logs, seat)
    except CannotLoadCase as error:
        refuse(str(error))
    rulebooks = {case.script.rulebook.id: case.script.rulebook for case in cases}
    if len(rulebooks) > 1:
        refuse(
            f"The logs have different rulebooks: {', '.join(rulebooks)}. Check the logs of one "
            "rulebook at a time."
        )
    (rulebook,) = rulebooks.values()
    return rulebook, cases


def _list(cases: Sequence["Case"]) -> None:
    from .check_output import show_cases
    from .safe_console import SafeConsole

    show_cases(SafeConsole(), cases)


def _files(folder: Path | None, **paths: Path | None) -> "ReportFiles":
    from ..testing.reports.check_files import ReportFiles
    from ..testing.reports.gradescope import results_json
    from ..testing.reports.junit import junit_xml

    wanted = {name: path for name, path in paths.items() if path is not None}
    write_as: dict[str, Callable[[CheckResult], bytes]] = {
        "junit": junit_xml,
        "json": lambda check: results_json(check).encode(),
    }
    if "html" in wanted:
        from ..pages.html.check_page import page

        write_as["html"] = lambda check: page(check).encode()
    return ReportFiles(wanted, write_as, folder)


def _with_usual_name(cases: list["Case"], *, chosen: bool) -> list["Case"]:
    """Leave out cases with another name for the player, unless they were chosen."""
    from ..testing.case_parts.case import PLAYER

    kept = [case for case in cases if chosen or case.name == PLAYER]
    if len(kept) < len(cases):
        click.echo(
            f"Omitted: {len(cases) - len(kept)} cases in which the player needs another name. "
            "Choose them with --only."
        )
    return kept


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2


# -- the check ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is checked, and how."""

    rulebook: "Rulebook"
    cases: list["Case"]
    strict: bool
    jobs: int
    keep_going: bool
    private: list[Path]
    """Files that the player is not to see."""


def _run(plan: _Plan, options: PlayerOptions) -> tuple["CheckResult", int | None]:
    """Play the cases; return their result, and the signal that stopped it, if any."""
    import signal
    from datetime import datetime

    from ..refereeing.view.plain_text import plural
    from ..testing.judging.check_result import CheckResult, completed
    from .progress_bars import CheckProgress
    from .safe_console import SafeConsole

    began = datetime.now().astimezone()

    def on_listening(source: "ListenSource") -> None:
        count, where = plural(len(plan.cases), "case"), " and ".join(source.addresses)
        click.echo(
            f"Listening on {where}. Connect once for each of {count}, one after the other, and "
            f"sign up {_required_names(plan.cases)}."
        )

    with (
        options.prepared(on_listening, plan.private) as (player, open_source),
        CheckProgress(SafeConsole(), len(plan.cases)) as progress,
    ):
        stopped_by = _play(plan, open_source, progress)
    why = f"Not played: stopped by {signal.Signals(stopped_by).name}." if stopped_by else ""
    result = CheckResult(
        plan.rulebook,
        player,
        plan.strict,
        completed(plan.cases, progress.results, why),
        began,
        (datetime.now().astimezone() - began).total_seconds(),
    )
    return result, stopped_by


def _required_names(cases: Sequence["Case"]) -> str:
    """Describe the names that a player that connects by itself has to sign up with."""
    from ..refereeing.view.plain_text import printable
    from ..testing.case_parts.case import PLAYER

    special = [case for case in cases if case.name != PLAYER]
    if not special:
        return "with any name"
    if len(cases) == 1:
        return f"as {printable(special[0].name)}"
    listed = ", ".join(f"as {printable(case.name)} in {case.number}" for case in special)
    return listed if len(special) == len(cases) else f"{listed}, otherwise with any name"


def _play(plan: _Plan, open_source: OpenSource, progress: "CheckProgress") -> int | None:
    from ..refereeing.table.run import run_until_stopped
    from ..testing.judging.checker import Checker

    async def play() -> None:
        async with open_source() as source:
            checker = Checker(
                plan.rulebook,
                plan.cases,
                source,
                progress,
                jobs=plan.jobs,
                strict=plan.strict,
                keep_going=plan.keep_going,
            )
            await checker.run()

    return run_until_stopped(play)


def _report(
    result: "CheckResult", files: "ReportFiles", repeat: "RepeatCommand", verbose: bool
) -> None:
    """Show the results, and write the reports."""
    from .check_output import show
    from .safe_console import SafeConsole

    show(SafeConsole(), result, repeat, verbose=verbose)
    if errors := files.write(result):
        refuse(" ".join(errors), 1)
