"""Which players differ significantly, and the letters that show it (a compact letter display)."""

from bisect import bisect_left
from itertools import combinations
from math import sqrt
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .intervals import (
    CONFIDENCE,
    MIN_BLOCKS,
    Floats,
    Ints,
    critical_distance,
    probability_within,
    standard_errors,
)

MAX_GROWTH = 100
"""More than so many times the blocks played are not worth a forecast."""


class Comparison(NamedTuple):
    """All pairs of players, as symmetric matrices: the difference of their means, and its error.

    ``distinct`` is whether the difference is significant, ``blocks`` the smaller number of blocks.
    """

    distinct: NDArray[np.bool_]
    gaps: Floats
    errors: Floats
    blocks: Ints

    def more_blocks(self, one: int, other: int) -> int | None:
        """Return how many more blocks would separate two players whose difference stays.

        ``None`` if that needs more than ``MAX_GROWTH`` times the blocks played.
        """
        played, gap = int(self.blocks[one, other]), float(self.gaps[one, other])
        comparable = np.triu((self.blocks >= MIN_BLOCKS) & ~self.distinct, 1)
        confidence = 1 - (1 - CONFIDENCE) / max(1, int(np.count_nonzero(comparable)))
        error = float(self.errors[one, other])

        def separate(blocks: int) -> bool:
            return gap > critical_distance(confidence, blocks - 1) * error * sqrt(played / blocks)

        enough = bisect_left(range(MAX_GROWTH * played + 1), True, lo=played + 1, key=separate)
        return enough - played if enough <= MAX_GROWTH * played else None


def compare(values: Floats, pulls: Floats, blocks: Ints) -> Comparison:
    """Compare every two players by their means, the blocks' pulls on them, and their blocks.

    Each difference is tested by Student's distribution over blocks, with the blocks of the player
    who has fewer, and Holm's method decides: the smallest of n probabilities has to be below
    5 % / n, the next one below 5 % / (n - 1), and so on. So in at most 5 of 100 tournaments any two
    equal players are separated, however many players there are, and whatever they have in common.

    A player with fewer blocks than an interval needs is separated from no other.
    """
    players = len(values)
    gaps = np.abs(values[:, np.newaxis] - values)
    least = np.minimum(blocks[:, np.newaxis], blocks)
    errors = np.zeros((players, players))
    for one in range(players):
        errors[one] = standard_errors(pulls - pulls[:, [one]], least[one])
    distinct = np.zeros((players, players), np.bool_)
    tests = sorted(
        (_chance(float(gaps[one, other]), float(errors[one, other]), int(least[one, other])), pair)
        for pair in combinations(range(players), 2)
        for one, other in [pair]
        if least[one, other] >= MIN_BLOCKS
    )
    for number, (chance, (one, other)) in enumerate(tests):
        if chance * (len(tests) - number) > 1 - CONFIDENCE:
            break
        distinct[one, other] = distinct[other, one] = True
    return Comparison(distinct, gaps, errors, least)


def _chance(gap: float, error: float, blocks: int) -> float:
    """Return how likely so large a difference is between equal players."""
    if not error:
        return float(not gap)
    return 1 - probability_within(gap / error, blocks - 1)


def group_letters(distinct: NDArray[np.bool_]) -> list[str]:
    """Return each player's letters; ``distinct`` has the players in the order of the standings.

    A group is a maximal run of players of whom no two are distinct; every player is in at least
    one. The letters of a player are written together, or separated by blanks if there are groups
    of two letters (from the 27th on).
    """
    runs: list[range] = []
    for first in range(len(distinct)):
        end = first + 1
        while end < len(distinct) and not distinct[end, first:end].any():
            end += 1
        if not runs or end > runs[-1].stop:
            runs.append(range(first, end))
    blank = " " if len(runs) > len(ascii_lowercase) else ""
    return [
        blank.join(_letter(number) for number, run in enumerate(runs) if player in run)
        for player in range(len(distinct))
    ]


def _letter(number: int) -> str:
    """Return a to z, then aa, ab and so on, like the columns of a spreadsheet."""
    word = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        word = ascii_lowercase[digit] + word
    return word
