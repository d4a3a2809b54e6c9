"""The games of a tournament, and their order.

    table    a group of players that meet: a combination, one with the challenger, a Swiss pairing
    block    one table and one deal: a game for every seat order
    stage    games that can be planned together: all of them, or one round of a Swiss

Within a stage the games are interleaved: every table plays its first seat order, then every table
its second, and so on, before the next bag. So in a stopped tournament all players have had nearly
the same number of games, and each seat nearly equally often.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from typing import NamedTuple, TypeAlias, assert_never

from admin.tournament.planning.game_seeds import PublicSeeds, SeedSource, seed_of
from admin.tournament.planning.plan import Format, Plan
from admin.tournament.planning.seatings import Seatings, seatings
from admin.tournament.planning.swiss import pair
from admin.tournament.results.result import GameResult

Group: TypeAlias = tuple[str, ...]
"""The players of one table, in the order of the file."""
SEARCH_WINDOW = 64
"""How many tables are compared to find the one whose players have played least."""
MAX_GAMES = 2_000_000
"""Games of one tournament; more are a mistake in the file, or take years."""


class Game(NamedTuple):
    """One game: ``players`` in seat order, ``seed`` for the bag and the built-in players.

    ``commitment`` is that to the secret from which the seed was derived, if there is one.
    """

    id: str
    block: str
    seed: int
    players: tuple[str, ...]
    commitment: str = ""


class Schedule:
    """The games of a tournament: always the same for the same plan, seed and results.

    A plan with more deals, or a Swiss with more rounds, has the same games first, then others.
    """

    def __init__(self, plan: Plan, seed: int, seeds: SeedSource | None = None) -> None:
        """``seed`` decides who meets whom, and when; ``seeds`` has those of the games.

        Without ``seeds``, those of the games follow from ``seed`` too.
        """
        self._plan = plan
        self._seed = seed
        self._seeds = seeds or PublicSeeds(seed, plan.duplicate)
        self._seatings = seatings(plan.tournament.seatings, plan.tournament.seats)

    @property
    def tables(self) -> int:
        """The number of groups that meet, in every round of a Swiss."""
        general, players = self._plan.tournament, len(self._plan.players)
        match general.format:
            case Format.ROUND_ROBIN:
                return comb(players, general.seats)
            case Format.GAUNTLET:
                return comb(players - 1, general.seats - 1)
            case Format.SWISS:
                return players // general.seats
            case _:
                assert_never(general.format)

    @property
    def games_in_block(self) -> int:
        """The number of games with the same players and the same bag."""
        return len(self._seatings)

    @property
    def stages(self) -> int:
        """The number of stages: the rounds of a Swiss, or one."""
        return self._plan.tournament.rounds or 1

    @property
    def total(self) -> int:
        """The number of games."""
        return self.tables * self.games_in_block * self._plan.tournament.deals * self.stages

    def stage(self, number: int, results: Iterable[GameResult] = ()) -> Iterator[Game]:
        """Yield the games of a stage, from 1; a round of a Swiss needs the results before it."""
        general = self._plan.tournament
        if general.format is Format.SWISS:
            yield from self._round(number, results)
            return
        groups = list(self._groups())
        order = _fair_order(groups, _chance(self._seed, "order"))
        for deal in range(1, general.deals + 1):
            yield from self._pass(f"d{deal}", groups, order)

    def _groups(self) -> Iterator[Group]:
        """Yield the groups that meet, in the order of the file."""
        general, names = self._plan.tournament, self._plan.names
        if general.format is Format.ROUND_ROBIN:
            yield from combinations(names, general.seats)
            return
        field = [name for name in names if name != general.challenger]
        for others in combinations(field, general.seats - 1):
            yield tuple(name for name in names if name in others or name == general.challenger)

    def _round(self, number: int, results: Iterable[GameResult]) -> Iterator[Game]:
        """Pair and yield one round of a Swiss."""
        plan = self._plan
        before = [result for result in results if _round_of(result.game) < number]
        chance = _chance(self._seed, f"round {number}")
        groups = pair(plan.names, plan.tournament.seats, before, plan.points, chance)
        for deal in range(1, plan.tournament.deals + 1):
            yield from self._pass(f"r{number}-d{deal}", groups, range(len(groups)))

    def _pass(self, stem: str, groups: Sequence[Group], order: Sequence[int]) -> Iterator[Game]:
        """Yield a block of games for every group, with the games of all blocks interleaved."""
        for step in range(len(self._seatings)):
            for place, number in enumerate(order):
                which = (step + place) % len(self._seatings)
                block = f"{stem}-t{number + 1}"
                group = self._circle(block, groups[number])
                game = f"{block}-s{which + 1}"
                seed, commitment = self._seeds.seed_of_game(game, block)
                players = tuple(group[player] for player in self._seatings[which])
                yield Game(game, block, seed, players, commitment)

    def _circle(self, block: str, group: Group) -> Group:
        """Return the seat order from which the orders of a block are made.

        Rotations never change the neighbours, so those are drawn at random for every block.
        """
        if self._plan.tournament.seatings is not Seatings.ROTATIONS:
            return group
        circle = list(group)
        _chance(self._seed, f"circle {block}").shuffle(circle)
        return tuple(circle)


def _chance(seed: int, what: str) -> random.Random:
    return random.Random(seed_of(seed, what))


def _round_of(game: str) -> int:
    """Return the round of a Swiss game, from its id."""
    return int(game.partition("-")[0].removeprefix("r"))


def _fair_order(groups: Sequence[Group], chance: random.Random) -> list[int]:
    """Order tables so that, wherever play stops, all players have played nearly equally often.

    The next table is that of the players who have played least. If it has been placed already, it
    is the best of the next few tables in a random order.
    """
    candidates = list(range(len(groups)))
    chance.shuffle(candidates)
    number_of = {frozenset(group): number for number, group in enumerate(groups)}
    names = sorted({name for group in groups for name in group})
    played = dict.fromkeys(names, 0)
    done: set[int] = set()
    order: list[int] = []
    while len(order) < len(groups):
        least_played = sorted(names, key=lambda name: (played[name], chance.random()))
        number = number_of.get(frozenset(least_played[: len(groups[0])]), -1)
        if number < 0 or number in done:
            number = _least_played(groups, candidates, done, played)
        done.add(number)
        for name in groups[number]:
            played[name] += 1
        order.append(number)
    return order


def _least_played(
    groups: Sequence[Group], candidates: list[int], done: set[int], played: Mapping[str, int]
) -> int:
    """Return the table, among the first candidates, whose players have played least."""
    remaining = (number for number in candidates if number not in done)
    window = list(islice(remaining, SEARCH_WINDOW))
    del candidates[: candidates.index(window[0])]
    return min(window, key=lambda at: sorted((played[name] for name in groups[at]), reverse=True))
