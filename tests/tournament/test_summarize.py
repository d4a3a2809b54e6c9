"""The tables of a tournament, against values by hand and against known true strengths."""

import json
import random
from collections.abc import Sequence
from itertools import combinations
from math import exp

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import for_each

from acquire.admin.refereeing.view.plain_text import json_text
from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.games.entries import Entries, Entry
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.pairing import Ladder
from acquire.admin.tournament.standings.summarize import grouped_by_rating, summarize
from acquire.admin.tournament.standings.summary import (
    Duel,
    SeatRow,
    StandingsRow,
    Summary,
    TimeRow,
    groups_of,
)

FINISHED, ILLEGAL, TIMED_OUT = (
    PlayerVerdict.FINISHED,
    PlayerVerdict.ILLEGAL,
    PlayerVerdict.TIMED_OUT,
)
LOST = 0
"""Instead of a rank: the player broke a rule."""


def played(
    number: int, block: int, players: str, ranks: Sequence[int], money: Sequence[int] = ()
) -> GameResult:
    """Return a game; ``players`` has a letter for each seat."""
    dollars = money or [1000 * (len(ranks) - rank) for rank in ranks]
    seats = tuple(
        SeatResult(player, ILLEGAL, len(ranks), 0)
        if rank == LOST
        else SeatResult(player, FINISHED, rank, cash)
        for player, rank, cash in zip(players, ranks, dollars, strict=True)
    )
    return GameResult(f"g{number:04}", f"b{block:04}", 1, "large-hotel", 40, None, seats)


def row_of(summary: Summary, player: str) -> StandingsRow:
    return next(row for row in summary.rows if row.player == player)


def text(summary: Summary) -> str:
    return json_text(summary)


GAMES = {
    "nobody ties": ([1, 2, 3, 4], [3, 2, 1, 0], [1, 2, 3, 4], [1, 0, 0, 0]),
    "two tie for 1st": ([1, 1, 3, 4], [2.5, 2.5, 1, 0], [1.5, 1.5, 3, 4], [0.5, 0.5, 0, 0]),
    "three tie for 1st": ([1, 4, 1, 1], [2, 0, 2, 2], [2, 4, 2, 2], [1 / 3, 0, 1 / 3, 1 / 3]),
    "two tie in the middle": ([2, 4, 1, 2], [1.5, 0, 3, 1.5], [2.5, 4, 1, 2.5], [0, 0, 1, 0]),
    "all tie": ([1, 1, 1, 1], [1.5] * 4, [2.5] * 4, [0.25] * 4),
    "one is lost": ([2, LOST, 1, 3], [2, 0, 3, 1], [2, 4, 1, 3], [0, 0, 1, 0]),
    "two are lost, both last": ([LOST, 2, LOST, 1], [0, 2, 0, 3], [4, 2, 4, 1], [0, 0, 0, 1]),
    "half tie, half lost": (
        [1, LOST, 1, LOST],
        [2.5, 0, 2.5, 0],
        [1.5, 4, 1.5, 4],
        [0.5, 0, 0.5, 0],
    ),
    "all are lost": ([LOST] * 4, [0] * 4, [4] * 4, [0] * 4),
}


@pytest.mark.parametrize(
    ("ranks", "points", "placements", "wins"), GAMES.values(), ids=GAMES.keys()
)
def test_points_places_and_wins_of_one_game(
    ranks: list[int], points: list[float], placements: list[float], wins: list[float]
) -> None:
    summary = summarize("ABCD", [played(1, 1, "ABCD", ranks)], (3, 2, 1, 0))
    for at, player in enumerate("ABCD"):
        row = row_of(summary, player)
        assert row.points == Estimate(points[at])
        assert row.placement == Estimate(placements[at])
        assert row.wins == Estimate(round(wins[at], 6))
        assert row.lost == (ranks[at] == LOST)


