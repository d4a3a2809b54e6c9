"""The results of a game that was played on: who played, the statistics, the real result.

As in a tournament, tied winners share a win, and an ejected player has no money and no win. A game
is a block of its own: two variants play it with the same deal, so their difference is taken
game by game.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....game.rulebook import Hands
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Verifier
from ...refereeing.play.outcome import Standing
from ..statistics.intervals import Estimate, IntervalKind, block_means, estimates
from .single_game import WIN, GameSetup, SeatOutcome
from .variant import Variant

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


class Opponent(NamedTuple):
    """Who plays for a seat unless a variant does; ``instead`` of whom, or empty."""

    name: str
    strategy: str
    instead: str


class RealResult(NamedTuple):
    """The real result of a seat: its standing, ``None`` if the game did not end.

    ``left_in`` is the turn in which the player was ejected, 0 at the set-up.
    """

    standing: Standing | None
    left_in: int | None


@dataclass(frozen=True, slots=True)
class WhatIfReport:
    """All results; ``results`` are by seat, in the order in which variants were given.

    A variant without a game has no statistics. ``opponents`` are those who played in at least one
    game. ``hands``: whether hands were dealt again besides the bag.
    """

    log: str
    turn: int
    mover: str
    seed: int
    hands: bool
    opponents: tuple[Opponent, ...]
    results: dict[str, dict[Variant, Spread | None]]
    real: dict[str, RealResult]


def real_results(record: RecordedGame, left_in: Mapping[str, int]) -> dict[str, RealResult]:
    """Return the real result of every seat of a game that verifies."""
    verifier = Verifier(record)
    verifier.verify()
    standings = {standing.name: standing for standing in verifier.outcome.standings}
    return {
        seat.name: RealResult(standings.get(seat.name), left_in.get(seat.name))
        for seat in record.header.seats
    }


def report_of(
    log: str,
    turn: int,
    setup: GameSetup,
    opponents: Sequence[Opponent],
    games_of: Mapping[Variant, Sequence[SeatOutcome]],
    real: Mapping[str, RealResult],
) -> WhatIfReport:
    """Make a report; the variants of a seat are compared with the seat's first one."""
    first: dict[str, Sequence[SeatOutcome]] = {}
    results: dict[str, dict[Variant, Spread | None]] = {}
    for variant, games in games_of.items():
        seat = variant.seat
        spread = spread_of(games, first.get(seat)) if games else None
        first.setdefault(seat, games)
        results.setdefault(seat, {})[variant] = spread
    return WhatIfReport(
        log,
        turn,
        setup.position.mover.name,
        setup.seed,
        setup.rulebook.hands is Hands.HIDDEN,
        tuple(opponent for opponent in opponents if set(results) != {opponent.name}),
        results,
        {seat: real[seat] for seat in results},
    )


# -- for a program ------------------------------------------------------------------------------


def as_json(report: WhatIfReport) -> dict[str, Any]:
    """Return a report as plain values: what ``--from`` with ``--json`` writes.

    Scores are in dollars, wins are shares of the games, ``difference`` is to the first variant of
    the seat, game by game (``paired_over`` says what such a game has in common).
    Bounds are those of 95 % intervals, ``null`` with too few games.
    """
    return {
        "log": report.log,
        "from": report.turn,
        "mover": report.mover,
        "seed": report.seed,
        "dealt_anew": ["bag", "hands"] if report.hands else ["bag"],
        "paired_over": "games with the same deal and the same random choices",
        "others": [
            {"name": name, "strategy": strategy, "instead_of": instead or None}
            for name, strategy, instead in report.opponents
        ],
        "seats": [
            {
                "name": seat,
                "really": _real(report.real[seat]),
                "variants": [_result(*result) for result in results.items()],
            }
            for seat, results in report.results.items()
        ],
    }


def _real(real: RealResult) -> dict[str, Any]:
    standing = real.standing
    return {
        "score": standing.score if standing else None,
        "rank": standing.rank if standing else None,
        "finished": standing.finished if standing else None,
        "ejected_in": real.left_in,
    }


def _result(variant: Variant, found: Spread | None) -> dict[str, Any]:
    kind = "command" if variant.words else "recorded" if variant.recorded else "house"
    head = {"player": variant.label, "kind": kind, "games": len(found.scores) if found else 0}
    if found is None:
        return head
    lower, median, upper = found.quartiles
    difference = found.difference
    return {
        **head,
        "score": {
            **estimate_json(found.mean),
            "lowest": min(found.scores),
            "lower_quartile": lower,
            "median": median,
            "upper_quartile": upper,
            "highest": max(found.scores),
        },
        "wins": estimate_json(found.wins),
        "difference": None
        if difference is None
        else {
            "games": difference.games,
            "score": estimate_json(difference.score),
            "wins": estimate_json(difference.wins),
        },
        "lost": found.lost,
        "amended": found.amended,
        "scores": list(found.scores),
    }


def estimate_json(estimate: Estimate) -> dict[str, float | None]:
    """Return a mean and the bounds of its interval."""
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
