"""The games of a tournament, their players, bags and order, which is fair wherever it stops."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb, factorial, sqrt
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from acquire.admin.launching.limits import Limits
from acquire.admin.refereeing.play.dealer import SEEDS
from acquire.admin.tournament.auditing.game_checks import check_schedule
from acquire.admin.tournament.games.entries import Entries, Entry
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.facts import Format, Seatings
from acquire.admin.tournament.planning.game_seeds import seed_of
from acquire.admin.tournament.planning.pairing import Ladder, pair
from acquire.admin.tournament.planning.plan import Entrant, Plan
from acquire.admin.tournament.planning.schedule import (
    Game,
    Schedule,
    Seating,
    new_schedule,
    seatings,
)
from acquire.admin.tournament.planning.sections import ClockSettings, GeneralSettings, LobbySettings


def plan(players: int, seats: int, **settings: Any) -> Plan:
    """Return a plan with players ``p00``, ``p01`` and so on, with rotations by default."""
    general = {"rulebook": "classic", "seats": seats, "seatings": Seatings.ROTATIONS, **settings}
    return Plan(
        tournament=GeneralSettings.model_validate(general),
        clocks=ClockSettings(),
        limits=Limits(),
        lobby=LobbySettings(),
        players=tuple(Entrant(name=name, strategy="ordered") for name in names_of(players)),
        folder=Path(),
    )


def schedule(players: int, seats: int, seed: int = 1, **settings: Any) -> Schedule:
    return new_schedule(plan(players, seats, **settings), seed)


def names_of(players: int) -> list[str]:
    return [f"p{number:02}" for number in range(players)]


def games_of(schedule: Schedule) -> list[Game]:
    """Return all games of a schedule whose stages do not depend on results."""
    return [*schedule.stage(1)]


def gauntlet(players: int, seats: int, **settings: Any) -> Schedule:
    return schedule(players, seats, format=Format.GAUNTLET, challenger="p01", **settings)


def group(game: Game) -> frozenset[str]:
    return frozenset(game.players)


# -- games --------------------------------------------------------------------------------------

SIZES = [
    (3, 3, Seatings.ROTATIONS, 1),
    (6, 2, Seatings.ALL, 3),
    (5, 3, Seatings.BALANCED, 2),
    (6, 4, Seatings.BALANCED, 1),
    (7, 5, Seatings.BALANCED, 1),
    (7, 6, Seatings.ROTATIONS, 2),
]


@pytest.mark.parametrize(("players", "seats", "kind", "deals"), SIZES)
def test_round_robin_has_every_combination_in_every_seat_order_with_every_bag(
    players: int, seats: int, kind: Seatings, deals: int
) -> None:
    whole = schedule(players, seats, seatings=kind, deals=deals)
    games = games_of(whole)
    orders = len(seatings(kind, seats))
    assert whole.tables == comb(players, seats) and whole.games_in_block == orders
    assert len(games) == whole.total == whole.tables * orders * deals
    assert whole.stages == 1
    meetings = Counter(map(group, games))
    assert meetings == {
        frozenset(who): orders * deals for who in combinations(names_of(players), seats)
    }
    assert len(Counter((game.players, game.block) for game in games)) == len(games)
    assert_ids_are_unique_and_contain_the_block(games)


def assert_ids_are_unique_and_contain_the_block(games: Sequence[Game]) -> None:
    assert len({game.id for game in games}) == len(games)
    assert all(game.id.rpartition("-s")[0] == game.block for game in games)


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (4, 3), (6, 4), (7, 5)])
def test_gauntlet_has_the_challenger_at_every_table(players: int, seats: int) -> None:
    whole = gauntlet(players, seats, deals=2)
    games = games_of(whole)
    assert len(games) == whole.total == 2 * seats * comb(players - 1, seats - 1)
    assert all("p01" in game.players for game in games)
    meetings = Counter(map(group, games))
    assert len(meetings) == whole.tables and set(meetings.values()) == {2 * seats}
    seats_of_challenger = Counter(game.players.index("p01") for game in games)
    assert set(seats_of_challenger.values()) == {len(games) // seats}
    assert_ids_are_unique_and_contain_the_block(games)


def blocks_of(games: Sequence[Game]) -> dict[str, list[Game]]:
    blocks: dict[str, list[Game]] = {}
    for game in games:
        blocks.setdefault(game.block, []).append(game)
    return blocks


@pytest.mark.parametrize("kind", [Seatings.BALANCED, Seatings.ALL])
def test_block_is_one_table_in_all_seat_orders(kind: Seatings) -> None:
    blocks = blocks_of(games_of(schedule(6, 5, seatings=kind, deals=2)))
    assert len(blocks) == 12
    for games in blocks.values():
        (players,) = {group(game) for game in games}
        names = sorted(players)
        assert {game.players for game in games} == {
            tuple(names[player] for player in order) for order in seatings(kind, 5)
        }


def test_block_of_rotations_has_one_order_drawn_at_random() -> None:
    blocks = blocks_of(games_of(schedule(4, 4, seatings=Seatings.ROTATIONS, deals=60)))
    circles: Counter[tuple[str, ...]] = Counter()
    for games in blocks.values():
        circle = min(game.players for game in games)
        assert {game.players for game in games} == {
            circle[first:] + circle[:first] for first in range(4)
        }
        circles[circle] += 1
    assert len(circles) == 6 and min(circles.values()) >= 3


def test_only_with_duplicate_deals_the_games_of_a_block_share_a_bag() -> None:
    shared, own = (games_of(schedule(5, 3, deals=2, duplicate=it)) for it in (True, False))
    seeds = {game.block: game.seed for game in shared}
    assert all(game.seed == seeds[game.block] for game in shared)
    assert len(set(seeds.values())) == len(seeds) == 20
    assert len({game.seed for game in own}) == len(own) == 60
    assert [game._replace(seed=0) for game in shared] == [game._replace(seed=0) for game in own]


def test_seeds_depend_on_tournament_and_part() -> None:
    seeds = [seed_of(seed, what) for seed in range(40) for what in ("a", "b", "d1-t1", "d1-t11")]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < SEEDS for seed in seeds)
    assert max(seeds) > SEEDS * 0.9 and min(seeds) < SEEDS * 0.1
    assert seed_of(3, "a") == seed_of(3, "a")


def test_schedule_depends_on_the_seed_only() -> None:
    one, again, other = (games_of(schedule(6, 4, seed)) for seed in (1, 1, 2))
    assert one == again
    assert {game.id for game in one} == {game.id for game in other}
    assert [game.id for game in one] != [game.id for game in other]
    assert {game.seed for game in one}.isdisjoint(game.seed for game in other)


@pytest.mark.parametrize("make", [schedule, gauntlet])
@pytest.mark.parametrize(("few", "many"), [(1, 2), (2, 5), (3, 11)])
def test_more_deals_only_add_games_at_the_end(make: Any, few: int, many: int) -> None:
    before, after = (games_of(make(5, 3, deals=deals)) for deals in (few, many))
    assert after[: len(before)] == before
    assert len(after) == many * len(before) // few


# -- fair wherever it stops ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "whole",
    [
        schedule(6, 3, deals=2, seatings=Seatings.ROTATIONS),
        gauntlet(6, 3, deals=2),
        schedule(9, 4, format=Format.SWISS, rounds=3, deals=2),
        schedule(9, 4, format=Format.LADDER, deals=2),
    ],
    ids=lambda whole: whole.tables,
)
def test_games_of_some_blocks_are_those_of_the_whole_schedule(whole: Schedule) -> None:
    games = [*whole.stage(1)]
    blocks = {game.block for game in games}
    others = ["d3-t1", "d01-t1", "d1-t0", "d1-t9999", "r1-d3-t1", "r2-d1-t1", "r1-d1-t9", "x"]
    for some in (blocks, {*sorted(blocks)[::3]}):
        again = whole if whole.stages else schedule(9, 4, format=Format.LADDER, deals=2)
        found = sorted(again.stage(1, blocks=[*others, *some]))
        assert found == sorted(game for game in games if game.block in some)


def test_work_of_checking_a_schedule_does_not_grow_with_the_games_that_are_claimed() -> None:
    """Anybody can claim two million games in a few kilobytes."""
    began = time.process_time()
    claimed = schedule(100, 2)
    assert sum(1 for _ in claimed.stage(1)) == claimed.total
    whole = time.process_time() - began
    began = time.process_time()
    checked = check_schedule(claimed, Entries.of(plan(100, 2).participants), [], [])
    assert checked.checked == "0 of 9900 games, 9900 not played yet"
    assert time.process_time() - began < whole / 10


def spreads(names: Sequence[str], games: Sequence[Game]) -> Iterator[int]:
    """Yield, after every game, the largest difference between two players' numbers of games."""
    played = dict.fromkeys(names, 0)
    for game in games:
        for name in game.players:
            if name in played:
                played[name] += 1
        yield max(played.values()) - min(played.values())


