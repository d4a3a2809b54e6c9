"""Who is told apart from whom, and the letters for it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from admin.statistics.bootstrap import FEWEST_BLOCKS, means, resample
from admin.statistics.grouping import distinguish, group_letters


def told(points: NDArray[np.float64], seed: int = 0) -> NDArray[np.bool_]:
    """Tell players apart by their points: a row for every block, a game in each."""
    sums = np.stack([np.ones_like(points), points], axis=2)
    observed = means(sums.sum(axis=0), (1,))[:, 0]
    blocks = np.full(points.shape[1], len(points))
    return distinguish(observed, means(resample(sums, seed), (1,))[:, :, 0], blocks)


def parted(players: int, *pairs: str) -> NDArray[np.bool_]:
    """Return who is told apart, pairs by digits."""
    apart = np.zeros((players, players), np.bool_)
    for one, other in (map(int, pair) for pair in pairs):
        apart[one, other] = apart[other, one] = True
    return apart


LETTERS = {
    "nobody": (parted(0), []),
    "one alone": (parted(1), ["a"]),
    "all alike": (parted(3), ["a", "a", "a"]),
    "all apart": (parted(3, "01", "02", "12"), ["a", "b", "c"]),
    "overlapping": (parted(3, "02"), ["a", "ab", "b"]),
    "the first alone": (parted(3, "01", "02"), ["a", "b", "b"]),
    "one in three groups": (parted(5, "03", "04", "14"), ["a", "ab", "abc", "bc", "c"]),
    "the middle of a run apart": (parted(4, "12"), ["a", "a", "b", "b"]),
}


@pytest.mark.parametrize(("apart", "letters"), LETTERS.values(), ids=LETTERS.keys())
def test_groups_are_the_longest_runs_of_players_not_told_apart(
    apart: NDArray[np.bool_], letters: list[str]
) -> None:
    assert group_letters(apart) == letters


def test_letters_go_on_after_z() -> None:
    letters = group_letters(~np.eye(54, dtype=np.bool_))
    assert letters[25:28] == ["z", "aa", "ab"]
    assert letters[51:] == ["az", "ba", "bb"]


def test_letters_of_long_tables_have_blanks_between() -> None:
    apart = ~np.eye(30, dtype=np.bool_)
    apart[28, 29] = apart[29, 28] = apart[27, 28] = apart[28, 27] = False
    assert group_letters(apart)[27:] == ["ab", "ab ac", "ac"]


def test_equals_are_seldom_told_apart_however_many_they_are() -> None:
    chance = np.random.default_rng(8)
    wrong = sum(bool(told(chance.normal(0, 1, (40, 8)), seed).any()) for seed in range(100))
    assert 1 <= wrong <= 11  # 5 are due: single intervals would give about 40


def test_equals_are_seldom_told_apart_by_few_blocks() -> None:
    chance = np.random.default_rng(8)
    wrong = sum(bool(told(chance.normal(0, 1, (6, 3)), seed).any()) for seed in range(200))
    assert 2 <= wrong <= 24


def test_differences_are_found() -> None:
    strengths = np.array([0.0, 0.05, 1.0, 1.05])
    apart = told(np.random.default_rng(8).normal(strengths, 1, (100, 4)))
    assert (apart == parted(4, "02", "03", "12", "13")).all()


def test_what_never_varies_is_told_apart_by_any_difference() -> None:
    assert (told(np.tile([1.0, 2.0, 2.0], (10, 1))) == parted(3, "01", "02")).all()


def test_difference_in_common_luck_does_not_hide_the_difference_of_players() -> None:
    chance = np.random.default_rng(8)
    luck = chance.normal(0, 10, (30, 1))
    better = np.array([[0.0, 1.0]]) + chance.normal(0, 0.5, (30, 2))
    assert told(luck + better)[0, 1]


def test_players_with_too_few_blocks_are_told_apart_from_nobody() -> None:
    observed = np.array([0.0, 5.0, 9.0])
    resampled = np.random.default_rng(8).normal(observed, 0.1, (500, 3))
    blocks = np.array([50, FEWEST_BLOCKS - 1, 50])
    assert (distinguish(observed, resampled, blocks) == parted(3, "02")).all()


def test_resamples_without_a_player_say_nothing_of_it() -> None:
    observed = np.array([0.0, 1.0])
    resampled = np.random.default_rng(8).normal(observed, 0.1, (500, 2))
    resampled[::50, 0] = np.nan
    assert distinguish(observed, resampled, np.array([9, 9]))[0, 1]
