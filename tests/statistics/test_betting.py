from __future__ import annotations

from math import log, prod

import numpy as np
import pytest

from acquire.admin.studying.statistics.intervals import SHARES, interval

ERROR_RATE = 0.05


def after_each(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[tuple[float, float]]:
    """Return the interval after every value between 0 and 1."""
    return [
        interval(values[:size], np.ones(size), 0, 1, ERROR_RATE)
        for size in range(1, len(values) + 1)
    ]


@pytest.mark.parametrize("mean", [0.5, 0.1])
def test_few_runs_ever_have_an_interval_without_the_mean(mean: float) -> None:
    """Looked at after every value, so the rate of a usual interval would be several times higher.

    Coins have the largest variance there is between two bounds. `python -m bench.duels` draws many
    more, from real games.
    """
    chance = np.random.default_rng(5)
    runs = 20
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
