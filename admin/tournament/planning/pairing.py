"""Who meets whom in a round of a Swiss tournament, and in one of a ladder.

In a Swiss tournament players with similar results meet, preferably ones who have not met.

In a ladder, who has played least meets those against whom least is certain: all entries are rated
by the games of earlier rounds, each version of a player by itself. A version without a game has the
rating of the version before, and more uncertainty. The tables of a round follow from these games
alone, so anybody can compute them again.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from ...studying.statistics.rating import SCALE, CountedChoices, Placing, Ratings, Successor, rate
from ..games.entries import Entries, Entry, number_in
from ..games.result import GameResult, game_points

MAX_CANDIDATES = 12  # players, by standings, considered for the next place of a table
DIGITS = 6  # decimals of a chance that count, so that all machines pair the same players
NEW_VERSION_SIGMA = SCALE / 2  # uncertainty added by a new version: half an unknown player's


def pair(
    names: Sequence[str],
    seats: int,
    results: Iterable[GameResult],
    points: Sequence[float],
    chance: random.Random,
) -> list[tuple[str, ...]]:
    """Return the tables of the next round: groups of ``seats``, each in the order of ``names``.

    From the top of the standings (points per game; ties in random order) each table takes the
    highest player left, and nearby players who have met the table's players least often. Unpaired
    players sit out: the lowest among those who have sat out least often.
    """
    games = sorted(results, key=lambda result: result.game)
    total: defaultdict[str, float] = defaultdict(float)
    for game in games:
        for player, earned in game_points(game, points).items():
            total[player] += earned
    played = Counter(name for game in games for name in game.players)
    middle = sum(points) / len(points)  # for those without a game
    order = list(names)
    chance.shuffle(order)
    order.sort(key=lambda name: -(total[name] / played[name] if played[name] else middle))
    from_below = sorted(order, key=lambda name: (-played[name], -order.index(name)))
    for name in from_below[: len(names) % seats]:
        order.remove(name)
    met = Counter(frozenset(two) for game in games for two in combinations(game.players, 2))
    candidates = max(seats, min(MAX_CANDIDATES, len(order) // 2))
    tables = []
    while order:
        table = [order.pop(0)]
        while len(table) < seats:
            chosen = min(
                order[:candidates],
                key=lambda name: sum(met[frozenset((name, other))] for other in table),
            )
            order.remove(chosen)
            table.append(chosen)
        tables.append(tuple(sorted(table, key=names.index)))
    return tables


class Ladder:
    """Pairs the rounds of a ladder, which must be asked for in increasing order."""

    def __init__(self, entries: Entries) -> None:
        self._entries = entries
        self._choices = CountedChoices()
        self._rated: Ratings | None = None
        self._met: Counter[frozenset[str]] = Counter()
        self._blocks: dict[str, tuple[Entry, ...]] = {}
        self._taken = 0  # the last round whose games were taken

    def pair(
        self, number: int, seats: int, results: Iterable[GameResult], chance: random.Random
    ) -> list[tuple[Entry, ...]]:
        """Return the tables of a round, from 1.

        Each table takes the player left that has the fewest blocks against others who are still
        there, among equals the least certain; then those against whom its results say most. Who
        finds no place sits out. ``results`` are all games of the rounds before; later ones do not
        matter. ``ValueError`` if the round is not later than the one before.
        """
        if number <= self._taken:
            raise ValueError(f"round {number} is not later than round {self._taken}")
        for result in results:
            if self._taken < number_in(result.game, "r") < number:
                self._take(result)
        self._taken = number - 1
        self._rated = ratings = self._rate(number)
        order = [entry for entry in self._entries.all if entry.plays_in(number)]
        played = Counter(
            entry
            for entries in self._blocks.values()
            if all(entry.plays_in(number) for entry in entries)
            for entry in entries
        )
        chance.shuffle(order)
        order.sort(key=lambda entry: (played[entry], -ratings.sigma(_key(entry))))
        tables = []
        while len(order) >= seats:
            table = [order.pop(0)]
            while len(table) < seats:
                chosen = max(order, key=lambda entry: self._information(ratings, entry, table))
                order.remove(chosen)
                table.append(chosen)
            tables.append(tuple(sorted(table, key=lambda entry: entry.number)))
        return tables

    def _information(self, ratings: Ratings, entry: Entry, table: Sequence[Entry]) -> float:
        """Return the variance of an entry's results against those at a table: what is learned."""
        learned = 0.0
        for other in table:
            better = ratings.chance(_key(entry), _key(other))
            variance = round(better * (1 - better), DIGITS)
            learned += variance / (1 + self._met[frozenset((entry.name, other.name))])
        return learned

    def _rate(self, number: int) -> Ratings:
        """Rate the entries that have come until a round; others would change the last bits."""
        known = [entry for entry in self._entries.all if entry.first <= number]
        versions: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in sorted(known, key=lambda entry: entry.number):
            versions[entry.name].append(entry)
        successors = {
            _key(later): Successor(_key(before), NEW_VERSION_SIGMA)
            for entries in versions.values()
            for before, later in pairwise(entries)
        }
        return rate(map(_key, known), self._choices, successors, self._rated)

    def _take(self, result: GameResult) -> None:
        players = result.players
        entries = self._entries.of_game(result.game, players)
        if entries is None:
            return  # somebody has changed the store, which the audit finds
        self._choices.add([Placing([*map(_key, entries)], result.places)])
        self._met.update(frozenset(pair) for pair in combinations(players, 2))
        self._blocks[result.block] = entries


def _key(entry: Entry) -> str:
    return str(entry.number)
