"""Means per game, and their standard errors, from sums over independent blocks of games.

Games of a block have the same players and perhaps the same bag, so they are not independent; blocks
are. How much each block pulls a mean to one side shows how much the mean would vary between
tournaments of the same kind.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class BlockMeans(NamedTuple):
    """Means by row (a player or a seat) and kind; ``blocks`` is in how many the row has a game.

    ``pulls`` has the axes block, row and kind: how far the block pulls the mean up or down. A row
    without a game has means of 0.
    """

    values: NDArray[np.float64]
    pulls: NDArray[np.float64]
    blocks: NDArray[np.int64]

    @property
    def errors(self) -> NDArray[np.float64]:
        """The standard errors, by row and kind; infinite with fewer than two blocks."""
        return standard_errors(self.pulls, self.blocks[:, np.newaxis])


def block_means(sums: NDArray[np.float64], units: tuple[int, ...]) -> BlockMeans:
    """Return means from sums with the axes block, row, and kind: games, then a sum for every unit.

    The sums are whole numbers. So what does not vary has pulls of exactly 0.
    """
    games, totals = sums[:, :, :1], sums.sum(axis=0)
    played = np.maximum(totals[:, :1], 1)
    scale = np.array(units, np.float64)
    pulls = (sums[:, :, 1:] * played - totals[:, 1:] * games) / (played * played * scale)
    blocks = np.count_nonzero(sums[:, :, 0], axis=0)
    return BlockMeans(totals[:, 1:] / (played * scale), pulls, np.asarray(blocks, np.int64))


def standard_errors(pulls: NDArray[np.float64], blocks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the standard error of means from their pulls, whose first axis is the block.

    A running sum adds in the same order on every machine, unlike other sums.
    """
    if not len(pulls):
        return np.full(pulls.shape[1:], np.inf)
    squares = np.cumsum(pulls**2, axis=0)[-1]
    factor = np.where(blocks > 1, blocks / np.maximum(blocks - 1, 1), np.inf)
    with np.errstate(invalid="ignore"):  # infinity times 0: a single block
        return np.asarray(np.nan_to_num(np.sqrt(squares * factor), nan=np.inf, posinf=np.inf))
