"""The analysis as plain values: what ``--analyse`` with ``--json`` writes, and the page shows."""

from typing import Any

from ...refereeing.view.frames import cell_of
from ..whatif.report import estimate_json
from .analysis import Analysis
from .chances import Shares, TurningPoint, games_shown
from .decision_log import Option
from .valuing import ANALYST, CONFIDENCE, COSTLY_LEAD, COSTLY_WIN, OTHERS, Cost, Value, Valued
from .words import option_reason, point_words

DIGITS = 3
"""Decimals of a chance."""
MOST_LISTED = 3
"""How many costly decisions of a player are listed first."""


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain values.

    Leads are in dollars over the best other player, chances are shares of the games; ``low`` and
    ``high`` are the bounds of a 95 % interval. ``step`` is the number of a frame of the page,
    ``player`` a place in seat order, ``tile`` a cell, row by row. Options are in the order in which
    they looked best; ``recorded`` is a place in that order. ``cost`` is by how much the first
    option is better, in games that chose nothing; absent where none looked better than the recorded
    one. ``most_costly`` has places among the decisions, those of a player that cost most first.
    """
    table = analysis.work.table
    at = {id(each): place for place, each in enumerate(analysis.valued)}
    return {
        "games": analysis.work.games,
        "seed": str(table.seed),
        "played_on_by": [ANALYST, OTHERS],
        "limits": {"lead": COSTLY_LEAD, "win": COSTLY_WIN, "confidence": CONFIDENCE},
        "names": list(table.names),
        "analysed": {"decisions": len(analysis.valued), "of": analysis.due},
        "decisions": [_decision(analysis, each) for each in analysis.valued],
        "most_costly": [
            [at[id(each)] for each in analysis.costly(name)[:MOST_LISTED]] for name in table.names
        ],
        "chances": [
            {
                "turn": turn,
                "step": analysis.steps[turn],
                "win": [estimate_json(each) for each in found.win],
            }
            for turn, found in analysis.chances.items()
        ],
        "chance_games": len(games_shown(analysis.work.games)),
        "turning_points": [_point(analysis, point) for point in analysis.points],
    }


def _decision(analysis: Analysis, valued: Valued) -> dict[str, Any]:
    decision, found = valued.decision, valued.found
    return {
        "turn": decision.turn,
        "step": decision.step,
        "player": analysis.work.table.names.index(decision.name),
        "what": decision.what.value,
        "recorded": found.order.index(decision.recorded),
        "left_out": valued.left_out,
        "options": [_option(decision.options[option]) for option in found.order],
        **({"cost": _cost(valued, found.cost)} if found.cost else {}),
        "costly": valued.is_costly,
    }


def _option(option: Option) -> dict[str, Any]:
    tile = {} if option.tile is None else {"tile": cell_of(option.tile)}
    return {"text": option.text, **tile}


def _cost(valued: Valued, cost: Cost) -> dict[str, Any]:
    return {
        "lead": estimate_json(cost.lead),
        "win": estimate_json(cost.win),
        "games": cost.games,
        "better": _value(cost.better),
        "played": _value(cost.recorded),
        "reason": option_reason(valued.decision, cost.better.option),
    }


def _value(value: Value) -> dict[str, float]:
    return {"lead": round(value.lead), "win": round(value.win, DIGITS)}


def _point(analysis: Analysis, point: TurningPoint) -> dict[str, Any]:
    names, at = analysis.work.table.names, point.decisive
    decided: dict[str, Any] = {}
    if at is not None:
        decision, _ = point.steps[at]
        decided["decision"] = {
            "step": decision.step,
            "player": names.index(decision.name),
            "what": decision.what.value,
            "text": decision.options[decision.recorded].text,
            "reason": option_reason(decision, decision.recorded),
            "change": round(point.by_decision[at], DIGITS),
        }
    return {
        "turn": point.turn,
        "step": analysis.steps[point.turn],
        "player": point.seat,
        "text": point_words(point, names),
        "before": _rounded(point.before),
        "after": _rounded(point.after),
        **decided,
    }


def _rounded(shares: Shares) -> list[float]:
    return [round(share, DIGITS) for share in shares]
