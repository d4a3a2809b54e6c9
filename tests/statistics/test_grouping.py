"""Which players differ significantly, and the letters for it."""

import numpy as np
from numpy.typing import NDArray

from acquire.admin.studying.statistics.intervals import (
    MIN_BLOCKS,
    Comparison,
    block_means,
    compare,
    group_letters,
)


def comparison(points: NDArray[np.float64], played: NDArray[np.bool_] | None = None) -> Comparison:
    """Compare players by their points in each block (row), with one game per block.

    A player that has not ``played`` in a block sat out.
    """
    games = np.ones_like(points) if played is None else played.astype(np.float64)
    means = block_means(np.stack([games, points * games], axis=2), (1,))
    return compare(means.values[:, 0], means.pulls[:, :, 0], means.blocks)


def distinct(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which players differ."""
    return comparison(points).distinct


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
    "a difference in the middle": (matrix(4, "12"), ["ab", "a", "b", "ab"]),
    "close to the first, but behind one who is not": (matrix(3, "01"), ["a", "b", "ab"]),
}


def test_groups_are_of_players_that_do_not_differ() -> None:
    found = {name: group_letters(pairs) for name, (pairs, _) in LETTERS.items()}
    assert found == {name: letters for name, (_, letters) in LETTERS.items()}


def test_two_players_share_a_letter_exactly_if_they_do_not_differ() -> None:
    chance = np.random.default_rng(8)
    for share in (0.1, 0.5, 0.9):
        apart = np.triu(chance.random((7, 7)) < share, 1)
        apart |= apart.T
        letters = [{*own} for own in group_letters(apart)]
        shared = [[bool(one & other) for other in letters] for one in letters]
        assert (np.array(shared) == ~apart).all()


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
    wrong = sum(bool(distinct(chance.normal(0, 1, (40, 8))).any()) for _ in range(100))
    assert 1 <= wrong <= 11  # 5 are expected; separate intervals would give about 40


def test_equal_players_are_rarely_separated_by_few_blocks() -> None:
    chance = np.random.default_rng(8)
    wrong = sum(bool(distinct(chance.normal(0, 1, (5, 3))).any()) for _ in range(300))
    assert 3 <= wrong <= 27


def test_equal_players_are_rarely_separated_when_others_are_far_away() -> None:
    chance = np.random.default_rng(8)
    strengths = np.array([0.0, 0.0, 9.0, 9.0])
    found = [distinct(chance.normal(strengths, 1, (12, 4))) for _ in range(200)]
    assert 2 <= sum(bool(each[0, 1] or each[2, 3]) for each in found) <= 21
    assert all(each[:2, 2:].all() for each in found)


def test_different_players_are_separated() -> None:
    strengths = np.array([0.0, 0.05, 1.0, 1.05])
    found = distinct(np.random.default_rng(8).normal(strengths, 1, (100, 4)))
    assert (found == matrix(4, "02", "03", "12", "13")).all()


def test_clear_differences_make_room_for_others() -> None:
    """Of six pairs, the last ones need not be as unlikely as the first (Holm's method)."""
    chance = np.random.default_rng(3)
    close = chance.normal(0, 1, (20, 1))
    close += 2.8 / 20**0.5 * close.std(ddof=1) - close.mean()  # t = 2.8: once in 90 times
    points = np.hstack([np.zeros((20, 1)), close, np.full((20, 1), 50.0), np.full((20, 1), 90.0)])
    assert distinct(points)[0, 1]
    assert not distinct(np.hstack([points[:, :2], points[:, :1], points[:, :1]]))[0, 1]


def test_without_variation_any_difference_separates() -> None:
    assert (distinct(np.tile([1.0, 2.0, 2.0], (10, 1))) == matrix(3, "01", "02")).all()


def test_luck_that_players_share_does_not_hide_a_difference() -> None:
    chance = np.random.default_rng(8)
    luck = chance.normal(0, 10, (30, 1))
    better = np.array([[0.0, 1.0]]) + chance.normal(0, 0.5, (30, 2))
    assert distinct(luck + better)[0, 1]


def test_players_with_too_few_blocks_are_not_separated() -> None:
    played = np.ones((50, 3), np.bool_)
    played[MIN_BLOCKS - 1 :, 1] = False
    points = np.random.default_rng(8).normal([0.0, 5.0, 9.0], 0.1, (50, 3))
    assert (comparison(points, played).distinct == matrix(3, "02")).all()
    played[MIN_BLOCKS - 1, 1] = True
    assert comparison(points, played).distinct.sum() == 6


def test_players_are_compared_by_the_blocks_of_the_one_who_has_fewer() -> None:
    played = np.ones((40, 2), np.bool_)
    played[5:, 1] = False
    assert comparison(np.ones((40, 2)), played).blocks.tolist() == [[40, 5], [5, 5]]


def apart(blocks: int, gap: float) -> NDArray[np.float64]:
    """Return points of two players who differ by ``gap`` on average, and by 1 more or less."""
    return np.array([[gap + (-1) ** block, 0.0] for block in range(blocks)])


def test_so_many_more_blocks_separate_players() -> None:
    found = comparison(apart(12, 0.4))
    more = found.more_blocks(0, 1)
    assert not found.distinct[0, 1] and more is not None and 10 < more < 30
    assert distinct(apart(12 + more + more % 2 + 2, 0.4))[0, 1]
    assert not distinct(apart(12 + more + more % 2 - 4, 0.4))[0, 1]


def test_forecast_of_blocks_allows_for_all_comparisons() -> None:
    pair, crowd = apart(12, 0.4), np.hstack([apart(12, 0.4), apart(12, 0.2), apart(12, 0.1)])
    alone, among = comparison(pair).more_blocks(0, 1), comparison(crowd).more_blocks(0, 1)
    assert alone is not None and among is not None and among > 1.4 * alone


def test_more_than_100_times_the_blocks_are_not_forecast() -> None:
    assert comparison(apart(12, 0.001)).more_blocks(0, 1) is None
    assert comparison(apart(12, 0.1)).more_blocks(0, 1) is not None
    assert comparison(apart(12, 0.0)).more_blocks(0, 1) is None
