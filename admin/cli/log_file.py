"""Game logs that are named on the command line."""

from pathlib import Path
from typing import TYPE_CHECKING

from .console import refuse

if TYPE_CHECKING:
    from ..refereeing.log.reader import RecordedGame


def read_log(path: Path) -> "RecordedGame":
    """Read a game log, or refuse."""
    from ..refereeing.log.reader import UnreadableLog, read
    from ..refereeing.view.sentences import shortened

    try:
        return read(path)
    except UnreadableLog as error:
        refuse(shortened(str(error)))
