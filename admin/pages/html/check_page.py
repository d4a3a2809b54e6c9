"""A check as one HTML page that needs nothing else: no script, no other file, no network.

Whatever comes from a player is shown as text, whatever it contains.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from ....game.board import lay_out
from ....game.rulebook import Rulebook
from ....game.state import State, position
from ....game.tiles import Tile, tile_name, tile_names
from ...advising.explaining.explanation_text import readable, when
from ...advising.explaining.sources import PROTOCOL_PAGE
from ...refereeing.view.board_text import initial
from ...refereeing.view.palette import HOTEL_COLORS
from ...testing.cases.case import CaseSection
from ...testing.judging.case_judge import guess_at
from ...testing.judging.check_result import CaseResult, CaseVerdict, CheckResult
from ...testing.reports import case_text
from .board_svg import board_svg
from .html_page import stylesheet, whole_page

MAX_BYTES = 2000  # how many of the received bytes are shown in an explanation


def page(check: CheckResult) -> str:
    """Return a check as HTML."""
    entries = {result.case.id: _entry(result) for result in check.results}
    return whole_page(
        __package__,
        "check.html.jinja",
        stylesheet(__package__, "check.css"),
        has_styles=True,
        shown=_shorten_bytes,
        tile_name=tile_name,
        tile_names=tile_names,
        when=when,
        guess_at=guess_at,
        has_splits=case_text.has_splits,
        check=check,
        grid=Markup("\n".join(_grid(check.rulebook))),
        groups=[_group(section, results, entries) for section, results in check.sections],
        entries=[*entries.values()],
        verdicts=check.verdicts,
        fail=CaseVerdict.FAIL,
        warn=CaseVerdict.WARN,
        protocol=PROTOCOL_PAGE,
        initial=initial,
        colors=HOTEL_COLORS,
    )


def _shorten_bytes(data: bytes) -> str:
    more = f" [.. {len(data):,} bytes in all]" if len(data) > MAX_BYTES else ""
    return readable(data[:MAX_BYTES]) + more


@cache
def _grid(rulebook: Rulebook) -> dict[str, None]:
    """Return the elements of an empty board in order; the page contains them once."""
    board = lay_out(rulebook, 0, (0,) * len(rulebook.hotels))
    return dict.fromkeys(board_svg(position(rulebook, board, (), ())).splitlines()[1:-1])


def _group(
    section: CaseSection, results: Sequence[CaseResult], entries: dict[str, Any]
) -> dict[str, Any]:
    counts = Counter(result.verdict for result in results)
    bar = [
        (verdict, counts[verdict], round(100 * counts[verdict] / len(results), 2))
        for verdict in CaseVerdict
        if counts[verdict]
    ]
    shown = [entries[result.case.id] for result in results]
    return {"section": section, "entries": shown, "bar": bar, "counts": counts}


def _entry(result: CaseResult) -> dict[str, Any]:
    """Return a case with all that the page shows of it; ``anchor`` is its id on the page."""
    state, explanation = case_text.position_of(result), case_text.explanation_of(result)
    tried = None if explanation is None else explanation.tried
    limits = case_text.SHORT if result.verdict is CaseVerdict.PASS else case_text.LONG
    return {
        "result": result,
        "anchor": result.case.id.replace("/", "-"),
        "explanation": explanation,
        "picture": _picture(state, tried) if result.trial.name else None,
        "state": state,
        "messages": case_text.shorten(result.trial.transcript, limits),
        "output": case_text.output_lines(result),
    }


def _picture(state: State, tried: Tile | None) -> Markup:
    """Draw the board over the shared empty one, with a frame around the tile that was tried."""
    begin, *lines = board_svg(state, tried).splitlines()
    own = [line for line in lines if line not in _grid(state.rulebook)]
    return Markup("\n".join([begin, '<use href="#grid"/>', *own]))
