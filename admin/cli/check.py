"""``acquire check``: the options, a check run with them, and its reports."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from admin.cli.console import refuse
from admin.cli.options import rulebook_option
from admin.cli.player_command import Entrance, OpenDoor, player_options

if TYPE_CHECKING:
    from admin.check.case import Case
    from admin.check.reports.files import Files
    from admin.check.reports.terminal import Again, Terminal
    from admin.check.summary import Checked
    from admin.trial.door import Listening
    from game.rulebook import Rulebook


FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    short_help="Try a player in short cases: what is right, what is not, and why.",
    context_settings={"allow_interspersed_args": False},
)
@rulebook_option
@click.option(
    "--only",
    multiple=True,
    metavar="WHICH",
    help="Only a section (7, mergers) or a case (7.3, mergers/tie); can be given again.",
)
@click.option(
    "--case",
    "saved",
    multiple=True,
    type=FILE,
    metavar="LOG",
    help="Instead: the conversation of a log in which a player was ejected; can be given again.",
)
@click.option("--seat", metavar="NAME", help="Whose case a log is, where several were ejected.")
@click.option("--list", "listed", is_flag=True, help="List the cases, and play none.")
@click.option("--strict", is_flag=True, help="Warnings are failures; so is any other form of XML.")
@click.option("-v", "--verbose", is_flag=True, help="All that was said, also in passed cases.")
@click.option("--junit", type=FILE, help="Write JUnit XML to this file.")
@click.option("--json", type=FILE, help="Write Gradescope's results.json to this file.")
@click.option("--html", type=FILE, help="Write a page for people to this file.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Cases side by side.  [default: one for every core]",
)
@click.option("--keep-going", is_flag=True, help="Go on with a player who never comes or answers.")
@player_options
def check(
    rulebook_id: str,
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
    **entrance: Any,
) -> None:
    """Try a player in short cases: what is right, what is not, and why.

    Each case is a position or two, played by the same table and referee as a match. COMMAND starts
    the player, anew for each case. In it {host} and {port} stand for where to connect, {name} for
    the name to sign up with; ACQUIRE_HOST, ACQUIRE_PORT and ACQUIRE_NAME in the environment say
    the same.

    \b
        acquire check -- python3 player.py {host} {port} {name}
        acquire check -- node player.js {host} {port} {name}
        acquire check -- java -cp classes Player {host} {port} {name}
        acquire check --only mergers --only 9.2 -- ./player {port} {name}
        acquire check --html check.html --junit check.xml -- ./player {port} {name}
        acquire check --case match-shrunk.xml -- ./player {port} {name}
        acquire check --list

    What is asked, and how to write a player: docs/write-a-player.md, docs/protocol.md.

    Exit codes: 0 all cases were passed, be it with warnings; 1 some were failed or not reached;
    2 it could not begin; 130 and 143 stopped by SIGINT and SIGTERM, after a report of what was
    judged by then.
    """
    _refuse_idle_options(saved, seat)
    rulebook, cases = _saved(saved, seat) if saved else _chosen(rulebook_id, only)
    if listed:
        _list(cases)
        return
    files = _files(junit=junit, json=json, html=html)
    way = Entrance.of(entrance)
    if way.listen is not None:
        if jobs is not None and jobs > 1:
            raise click.UsageError("With --listen the cases are played one after the other.")
        cases = _for_one_name(cases, chosen=bool(only or saved))
        jobs = 1
    if refusal := files.refusal():
        refuse(refusal)
    options = "".join(
        [
            f" --rulebook {rulebook_id}" if rulebook_id != "revised" else "",
            " --strict" if strict else "",
        ]
    )
    setting = _Setting(rulebook, cases, strict, jobs or _cores(), keep_going)
    checked, stopped_by = _run(setting, way)
    logs = " ".join(f"--case {shlex.quote(str(log))}" for log in saved)

    def again(number: str) -> str:
        return f"acquire check {logs or f'--only {number}'}{options} {way.again}"

    _report(checked, files, again, verbose)
    if stopped_by is not None:
        sys.exit(128 + stopped_by)
    sys.exit(0 if checked.clean else 1)


def _refuse_idle_options(saved: Sequence[Path], seat: str | None) -> None:
    """Refuse options that would change nothing."""
    context = click.get_current_context()
    for option in ("only", "rulebook_id"):
        if saved and context.get_parameter_source(option) is ParameterSource.COMMANDLINE:
            name = option.removesuffix("_id")
            raise click.UsageError(f"Give --{name} or --case: a saved case has its own rulebook.")
    if seat is not None and not saved:
        raise click.UsageError("--seat is for --case.")


# -- before it begins ---------------------------------------------------------------------------


def _chosen(rulebook_id: str, only: Sequence[str]) -> tuple["Rulebook", list["Case"]]:
    """Return the cases that were asked for, in their order."""
    from admin.check.catalogue import cases_for
    from admin.check.reports.listing import names, unknown
    from game.rulebooks import RULEBOOKS

    rulebook = RULEBOOKS[rulebook_id]
    cases = cases_for(rulebook)
    if not only:
        return rulebook, cases
    kept: set[str] = set()
    for which in only:
        found = {case.id for case in cases if which in names(case)}
        if not found:
            refuse(unknown(which, rulebook, cases))
        kept |= found
    return rulebook, [case for case in cases if case.id in kept]


def _saved(logs: Sequence[Path], seat: str | None) -> tuple["Rulebook", list["Case"]]:
    """Return the cases that logs are, and the one rulebook of all of them."""
    from admin.check.saved import NoCase, saved_cases

    try:
        cases = saved_cases(logs, seat)
    except NoCase as error:
        refuse(str(error))
    rulebooks = {case.script.rulebook.id: case.script.rulebook for case in cases}
    if len(rulebooks) > 1:
        refuse(
            f"The cases are of different rulebooks: {', '.join(rulebooks)}. Check them one "
            "rulebook at a time."
        )
    (rulebook,) = rulebooks.values()
    return rulebook, cases


def _list(cases: Sequence["Case"]) -> None:
    from admin.check.reports.listing import show_cases
    from admin.cli.safe_console import SafeConsole

    show_cases(SafeConsole(), cases)


def _files(**wanted: Path | None) -> "Files":
    from admin.check.reports.files import Files

    return Files({name: path for name, path in wanted.items() if path is not None})


def _for_one_name(cases: list["Case"], *, chosen: bool) -> list["Case"]:
    """Leave out the cases of a player with another name, unless they were asked for."""
    from admin.check.case import PLAYER

    kept = [case for case in cases if chosen or case.name == PLAYER]
    if len(kept) < len(cases):
        click.echo(
            f"Left out: {len(cases) - len(kept)} cases in which the player is told another name. "
            "Ask for them by --only."
        )
    return kept


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2


# -- the check ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Setting:
    """What is checked, and how."""

    rulebook: "Rulebook"
    cases: list["Case"]
    strict: bool
    jobs: int
    keep_going: bool


def _run(setting: _Setting, way: Entrance) -> tuple["Checked", int | None]:
    """Play the cases; return what came of them, and the signal that stopped it, if one did."""
    import signal
    from datetime import datetime

    from admin.check.reports.terminal import Terminal
    from admin.check.summary import Checked, completed
    from admin.cli.safe_console import SafeConsole
    from admin.view.plain_text import plural

    began = datetime.now().astimezone()

    def tell(door: "Listening") -> None:
        count, where = plural(len(setting.cases), "case"), " and ".join(door.addresses)
        click.echo(
            f"Listening on {where}. Connect once for each of {count}, one after the other, and "
            f"sign up {_names(setting.cases)}."
        )

    with (
        way.opened(tell) as (player, open_door),
        Terminal(SafeConsole(), len(setting.cases)) as terminal,
    ):
        stopped_by = _play(setting, open_door, terminal)
    why = f"Not played: stopped by {signal.Signals(stopped_by).name}." if stopped_by else ""
    checked = Checked(
        setting.rulebook,
        player,
        setting.strict,
        completed(setting.cases, terminal.results, why),
        began,
        (datetime.now().astimezone() - began).total_seconds(),
    )
    return checked, stopped_by


def _names(cases: Sequence["Case"]) -> str:
    """Say by which names a player that connects by itself is to sign up."""
    from admin.check.case import PLAYER
    from admin.view.plain_text import printable

    special = [case for case in cases if case.name != PLAYER]
    if not special:
        return "by any name"
    if len(cases) == 1:
        return f"as {printable(special[0].name)}"
    told = ", ".join(f"as {printable(case.name)} in {case.number}" for case in special)
    return told if len(special) == len(cases) else f"{told}, else by any name"


def _play(setting: _Setting, open_door: OpenDoor, terminal: "Terminal") -> int | None:
    from admin.check.checking import Checker
    from admin.table.run import run_until_stopped

    async def play() -> None:
        async with open_door() as door:
            checker = Checker(
                setting.rulebook,
                setting.cases,
                door,
                terminal,
                jobs=setting.jobs,
                strict=setting.strict,
                keep_going=setting.keep_going,
            )
            await checker.run()

    return run_until_stopped(play)


def _report(checked: "Checked", files: "Files", again: "Again", verbose: bool) -> None:
    """Show the results, and write the reports."""
    from admin.check.reports.terminal import show
    from admin.cli.safe_console import SafeConsole

    show(SafeConsole(), checked, again, verbose=verbose)
    if refused := files.write(checked):
        refuse(" ".join(refused), 1)
