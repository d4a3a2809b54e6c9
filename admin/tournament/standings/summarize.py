"""Compute all tables of a tournament from its games: standings, intervals, groups and others.

The same games give the same tables to the last digit, in any order, so that an interrupted
tournament ends with the files it would have had anyway. So ratings are of all games together,
results are rounded, and sums are of whole numbers, which are exact in any order and with any
library: fractions of points, places and wins are counted in units small enough.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, pairwise, permutations
from math import lcm
from typing import NamedTuple

import numpy as np

from ...refereeing.play.outcome import shared_ranks
from ...studying.statistics.intervals import (
    MIN_BLOCKS,
    Comparison,
    Floats,
    IntervalKind,
    Ints,
    block_means,
    compare,
    estimates,
    group_letters,
)
from ...studying.statistics.rating import Placing, rate
from ..games.entries import Entries, Entry
from ..games.result import GameResult, PlayerVerdict, SeatResult, game_points
from .summary import Duel, SeatRow, StandingsRow, Summary, Tie, TimeRow, VersionRow

DIGITS, SHARE_DIGITS, TIME_DIGITS = 6, 4, 6
MONEY_DIGITS = 3
POINTS = 0  # the index of points among the means of a player
POINT_DIGITS = 6  # decimals of a place's points that count
HALVES = 2  # units of a place: two players who tie for the second place are at 2.5


class Tally(NamedTuple):
    """Sums of games, points, placements, wins and money."""

    units: tuple[int, int, int, int]  # per point, per place, per win and per dollar
    sums: Floats  # by block, player or seat (all players, then all seats), and kind of sum
    by_seat: Ints  # games and points of all blocks, by player and seat


def summarize(
    players: Sequence[str],
    results: Iterable[GameResult],
    points: Sequence[float],
    *,
    by_rating: bool = False,
) -> Summary:
    """Return all tables of a tournament among these players.

    ``points`` are those of the places, first place first. A player without a game has means of 0
    and is last. With ``by_rating`` players are ordered by rating, as in a ladder, where they meet
    others of their own strength: then points per game separate nobody, and there are no groups.
    Groups are by :func:`.grouping.compare`: many comparisons are no more likely to separate equals
    than one.
    ``ValueError`` if someone in a game is not among the players.
    """
    games = sorted(results, key=lambda result: result.game)
    tallied = tally(players, games, points)
    means = block_means(tallied.sums, tallied.units)
    seats = tallied.by_seat.shape[1]
    per_point, per_place, per_win, per_dollar = tallied.units
    kinds = (
        IntervalKind(per_point, DIGITS, (0.0, max(points)) if max(points) else None),
        IntervalKind(per_place, DIGITS, (1.0, float(seats)) if seats > 1 else None),
        IntervalKind(per_win, DIGITS, (0.0, 1.0)),
        IntervalKind(per_dollar, MONEY_DIGITS),
    )
    counts = tallied.sums.sum(axis=0)[:, 0].astype(int).tolist()
    found = [*zip(counts, estimates(tallied.sums, means, kinds), strict=True)]
    ratings = rate(players, [Placing(game.players, game.places) for game in games])
    lost = Counter(seat.player for game in games for seat in game.seats if not seat.finished)
    unranked = [
        StandingsRow(0, name, count, earned, place, wins, cash, ratings.of(name), "", lost[name])
        for name, (count, (earned, place, wins, cash)) in zip(players, found, strict=False)
    ]

    def standing(row: StandingsRow) -> tuple[float, ...]:
        """Return the sort key of the standings: the rounded means, as the tables show them."""
        rating = (-row.rating,) if by_rating else ()
        means = (-row.points.value, row.placement.value, -row.wins.value, -row.money.value)
        return (not row.games, *rating, *means)

    unranked.sort(key=lambda row: (*standing(row), row.player))
    order = [row.player for row in unranked]
    # the work grows with the cube of the players
    compared = [] if by_rating else [players.index(player) for player in order]
    comparison = compare(
        means.values[compared, POINTS], means.pulls[:, compared, POINTS], means.blocks[compared]
    )
    letters = [""] * len(order) if by_rating else group_letters(comparison.distinct)
    ranks = shared_ranks([standing(row)[:2] for row in unranked])
    standings = tuple(
        row._replace(rank=rank, groups=groups)
        for rank, row, groups in zip(ranks, unranked, letters, strict=True)
    )
    skipped = Counter(seat.player for game in games for seat in game.seats if seat.was_skipped)
    endings = Counter(game.ending for game in games)
    return Summary(
        games=len(games),
        blocks=len(tallied.sums),
        out_of_step=sum(game.out_of_step is not None for game in games),
        rows=standings,
        crosstable=_crosstable(order, games),
        seats=tuple(
            SeatRow(seat, count, *row[:3])
            for seat, (count, row) in enumerate(found[len(players) :], start=1)
            if count
        ),
        by_player_and_seat=_points_by_seat(tallied, players, order),
        verdicts=_count_verdicts(order, games),
        endings=dict(sorted(endings.items(), key=lambda ending: (-ending[1], ending[0]))),
        times=_times(order, games),
        ties=() if by_rating else tuple(_ties(standings, comparison)),
        skipped={player: skipped[player] for player in order if skipped[player]},
        by_rating=by_rating,
    )


def grouped_by_rating(
    rows: Iterable[StandingsRow], results: Iterable[GameResult]
) -> list[StandingsRow]:
    """Return the rows of a ladder with groups, by tests of ratings: the work grows with the cube.

    Earlier results decide who meets whom. But a ladder prefers new opponents, so equal players are
    separated no more often for that, as simulations show.
    """
    blocks: defaultdict[str, list[Placing]] = defaultdict(list)
    for result in results:
        blocks[result.block].append(Placing(result.players, result.places))
    rows = list(rows)
    ratings = rate([row.player for row in rows], chain.from_iterable(blocks.values()))
    played = Counter(player for games in blocks.values() for player in games[0].players)
    logs = ratings.logs
    comparison = compare(
        np.array([*logs.values()]),
        np.asarray(ratings.pulls(blocks.values()), np.float64),
        np.array([played[player] for player in logs]),
    )
    letters = dict(zip(logs, group_letters(comparison.distinct), strict=True))
    return [row._replace(groups=letters[row.player]) for row in rows]


def version_history(
    entries: Entries, results: Iterable[GameResult], points: Sequence[float]
) -> dict[str, list[VersionRow]]:
    """Return the versions of every player, in order; ``results`` are all games.

    ``points`` are those of the places, first place first.
    """
    found: defaultdict[int, list[tuple[float, int, bool]]] = defaultdict(list)
    for result in results:
        met = entries.of_game(result.game, result.players)
        if met is None:
            continue  # somebody has changed the store, which the audit finds
        earned = game_points(result, points)
        for entry, seat, place in zip(met, result.seats, result.places, strict=True):
            last = min(place, len(result.seats))
            found[entry.number].append((earned[seat.player], last, not seat.finished))

    def row(entry: Entry) -> VersionRow:
        games = found[entry.number]
        if not games:
            return VersionRow(entry, 0, None, None, 0)
        earned, ranks, lost = zip(*games, strict=True)
        count = len(games)
        return VersionRow(entry, count, sum(earned) / count, sum(ranks) / count, sum(lost))

    names = dict.fromkeys(entry.name for entry in entries.all)
    return {name: [row(entry) for entry in entries.of_player(name)] for name in names}


def _ties(rows: Sequence[StandingsRow], comparison: Comparison) -> Iterable[Tie]:
    """Yield the neighbours in the standings that enough games did not separate."""
    for at, (row, below) in enumerate(pairwise(rows)):
        if comparison.distinct[at, at + 1] or comparison.blocks[at, at + 1] < MIN_BLOCKS:
            continue
        difference = round(row.points.value - below.points.value, DIGITS)
        yield Tie(row.player, below.player, difference, comparison.more_blocks(at, at + 1))


def _crosstable(players: Sequence[str], games: Sequence[GameResult]) -> tuple[Duel, ...]:
    """Compare every player with every other; two that both did not finish a game tie in it."""
    met: Counter[tuple[str, str]] = Counter()
    halves: Counter[tuple[str, str]] = Counter()
    for game in games:
        order = zip(game.seats, game.places, strict=True)
        for (seat, place), (other, behind) in permutations(order, 2):
            met[seat.player, other.player] += 1
            halves[seat.player, other.player] += (place < behind) + (place <= behind)
    return tuple(
        Duel(
            *(*pair, met[pair]),
            round(halves[pair] / (HALVES * met[pair]), SHARE_DIGITS) if met[pair] else None,
        )
        for pair in permutations(players, 2)
    )


def _points_by_seat(
    tallied: Tally, players: Sequence[str], order: Sequence[str]
) -> dict[str, dict[int, float]]:
    """Return average points by player, in this order, and by each seat that the player has had."""
    rows = dict(zip(players, tallied.by_seat.tolist(), strict=True))
    return {
        player: {
            seat: round(points / (games * tallied.units[POINTS]), DIGITS)
            for seat, (games, points) in enumerate(rows[player], start=1)
            if games
        }
        for player in order
    }


def _count_verdicts(
    players: Sequence[str], games: Sequence[GameResult]
) -> dict[str, dict[str, int]]:
    """Count by player and verdict: finished, and every other verdict that occurred."""
    counts = Counter((seat.player, seat.verdict) for game in games for seat in game.seats)
    seen = {verdict for _, verdict in counts} | {PlayerVerdict.FINISHED}
    shown = [verdict for verdict in PlayerVerdict if verdict in seen]
    return {
        player: {verdict.value: counts[player, verdict] for verdict in shown} for player in players
    }


def _times(players: Sequence[str], games: Sequence[GameResult]) -> tuple[TimeRow, ...]:
    """Return the time that each player used, over the games in which it was measured."""
    played: defaultdict[str, list[SeatResult]] = defaultdict(list)
    for game in games:
        for seat in game.seats:
            played[seat.player].append(seat)
    rows = []
    for player in players:
        thought = [seat.thought for seat in played[player] if seat.thought > 0]
        slowest = max((seat.slowest for seat in played[player]), default=0)
        processor = [seat.processor for seat in played[player] if seat.processor is not None]
        longest = _mean_seconds([slowest], 1_000_000) if thought else None
        thinking = _mean_seconds(thought, 1_000_000)
        rows.append(TimeRow(player, thinking, longest, _mean_seconds(processor, 1000)))
    return tuple(rows)


def _mean_seconds(measured: Sequence[int], per_second: int) -> float | None:
    if not measured:
        return None
    return round(sum(measured) / (len(measured) * per_second), TIME_DIGITS)


# -- sums ---------------------------------------------------------------------------------------


def tally(players: Sequence[str], games: Sequence[GameResult], points: Sequence[float]) -> Tally:
    """Add up the games; blocks are in the order of their names.

    ``ValueError`` if someone in a game is not among the players.
    """
    seats = max((len(game.seats) for game in games), default=0)
    shares = lcm(*range(1, seats + 1))  # so that those of tied players are whole
    decimals = lcm(*(Fraction(str(round(worth, POINT_DIGITS))).denominator for worth in points))
    units = (shares * decimals, HALVES, shares, 1)
    number = {player: at for at, player in enumerate(players)}
    row = {block: at for at, block in enumerate(sorted({game.block for game in games}))}
    sums = np.zeros((len(row), len(players) + seats, 1 + len(units)))
    by_seat = np.zeros((len(players), seats, 2), np.int64)
    for seated in {seat.player for game in games for seat in game.seats} - number.keys():
        raise ValueError(f"{seated!r} is in a game but is not among the players.")
    if games:
        who = np.array(
            [
                (row[game.block], number[seat.player], at)
                for game in games
                for at, seat in enumerate(game.seats)
            ]
        )
        what = np.array([one for game in games for one in _measures(game, points, units)])
        block, player, seat = who.T
        np.add.at(sums, (block, player), what)
        np.add.at(sums, (block, len(players) + seat), what)
        np.add.at(by_seat, (player, seat), what[:, :2])
    return Tally(units, sums, by_seat)


def _measures(
    game: GameResult, points: Sequence[float], units: Sequence[int]
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield what is added up of each seat."""
    order = game.places
    sharing, earned = Counter(order), game_points(game, points)
    per_point, _, per_win, _ = units
    for seat, place in zip(game.seats, order, strict=True):
        if not seat.finished:
            yield 1, 0, HALVES * len(order), 0, 0
            continue
        tied = sharing[place]
        worth, win = round(earned[seat.player] * per_point), per_win // tied if place == 1 else 0
        yield 1, worth, HALVES * place + tied - 1, win, seat.money
