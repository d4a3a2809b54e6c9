"""Output of the commands: a console that does not mind a closed pipe."""

import os

from rich.console import Console

UNFOLDED = 1000
"""Columns where the output is a file or a pipe: its lines are not to be folded."""


class Outlet(Console):
    """A console that folds lines on a terminal only, and falls silent when nobody reads it.

    Matches go on without a reader.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr)
        if not self.is_terminal and "COLUMNS" not in os.environ:
            self.width, self.height = UNFOLDED, 25  # both, or a dumb terminal's are taken

    def on_broken_pipe(self) -> None:
        """Write to nowhere from now on."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
