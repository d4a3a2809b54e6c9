"""Publish a tournament on the pages for spectators.

A game between connections is shown while it is played. A game of built-in players takes
milliseconds in some other process, so only one is shown now and then.
"""

import gzip
import time
from collections import Counter
from collections.abc import Callable, Sequence

from ....game.rulebook import Hands
from ....game.turn import Ending
from ...pages.web.feed import Feed
from ..games.result import GameResult
from ..planning.plan import Plan
from ..planning.schedule import new_schedule
from ..run import run_events
from .terminal import RunningStandings

INTERVAL = 0.5
"""Seconds between two games that are shown only after their end."""
COLUMNS = ["", "player", "points per game", "games", "lost"]


class TournamentPublisher:
    """An observer that feeds the pages of a tournament.

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
        self._feed = feed
        self._log_of = log_of
        self._clock = clock
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
        feed.send("title", title=plan.tournament.name)

    def __call__(self, event: run_events.RunEvent) -> None:
        """Show an event, if the pages show such."""
        match event:
            case run_events.RunStarted(progress, results):
                for result in results:
                    self._standings.count(result)
                    self._finished_in_block[result.block] += 1
                self._show_standings(progress)
            case run_events.LobbyChanged(names):
                self._feed.send("waiting", names=list(names), seats=0)
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
        self._feed.send("progress", **progress._asdict())
        self._feed.send("standings", columns=COLUMNS, rows=self._standings.rows())
