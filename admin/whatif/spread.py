"""What the games of a variant come to: mean, quartiles, wins, and all of it beside another's.

As in a tournament, ties share a win, and a player who was ejected has no money and no win. A game
is a block of the bootstrap: two variants play it with the same deal, so their difference is taken
game by game.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from admin.statistics.bootstrap import FEWEST_BLOCKS, means, percentile_interval, quantile, resample
from admin.statistics.estimate import Estimate
from admin.whatif.playing import WIN, Played

DIGITS = 4
"""Decimals of what is estimated."""
QUARTERS = (0.25, 0.5, 0.75)


class Ahead(NamedTuple):
    """By how much a variant is ahead of another over the games that both played.

    ``score`` is in dollars a game, ``wins`` in wins a game.
    """

    games: int
    score: Estimate
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Spread:
    """The games of one variant: scores in dollars, wins as a share of the games.

    ``quartiles`` are the lower one, the median and the upper one. ``lost`` counts the games that
    were not finished by reason, ``amended`` those in which the recorded move was not made to its
    end. ``ahead`` is ``None`` for what all others are compared with.
    """

    scores: tuple[int, ...]
    mean: Estimate
    quartiles: tuple[float, float, float]
    wins: Estimate
    lost: dict[str, int]
    amended: int
    ahead: Ahead | None

    @property
    def median(self) -> float:
        """What half of the games came to at least."""
        return self.quartiles[1]


def spread(games: Sequence[Played], first: Sequence[Played] | None, seed: int) -> Spread:
    """Return what one game or more come to, beside those of ``first`` where there are any."""
    scores = tuple(game.score for game in games)
    mean, wins = _estimates([(game.score, game.win) for game in games], seed)
    ordered = np.sort(np.array(scores, np.float64))
    lower, median, upper = (quantile(ordered, share) for share in QUARTERS)
    return Spread(
        scores,
        mean,
        (lower, median, upper),
        wins,
        dict(sorted(Counter(game.lost for game in games if game.lost).items())),
        sum(game.amended for game in games),
        _ahead(games, first, seed) if first else None,
    )


def _ahead(games: Sequence[Played], first: Sequence[Played], seed: int) -> Ahead:
    pairs = list(zip(games, first, strict=False))
    differences = [(one.score - other.score, one.win - other.win) for one, other in pairs]
    return Ahead(len(pairs), *_estimates(differences, seed))


def _estimates(rows: Sequence[tuple[int, int]], seed: int) -> tuple[Estimate, Estimate]:
    """Return the means of dollars, and of wins in units, with their intervals."""
    sums = np.array([(1, *row) for row in rows], np.float64)
    units = (1, WIN)
    observed = means(sums.sum(axis=0), units)
    if len(rows) < FEWEST_BLOCKS:
        money, wins = (Estimate(round(float(value), DIGITS)) for value in observed)
        return money, wins
    resampled = means(resample(sums, seed), units)
    money, wins = (
        Estimate(
            round(float(observed[at]), DIGITS),
            *(round(bound, DIGITS) for bound in percentile_interval(resampled[:, at])),
        )
        for at in range(len(units))
    )
    return money, wins
