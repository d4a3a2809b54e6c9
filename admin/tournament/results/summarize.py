"""Compute all tables of a tournament from its games: standings, intervals, groups and others.

The same games give the same tables to the last digit, in any order, so that an interrupted
tournament ends with the files it would have had anyway. So sums are of whole numbers
(:mod:`admin.tournament.results.tally`), resampling has a seed, and results are rounded.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from admin.statistics.bootstrap import MIN_BLOCKS, means, percentile_interval, resample
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
"""The index of points among the means of a player."""


class Estimates(NamedTuple):
    """The estimates of one player or one seat, and their number of games."""

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

    ``points`` are those of the places, first place first. A player without a game has means of 0
    and is last. Ratings take most of the time: with ``rated`` false all keep the initial one.
    Groups are by :func:`.grouping.distinguish`: all differences of points have one simultaneous
    95 % interval, so that many comparisons are no more likely to separate equals than one.
    ``ValueError`` if someone in a game is not among the players.
    """
    games = sorted(results, key=lambda result: result.game)
    tallied = tally(players, games, points)
    observed = means(tallied.totals, tallied.units)
    resampled = means(resample(tallied.sums, seed), tallied.units)
    estimates = _estimates(tallied, observed, resampled)
    by_player = dict(zip(players, estimates, strict=False))
    order = sorted(players, key=lambda player: (*_standing(by_player[player]), player))
    distinct = distinguish(
        observed[: len(players), POINTS],
        resampled[:, : len(players), POINTS],
        tallied.blocks[: len(players)],
    )
    verdicts = breakdown.count_verdicts(order, games)
    places = [players.index(player) for player in order]
    return Summary(
        games=len(games),
        blocks=len(tallied.sums),
        out_of_step=sum(game.out_of_step is not None for game in games),
        rows=_rows(
            order,
            by_player,
            group_letters(distinct[np.ix_(places, places)]),
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
) -> list[Estimates]:
    """Return the estimates of every player, then of every seat."""
    games = tallied.totals[:, 0].astype(int).tolist()
    blocks = tallied.blocks.tolist()
    digits = (DIGITS, DIGITS, DIGITS, MONEY_DIGITS)
    return [
        Estimates(
            games[at],
            *(
                _estimate(
                    games[at], blocks[at], observed[at, kind], resampled[:, at, kind], decimals
                )
                for kind, decimals in enumerate(digits)
            ),
        )
        for at in range(len(games))
    ]


def _estimate(
    games: int, blocks: int, value: float, resampled: NDArray[np.float64], digits: int
) -> Estimate:
    if not games:
        return Estimate(0.0)
    if blocks < MIN_BLOCKS:
        return Estimate(round(float(value), digits))
    low, high = percentile_interval(resampled)
    return Estimate(round(float(value), digits), round(low, digits), round(high, digits))


def _standing(estimates: Estimates) -> tuple[bool, float, float, float, float]:
    """Return the sort key of the standings: the rounded means, as the tables show them."""
    return (
        not estimates.games,
        -estimates.points.value,
        estimates.placement.value,
        -estimates.wins.value,
        -estimates.money.value,
    )


def _rows(
    order: Sequence[str],
    by_player: dict[str, Estimates],
    letters: Sequence[str],
    ratings: dict[str, Rating],
    verdicts: dict[str, dict[str, int]],
) -> tuple[Row, ...]:
    """Rank the players: equal points share a rank, and the next one is skipped."""
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


def _seat_rows(estimates: Sequence[Estimates]) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(seat, one.games, one.points, one.placement, one.wins)
        for seat, one in enumerate(estimates, start=1)
        if one.games
    )
