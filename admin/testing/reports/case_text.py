"""A case, its verdict and the evidence for it as text: for the terminal, and plain for files.

Whatever a player sent is shown as text and cannot control the terminal.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from ....game.state import State
from ...advising.explaining.explanation import Explanation, findings
from ...advising.explaining.explanation_text import draw_explanation, readable
from ...refereeing.log.reader import read_bytes
from ...refereeing.view.plain_text import printable, shortened
from ..judging.case_judge import guess_at, silence
from ..judging.check_result import CaseResult
from ..trial.wire import MAX_RECORDED_BYTES, TranscriptEntry

HEAD_MESSAGES = 3  # how many of the first messages of a long conversation are shown
TAIL_CHARACTERS = 60  # how many of the last characters of a long message are shown
SPLIT_MARK = "│"  # marks where a message was split on purpose
MAX_MARKS = 4  # with more splits than this, only the number of pieces is shown


class ShownMessage(NamedTuple):
    """What A or P sent, ``seconds`` after the connection was made; a note has no sender."""

    seconds: float
    sender: str
    text: str


SHORT, LONG, WHOLE = (14, 220), (160, 4000), (0, 0)
"""How many messages of a conversation, and characters of a message, are shown; 0 for all."""


def shorten(
    entries: Sequence[TranscriptEntry], limits: tuple[int, int] = SHORT
) -> list[ShownMessage]:
    """Return a conversation shortened to some limits, with a note of what is not shown."""
    messages, characters = limits
    omitted = len(entries) - messages if messages and len(entries) > messages + 1 else 0
    shown = [*entries[:HEAD_MESSAGES], *entries[HEAD_MESSAGES + omitted :]]
    found = [ShownMessage(entry.seconds, entry.sender, _line(entry, characters)) for entry in shown]
    if omitted:
        found.insert(HEAD_MESSAGES, ShownMessage(0.0, "", f"{omitted:,} messages omitted"))
    for sender, name in (("A", "referee"), ("P", "player")):
        size = sum(len(entry.data) for entry in entries if entry.sender == sender)
        if size >= MAX_RECORDED_BYTES:
            found.append(ShownMessage(0.0, "", f"The {name} sent more than was recorded."))
    return found


def has_splits(messages: Sequence[ShownMessage]) -> bool:
    """Whether a split is marked in what is shown."""
    return any(SPLIT_MARK in message.text for message in messages)


def _line(entry: TranscriptEntry, most: int) -> str:
    """Write an entry in one line, with marks where it was split, and shorten it."""
    if len(entry.splits) > MAX_MARKS:
        text = f"{readable(entry.data)} (in {len(entry.splits) + 1} pieces)"
    else:
        pieces = pairwise([0, *entry.splits, len(entry.data)])
        text = SPLIT_MARK.join(readable(entry.data[begin:end]) for begin, end in pieces)
    if not most or len(text) <= most + TAIL_CHARACTERS:
        return text
    head, tail = text[: most - TAIL_CHARACTERS], text[-TAIL_CHARACTERS:]
    return f"{head} [.. {len(text) - most:,} characters ..] {tail}"


WIDTH = 110  # columns of text for a file
FIRST_LINES, LAST_LINES = 4, 12  # lines of a player's output: an error may come first or last
MAX_LINE = 400  # characters that are shown of such a line


def headline(result: CaseResult) -> Text:
    """Draw verdict, number and title of a case in one line."""
    case, style = result.case, result.verdict.style
    return Text.assemble(
        (f"{result.verdict.mark} {result.verdict.word}", style),
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
    table = Table.grid(Column(style="bold", no_wrap=True), Column(overflow="fold"), padding=(0, 2))
    for label, text in rows:
        style = result.verdict.style if label == "actual" and not result.verdict.passed else ""
        if text:
            table.add_row(label, Text(printable(text), style))
    return table


def draw_evidence(result: CaseResult, limits: tuple[int, int] = SHORT) -> RenderableType:
    """Draw what a verdict is based on: explanation, messages, the player's output."""
    explanation = explanation_of(result)
    parts = (
        None if explanation is None else draw_explanation(explanation),
        draw_messages(result, limits),
        draw_output(result, whole=limits == WHOLE),
    )
    return Group(*(Padding(part, (1, 0, 0, 0)) for part in parts if part is not None))


def draw_whole(result: CaseResult, limits: tuple[int, int] = SHORT) -> RenderableType:
    """Draw a case with its evidence."""
    return Group(draw_case(result), draw_evidence(result, limits))


# -- the messages -------------------------------------------------------------------------------


def draw_messages(result: CaseResult, limits: tuple[int, int] = SHORT) -> Group | None:
    """Draw the messages of a case, ``None`` if there were none."""
    if not result.trial.transcript:
        return None
    messages = shorten(result.trial.transcript, limits)
    heading = Text.assemble(
        ("Messages", "bold"),
        ("  (seconds, sender: A the referee, P the player", "dim"),
        (f"; {SPLIT_MARK} where a message was split" if has_splits(messages) else "", "dim"),
        (")", "dim"),
    )
    seconds_column = Column(justify="right", style="dim", no_wrap=True)
    table = Table.grid(
        seconds_column, Column(no_wrap=True), Column(overflow="fold"), padding=(0, 1)
    )
    for seconds, sender, text in messages:
        style = "cyan" if sender == "P" else ""
        mark = Text(f"{sender}>", f"bold {style}".strip())
        if sender:
            table.add_row(f"{seconds:.3f}", mark, Text(text, style))
        else:
            table.add_row("", "..", Text(text, "italic"))
    return Group(heading, Padding(table, (0, 0, 0, 2)))


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
    trial, report = result.trial, result.trial.exit_report
    if (left := trial.ejected) is None or (found := _explain(trial.log, trial.name)) is None:
        return None
    hint = silence(result.case, trial) or (left.hint if left.violation else found.hint)
    early = trial.early_exit
    detail = report.with_exception(early) if report is not None and early else found.detail
    return replace(found, hint=hint, detail=detail)


@lru_cache(maxsize=256)
def _explain(log: bytes, name: str) -> Explanation | None:
    found = findings(read_bytes(LOG, log), name).explanations
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
    if (report := result.trial.exit_report) is None:
        return []
    return [readable(line.expandtabs()) for line in report.output.rstrip().splitlines()]
