"""Checks a player for ``acquire check``, and writes the reports."""

import shlex
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from ...game.rulebook import Rulebook
from ...game.rulebooks import is_one_of_the_five
from ...protocol.commands import on_command_line
from ..refereeing.table.clocks import NO_CLOCKS
from ..refereeing.table.run import cores, run_until_stopped, write_crash_report
from ..refereeing.view.plain_text import printable
from ..testing.cases.case import PLAYER, Case
from ..testing.cases.catalogue import cases_for, saved_cases
from ..testing.judging.case_judge import clocks_for
from ..testing.judging.check_result import CaseResult, CaseVerdict, CheckResult, completed
from ..testing.judging.checker import Checker, CheckObserver
from ..testing.judging.common_cause import with_common_cause
from ..testing.reports import for_programs
from ..testing.reports.case_text import headline
from .check import CheckOptions
from .check_output import sheet, show, show_cases
from .chosen_player import ChosenPlayer, attach_player, choose_player
from .console import exit_after, refuse
from .options import CheckReportOptions
from .safe_console import Bar, SafeConsole

JOBS_PER_CORE = 3  # cases at a time: some always wait for a player to start or end
MOST_NEAR = 30  # cases listed for an unknown name: no section has more


def run(options: CheckOptions) -> None:
    """Check a player, and exit with the code for what was found."""
    _refuse_useless_options(options)
    rulebook = options.rulebook.value
    if options.saved:
        rulebook, cases = _saved(options)
    else:
        cases = chosen(options.only, rulebook, cases_for(rulebook, options.cases))
    own_rulebook = not is_one_of_the_five(options.rulebook.value)
    if own_rulebook and not (options.saved or options.only):
        click.echo(f"{len(cases)} cases apply to rulebook {rulebook.id}.", err=True)
    if options.listed:
        show_cases(cases)
        return
    player = _choose(options, Path(options.rulebook.given).absolute() if own_rulebook else None)
    if options.player.listen is not None and not (options.only or options.saved):
        usual = [case for case in cases if case.name == PLAYER]
        if len(usual) < len(cases):
            click.echo(
                f"Omitted: {len(cases) - len(usual)} cases in which the player needs another name. "
                "Choose them with --only."
            )
        cases = usual
    weights = None  # each case is worth a point
    if options.weights is not None:
        every = cases if options.saved else cases_for(rulebook, options.cases)
        weights = for_programs.read_weights(options.weights, {case.section.slug for case in every})
    files = report_files(options.reports, options.classroom, player.distrusted_folder)
    result, stopped_by = _check(options, rulebook, cases, player, weights, files.paths.values())
    show(sheet(), result, _repeat(options, player), verbose=options.reports.verbose)
    if errors := files.write(result):
        refuse(" ".join(errors))
    exit_after(stopped_by, 0 if result.passed else 1)


def _repeat(options: CheckOptions, player: ChosenPlayer) -> Callable[[str], str]:
    """Return what writes the command that plays the case of a number again."""
    logs = " ".join(f"--case {shlex.quote(str(log))}" for log in options.saved)
    settings = f" --seat {shlex.quote(options.seat)}" if options.seat is not None else ""
    settings += options.rulebook.as_argument
    settings += "".join(f" --cases {shlex.quote(str(file))}" for file in options.cases)
    if options.weights is not None:
        settings += f" --weights {shlex.quote(str(options.weights))}"
    settings += " --strict" if options.strict else ""
    return lambda number: (
        f"acquire check {logs or f'--only {number}'}{settings} {player.as_arguments}"
    )


# -- before it begins ---------------------------------------------------------------------------


def _refuse_useless_options(options: CheckOptions) -> None:
    for option in ("only", "rulebook", "cases"):
        if options.saved and option in on_command_line():
            raise click.UsageError(
                f"Give either --{option} or --case: a log has its own cases and rulebook."
            )
    if options.seat is not None and not options.saved:
        raise click.UsageError("--seat needs --case.")


def _choose(options: CheckOptions, rulebook: Path | None) -> ChosenPlayer:
    """Return the player, or refuse; one of several jobs cannot connect by itself."""
    if options.player.listen is not None:
        if options.no_clocks:
            raise click.UsageError("--no-clocks starts the player; --listen does not.")
        if options.jobs is not None and options.jobs > 1:
            raise click.UsageError("With --listen only one case is played at a time.")
    if options.no_clocks:
        return attach_player(options.player.command, rulebook)
    return choose_player(options.player, rulebook)


def chosen(names: Sequence[str], rulebook: Rulebook, cases: list[Case]) -> list[Case]:
    """Return the cases that were chosen by names, in their order; all where there are none."""
    found: set[str] = set()
    for name in names:
        own = {case.id for case in cases if name in case.names}
        if not own:
            refuse(_unknown_name(name, rulebook, cases))
        found |= own
    return [case for case in cases if case.id in found] if names else cases


