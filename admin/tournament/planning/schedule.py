"""The games of a tournament, and their order.

    table    a group of players that meet: a combination, one with the challenger, or a pairing of
             a round of a Swiss or a ladder
    block    one table and one deal: a game for every seat order
    stage    games that can be planned together: all of them, or one round

Within a stage the games are interleaved: every table plays its first seat order, then every table
its second, and so on, before the next bag. So in a stopped tournament all players have had nearly
the same number of games, and each seat nearly equally often.

Seat orders come in whole sets, so that no player has an advantage:

    rotations  every player has every seat once; the neighbours stay the same (a draw for every bag
               decides who sits before whom)
    balanced   also, every player sits directly before every other player equally often
    all        every order there is

The first seat moves first; in rulebooks that draw for the start, the bag decides it by seat.
"""

import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, islice, permutations
from math import comb
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

from ..games.entries import Entries, number_in, table_number
from ..games.result import GameResult
from .facts import Format, ScheduleRules, Seatings
from .game_seeds import Seeds, seed_of
from .plan import Plan

if TYPE_CHECKING:
    from .pairing import Ladder

Group: TypeAlias = tuple[str, ...]  # the players of one table, in the order of their entries
Seating: TypeAlias = tuple[int, ...]  # the number of the player, counted from 0, on each seat
SEARCH_WINDOW = 64  # tables that are compared to find one whose players have played least


class Game(NamedTuple):
    """One game of the schedule."""

    id: str
    block: str
    seed: int  # for the bag and the built-in players
    players: tuple[str, ...]  # in seat order
    commitment: str = ""  # to the secret from which the seed was derived, if there is one


