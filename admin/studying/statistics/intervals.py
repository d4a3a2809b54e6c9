"""Means, and their confidence intervals by Student's distribution over blocks of games.

Games of a block have the same players and perhaps the same bag, so they are not independent; blocks
are. How much each block pulls a mean to one side shows how much the mean would vary between
tournaments of the same kind. The percentile bootstrap was worse with few blocks, which is what
tournaments have, and no narrower with many.

Between two bounds, a mean is more uncertain towards the middle than towards the bound. So its
interval is symmetric on the scale of log-odds, and never reaches beyond a bound. How often
intervals miss the true value is simulated in ``tests/bench/coverage.py``.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, combinations, count, product
from math import atan, cos, exp, log, pi, sin, sqrt
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
INTERVAL = f"{100 * CONFIDENCE:g} % interval"  # its name in tables and reports
MIN_BLOCKS = 5  # with fewer independent blocks of games there is no interval
MIN_INNER_BLOCKS = 3
"""With fewer blocks away from a bound it is unknown how much blocks vary: there is no interval."""
MAX_LOG_ODDS = 700.0  # more would overflow
MAX_FREEDOM = 1000  # more degrees of freedom change a quantile by less than a thousandth
NEGLIGIBLE = 1e-17
STEPS = 60  # halvings of the range in which a quantile or a bound is searched

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


class Estimate(NamedTuple):
    """A mean and the bounds of its 95 % interval, ``None`` if there are too few blocks for one."""

    value: float
    low: float | None = None
    high: float | None = None


class IntervalKind(NamedTuple):
    """What is averaged."""

    units: int  # how many units of the sums make 1
    digits: int  # the decimals of its mean
    bounds: tuple[float, float] | None = None  # the least and greatest mean of a block, if any


class BlockMeans(NamedTuple):
    """Means by row (a player or a seat) and kind."""

    values: Floats  # 0 for a row without a game
    pulls: Floats  # by block, row and kind: how far the block pulls the mean up or down
    blocks: Ints  # in how many the row has a game


def block_means(sums: Floats, units: tuple[int, ...]) -> BlockMeans:
    """Return means from sums with the axes block, row, and kind: games, then a sum for every unit.

    The sums are whole numbers. So what does not vary has pulls of exactly 0.
    """
    games, totals = sums[:, :, :1], sums.sum(axis=0)
    played = np.maximum(totals[:, :1], 1)
    scale = np.array(units, np.float64)
    pulls = (sums[:, :, 1:] * played - totals[:, 1:] * games) / (played * played * scale)
    blocks = np.count_nonzero(sums[:, :, 0], axis=0)
    return BlockMeans(totals[:, 1:] / (played * scale), pulls, np.asarray(blocks, np.int64))


def standard_errors(pulls: Floats, blocks: Ints) -> Floats:
    """Return the standard error of means from their pulls, whose first axis is the block.

    It is infinite with fewer than two blocks. A running sum adds in the same order on every
    machine, unlike other sums.
    """
    if not len(pulls):
        return np.full(pulls.shape[1:], np.inf)
    squares = np.cumsum(pulls**2, axis=0)[-1]
    factor = np.where(blocks > 1, blocks / np.maximum(blocks - 1, 1), np.inf)
    with np.errstate(invalid="ignore"):  # infinity times 0: a single block
        return np.asarray(np.nan_to_num(np.sqrt(squares * factor), nan=np.inf, posinf=np.inf))


def estimates(
    sums: Floats, means: BlockMeans, kinds: Sequence[IntervalKind]
) -> list[list[Estimate]]:
    """Return an estimate for every row and kind, from sums and the means that they give."""
    values, blocks = means.values.tolist(), means.blocks.tolist()
    errors = standard_errors(means.pulls, means.blocks[:, np.newaxis]).tolist()
    inner = [_inner_blocks(sums, at, kind) for at, kind in enumerate(kinds, 1)]
    return [
        [
            _estimate(values[row][at], errors[row][at], blocks[row], inner[at][row], kind)
            for at, kind in enumerate(kinds)
        ]
        for row in range(len(values))
    ]


def share_interval(share: float, games: int) -> tuple[float, float]:
    """Return Wilson's interval of a share of so many independent games, also at 0 and 1.

    >>> [round(bound, 2) for bound in share_interval(0.0, 48)]
    [0.0, 0.07]
    """
    distance = critical_distance(CONFIDENCE, MAX_FREEDOM) ** 2 / games
    middle = (share + distance / 2) / (1 + distance)
    reach = sqrt(distance * share * (1 - share) + distance**2 / 4) / (1 + distance)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _inner_blocks(sums: Floats, at: int, kind: IntervalKind) -> list[int]:
    """Return, by row, in how many blocks the mean is away from the bound that most are at."""
    games, total = sums[:, :, 0], sums[:, :, at]
    away = [games > 0]
    if kind.bounds is not None:
        ends = [games * kind.units * bound for bound in kind.bounds]
        away = [(games > 0) & (np.abs(total - end) > 0.5) for end in ends]  # sums are whole numbers
    return [int(fewest) for fewest in np.min(np.count_nonzero(away, axis=1), axis=0)]


def _estimate(value: float, error: float, blocks: int, inner: int, kind: IntervalKind) -> Estimate:
    if blocks < MIN_BLOCKS or inner < MIN_INNER_BLOCKS:
        return Estimate(round(value, kind.digits))
    reach = critical_distance(CONFIDENCE, blocks - 1) * error
    low, high = value - reach, value + reach
    if kind.bounds is not None and reach:  # symmetric in log-odds
        least, most = kind.bounds
        share = (value - least) / (most - least)
        middle = log(share / (1 - share))
        reach /= (most - least) * share * (1 - share)
        low, high = (
            least + (most - least) / (1 + exp(min(-odds, MAX_LOG_ODDS)))
            for odds in (middle - reach, middle + reach)
        )
    return Estimate(*(round(bound, kind.digits) for bound in (value, low, high)))


# -- Student's distribution, for whole degrees of freedom -----------------------------------------


def probability_within(distance: float, freedom: int) -> float:
    """Return how likely a value is at most this far from 0 (Abramowitz and Stegun, 26.7.3 and 4).

    >>> round(probability_within(2.776, 4), 4)
    0.95
    """
    freedom = min(freedom, MAX_FREEDOM)
    angle = atan(distance / sqrt(freedom))
    if freedom == 1:
        return 2 * angle / pi
    odd = freedom % 2
    term = total = cos(angle) if odd else 1.0
    shrink = cos(angle) ** 2
    for number in range(3 if odd else 2, freedom - 1, 2):
        term *= shrink * (number - 1) / number
        total += term
        if term < NEGLIGIBLE:
            break
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


@cache
def critical_distance(confidence: float, freedom: int) -> float:
    """Return the distance from 0 that a value exceeds with probability 1 - ``confidence``.

    >>> round(critical_distance(0.95, 4), 3)
    2.776
    """
    low, high = 0.0, 1.0
    while probability_within(high, freedom) < confidence:
        low, high = high, 2 * high
    return _halved(low, high, lambda middle: probability_within(middle, freedom) < confidence)[1]


def _halved(low: float, high: float, is_low: Callable[[float], bool]) -> tuple[float, float]:
    """Return two values between ``low`` and ``high`` between which ``is_low`` ceases to be true."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return low, high


