"""What games come to: means, quartiles, wins, and differences game by game."""

from __future__ import annotations

import pytest

from acquire.admin.studying.statistics.estimate import Estimate
from acquire.admin.studying.whatif.single_game import WIN, SeatOutcome
from acquire.admin.studying.whatif.spread import spread_of

FIVE = [
    SeatOutcome(10, 0),
    SeatOutcome(50, WIN),
    SeatOutcome(30, WIN // 2),
    SeatOutcome(20, 0),
    SeatOutcome(40, WIN),
]


def test_mean_quartiles_and_wins_of_five_games() -> None:
    found = spread_of(FIVE, None)
    assert found.scores == (10, 50, 30, 20, 40)
    assert found.quartiles == (20, 30, 40)
    assert found.mean.value == 30 and found.wins.value == 0.5
    assert found.mean.low is not None and found.mean.high is not None
    assert 10 < found.mean.low < 30 < found.mean.high < 50
    assert found.difference is None and not found.lost and not found.amended


def test_quartiles_between_two_scores_are_interpolated() -> None:
    found = spread_of([SeatOutcome(0, 0), SeatOutcome(10, 0)], None)
    assert found.quartiles == (2.5, 5, 7.5)


def test_with_few_games_there_is_no_interval() -> None:
    found = spread_of(FIVE[:4], FIVE[:4])
    assert found.mean == Estimate(27.5) and found.wins == Estimate(0.375)
    assert found.difference is not None and found.difference.score == Estimate(0)


def test_difference_is_taken_game_by_game() -> None:
    """However far the games are apart, what they differ by is certain if it is always the same."""
    better = [SeatOutcome(game.score + 7, WIN) for game in FIVE]
    ahead = spread_of(better, FIVE).difference
    assert ahead is not None and ahead.games == 5
    assert ahead.score == Estimate(7, 7, 7)
    assert ahead.wins.value == 0.5


def test_difference_is_over_the_games_that_both_played() -> None:
    ahead = spread_of(FIVE[:2], FIVE[1:]).difference
    assert ahead is not None
    assert ahead.games == 2 and ahead.score == Estimate((10 - 50 + 50 - 30) / 2)


def test_interval_is_near_that_of_the_normal_distribution() -> None:
    games = [SeatOutcome(score, 0) for score in range(1, 401)]
    mean = spread_of(games, None).mean
    error = 1.96 * (400**2 / 12 / 400) ** 0.5
    assert mean.low == pytest.approx(200.5 - error, abs=1.5)
    assert mean.high == pytest.approx(200.5 + error, abs=1.5)


def test_games_not_finished_are_counted_by_reason_and_score_nothing() -> None:
    lost = [
        SeatOutcome(0, 0, "timed-out"),
        SeatOutcome(0, 0, "absent"),
        SeatOutcome(0, 0, "timed-out"),
    ]
    found = spread_of([*FIVE, *lost, SeatOutcome(30, 0, amended=True)], None)
    assert found.lost == {"absent": 1, "timed-out": 2}
    assert found.amended == 1
    assert found.mean.value == 20


def test_same_games_give_the_same_interval() -> None:
    assert spread_of(FIVE, None) == spread_of(FIVE, None)
    assert spread_of(FIVE, None).mean != spread_of(FIVE * 2, None).mean
