"""A console for output that may go to a terminal, a file or a closed pipe; progress bars on it."""

import errno
import os
import re
import sys
from collections.abc import Iterable
from stat import S_ISCHR
from typing import Any, Self

from rich import progress
from rich.console import Console
from rich.segment import Segment
from rich.table import Column
from rich.text import Text

from ..refereeing.view.plain_text import JsonPrinter, printable, printable_text

PIPE_WIDTH = 1000  # columns where the output is a file or a pipe, so that no line is wrapped


class SafeConsole(Console):
    """A console that wraps lines on a terminal only, and goes quiet when its reader is gone.

    That is a pipe that is closed, or a terminal: games go on without a reader, or are stopped in
    order by the signal that a closed terminal sends.
    """

    def __init__(self, *, pipe_width: int = PIPE_WIDTH, **options: Any) -> None:
        # below what replaces the codes of others, around which a live display finds no way
        stream = sys.stderr if options.get("stderr") else sys.stdout
        options.setdefault("file", getattr(stream, "rich_proxied_file", stream))
        super().__init__(**options)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width, self.height = pipe_width, 25  # both, or a dumb terminal's are taken

    def print(self, *objects: Any, **options: Any) -> None:
        """Print as any console does; in a file or a pipe no line ends with blanks."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as captured:
            super().print(*objects, **options)
        text = Text(re.sub(r" +(?=\n)", "", captured.get()))
        super().print(text, end="", soft_wrap=True, highlight=False)

    def say(self, *lines: str, style: str = "", copied: bool = False) -> None:
        """Print lines of plain text, which may hold names and output of programs.

        A line with a command to be ``copied`` is not broken.
        """
        for line in lines:
            text = Text(printable(line), style)
            self.print(text, soft_wrap=copied or not self.is_terminal)

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        """Replace what would steer the terminal in all that is drawn, but no code of rich's own."""
        return super()._render_buffer(
            [
                segment if segment.control else segment._replace(text=printable_text(segment.text))
                for segment in buffer
            ]
        )

    def _write_buffer(self) -> None:
        try:
            super()._write_buffer()
        except OSError as error:
            if error.errno != errno.EIO or not S_ISCHR(os.fstat(self.file.fileno()).st_mode):
                raise
            raise BrokenPipeError from error  # the terminal was closed

    def on_broken_pipe(self) -> None:
        """Write to nowhere from now on."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())


def json_lines(console: SafeConsole, closed: str) -> JsonPrinter:
    """Return what prints JSON lines; the console says that they are ``closed`` to a reader."""
    return JsonPrinter(lambda: console.say(closed, style="bold"))


class Bar:
    """A progress bar on terminals, with a text before it, and what is going on after it.

    ``columns`` stand between the two, instead of a count and the time.
    """

    def __init__(
        self, console: Console, total: int, text: str, *columns: progress.ProgressColumn
    ) -> None:
        self.console = console  # prints above the bar
        self.progress = progress.Progress(
            progress.TextColumn("{task.fields[text]}"),
            progress.BarColumn(bar_width=30),
            *(columns or (progress.MofNCompleteColumn(), progress.TimeElapsedColumn())),
            # this one alone gives way where a line is too long
            progress.TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True)),
            console=console,
            expand=True,
            transient=True,
            disable=not console.is_terminal,
        )
        self.task = self.progress.add_task("", total=total, text=text)

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.progress.stop()

    def advance(self, done: int, total: int) -> None:
        """Show that some of all are done."""
        self.progress.update(self.task, completed=done, total=total)
