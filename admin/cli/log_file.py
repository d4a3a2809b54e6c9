"""Game logs that are named on the command line."""

from pathlib import Path

from ..refereeing.log.reader import RecordedGame, UnreadableLog, read
from ..refereeing.view.sentences import shortened
from .console import refuse


def read_log(path: Path) -> RecordedGame:
    """Read a game log, or refuse."""
    try:
        return read(path)
    except UnreadableLog as error:
        refuse(shortened(str(error)))
