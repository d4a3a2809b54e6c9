"""The analysis for a terminal: the costly decisions, the turning points, and what was done."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...refereeing.view.plain_text import plural, printable
from .analysis import Analysis
from .chances import gainer, point_words
from .valuing import CONFIDENCE, COSTLY_LEAD, COSTLY_WIN, Mean, Valued


def draw_analysis(analysis: Analysis) -> RenderableType:
    """Draw an analysis for a terminal."""
    parts: list[RenderableType] = [_by_player(analysis)]
    if analysis.costly:
        parts += [Text(), _costly(analysis)]
    parts += [Text(), *(Text(line) for line in _points(analysis))]
    parts += [Text(), Text(_legend(analysis))]
    return Group(*parts)


def _table(title: str, *columns: str) -> Table:
    table = Table(
        title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for column in columns:
        is_text = column in ("player", "chose", "better")
        table.add_column(column, justify="left" if is_text else "right", overflow="fold")
    return table


def _by_player(analysis: Analysis) -> Table:
    table = _table("Decisions", "player", "decisions", "costly", "lead lost")
    for name in analysis.work.table.names:
        mine = [each for each in analysis.valued if each.decision.name == name]
        costly = [each for each in mine if each.is_costly]
        lost = sum(each.cost.lead.value for each in costly if each.cost)
        shown = f"${lost:,.0f}" if costly else ""
        table.add_row(Text(printable(name)), str(len(mine)), str(len(costly)), shown)
    return table


def _costly(analysis: Analysis) -> Table:
    table = _table("Costly decisions", "turn", "player", "chose", "better", "lead lost", "chance")
    for each in analysis.costly:
        assert each.cost is not None, "a costly decision has a cost"
        table.add_row(
            str(each.decision.turn),
            *(Text(printable(text)) for text in (each.decision.name, *_compared(each))),
            _dollars(each.cost.lead),
            _points_of(each.cost.win),
        )
    return table


def _compared(each: Valued) -> tuple[str, str]:
    """Return what was chosen, and what was better."""
    options, best = each.decision.options, each.values[0].option
    return options[each.decision.recorded].text, options[best].text


def _dollars(mean: Mean) -> str:
    return f"${mean.value:,.0f} +- {mean.error:,.0f}"


def _points_of(mean: Mean) -> str:
    return f"{mean.value * 100:+.0f} +- {mean.error * 100:.0f}"


def _points(analysis: Analysis) -> list[str]:
    if not analysis.points:
        return ["No turn moved the chances to win by much."]
    names = analysis.work.table.names
    return [
        f"Turn {point.turn}: the chance of {printable(names[gainer(point.before, point.after)])} "
        f"to win goes{point_words(point)}."
        for point in analysis.points
    ]


def _legend(analysis: Analysis) -> str:
    return (
        f"Every option was played on {plural(analysis.work.games, 'time')}, with everything dealt "
        "again that the player could not know. Lead: dollars more than the best other player at "
        "the end. Costly: on other deals, half of them played by others, the option that looked "
        f"best has at least ${COSTLY_LEAD:,} more lead, or {COSTLY_WIN * 100:.0f} points more "
        f"chance to win, and that is no noise with {CONFIDENCE:.1%} confidence. +- is a standard "
        "error."
    )