def test_player_that_did_not_finish_has_no_money() -> None:
    seats = (SeatResult("A", FINISHED, 1, 900), SeatResult("B", TIMED_OUT, 2, 5000))
    game = GameResult("g", "b", 1, "nobody-left", 9, 3, seats)
    summary = summarize("AB", [game], (1, 0))
    assert [row.money.value for row in summary.rows] == [900.0, 0.0]


def test_averages_are_over_the_games_of_each_player() -> None:
    games = [
        played(1, 1, "ABC", [1, 2, 3], [9000, 6000, 1000]),
        played(2, 1, "ABD", [2, 1, 3], [4000, 7000, 2000]),
        played(3, 2, "ACD", [1, 3, 2], [8000, 500, 3000]),
    ]
    summary = summarize("ABCD", games, (2, 1, 0))
    assert [(row.rank, row.player, row.games) for row in summary.rows] == [
        (1, "A", 3),
        (2, "B", 2),
        (3, "D", 2),
        (4, "C", 2),
    ]
    assert [row.points.value for row in summary.rows] == [1.666667, 1.5, 0.5, 0.0]
    assert [row.money.value for row in summary.rows] == [7000.0, 6500.0, 2500.0, 750.0]
    assert (summary.games, summary.blocks, summary.out_of_step) == (3, 2, 0)


def test_fractional_points_are_shared_exactly() -> None:
    games = [played(at, at, "ABC", [1, 1, 1]) for at in range(10)]
    summary = summarize("ABC", games, (1.1, 0.7, 0.123456))
    third = round((1.1 + 0.7 + 0.123456) / 3, 6)
    assert {row.points for row in summary.rows} == {Estimate(third, third, third)}


ORDERS = {
    "players with equal points share a rank, and the next is skipped": (
        "DCBA",
        (("ABCD", [1, 2, 3, 4]), ("ABCD", [4, 2, 1, 3])),  # in points 4, 4, 5, 3
        (3, 2, 2, 1),
        "1C 2B 2A 4D",  # A has placement 2.5, B has 2
    ),
    "a better place decides the order of equal points": (
        "AB",
        (("BA", [1, 2]), ("BA", [1, 2])),
        (1, 1),
        "1B 1A",
    ),
    "more wins decide the order of equal points and places": (
        "ABC",
        (("ABC", [2, 1, 3]), ("ABC", [2, 3, 1])),
        (2, 1, 0),
        "1B 1C 1A",
    ),
    "a player without a game is below one that lost all": (
        "ABC",
        (("BC", [LOST, 1]),),
        (1, 0),
        "1C 2B 3A",
    ),
}


@for_each(("players", "games", "points", "expected"), ORDERS.values(), ids=ORDERS)
def test_order_of_the_standings(
    players: str, games: Sequence[tuple[str, list[int]]], points: Sequence[float], expected: str
) -> None:
    found = [played(at, at, *each) for at, each in enumerate(games)]
    summary = summarize(players, found, points)
    assert " ".join(f"{row.rank}{row.player}" for row in summary.rows) == expected


def test_players_that_did_not_finish_share_the_last_place_for_ratings() -> None:
    games = [played(number, number, "ABC", [LOST, 3, LOST]) for number in range(5)]
    ratings = {row.player: row.rating for row in summarize("ABC", games, (2, 1, 0)).rows}
    assert ratings["A"] == ratings["C"]
    assert ratings["A"] < 25 < ratings["B"]


def test_tables_without_games() -> None:
    summary = summarize(["B", "A"], [], (1, 0))
    assert [(row.player, row.rank, row.games, row.groups) for row in summary.rows] == [
        ("A", 1, 0, "a"),
        ("B", 1, 0, "a"),
    ]
    assert all(row.points == row.placement == row.money == Estimate(0.0) for row in summary.rows)
    assert summary.rows[0].rating == 25.0
    assert summary.crosstable == (Duel("A", "B", 0, None), Duel("B", "A", 0, None))
    assert summary.seats == () and summary.endings == {} and summary.blocks == 0
    assert summary.verdicts == {"A": {"finished": 0}, "B": {"finished": 0}}
    assert summary.by_player_and_seat == {"A": {}, "B": {}}
    assert summary.times[0] == TimeRow("A", None, None, None)


