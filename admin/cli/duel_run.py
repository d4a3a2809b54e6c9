"""Plays a duel for ``acquire duel``, shows it while it is played, and what it has shown.

A terminal shows one picture; in a pipe a line comes whenever the blocks have doubled.
"""

from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from ...protocol.files import replace_file
from ...protocol.settings_file import InvalidFile, parse
from ...protocol.user_error import UserError
from ..launching.sandbox import Chosen, Sandbox
from ..refereeing.table.run import cores
from ..refereeing.view.plain_text import json_text, plural, printable
from ..tournament.driving.driver import play_tournament
from ..tournament.driving.run_observers import RunPicture
from ..tournament.dueling import duel_plan, duel_report
from ..tournament.dueling.contestants import parse_contestants, port_notes, same_programs
from ..tournament.dueling.duel_evidence import DuelEvidence, DuelQuestion, Measure, losses_of
from ..tournament.games.entries import number_in
from ..tournament.games.result import GameResult, SeatResult
from ..tournament.planning.plan import Plan
from ..tournament.planning.plan_file import read_plan
from ..tournament.run import run_events
from ..tournament.run.tournament_run import TournamentRun
from ..tournament.store.store import Store
from ..tournament.store.store_reader import advised
from .console import exit_after, refuse, unwritable_refused
from .duel import DuelOptions
from .safe_console import SafeConsole

EXIT_CODES = {"stronger": 0, "weaker": 1, "equal": 3, "undecided": 4}
DUELS = Path("duels")  # where the folders of duels are, unless another is given
PLAN, RESULT = "duel.toml", "duel.json"  # the files of a duel, beside the store


def run(options: DuelOptions) -> None:
    """Play a duel, show the result, and exit with the code for it."""
    console = SafeConsole(stderr=options.as_json)
    here = Path.cwd()
    question = _question(options, here)
    seated = question.lineup
    folder = options.log_dir or duel_plan.new_folder(
        DUELS, [one.label for one in seated.contestants[:2]]
    )
    for note in port_notes(seated.contestants):
        console.say(note, style="yellow")
    for label, other in same_programs(seated.contestants):
        console.say(
            f"Note: {label} and {other} are the same program, byte by byte. A duel cannot show a "
            "difference between them.",
            style="yellow",
        )
    clocks, limits = options.programs.sections
    general = (options.rulebook.given, options.max_games, clocks, limits, options.seed)
    plan = _write_plan(folder, seated, duel_plan.DuelSettings(*general), here)
    report, stopped_by = _play(console, plan, question, folder, options.concurrency)
    text = json_text(report.fields(), indent=2)
    with unwritable_refused(folder / RESULT, code=1):
        replace_file(folder / RESULT, f"{text}\n".encode())
    if options.as_json:
        click.echo(text)
    else:
        duel_report.show_report(console, report)
    exit_after(stopped_by, EXIT_CODES[report.evidence.verdict.value])


# -- before it begins ---------------------------------------------------------------------------


def _question(options: DuelOptions, here: Path) -> DuelQuestion:
    contestants = parse_contestants(options.contest.all, here)
    seated = duel_plan.lineup(contestants, options.rulebook.value, options.seats)
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


def _write_plan(
    folder: Path, lineup: duel_plan.Lineup, settings: duel_plan.DuelSettings, here: Path
) -> Plan:
    """Write the duel's tournament file and read it; refuse if another duel is there."""
    file = folder / PLAN
    advice = "Give another --log-dir"
    with unwritable_refused(file, f"{advice}."):
        written = duel_plan.duel_file(lineup, settings, folder, here)
        try:
            if file.exists():
                written = duel_plan.continued(written, parse(file, ""))
        except (KeyError, TypeError, ValueError, InvalidFile):
            refuse(f"{file} is not the file of a duel. {advice}.")
        except UserError as error:
            refuse(f"{folder} has another duel: {error}. {advice}, or none.")
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(file, duel_plan.toml_text(written).encode())
    return read_plan(file)


# -- the games ----------------------------------------------------------------------------------


