"""A match played on as plain values, for a program: what ``--from`` with ``--json`` writes."""

from typing import Any

from admin.statistics.estimate import Estimate
from admin.whatif.report import Actual, Report, Result
from admin.whatif.spread import Spread
from admin.whatif.variant import House, Launched, Move

KINDS: dict[type, str] = {House: "house", Move: "recorded", Launched: "command"}


def as_json(report: Report) -> dict[str, Any]:
    """Return a report as values that JSON has.

    Scores are in dollars, wins are shares of the games, ``difference`` is to the first variant of
    the seat, game by game. Bounds are those of 95 % intervals, ``null`` with too few games.
    """
    return {
        "log": report.log,
        "from": report.turn,
        "mover": report.mover,
        "seed": report.seed,
        "dealt_anew": ["bag", "hands"] if report.hands else ["bag"],
        "others": [
            {"name": name, "strategy": strategy, "instead_of": instead or None}
            for name, strategy, instead in report.others
        ],
        "seats": [
            {
                "name": seat,
                "really": _actual(report.actual[seat]),
                "variants": [_result(result) for result in results],
            }
            for seat, results in report.results.items()
        ],
    }


def _actual(actual: Actual) -> dict[str, Any]:
    standing = actual.standing
    return {
        "score": standing.score if standing else None,
        "rank": standing.rank if standing else None,
        "finished": standing.finished if standing else None,
        "ejected_in": actual.left_in,
    }


def _result(result: Result) -> dict[str, Any]:
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
            **_estimate(found.mean),
            "lowest": min(found.scores),
            "lower_quartile": lower,
            "median": median,
            "upper_quartile": upper,
            "highest": max(found.scores),
        },
        "wins": _estimate(found.wins),
        "difference": None
        if found.ahead is None
        else {
            "games": found.ahead.games,
            "score": _estimate(found.ahead.score),
            "wins": _estimate(found.ahead.wins),
        },
        "lost": found.lost,
        "amended": found.amended,
        "scores": list(found.scores),
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
