"""The analysis as plain values: what ``--analyse`` with ``--json`` writes, and the page shows."""

from typing import Any

from ...refereeing.view.frames import cell_of
from .analysis import ANALYST, Analysis
from .chances import TurningPoint, gainer, point_words
from .decision import Option
from .valuing import (
    CONFIDENCE,
    CONFIRMED_BY,
    COSTLY_LEAD,
    COSTLY_WIN,
    Cost,
    Mean,
    Valued,
)

DIGITS = 3
"""Decimals of a chance."""


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain values.

    Leads are in dollars over the best other player, chances are shares of the games. ``step`` is
    the number of a frame of the page, ``player`` a place in seat order, ``tile`` a cell, row by
    row. The ``error`` of a mean is its standard error. Options are ordered by their value;
    ``recorded`` is the place in that order. ``cost`` is in comparison with the first option, on
    other deals than the values; absent where nothing looked better than the recorded one.
    """
    table = analysis.work.table
    return {
        "games": analysis.work.games,
        "seed": str(table.seed),
        "played_on_by": [ANALYST, CONFIRMED_BY],
        "limits": {"lead": COSTLY_LEAD, "win": COSTLY_WIN, "confidence": CONFIDENCE},
        "names": list(table.names),
        "decisions": [_decision(analysis, each) for each in analysis.valued],
        "chances": [
            {"turn": turn, "step": analysis.steps[turn], "win": _rounded(found)}
            for turn, found in analysis.chances.items()
        ],
        "turning_points": [_point(analysis, point) for point in analysis.points],
    }


def _decision(analysis: Analysis, found: Valued) -> dict[str, Any]:
    decision = found.decision
    places = [value.option for value in found.values]
    return {
        "turn": decision.turn,
        "step": decision.step,
        "player": analysis.work.table.names.index(decision.name),
        "what": decision.what.value,
        "recorded": places.index(decision.recorded),
        "left_out": found.left_out,
        "options": [
            {
                **_option(decision.options[value.option]),
                "lead": round(value.lead),
                "win": round(value.win, DIGITS),
                "more_lead": _mean(value.more_lead, 0),
                "more_win": _mean(value.more_win, DIGITS),
                "games": value.games,
            }
            for value in found.values
        ],
        **({"cost": _cost(found.cost)} if found.cost else {}),
        "costly": found.is_costly,
    }


def _option(option: Option) -> dict[str, Any]:
    tile = {} if option.tile is None else {"tile": cell_of(option.tile)}
    return {"text": option.text, **tile}


def _cost(cost: Cost) -> dict[str, Any]:
    return {
        "lead": _mean(cost.lead, 0),
        "win": _mean(cost.win, DIGITS),
        "games": cost.games,
    }


def _mean(mean: Mean, digits: int) -> dict[str, float]:
    return {"mean": round(mean.value, digits), "error": round(mean.error, digits)}


def _point(analysis: Analysis, point: TurningPoint) -> dict[str, Any]:
    seat = gainer(point.before, point.after)
    return {
        "turn": point.turn,
        "step": analysis.steps[point.turn],
        "player": seat,
        "text": f"{analysis.work.table.names[seat]}{point_words(point)}",
        "before": _rounded(point.before),
        "decided": None if point.decided is None else _rounded(point.decided),
        "after": _rounded(point.after),
    }


def _rounded(chances: tuple[float, ...]) -> list[float]:
    return [round(chance, DIGITS) for chance in chances]
