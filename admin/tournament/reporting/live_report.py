"""The report of a tournament that is being played: the same index and pages of players.

They are made from the store when somebody asks for them, and kept for a while: for as long that
making them takes a small part of the time. What players could use in games to come is left out:
while others with the same bag are still to be played, nothing is said of a game but its result.

As a program, ``python -m .. STORE HOST PORT NAME ..``, it serves them beside the live games of
``acquire.admin.pages.web``. It only reads the store, which never blocks the run that writes to it,
has a low priority, and stays away from players.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ...pages.web.site import run
from ..games.result import GameResult
from ..planning.schedule import seatings
from ..store.store import Store
from ..store.store_reader import StoreError
from .game_story import GameStory, PlayerGames, replay
from .published import ALL_GAMES, INDEX, in_natural_order
from .report_content import ReportContent, content_of
from .result_pages import games_page, page, player_page

MIN_AGE = 5.0  # seconds for which a page is kept at least
SHARE = 0.05  # the part of the time that making pages may take, on one processor
MAX_REPLAYED = 40  # games replayed for one page: about two seconds; more when asked for again
MAX_STORIES = 2000  # games whose stories are kept
MAX_PAGES = 200
NICENESS = 5
"""Of the process: it has a third of a program's share while both compute, so games are shown."""
NOTICE = (
    "The tournament is being played: reload the page for the latest results. Explanations and "
    "decisive turns are added bit by bit; pages of games and logs come with the report."
)


class LiveReport:
    """The pages of the store at a path, by their paths in the report."""

    def __init__(self, store: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = store
        self._clock = clock
        self._head: str | None = None  # of the store, when the content was read
        self._content: ReportContent
        self._sealed: frozenset[str] = frozenset()  # the games whose bag may be dealt again
        self._pages: dict[str, tuple[str, float]] = {}  # each page, and until when it is kept
        self._stories: dict[str, GameStory] = {}
        self._rest = 0.0  # until when nothing is made, as it would take too much of the time

    def page(self, path: str) -> str | None:
        """Return a page, ``None`` if there is none, or no game yet."""
        path = path or INDEX
        now = self._clock()
        kept, until = self._pages.get(path, (None, 0.0))
        if kept is not None and now < max(until, self._rest):
            return kept
        text = None
        with suppress(StoreError), Store.open_to_read(self._path) as store, store.snapshot():
            text = self._made(store, path)
        if text is None:
            return None
        end = self._clock()
        self._rest = end + (end - now) / SHARE
        if len(self._pages) >= MAX_PAGES:
            self._pages.clear()
        self._pages[path] = text, end + MIN_AGE
        return text

    def _made(self, store: Store, path: str) -> str | None:
        head = store.about("head") or ""
        if self._head != head:
            content = content_of(store)
            self._sealed = _sealed(content)
            games = [_without_details(each, self._sealed) for each in content.games]
            self._content, self._head = replace(content, games=games), head
        content = self._content
        if path == INDEX:
            return page(content, content.summary, live=True)
        if path == ALL_GAMES:
            return games_page(content, content.summary)
        for name, known in content.player_paths.items():
            if known == path:
                games_of = self._games_of(name, store)
                return player_page(content, content.summary, name, games_of, notice=NOTICE)
        return None

    def _games_of(self, name: str, store: Store) -> PlayerGames:
        found, left = PlayerGames(), MAX_REPLAYED
        for result in in_natural_order(self._content.results):
            if name not in result.players:
                continue
            game, place, output = result.game, result.players.index(name), b""
            if game not in self._sealed:
                if game not in self._stories and left:
                    left -= 1
                    replayed = replay(game, store.log(game))
                    self._stories[game] = GameStory() if replayed is None else replayed.story
                if not result.seats[place].finished:
                    output = store.outputs(game).get(name, b"")
            found.take(result, place + 1, self._stories.get(game, GameStory()), output)
        while len(self._stories) > MAX_STORIES:
            del self._stories[next(iter(self._stories))]
        return found


def _sealed(content: ReportContent) -> frozenset[str]:
    """Return the games of blocks with one bag that are not over."""
    facts = content.facts
    if not facts.duplicate:
        return frozenset()
    whole = len(seatings(facts.seatings, facts.seats))
    played = Counter(result.block for result in content.results)
    return frozenset(result.game for result in content.results if played[result.block] < whole)


def _without_details(result: GameResult, sealed: frozenset[str]) -> GameResult:
    """Return a result without what was wrong in a sealed game, which could name tiles."""
    if result.game not in sealed:
        return result
    return result._replace(seats=tuple(seat._replace(detail="", cause="") for seat in result.seats))


if __name__ == "__main__":
    os.nice(NICENESS)
    run(sys.argv[2:], LiveReport(Path(sys.argv[1])).page)
