"""The content of a report: all that its figures depend on, whoever has read it from where."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..games.entries import Entries
from ..games.given_up import given_up
from ..games.result import GameResult
from ..planning.facts import Format, TournamentFacts, stored_facts, stored_games
from ..standings.summarize import summarize
from ..standings.summary import Summary
from ..standings.version_history import VersionRow, version_history
from ..store.series import Series, stored_series
from ..store.store import Store
from ..store.stored_rows import GameAlarm, VoidGame
from .game_story import GameStory
from .page_files import player_paths

Outputs: TypeAlias = Callable[[str], Mapping[str, bytes]]
"""Returns what the players of a game have printed, by the game's id."""


@dataclass(frozen=True, slots=True)
class ReportContent:
    """All that the figures of a report depend on; the games are in any order.

    ``key`` is the public key, by which the report is ``signed`` or not. ``history`` has all
    versions of each player, ``given_up`` the games that were given up. With ``logs`` there are logs
    and pages of games, and ``stories`` has what was told of each.
    """

    facts: TournamentFacts
    results: Sequence[GameResult]
    voids: Sequence[VoidGame] = ()
    alarms: Sequence[GameAlarm] = ()
    series: Sequence[Series] = ()
    key: str = ""
    signed: bool = False
    logs: bool = False
    outputs: Outputs = lambda _: {}
    history: Mapping[str, Sequence[VersionRow]] = field(default_factory=dict)
    given_up: Sequence[str] = ()
    stories: Mapping[str, GameStory] = field(default_factory=dict)

    def summary(self) -> Summary:
        """Return all tables of the games."""
        return summary_of(self.facts, self.results)

    def player_paths(self) -> dict[str, str]:
        """Return where the pages of the players are."""
        return player_paths(self.facts.names)

    def story(self, game: str) -> GameStory:
        """Return what was told of a game, if anything was."""
        return self.stories.get(game, GameStory())

    def sandboxes(self) -> dict[str, int]:
        """Return the kinds of sandbox that programs ran in, each with its number of games."""
        return dict(sorted(Counter(each.sandbox for each in self.results if each.sandbox).items()))


def report_content(
    facts: TournamentFacts,
    entries: Entries,
    results: Sequence[GameResult],
    voids: Sequence[VoidGame],
    alarms: Sequence[GameAlarm],
    series: Sequence[Series],
    key: str,
    *,
    signed: bool,
    logs: bool,
    outputs: Outputs,
    stories: Mapping[str, GameStory],
) -> ReportContent:
    """Return the content of a report of games; ``results`` are all, also archived ones."""
    return ReportContent(
        facts,
        [each for each in results if entries.counts(each.game, each.players)],
        voids,
        sorted(alarms, key=lambda alarm: (alarm.game, alarm.attempt)),
        series,
        key,
        signed,
        logs,
        outputs,
        version_history(entries, results, facts.points),
        sorted(given_up((void.game for void in voids), results, entries)),
        stories,
    )


def content_of(
    store: Store, *, signed: bool, logs: bool, stories: Mapping[str, GameStory] | None = None
) -> ReportContent:
    """Return the content of the report of a store; ``StoreError``."""
    facts = stored_facts(store)
    return report_content(
        facts,
        store.entries(),
        stored_games(store, facts).everything,
        store.voids(),
        store.alarms(),
        stored_series(store),
        store.about("key") or "",
        signed=signed,
        logs=logs,
        outputs=store.outputs,
        stories=stories or {},
    )


def summary_of(facts: TournamentFacts, results: Iterable[GameResult]) -> Summary:
    """Return all tables of the games that count."""
    by_rating = facts.format is Format.LADDER
    return summarize(facts.names, results, facts.points, by_rating=by_rating)
