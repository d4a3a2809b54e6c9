"""Programs that were tried before a tournament, in a terminal and as JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.text import Text

from ..advising.explaining.explanation_text import draw_explanation
from ..refereeing.view.plain_text import printable
from ..testing.judging.check_result import CaseResult
from ..testing.reports.case_text import (
    draw_case,
    explanation_of,
    headline,
    output_lines,
    plain_text,
    shown_output,
)
from ..tournament.planning.qualified_file import TriedVersion
from ..tournament.qualifying.trying import TriedPlayer

MAX_CASES = 3
"""Cases of a program that are shown in full; of more, only the titles."""
MAX_OUTPUT_LINES = 12
MAX_LINE_LENGTH = 200
WIDTH = 110


def show_tried(console: Console, tried: TriedPlayer) -> None:
    """Print whether a program has qualified, and if not, why."""
    name = printable(tried.player.name)
    if tried.qualified:
        console.print(Text.assemble((f"{name}: ", "bold"), "has qualified."))
        return
    console.print(Text(f"{name}: has not qualified.", "bold red"))
    if tried.failure or tried.absent:
        console.print(_indented(Text(printable(tried.why)), 2))
    if tried.failure:
        _print_lines(console, _lines(tried.output))
    elif tried.absent:
        _show_output(console, tried.failed[0])
    else:
        for number, result in enumerate(tried.failed):
            console.print(_indented(headline(result), 2))
            if number < MAX_CASES:
                console.print(_indented(draw_case(result), 4))
            if number == 0:
                if (explanation := explanation_of(result)) is not None:
                    console.print("", _indented(draw_explanation(explanation), 4), "", sep="\n")
                _show_output(console, result)


def _show_output(console: Console, result: CaseResult) -> None:
    if lines := shown_output(result):
        console.print(_indented(Text("Output of the player", "bold"), 4))
        _print_lines(console, lines)


def _print_lines(console: Console, lines: Sequence[str]) -> None:
    """Print lines of an output as they are: a wrapped traceback is hard to read."""
    for line in lines:
        console.print(Text(f"      {line}"), soft_wrap=True)


def _indented(drawing: RenderableType, columns: int) -> Constrain:
    """Indent a drawing; it is not wider than a page, also where lines are not wrapped."""
    return Constrain(Padding(drawing, (0, 0, 0, columns), expand=False), WIDTH)


def _lines(output: bytes) -> list[str]:
    """Return the last lines of an output, safe to print."""
    lines = output.decode(errors="backslashreplace").rstrip().splitlines()[-MAX_OUTPUT_LINES:]
    return [printable(line.expandtabs())[:MAX_LINE_LENGTH] for line in lines]


def tried_fields(
    tried: Mapping[str, TriedVersion], found: Sequence[TriedPlayer]
) -> dict[str, dict[str, Any]]:
    """Return what is known of each program, and the cases that were played just now."""
    played = {one.player.name: one for one in found}
    fields = {}
    for name, version in tried.items():
        fields[name] = {**version._asdict(), "plays": version.plays}
        if name in played:
            one = played[name]
            fields[name]["output"] = _lines(one.output)
            fields[name]["cases"] = [_case_fields(result) for result in one.results]
    return fields


def _case_fields(result: CaseResult) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "case": result.case.id,
        "title": result.case.title,
        "verdict": result.verdict.code,
        "actual": printable(result.actual),
    }
    if not result.verdict.passed:
        explanation = explanation_of(result)
        fields["expected"] = result.case.expected
        fields["explanation"] = plain_text(draw_explanation(explanation)) if explanation else None
        fields["output"] = output_lines(result)[-MAX_OUTPUT_LINES:]
    return fields
