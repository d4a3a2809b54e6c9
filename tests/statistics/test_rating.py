"""Ratings follow strength, and do not depend on the order of games or players."""

import random

import pytest

from acquire.admin.studying.statistics.rating import (
    MAX_SHUFFLES,
    MIN_SHUFFLES,
    Placing,
    Rating,
    rate,
    shuffles,
)

INITIAL = Rating(25.0, 8.333)


def contests(games: int) -> list[Placing]:
    """Return games of four among A (the weakest) to F (the strongest)."""
    chance = random.Random(6)
    played = []
    for _ in range(games):
        table = chance.sample("ABCDEF", 4)
        form = {name: chance.gauss("ABCDEF".index(name) * 0.7) for name in table}
        order = sorted(table, key=form.__getitem__, reverse=True)
        played.append(Placing(table, [order.index(name) + 1.0 for name in table]))
    return played


def test_ratings_follow_strength() -> None:
    ratings = rate("ABCDEF", contests(150))
    assert sorted("ABCDEF", key=lambda name: ratings[name].mu) == list("ABCDEF")
    assert all(rating.sigma < INITIAL.sigma / 2 for rating in ratings.values())


def test_ratings_do_not_depend_on_the_order_of_the_players() -> None:
    games = contests(20)
    assert rate("FEDCBA", games) == rate("ABCDEF", games)


def test_order_of_the_games_matters_less_than_the_uncertainty() -> None:
    games = contests(80)
    forwards, backwards = rate("ABCDEF", games), rate("ABCDEF", games[::-1])
    for name in "ABCDEF":
        assert backwards[name].mu == pytest.approx(forwards[name].mu, abs=forwards[name].sigma / 2)


def test_player_without_a_game_keeps_the_initial_rating() -> None:
    assert rate("XY", []) == {"X": INITIAL, "Y": INITIAL}
    assert rate("ABCDEFX", contests(5))["X"] == INITIAL


def test_players_on_the_same_place_have_the_same_rating() -> None:
    ratings = rate("ABC", [Placing(["A", "B", "C"], [2.0, 1.0, 2.0])])
    assert ratings["A"] == ratings["C"]
    assert ratings["A"].mu < 25 < ratings["B"].mu


def test_ratings_depend_on_the_seed_only() -> None:
    games = contests(30)
    assert rate("ABCDEF", games, 1) == rate("ABCDEF", games, 1)
    assert rate("ABCDEF", games, 1) != rate("ABCDEF", games, 2)


@pytest.mark.parametrize(
    ("games", "orders"),
    [(0, MAX_SHUFFLES), (100, MAX_SHUFFLES), (10_000, 8), (1_000_000, MIN_SHUFFLES)],
)
def test_more_games_are_shuffled_fewer_times(games: int, orders: int) -> None:
    assert shuffles(games) == orders
