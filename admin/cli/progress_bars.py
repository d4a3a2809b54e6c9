"""Progress bars, which are shown on terminals only."""

from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)


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

    @property
    def console(self) -> Console:
        """Prints above the bar."""
        return self.progress.console

    def advance(self, done: int, total: int) -> None:
        """Show that some of all are done."""
        self.progress.update(self.task, completed=done, total=total)
