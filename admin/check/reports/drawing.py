"""A case and its verdict drawn as text: for the terminal, and plain for files.

What comes from a player is text wherever it is shown, whatever is in it.
"""

import io
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from admin.check.hinting import hinted
from admin.check.judging import Result, Verdict
from admin.check.reports.evidence import explanation_of, printed
from admin.check.reports.transcript import (
    CUT,
    SHORT,
    WHOLE,
    Measure,
    Spoken,
    Transcript,
    transcript,
)
from admin.check.summary import MARKS, word
from admin.explaining.explanation_text import draw_explanation
from admin.view.plain_text import printable

STYLES = {
    Verdict.PASS: "green",
    Verdict.WARN: "yellow",
    Verdict.FAIL: "bold red",
    Verdict.NOT_REACHED: "magenta",
}
PAGE = "docs/protocol.md"
"""What the sources of the cases are headings of."""
WIDTH = 110
"""Columns of what is drawn for a file."""
FIRST, LAST = 4, 12
"""Lines of a player's output that are shown: an error's text may come first, or last."""
SPEAKERS = {"A": "administrator", "P": "player"}


def plain(drawn: RenderableType) -> str:
    """Return what was drawn as plain text."""
    file = io.StringIO()
    console = Console(
        file=file, width=WIDTH, color_system=None, force_terminal=False, legacy_windows=False
    )
    console.print(drawn)
    return stripped(file.getvalue())


def stripped(text: str) -> str:
    """Return a text without blanks at the end of its lines."""
    return "\n".join(line.rstrip() for line in text.splitlines())


def headline(result: Result) -> Text:
    """Draw the verdict, the number and the title of a case in one line."""
    case, style = result.case, STYLES[result.verdict]
    return Text.assemble(
        (f"{MARKS[result.verdict]} {word(result)}", style),
        (f"  {case.number}  {case.title}", "bold"),
    )


def draw_case(result: Result) -> RenderableType:
    """Draw what was expected in a case, why, and what came."""
    case = result.case
    rows = [
        ("case", case.id),
        ("source", f"{PAGE}, {case.source.heading}: “{case.source.quoted}”"),
        ("expected", case.expected),
        ("came", result.came),
        ("hint", case.hint if hinted(result) else ""),
        *(("warning", warning) for warning in result.warnings),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in rows:
        style = STYLES[result.verdict] if label == "came" and not result.verdict.good else ""
        if text:
            table.add_row(label, Text(printable(text), style))
    return table


def draw_evidence(result: Result, measure: Measure = SHORT) -> RenderableType:
    """Draw what a verdict rests on: the explanation, what was said, what the player printed."""
    parts: list[RenderableType] = []
    explanation = explanation_of(result)
    if explanation is not None:
        parts.append(draw_explanation(explanation))
    parts += [
        part
        for part in (draw_wire(result, measure), draw_output(result, whole=measure == WHOLE))
        if part
    ]
    return Group(*(Padding(part, (1, 0, 0, 0)) for part in parts))


def draw_whole(result: Result, measure: Measure = SHORT) -> RenderableType:
    """Draw all of a case."""
    return Group(draw_case(result), draw_evidence(result, measure))


# -- what was said ------------------------------------------------------------------------------


def draw_wire(result: Result, measure: Measure = SHORT) -> Group | None:
    """Draw what was said on the wire, ``None`` if nothing was."""
    if not result.tried.lines:
        return None
    told = transcript(result.tried.lines, measure)
    heading = Text.assemble(
        ("What was said", "bold"),
        ("  A the administrator, P the player; seconds", "dim"),
        (f"; {CUT} where it was cut" if told.cut else "", "dim"),
    )
    return Group(heading, *(Padding(line, (0, 0, 0, 2)) for line in _wire(told)))


def _wire(told: Transcript) -> Iterator[RenderableType]:
    table = _wire_table()
    for said in told.opening:
        table.add_row(*_said(said))
    if told.left_out:
        table.add_row("", "..", Text(f"{told.left_out:,} messages are left out here", "italic"))
    for said in told.rest:
        table.add_row(*_said(said))
    yield table
    for speaker in told.overflow:
        yield Text(f"The {SPEAKERS[speaker]} said more than is written down.", "italic")


def _wire_table() -> Table:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _said(said: Spoken) -> tuple[str, Text, Text]:
    style = "cyan" if said.speaker == "P" else ""
    mark = Text(f"{said.speaker}>", f"bold {style}".strip())
    text = Text(said.head, style)
    if said.left_out:
        text.append(f" [.. {said.left_out:,} characters ..] ", "italic").append(said.tail)
    return f"{said.seconds:.3f}", mark, text


# -- what the player printed --------------------------------------------------------------------


def draw_output(result: Result, *, whole: bool = False) -> Group | None:
    """Draw what the player printed, its beginning and its end; ``None`` if that is nothing."""
    lines = printed(result)
    if not lines:
        return None
    left_out = 0 if whole else max(len(lines) - FIRST - LAST, 0)
    if left_out:
        told = f".. {left_out:,} lines are left out here .."
        lines = [*lines[:FIRST], told, *lines[FIRST + left_out :]]
    shown = Text("\n".join(lines), overflow="fold")
    return Group(Text("What the player printed", "bold"), Padding(shown, (0, 0, 0, 2)))
