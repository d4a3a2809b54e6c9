"""Watches a duel while it is played: counts every game, shows the evidence, and ends the run.

Of the terminal it shows one picture; in a pipe it prints a line whenever the blocks have doubled.
"""

import time
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as ProgressBar
from rich.text import Text

from ...launching.sandbox import Sandbox
from ...refereeing.view.plain_text import plural, printable
from ..games.result import GameResult, SeatResult
from ..run import run_events
from .duel_evidence import DuelEvidence, deal_in
from .duel_report import difference_in_words, draw_interval, forecast_in_words

REFRESH_INTERVAL = 0.2
"""Seconds between two pictures."""


class DuelWatch:
    """The observer of a duel's run, which :meth:`look` tells when to end."""

    def __init__(self, console: Console, evidence: DuelEvidence) -> None:
        self._console, self._evidence = console, evidence
        self._lineup = evidence.question.lineup
        self.progress = run_events.Progress(0, 0)
        self._lost: list[SeatResult] = []
        """The challenger's last seat in each game that it did not finish."""
        self._refreshed, self._next_line = 0.0, 1
        self._bar = ProgressBar(
            BarColumn(bar_width=None),
            TextColumn("{task.completed:,.0f} of at most {task.total:,.0f} games"),
            TimeElapsedColumn(),
            console=console,
            auto_refresh=False,
        )
        self._task = self._bar.add_task("", total=1)
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def look(self) -> bool:
        """Return whether the question is decided, so that no more games are needed."""
        return self._evidence.decided

    # -- events ---------------------------------------------------------------------------------

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
                    self._evidence.leave_out(deal_in(void.game))
            case run_events.SandboxChosen(chosen) if chosen.sandbox is Sandbox.NONE:
                tell(Text(f"No sandbox. {chosen.sandbox.sentence}", "yellow"))
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
        forecast = forecast_in_words(self._evidence, total - games)
        return [text for text in (difference_in_words(self._evidence), forecast) if text]

    # -- drawing --------------------------------------------------------------------------------

    def _show(self, *, at_once: bool) -> None:
        now = time.monotonic()
        if not self._live.is_started or (now - self._refreshed < REFRESH_INTERVAL and not at_once):
            return
        self._refreshed = now
        width, plain = self._console.width - 2, self._console.options.ascii_only
        picture = draw_interval(self._evidence, width, ascii_only=plain)
        lines = [Text(" ").append_text(line) for line in picture]
        words = self._words() if self._evidence.blocks else ["The first block is being played."]
        said = [Text(f" {text}") for text in words]
        if self._lost:
            mine, count = printable(self._lineup.mine.label), plural(len(self._lost), "game")
            last = f"{self._lost[-1].verdict.value}. {printable(self._lost[-1].explanation)}"
            said.append(Text(f" {mine} did not finish {count}, the last one: {last}", "red"))
        self._live.update(Group(self._bar, Text(), *lines, Text(), *said), refresh=True)
