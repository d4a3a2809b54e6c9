"""The folder in which a referee keeps its logs."""

import os
import sys
from pathlib import Path

from .in_place import verify_in_place
from .writer import GameLog, Header, LogWriteError, Written, open_log


class LogFolder:
    """A folder that has to stay in place: as a context it is created if missing.

    ``LogWriteError`` if it cannot be used, or is not in place any more. Windows cannot open a
    folder, so there only a missing one is noticed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1

    def __enter__(self) -> "LogFolder":
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if sys.platform != "win32":
                self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise self._cannot(error) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def open_log(self, header: Header, written: Written) -> GameLog:
        """Create a log for a game; a folder that was deleted is not created again."""
        try:
            if self._descriptor >= 0:
                verify_in_place(self.path, self._descriptor)
        except OSError as error:
            raise self._cannot(error) from error
        return open_log(self.path, header, written)

    def _cannot(self, error: OSError) -> LogWriteError:
        return LogWriteError(
            f"The log folder {self.path} cannot be used: {error.strerror}. Give another --log-dir."
        )
