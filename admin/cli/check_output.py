"""What ``acquire check`` prints: failed cases, other cases briefly, a table, a summary line."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TypeAlias

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Column, Table
from rich.text import Text

from ...protocol.faults import Reason
from ..refereeing.view.plain_text import plural, printable
from ..testing.cases.case import Case
from ..testing.judging.check_result import (
    CaseResult,
    CaseVerdict,
    CheckResult,
    group_similar,
    reason,
)
from ..testing.reports import case_text
from .safe_console import SafeConsole

MAX_IN_FULL = 5  # failed cases that are shown with their evidence; the others get one line each
MAX_NUMBERS = 12  # numbers of cases that are listed after a message about all of them

UNREACHED = (CaseVerdict.RIGHT_SO_FAR, CaseVerdict.NOT_REACHED)
"""The verdicts on cases that were not played to their end."""
NOTHING_WRONG = {CaseVerdict.PASS, CaseVerdict.WARN, CaseVerdict.RIGHT_SO_FAR}

RepeatCommand: TypeAlias = Callable[[str], str]  # the command to repeat a case, by its number


def sheet(*, stderr: bool = False) -> SafeConsole:
    """Return a console whose lines can be read also in a file."""
    return SafeConsole(pipe_width=case_text.WIDTH, stderr=stderr)


def show_cases(cases: Sequence[Case]) -> None:
    """List cases with their titles and sources, section by section."""
    lines: list[RenderableType] = []
    for section, group in groupby(cases, key=lambda case: case.section):
        table = Table.grid(Column(width=5, justify="right"), Column(), padding=(0, 1))
        for case in group:
            table.add_row(case.number, Text.assemble((case.title, "bold"), f"  {case.id}"))
            table.add_row("", Text(str(case.source), "dim"))
        title = f"\n{section.number}  {section.title}  ({section.slug})"
        lines += [Text(title, "bold"), table]
    sheet().print(Group(*lines, "", f"{plural(len(cases), 'case')}."))


def show(
    console: Console, check: CheckResult, repeat: RepeatCommand, *, verbose: bool = False
) -> None:
    """Show the result of a check; ``verbose`` shows all messages, also of passed cases."""
    for result in check.results if verbose else ():
        if result.verdict.passed:
            console.print(
                "",
                Rule(case_text.headline(result), align="left", style="dim"),
                case_text.draw_case(result),
            )
            for part in (
                case_text.draw_messages(result, case_text.WHOLE),
                case_text.draw_output(result),
            ):
                if part is not None:
                    console.print(Padding(part, (1, 0, 0, 0)))
    failed = [result for result in check.results if result.verdict is CaseVerdict.FAIL]
    unreached = [each for each in check.results if each.verdict in UNREACHED]
    in_full = failed if verbose else most_informative(failed)
    if not failed:
        in_full = [each for each in unreached if each.played and each.ended_by][:1]
    for result in in_full:
        _show_in_full(console, result, repeat, verbose=verbose)
    if briefly := [each for each in failed if each not in in_full]:
        more = f"\n{len(briefly)} more failed. For details: {repeat('NUMBER')}"
        console.print(Text(more, "bold"))
    for result in briefly:
        line = case_text.headline(result).append(f"\n    {printable(reason(result))}")
        console.print(line, no_wrap=True, overflow="ellipsis")
    left = [each for each in unreached if each not in in_full]
    _show_unreached(console, left)
    if left and check.subject != "player":
        number = left[0].case.number if len(left) == 1 else "NUMBER"
        console.print(Text.assemble(("\nTo repeat: ", "bold"), repeat(number)), soft_wrap=True)
    _show_warnings(console, [each for each in check.results if each not in in_full])
    console.print("", _table(check))
    for note in check.notes:
        console.print(Text.assemble(("Note: ", "bold"), note), soft_wrap=True)
    console.print(_summary(check), soft_wrap=True)


def most_informative(failed: Sequence[CaseResult]) -> list[CaseResult]:
    """Return a failed case for each kind of fault, in order, at most ``MAX_IN_FULL``.

    The mistake that is named in most cases of a kind is probably the cause of all, so the first of
    these is taken. The cases of framing come last where the fault is not about bytes: any bug
    shows there.
    """
    kinds: dict[str, list[tuple[str, CaseResult]]] = {}
    for result in sorted(failed, key=_fails_beside_framing):
        left = result.trial.ejected
        kind = left.violation.value if left is not None and left.violation else result.ended_by
        cause = left.hint if left is not None and not result.trial.was_silent else ""
        kinds.setdefault(kind, []).append((cause or result.actual, result))
    alike = [max(group_similar(found), key=lambda group: len(group[1])) for found in kinds.values()]
    return [results[0] for _, results in alike][:MAX_IN_FULL]


def _fails_beside_framing(result: CaseResult) -> bool:
    return result.case.section.slug == "framing" and result.ended_by != Reason.MALFORMED.value


def _show_in_full(
    console: Console, result: CaseResult, repeat: RepeatCommand, *, verbose: bool
) -> None:
    console.print("", Rule(case_text.headline(result), align="left", style="dim"))
    console.print(case_text.draw_whole(result, case_text.WHOLE if verbose else case_text.SHORT))
    entries = result.trial.transcript
    shortened = not verbose and case_text.shorten(entries, case_text.SHORT) != case_text.shorten(
        entries, case_text.WHOLE
    )
    more = "   (-v shows all messages in full)" if shortened else ""
    told = Text.assemble(("\nTo repeat: ", "bold"), f"{repeat(result.case.number)}{more}")
    console.print(told, soft_wrap=True)


def _show_unreached(console: Console, unreached: Sequence[CaseResult]) -> None:
    """Show each reason for which cases were not reached to their end once."""
    for verdict in UNREACHED:
        alike = [(result.actual, result) for result in unreached if result.verdict is verdict]
        for why, results in group_similar(alike):
            line = Text(f"\n{verdict.mark} {verdict.word}", verdict.style)
            console.print(line.append(f"  {_numbers(results)}", "bold"))
            console.print(Padding(Text(printable(why)), (0, 0, 0, 4)))


def _show_warnings(console: Console, results: Sequence[CaseResult]) -> None:
    warned = [(warning, result) for result in results for warning in result.warnings]
    if warned:
        console.print()
    for sentence, similar in group_similar(warned):
        line = Text(f"{CaseVerdict.WARN.mark} warning", CaseVerdict.WARN.style)
        line.append(f"  {printable(sentence)}", "default")
        console.print(line.append(f"  {_numbers(similar)}", "dim"), soft_wrap=True)


def _numbers(results: Sequence[CaseResult]) -> str:
    listed = ", ".join(result.case.number for result in results[:MAX_NUMBERS])
    more = len(results) - MAX_NUMBERS
    return f"{listed} and {more} more" if more > 0 else listed


def _table(check: CheckResult) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("section")
    for verdict in check.verdicts:
        table.add_column(f"{verdict.mark} {verdict.word}", justify="right")
    timed = any(result.seconds for result in check.results)
    if timed:
        table.add_column("seconds", justify="right")
    if check.weights is not None:
        table.add_column("points", justify="right")
    for section, results in check.sections:
        counts = Counter(result.verdict for result in results)
        cells = [
            Text(str(counts[verdict]), verdict.style) if counts[verdict] else Text("·", "dim")
            for verdict in check.verdicts
        ]
        seconds = [f"{sum(result.seconds for result in results):.1f}"] if timed else []
        score, most = check.points(results)
        points = [] if check.weights is None else [f"{score:.4g} of {most:.4g}"]
        table.add_row(str(section.number), section.title, *cells, *seconds, *points)
    return table


def _summary(check: CheckResult) -> Text:
    if check.passed:
        style = "bold green"
    elif {result.verdict for result in check.results} <= NOTHING_WRONG:
        style = "bold cyan"
    else:
        style = "bold red"
    score, most = check.points(check.results)
    points = "" if check.weights is None else f" {score:.4g} of {most:.4g} points."
    return Text.assemble((check.sentence + points, style), f" ({check.seconds:.1f} s)")
