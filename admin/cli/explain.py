"""``acquire explain``: why a player was ejected, from the game log."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..refereeing.view.plain_text import json_text
from .console import refuse
from .log_file import read_log

if TYPE_CHECKING:
    from ..advising.explaining.explanation import Findings
    from ..refereeing.log.reader import RecordedGame


@click.command(short_help="Explain why a player was ejected, from the game log.")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--seat", metavar="NAME", help="Explain only the ejection of this player.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def explain(log: Path, seat: str | None, as_json: bool) -> None:
    """Explain why a player was ejected.

    The game is replayed from its log. For each ejected player, or only for NAME, this prints the
    turn and the position, the answer received, the rule it broke and where that is written, the
    legal answers, and one correct answer.

    \b
        acquire explain matches/revised-seed7-game1.xml
        acquire explain matches/revised-seed7-game1.xml --seat alice

    Exit codes: 0 an ejection was explained; 1 nobody, or not this player, was ejected, or the log
    diverges from the rules and is explained as far as it holds; 2 the file is not a game log, or
    has no player of this name.
    """
    from ..advising.explaining.explanation import findings

    record = read_log(log)
    names = [each.name for each in record.header.seats]
    if seat is not None and seat not in names:
        refuse(f"{log}: nobody is called {seat!r}. There are: {', '.join(map(repr, names))}.")
    found = findings(record, seat)
    if as_json:
        _write(log, record, found)
    else:
        _show(log, record, found, seat)
    sys.exit(0 if found.explanations and found.verdict.divergence is None else 1)


def _write(log: Path, record: "RecordedGame", found: "Findings") -> None:

    from ..advising.explaining.explanation_json import as_json

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
    click.echo(json_text(fields, indent=2))


def _show(log: Path, record: "RecordedGame", found: "Findings", seat: str | None) -> None:
    from rich.text import Text

    from ..advising.explaining.explanation_text import draw_explanation
    from ..refereeing.view.outcome_text import show_end
    from ..refereeing.view.plain_text import printable
    from .safe_console import SafeConsole

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
