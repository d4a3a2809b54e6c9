"""The content of a report: all that its figures depend on, whoever has read it from where."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from ..games.entries import Entries, given_up
from ..games.result import FailedGame, GameAlarm, GameResult
from ..planning.facts import Format, TournamentFacts, stored_facts
from ..planning.game_seeds import Series, stored_series
from ..standings.summarize import summarize, version_history
from ..standings.summary import Summary, VersionRow
from ..store.store import Store
from .game_story import GameStory, PlayerGames
from .published import in_natural_order, player_paths

Outputs: TypeAlias = Callable[[str], Mapping[str, bytes]]  # what players printed, by game id


@dataclass(frozen=True)
class ReportContent:
    """All that the figures of a report depend on.

    There are no slots, so that what follows from all this can be kept.
    """

    facts: TournamentFacts
    entries: Entries
    games: Sequence[GameResult]  # all, also archived ones, in any order
    voids: Sequence[FailedGame]
    alarms: Sequence[GameAlarm]
    series: Sequence[Series]
    key: str  # the public key
    signed: bool  # whether the report is signed with it
    logs: bool  # whether there are logs and pages of games
    outputs: Outputs = lambda _: {}
    stories: Mapping[str, GameStory] = field(default_factory=dict)  # what was told of each game

    @cached_property
    def results(self) -> list[GameResult]:
        """The games that count."""
        return [each for each in self.games if self.entries.counts(each.game, each.players)]

    @property
    def archived(self) -> int:
        """How many games do not count any more."""
        return len(self.games) - len(self.results)

    @cached_property
    def history(self) -> Mapping[str, Sequence[VersionRow]]:
        """All versions of each player."""
        return version_history(self.entries, self.games, self.facts.points)

    @property
    def versions(self) -> list[tuple[str, Sequence[VersionRow]]]:
        """The players that have had several versions, or were withdrawn, with these."""
        return [
            (player, rows)
            for player, rows in self.history.items()
            if len(rows) > 1 or any(row.entry.last is not None for row in rows)
        ]

    @cached_property
    def given_up(self) -> list[str]:
        """The games that were given up."""
        return sorted(given_up((void.game for void in self.voids), self.games, self.entries))

    @cached_property
    def player_paths(self) -> dict[str, str]:
        """Where the pages of the players are."""
        return player_paths(self.facts.names)

    @cached_property
    def summary(self) -> Summary:
        """All tables of the games."""
        facts, by_rating = self.facts, self.facts.format is Format.LADDER
        return summarize(facts.names, self.results, facts.points, by_rating=by_rating)

    @cached_property
    def player_games(self) -> dict[str, PlayerGames]:
        """The games of each player, with what explains the lost ones."""
        games = {name: PlayerGames() for name in self.facts.names}
        for result in in_natural_order(self.results):
            outputs, story = self.outputs(result.game), self.stories.get(result.game, GameStory())
            for number, seat in enumerate(result.seats, 1):
                games[seat.player].take(result, number, story, outputs.get(seat.player, b""))
        return games

    def sandboxes(self) -> dict[str, int]:
        """Return the kinds of sandbox that programs ran in, each with its number of games."""
        return dict(sorted(Counter(each.sandbox for each in self.results if each.sandbox).items()))


def content_of(store: Store) -> ReportContent:
    """Return the content of the report of a store, which is not signed, and without logs.

    ``StoreError`` names what is damaged, such as a game that cannot be.
    """
    facts, entries, games = stored_facts(store), store.entries(), list[GameResult]()
    for number, result in store.all_results():
        games.append(result)
        with store.damage_named(f"the result of game {result.game} (row {number})"):
            facts.verify_game(result, entries)
    rows = (store.voids(), store.alarms(), stored_series(store), store.about("key") or "")
    return ReportContent(facts, entries, games, *rows, False, False, store.outputs)
