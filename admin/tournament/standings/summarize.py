"""Compute all tables of a tournament from its games: standings, intervals, groups and others.

The same games give the same tables to the last digit, in any order, so that an interrupted
tournament ends with the files it would have had anyway. So sums are of whole numbers
(:mod:`acquire.admin.tournament.standings.tally`), ratings are of all games together, and results
are rounded.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...refereeing.play.outcome import shared_ranks
from ...studying.statistics.block_means import BlockMeans, block_means
from ...studying.statistics.estimate import MIN_BLOCKS, Estimate
from ...studying.statistics.grouping import Comparison, compare, group_letters
from ...studying.statistics.intervals import IntervalKind, estimates
from ...studying.statistics.rating import Ratings, rate
from ..games.result import GameResult
from ..games.verdict import PlayerVerdict
from . import breakdown
from .summary import SeatRow, StandingsRow, Summary, Tie
from .tally import Tally, placing, tally

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
    rated: bool = True,
    by_rating: bool = False,
) -> Summary:
    """Return all tables of a tournament among these players.

    ``points`` are those of the places, first place first. A player without a game has means of 0
    and is last. With ``by_rating`` players are ordered by rating, as in a ladder, where they meet
    others of their own strength: then points per game separate nobody, and there are no groups.
    Ratings take most of the time: with ``rated`` false all keep the initial one.
    Groups are by :func:`.grouping.compare`: many comparisons are no more likely to separate equals
    than one.
    ``ValueError`` if someone in a game is not among the players.
    """
    games = sorted(results, key=lambda result: result.game)
    tallied = tally(players, games, points)
    means = block_means(tallied.sums, tallied.units)
    found = _estimates(tallied, means, max(points))
    by_player = dict(zip(players, found, strict=False))
    ratings = rate(players, [placing(game) for game in games] if rated else [])

    def standing(player: str) -> tuple[float, ...]:
        key = _standing(by_player[player])
        return (key[0], -ratings.of(player), *key[1:]) if by_rating else key

    order = sorted(players, key=lambda player: (*standing(player), player))
    verdicts = breakdown.count_verdicts(order, games)
    compared = [] if by_rating else [players.index(player) for player in order]
    comparison = _compare(means, compared)  # the work grows with the cube of the players
    rows = _rows(
        [(player, standing(player)[:2]) for player in order],
        by_player,
        [""] * len(order) if by_rating else group_letters(comparison.distinct),
        ratings,
        verdicts,
    )
    return Summary(
        games=len(games),
        blocks=len(tallied.sums),
        out_of_step=sum(game.out_of_step is not None for game in games),
        rows=rows,
        crosstable=breakdown.crosstable(order, games),
        seats=_seat_rows(found[len(players) :]),
        by_player_and_seat=breakdown.points_by_seat(tallied, players, order, DIGITS),
        verdicts=verdicts,
        endings=breakdown.count_endings(games),
        times=breakdown.times(order, games),
        ties=() if by_rating else tuple(_ties(rows, comparison)),
        skipped=breakdown.count_skipped(order, games),
        by_rating=by_rating,
    )


def _estimates(tallied: Tally, means: BlockMeans, most: float) -> list[Estimates]:
    """Return the estimates of every player, then of every seat; ``most`` are points of a game."""
    seats = tallied.by_seat.shape[1]
    units = tallied.units
    kinds = (
        IntervalKind(units.points, DIGITS, (0.0, most) if most else None),
        IntervalKind(units.placement, DIGITS, (1.0, float(seats)) if seats > 1 else None),
        IntervalKind(units.wins, DIGITS, (0.0, 1.0)),
        IntervalKind(units.money, MONEY_DIGITS),
    )
    games = tallied.totals[:, 0].astype(int).tolist()
    return [
        Estimates(count, *row)
        for count, row in zip(games, estimates(tallied.sums, means, kinds), strict=True)
    ]


def _compare(means: BlockMeans, players: Sequence[int]) -> Comparison:
    """Compare the points of players, in this order."""
    return compare(
        means.values[players, POINTS], means.pulls[:, players, POINTS], means.blocks[players]
    )


def _ties(rows: Sequence[StandingsRow], comparison: Comparison) -> Iterable[Tie]:
    """Yield the neighbours in the standings that enough games did not separate."""
    for at, (row, below) in enumerate(pairwise(rows)):
        if comparison.distinct[at, at + 1] or comparison.blocks[at, at + 1] < MIN_BLOCKS:
            continue
        difference = round(row.points.value - below.points.value, DIGITS)
        yield Tie(row.player, below.player, difference, comparison.more_blocks(at, at + 1))


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
    order: Sequence[tuple[str, tuple[float, ...]]],
    by_player: dict[str, Estimates],
    letters: Sequence[str],
    ratings: Ratings,
    verdicts: dict[str, dict[str, int]],
) -> tuple[StandingsRow, ...]:
    """Rank the players as those of a game are ranked.

    ``order`` are the players, each with what equals have in common.
    """
    rows: list[StandingsRow] = []
    ranks = shared_ranks([standing for _, standing in order])
    for rank, (player, _), groups in zip(ranks, order, letters, strict=True):
        estimates = by_player[player]
        lost = estimates.games - verdicts[player][PlayerVerdict.FINISHED.value]
        rows.append(
            StandingsRow(
                rank, player, *estimates, rating=ratings.of(player), groups=groups, lost=lost
            )
        )
    return tuple(rows)


def _seat_rows(estimates: Sequence[Estimates]) -> tuple[SeatRow, ...]:
    return tuple(
        SeatRow(seat, one.games, one.points, one.placement, one.wins)
        for seat, one in enumerate(estimates, start=1)
        if one.games
    )