# -- an interval that holds at all times at once, by betting on bounded values --------------------
# For each candidate mean, imagine somebody who bets against it: a share of the capital on "the
# values are higher", at odds that are fair if the candidate is the true mean. Then the capital is a
# martingale, and by Ville's inequality it ever grows to 1 / e times what it was with probability at
# most e, whatever the values are distributed like, and whenever one looks. So a candidate against
# which somebody has won that much is refuted. The capital is divided among bettors with different
# shares, for the best one depends on how much the values vary (Waudby-Smith and Ramdas, "Estimating
# means of bounded random variables by betting", 2023).

SHARES = np.linspace(0.05, 0.95, 10)  # the share of its capital that a bettor stakes each time


class Bounds(NamedTuple):
    """An interval of a mean."""

    low: float
    high: float


def interval(
    values: Floats, counts: Floats, least: float, most: float, error_rate: float
) -> Bounds:
    """Return the interval of the mean of independent values of which each has occurred so often.

    The values lie between ``least`` and ``most``. With a probability of at least 1 -
    ``error_rate`` the intervals after one value, after two, and so on, contain the mean all of
    them; so whoever computes one after every value may stop whenever it is as wanted.
    ``counts`` may be fractions, which asks what more values of the same kind would show.
    """
    scaled = (values - least) / (most - least)
    needed = log(2 / error_rate)
    low = _lower_bound(scaled, counts, needed)
    high = 1 - _lower_bound(1 - scaled, counts, needed)
    return Bounds(least + (most - least) * low, least + (most - least) * high)


def _lower_bound(values: Floats, counts: Floats, needed: float) -> float:
    """Return the highest mean that is refuted by bets on higher values, all between 0 and 1."""

    def is_refuted(mean: float) -> bool:
        """Whether the capital has grown enough; the higher the mean, the less it has grown."""
        growth = np.log1p(np.outer(SHARES, values / mean - 1)) @ counts  # in logarithms
        best = growth.max()
        return bool(best + np.log(np.exp(growth - best).mean()) >= needed)

    return _halved(0.0, 1.0, is_refuted)[0]


# -- which players differ significantly, and letters that show it (a compact letter display) ------

MAX_GROWTH = 100  # more than so many times the blocks played are not worth a forecast


class Comparison(NamedTuple):
    """All pairs of players, as symmetric matrices: the difference of their means, and its error."""

    distinct: NDArray[np.bool_]  # whether the difference is significant
    gaps: Floats
    errors: Floats
    blocks: Ints  # the smaller of the two players' numbers of blocks

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
    rows = [standard_errors(pulls - pulls[:, [one]], least[one]) for one in range(players)]
    errors = np.array(rows).reshape(players, players)
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

    Two players share a letter exactly if they are not distinct, even if somebody between them is
    distinct from one of them. The letters of a player are written together, or separated by blanks
    if there are groups of two letters (from the 27th on).
    """
    close = ~distinct
    groups, left = list[list[int]](), close.copy()  # pairs that no group has yet
    for one, other in np.argwhere(np.triu(close)):
        if not left[one, other]:
            continue
        fits = close[one] & close[other]
        for player in range(len(distinct)):  # whoever is close to all that were taken before
            if fits[player]:
                fits &= close[player]
        left[np.ix_(fits, fits)] = False
        groups.append(np.flatnonzero(fits).tolist())
    # a to z, then aa, ab and so on, like the columns of a spreadsheet
    words = chain.from_iterable(product(ascii_lowercase, repeat=length) for length in count(1))
    named = [*zip(map("".join, words), map(frozenset, sorted(groups)), strict=False)]
    blank = " " if len(groups) > len(ascii_lowercase) else ""
    return [
        blank.join(word for word, group in named if player in group)
        for player in range(len(distinct))
    ]
