"""Ratings: who is stronger has more, and chance and order have no say."""

import random

import pytest

from admin.statistics.rating import FEWEST_SHUFFLES, MOST_SHUFFLES, Placing, Rating, rate, shuffles
from admin.tournament.results.result import GameResult, SeatResult
from admin.tournament.results.tally import placing
from admin.tournament.results.verdict import PlayerVerdict

BEGIN = Rating(25.0, 8.333)


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
    assert all(rating.sigma < BEGIN.sigma / 2 for rating in ratings.values())


def test_ratings_do_not_depend_on_the_order_of_the_players() -> None:
    games = contests(20)
    assert rate("FEDCBA", games) == rate("ABCDEF", games)


def test_order_in_which_games_were_played_matters_less_than_what_is_uncertain() -> None:
    games = contests(80)
    forwards, backwards = rate("ABCDEF", games), rate("ABCDEF", games[::-1])
    for name in "ABCDEF":
        assert backwards[name].mu == pytest.approx(forwards[name].mu, abs=forwards[name].sigma / 2)


def test_who_has_no_game_keeps_the_first_rating() -> None:
    assert rate("XY", []) == {"X": BEGIN, "Y": BEGIN}
    assert rate("ABCDEFX", contests(5))["X"] == BEGIN


def test_lost_seats_tie_behind_all_who_finished() -> None:
    seats = (
        SeatResult("A", PlayerVerdict.CRASHED, 1, 0),
        SeatResult("B", PlayerVerdict.FINISHED, 3, 10),
        SeatResult("C", PlayerVerdict.ILLEGAL, 2, 0),
    )
    ratings = rate("ABC", [placing(GameResult("g1", "b", 1, "large-hotel", 40, None, seats))])
    assert ratings["A"] == ratings["C"]
    assert ratings["A"].mu < 25 < ratings["B"].mu


def test_seed_is_the_only_chance() -> None:
    games = contests(30)
    assert rate("ABCDEF", games, 1) == rate("ABCDEF", games, 1)
    assert rate("ABCDEF", games, 1) != rate("ABCDEF", games, 2)


@pytest.mark.parametrize(
    ("games", "orders"),
    [(0, MOST_SHUFFLES), (100, MOST_SHUFFLES), (10_000, 8), (1_000_000, FEWEST_SHUFFLES)],
)
def test_many_games_are_shuffled_less_often(games: int, orders: int) -> None:
    assert shuffles(games) == orders
