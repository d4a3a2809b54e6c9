"""Statistics of the games of a variant: mean, quartiles, wins, and differences to another variant.

As in a tournament, tied winners share a win, and an ejected player has no money and no win. A game
is a block of its own: two variants play it with the same deal, so their difference is taken
game by game.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..statistics.block_means import block_means
from ..statistics.estimate import Estimate
from ..statistics.intervals import IntervalKind, estimates
from .single_game import WIN, SeatOutcome

DIGITS = 4
"""Decimals of the estimates."""


class Difference(NamedTuple):
    """The mean difference to another variant, over the games that both played.

    ``score`` is in dollars per game, ``wins`` in wins per game.
    """

    games: int
    score: Estimate
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Spread:
    """The games of one variant: scores in dollars, wins as a share of the games.

    ``quartiles`` are the lower one, the median and the upper one. ``lost`` counts the games that
    were not finished, by reason; ``amended`` those in which part of the recorded move was illegal.
    ``difference`` is to the first variant, which itself has none.
    """

    scores: tuple[int, ...]
    mean: Estimate
    quartiles: tuple[float, float, float]
    wins: Estimate
    lost: dict[str, int]
    amended: int
    difference: Difference | None


def spread_of(games: Sequence[SeatOutcome], first: Sequence[SeatOutcome] | None) -> Spread:
    """Return the statistics of at least one game, compared with the games of ``first``."""
    scores = tuple(game.score for game in games)
    mean, wins = estimated([(game.score, game.win) for game in games], (0.0, 1.0))
    lower, median, upper = np.quantile(scores, (0.25, 0.5, 0.75)).tolist()
    return Spread(
        scores,
        mean,
        (lower, median, upper),
        wins,
        dict(sorted(Counter(game.lost for game in games if game.lost).items())),
        sum(game.amended for game in games),
        _difference(games, first) if first else None,
    )


def _difference(games: Sequence[SeatOutcome], first: Sequence[SeatOutcome]) -> Difference:
    pairs = list(zip(games, first, strict=False))
    differences = [(one.score - other.score, one.win - other.win) for one, other in pairs]
    return Difference(len(pairs), *estimated(differences, (-1.0, 1.0)))


def estimated(
    rows: Sequence[tuple[int, int]], bounds: tuple[float, float]
) -> tuple[Estimate, Estimate]:
    """Return the means of dollars, and of wins (given in units of ``WIN``), with their intervals.

    ``bounds`` are those of the wins in a game.
    """
    sums = np.array([[(1, *row)] for row in rows], np.float64)
    means = block_means(sums, (1, WIN))
    ((money, wins),) = estimates(
        sums, means, (IntervalKind(1, DIGITS), IntervalKind(WIN, DIGITS, bounds))
    )
    return money, wins
