"""What a tournament's games come to: standings, intervals, groups, and the tables around them.

The same games give the same tables to the last digit, in whatever order they come: a tournament
that was interrupted ends with the files that it would have had. So sums are of whole numbers
(:mod:`admin.tournament.results.tally`), chance has a seed, and what comes out is rounded.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from admin.statistics.bootstrap import FEWEST_BLOCKS, means, percentile_interval, resample
from admin.statistics.estimate import Estimate
from admin.statistics.grouping import distinguish, group_letters
from admin.statistics.rating import Rating, rate
from admin.tournament.results import breakdown
from admin.tournament.results.result import GameResult
from admin.tournament.results.summary import Row, SeatRow, Summary
from admin.tournament.results.tally import Tally, placing, tally
from admin.tournament.results.verdict import PlayerVerdict

DIGITS = 4
MONEY_DIGITS = 1
POINTS = 0
"""Where the means of points stand among those of a player."""


class Means(NamedTuple):
    """The estimates of one player, or one seat, over so many games."""

    games: int
    points: Estimate
    placement: Estimate
    wins: Estimate
    money: Estimate


def summarize(
    players: Sequence[str],
    results: Iterable[GameResult],
    points: Sequence[float],
    *,
    seed: int = 0,
    rated: bool = True,
) -> Summary:
    """Return all tables of a tournament among these players.

    ``points`` are those of the places, first to last. Who has not played yet has means of 0 and
    stands last. Not ``rated``, which takes most of the time, all keep the rating that they began
    with. Groups are as :func:`.grouping.distinguish` says: all differences of mean points have one
    95 % interval together, so that many comparisons are no more likely to part equals than one.
    ``ValueError`` for a game of somebody who is not among the players.
    """
    games = sorted(results, key=lambda result: result.game)
    tallied = tally(players, games, points)
    observed = means(tallied.totals, tallied.units)
    resampled = means(resample(tallied.sums, seed), tallied.units)
    estimates = _estimates(tallied, observed, resampled)
    by_player = dict(zip(players, estimates, strict=False))
    order = sorted(players, key=lambda player: (*_standing(by_player[player]), player))
    apart = distinguish(
        observed[: len(players), POINTS],
        resampled[:, : len(players), POINTS],
        tallied.blocks[: len(players)],
    )
    verdicts = breakdown.count_verdicts(order, games)
    where = [players.index(player) for player in order]
    return Summary(
        games=len(games),
        blocks=len(tallied.sums),
        out_of_step=sum(game.out_of_step is not None for game in games),
        rows=_rows(
            order,
            by_player,
            group_letters(apart[np.ix_(where, where)]),
            rate(players, [placing(game) for game in games] if rated else [], seed),
            verdicts,
        ),
        crosstable=breakdown.crosstable(order, games),
        seats=_seat_rows(estimates[len(players) :]),
        by_player_and_seat=breakdown.points_by_seat(tallied, players, order, DIGITS),
        verdicts=verdicts,
        endings=breakdown.count_endings(games),
        times=breakdown.times(order, games),
    )


def _estimates(
    tallied: Tally, observed: NDArray[np.float64], resampled: NDArray[np.float64]
) -> list[Means]:
    """Return the estimates of every player, then of every seat."""
    games = tallied.totals[:, 0].astype(int).tolist()
    blocks = tallied.blocks.tolist()
    digits = (DIGITS, DIGITS, DIGITS, MONEY_DIGITS)
    return [
        Means(
            games[at],
            *(
                _estimate(games[at], blocks[at], observed[at, kind], resampled[:, at, kind], places)
                for kind, places in enumerate(digits)
            ),
        )
        for at in range(len(games))
    ]


def _estimate(
    games: int, blocks: int, value: float, resampled: NDArray[np.float64], digits: int
) -> Estimate:
    if not games:
        return Estimate(0.0)
    if blocks < FEWEST_BLOCKS:
        return Estimate(round(float(value), digits))
    low, high = percentile_interval(resampled)
    return Estimate(round(float(value), digits), round(low, digits), round(high, digits))


def _standing(estimates: Means) -> tuple[bool, float, float, float, float]:
    """Return what the standings are sorted by: the rounded means, as the tables show them."""
    return (
        not estimates.games,
        -estimates.points.value,
        estimates.placement.value,
        -estimates.wins.value,
        -estimates.money.value,
    )


def _rows(
    order: Sequence[str],
    by_player: dict[str, Means],
    letters: Sequence[str],
    ratings: dict[str, Rating],
    verdicts: dict[str, dict[str, int]],
) -> tuple[Row, ...]:
    """Rank the players: equal points share a rank, and the next one is left out."""
    rows: list[Row] = []
    before: tuple[bool, float] | None = None
    for player, groups in zip(order, letters, strict=True):
        estimates = by_player[player]
        standing = _standing(estimates)[:2]
        rank = rows[-1].rank if standing == before else len(rows) + 1
        before = standing
        lost = estimates.games - verdicts[player][PlayerVerdict.FINISHED.value]
        rows.append(
            Row(
                rank,
                player,
                *estimates,
                rating=ratings[player],
                groups=groups,
                lost=lost,
            )
        )
    return tuple(rows)


def _seat_rows(estimates: Sequence[Means]) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(seat, one.games, one.points, one.placement, one.wins)
        for seat, one in enumerate(estimates, start=1)
        if one.games
    )
