"""Plays a tournament for ``acquire tournament run``, and shows what happens."""

import shlex
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from ..pages.web.serving import Pages
from ..refereeing.table.run import cores, signal_noted
from ..refereeing.table.server_events import to_each
from ..refereeing.view.plain_text import JsonPrinter
from ..tournament.driving import forecast
from ..tournament.driving.driver import play_tournament, wait_until
from ..tournament.driving.run_observers import TerminalObserver, TournamentPublisher
from ..tournament.planning.plan import Plan
from ..tournament.planning.plan_file import plan_warnings
from ..tournament.reporting.report_content import content_of
from ..tournament.run import run_events
from ..tournament.run.tournament_files import PlanWatch
from ..tournament.run.tournament_run import TournamentRun
from ..tournament.standings.terminal_tables import show_summary
from ..tournament.store.secret_file import set_aside
from ..tournament.store.store import Store
from ..tournament.store.store_reader import StoreError
from .console import exit_after, refuse
from .safe_console import SafeConsole, json_lines
from .tournament import RunOptions
from .tournament_check import read_plan_to_play


def run(options: RunOptions) -> None:
    """Play a tournament, and exit with the code for how that went."""
    file, as_json = options.file, options.as_json
    path = options.path
    if options.retried and (options.fresh or not path.exists()):
        refuse("--retry is for games that were played, and there are none.")
    plan = read_plan_to_play(file, path, as_json=as_json)
    console = SafeConsole(stderr=as_json)
    closed = "Standard output was closed; the store has all games."
    lines = json_lines(console, closed) if as_json else None
    program = ("acquire.admin.tournament.reporting.live_report", str(path.absolute()))
    with options.pages.served(plan.lobby.host, lines, program) as spectators:
        if options.fresh and (aside := set_aside(path)):
            console.say(f"The games played before are in {aside}.", copied=True)
        with Store.open_to_write(path) as opened, signal_noted() as stopped:
            shown = _ShownRun(options, console, lines, opened, spectators, stopped)
            watch = PlanWatch(file, plan, shown.warn) if options.keep_going else None
            stopped_by = shown.play(plan, watch, options.retried)
            if options.announce:
                console.say("Nothing was played yet. To play: the same without --announce.")
                exit_after(stopped_by)
            while watch is not None and (stopped_by := stopped_by or stopped()) is None:
                if watch.plan is plan:
                    console.say(f"Waiting for changes of {file}.")
                    stopped_by = wait_until(watch.look)
                if stopped_by is None:
                    if watch.plan.tournament.qualifies:
                        watch.plan = read_plan_to_play(file, path, as_json=as_json)
                    plan = watch.plan
                    stopped_by = shown.play(plan, watch)
            shown.show_results()
    assert shown.run is not None, "it was played"
    games, total = shown.run.progress
    if stopped_by is not None:
        console.say(f"Stopped after {games} of {total} games; the same command resumes.")
        exit_after(stopped_by)
    if shown.run.given_up or games < total:
        if games < total:
            again = "The same command tries again, unless a later round was paired without them."
            console.say(f"{total - games} of {total} games were not played. {again}")
        sys.exit(1)
    console.say(f"Next: acquire tournament report {shlex.quote(str(file))}", copied=True)


@dataclass
class _ShownRun:
    """Plays a plan, and shows it in a terminal, as JSON lines and on pages, as is wanted.

    With ``--keep-going`` the plan may be followed by others.
    """

    options: RunOptions
    console: SafeConsole
    lines: JsonPrinter | None
    store: Store
    spectators: Pages | None
    stopped: Callable[[], int | None]  # returns a signal's number, if one came before any game
    observer: run_events.RunObserver = lambda _: None  # until a plan is played
    warned: set[str] = field(default_factory=set)
    run: TournamentRun | None = None

    def play(self, plan: Plan, watch: PlanWatch | None, retry: Collection[str] = ()) -> int | None:
        """Play what is left of a plan; return the number of the signal that stopped it, if any.

        The losses of programs to ``retry`` are forgiven.
        """
        for warning in plan_warnings(plan):
            if warning not in self.warned:
                forecast.show_warning(self.console, warning)
                self.warned.add(warning)
        with TerminalObserver(self.console, plan) as terminal:
            observers: list[run_events.RunObserver] = [terminal]
            if lines := self.lines:
                observers.append(lambda event: lines.print(run_events.event_fields(event)))
                for name, why in plan.left_out:
                    lines.print({"event": "left-out", "name": name, "why": why})
            feed = self.spectators.feed if self.spectators else None
            if feed is not None:
                observers.append(TournamentPublisher(feed, plan, self.store.log))
            self.observer = observer = to_each(*observers)
            first = self.run is None
            self.run = run = TournamentRun(
                plan, self.store, observer, endless=self.options.keep_going, retry=retry
            )
            if first:
                self.console.say(f"Key of the results: {run.key}", copied=True)
                if lines:
                    lines.print({"event": "key", "key": run.key})
            if any(run.changes):
                observer(run_events.PlayersChanged(run.changes, run.archived))
            observer(run_events.RunStarted(run.progress, run.results(), run.commitment))
            workers = self.options.workers or plan.tournament.workers or cores()
            number = self.stopped()
            if number is not None or self.options.announce:
                return number
            try:
                is_over = watch.look if watch else lambda: False
                return play_tournament(run, workers, self.options.cluster, feed, is_over)
            except StoreError as error:
                refuse(f"{error} All games stored before are safe.")

    def warn(self, sentence: str) -> None:
        """Report what went wrong."""
        self.observer(run_events.Trouble(sentence))

    def show_results(self) -> None:
        """Print the results so far."""
        run, store = self.run, self.store
        assert run is not None, "a plan has to be played first"
        content = content_of(store)
        summary = content.summary
        if self.lines is not None:
            found = {"given_up": run.given_up, "standings": summary}
            self.lines.print({"event": "over", **run.progress._asdict(), **found})
        show_summary(
            self.console,
            summary,
            run.progress.total,
            content.voids,
            content.alarms,
            archived=content.archived,
            given_up=run.given_up,
        )
        if any(row.lost for row in summary.rows):
            command = "acquire tournament show, with --player NAME or --game ID"
            self.console.say(f"Why a player lost games: {command}.")
