"""Plays a duel for ``acquire duel``, and shows what it has shown."""

import os
import tomllib
from pathlib import Path

import click

from ..refereeing.view.plain_text import json_text
from ..tournament.driving.driver import play_tournament
from ..tournament.dueling.contestants import InvalidDuel, parse_contestants, same_programs
from ..tournament.dueling.duel_evidence import DuelEvidence, DuelQuestion, Measure
from ..tournament.dueling.duel_plan import (
    DuelSettings,
    Lineup,
    continued,
    duel_file,
    lineup,
    new_folder,
    toml_text,
)
from ..tournament.dueling.duel_report import DuelReport, opening, show_report
from ..tournament.dueling.duel_watching import DuelWatch
from ..tournament.dueling.worst_games import losses_of
from ..tournament.planning.plan import Plan
from ..tournament.planning.plan_file import read_plan
from ..tournament.run.run_events import PlayersChanged, RunStarted
from ..tournament.run.tournament_run import TournamentRun
from ..tournament.store.store import Store
from .console import exit_after, refuse, unwritable_refused
from .duel import DuelOptions
from .safe_console import SafeConsole
from .tournament_files import errors_refused

EXIT_CODES = {"stronger": 0, "weaker": 1, "equal": 3, "undecided": 4}
DUELS = Path("duels")
"""Where the folders of duels are, unless another is given."""
PLAN, RESULT = "duel.toml", "duel.json"
"""The files of a duel in its folder, beside the store of its tournament."""


def run(options: DuelOptions) -> None:
    """Play a duel, show the result, and exit with the code for it."""
    console = SafeConsole(stderr=options.as_json)
    here = Path.cwd()
    question = _question(options, here)
    seated = question.lineup
    folder = options.log_dir or new_folder(DUELS, [one.label for one in seated.contestants[:2]])
    for label, other in same_programs(seated.contestants, here):
        console.say(
            f"Note: {label} and {other} are the same program, byte by byte. A duel cannot show a "
            "difference between them.",
            style="yellow",
        )
    clocks, limits = options.programs.sections
    general = (options.rulebook.given, options.max_games, clocks, limits, options.seed)
    with errors_refused():
        plan = _write_plan(folder, seated, DuelSettings(*general), here)
        report, stopped_by = _play(console, plan, question, folder, options.concurrency)
    text = json_text(report.fields(), indent=2)
    with unwritable_refused(folder / RESULT, code=1):
        (folder / RESULT).write_text(f"{text}\n")
    if options.as_json:
        click.echo(text)
    else:
        show_report(console, report)
    exit_after(stopped_by, EXIT_CODES[report.evidence.verdict.value])


# -- before it begins ---------------------------------------------------------------------------


def _question(options: DuelOptions, here: Path) -> DuelQuestion:
    try:
        contestants = parse_contestants(options.contest.all, here)
        seated = lineup(contestants, options.rulebook.value, options.seats)
    except InvalidDuel as error:
        refuse(str(error))
    if options.max_games < seated.games_in_block:
        refuse(
            f"--max-games {options.max_games}: one block has {seated.games_in_block} games here. "
            "Allow more."
        )
    measure, margin = Measure[options.measure.upper()], options.margin
    smallest = measure.default_margin(seated.seats) if margin is None else margin / measure.scale
    question = DuelQuestion(seated, measure, smallest, options.error_rate)
    most = max(question.bounds)
    if question.margin >= most:
        refuse(
            f"--margin {margin:g}: no difference is greater than {most * measure.scale:g}"
            f"{measure.unit} here. Give a smaller one."
        )
    return question


def _write_plan(folder: Path, lineup: Lineup, settings: DuelSettings, here: Path) -> Plan:
    """Write the duel's tournament file and read it; refuse if another duel is there."""
    file = folder / PLAN
    advice = "Give another --log-dir"
    with unwritable_refused(file, f"{advice}."):
        written = duel_file(lineup, settings, folder, here)
        try:
            if file.exists():
                written = continued(written, tomllib.loads(file.read_text()))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError):
            refuse(f"{file} is not the file of a duel. {advice}.")
        except InvalidDuel as error:
            refuse(f"{folder} has another duel: {error}. {advice}, or none.")
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(toml_text(written))
    return read_plan(file)


# -- the games ----------------------------------------------------------------------------------


def _play(
    console: SafeConsole, plan: Plan, question: DuelQuestion, folder: Path, workers: int | None
) -> tuple[DuelReport, int | None]:
    """Play until it is decided; return what it has shown, and the signal that stopped it."""
    evidence, stopped_by = DuelEvidence(question), None
    console.print(opening(question, plan.tournament.rulebook.id))
    console.say(f"Games are kept in {folder}.", copied=True)
    with Store.open_to_write((folder / PLAN).with_suffix(".sqlite")) as store:
        with DuelWatch(console, evidence) as watch:
            run = TournamentRun(plan, store, watch)
            watch(PlayersChanged(run.changes, run.archived))
            watch(RunStarted(run.progress, run.results()))
            if not evidence.decided:
                concurrency = workers or os.cpu_count() or 1
                stopped_by = play_tournament(run, watch, concurrency, None, is_over=watch.look)
        losses = losses_of(store, run.results(), question, folder)
    played, total = run.progress
    return DuelReport(evidence, losses, folder, played, total - played), stopped_by