def _play(
    console: SafeConsole, plan: Plan, question: DuelQuestion, folder: Path, workers: int | None
) -> tuple[duel_report.DuelReport, int | None]:
    """Play until it is decided; return what it has shown, and the signal that stopped it."""
    evidence, stopped_by = DuelEvidence(question), None
    console.print(duel_report.opening(question, plan.tournament.rulebook.id))
    console.say(f"Games are kept in {folder}.", copied=True)
    path = (folder / PLAN).with_suffix(".sqlite")
    with advised("Give another --log-dir."), Store.open_to_write(path) as store:
        with DuelWatch(console, evidence) as watch:
            run = TournamentRun(plan, store, watch)
            watch(run_events.PlayersChanged(run.changes, run.archived))
            watch(run_events.RunStarted(run.progress, run.results()))
            if not evidence.decided:
                stopped_by = play_tournament(
                    run, workers or cores(), None, is_over=lambda: evidence.decided
                )
        losses = losses_of(store, run.results(), question, folder)
    played, total = run.progress
    return duel_report.DuelReport(evidence, losses, folder, played, total - played), stopped_by


class DuelWatch(RunPicture):
    """The observer of a duel's run."""

    def __init__(self, console: Console, evidence: DuelEvidence) -> None:
        games = "{task.completed:,.0f} of at most {task.total:,.0f} games"
        super().__init__(console, BarColumn(bar_width=None), TextColumn(games), TimeElapsedColumn())
        self._evidence = evidence
        self._lineup = evidence.question.lineup
        self.progress = run_events.Progress(0, 0)
        self._lost: list[SeatResult] = []
        """The challenger's last seat in each game that it did not finish."""
        self._next_line = 1

    def __call__(self, event: run_events.RunEvent) -> None:
        """Show an event that matters to a duel."""
        tell = self._console.print
        match event:
            case run_events.RunStarted(progress):
                for result in event.results:  # of earlier runs
                    self._take(result, progress)
                while self._next_line <= self._evidence.blocks:
                    self._next_line *= 2
                self._bar.reset(self._task, total=progress.total, completed=progress.games)
                if progress.games:
                    tell(f"{plural(progress.games, 'game')} were played before.")
                self._show(at_once=True)
            case run_events.PlayersChanged(changes, archived) if archived:
                names = ", ".join(map(printable, changes.new_versions))
                tell(f"Changed: {names}. {plural(archived, 'game')} of before do not count.")
            case run_events.GameFinished(result, progress):
                self._take(result, progress)
                self._bar.update(self._task, completed=progress.games)
                if self._live.is_started:
                    self._show(at_once=self._evidence.decided)
                elif self._evidence.blocks >= self._next_line:
                    self._next_line *= 2
                    games = plural(len(self._evidence.games), "game")
                    tell(f"{games}: {'. '.join(self._words())}")
            case run_events.GameVoided(void, again):
                left_out = "It was void too often: its deal is left out."
                out = "It is played again." if again else left_out
                tell(Text(f"Void: {void.game}. {printable(void.why)} {out}"))
                if not again:
                    self._evidence.leave_out(number_in(void.game, "d"))
            case Chosen(Sandbox.NONE, why):
                tell(Text(printable(f"No sandbox. {Sandbox.NONE.sentence} {why}"), "yellow"))
            case run_events.Notice("finishing", sentence) if not self._evidence.decided:
                tell(Text(sentence))
            case run_events.Trouble(sentence):
                tell(Text(printable(sentence), "bold"))

    def _take(self, result: GameResult, progress: run_events.Progress) -> None:
        self.progress = progress
        self._evidence.add(result)
        mine = self._lineup.teams[0]
        lost = [seat for seat in result.seats if seat.player in mine and not seat.finished]
        self._lost += lost[-1:]

    def _words(self) -> list[str]:
        """Return what is known of the difference, and when it will be decided."""
        games, total = self.progress
        forecast = duel_report.forecast_in_words(self._evidence, total - games)
        return [*filter(None, (duel_report.difference_in_words(self._evidence), forecast))]

    # -- drawing --------------------------------------------------------------------------------

    def _drawn(self) -> Iterable[RenderableType]:
        width, plain = self._console.width - 2, self._console.options.ascii_only
        picture = duel_report.draw_interval(self._evidence, width, ascii_only=plain)
        lines = [Text(" ").append_text(line) for line in picture]
        words = self._words() if self._evidence.blocks else ["The first block is being played."]
        said = [Text(f" {text}") for text in words]
        if self._lost:
            mine, count = printable(self._lineup.mine.label), plural(len(self._lost), "game")
            last = f"{self._lost[-1].verdict.value}. {printable(self._lost[-1].explanation)}"
            said.append(Text(f" {mine} did not finish {count}, the last one: {last}", "red"))
        return Text(), *lines, Text(), *said
