"""Ratings follow strength, and depend on nothing but the games."""

import random
from math import exp, log
from statistics import fmean

import pytest

from acquire.admin.studying.statistics.rating import SCALE, START, Placing, Ratings, Successor, rate


def contests(games: int) -> list[Placing]:
    """Return games of four among A (the weakest) to F (the strongest), some of them with ties."""
    chance = random.Random(6)
    played = []
    for _ in range(games):
        table = chance.sample("ABCDEF", 4)
        form = {name: chance.gauss("ABCDEF".index(name) * 0.7) for name in table}
        order = sorted(table, key=form.__getitem__, reverse=True)
        places = {name: order.index(name) + 1.0 for name in table}
        if chance.random() < 0.2:
            places[order[1]] = places[order[0]]
        played.append(Placing(table, [places[name] for name in table]))
    return played


def all_of(players: str, ratings: Ratings) -> dict[str, tuple[float, float]]:
    return {player: (ratings.of(player), ratings.sigma(player)) for player in players}


def exactly(ratings: Ratings) -> list[float]:
    """What is not rounded, to the last bit."""
    return [ratings.chance("A", other) for other in "BCDEF"]


def won(times: int) -> list[Placing]:
    """Return games of A and B, all of them won by A."""
    return [Placing(["A", "B"], [1.0, 2.0])] * times


def test_ratings_do_not_depend_on_the_order_of_the_players() -> None:
    games = contests(40)
    turned = [Placing(players[::-1], places[::-1]) for players, places in games]
    ratings = exactly(rate("ABCDEF", games))
    assert exactly(rate("FEDCBA", games)) == exactly(rate("ABCDEF", turned)) == ratings


@pytest.mark.parametrize("seed", range(2))
def test_ratings_do_not_depend_on_the_order_of_the_games(seed: int) -> None:
    games = contests(80)
    shuffled = random.Random(seed).sample(games, len(games))
    assert exactly(rate("ABCDEF", shuffled)) == exactly(rate("ABCDEF", games))


def test_player_without_a_game_has_the_initial_rating() -> None:
    assert all_of("XY", rate("XY", [])) == dict.fromkeys("XY", (25.0, 8.333))
    assert all_of("X", rate("ABCDEFX", contests(5))) == {"X": (25.0, 8.333)}


def test_nobody_can_be_rated() -> None:
    rate("", [])


def test_rating_is_the_most_likely_one() -> None:
    """Of two players, one wins four games of five; the prior pulls both to the start."""
    games = [*won(4), Placing(["A", "B"], [2.0, 1.0])]
    ratings = rate("AB", games)
    ahead = (ratings.of("A") - START) / SCALE
    assert ratings.of("A") + ratings.of("B") == pytest.approx(2 * START, abs=0.002)
    assert 5 * (0.8 - 1 / (1 + exp(-2 * ahead))) == pytest.approx(ahead, abs=0.001)


def test_many_games_outweigh_the_prior() -> None:
    """A is three times as likely to win as B."""
    ratings = rate("AB", [*won(3000), *[Placing(["A", "B"], [2.0, 1.0])] * 1000])
    assert ratings.of("A") - ratings.of("B") == pytest.approx(SCALE * log(3), abs=0.02)
    assert ratings.chance("A", "B") == pytest.approx(0.75, abs=0.001)


def test_lower_places_count_too() -> None:
    """The order of the last two is a game of these two, as the model has it."""
    whole = rate("ABC", [Placing(["A", "B", "C"], [1.0, 2.0, 3.0])])
    assert whole.of("A") > START > whole.of("C") and whole.of("B") > whole.of("C")


def test_rating_of_who_wins_everything_is_finite() -> None:
    few, many = rate("AB", won(5)), rate("AB", won(5000))
    assert START < few.of("A") < many.of("A") < START + 5 * SCALE


def test_games_make_ratings_certain() -> None:
    sigmas = [rate("ABCDEF", contests(games)).sigma("C") for games in (0, 5, 50, 500)]
    assert sigmas == sorted(sigmas, reverse=True) and sigmas[0] > 2 * sigmas[-1]


def test_players_on_the_same_place_have_the_same_rating() -> None:
    ratings = rate("ABC", [Placing(["A", "B", "C"], [2.0, 1.0, 2.0])])
    assert ratings.of("A") == ratings.of("C") < START < ratings.of("B")


def test_tie_counts_as_all_orders_in_equal_parts() -> None:
    orders = [[1.0, 2.0, 3.0], [2.0, 1.0, 3.0], [1.0, 3.0, 2.0], [2.0, 3.0, 1.0]]
    orders += [[3.0, 1.0, 2.0], [3.0, 2.0, 1.0]]
    others = [Placing(["A", "C"], [1.0, 2.0])] * 3
    tied = rate("ABC", [*others, *[Placing(["A", "B", "C"], [1.0, 1.0, 1.0])] * 6])
    split = rate("ABC", [*others, *(Placing(["A", "B", "C"], order) for order in orders)])
    for name in "ABC":
        assert tied.of(name) == pytest.approx(split.of(name), abs=0.0011)
        assert tied.sigma(name) == pytest.approx(split.sigma(name), abs=0.0011)


def test_ranks_agree_with_known_strengths() -> None:
    """The simulated players place by the model itself; the error is what the fit states."""
    chance = random.Random(1)
    logs = {f"p{at}": chance.gauss(0.0, 0.7) for at in range(12)}
    games = []
    for _ in range(1500):
        table = chance.sample([*logs], 4)
        due = {name: chance.expovariate(exp(logs[name])) for name in table}
        games.append(Placing(table, [1.0 + sorted(table, key=due.get).index(n) for n in table]))  # type: ignore[arg-type]  # all are there
    ratings = rate(logs, games)
    middle = fmean(logs.values()) - fmean(ratings.of(name) for name in logs) / SCALE
    errors = [ratings.of(name) / SCALE + middle - logs[name] for name in logs]
    assert fmean(error**2 for error in errors) ** 0.5 < 0.08


def test_successor_begins_where_the_one_before_stands() -> None:
    ratings = rate("ABN", won(20), {"N": Successor("A", SCALE / 2)})
    assert ratings.of("N") == pytest.approx(ratings.of("A"), abs=0.0011)
    expected = (ratings.sigma("A") ** 2 + (SCALE / 2) ** 2) ** 0.5
    assert ratings.sigma("N") == pytest.approx(expected, abs=0.002)


def test_chance_of_players_of_whom_nothing_is_known_is_even() -> None:
    ratings = rate("ABX", won(20))
    assert ratings.chance("X", "X") == rate("XY", []).chance("X", "Y") == 0.5
    assert 0.5 < ratings.chance("A", "X") < ratings.chance("A", "B") < 1.0
    assert ratings.chance("B", "A") == pytest.approx(1 - ratings.chance("A", "B"))
