"""A console for output that may go to a terminal, a file or a closed pipe."""

import os

from rich.console import Console

PIPE_WIDTH = 1000
"""Columns where the output is a file or a pipe, so that no line is wrapped."""


class SafeConsole(Console):
    """A console that wraps lines on a terminal only, and goes quiet when its pipe is closed.

    Matches go on without a reader.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width, self.height = PIPE_WIDTH, 25  # both, or a dumb terminal's are taken

    def on_broken_pipe(self) -> None:
        """Write to nowhere from now on."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
