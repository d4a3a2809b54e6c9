"""The pages of a tournament: an observer that passes all on, and shows what can be shown.

Games between connections are shown while they are played. A game of house players alone is over in
a moment, in a process of a pool: of those the pages have one now and then.
"""

import gzip
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from admin.tournament.planning.plan import Plan
from admin.tournament.planning.schedule import Game, Schedule
from admin.tournament.playing.built_in import game_settings
from admin.tournament.playing.observer import Observer, Progress
from admin.tournament.playing.running_standings import RunningStandings
from admin.tournament.results.result import GameResult
from admin.tournament.results.store import VoidGame
from admin.web.feed import Feed
from game.rulebook import Assets, Hands
from game.turn import Ending

EVERY = 0.5
"""Seconds between two games that are shown of those that are over when they are heard of."""
COLUMNS = ["", "player", "points a game", "games", "lost"]


class TournamentPublisher(Observer):
    """Tells the pages of a tournament, and ``other`` everything.

    ``log_of`` gives the compressed log of a game that is kept. Where hands or assets are hidden, a
    game keeps its secrets until no other game will be dealt the same tiles.
    """

    def __init__(
        self,
        other: Observer,
        feed: Feed,
        plan: Plan,
        log_of: Callable[[str], bytes],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._other = other
        self._feed = feed
        self._log_of = log_of
        self._clock = clock
        self._next = clock()
        self._so_far = RunningStandings(plan)
        rulebook = game_settings(plan).book()
        self._sealed = rulebook.hands is not Hands.OPEN or rulebook.assets is Assets.HIDDEN
        self._duplicate = plan.tournament.duplicate
        self._played = Counter[str]()
        self._games_in_block = Schedule(plan, 0).games_in_block
        self._attempts = Counter[str]()
        self._live: dict[str, str] = {}
        """What the pages call the games that they were shown while they were played."""
        self._shown: dict[str, list[str]] = {}
        """By block, what the pages call its games that are over and sealed."""
        feed.send("title", title=plan.tournament.name)

    # -- passed on ------------------------------------------------------------------------------

    def listening(self, addresses: Sequence[str]) -> None:
        """Pass it on."""
        self._other.listening(addresses)

    def turned_away(self, address: str, name: str, why: str) -> None:
        """Pass it on."""
        self._other.turned_away(address, name, why)

    def awaited(self, name: str, patience: float) -> None:
        """Pass it on."""
        self._other.awaited(name, patience)

    def trouble(self, sentence: str) -> None:
        """Pass it on."""
        self._other.trouble(sentence)

    # -- shown ----------------------------------------------------------------------------------

    def began(self, progress: Progress, before: Iterable[GameResult]) -> None:
        """Show how far it is, and the standings of what was played before."""
        results = list(before)
        self._other.began(progress, results)
        for result in results:
            self._count(result)
        self._show_standings(progress)

    def waiting(self, names: Sequence[str]) -> None:
        """Show who waits for a game."""
        self._other.waiting(names)
        self._feed.send("waiting", names=list(names), seats=0)

    def game_began(self, game: Game) -> None:
        """Pass it on: it is shown from its first record on."""
        self._other.game_began(game)

    def logged(self, game: Game, data: bytes) -> None:
        """Show a game that is under way."""
        self._other.logged(game, data)
        if game.id not in self._live:
            self._live[game.id] = self._begin(game.id, game.players)
        self._feed.log(self._live[game.id], data)

    def game_over(self, result: GameResult, progress: Progress) -> None:
        """Show how a game ended, and the standings."""
        self._other.game_over(result, progress)
        self._count(result)
        shown = self._live.pop(result.game, None)
        if shown is None and self._has_time():
            shown = self._begin(result.game, [seat.player for seat in result.seats])
            self._feed.log(shown, gzip.decompress(self._log_of(result.game)))
        if shown is not None:
            self._feed.send("over", match=shown, ending=Ending(result.ending).sentence)
            if self._sealed:
                self._shown.setdefault(result.block, []).append(shown)
        self._unseal(result.block)
        if shown is not None or progress.games == progress.total:
            self._show_standings(progress)

    def game_void(self, void: VoidGame, again: bool) -> None:
        """Show that a game counts for nothing."""
        self._other.game_void(void, again)
        if (shown := self._live.pop(void.game, None)) is not None:
            self._feed.send("over", match=shown, ending=f"Void. {void.why}")

    def _has_time(self) -> bool:
        """Whether the pages can take another game that nobody could watch."""
        if self._clock() < self._next or self._feed.behind:
            return False
        self._next = self._clock() + EVERY
        return True

    def _begin(self, id_: str, players: Sequence[str]) -> str:
        """Show a game, under a name of its own if it is played again; return the name."""
        self._attempts[id_] += 1
        attempt = self._attempts[id_]
        shown, title = id_, id_
        if attempt > 1:
            shown, title = f"{id_}-{attempt}", f"{id_}, attempt {attempt}"
        self._feed.send(
            "begun", match=shown, title=title, players=list(players), sealed=self._sealed
        )
        return shown

    def _count(self, result: GameResult) -> None:
        self._so_far.count(result)
        self._played[result.block] += 1

    def _unseal(self, block: str) -> None:
        """Show all of the games whose tiles will not be dealt again."""
        if self._sealed and (not self._duplicate or self._played[block] >= self._games_in_block):
            for shown in self._shown.pop(block, []):
                self._feed.send("unsealed", match=shown)

    def _show_standings(self, progress: Progress) -> None:
        so_far = self._so_far
        rows = [
            [place, name, f"{so_far.mean(name):.3f}", so_far.games[name], so_far.lost[name] or ""]
            for place, name in enumerate(so_far.order, start=1)
        ]
        self._feed.send("progress", **progress._asdict())
        self._feed.send("standings", columns=COLUMNS, rows=rows)