def test_game_of_an_unknown_player_is_rejected() -> None:
    with pytest.raises(ValueError, match="'C'"):
        summarize("AB", [played(1, 1, "AC", [1, 2])], (1, 0))


def tournament(blocks: int, chance: random.Random) -> list[GameResult]:
    """Return games among five, three at a time, some tied and some lost."""
    games = []
    for number in range(blocks * 2):
        players = "".join(chance.sample("ABCDE", 3))
        ranks = chance.choice([[1, 2, 3], [1, 1, 3], [2, 1, 3], [1, 2, LOST], [1, LOST, LOST]])
        games.append(played(number, number // 2, players, ranks))
    return games


@settings(max_examples=6, deadline=None)
@given(st.permutations(range(16)))
def test_order_of_the_results_does_not_matter(order: list[int]) -> None:
    games = tournament(8, random.Random(7))
    shuffled = summarize("ABCDE", [games[at] for at in order], (2, 1, 0))
    assert text(shuffled) == text(summarize("ABCDE", games, (2, 1, 0)))


def test_order_of_the_players_does_not_matter() -> None:
    games = tournament(8, random.Random(7))
    assert text(summarize("EBADC", games, (2, 1, 0))) == text(summarize("ABCDE", games, (2, 1, 0)))


@for_each(("blocks", "there"), [(4, False), (5, True)])
def test_interval_needs_five_blocks_with_the_player(blocks: int, there: bool) -> None:
    of_a = [played(at, at // 2, "AB", [1 + at % 2, 2 - at % 2]) for at in range(2 * blocks)]
    of_others = [
        played(100 + at, 100 + at // 2, "CB", [1 + at % 2, 2 - at % 2]) for at in range(20)
    ]
    summary = summarize("ABC", [*of_a, *of_others], (1, 0))
    assert (row_of(summary, "A").points.low is not None) == there
    assert row_of(summary, "C").points == Estimate(0.5, 0.5, 0.5)


@for_each(("lost", "there"), [(0, False), (2, False), (3, True), (17, True), (18, False)])
def test_interval_needs_three_blocks_that_are_neither_all_won_nor_all_lost(
    lost: int, there: bool
) -> None:
    games = [played(at, at, "AB", [2, 1] if at < lost else [1, 2]) for at in range(20)]
    points = row_of(summarize("AB", games, (1, 0)), "A").points
    assert points.value == (20 - lost) / 20
    assert (points.low is not None) == there
    if points.low is not None and points.high is not None:
        assert 0 < points.low < points.value < points.high < 1


def test_interval_is_wider_towards_the_middle() -> None:
    games = [played(at, at, "AB", [2, 1] if at < 4 else [1, 2]) for at in range(40)]
    a, b = summarize("AB", games, (1, 0)).rows
    # t is 2.0227 with 39 degrees of freedom, the error 0.3 / sqrt(39); divided by 0.9 * 0.1, it is
    # that of the log-odds
    assert a.points == Estimate(0.9, 0.753542, 0.963626)
    assert b.points == Estimate(0.1, 0.036374, 0.246458)


def test_interval_of_money_has_no_bounds() -> None:
    games = [played(at, at, "AB", [1, 2], [1000 * at, 0]) for at in range(6)]
    money = row_of(summarize("AB", games, (1, 0)), "A").money
    reach = 2.5706 * 1870.8 / 6**0.5
    assert money.value == 2500
    assert money.low == pytest.approx(2500 - reach, abs=0.5)
    assert money.high == pytest.approx(2500 + reach, abs=0.5)


def test_interval_depends_on_the_number_of_blocks_and_not_of_games() -> None:
    chance = random.Random(5)
    winners = [chance.choice([[1, 2], [2, 1]]) for _ in range(60)]
    alike = [played(4 * b + g, b, "AB", ranks) for b, ranks in enumerate(winners) for g in range(4)]
    apart = [game._replace(block=game.game) for game in alike]

    def width(games: list[GameResult]) -> float:
        points = row_of(summarize("AB", games, (1, 0)), "A").points
        assert points.low is not None and points.high is not None
        return points.high - points.low

    assert width(alike) / width(apart) == pytest.approx(2, rel=0.1)


def test_few_blocks_separate_no_players() -> None:
    games = [played(at, at % 4, "AB", [1, 2]) for at in range(40)]
    assert [row.groups for row in summarize("AB", games, (1, 0)).rows] == ["a", "a"]


def test_ties_are_neighbours_that_share_a_group() -> None:
    games = []
    for at in range(40):
        first = "AB" if at % 2 else "BA"
        games.append(played(at, at, f"{first}C", [1, 2, 3] if at else [2, 1, 3]))
    summary = summarize("ABC", games, (2, 1, 0))
    assert [row.groups for row in summary.rows] == ["a", "a", "b"]
    assert [(tie.player, tie.other, tie.difference) for tie in summary.ties] == [("A", "B", 0.05)]
    (tie,) = summary.ties
    assert tie.more_blocks is not None and 1000 < tie.more_blocks < 2500


def test_players_with_too_few_blocks_are_no_ties() -> None:
    games = [played(at, at, "AB", [1 + at % 2, 2 - at % 2]) for at in range(4)]
    assert summarize("AB", games, (1, 0)).ties == ()


def test_crosstable_counts_a_tie_as_half() -> None:
    games = [
        played(1, 1, "ABC", [1, 2, 3]),
        played(2, 2, "ABC", [1, 1, 3]),
        played(3, 3, "ABC", [2, LOST, 1]),
        played(4, 4, "ABC", [LOST, LOST, 1]),
        played(5, 5, "AD", [1, 2]),
    ]
    summary = summarize("ABCD", games, (2, 1, 0))
    duels = {(duel.player, duel.other): (duel.games, duel.share) for duel in summary.crosstable}
    assert len(duels) == 12
    assert duels["A", "B"] == (4, 0.75)  # won, tied, won, and both lost
    assert duels["B", "A"] == (4, 0.25)
    assert duels["A", "C"] == (4, 0.5)
    assert duels["A", "D"] == (1, 1.0)
    assert duels["B", "D"] == duels["D", "C"] == (0, None)


def test_seats_count_over_all_players() -> None:
    games = [played(at, at, players, [1, 2, 3]) for at, players in enumerate(["ABC", "BCA", "CAB"])]
    summary = summarize("ABC", games, (2, 1, 0))
    assert summary.seats == (
        SeatRow(1, 3, Estimate(2.0), Estimate(1.0), Estimate(1.0)),
        SeatRow(2, 3, Estimate(1.0), Estimate(2.0), Estimate(0.0)),
        SeatRow(3, 3, Estimate(0.0), Estimate(3.0), Estimate(0.0)),
    )
    assert summary.by_player_and_seat == {name: {1: 2.0, 2: 1.0, 3: 0.0} for name in "ABC"}


def test_seat_has_an_interval_after_five_blocks() -> None:
    games = [played(at, at, "AB", [1, 1]) for at in range(5)]
    first, second = summarize("AB", games, (1, 0)).seats
    assert first.points == second.wins == Estimate(0.5, 0.5, 0.5)
    assert summarize("AB", games[:4], (1, 0)).seats[0].points.low is None


def test_verdicts_and_endings_are_counted() -> None:
    def ended(number: int, verdict: PlayerVerdict, ending: str, step: int | None) -> GameResult:
        seats = (SeatResult("A", FINISHED, 1, 100), SeatResult("B", verdict, 2, 0))
        return GameResult(f"g{number}", "b", 1, ending, 9, step, seats)

    games = [
        ended(1, TIMED_OUT, "nobody-left", 0),
        ended(2, FINISHED, "large-hotel", None),
        ended(3, ILLEGAL, "nobody-left", 4),
        ended(4, ILLEGAL, "bag-empty", None),
    ]
    summary = summarize("AB", games, (1, 0))
    assert [*summary.verdicts["B"].items()] == [("finished", 1), ("illegal", 2), ("timed-out", 1)]
    assert summary.verdicts["A"] == {"finished": 4, "illegal": 0, "timed-out": 0}
    assert [*summary.endings.items()] == [("nobody-left", 2), ("bag-empty", 1), ("large-hotel", 1)]
    assert summary.out_of_step == 2
    assert [row.lost for row in summary.rows] == [0, 3]


def test_times_are_averages_over_the_games_in_which_they_were_measured() -> None:
    def timed(number: int, thought: int, slowest: int, processor: int | None) -> GameResult:
        seats = (
            SeatResult("A", FINISHED, 1, 0, "", None, 9, thought, slowest, processor),
            SeatResult("B", FINISHED, 2, 0),
        )
        return GameResult(f"g{number}", "b", 1, "large-hotel", 9, None, seats)

    games = [
        timed(1, 3_000_000, 400_000, 1500),
        timed(2, 0, 0, None),
        timed(3, 1_000_000, 250_000, 500),
        timed(4, 0, 0, 0),  # so little that it was nothing, but measured
    ]
    summary = summarize("AB", games, (1, 0))
    measured = TimeRow("A", 2.0, 0.4, round(2 / 3, 6))
    assert summary.times == (measured, TimeRow("B", None, None, None))


def test_summary_fields_are_plain_values_in_order() -> None:
    summary = summarize("AB", [played(1, 1, "AB", [1, 2])], (1, 0))
    plain = json.loads(text(summary))
    assert [*plain] == [*Summary._fields]
    assert plain["by_player_and_seat"] == {"A": {"1": 1.0}, "B": {"2": 0.0}}
    rows = plain["rows"]
    assert rows[0]["points"] == {"value": 1.0, "low": None, "high": None}
    assert plain["ties"] == []
    assert [*rows[0]] == [*StandingsRow._fields]


# -- ladders ------------------------------------------------------------------------------------


def separated_in_a_ladder(strengths: dict[str, float], seed: int) -> set[str]:
    """Play a ladder of twelve rounds; return the pairs of players that share no group.

    The strength of a player in a game is its own, plus the luck of the block and of the game.
    """
    chance, results = random.Random(seed), list[GameResult]()
    ladder = Ladder(Entries(Entry(at, name, "x", first=1) for at, name in enumerate(strengths, 1)))
    for number in range(1, 13):
        for table, entries in enumerate(ladder.pair(number, 3, results, chance), 1):
            form = {each.name: strengths[each.name] + chance.gauss(0, 0.5) for each in entries}
            for seat in range(3):
                due = {name: chance.expovariate(exp(own)) for name, own in form.items()}
                ranks = [1 + sorted(due.values()).index(due[name]) for name in form]
                game = played(seat, table, "".join(form), ranks)
                block = f"r{number}-t{table}"
                results.append(game._replace(game=f"{block}-s{seat + 1}", block=block))
    summary = summarize([*strengths], results, [2, 1, 0], by_rating=True)
    groups = groups_of(grouped_by_rating(summary.rows, results))
    return {
        one + other for one, other in combinations(groups, 2) if not groups[one] & groups[other]
    }


def test_equal_players_of_a_ladder_are_rarely_separated() -> None:
    wrong = sum(bool(separated_in_a_ladder(dict.fromkeys("ABCDEF", 0.0), at)) for at in range(40))
    assert wrong <= 4


def test_players_of_a_ladder_are_separated_by_their_ratings() -> None:
    strengths = {**dict.fromkeys("ABC", 1.5), **dict.fromkeys("DEF", -1.5)}
    found = [separated_in_a_ladder(strengths, seed) for seed in range(10)]
    apart = [pair for pairs in found for pair in pairs]
    assert len(apart) > 60 and all({*pair} & {*"ABC"} and {*pair} & {*"DEF"} for pair in apart)
