"""The report of a tournament that is being played: the same index and pages of players.

They are made from the store when somebody asks for them, and kept for a while: for as long that
making them takes a small part of the time. What players could use in games to come is left out:
while others with the same bag are still to be played, nothing is said of a game but its result.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ..games.result import GameResult
from ..planning.seatings import seatings
from ..standings.summary import Summary
from ..store.store import Store
from ..store.store_format import StoreError
from .game_story import GameStory, replay
from .index_page import in_natural_order, page
from .losses import PlayerGames
from .page_files import INDEX
from .player_page import player_page
from .report_content import ReportContent, content_of
from .report_files import player_facts

MIN_AGE = 5.0
"""Seconds for which a page is kept at least."""
SHARE = 0.05
"""The part of the time that making pages may take, on one processor."""
MAX_REPLAYED = 40
"""Games that are played again for one page: about two seconds; more when it is asked for again."""
MAX_STORIES = 2000
"""Games whose stories are kept."""
MAX_PAGES = 200
NOTICE = (
    "The tournament is being played: reload the page for the latest results. Explanations and "
    "decisive turns are added bit by bit; pages of games and logs come with the report."
)


@dataclass(frozen=True, slots=True)
class _State:
    """What was read from a store, with the games whose bag may be dealt again."""

    head: str
    content: ReportContent
    summary: Summary
    sealed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Kept:
    text: str
    until: float


class LiveReport:
    """The pages of the store at a path, by their paths in the report."""

    def __init__(self, store: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = store
        self._clock = clock
        self._state: _State | None = None
        self._pages: dict[str, _Kept] = {}
        self._stories: OrderedDict[str, GameStory] = OrderedDict()
        self._rest = 0.0
        """Until when nothing is made, since it would take too large a part of the time."""

    def page(self, path: str) -> str | None:
        """Return a page, ``None`` if there is none, or no game yet."""
        path = path or INDEX
        now = self._clock()
        kept = self._pages.get(path)
        if kept is not None and now < max(kept.until, self._rest):
            return kept.text
        try:
            with Store.open_to_read(self._path) as store, store.snapshot():
                text = self._made(store, path)
        except StoreError:
            return None
        if text is None:
            return None
        end = self._clock()
        self._rest = end + (end - now) / SHARE
        if len(self._pages) >= MAX_PAGES:
            self._pages.clear()
        self._pages[path] = _Kept(text, end + MIN_AGE)
        return text

    def _made(self, store: Store, path: str) -> str | None:
        state = self._read(store)
        paths = state.content.player_paths
        if path == INDEX:
            return page(state.content, state.summary, live=True)
        name = next((name for name, page in paths.items() if page == path), None)
        if name is None:
            return None
        games = self._games_of(name, store, state)
        facts = player_facts(state.content, state.summary, name, games)
        return player_page(state.content.facts.name, replace(facts, notice=NOTICE))

    def _read(self, store: Store) -> _State:
        """Return what the store has now, read again only if it has changed."""
        head = store.about("head") or ""
        if self._state is None or self._state.head != head:
            content = content_of(store, signed=False, logs=False)
            sealed = _sealed(content)
            games = [_without_details(each, sealed) for each in content.games]
            content = replace(content, games=games)
            self._state = _State(head, content, content.summary(), sealed)
        return self._state

    def _games_of(self, name: str, store: Store, state: _State) -> PlayerGames:
        found, left = PlayerGames(), MAX_REPLAYED
        for result in in_natural_order(state.content.results):
            for number, seat in enumerate(result.seats, 1):
                if seat.player != name:
                    continue
                story, output = GameStory(), b""
                if result.game not in state.sealed:
                    known = result.game in self._stories
                    story = self._story(result.game, store) if known or left else story
                    left -= not known and left > 0
                    if not seat.finished:
                        output = store.outputs(result.game).get(name, b"")
                found.take(result, number, story, output)
        return found

    def _story(self, game: str, store: Store) -> GameStory:
        if game not in self._stories:
            replayed = replay(game, store.log(game))
            self._stories[game] = GameStory() if replayed is None else replayed.story
            if len(self._stories) > MAX_STORIES:
                self._stories.popitem(last=False)
        return self._stories[game]


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
