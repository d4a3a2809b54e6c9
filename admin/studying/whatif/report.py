"""The results of a game that was played on, as plain values: for a program, and to be drawn.

As in a tournament, tied winners share a win, and an ejected player has no money and no win. A game
is a block of its own: two variants play it with the same deal, so their difference is taken
game by game.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ....game.rulebook import Hands
from ...refereeing.log.reader import RecordedGame
from ...refereeing.log.verifier import Verifier
from ..statistics.intervals import Estimate, IntervalKind, block_means, estimates
from .single_game import WIN, GameSetup, SeatOutcome
from .variant import Variant

DIGITS = 4
"""Decimals of the estimates."""
Fields: TypeAlias = dict[str, Any]


class Opponent(NamedTuple):
    """Who plays for a seat unless a variant does; ``instead_of`` whom, if not of itself."""

    name: str
    strategy: str
    instead_of: str | None


def real_results(record: RecordedGame, left_in: Mapping[str, int]) -> dict[str, Fields]:
    """Return the real result of every seat of a game that verifies.

    Its standing is ``None`` if the game did not end; ``ejected_in`` is the turn in which the player
    was ejected, 0 at the set-up.
    """
    verifier = Verifier(record)
    verifier.verify()
    found = {standing.name: standing for standing in verifier.outcome.standings}
    return {
        name: {
            **{key: getattr(found.get(name), key, None) for key in ("score", "rank", "finished")},
            "ejected_in": left_in.get(name),
        }
        for name in (seat.name for seat in record.header.seats)
    }


def report_of(
    log: str,
    turn: int,
    setup: GameSetup,
    opponents: Sequence[Opponent],
    games_of: Mapping[Variant, Sequence[SeatOutcome]],
    real: Mapping[str, Fields],
) -> Fields:
    """Return a report: what ``--from`` with ``--json`` writes.

    Scores are in dollars, wins are shares of the games, ``difference`` is to the first variant of
    the seat, game by game (``paired_over`` says what such a game has in common).
    Bounds are those of 95 % intervals, ``null`` with too few games.
    """
    seats: dict[str, list[Variant]] = {}
    for variant in games_of:
        seats.setdefault(variant.seat, []).append(variant)
    return {
        "log": log,
        "from": turn,
        "mover": setup.position.mover.name,
        "seed": setup.seed,
        "dealt_anew": ["bag", "hands"] if setup.rulebook.hands is Hands.HIDDEN else ["bag"],
        "paired_over": "games with the same deal and the same random choices",
        "others": [each._asdict() for each in opponents if {*seats} != {each.name}],
        "seats": [
            {
                "name": seat,
                "really": real[seat],
                "variants": [
                    {
                        "player": each.label,
                        "kind": each.kind,
                        "games": len(games_of[each]),
                        **spread_of(games_of[each], None if at == 0 else games_of[variants[0]]),
                    }
                    for at, each in enumerate(variants)
                ],
            }
            for seat, variants in seats.items()
        ],
    }


def spread_of(games: Sequence[SeatOutcome], first: Sequence[SeatOutcome] | None) -> Fields:
    """Return the statistics of games, compared with those of ``first``; nothing without a game.

    ``lost`` counts the games that were not finished, by reason; ``amended`` those in which part of
    the recorded move was illegal.
    """
    if not games:
        return {}
    scores = [game.score for game in games]
    mean, wins = estimated([(game.score, game.win) for game in games], (0.0, 1.0))
    lower, median, upper = np.quantile(scores, (0.25, 0.5, 0.75)).tolist()
    difference = None
    if first:
        pairs = list(zip(games, first, strict=False))
        rows = [(one.score - other.score, one.win - other.win) for one, other in pairs]
        score, won = map(estimate_json, estimated(rows, (-1.0, 1.0)))
        difference = {"games": len(pairs), "score": score, "wins": won}
    return {
        "score": {
            **estimate_json(mean),
            "lowest": min(scores),
            "lower_quartile": lower,
            "median": median,
            "upper_quartile": upper,
            "highest": max(scores),
        },
        "wins": estimate_json(wins),
        "difference": difference,
        "lost": dict(sorted(Counter(game.lost for game in games if game.lost).items())),
        "amended": sum(game.amended for game in games),
        "scores": scores,
    }


def estimated(
    rows: Sequence[tuple[int, int]], bounds: tuple[float, float]
) -> tuple[Estimate, Estimate]:
    """Return the means of dollars, and of wins (given in units of ``WIN``), with their intervals.

    ``bounds`` are those of the wins in a game.
    """
    sums = np.array([[(1, *row)] for row in rows], np.float64)
    kinds = IntervalKind(1, DIGITS), IntervalKind(WIN, DIGITS, bounds)
    ((money, wins),) = estimates(sums, block_means(sums, (1, WIN)), kinds)
    return money, wins


def estimate_json(estimate: Estimate) -> dict[str, float | None]:
    """Return a mean and the bounds of its interval."""
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
