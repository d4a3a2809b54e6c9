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
        self._console = console
        self._lineup = evidence.question.lineup
        self._evidence = evidence
        self.progress = run_events.Progress(0, 0)
        self._unfinished = 0
        self._last_loss: SeatResult | None = None
        self._refreshed = 0.0
        self._next_line = 1
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
        match event:
            case run_events.RunStarted():
                self._show_start(event)
            case run_events.PlayersChanged(changes, archived) if archived:
                names = ", ".join(map(printable, changes.new_versions))
                games = plural(archived, "game")
                self._console.print(f"Changed: {names}. {games} of before do not count.")
            case run_events.GameFinished(result, progress):
                self._show_result(result, progress)
            case run_events.GameVoided(void, again):
                out = (
                    "It is played again."
                    if again
                    else "It was void too often: its deal is left out."
                )
                self._console.print(Text(f"Void: {void.game}. {printable(void.why)} {out}"))
                if not again:
                    self._evidence.leave_out(deal_in(void.game))
            case run_events.SandboxChosen(chosen) if chosen.sandbox is Sandbox.NONE:
                self._console.print(Text(f"No sandbox. {chosen.sandbox.sentence}", "yellow"))
            case run_events.Trouble(sentence):
                self._console.print(Text(printable(sentence), "bold"))

    def _show_start(self, event: run_events.RunStarted) -> None:
        """Count the games of earlier runs."""
        self.progress = progress = event.progress
        for result in event.results:
            self._take(result)
        while self._next_line <= self._evidence.blocks:
            self._next_line *= 2
        self._bar.reset(self._task, total=progress.total, completed=progress.games)
        if progress.games:
            self._console.print(f"{plural(progress.games, 'game')} were played before.")
        self._show(at_once=True)

    def _show_result(self, result: GameResult, progress: run_events.Progress) -> None:
        self.progress = progress
        self._take(result)
        self._bar.update(self._task, completed=progress.games)
        if self._live.is_started:
            self._show(at_once=self._evidence.decided)
        elif self._evidence.blocks >= self._next_line:
            self._next_line *= 2
            games = plural(len(self._evidence.games), "game")
            forecast = forecast_in_words(self._evidence, progress.total - progress.games)
            self._console.print(
                f"{games}: {difference_in_words(self._evidence)}. {forecast}".strip()
            )

    def _take(self, result: GameResult) -> None:
        self._evidence.add(result)
        mine = self._lineup.teams[0]
        lost = [seat for seat in result.seats if seat.player in mine and not seat.finished]
        if lost:
            self._unfinished += 1
            self._last_loss = lost[-1]

    # -- drawing --------------------------------------------------------------------------------

    def _show(self, *, at_once: bool) -> None:
        now = time.monotonic()
        if not self._live.is_started or (now - self._refreshed < REFRESH_INTERVAL and not at_once):
            return
        self._refreshed = now
        width, plain = self._console.width - 2, self._console.options.ascii_only
        picture = draw_interval(self._evidence, width, ascii_only=plain)
        lines = [Text(" ").append_text(line) for line in picture]
        games, total = self.progress
        forecast = forecast_in_words(self._evidence, total - games)
        words = [difference_in_words(self._evidence), forecast]
        if not self._evidence.blocks:
            words = ["The first block is being played."]
        said = [Text(f" {text}") for text in words if text]
        if (last := self._last_loss) is not None:
            mine, count = printable(self._lineup.mine.label), plural(self._unfinished, "game")
            what = f"the last one: {last.verdict.value}. {printable(last.explanation)}"
            said.append(Text(f" {mine} did not finish {count}, {what}", "red"))
        self._live.update(Group(self._bar, Text(), *lines, Text(), *said), refresh=True)
