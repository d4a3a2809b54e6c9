"""The analysis as plain values: what ``--analyse`` with ``--json`` writes, and the page shows.

A terminal shows them, too: the costly decisions, the turning points, and what was done.
"""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.frames import cell_of
from ...refereeing.view.plain_text import dollars, plural, printable
from ..statistics.intervals import INTERVAL
from ..whatif.report import Fields, estimate_json, estimate_lines
from .analysis import Analysis
from .decision_log import Option
from .playing import Shares, TurningPoint, games_shown
from .valuing import ANALYST, CONFIDENCE, COSTLY_LEAD, COSTLY_WIN, OTHERS, Cost, Value, Valued
from .words import Decided, cost_words, option_reason, point_words

DIGITS = 3  # decimals of a chance
MOST_LISTED = 3  # how many costly decisions of a player are listed first


def as_json(analysis: Analysis) -> Fields:
    """Return an analysis as plain values.

    Leads are in dollars over the best other player, chances are shares of the games; ``low`` and
    ``high`` are the bounds of a 95 % interval. ``step`` is the number of a frame of the page,
    ``player`` a place in seat order, ``tile`` a cell, row by row. Options are in the order in which
    they looked best; ``recorded`` is a place in that order. ``cost`` is by how much the first
    option is better, in games that chose nothing; absent where none looked better than the recorded
    one. ``most_costly`` has places among the decisions, those of a player that cost most first.
    ``decided`` says by player what decided the game, as ``acquire explain`` does.
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
                "step": analysis.log.turns[turn][0],
                "win": [estimate_json(each) for each in found.win],
            }
            for turn, found in analysis.chances.items()
        ],
        "chance_games": len(games_shown(analysis.work.games)),
        "turning_points": [_point(analysis, point) for point in analysis.points],
        "decided": [
            {
                "player": table.names.index(name),
                "turn": point.turn,
                "sentences": Decided(analysis, name).sentences(),
            }
            for name, point in analysis.decisive.items()
        ],
    }


def _decision(analysis: Analysis, valued: Valued) -> Fields:
    decision, found = valued.decision, valued.found
    return {
        "turn": decision.turn,
        "step": decision.step,
        "player": analysis.work.table.names.index(decision.name),
        "what": decision.what.value,
        "recorded": found.order.index(decision.recorded),
        "left_out": len(decision.options) - len(found.order),
        "options": [_option(decision.options[option]) for option in found.order],
        **({"cost": _cost(valued, found.cost)} if found.cost else {}),
        "costly": valued.is_costly,
    }


def _option(option: Option) -> Fields:
    tile = {} if option.tile is None else {"tile": cell_of(option.tile)}
    return {"text": option.text, **tile}


def _cost(valued: Valued, cost: Cost) -> Fields:
    return {
        "lead": estimate_json(cost.lead),
        "win": estimate_json(cost.win),
        "games": cost.games,
        "better": _value(cost.better),
        "played": _value(cost.recorded),
        "reason": option_reason(valued.decision, cost.better.option),
    }


def _value(value: Value) -> dict[str, float]:
    return {"lead": value.lead, "win": value.win}


def _point(analysis: Analysis, point: TurningPoint) -> Fields:
    names, at = analysis.work.table.names, point.decisive
    decided: Fields = {}
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
        "step": analysis.log.turns[point.turn][0],
        "player": point.seat,
        "text": point_words(point, names),
        "before": _rounded(point.before),
        "after": _rounded(point.after),
        **decided,
    }


def _rounded(shares: Shares) -> list[float]:
    return [round(share, DIGITS) for share in shares]


# -- for a terminal -----------------------------------------------------------------------------


def draw_analysis(values: Fields) -> RenderableType:
    """Draw an analysis for a terminal."""
    names, decisions = values["names"], values["decisions"]
    parts: list[RenderableType] = [_by_player(names, decisions)]
    if costly := [decisions[at] for its in values["most_costly"] for at in its]:
        parts += [Text(), _most_costly(names, costly)]
    if values["chances"]:
        parts += [Text(), *map(Text, _turning_points(values["turning_points"]))]
    for each in values["decided"]:
        told = " ".join(each["sentences"])
        parts += [Text(), Text(f"What decided it for {names[each['player']]}: {told}")]
    parts += [Text(), Text(_legend(values["games"]))]
    done, due = values["analysed"].values()
    if done < due:
        parts.append(Text(f"It was stopped after {done} of {plural(due, 'decision')}."))
    return Group(*parts)


def costly_sentence(found: Valued) -> str:
    """Return what a costly decision was, and what would have been better, in one line."""
    decision, cost = found.decision, found.found.cost
    assert cost is not None, "a costly decision has a cost"
    played, better = (decision.options[at.option].text for at in (cost.recorded, cost.better))
    return printable(
        f"Turn {decision.turn}, {decision.name}: {played}. Better by {cost_words(cost)}: {better}."
    )


def _by_player(names: list[str], decisions: list[Fields]) -> FittedTable:
    columns = (Column("player", text=True), *map(Column, ("decisions", "costly", "lead lost")))
    table = FittedTable(*columns, title="Decisions", dense=True)
    for player, name in enumerate(names):
        if mine := [each for each in decisions if each["player"] == player]:
            lost = [each["cost"]["lead"]["mean"] for each in mine if each["costly"]]
            shown = dollars(sum(lost)) if lost else ""
            table.add_row(printable(name), str(len(mine)), str(len(lost)), shown)
    return table


def _most_costly(names: list[str], costly: list[Fields]) -> FittedTable:
    texts = ("player", "chose", "better")
    headings = ("player", "turn", "chose", "better", "lead lost", "chance")
    columns = [Column(heading, text=heading in texts) for heading in headings]
    table = FittedTable(*columns, title="The most costly decisions of each player", dense=True)
    for each in costly:
        cost, options = each["cost"], [option["text"] for option in each["options"]]
        table.add_row(
            printable(names[each["player"]]),
            str(each["turn"]),
            printable(options[each["recorded"]]),
            printable(f"{options[0]}: {cost['reason']}"),
            estimate_lines(cost["lead"]),
            estimate_lines(cost["win"], 100),
        )
    return table


def _turning_points(points: list[Fields]) -> Iterator[str]:
    if not points:
        yield "No turn moved the chances to win by much."
    for point in points:
        yield f"Turn {point['turn']}: {printable(point['text'])}."
        if "decision" in point:
            yield f"  It {printable(point['decision']['reason'])}."


def _legend(games: int) -> str:
    return (
        f"Options were played on {plural(games, 'time')} or less often, with "
        "everything dealt again that the player could not know. Lead lost: how many dollars more "
        "than the best other player the better option gives at the end. Chance: how many points "
        f"more often it wins. Below is the {INTERVAL}. Other games have found the better option, "
        f"and shown that at least ${COSTLY_LEAD:,} of lead, or {COSTLY_WIN * 100:.0f} points, were "
        "lost; these confirm that something was."
    )
