"""A check told to the person who waits for it: its progress, then what is wrong, then the counts.

Where the output is no terminal there is no progress, and the same words come out plain. The last
line is the one to read first.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from admin.check.case import Case
from admin.check.judging import Result, Verdict
from admin.check.reports.drawing import (
    STYLES,
    WIDTH,
    draw_case,
    draw_output,
    draw_whole,
    draw_wire,
    headline,
    stripped,
)
from admin.check.reports.transcript import SHORT, WHOLE, transcript
from admin.check.summary import MARKS, WORDS, Checked, alike, reason
from admin.view.plain_text import printable

IN_FULL = 5
"""Failed cases that are shown with all that is known of them, at most; the others have a line."""
NAMED = 12
"""Numbers of cases that are listed behind what is said of all of them."""

Again: TypeAlias = Callable[[str], str]
"""Gives the command that plays the case of a number."""


class Terminal:
    """A watcher that shows how far a check has come; on a terminal only."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._counts: Counter[Verdict] = Counter()
        self._progress = Progress(
            TextColumn("{task.fields[counts]}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=total, counts="")
        self.results: list[Result] = []
        """What was judged so far."""

    def __enter__(self) -> "Terminal":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begun(self, case: Case) -> None:
        """Show which case is played."""
        self._progress.update(self._task, description=f"{case.number} {case.title}")

    def judged(self, result: Result) -> None:
        """Count the verdict; say it at once where a case has failed."""
        self.results.append(result)
        self._counts[result.verdict] += 1
        marks = [
            f"[{STYLES[verdict]}]{MARKS[verdict]} {self._counts[verdict]}[/]"
            for verdict in Verdict
            if self._counts[verdict]
        ]
        self._progress.update(self._task, advance=1, counts="  ".join(marks))
        if result.verdict is Verdict.FAIL and self._console.is_terminal:
            self._progress.console.print(headline(result))


def show(console: Console, checked: Checked, again: Again, *, verbose: bool = False) -> None:
    """Show what came of a check; ``again`` gives the command that plays the case of a number.

    With ``verbose`` the conversations are whole, and those of the cases that were passed as well.
    """
    if console.is_terminal:
        _show(console, checked, again, verbose=verbose)
    else:
        file = io.StringIO()
        sheet = Console(file=file, width=min(console.width, WIDTH), color_system=None)
        _show(sheet, checked, again, verbose=verbose)
        console.print(Text(stripped(file.getvalue())), soft_wrap=True)


def _show(console: Console, checked: Checked, again: Again, *, verbose: bool) -> None:
    if verbose:
        _show_passed(console, checked.results)
    failed = [result for result in checked.results if result.verdict is Verdict.FAIL]
    unreached = [each for each in checked.results if each.verdict is Verdict.NOT_REACHED]
    full = failed if verbose else telling(failed)
    if not failed:
        full = [each for each in unreached if each.ended_by][:1]
    for result in full:
        _show_in_full(console, result, again, verbose=verbose)
    _show_others(console, [each for each in failed if each not in full], again)
    _show_unreached(console, [each for each in unreached if each not in full])
    _show_warnings(console, [each for each in checked.results if each not in full])
    console.print()
    console.print(_table(checked))
    for note in checked.notes:
        console.print(Text.assemble(("Note: ", "bold"), note), soft_wrap=True)
    console.print(_last(checked), soft_wrap=True)


def telling(failed: Sequence[Result]) -> list[Result]:
    """Return the failed cases that say most, in order: of each kind of fault the first one."""
    found: dict[str, Result] = {}
    for result in failed:
        found.setdefault(_kind(result), result)
    return list(found.values())[:IN_FULL]


def _kind(result: Result) -> str:
    left = result.tried.ejected
    return left.violation.value if left is not None and left.violation else result.ended_by


def _show_in_full(console: Console, result: Result, again: Again, *, verbose: bool) -> None:
    console.print()
    console.print(Rule(headline(result), align="left", style="dim"))
    console.print(draw_whole(result, WHOLE if verbose else SHORT))
    shorter = not verbose and transcript(result.tried.lines).shortened
    console.print()
    console.print(
        Text.assemble(
            ("Again: ", "bold"),
            again(result.case.number),
            "   (with -v the messages are whole)" if shorter else "",
        ),
        soft_wrap=True,
    )


def _show_passed(console: Console, results: Iterable[Result]) -> None:
    """Show the conversations of the cases that were passed."""
    for result in results:
        if result.verdict.good:
            console.print()
            console.print(Rule(headline(result), align="left", style="dim"))
            console.print(draw_case(result))
            for part in (draw_wire(result, WHOLE), draw_output(result)):
                if part is not None:
                    console.print(Padding(part, (1, 0, 0, 0)))


def _show_others(console: Console, failed: Sequence[Result], again: Again) -> None:
    """Show the failed cases that there was no room for, a line each."""
    if not failed:
        return
    console.print()
    console.print(Text(f"{len(failed)} more failed. All of one: {again('NUMBER')}", "bold"))
    for result in failed:
        line = headline(result).append(f"\n    {printable(reason(result))}")
        console.print(line, no_wrap=True, overflow="ellipsis")


def _show_unreached(console: Console, unreached: Sequence[Result]) -> None:
    """Say why cases were not reached, once for all of which it is the same."""
    for why, results in alike((result.came, result) for result in unreached):
        line = Text(f"\n{MARKS[Verdict.NOT_REACHED]} not reached", STYLES[Verdict.NOT_REACHED])
        console.print(line.append(f"  {_numbers(results)}", "bold"))
        console.print(Padding(Text(printable(why)), (0, 0, 0, 4)))


def _show_warnings(console: Console, results: Sequence[Result]) -> None:
    """Say each warning once."""
    warned = [(warning, result) for result in results for warning in result.warnings]
    if warned:
        console.print()
    for sentence, about in alike(warned):
        line = Text(f"{MARKS[Verdict.WARN]} warning", STYLES[Verdict.WARN])
        line.append(f"  {printable(sentence)}", "default")
        console.print(line.append(f"  {_numbers(about)}", "dim"), soft_wrap=True)


def _numbers(results: Sequence[Result]) -> str:
    """List the numbers of cases, or the first of them."""
    told = ", ".join(result.case.number for result in results[:NAMED])
    more = len(results) - NAMED
    return f"{told} and {more} more" if more > 0 else told


def _table(checked: Checked) -> Table:
    """Draw the counts and the times of the sections."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("section")
    for verdict in Verdict:
        table.add_column(f"{MARKS[verdict]} {WORDS[verdict]}", justify="right")
    table.add_column("seconds", justify="right")
    for section, results in checked.sections:
        counts = Counter(result.verdict for result in results)
        cells = [
            Text(str(counts[verdict]), STYLES[verdict]) if counts[verdict] else Text("·", "dim")
            for verdict in Verdict
        ]
        seconds = sum(result.seconds for result in results)
        table.add_row(str(section.number), section.title, *cells, f"{seconds:.1f}")
    return table


def _last(checked: Checked) -> Text:
    style = "bold green" if checked.clean else "bold red"
    return Text.assemble((checked.sentence, style), f" ({checked.pace})")
