"""The analysis for a terminal: the costly decisions, the turning points, and what was done."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.plain_text import plural, printable
from ..statistics.intervals import INTERVAL
from ..whatif.report import estimate_json
from ..whatif.report_text import estimate_lines
from .analysis import Analysis
from .analysis_json import MOST_LISTED
from .valuing import COSTLY_LEAD, COSTLY_WIN, Valued
from .words import option_reason, point_words


def draw_analysis(analysis: Analysis) -> RenderableType:
    """Draw an analysis for a terminal."""
    parts: list[RenderableType] = [_by_player(analysis)]
    names = analysis.work.table.names
    if costly := [each for name in names for each in analysis.costly(name)[:MOST_LISTED]]:
        parts += [Text(), _costly(costly)]
    if analysis.chances:
        parts += [Text(), *(Text(line) for line in _points(analysis))]
    parts += [Text(), Text(_legend(analysis))]
    if not analysis.is_whole:
        done = len(analysis.valued)
        parts.append(Text(f"It was stopped after {done} of {plural(analysis.due, 'decision')}."))
    return Group(*parts)


def costly_sentence(found: Valued) -> str:
    """Return what a costly decision was, and what would have been better, in one line."""
    name, cost = found.decision.name, found.found.cost
    assert cost is not None, "a costly decision has a cost"
    return printable(
        f"Turn {found.decision.turn}, {name}: {_option(found, cost.recorded.option)}. Better by "
        f"${cost.lead.value:,.0f}: {_option(found, cost.better.option)}."
    )


def _option(found: Valued, option: int) -> str:
    return found.decision.options[option].text


def _by_player(analysis: Analysis) -> FittedTable:
    columns = (Column("player", text=True), *map(Column, ("decisions", "costly", "lead lost")))
    table = FittedTable(*columns, title="Decisions")
    for name in analysis.work.seats or analysis.work.table.names:
        mine = [each for each in analysis.valued if each.decision.name == name]
        costly = analysis.costly(name)
        lost = sum(each.found.cost.lead.value for each in costly if each.found.cost)
        shown = f"${lost:,.0f}" if costly else ""
        table.add_row(printable(name), str(len(mine)), str(len(costly)), shown)
    return table


def _costly(costly: list[Valued]) -> FittedTable:
    texts = ("player", "chose", "better")
    headings = ("player", "turn", "chose", "better", "lead lost", "chance")
    columns = [Column(heading, text=heading in texts) for heading in headings]
    table = FittedTable(*columns, title="The most costly decisions of each player")
    for each in costly:
        cost = each.found.cost
        assert cost is not None, "a costly decision has a cost"
        better = cost.better.option
        reason = f"{_option(each, better)}: {option_reason(each.decision, better)}"
        table.add_row(
            printable(each.decision.name),
            str(each.decision.turn),
            printable(_option(each, cost.recorded.option)),
            printable(reason),
            estimate_lines(estimate_json(cost.lead)),
            estimate_lines(estimate_json(cost.win), 100),
        )
    return table


def _points(analysis: Analysis) -> Iterator[str]:
    names = analysis.work.table.names
    if not analysis.points:
        yield "No turn moved the chances to win by much."
    for point in analysis.points:
        yield f"Turn {point.turn}: {printable(point_words(point, names))}."
        if point.decisive is not None:
            decision, _ = point.steps[point.decisive]
            yield f"  It {printable(option_reason(decision, decision.recorded))}."


def _legend(analysis: Analysis) -> str:
    return (
        f"Options were played on {plural(analysis.work.games, 'time')} or less often, with "
        "everything dealt again that the player could not know. Lead lost: how many dollars more "
        "than the best other player the better option gives at the end. Chance: how many points "
        f"more often it wins. Below is the {INTERVAL}. Other games have found the better option, "
        f"put the decisions in order, and shown that at least ${COSTLY_LEAD:,} of lead, or "
        f"{COSTLY_WIN * 100:.0f} points, were lost."
    )
