"""Which players differ significantly, and the letters for it."""

import numpy as np
from numpy.typing import NDArray

from admin.statistics.bootstrap import MIN_BLOCKS, means, resample
from admin.statistics.grouping import distinguish, group_letters


def distinct(points: NDArray[np.float64], seed: int = 0) -> NDArray[np.bool_]:
    """Distinguish players by their points in each block (row), with one game per block."""
    sums = np.stack([np.ones_like(points), points], axis=2)
    observed = means(sums.sum(axis=0), (1,))[:, 0]
    blocks = np.full(points.shape[1], len(points))
    return distinguish(observed, means(resample(sums, seed), (1,))[:, :, 0], blocks)


def matrix(players: int, *pairs: str) -> NDArray[np.bool_]:
    """Return a matrix of pairs; each pair is two digits."""
    found = np.zeros((players, players), np.bool_)
    for one, other in (map(int, pair) for pair in pairs):
        found[one, other] = found[other, one] = True
    return found


LETTERS = {
    "no players": (matrix(0), []),
    "one player": (matrix(1), ["a"]),
    "no differences": (matrix(3), ["a", "a", "a"]),
    "all different": (matrix(3, "01", "02", "12"), ["a", "b", "c"]),
    "overlapping": (matrix(3, "02"), ["a", "ab", "b"]),
    "the first different": (matrix(3, "01", "02"), ["a", "b", "b"]),
    "one in three groups": (matrix(5, "03", "04", "14"), ["a", "ab", "abc", "bc", "c"]),
    "a difference in the middle": (matrix(4, "12"), ["a", "a", "b", "b"]),
}


def test_groups_are_the_longest_runs_of_players_that_do_not_differ() -> None:
    found = {name: group_letters(pairs) for name, (pairs, _) in LETTERS.items()}
    assert found == {name: letters for name, (_, letters) in LETTERS.items()}


def test_letters_after_z_are_pairs() -> None:
    letters = group_letters(~np.eye(54, dtype=np.bool_))
    assert letters[25:28] == ["z", "aa", "ab"]
    assert letters[51:] == ["az", "ba", "bb"]


def test_letters_are_separated_by_blanks_if_some_are_pairs() -> None:
    apart = ~np.eye(30, dtype=np.bool_)
    apart[28, 29] = apart[29, 28] = apart[27, 28] = apart[28, 27] = False
    assert group_letters(apart)[27:] == ["ab", "ab ac", "ac"]


def test_equal_players_are_rarely_separated_however_many_there_are() -> None:
    chance = np.random.default_rng(8)
    wrong = sum(bool(distinct(chance.normal(0, 1, (40, 8)), seed).any()) for seed in range(100))
    assert 1 <= wrong <= 11  # 5 are expected; separate intervals would give about 40


def test_equal_players_are_rarely_separated_by_few_blocks() -> None:
    chance = np.random.default_rng(8)
    wrong = sum(bool(distinct(chance.normal(0, 1, (6, 3)), seed).any()) for seed in range(200))
    assert 2 <= wrong <= 24


def test_different_players_are_separated() -> None:
    strengths = np.array([0.0, 0.05, 1.0, 1.05])
    found = distinct(np.random.default_rng(8).normal(strengths, 1, (100, 4)))
    assert (found == matrix(4, "02", "03", "12", "13")).all()


def test_without_variation_any_difference_separates() -> None:
    assert (distinct(np.tile([1.0, 2.0, 2.0], (10, 1))) == matrix(3, "01", "02")).all()


def test_luck_that_players_share_does_not_hide_a_difference() -> None:
    chance = np.random.default_rng(8)
    luck = chance.normal(0, 10, (30, 1))
    better = np.array([[0.0, 1.0]]) + chance.normal(0, 0.5, (30, 2))
    assert distinct(luck + better)[0, 1]


def test_players_with_too_few_blocks_are_not_separated() -> None:
    observed = np.array([0.0, 5.0, 9.0])
    resampled = np.random.default_rng(8).normal(observed, 0.1, (500, 3))
    blocks = np.array([50, MIN_BLOCKS - 1, 50])
    assert (distinguish(observed, resampled, blocks) == matrix(3, "02")).all()


def test_resamples_without_a_player_are_ignored() -> None:
    observed = np.array([0.0, 1.0])
    resampled = np.random.default_rng(8).normal(observed, 0.1, (500, 2))
    resampled[::50, 0] = np.nan
    assert distinguish(observed, resampled, np.array([9, 9]))[0, 1]
