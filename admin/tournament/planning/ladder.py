"""The rounds of a ladder: who has played least meets those against whom least is certain.

All entries have a rating (Plackett-Luce, from openskill), which changes with every game; its sigma
is the uncertainty. A new version of a player begins with the rating of the version before, and more
uncertainty. The tables of a round follow from the games of earlier rounds alone, so anybody can
compute them again.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import hypot
from statistics import NormalDist

from openskill.models import PlackettLuce, PlackettLuceRating

from ..games.entries import Entries, Entry, round_of
from ..games.result import GameResult
from ..standings.tally import placing

DIGITS = 6
"""Decimals of a rating that count, so that all machines pair the same players."""
NEW_VERSION_SIGMA = 25 / 6
"""How much uncertainty a new version adds: half of that of a player nobody knows."""


class Ladder:
    """Pairs the rounds of a ladder, which must be asked for in increasing order."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._model = PlackettLuce(tau=0.0)
        self._ratings: dict[int, PlackettLuceRating] = {}
        self._met: Counter[frozenset[str]] = Counter()
        self._blocks: dict[str, tuple[Entry, ...]] = {}
        self._rated = 0
        """The last round whose games are in the ratings."""

    def pair(
        self, number: int, seats: int, results: Iterable[GameResult], chance: random.Random
    ) -> list[tuple[Entry, ...]]:
        """Return the tables of a round, from 1.

        Each table takes the player left that has the fewest blocks against others who are still
        there, among equals the least certain; then those against whom its results say most. Who
        finds no place sits out. ``results`` are all games of the rounds before; later ones do not
        matter. ``ValueError`` if the round is not later than the one before.
        """
        self._rate(number, results)
        order = [entry for entry in self._entries.all if entry.plays_in(number)]
        played = self._blocks_played(number)
        chance.shuffle(order)
        order.sort(key=lambda entry: (played[entry], -round(self._rating(entry).sigma, DIGITS)))
        tables = []
        while len(order) >= seats:
            table = [order.pop(0)]
            while len(table) < seats:
                chosen = max(order, key=lambda entry: self._information(entry, table))
                order.remove(chosen)
                table.append(chosen)
            tables.append(tuple(sorted(table, key=lambda entry: entry.number)))
        return tables

    def _blocks_played(self, number: int) -> Counter[Entry]:
        """Count the blocks of every entry, without those against entries that are gone."""
        return Counter(
            entry
            for entries in self._blocks.values()
            if all(entry.plays_in(number) for entry in entries)
            for entry in entries
        )

    def _information(self, entry: Entry, table: Sequence[Entry]) -> float:
        """Return how much is learned from an entry's results against those at a table."""
        return sum(
            self._uncertainty(entry, other) / (1 + self._met[frozenset((entry.name, other.name))])
            for other in table
        )

    def _uncertainty(self, one: Entry, other: Entry) -> float:
        """Return the variance of the result between two players: at most 1/4, if they are equal."""
        first, second = self._rating(one), self._rating(other)
        spread = hypot(2**0.5 * self._model.beta, first.sigma, second.sigma)
        wins = NormalDist().cdf((first.mu - second.mu) / spread)
        return round(wins * (1 - wins), DIGITS)

    def _rating(self, entry: Entry) -> PlackettLuceRating:
        """Return the rating of an entry; that of a new version is derived from the one before."""
        if entry.number not in self._ratings:
            earlier = [
                one for one in self._entries.of_player(entry.name) if one.number < entry.number
            ]
            new = self._model.rating()
            if earlier:
                before = self._rating(earlier[-1])
                sigma = min(new.sigma, hypot(before.sigma, NEW_VERSION_SIGMA))
                new = self._model.rating(mu=before.mu, sigma=sigma)
            self._ratings[entry.number] = new
        return self._ratings[entry.number]

    def _rate(self, number: int, results: Iterable[GameResult]) -> None:
        """Take the games of the rounds before this one into the ratings."""
        if number <= self._rated:
            raise ValueError(f"round {number} is not later than round {self._rated}")
        due: list[tuple[int, str, GameResult]] = []
        for result in results:
            played = round_of(result.game) or 0
            if self._rated < played < number:
                due.append((played, result.game, result))
        for _, _, result in sorted(due, key=lambda one: one[:2]):
            self._take(result)
        self._rated = number - 1

    def _take(self, result: GameResult) -> None:
        players, places = placing(result)
        entries = self._entries.of_game(result.game, players)
        if entries is None:
            return  # somebody has changed the store, which the audit finds
        teams = [[self._rating(entry)] for entry in entries]
        for entry, (rating,) in zip(entries, self._model.rate(teams, ranks=places), strict=True):
            self._ratings[entry.number] = rating
        self._met.update(frozenset(pair) for pair in combinations(players, 2))
        self._blocks[result.block] = entries
