"""Progress bars of a check, of games played on, of an audit; they are shown on terminals only."""

from collections import Counter
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from ..testing.case_parts.case import Case
from ..testing.judging.check_result import CaseResult, CaseVerdict
from ..testing.reports.case_text import headline


class Bar:
    """A bar with a text before it, and a description of what is going on after it.

    ``columns`` stand between the two, instead of a count and the time.
    """

    def __init__(self, console: Console, total: int, text: str, *columns: ProgressColumn) -> None:
        self.progress = Progress(
            TextColumn("{task.fields[text]}"),
            BarColumn(bar_width=30),
            *(columns or (MofNCompleteColumn(), TimeElapsedColumn())),
            TextColumn("{task.description}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self.task = self.progress.add_task("", total=total, text=text)

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()


class CheckProgress(Bar):
    """Shows the progress of a check, prints a line for each failed case, collects the results."""

    def __init__(self, console: Console, total: int) -> None:
        super().__init__(console, total, "")
        self._console = console
        self._counts: Counter[CaseVerdict] = Counter()
        self.results: list[CaseResult] = []

    def case_started(self, case: Case) -> None:
        """Show which case is being played."""
        self.progress.update(self.task, description=escape(f"{case.number} {case.title}"))

    def case_judged(self, result: CaseResult) -> None:
        """Count the verdict."""
        self.results.append(result)
        self._counts[result.verdict] += 1
        marks = [
            f"[{verdict.style}]{verdict.mark} {self._counts[verdict]}[/]"
            for verdict in CaseVerdict
            if self._counts[verdict]
        ]
        self.progress.update(self.task, advance=1, text="  ".join(marks))
        if result.verdict is CaseVerdict.FAIL and self._console.is_terminal:
            self.progress.console.print(headline(result))


class TrialProgress(Bar):
    """Shows how many cases the programs of a tournament have played."""

    def __init__(self, console: Console) -> None:
        super().__init__(console, 0, "cases")

    @property
    def console(self) -> Console:
        """Prints above the bar."""
        return self.progress.console

    def begin(self, total: int) -> None:
        """Show how many cases there are."""
        self.progress.update(self.task, total=total)

    def case_started(self, case: Case) -> None:
        """Show which case was begun last."""
        self.progress.update(self.task, description=escape(case.title))

    def case_judged(self, result: CaseResult) -> None:
        """Count a case."""
        self.progress.update(self.task, advance=1)


class RowProgress(Bar):
    """Shows how many rows of a store, or pages of a report, have been audited or written."""

    def __init__(self, console: Console, what: str) -> None:
        super().__init__(console, 0, what)

    def advance(self, done: int, total: int) -> None:
        """Show that some rows of all are done."""
        self.progress.update(self.task, completed=done, total=total)
