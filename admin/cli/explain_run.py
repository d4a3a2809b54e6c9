"""Explains the ejections of a game for ``acquire explain``."""

import sys
from pathlib import Path
from typing import Any

from rich.text import Text

from ..advising.explaining.explanation import Findings, as_json, findings
from ..advising.explaining.explanation_text import draw_explanation
from ..refereeing.log.reader import RecordedGame
from ..refereeing.view.outcome_text import show_end
from ..refereeing.view.plain_text import printable
from .console import echo_json, refuse
from .explain import ExplainOptions
from .log_file import read_log
from .safe_console import SafeConsole


def run(options: ExplainOptions) -> None:
    """Explain ejections, and exit with 0 if there was one."""
    log, seat = options.log, options.seat
    record = read_log(log)
    names = [each.name for each in record.header.seats]
    if seat is not None and seat not in names:
        refuse(f"{log}: nobody is called {seat!r}. There are: {', '.join(map(repr, names))}.")
    found = findings(record, seat)
    if options.as_json:
        _write(log, record, found)
    else:
        _show(log, record, found, seat)
    sys.exit(0 if found.explanations and found.verdict.divergence is None else 1)


def _write(log: Path, record: RecordedGame, found: Findings) -> None:
    outcome = found.outcome
    fields: dict[str, Any] = {
        "log": str(log),
        "rulebook": record.header.rulebook.id,
        "players": [seat.name for seat in record.header.seats],
        "complete": record.complete,
        "divergence": found.verdict.divergence,
        "turns": found.verdict.turns,
        "ending": outcome.ending.value,
        "standings": [standing._asdict() for standing in outcome.standings],
        "explanations": [as_json(each) for each in found.explanations],
    }
    echo_json(fields)


def _show(log: Path, record: RecordedGame, found: Findings, seat: str | None) -> None:

    console = SafeConsole()
    for number, explanation in enumerate(found.explanations):
        if number:
            console.print("\n" + "─" * min(console.width, 80) + "\n")
        console.print(draw_explanation(explanation))
    divergence = found.verdict.divergence
    if divergence is not None:
        said = f"{log}: diverges: {printable(divergence)}"
        told = Text(f"{said}\nIt is explained as far as it holds.")
        console.print(told, soft_wrap=True)
    if found.explanations:
        return
    who = "Nobody" if seat is None else printable(seat)
    so_far = " as far as the log holds" if divergence is not None else ""
    console.print(Text(f"{who} was {'' if seat is None else 'not '}ejected{so_far}."))
    players = ", ".join(printable(each.name) for each in record.header.seats)
    console.print(Text(f"Played, rulebook {record.header.rulebook.id}: {players}."))
    if not record.complete:
        console.print(Text(f"The log was cut short in turn {found.verdict.turns}."))
    elif divergence is None:
        show_end(console, None, found.outcome, ejections=True)