class Schedule:
    """The games of a tournament: always the same for the same rules, entries, seed and results.

    With more deals or rounds there are the same games first, then others. When an entry is added,
    all games of the others stay as they are.
    """

    def __init__(self, rules: ScheduleRules, seed: int, entries: Entries) -> None:
        """``seed`` decides who meets whom, and when."""
        self._rules, self._seed, self._entries = rules, seed, entries
        self._seatings = seatings(rules.seatings, rules.seats)
        self.games_in_block = len(self._seatings)  # with the same players and the same bag

    @property
    def tables(self) -> int:
        """The number of groups that meet: in every round, if there are rounds."""
        rules, players = self._rules, len(self._entries.current)
        match rules.format:
            case Format.ROUND_ROBIN:
                return comb(players, rules.seats)
            case Format.GAUNTLET:
                return comb(max(players - 1, 0), rules.seats - 1)
            case Format.SWISS | Format.LADDER:
                return players // rules.seats
            case _:
                assert_never(rules.format)

    def could_have(self, game: str, entries: int) -> bool:
        """Whether a game, given by its id, can be one among some first entries."""
        if self.stages is None:
            return re.match(r"r[1-9]\d*-", game) is not None
        rules = self._rules
        ids = re.fullmatch(r"d(\d+)-t(\d+)-s(\d+)", game)
        if ids is None:
            return False
        most = (rules.deals, comb(entries, rules.seats), self.games_in_block)
        return all(1 <= int(found) <= last for found, last in zip(ids.groups(), most, strict=True))

    @property
    def stages(self) -> int | None:
        """The number of stages: the rounds of a Swiss, or one; unknown for a ladder."""
        if self._rules.format is Format.LADDER:
            return None
        return self._rules.rounds or 1

    @property
    def total(self) -> int:
        """The number of games; of a ladder, the least in which all play their blocks."""
        rules = self._rules
        if self.stages is None:
            places = len(self._entries.current) * rules.deals
            return -(-places // rules.seats) * self.games_in_block
        return self.tables * self.games_in_block * rules.deals * self.stages

    def stage(
        self,
        number: int,
        results: Iterable[GameResult] = (),
        seeds: Seeds | None = None,
        blocks: Collection[str] | None = None,
    ) -> Iterator[Game]:
        """Yield the games of a stage, from 1; a round needs the results of those before it.

        The rounds of a ladder must be asked for in increasing order. All its players are paired in
        each, also those who have played enough. Without ``seeds``, those of the games follow from
        that of the schedule. With ``blocks`` only their games are made, in any order; then it costs
        nothing that there are millions of others.
        """
        rules, chance = self._rules, _chance(self._seed, f"round {number}")
        seeds = seeds or Seeds(self._seed, rules.duplicate)
        stem, deals = f"r{number}-", rules.deals
        if rules.format is Format.SWISS:
            from .pairing import pair  # only here, as in _ladder

            before = [result for result in results if number_in(result.game, "r") < number]
            names = [entry.name for entry in self._entries.current]
            groups = [*enumerate(pair(names, rules.seats, before, rules.points, chance), 1)]
        elif rules.format is Format.LADDER:
            tables = self._ladder.pair(number, rules.seats, results, chance)
            groups = [*enumerate((tuple(one.name for one in table) for table in tables), 1)]
            deals = 1
        elif blocks is not None:
            stem, at = "", {number_in(block, "t") for block in blocks}
            groups = [(table, group) for table in at for group in self._meeting(table)]
        else:
            found, stem = [*self._groups()], ""
            order = _fair_order([group for _, group in found], _chance(self._seed, "order"))
            groups = [found[place] for place in order]
        for deal in range(1, deals + 1 if blocks is None else 1):
            yield from self._pass(f"{stem}d{deal}", seeds, groups)
        known = dict(groups)
        for block in blocks or ():
            deal, table = number_in(block, "d"), number_in(block, "t")
            if block == f"{stem}d{deal}-t{table}" and 1 <= deal <= deals and table in known:
                yield from self._pass(f"{stem}d{deal}", seeds, [(table, known[table])])

    @cached_property
    def _ladder(self) -> "Ladder":
        # Its ratings take numpy, which takes longer to import than all else that a process which
        # plays games of a tournament needs.
        from .pairing import Ladder

        return Ladder(self._entries)

    def _groups(self) -> Iterator[tuple[int, Group]]:
        """Yield the groups that meet, each with the number of its table."""
        rules, current = self._rules, self._entries.current
        everywhere = [entry for entry in current if entry.name == rules.challenger]
        field = [entry for entry in current if entry.name != rules.challenger]
        for others in combinations(field, rules.seats - len(everywhere)):
            met = sorted((*everywhere, *others), key=lambda entry: entry.number)
            number = table_number(entry.number for entry in met)
            yield number, tuple(entry.name for entry in met)

    def _meeting(self, table: int) -> Iterator[Group]:
        """Yield the group that meets at a table outside rounds, if one does."""
        met = sorted(self._entries.at_table(table, self._rules.seats).values())
        group = tuple(entry.name for entry in met if entry.last is None)
        if len(group) == self._rules.seats and self._rules.challenger in (None, *group):
            yield group

    def _pass(self, stem: str, seeds: Seeds, groups: Sequence[tuple[int, Group]]) -> Iterator[Game]:
        """Yield a block of games for every group, with the games of all blocks interleaved."""
        for step in range(len(self._seatings)):
            for at, (number, players_in_order) in enumerate(groups):
                which = (step + at) % len(self._seatings)
                block = f"{stem}-t{number}"
                group = list(players_in_order)
                if self._rules.seatings is Seatings.ROTATIONS:
                    # which never change the neighbours, so those are drawn for every block
                    _chance(self._seed, f"circle {block}").shuffle(group)
                game = f"{block}-s{which + 1}"
                seed, commitment = seeds.seed_of_game(game, block)
                players = tuple(group[player] for player in self._seatings[which])
                yield Game(game, block, seed, players, commitment)


def new_schedule(plan: Plan, seed: int = 0) -> Schedule:
    """Return the schedule of a new tournament, whose seeds follow from that of the tournament."""
    return Schedule(plan.schedule_rules, seed, Entries.of(plan.participants))


def _chance(seed: int, what: str) -> random.Random:
    return random.Random(seed_of(seed, what))


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


# -- seat orders --------------------------------------------------------------------------------

_CIRCLES = {
    5: "ABCDE ADBEC ACEBD AEDCB",
    6: "ABCDEF ABCDFE ACBDEF ACBFED AECFBD ADFCEB ADCFBE AFDBEC AEBFDC AFCEDB",
}
"""Seat orders whose rotations together are balanced.

With fewer players, all orders are the smallest such set, or are few enough.
"""


def seatings(kind: Seatings, players: int) -> tuple[Seating, ...]:
    """Return the seat orders for a table of 2 to 6 players, always in the same order.

    The rotations of an order follow each other, so that an unfinished set is nearly fair as well.
    """
    circles: Iterable[Seating]
    match kind:
        case Seatings.ROTATIONS:
            circles = [tuple(range(players))]
        case Seatings.BALANCED if players in _CIRCLES:
            circles = (tuple(map("ABCDEF".index, one)) for one in _CIRCLES[players].split())
        case Seatings.BALANCED | Seatings.ALL:
            circles = ((0, *rest) for rest in permutations(range(1, players)))
        case _:
            assert_never(kind)
    return tuple(circle[at:] + circle[:at] for circle in circles for at in range(players))
