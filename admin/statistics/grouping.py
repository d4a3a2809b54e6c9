"""Which players the games can tell apart, and the letters that say so."""

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from admin.statistics.bootstrap import CONFIDENCE, FEWEST_BLOCKS, quantile


def distinguish(
    observed: NDArray[np.float64], resampled: NDArray[np.float64], blocks: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for every two players whether the interval of their difference leaves out 0.

    ``observed`` are the means by player, ``resampled`` has a row of them for every resample, and
    ``blocks`` counts those that each player has games in.

    The intervals are simultaneous: in about 95 of 100 tournaments among equals nobody at all is
    told apart from anybody (somewhat fewer with under ten blocks). A resample's largest deviation
    among all pairs, each measured in the bootstrap's standard deviations of that pair, has a 95 %
    quantile; so many standard deviations wide are all intervals. Unlike dividing 5 % by the number
    of pairs, this makes use of how much the pairs have in common, and needs no quantiles of the
    bootstrap far out in its tails. As the standard deviations are estimates too, the intervals are
    widened as Student's are, by the blocks of the player who has fewer.

    Players with fewer blocks than an interval needs are told apart from nobody.
    """
    players = len(observed)
    apart = np.zeros((players, players), np.bool_)
    enough = np.flatnonzero(blocks >= FEWEST_BLOCKS)
    if len(enough) < 2:
        return apart
    largest = np.zeros(len(resampled))
    distances = []
    for at, one in enumerate(enough[:-1]):
        others = enough[at + 1 :]
        gaps = observed[others] - observed[one]
        deviations = resampled[:, others] - resampled[:, [one]] - gaps
        known = np.isfinite(deviations)  # a resample without one of the two says nothing
        deviations[~known] = 0.0
        spreads = _spreads(deviations, np.count_nonzero(known, axis=0))
        largest = np.maximum(largest, _in_spreads(np.abs(deviations), spreads).max(axis=1))
        distances.append(_in_spreads(np.abs(gaps), spreads))
    critical = quantile(np.sort(largest), CONFIDENCE)
    for at, one in enumerate(enough[:-1]):
        others = enough[at + 1 :]
        freedom = np.minimum(blocks[others], blocks[one]) - 1
        apart[one, others] = apart[others, one] = distances[at] > _widen(critical, freedom)
    return apart


def _spreads(deviations: NDArray[np.float64], known: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the root mean square of each column, of which so many are known.

    Running sums add in one order on every machine, which other sums do not.
    """
    squares = np.cumsum(deviations**2, axis=0)[-1]
    return np.asarray(np.sqrt(squares / np.maximum(known, 1)))


def _in_spreads(
    distances: NDArray[np.float64], spreads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Measure distances in spreads: where nothing ever varies, any distance is endless."""
    endless = np.where(distances > 0, np.inf, 0.0)
    return np.divide(distances, spreads, out=endless, where=spreads > 0)


def _widen(normal: float, freedom: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the quantile of Student's distribution for one of the normal distribution.

    The first terms of the Cornish-Fisher expansion (Abramowitz and Stegun, 26.7.5), and the
    standard deviation's own factor: the bootstrap divides by n, not by n - 1.
    """
    first = (normal**3 + normal) / 4
    second = (5 * normal**5 + 16 * normal**3 + 3 * normal) / 96
    student = normal + first / freedom + second / freedom**2
    return np.asarray(student * np.sqrt((freedom + 1) / freedom))


def group_letters(apart: NDArray[np.bool_]) -> list[str]:
    """Return each player's letters, where ``apart`` has the players in the order of the standings.

    A group is a run of players of whom no two are told apart, as long as can be; everybody is in
    at least one. Letters are written together, or with blanks between once there are two-letter
    ones (from the 27th group on).
    """
    runs: list[range] = []
    for first in range(len(apart)):
        run = range(first, _run_end(apart, first))
        if not runs or run.stop > runs[-1].stop:
            runs.append(run)
    blank = " " if len(runs) > len(ascii_lowercase) else ""
    return [
        blank.join(_letter(number) for number, run in enumerate(runs) if player in run)
        for player in range(len(apart))
    ]


def _run_end(apart: NDArray[np.bool_], first: int) -> int:
    """Return one past the last player of the longest run that begins with this one."""
    end = first + 1
    while end < len(apart) and not apart[end, first:end].any():
        end += 1
    return end


def _letter(number: int) -> str:
    """Return a to z, then aa, ab and on, as columns of a spreadsheet are named."""
    word = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        word = ascii_lowercase[digit] + word
    return word
