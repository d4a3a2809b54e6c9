"""Match logs that are named on the command line."""

from pathlib import Path
from typing import TYPE_CHECKING

from .console import refuse

if TYPE_CHECKING:
    from ..log.reader import RecordedMatch


def read_log(path: Path) -> "RecordedMatch":
    """Read a match log, or refuse."""
    from ..log.reader import UnreadableLog, read
    from ..view.sentences import shortened

    try:
        return read(path)
    except UnreadableLog as error:
        refuse(shortened(str(error)))
