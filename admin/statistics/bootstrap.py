"""Confidence intervals of means, by bootstrap over whole blocks.

Games of a block have the same players and the same bag, so they are not independent; blocks are.
Each resample draws as many blocks as there are, with replacement, and so stands for another
tournament of the same kind.
"""

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
CONFIDENCE = 0.95
INTERVAL = f"{100 * CONFIDENCE:g} % interval"
"""What an interval is called in tables and reports."""
MIN_BLOCKS = 5
"""With fewer blocks there are too few different resamples for an interval."""
MAX_DRAWS = 500_000
"""Draws that are held in memory at once: a few megabytes."""
HALF_WORD = np.uint64(32)


def resample(sums: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the sums over each resample; the first axis of ``sums`` is the block.

    Whole numbers below 2**53 in ``sums`` give exact results. The draws depend only on ``seed`` and
    on the number of blocks.
    """
    blocks, shape = len(sums), sums.shape[1:]
    flat = sums.reshape(blocks, -1) if blocks else np.zeros((0, int(np.prod(shape))))
    bits = np.random.PCG64(seed)
    step = max(1, MAX_DRAWS // max(1, blocks))
    parts = [
        _counts(bits, min(step, RESAMPLES - first), blocks) @ flat
        for first in range(0, RESAMPLES, step)
    ]
    return np.concatenate(parts).reshape(RESAMPLES, *shape)


def _counts(bits: np.random.PCG64, rows: int, blocks: int) -> NDArray[np.float64]:
    """Return how often each block (column) is drawn in each of some resamples (rows).

    The raw words of the generator are scaled here, because numpy guarantees that those are the same
    in all versions, but not the numbers that it derives from them.
    """
    words = np.asarray(bits.random_raw(rows * blocks), np.uint64) >> HALF_WORD
    drawn = ((words * np.uint64(blocks)) >> HALF_WORD).astype(np.int64)
    drawn += np.repeat(np.arange(rows) * blocks, blocks)
    counts = np.bincount(drawn, minlength=rows * blocks)
    return counts.reshape(rows, blocks).astype(np.float64)


def means(sums: NDArray[np.float64], units: tuple[int, ...]) -> NDArray[np.float64]:
    """Return averages per game from sums, whose last axis is games and then one sum per unit.

    Not a number where there is no game.
    """
    with np.errstate(invalid="ignore"):
        return sums[..., 1:] / (sums[..., :1] * np.array(units, np.float64))


def percentile_interval(resampled: NDArray[np.float64]) -> tuple[float, float]:
    """Return the bounds of the middle ``CONFIDENCE`` of the resamples that have a game.

    ``ValueError`` if none has.
    """
    known = np.sort(resampled[~np.isnan(resampled)])
    if not len(known):
        raise ValueError("No resample has a game of this player.")
    tail = (1 - CONFIDENCE) / 2
    return quantile(known, tail), quantile(known, 1 - tail)


def quantile(ordered: NDArray[np.float64], share: float) -> float:
    """Return the value below which this share of ordered values lies, interpolated linearly."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low + (high - low) * (place - below)