SPREAD = [
    (4, 3, 1, 0),
    (5, 4, 1, 0),
    (5, 3, 2, 6),
    (6, 4, 2, 1),
    (7, 4, 2, 0),
    (7, 5, 2, 2),
    (8, 4, 1, 0),
    (8, 6, 2, 0),
    (9, 4, 2, 0),
    (10, 3, 2, 0),
    (10, 4, 2, 0),
    (12, 4, 2, 0),
    (16, 4, 2, 0),
]
"""Players, seats, the largest difference between two players' games at any moment, and a seed with
which it occurs."""


@pytest.mark.parametrize(("players", "seats", "most", "found_with"), SPREAD)
def test_at_any_moment_all_players_have_played_nearly_equally_often(
    players: int, seats: int, most: int, found_with: int, soak: bool
) -> None:
    worst = 0
    for seed in range(12) if soak else [found_with]:
        whole = schedule(players, seats, seed, deals=2 if players < 8 else 1)
        worst = max(worst, *spreads(names_of(players), games_of(whole)))
    assert worst == most


def test_with_very_many_tables_the_end_of_a_pass_is_less_fair() -> None:
    """20 players, each in 969 games per pass: the search window sees few of the tables."""
    whole, began = schedule(20, 4), time.process_time()
    games = games_of(whole)
    assert time.process_time() - began < 5, "many games are scheduled in seconds"
    assert len(games) == whole.total == 4 * comb(20, 4)
    found = [*spreads(names_of(20), games[: comb(20, 4)])]
    assert max(found[: len(found) // 20]) <= 6
    assert max(found) <= 50
    assert found[-1] == 0


def test_at_any_moment_of_a_gauntlet_the_field_has_played_nearly_equally_often() -> None:
    field = [name for name in names_of(8) if name != "p01"]
    for seed in range(3):
        assert max(spreads(field, games_of(gauntlet(8, 4, seed=seed, deals=2)))) <= 2


@pytest.mark.parametrize(("players", "seats"), [(5, 3), (6, 4), (8, 4), (10, 3)])
def test_after_every_pass_all_players_have_played_equally_often(players: int, seats: int) -> None:
    whole = schedule(players, seats, seatings=Seatings.BALANCED)
    found = [*spreads(names_of(players), games_of(whole))]
    after_passes = found[whole.tables - 1 :: whole.tables]
    assert len(after_passes) == whole.games_in_block and not any(after_passes)


SEATED = [(5, 4, "balanced"), (8, 4, "balanced"), (10, 3, "rotations"), (12, 4, "rotations")]


@pytest.mark.parametrize(("players", "seats", "kind"), SEATED)
def test_at_any_moment_every_player_has_had_each_seat_nearly_equally_often(
    players: int, seats: int, kind: str
) -> None:
    """No less equally than at random: within seven standard deviations, and exactly at the end."""
    whole = schedule(players, seats, seatings=kind)
    had = {name: [0] * seats for name in names_of(players)}
    for game in whole.stage(1):
        for seat, name in enumerate(game.players):
            had[name][seat] += 1
        for name in game.players:
            counts = had[name]
            assert max(counts) - min(counts) <= 7 * sqrt(sum(counts) / seats)
    assert all(max(counts) == min(counts) for counts in had.values())


# -- Swiss --------------------------------------------------------------------------------------


def by_strength(game: Game, strength: dict[str, int]) -> GameResult:
    """Return the result of a game in which the stronger player always wins."""
    order = sorted(game.players, key=lambda name: -strength[name])
    return result(game, {name: order.index(name) + 1 for name in game.players})


def result(game: Game, ranks: dict[str, int]) -> GameResult:
    seats = tuple(SeatResult(name, PlayerVerdict.FINISHED, ranks[name], 0) for name in game.players)
    return GameResult(game.id, game.block, game.seed, "large-hotel", 50, None, seats)


def random_result(game: Game, chance: random.Random) -> GameResult:
    ranks = chance.sample(range(1, len(game.players) + 1), len(game.players))
    return result(game, dict(zip(game.players, ranks, strict=True)))


def strengths(players: int, seed: int = 5) -> dict[str, int]:
    ranks = random.Random(seed).sample(range(players), players)
    return dict(zip(names_of(players), ranks, strict=True))


def swiss(
    players: int, seats: int, rounds: int, seed: int = 1, **settings: Any
) -> list[list[Game]]:
    """Play a Swiss in which the stronger player always wins; return the games of each round."""
    whole = schedule(players, seats, seed, format=Format.SWISS, rounds=rounds, **settings)
    strength, results, played = strengths(players), list[GameResult](), []
    for number in range(1, rounds + 1):
        games = [*whole.stage(number, results)]
        results += [by_strength(game, strength) for game in games]
        played.append(games)
    assert sum(map(len, played)) == whole.total
    return played


def tables(games: Sequence[Game]) -> set[frozenset[str]]:
    return set(map(group, games))


def test_winners_meet_in_the_second_round_of_a_large_swiss() -> None:
    first, second = swiss(40, 4, 2)
    strength = strengths(40)
    winners = {max(table, key=lambda name: strength[name]) for table in tables(first)}
    together = [len(table & winners) for table in tables(second)]
    assert sorted(together, reverse=True)[:2] == [4, 4]


def repeats(rounds: Sequence[set[frozenset[str]]]) -> int:
    """Count the meetings of two players who have met before."""
    met = Counter(
        tuple(sorted(two)) for table in rounds for who in table for two in combinations(who, 2)
    )
    return sum(count - 1 for count in met.values())


def at_random(players: int, seats: int, rounds: int) -> list[set[frozenset[str]]]:
    """Pair the same players at random."""
    chance = random.Random(3)
    names = names_of(players)
    drawn = []
    for _ in range(rounds):
        chance.shuffle(names)
        starts = range(0, players - players % seats, seats)
        drawn.append({frozenset(names[first : first + seats]) for first in starts})
    return drawn


@pytest.mark.parametrize(
    ("players", "seats", "rounds", "deals"),
    [
        *((8, 4, 4, 2), (12, 3, 6, 2), (12, 4, 5, 2)),
        *((9, 4, 9, 1), (10, 4, 5, 1), (11, 4, 11, 1), (7, 6, 7, 1), (5, 3, 10, 1)),
    ],
)
def test_in_a_swiss_every_player_plays_every_round_or_all_sit_out_equally_often(
    players: int, seats: int, rounds: int, deals: int
) -> None:
    out: Counter[str] = Counter()
    for games in swiss(players, seats, rounds, deals=deals):
        played = Counter(name for game in games for name in game.players)
        assert set(played.values()) == {seats * deals}
        assert len(played) == players - players % seats
        out.update({*names_of(players)} - {*played})
        counts = [out[name] for name in names_of(players)]
        assert max(counts) - min(counts) <= 1
    assert {out[name] for name in names_of(players)} == {rounds * (players % seats) // players}


@pytest.mark.parametrize(
    ("players", "seats", "rounds", "share"),
    [(16, 4, 5, 0.6), (24, 4, 6, 0.5), (30, 3, 8, 0.4), (60, 3, 10, 0.4)],
)
def test_swiss_repeats_few_meetings(players: int, seats: int, rounds: int, share: float) -> None:
    found = repeats([tables(games) for games in swiss(players, seats, rounds)])
    assert found <= share * repeats(at_random(players, seats, rounds))


def distance(rounds: Sequence[set[frozenset[str]]], players: int) -> float:
    """Return the average difference in strength between players who meet."""
    strength = strengths(players)
    return mean(
        abs(strength[one] - strength[other])
        for table in rounds
        for who in table
        for one, other in combinations(who, 2)
    )


@pytest.mark.parametrize(
    ("players", "seats", "rounds", "early", "share"),
    [
        *((12, 4, 6, 2, 0.95), (16, 4, 6, 2, 0.95)),
        *((24, 4, 8, 3, 0.9), (40, 4, 8, 3, 0.9), (60, 3, 8, 3, 0.9)),
    ],
)
def test_in_a_swiss_players_of_similar_strength_meet(
    players: int, seats: int, rounds: int, early: int, share: float
) -> None:
    late = [tables(games) for games in swiss(players, seats, rounds)[early:]]
    lots = at_random(players, seats, 40)
    assert distance(late, players) < share * distance(lots, players)


def test_first_round_of_a_swiss_is_random() -> None:
    draws = {frozenset(tables(swiss(12, 4, 1, seed)[0])) for seed in range(8)}
    assert len(draws) == 8


def test_swiss_does_not_depend_on_the_order_of_the_results() -> None:
    """The sums of these points depend on it, and with many ties the last digit matters."""
    whole = schedule(14, 4, format=Format.SWISS, rounds=4, deals=2, points=[0.7, 0.2, 0.1, 0.0])
    chance = random.Random(8)
    results: list[GameResult] = []
    for number in range(1, 5):
        games = [*whole.stage(number, results)]
        for _ in range(8):
            assert [*whole.stage(number, chance.sample(results, len(results)))] == games
        results += [random_result(game, chance) for game in games]


def test_round_of_a_swiss_does_not_depend_on_later_results() -> None:
    whole = schedule(12, 3, format=Format.SWISS, rounds=12)
    strength = strengths(12)
    first = [*whole.stage(1)]
    results = [by_strength(game, strength) for game in first]
    second = [*whole.stage(2, results)]
    # round 11 is after 2, whatever its digits say
    later = [by_strength(game, strength) for game in whole.stage(11, results)]
    assert [*whole.stage(2, [*results, *later])] == second
    assert [*whole.stage(1, [*results, *later])] == first


def test_more_rounds_only_add_games_at_the_end() -> None:
    assert swiss(10, 3, 5)[:3] == swiss(10, 3, 3)


def test_players_without_results_are_paired_from_the_middle() -> None:
    names = names_of(9)
    game = Game("r1-d1-t1-s1", "r1-d1-t1", 1, tuple(names[:3]))
    known = [result(game, {"p00": 1, "p01": 2, "p02": 3})]
    groups = pair(names, 3, known, (2.0, 1.0, 0.0), random.Random(4))
    assert sorted(name for table in groups for name in table) == names
    assert "p00" in groups[0]  # the leader is paired first
    assert not any({"p00", "p01"} <= {*table} or {"p01", "p02"} <= {*table} for table in groups)


def met(number: int, *players: str) -> Game:
    """A game of the first round, a block for itself."""
    return Game(f"r1-d1-t{number}-s1", f"r1-d1-t{number}", number, players)


def test_lowest_of_those_who_have_sat_out_least_sits_out() -> None:
    names = ["p0", "p1", "p2", "p3", "p4"]
    won = [("p0", "p2"), ("p2", "p3"), ("p1", "p3"), ("p0", "p4")]  # p4 has played once
    known = [result(met(number, *two), {two[0]: 1, two[1]: 2}) for number, two in enumerate(won, 1)]
    for seed in range(5):
        groups = pair(names, 2, known, (1.0, 0.0), random.Random(seed))
        assert {name for table in groups for name in table} == {"p0", "p1", "p2", "p4"}


# -- a ladder -----------------------------------------------------------------------------------


def test_least_certain_of_those_with_as_few_blocks_play_in_a_ladder() -> None:
    known, *new = (Entry(number, name, "x", first=1) for number, name in enumerate("abc", 1))
    gone = Entry(4, "d", "x", first=1, last=1)  # blocks against it count no more
    tied = [result(met(number, "a", "d"), {"a": 1, "d": 1}) for number in range(1, 4)]
    for seed in range(5):
        ladder = Ladder(Entries([known, *new, gone]))
        assert ladder.pair(2, 2, tied, random.Random(seed)) == [tuple(new)]


# -- entries ------------------------------------------------------------------------------------


def test_game_of_a_withdrawn_player_could_have_been_one() -> None:
    """A void game may be older than the withdrawal, and is no forgery."""
    five = Entries.of(plan(5, 3).participants)
    *four, last = five.all
    entries = Entries([*four, last._replace(last=0)])
    whole = Schedule(plan(4, 3, deals=2).schedule_rules, 1, entries)
    games = {f"d{d}-t{t}-s{s}" for d in range(4) for t in range(12) for s in range(5)}
    possible = {f"d{d}-t{t}-s{s}" for d in (1, 2) for t in range(1, 11) for s in (1, 2, 3)}
    assert {game for game in games if whole.could_have(game, 5)} == possible
    assert not whole.could_have("r1-d1-t1-s1", 5)
    rounds = Schedule(plan(4, 2, format="ladder").schedule_rules, 1, entries)
    ids = ("r1-d1-t1-s1", "r12-d1-t1-s1", "d1-t1-s1", "r0-d1-t1-s1", "x-r3", "d1-t1-s1-r5")
    assert [rounds.could_have(game, 5) for game in ids] == [True, True] + [False] * 4


def test_new_version_is_paired_by_the_rating_of_the_version_before() -> None:
    """The first version lost all games, the second won all: the third meets the strong."""
    versions = [Entry(3, "new", "", "1", 1, 5), Entry(4, "new", "", "2", 6, 10)]
    others = [Entry(1, "strong", "", first=1), Entry(2, "weak", "", first=1)]
    entries = Entries([*others, *versions, Entry(5, "new", "", "3", 11)])
    order = [("strong", "weak", "new")] * 5 + [("new", "strong", "weak")] * 5
    results = [
        result(
            Game(f"r{number}-d1-t1-s1", f"r{number}-d1-t1", 1, names),
            {name: rank for rank, name in enumerate(names, 1)},
        )
        for number, names in enumerate(order, 1)
    ]
    for seed in range(4):
        ((one, two),) = Ladder(entries).pair(11, 2, results, random.Random(seed))
        assert {one.name, two.name} == {"new", "strong"}


# -- seat orders --------------------------------------------------------------------------------

TABLES = range(2, 7)
SET_SIZES = {
    Seatings.ROTATIONS: {2: 2, 3: 3, 4: 4, 5: 5, 6: 6},
    Seatings.BALANCED: {2: 2, 3: 6, 4: 24, 5: 20, 6: 60},
    Seatings.ALL: {players: factorial(players) for players in TABLES},
}


def neighbours(orders: tuple[Seating, ...]) -> Counter[tuple[int, int]]:
    """Count which player sits directly before which; the last one sits before the first."""
    return Counter(two for order in orders for two in pairwise((*order, order[0])))


@pytest.mark.parametrize("kind", Seatings)
def test_set_has_different_orders_of_all_players_in_whole_rotations(kind: Seatings) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        assert len(orders) == SET_SIZES[kind][players]
        assert len(set(orders)) == len(orders)
        assert {tuple(sorted(order)) for order in orders} == {tuple(range(players))}
        for first in range(0, len(orders), players):
            order, cut = orders[first], first + players
            assert orders[first:cut] == tuple(
                order[turn:] + order[:turn] for turn in range(players)
            )
            seats = Counter((p, seat) for order in orders[:cut] for seat, p in enumerate(order))
            assert set(seats.values()) == {cut // players}, "everyone has had every seat"


@pytest.mark.parametrize("kind", [Seatings.BALANCED, Seatings.ALL])
def test_in_a_balanced_set_every_player_sits_before_every_other_equally_often(
    kind: Seatings,
) -> None:
    for players in TABLES:
        orders = seatings(kind, players)
        counts = neighbours(orders)
        assert len(counts) == players * (players - 1)
        assert set(counts.values()) == {len(orders) // (players - 1)}


def test_rotations_never_change_the_neighbours() -> None:
    for players in range(3, 7):
        assert len(neighbours(seatings(Seatings.ROTATIONS, players))) == players