def _unknown_name(name: str, rulebook: Rulebook, cases: Sequence[Case]) -> str:
    sections = dict.fromkeys(case.section for case in cases)
    section_name = name.partition("/")[0].partition(".")[0]
    near = [case for case in cases if section_name in case.names[:2]]
    if len(near) > MOST_NEAR:  # a check of an administrator has hundreds in one section
        alike = get_close_matches(name, [case.id for case in near], MOST_NEAR, 0.0)
        near = [case for case in near if case.id in alike]
    lines = [f"--only {name!r}: rulebook {rulebook.id} has no such section or case. Known:"]
    if near:
        lines += [f"  {case.number:>5}  {case.id}" for case in near]
    else:
        lines += [f"  {section.number:>5}  {section.slug}" for section in sections]
    return "\n".join([*lines, "All: the same command with --list."])


def _saved(options: CheckOptions) -> tuple[Rulebook, list[Case]]:
    cases = saved_cases(options.saved, options.seat)
    rulebooks = {case.script.rulebook.id: case.script.rulebook for case in cases}
    if len(rulebooks) > 1:
        refuse(
            f"The logs have different rulebooks: {', '.join(rulebooks)}. Check the logs of one "
            "rulebook at a time."
        )
    (rulebook,) = rulebooks.values()
    return rulebook, cases


def report_files(
    reports: CheckReportOptions, classroom: Path | None = None, folder: Path | None = None
) -> for_programs.ReportFiles:
    """Return the files to write, none in the ``folder`` of a sandboxed player; remove old ones."""
    paths = {"junit": reports.junit, "json": reports.json, "html": reports.html}
    paths["classroom"] = classroom
    write_as: dict[str, Callable[[CheckResult], bytes]] = {
        "junit": for_programs.junit_xml,
        "json": lambda check: for_programs.results_json(check).encode(),
        "classroom": lambda check: for_programs.classroom_json(check).encode(),
    }
    if reports.html is not None:
        from ..pages.html.check_page import page  # an extra brings what it needs

        write_as["html"] = lambda check: page(check).encode()
    wanted = {name: path for name, path in paths.items() if path is not None}
    files = for_programs.ReportFiles(wanted, write_as, folder)
    if reason := files.remove_old():
        refuse(reason)
    return files


# -- the check ----------------------------------------------------------------------------------


def _check(
    options: CheckOptions,
    rulebook: Rulebook,
    cases: list[Case],
    player: ChosenPlayer,
    weights: dict[str, float] | None,
    reports: Iterable[Path],
) -> tuple[CheckResult, int | None]:
    """Play the cases; return their result, and the signal that stopped it, if any."""
    began, start = datetime.now().astimezone(), time.monotonic()
    alone = options.no_clocks or options.player.listen is not None

    each = f" for each of {len(cases)} cases, one after the other," if len(cases) > 1 else ""
    advice = f"Connect once{each} and sign up {_required_names(cases)}."

    name = player.as_arguments

    async def play() -> None:
        nonlocal name
        async with player.opened(advice, private) as (name, source):
            checker = Checker(
                cases,
                source,
                progress,
                jobs=1 if alone else options.jobs or JOBS_PER_CORE * cores(),
                strict=options.strict,
                keep_going=options.keep_going,
                clocks=lambda case: (
                    NO_CLOCKS if options.no_clocks else clocks_for(case, options.clocks.at_table)
                ),
            )
            await checker.run()

    private = [*reports, *options.saved, *options.cases, Path(options.rulebook.given)]
    private += [options.weights] if options.weights is not None else []
    with _Progress(SafeConsole(quiet=options.no_clocks), len(cases)) as progress:
        stopped_by = run_until_stopped(play)
    why = f"Not played: stopped by {signal.Signals(stopped_by).name}." if stopped_by else ""
    seconds = time.monotonic() - start
    results = completed(cases, progress.results, why)
    try:
        results = with_common_cause(results)
    except Exception as error:  # what is wrong is known all the same, case by case
        click.echo(
            f"A cause common to several cases could not be looked for. {write_crash_report(error)}",
            err=True,
        )
    result = CheckResult(rulebook, name, options.strict, results, began, seconds, weights=weights)
    return result, stopped_by


class _Progress(Bar, CheckObserver):
    """Shows the progress of a check, prints a line for each failed case, collects the results."""

    def __init__(self, console: Console, total: int) -> None:
        super().__init__(console, total, "")
        self._counts: Counter[CaseVerdict] = Counter()
        self.results: list[CaseResult] = []

    def case_started(self, case: Case) -> None:
        self.progress.update(self.task, description=escape(f"{case.number} {case.title}"))

    def case_judged(self, result: CaseResult) -> None:
        self.results.append(result)
        self._counts[result.verdict] += 1
        marks = [
            f"[{verdict.style}]{verdict.mark} {self._counts[verdict]}[/]"
            for verdict in CaseVerdict
            if self._counts[verdict]
        ]
        self.progress.update(self.task, advance=1, text="  ".join(marks))
        if result.verdict is CaseVerdict.FAIL and self.console.is_terminal:
            self.console.print(headline(result))


def _required_names(cases: Sequence[Case]) -> str:
    """Describe the names that a player that connects by itself has to sign up with."""
    named = [f"as {printable(each.name)} in {each.number}" for each in cases if each.name != PLAYER]
    if len(named) < len(cases):
        named.append("otherwise with any name" if named else "with any name")
    return ", ".join(named)
