"""Show a tournament while it is played: at a terminal, and on the pages for spectators."""

import gzip
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Self, assert_never

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as ProgressBar
from rich.table import Table
from rich.text import Text

from ....game.rulebook import Hands
from ....game.turn import Ending
from ...launching.sandbox import Chosen, Sandbox
from ...pages.web.serving import Feed
from ...refereeing.table.crowds import Crowds
from ...refereeing.table.server_events import Listening
from ...refereeing.view.plain_text import number, plural, printable
from ..games.entries import Changes
from ..games.result import GameResult, game_points
from ..planning.plan import Plan
from ..planning.schedule import new_schedule
from ..run import run_events

LAST_GAMES = 5  # games that are listed below the standings
REFRESH_INTERVAL = 0.2  # seconds between two pictures
INTERVAL = 0.5  # seconds between two games that spectators see only after their end
COLUMNS = ["", "player", "points per game", "games", "lost"]


class RunningStandings:
    """Points, games and lost games of each player so far; a game not finished is lost."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._points: defaultdict[str, float] = defaultdict(float)
        self.games: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()

    def count(self, result: GameResult) -> None:
        """Add a game that counts."""
        for player, points in game_points(result, self._plan.points).items():
            self._points[player] += points
            self.games[player] += 1
        for seat in result.seats:
            self.lost[seat.player] += not seat.finished

    def average(self, player: str) -> float:
        """Return a player's points per game, 0 before the first game."""
        return self._points[player] / self.games[player] if self.games[player] else 0.0

    @property
    def order(self) -> list[str]:
        """All players, by points per game, then by name."""
        return sorted(self._plan.names, key=lambda name: (-self.average(name), name))

    def rows(self) -> list[tuple[int, str, str, int, int | str]]:
        """Return for each player the place, name, average, games, and lost games if any."""
        return [
            (place, name, number(self.average(name), 3), self.games[name], self.lost[name] or "")
            for place, name in enumerate(self.order, start=1)
        ]


