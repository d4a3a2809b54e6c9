"""A case, its verdict and the evidence for it as text: for the terminal, and plain for files.

Whatever a player sent is shown as text and cannot control the terminal.
"""

import io
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ....game.state import State
from ...advising.explaining.explanation import Explanation, explain
from ...advising.explaining.explanation_text import draw_explanation, readable
from ...refereeing.log.reader import read_bytes
from ...refereeing.view.plain_text import printable, printable_text
from ...refereeing.view.sentences import shortened
from ..judging.case_remarks import guess_at, silence
from ..judging.check_result import MARKS, WORDS, CaseResult, CaseVerdict
from ..trial.exit_report import exit_before_answer
from .transcript import SHORT, SPLIT_MARK, WHOLE, DisplayLimits, ShownMessage, Transcript, shorten

STYLES = {
    CaseVerdict.PASS: "green",
    CaseVerdict.WARN: "yellow",
    CaseVerdict.FAIL: "bold red",
    CaseVerdict.RIGHT_SO_FAR: "cyan",
    CaseVerdict.NOT_REACHED: "magenta",
}
WIDTH = 110
"""Columns of text for a file."""
FIRST_LINES, LAST_LINES = 4, 12
"""How many lines of a player's output are shown: an error's text may come first or last."""
MAX_LINE = 400
"""Characters that are shown of a line of it."""
SENDERS = {"A": "referee", "P": "player"}


def plain_text(drawing: RenderableType) -> str:
    """Return a drawing as plain text."""
    file = io.StringIO()
    console = Console(
        file=file, width=WIDTH, color_system=None, force_terminal=False, legacy_windows=False
    )
    console.print(drawing)
    return strip_lines(file.getvalue())


def strip_lines(text: str) -> str:
    """Return a text that can be shown, without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in printable_text(text).split("\n")).rstrip("\n")


def headline(result: CaseResult) -> Text:
    """Draw verdict, number and title of a case in one line."""
    case, style = result.case, STYLES[result.verdict]
    return Text.assemble(
        (f"{MARKS[result.verdict]} {WORDS[result.verdict]}", style),
        (f"  {case.number}  {case.title}", "bold"),
    )


def draw_case(result: CaseResult) -> RenderableType:
    """Draw what was expected in a case, its source, and what the player did."""
    case = result.case
    rows = [
        ("case", case.id),
        ("source", str(case.source)),
        ("expected", case.expected),
        ("actual", result.actual),
        ("guess", guess_at(result)),
        *(("warning", warning) for warning in result.warnings),
    ]
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in rows:
        style = STYLES[result.verdict] if label == "actual" and not result.verdict.passed else ""
        if text:
            table.add_row(label, Text(printable(text), style))
    return table


def draw_evidence(result: CaseResult, limits: DisplayLimits = SHORT) -> RenderableType:
    """Draw what a verdict is based on: explanation, messages, the player's output."""
    parts: list[RenderableType] = []
    explanation = explanation_of(result)
    if explanation is not None:
        parts.append(draw_explanation(explanation))
    parts += [
        part
        for part in (draw_messages(result, limits), draw_output(result, whole=limits == WHOLE))
        if part
    ]
    return Group(*(Padding(part, (1, 0, 0, 0)) for part in parts))


def draw_whole(result: CaseResult, limits: DisplayLimits = SHORT) -> RenderableType:
    """Draw a case with its evidence."""
    return Group(draw_case(result), draw_evidence(result, limits))


# -- the messages -------------------------------------------------------------------------------


def draw_messages(result: CaseResult, limits: DisplayLimits = SHORT) -> Group | None:
    """Draw the messages of a case, ``None`` if there were none."""
    if not result.trial.transcript:
        return None
    transcript = shorten(result.trial.transcript, limits)
    heading = Text.assemble(
        ("Messages", "bold"),
        ("  (seconds, sender: A the referee, P the player", "dim"),
        (f"; {SPLIT_MARK} where a message was split" if transcript.has_splits else "", "dim"),
        (")", "dim"),
    )
    return Group(heading, *(Padding(line, (0, 0, 0, 2)) for line in _message_lines(transcript)))


def _message_lines(transcript: Transcript) -> Iterator[RenderableType]:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for message in transcript.head:
        table.add_row(*_message_row(message))
    if transcript.omitted:
        table.add_row("", "..", Text(f"{transcript.omitted:,} messages omitted", "italic"))
    for message in transcript.tail:
        table.add_row(*_message_row(message))
    yield table
    for sender in transcript.truncated:
        yield Text(f"The {SENDERS[sender]} sent more than was recorded.", "italic")


def _message_row(message: ShownMessage) -> tuple[str, Text, Text]:
    style = "cyan" if message.sender == "P" else ""
    mark = Text(f"{message.sender}>", f"bold {style}".strip())
    text = Text(message.head, style)
    if message.omitted:
        text.append(f" [.. {message.omitted:,} characters ..] ", "italic").append(message.tail)
    return f"{message.seconds:.3f}", mark, text


# -- the player's output ------------------------------------------------------------------------


def draw_output(result: CaseResult, *, whole: bool = False) -> Group | None:
    """Draw the beginning and end of the player's output; ``None`` if there is none."""
    lines = shown_output(result, whole=whole)
    if not lines:
        return None
    shown = Text("\n".join(lines), overflow="fold")
    return Group(Text("Output of the program", "bold"), Padding(shown, (0, 0, 0, 2)))


def shown_output(result: CaseResult, *, whole: bool = False) -> list[str]:
    """Return the first and last lines of the player's output, or all of them."""
    lines = output_lines(result)
    omitted = 0 if whole else max(len(lines) - FIRST_LINES - LAST_LINES, 0)
    if omitted:
        lines = [
            *lines[:FIRST_LINES],
            f".. {omitted:,} lines omitted ..",
            *lines[FIRST_LINES + omitted :],
        ]
    return lines if whole else [shortened(line, MAX_LINE) for line in lines]


# -- the evidence -------------------------------------------------------------------------------

LOG = Path("the log of the case")


def explanation_of(result: CaseResult) -> Explanation | None:
    """Explain an ejection; ``None`` if there was none, or before the first position."""
    trial = result.trial
    explanation = _explain(trial.log, trial.name) if trial.ejected is not None else None
    if explanation is not None and (why := silence(result.case, trial)):
        explanation = replace(explanation, hint=why)
    early, report = exit_before_answer(trial, result.exit_report), result.exit_report
    if explanation is None or report is None or not early:
        return explanation
    return replace(explanation, detail=report.with_exception(early))


@lru_cache(maxsize=256)
def _explain(log: bytes, name: str) -> Explanation | None:
    found = explain(read_bytes(LOG, log), name)
    return found[0] if found else None


def position_of(result: CaseResult) -> State:
    """Return the position in which the player was ejected, or else the first one."""
    explanation = explanation_of(result)
    if explanation is not None:
        return explanation.position
    name = result.trial.name or result.case.name
    return result.case.script.with_subject_named(name).segments[0].position


def output_lines(result: CaseResult) -> list[str]:
    """Return the end of the player's output as printable lines."""
    if result.exit_report is None:
        return []
    return [readable(line.expandtabs()) for line in result.exit_report.output.rstrip().splitlines()]
