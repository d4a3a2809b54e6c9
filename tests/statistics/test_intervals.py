"""Student's distribution against tables; intervals and groups in simulated tournaments."""

from math import log, prod

import numpy as np
import pytest
from loops import for_each

from acquire.admin.studying.statistics.intervals import (
    SHARES,
    critical_distance,
    interval,
    probability_within,
)
from bench.coverage import FIELDS, Field, measure

ALLOWED = 0.05
TABLE = [
    (0.95, 1, 12.7062),
    (0.95, 2, 4.3027),
    (0.95, 3, 3.1824),
    (0.95, 4, 2.7764),
    (0.95, 9, 2.2622),
    (0.95, 30, 2.0423),
    (0.99, 1, 63.6567),
    (0.99, 5, 4.0321),
    (0.99, 120, 2.6174),
    (0.999, 4, 8.6103),
    (0.999, 17, 3.9651),
    (0.5, 8, 0.7064),
]


@for_each(("confidence", "freedom", "distance"), TABLE)
def test_critical_distances_are_those_of_the_tables(
    confidence: float, freedom: int, distance: float
) -> None:
    assert critical_distance(confidence, freedom) == pytest.approx(distance, abs=5e-5)
    assert probability_within(distance, freedom) == pytest.approx(confidence, abs=5e-5)


def test_many_degrees_of_freedom_are_those_of_the_normal_distribution() -> None:
    assert critical_distance(0.95, 10**6) == pytest.approx(1.95996, rel=2e-3)


@pytest.mark.parametrize("field", FIELDS, ids=[field.name for field in FIELDS])
def test_intervals_miss_and_groups_err_in_at_most_5_of_100_tournaments(
    field: Field, soak: bool
) -> None:
    tournaments = 1000 if soak else 60
    for blocks in (5, 20) if soak else (5,):
        found = measure(field, blocks, tournaments, np.random.default_rng(4))
        error = (ALLOWED * (1 - ALLOWED) / tournaments) ** 0.5
        assert found.missed < ALLOWED + 4 * error, found
        assert found.wrong is None or found.wrong < ALLOWED + 4 * error, found
        assert found.without < 0.95, found


# -- intervals that hold at all times at once ------------------------------------------------------

ERROR_RATE = 0.05


def after_each(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[tuple[float, float]]:
    """Return the interval after every value between 0 and 1."""
    return [
        interval(values[:size], np.ones(size), 0, 1, ERROR_RATE)
        for size in range(1, len(values) + 1)
    ]


@pytest.mark.parametrize("mean", [0.1, pytest.param(0.5, marks=pytest.mark.soak)])
def test_few_runs_ever_have_an_interval_without_the_mean(mean: float) -> None:
    """Looked at after every value, so the rate of a usual interval would be several times higher.

    Coins have the largest variance there is between two bounds. `python -m bench.duels` draws many
    more, from real games.
    """
    chance = np.random.default_rng(5)
    runs = 10
    missed = sum(
        any(not low <= mean <= high for low, high in after_each(values))
        for values in (chance.random((runs, 20)) < mean).astype(np.float64)
    )
    assert missed <= ERROR_RATE * runs


def test_a_mean_is_refuted_when_the_capital_has_grown_enough() -> None:
    values = [0.9, 0.4, 0.8, 0.7, 1.0, 0.9, 0.6, 0.8]

    def capital(mean: float) -> float:
        every = [prod(1 - share + share * value / mean for value in values) for share in SHARES]
        return float(sum(every) / len(every))

    low, high = interval(np.array(values), np.ones(len(values)), 0, 1, ERROR_RATE)
    assert log(capital(low)) == pytest.approx(log(2 / ERROR_RATE), abs=1e-6)
    assert log(capital(low + 0.01)) < log(2 / ERROR_RATE)
    assert low < 0.7625 < high < 1


def test_bounds_are_mirrored_with_the_values() -> None:
    values, counts = np.array([-2.0, 0.5, 1.5]), np.array([1.0, 4.0, 30.0])
    low, high = interval(values, counts, -2, 3, ERROR_RATE)
    mirrored = interval(-values, counts, -3, 2, ERROR_RATE)
    assert mirrored == pytest.approx((-high, -low))
    assert -2 < low < values @ counts / 35 < high < 3


def test_counts_are_repeated_values() -> None:
    repeated = interval(np.array([0.2, 0.2, 0.2, 0.9]), np.ones(4), 0, 1, ERROR_RATE)
    counted = interval(np.array([0.2, 0.9]), np.array([3.0, 1.0]), 0, 1, ERROR_RATE)
    assert counted == pytest.approx(repeated)


def test_interval_without_values_is_everything() -> None:
    nothing = np.array([], np.float64)
    assert interval(nothing, nothing, -2.5, 2.5, ERROR_RATE) == pytest.approx((-2.5, 2.5))


def test_interval_is_narrow_where_values_hardly_vary() -> None:
    values = np.array([0.48, 0.52])
    low, high = interval(values, np.array([100.0, 100.0]), 0, 1, ERROR_RATE)
    coins = interval(np.array([0.0, 1.0]), np.array([100.0, 100.0]), 0, 1, ERROR_RATE)
    assert high - low < (coins.high - coins.low) / 4
