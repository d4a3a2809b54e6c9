"""A tournament as it goes: for a person at a terminal, and in JSON lines for a program."""

import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as Remaining
from rich.table import Table
from rich.text import Text

from admin.tournament.planning.plan import Plan
from admin.tournament.planning.schedule import Game
from admin.tournament.playing.observer import Observer
from admin.tournament.playing.observer import Progress as Far
from admin.tournament.playing.running_standings import RunningStandings
from admin.tournament.results.result import GameResult
from admin.tournament.results.store import VoidGame
from admin.tournament.results.verdict import PlayerVerdict
from admin.view.plain_text import printable

LAST_GAMES = 5
"""Games that are shown below the standings."""
BEAT = 0.2
"""Seconds between two pictures on a terminal."""
TURNED_AWAY = 20
"""Connections without a seat that a person is told of; more are only counted."""


class TerminalObserver(Observer):
    """Tells a person: a bar, the standings so far and the last games; plain lines in a pipe."""

    def __init__(self, console: Console, plan: Plan) -> None:
        self._console = console
        self._plan = plan
        self._so_far = RunningStandings(plan)
        self._last: deque[Text] = deque(maxlen=LAST_GAMES)
        self._turned_away = 0
        self._told_tenth = 0
        self._shown = 0.0
        self._bar = Progress(
            TextColumn("[bold]games"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("left"),
            Remaining(),
            console=console,
            auto_refresh=False,
            speed_estimate_period=120,
        )
        self._task = self._bar.add_task("games", total=None)
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "TerminalObserver":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    # -- what is told ---------------------------------------------------------------------------

    def began(self, progress: Far, before: Iterable[GameResult]) -> None:
        """Say what is ahead; what was played before counts."""
        for result in before:
            self._so_far.count(result)
        done, total = progress
        self._bar.update(self._task, total=total, completed=done)
        self._bar.reset(self._task, total=total, completed=done)
        self._told_tenth = 10 * done // max(total, 1)
        goes_on = f"; {done} are played already" if done else ""
        name = printable(self._plan.tournament.name)
        self._console.print(Text.assemble((name, "bold"), f": {total} games{goes_on}."))

    def listening(self, addresses: Sequence[str]) -> None:
        """Say where players connect, where somebody comes by himself."""
        if any(player.remote for player in self._plan.players):
            tls = " by TLS" if self._plan.lobby.certificate else ""
            self._console.print(Text(f"Players connect{tls} to {' and '.join(addresses)}."))

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Say who got no seat, as long as there are not too many of them."""
        self._turned_away += 1
        if self._turned_away <= TURNED_AWAY:
            who = f"{printable(name)} ({address})" if name else address
            self._say("Turned away: ", f"{who}. {printable(why)}")
        if self._turned_away == TURNED_AWAY:
            self._console.print(Text("Others who are turned away are not shown."))

    def awaited(self, name: str, patience: float) -> None:
        """Say for whom a game waits."""
        self._say("Waiting: ", f"{printable(name)} is not in the lobby; {patience:g} s at most.")

    def game_over(self, result: GameResult, progress: Far) -> None:
        """Move the bar and the standings on; say it when somebody did not finish."""
        self._so_far.count(result)
        self._last.append(_line(result))
        self._bar.update(self._task, completed=progress.games)
        if self._live.is_started:
            self._show(at_once=progress.games == progress.total)
        else:
            self._tell_tenth(progress)

    def game_void(self, void: VoidGame, again: bool) -> None:
        """Say that a game counts for nothing."""
        then = "It is played again." if again else "It was void too often, and is given up."
        self._say(f"Void: {void.game}. ", f"{printable(void.why)} {then}")

    def trouble(self, sentence: str) -> None:
        """Say it."""
        self._console.print(Text(printable(sentence), "bold"))

    def _say(self, what: str, more: str) -> None:
        self._console.print(Text.assemble((what, "bold"), more), soft_wrap=True)

    # -- how it is shown ------------------------------------------------------------------------

    def _tell_tenth(self, progress: Far) -> None:
        """Say every tenth of the way where there is no picture to look at."""
        tenth = 10 * progress.games // progress.total
        if tenth > self._told_tenth:
            self._told_tenth = tenth
            leader = self._so_far.order[0]
            self._console.print(
                Text(
                    f"{progress.games} of {progress.total} games; ahead is {printable(leader)} "
                    f"with {self._so_far.mean(leader):.2f} points a game."
                )
            )

    def _show(self, *, at_once: bool) -> None:
        now = time.monotonic()
        if now - self._shown < BEAT and not at_once:
            return
        self._shown = now
        self._live.update(Group(self._bar, self._standings(), *self._last), refresh=True)

    def _standings(self) -> Table:
        """Draw the standings so far, as many rows as the terminal has room for."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("player", overflow="ellipsis", no_wrap=True)
        for column in ("points a game", "games", "lost"):
            table.add_column(column, justify="right")
        room = max(self._console.height - LAST_GAMES - 6, 3)
        so_far = self._so_far
        order = so_far.order
        for name in order[:room]:
            table.add_row(
                Text(printable(name)),
                f"{so_far.mean(name):.3f}",
                str(so_far.games[name]),
                str(so_far.lost[name] or ""),
            )
        if len(order) > room:
            table.add_row(Text(f"and {len(order) - room} more", "dim"))
        return table


def _line(result: GameResult) -> Text:
    """Say in one line who won a game, and who did not finish it."""
    order = sorted(result.seats, key=lambda seat: seat.rank)
    parts = [
        f"{printable(seat.player)} {seat.money:,}"
        if seat.verdict is PlayerVerdict.FINISHED
        else f"{printable(seat.player)} {seat.verdict.value}"
        for seat in order
    ]
    return Text.assemble((f"{result.game:<12}", "dim"), " ", ", ".join(parts), overflow="ellipsis")


class JsonObserver(Observer):
    """Tells a program: one JSON object a line on standard output.

    ``began``, ``listening``, ``turned-away``, ``awaited``, ``game-began``, ``game``, ``void``,
    ``trouble`` and, from the command itself, ``spectators`` and ``over`` in the field ``event``.
    The person is told by ``other``.
    """

    def __init__(self, other: Observer) -> None:
        self._other = other
        self._deaf = False

    def print(self, event: str, **fields: Any) -> None:
        """Write one line; when nobody reads any more, the tournament goes on."""
        if self._deaf:
            return
        try:
            sys.stdout.write(json.dumps({"event": event, **fields}, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            self._deaf = True
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # for the flush at exit
            self._other.trouble("Nobody reads standard output any more; see the store.")

    def began(self, progress: Far, before: Iterable[GameResult]) -> None:
        """Tell how many games there are, and how many are played already."""
        self._other.began(progress, before)
        self.print("began", **progress._asdict())

    def listening(self, addresses: Sequence[str]) -> None:
        """Tell the addresses."""
        self._other.listening(addresses)
        self.print("listening", addresses=list(addresses))

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Tell who got no seat, and why."""
        self._other.turned_away(address, name, why)
        self.print("turned-away", address=address, name=name or None, why=why)

    def awaited(self, name: str, patience: float) -> None:
        """Tell for whom a game waits."""
        self._other.awaited(name, patience)
        self.print("awaited", name=name, patience=patience)

    def waiting(self, names: Sequence[str]) -> None:
        """Pass it on."""
        self._other.waiting(names)

    def logged(self, game: Game, data: bytes) -> None:
        """Pass it on."""
        self._other.logged(game, data)

    def game_began(self, game: Game) -> None:
        """Tell who plays."""
        self._other.game_began(game)
        self.print("game-began", game=game.id, block=game.block, players=list(game.players))

    def game_over(self, result: GameResult, progress: Far) -> None:
        """Tell the result, as the store has it."""
        self._other.game_over(result, progress)
        self.print("game", **result.fields(), **progress._asdict())

    def game_void(self, void: VoidGame, again: bool) -> None:
        """Tell why a game counts for nothing."""
        self._other.game_void(void, again)
        self.print("void", **void._asdict(), again=again)

    def trouble(self, sentence: str) -> None:
        """Tell what went wrong."""
        self._other.trouble(sentence)
        self.print("trouble", sentence=sentence)
