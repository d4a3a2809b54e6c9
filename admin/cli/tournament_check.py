"""Reads a tournament file for ``acquire tournament check``, tries and compares its programs."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.text import Text

from ...protocol.settings_file import InvalidFile
from ..advising.explaining.explanation_text import draw_explanation, plain_text
from ..refereeing.table.run import cores, run_until_stopped
from ..refereeing.view.plain_text import listed, plural, printable
from ..testing.cases.case import Case
from ..testing.judging.check_result import CaseResult
from ..testing.judging.checker import CheckObserver
from ..testing.reports import case_text
from ..testing.trial.launch_source import LaunchSource
from ..tournament.arena.player_files import Programs
from ..tournament.auditing import similar_programs as alike
from ..tournament.cluster.cluster_connection import ask_workers, differences, workers_table
from ..tournament.cluster.cluster_worker import WorkerFacts
from ..tournament.driving import forecast
from ..tournament.driving.trying import TriedPlayer, cases_of, try_programs
from ..tournament.planning.plan import Entrant, Plan
from ..tournament.planning.plan_file import read_plan
from ..tournament.planning.qualified_file import read_tried, without_failed, write_tried
from ..tournament.planning.schedule import new_schedule
from ..tournament.store.store import Store
from .check_output import sheet
from .console import echo_json, exit_after, refuse
from .safe_console import Bar, SafeConsole
from .tournament import CheckFileOptions, SimilarOptions

MAX_CASES = 3  # cases of a program that are shown in full; of more, only the titles
MAX_OUTPUT_LINES = 12
MAX_LINE_LENGTH = 200


def check(options: CheckFileOptions) -> None:
    """Check a file, and exit with 1 if programs are left out that were tried."""
    as_json = options.as_json
    trials = _Trials(options.file, options.file.with_suffix(".sqlite"), as_json=as_json)
    if options.try_programs:
        qualified = {name for name, one in trials.tried.items() if one.qualified}
        trials.run([each for each in trials.plan.programs if each.name not in qualified])
    if options.keep or options.keep_all:
        trials.keep(options.keep, keep_all=options.keep_all)
    try:
        plan = trials.playing()
    except InvalidFile:
        if as_json:
            echo_json({"tried": trials.fields()})
        raise
    if options.schedule:
        games = new_schedule(plan, plan.tournament.seed or 0).stage(1)
        for game in games if as_json else ():
            echo_json({"game": game.id, "players": game.players}, None)
        if not as_json:
            forecast.show_schedule(SafeConsole(), plan, games, "The games")
    else:
        _show(options, plan, trials)
    if options.try_programs and any(not one.plays for one in trials.tried.values()):
        sys.exit(1)


def read_plan_to_play(file: Path, store: Path, *, as_json: bool) -> Plan:
    """Read a plan, try new versions if programs have to qualify, leave out those that failed."""
    trials = _Trials(file, store, as_json=as_json)
    players = [player for player in trials.plan.programs if player.name not in trials.tried]
    if trials.plan.tournament.qualifies and players:
        trials.run(players)
        for one in trials.found if as_json else ():
            fields = {"name": one.player.name, "qualified": one.qualified, "why": one.why}
            echo_json({"event": "tried", **fields}, None)
    return trials.playing()


def _show(options: CheckFileOptions, plan: Plan, trials: "_Trials") -> None:
    expected = forecast.forecast(plan, trials.tried)
    workers: dict[str, WorkerFacts] | None = None
    if options.cluster is not None:
        workers = ask_workers(options.cluster, plan.limits.sandbox if plan.programs else "")
    unequal = [] if workers is None else [*differences(workers)]
    if not options.as_json:
        console = SafeConsole()
        forecast.show_plan(console, plan, expected, trials.store, options.file)
        if workers:
            console.print(workers_table(workers))
        for warning in unequal:
            forecast.show_warning(console, warning)
        return
    sandbox, also = forecast.sandbox_words(plan, trials.store)
    fields: dict[str, Any] = {
        **expected.fields(),
        "sandbox": sandbox,
        "also_seen": also,
        "warnings": [*forecast.warnings_of(plan, expected, trials.store, options.file), *unequal],
        "tried": trials.fields(),
    }
    if workers is not None:
        fields["cluster"] = {at: facts._asdict() for at, facts in workers.items()}
    echo_json(fields)


# -- trying -------------------------------------------------------------------------------------


class _Trials:
    """The players of a tournament file, and what trying them has found, which is kept."""

    def __init__(self, file: Path, store: Path, *, as_json: bool) -> None:
        self.store, self.plan = store, read_plan(file)
        self.tried = read_tried(file, self.plan)
        self.found: list[TriedPlayer] = []  # what was tried just now
        self._file, self._as_json = file, as_json

    def playing(self) -> Plan:
        """Return the plan without those that have failed; ``InvalidFile`` if too few are left."""
        return without_failed(self._file, self.plan, self.tried)

    def run(self, players: Sequence[Entrant]) -> None:
        """Try some programs."""
        total, workers = len(cases_of(self.plan)) * len(players), self.plan.tournament.workers
        with _Progress(sheet(stderr=self._as_json), total, "cases") as progress:

            def on_done(found: TriedPlayer) -> None:
                self.found.append(found)
                name, before = found.player.name, self.tried.get(found.player.name)
                kept = before is not None and before.kept
                self.tried[name] = found.as_version()._replace(kept=kept)
                self._write()
                if not self._as_json:
                    _show_tried(progress.console, found)

            at_once = workers or cores()
            stopped_by = run_until_stopped(
                lambda: try_programs(self.plan, self.store, players, progress, at_once, on_done)
            )
        if stopped_by is not None:
            count = f"{len(self.found)} of {len(players)} programs were tried"
            click.echo(f"Stopped; {count}. The same command tries the others.", err=True)
            exit_after(stopped_by)

    def keep(self, names: Sequence[str], *, keep_all: bool) -> None:
        """Let programs play that have failed."""
        failed = [name for name, one in self.tried.items() if not one.qualified]
        for name in names:
            if name not in self.plan.names:
                known = ", ".join(self.plan.names)
                refuse(f"There is no player {name!r}. Choose one of {known}.")
            if name not in failed:
                refuse(f"{name} has not failed a trial in its present version.")
        for name in failed if keep_all else names:
            self.tried[name] = self.tried[name]._replace(kept=True)
        self._write()

    def _write(self) -> None:
        try:
            write_tried(self._file, self.plan, self.tried)
        except OSError as error:
            refuse(f"The results cannot be kept beside {self._file}: {error.strerror}.")

    def fields(self) -> dict[str, dict[str, Any]]:
        """Return what is known of each program, and the cases that were played just now."""
        fields = {
            name: {**version._asdict(), "plays": version.plays}
            for name, version in self.tried.items()
        }
        for one in self.found:
            fields[one.player.name]["output"] = _lines(one.output)
            fields[one.player.name]["cases"] = [_case_fields(result) for result in one.results]
        return fields


class _Progress(Bar, CheckObserver):
    """Shows how many cases the programs have played."""

    def case_started(self, case: Case) -> None:
        self.progress.update(self.task, description=escape(case.title))

    def case_judged(self, _: CaseResult) -> None:
        self.progress.update(self.task, advance=1)


def _show_tried(console: Console, tried: TriedPlayer) -> None:
    name = printable(tried.player.name)
    if tried.qualified:
        console.print(Text.assemble((f"{name}: ", "bold"), "has qualified."))
        return
    console.print(Text(f"{name}: has not qualified.", "bold red"))
    if tried.failure or tried.absent:
        console.print(Padding.indent(Text(printable(tried.why)), 2))
        _print_output(
            console,
            case_text.shown_output(tried.failed[0]) if tried.absent else _lines(tried.output),
        )
        return
    for number, result in enumerate(tried.failed):
        console.print(Padding.indent(case_text.headline(result), 2))
        if number < MAX_CASES:
            console.print(Padding.indent(case_text.draw_case(result), 4))
        if number == 0:
            if (explanation := case_text.explanation_of(result)) is not None:
                console.print("", Padding.indent(draw_explanation(explanation), 4), "", sep="\n")
            _print_output(console, case_text.shown_output(result))


def _print_output(console: Console, lines: Sequence[str]) -> None:
    """Print an output as it is: a wrapped traceback is hard to read."""
    if lines:
        console.print(Padding.indent(Text("Output of the player", "bold"), 4))
    for line in lines:
        console.print(Text(f"      {line}"), soft_wrap=True)


def _lines(output: bytes) -> list[str]:
    lines = output.decode(errors="backslashreplace").rstrip().splitlines()[-MAX_OUTPUT_LINES:]
    return [printable(line.expandtabs())[:MAX_LINE_LENGTH] for line in lines]


def _case_fields(result: CaseResult) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "case": result.case.id,
        "title": result.case.title,
        "verdict": result.verdict.code,
        "actual": printable(result.actual),
    }
    if not result.verdict.passed:
        explanation = case_text.explanation_of(result)
        fields["expected"] = result.case.expected
        fields["explanation"] = (
            plain_text(draw_explanation(explanation), case_text.WIDTH) if explanation else None
        )
        fields["output"] = case_text.output_lines(result)[-MAX_OUTPUT_LINES:]
    return fields


# -- programs that are alike --------------------------------------------------------------------


def similar(options: SimilarOptions) -> None:
    """Compare the programs of a tournament, and print the pairs that are alike."""
    answers: dict[str, alike.Answers] = {}
    failures: dict[str, str] = {}

    async def play(player: Entrant, source: LaunchSource) -> None:
        answers[player.name] = await alike.answers_of(plan, source, games)

    def failed(player: Entrant, why: str, _output: bytes) -> None:
        failures[player.name] = why

    plan, games = read_plan(options.file), list[alike.Asked]()
    players = plan.programs
    if options.games and options.path.exists():
        with Store.open_to_read(options.path) as store:
            games = alike.games_to_ask(store, options.games)
    positions = plural(sum(len(turns) for _, _, turns in games), "position")
    click.echo(f"{plural(len(players), 'program')}, asked in {positions}.", err=True)
    plays = [(player, play) for player in players]
    at_once = options.workers or cores()
    ask = partial(Programs(plan, options.path).launch_each, plays, at_once, failed)
    if games and (stopped_by := run_until_stopped(ask)) is not None:
        exit_after(stopped_by)
    sources, starters = alike.sources_of(plan.folder, players, failures), alike.starters()
    found = alike.likenesses(sources, starters, answers, alike.known_answers(games))
    if options.as_json:
        pairs = [{**each._asdict(), "alike": each.alike} for each in found]
        echo_json({"pairs": pairs, "not_asked": failures})
        return
    for name, why in failures.items():
        click.echo(printable(f"{name} is not compared in full: {why}"), err=True)
    for each in (named := [each for each in found if each.alike]):
        line = f"{' and '.join(each.players)}: {each.part:.0%} of the smaller source in common"
        if each.positions:
            line += f"; the same answer in {each.agreed} of {each.positions} positions"
            line += f", {each.expected:.0f} expected, by chance {each.chance:.0e}"
        click.echo(printable(line))
    verdict = "Each is a reason for a conversation, never a verdict."
    click.echo(verdict if named else "None are alike.")
    if many := alike.made_of_everybodys(sources, starters):
        click.echo(
            f"Most of the source of {printable(listed(many))} is in too many programs to tell two "
            "apart, and did not count. If you did not hand it out, compare these yourself."
        )
