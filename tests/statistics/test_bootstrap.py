"""The bootstrap over blocks: the draws, and the intervals from them."""

import math

import numpy as np
import pytest
from loops import for_each

from admin.statistics.bootstrap import (
    MAX_DRAWS,
    RESAMPLES,
    means,
    percentile_interval,
    quantile,
    resample,
)


@pytest.mark.parametrize("blocks", [1, 7, 3 * MAX_DRAWS // RESAMPLES])
def test_every_resample_has_the_original_number_of_blocks(blocks: int) -> None:
    drawn = resample(np.ones((blocks, 1)), 4)
    assert drawn.shape == (RESAMPLES, 1)
    assert set(drawn[:, 0].tolist()) == {float(blocks)}


def test_draws_never_change() -> None:
    sums = np.array([[1.0], [10.0], [100.0], [1_000.0], [10_000.0]])
    assert resample(sums, 0)[:3, 0].tolist() == [11012.0, 22100.0, 21002.0]


def test_all_blocks_are_drawn_equally_often() -> None:
    often = resample(np.eye(20), 9).sum(axis=0)
    assert often.sum() == RESAMPLES * 20
    assert np.abs(often - RESAMPLES).max() < 5 * math.sqrt(RESAMPLES)


def test_draws_depend_on_the_seed() -> None:
    sums = np.arange(30.0).reshape(30, 1)
    assert (resample(sums, 1) == resample(sums, 1)).all()
    assert (resample(sums, 1) != resample(sums, 2)).any()


def test_resampled_means_spread_like_the_standard_error() -> None:
    gained = np.random.default_rng(1).normal(10, 3, 400)
    sums = np.stack([np.ones(400), gained], axis=1)
    spread = means(resample(sums, 0), (1,))[:, 0].std()
    assert spread == pytest.approx(gained.std() / math.sqrt(400), rel=0.06)


def test_without_blocks_there_are_no_means() -> None:
    drawn = resample(np.zeros((0, 3, 2)), 0)
    assert drawn.shape == (RESAMPLES, 3, 2)
    assert np.isnan(means(drawn, (1,))).all()


def test_means_divide_by_games_and_units() -> None:
    assert means(np.array([[4.0, 30.0, 8.0]]), (5, 2)).tolist() == [[1.5, 1.0]]


def test_interval_ignores_resamples_without_a_game() -> None:
    values = np.array([math.nan, *range(41), math.nan], np.float64)
    assert percentile_interval(values) == pytest.approx((1.0, 39.0))


def test_interval_without_a_game_is_rejected() -> None:
    with pytest.raises(ValueError, match="No resample"):
        percentile_interval(np.array([math.nan]))


@for_each(("share", "value"), [(0.0, 1.0), (0.5, 3.0), (0.625, 4.0), (1.0, 9.0), (0.25, 2.0)])
def test_quantile_is_interpolated(share: float, value: float) -> None:
    assert quantile(np.array([1.0, 2.0, 3.0, 5.0, 9.0]), share) == value
