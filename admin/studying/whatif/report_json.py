"""The report for a program: what ``--from`` with ``--json`` writes."""

from typing import Any

from ..statistics.estimate import Estimate
from .report import RealResult, VariantResult, WhatIfReport
from .spread import Spread
from .variant import BuiltIn, ProgramPlayer, RecordedMove

KINDS: dict[type, str] = {BuiltIn: "house", RecordedMove: "recorded", ProgramPlayer: "command"}


def as_json(report: WhatIfReport) -> dict[str, Any]:
    """Return a report as plain values.

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
                "variants": [_result(result) for result in results],
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


def _result(result: VariantResult) -> dict[str, Any]:
    found = result.spread
    return {
        "player": result.variant.label,
        "kind": KINDS[type(result.variant)],
        "games": len(found.scores) if found else 0,
        **(_spread(found) if found else {}),
    }


def _spread(found: Spread) -> dict[str, Any]:
    lower, median, upper = found.quartiles
    return {
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
        if found.difference is None
        else {
            "games": found.difference.games,
            "score": estimate_json(found.difference.score),
            "wins": estimate_json(found.difference.wins),
        },
        "lost": found.lost,
        "amended": found.amended,
        "scores": list(found.scores),
    }


def estimate_json(estimate: Estimate) -> dict[str, float | None]:
    """Return a mean and the bounds of its interval."""
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
