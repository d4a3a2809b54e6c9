"""Which players differ significantly, and the letters that show it (a compact letter display)."""

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from admin.statistics.bootstrap import CONFIDENCE, MIN_BLOCKS, quantile


def distinguish(
    observed: NDArray[np.float64], resampled: NDArray[np.float64], blocks: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return, for every two players, whether the interval of their difference excludes 0.

    ``observed`` are the means by player, ``resampled`` has a row of means for every resample, and
    ``blocks`` is the number of blocks in which each player has a game.

    The intervals are simultaneous: in about 95 of 100 tournaments among equals no two players are
    separated (in somewhat fewer with under ten blocks). In each resample the deviation of every
    pair is measured in that pair's bootstrap standard deviations; the 95 % quantile of the largest
    one is the half-width of all intervals. Unlike dividing 5 % by the number of pairs, this uses
    what the pairs have in common, and needs no extreme quantiles of the bootstrap. Since the
    standard deviations are estimates too, the intervals are widened like Student's, by the blocks
    of the player who has fewer.

    A player with fewer blocks than an interval needs is separated from no other.
    """
    players = len(observed)
    distinct = np.zeros((players, players), np.bool_)
    enough = np.flatnonzero(blocks >= MIN_BLOCKS)
    if len(enough) < 2:
        return distinct
    largest = np.zeros(len(resampled))
    distances = []
    for at, one in enumerate(enough[:-1]):
        others = enough[at + 1 :]
        gaps = observed[others] - observed[one]
        deviations = resampled[:, others] - resampled[:, [one]] - gaps
        known = np.isfinite(deviations)  # one of the two has no game in the resample
        deviations[~known] = 0.0
        spreads = _spreads(deviations, np.count_nonzero(known, axis=0))
        largest = np.maximum(largest, _in_spreads(np.abs(deviations), spreads).max(axis=1))
        distances.append(_in_spreads(np.abs(gaps), spreads))
    critical = quantile(np.sort(largest), CONFIDENCE)
    for at, one in enumerate(enough[:-1]):
        others = enough[at + 1 :]
        freedom = np.minimum(blocks[others], blocks[one]) - 1
        distinct[one, others] = distinct[others, one] = distances[at] > _widen(critical, freedom)
    return distinct


def _spreads(deviations: NDArray[np.float64], known: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the root mean square of each column over its known values.

    A running sum adds in the same order on every machine, unlike other sums.
    """
    squares = np.cumsum(deviations**2, axis=0)[-1]
    return np.asarray(np.sqrt(squares / np.maximum(known, 1)))


def _in_spreads(
    distances: NDArray[np.float64], spreads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Measure distances in spreads; where nothing varies, every distance is infinite."""
    infinite = np.where(distances > 0, np.inf, 0.0)
    return np.divide(distances, spreads, out=infinite, where=spreads > 0)


def _widen(normal: float, freedom: NDArray[np.int64]) -> NDArray[np.float64]:
    """Convert a quantile of the normal distribution to one of Student's distribution.

    These are the first terms of the Cornish-Fisher expansion (Abramowitz and Stegun, 26.7.5), times
    a factor for the standard deviation: the bootstrap divides by n, not by n - 1.
    """
    first = (normal**3 + normal) / 4
    second = (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
    student = normal + first / freedom + second / freedom**2
    return np.asarray(student * np.sqrt((freedom + 1) / freedom))


def group_letters(distinct: NDArray[np.bool_]) -> list[str]:
    """Return each player's letters; ``distinct`` has the players in the order of the standings.

    A group is a maximal run of players of whom no two are distinct; every player is in at least
    one. The letters of a player are written together, or separated by blanks if there are groups
    of two letters (from the 27th on).
    """
    runs: list[range] = []
    for first in range(len(distinct)):
        run = range(first, _run_end(distinct, first))
        if not runs or run.stop > runs[-1].stop:
            runs.append(run)
    blank = " " if len(runs) > len(ascii_lowercase) else ""
    return [
        blank.join(_letter(number) for number, run in enumerate(runs) if player in run)
        for player in range(len(distinct))
    ]


def _run_end(distinct: NDArray[np.bool_], first: int) -> int:
    """Return one past the last player of the longest run that begins with this player."""
    end = first + 1
    while end < len(distinct) and not distinct[end, first:end].any():
        end += 1
    return end


def _letter(number: int) -> str:
    """Return a to z, then aa, ab and so on, like the columns of a spreadsheet."""
    word = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        word = ascii_lowercase[digit] + word
    return word