class RunPicture:
    """On a terminal, a picture of a run below what is printed: a bar, and what is ``_drawn``."""

    def __init__(self, console: Console, *columns: ProgressColumn) -> None:
        self._console = console
        self._refreshed = 0.0
        self._bar = ProgressBar(
            *columns, console=console, auto_refresh=False, speed_estimate_period=120
        )
        self._task = self._bar.add_task("games", total=None)
        # by itself too: until the first game is over, only the clock shows that something happens
        self._live = Live(console=console, refresh_per_second=1, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def _drawn(self) -> Iterable[RenderableType]:
        raise NotImplementedError

    def _show(self, *, at_once: bool = False) -> None:
        """Draw the picture, unless that was done just now."""
        now = time.monotonic()
        if not self._live.is_started or (now - self._refreshed < REFRESH_INTERVAL and not at_once):
            return
        self._refreshed = now
        self._live.update(Group(self._bar, *self._drawn()), refresh=True)


class TerminalObserver(RunPicture):
    """Shows a progress bar, the standings and the last games; in a pipe, lines now and then."""

    def __init__(self, console: Console, plan: Plan) -> None:
        super().__init__(
            console,
            TextColumn("[bold]games"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        self._plan = plan
        self._standings = RunningStandings(plan)
        self._last: deque[Text] = deque(maxlen=LAST_GAMES)
        self._crowds = Crowds(partial(self._print, "Turned away: "))
        self._begun: set[str] = set()
        self._sent = 0  # folders that were sent to workers
        self._tenth = 0

    def __exit__(self, *_: object) -> None:
        self._crowds.sum_up()
        super().__exit__()

    # -- events ---------------------------------------------------------------------------------

    def __call__(self, event: run_events.RunEvent) -> None:
        """Show an event."""
        match event:
            case run_events.RunStarted():
                self._show_start(event)
            case run_events.PlayersChanged(changes, archived):
                self._show_changes(changes, archived)
            case Listening(addresses):
                tls = " with TLS" if self._plan.lobby.certificate else ""
                where = " and ".join(addresses)
                self._console.print(Text(f"Remote players connect{tls} to {where}."))
            case Chosen(sandbox, why):
                style = "bold yellow" if sandbox is Sandbox.NONE else "bold"
                head = Text(f"Sandbox: {sandbox.value}. ", style)
                self._console.print(head.append(sandbox.sentence, "default"))
                if why:
                    self._console.print(Text(f"Nothing stricter: {printable(why)}"))
            case run_events.Notice(_, sentence, _, label, crowd):
                if not crowd or self._crowds.shows(crowd):
                    self._print(label, printable(sentence))
            case run_events.FolderSent():
                self._sent += 1
                self._show()
            case run_events.GameStarted(game):
                self._begun.add(game.id)
                self._show()
            case run_events.GameFinished(result, progress):
                self._begun.discard(result.game)
                self._show_result(result, progress)
            case run_events.GameVoided(void, again):
                self._begun.discard(void.game)
                outcome = (
                    "It is played again." if again else "It was void too often: it is given up."
                )
                self._print(f"Void: {void.game}. ", f"{printable(void.why)} {outcome}")
            case run_events.Trouble(sentence):
                self._console.print(Text(printable(sentence), "bold"))
            case run_events.LobbyChanged() | run_events.GameLogged():
                pass
            case _:
                assert_never(event)

    def _show_start(self, event: run_events.RunStarted) -> None:
        for result in event.results:
            self._standings.count(result)
        games, total = event.progress
        self._bar.update(self._task, total=total, completed=games)
        self._bar.reset(self._task, total=total, completed=games)
        self._tenth = 10 * games // max(total, 1)
        played = f", {games} of them already played" if games else ""
        name = printable(self._plan.tournament.name)
        self._console.print(Text.assemble((name, "bold"), f": {plural(total, 'game')}{played}."))
        if event.commitment:
            self._print("Commitment to the bags: ", event.commitment)
        self._show(at_once=True)

    def _show_changes(self, changes: Changes, archived: int) -> None:
        kinds = ("New: ", "New version: ", "Withdrawn: ", "Retried: ")
        for kind, names in zip(kinds, changes, strict=True):
            if names:
                self._print(kind, ", ".join(map(printable, names)))
        if archived:
            count = "do not" if archived > 1 else "does not"
            self._print("Archived: ", f"{plural(archived, 'game')}, which {count} count any more.")

    def _show_result(self, result: GameResult, progress: run_events.Progress) -> None:
        """Update the picture, or print a line every tenth of the way."""
        self._standings.count(result)
        parts = [
            f"{printable(seat.player)} "
            + (f"${seat.money:,}" if seat.finished else seat.verdict.value)
            for seat in sorted(result.seats, key=lambda seat: seat.rank)
        ]
        self._last.append(
            Text.assemble(
                *((f"{result.game:<12}", "dim"), " ", ", ".join(parts)),
                no_wrap=True,
                overflow="ellipsis",
            )
        )
        self._bar.update(self._task, completed=progress.games)
        self._show(at_once=progress.games == progress.total)
        tenth = 10 * progress.games // progress.total
        if tenth > self._tenth and not self._live.is_started:
            self._tenth = tenth
            leader = self._standings.order[0]
            points = self._standings.average(leader)
            self._console.print(
                Text(
                    f"{progress.games} of {progress.total} games; {printable(leader)} leads with "
                    f"{number(points, 2)} points per game."
                )
            )

    # -- drawing --------------------------------------------------------------------------------

    def _print(self, label: str, text: str) -> None:
        self._console.print(Text.assemble((label, "bold"), text), soft_wrap=True)

    def _drawn(self) -> Iterable[RenderableType]:
        shown: Table | Text = self._table()
        if not self._standings.games:
            sent = f" Sent to workers so far: {plural(self._sent, 'folder')}." if self._sent else ""
            shown = Text(f"No game is over yet; in progress: {len(self._begun)}.{sent}")
        return shown, *self._last

    def _table(self) -> Table:
        """Draw as many rows of the standings as the terminal has room for."""
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("rank", justify="right", no_wrap=True)
        table.add_column("player")  # names are cut off and not wrapped
        for column in ("points per game", "games", "lost"):
            table.add_column(column, justify="right", no_wrap=True)
        room = max(self._console.height - LAST_GAMES - 6, 3)
        rows = self._standings.rows()
        for place, name, average, games, lost in rows[:room]:
            shown = Text(printable(name), no_wrap=True, overflow="ellipsis")
            table.add_row(str(place), shown, average, str(games), str(lost))
        if len(rows) > room:
            table.add_row("", Text(f"and {len(rows) - room} more", "dim"))
        return table


# -- for spectators -----------------------------------------------------------------------------


class TournamentPublisher:
    """An observer that feeds the pages of a tournament.

    A game between connections is shown while it is played. A game of built-in players takes
    milliseconds in some other process, so only one is shown now and then.

    ``log_of`` returns the compressed log of a stored game. Where hands or assets are hidden, a
    game stays sealed until no other game will have the same tiles.
    """

    def __init__(
        self,
        feed: Feed,
        plan: Plan,
        log_of: Callable[[str], bytes],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._feed, self._log_of, self._clock = feed, log_of, clock
        self._next = clock()
        self._standings = RunningStandings(plan)
        rulebook = plan.tournament.rulebook_value()
        self._sealed = rulebook.hands is not Hands.OPEN or bool(rulebook.assets.hidden)
        self._duplicate = plan.duplicate
        self._finished_in_block = Counter[str]()
        self._games_in_block = new_schedule(plan).games_in_block
        self._attempts = Counter[str]()
        self._live: dict[str, str] = {}
        """By id, the games that are shown while they are played, with their names on the pages."""
        self._sealed_in_block: dict[str, list[str]] = {}
        """By block, the names of finished games that are still sealed."""
        feed.show(title=plan.tournament.name)

    def __call__(self, event: run_events.RunEvent) -> None:
        """Show an event, if the pages show such."""
        match event:
            case run_events.RunStarted(progress, results):
                for result in results:
                    self._standings.count(result)
                    self._finished_in_block[result.block] += 1
                self._show_standings(progress)
            case run_events.LobbyChanged(names):
                self._feed.show(waiting=list(names), seats=0)
            case run_events.GameLogged(game, data):
                if game.id not in self._live:
                    self._live[game.id] = self._begin(game.id, game.players)
                self._feed.log(self._live[game.id], data)
            case run_events.GameFinished(result, progress):
                self._finish(result, progress)
            case run_events.GameVoided(void):
                if (name := self._live.pop(void.game, None)) is not None:
                    self._feed.send("over", match=name, ending=f"Void. {void.why}", cut=True)

    def _finish(self, result: GameResult, progress: run_events.Progress) -> None:
        """Show how a game ended, and the standings."""
        block = result.block
        self._standings.count(result)
        self._finished_in_block[block] += 1
        name = self._live.pop(result.game, None)
        if name is None and self._clock() >= self._next and not self._feed.behind:
            self._next = self._clock() + INTERVAL
            name = self._begin(result.game, result.players)
            self._feed.log(name, gzip.decompress(self._log_of(result.game)))
        if name is not None:
            self._feed.send("over", match=name, ending=Ending(result.ending).sentence)
            if self._sealed:
                self._sealed_in_block.setdefault(block, []).append(name)
        if not self._duplicate or self._finished_in_block[block] >= self._games_in_block:
            for over in self._sealed_in_block.pop(block, []):  # no game will have its tiles again
                self._feed.send("unsealed", match=over)
        if name is not None or progress.games == progress.total:
            self._show_standings(progress)

    def _begin(self, id_: str, players: Sequence[str]) -> str:
        """Begin to show a game; return its name on the pages, a new one for each attempt."""
        self._attempts[id_] += 1
        attempt = self._attempts[id_]
        name, title = id_, id_
        if attempt > 1:
            name, title = f"{id_}-{attempt}", f"{id_}, attempt {attempt}"
        self._feed.send(
            "begun", match=name, title=title, players=list(players), sealed=self._sealed
        )
        return name

    def _show_standings(self, progress: run_events.Progress) -> None:
        standings = {"columns": COLUMNS, "rows": self._standings.rows()}
        self._feed.show(played=progress.games, total=progress.total, standings=standings)
