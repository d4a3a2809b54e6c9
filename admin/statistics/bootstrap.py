"""How far chance alone may have moved a mean: the bootstrap over whole blocks.

The games of a block share players and bag, so that they are no independent witnesses; blocks are.
As many blocks as there are get drawn with replacement, and what comes out is what another
tournament of the same kind might have given.
"""

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
CONFIDENCE = 0.95
FEWEST_BLOCKS = 5
"""With fewer blocks there are too few different resamples to read an interval from."""
CELLS = 500_000
"""How many draws are held at once: some megabytes."""
HALF_WORD = np.uint64(32)


def resample(sums: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the sums over each resample, where ``sums`` holds those of each block.

    Whole numbers below 2**53 in ``sums`` give exact results. The draws hang on ``seed`` and the
    number of blocks alone.
    """
    blocks, shape = len(sums), sums.shape[1:]
    flat = sums.reshape(blocks, -1) if blocks else np.zeros((0, int(np.prod(shape))))
    bits = np.random.PCG64(seed)
    step = max(1, CELLS // max(1, blocks))
    parts = [
        _counts(bits, min(step, RESAMPLES - first), blocks) @ flat
        for first in range(0, RESAMPLES, step)
    ]
    return np.concatenate(parts).reshape(RESAMPLES, *shape)


def _counts(bits: np.random.PCG64, rows: int, blocks: int) -> NDArray[np.float64]:
    """Draw, for some resamples, how often each block is in it.

    Raw words of the generator are scaled here because numpy promises to keep those the same in
    all its versions, and not the numbers that it makes of them.
    """
    words = np.asarray(bits.random_raw(rows * blocks), np.uint64) >> HALF_WORD
    drawn = ((words * np.uint64(blocks)) >> HALF_WORD).astype(np.int64)
    drawn += np.repeat(np.arange(rows) * blocks, blocks)
    counts = np.bincount(drawn, minlength=rows * blocks)
    return counts.reshape(rows, blocks).astype(np.float64)


def means(sums: NDArray[np.float64], units: tuple[int, ...]) -> NDArray[np.float64]:
    """Divide sums (the last axis: games, then one for each unit) into means a game.

    Not a number where there is no game.
    """
    with np.errstate(invalid="ignore"):
        return sums[..., 1:] / (sums[..., :1] * np.array(units, np.float64))


def percentile_interval(resampled: NDArray[np.float64]) -> tuple[float, float]:
    """Return between which values the middle 95 % of the resamples lie, those without games apart.

    ``ValueError`` where none has a game.
    """
    known = np.sort(resampled[~np.isnan(resampled)])
    if not len(known):
        raise ValueError("No resample has a game of this player.")
    tail = (1 - CONFIDENCE) / 2
    return quantile(known, tail), quantile(known, 1 - tail)


def quantile(ordered: NDArray[np.float64], share: float) -> float:
    """Return the value below which this share of the ordered values lies, interpolated linearly."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[above])
    return low + (high - low) * (place - below)
