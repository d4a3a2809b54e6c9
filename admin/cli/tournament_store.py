"""What the commands share that read a tournament: its store, the tables of it, and errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...protocol.settings_file import InvalidFile
from ..launching.building import CannotStore
from ..launching.player_folder import FolderRefused
from ..launching.sandbox import NoSandbox
from ..refereeing.table.listeners import CannotListen
from ..refereeing.view.plain_text import printable
from ..tournament.run.executors import CannotPlay
from ..tournament.store.store_reader import StoreError
from .console import refuse


@contextmanager
def errors_refused() -> Iterator[None]:
    """Refuse, with the error's own sentence, if a tournament cannot be played or read."""
    try:
        yield
    except (CannotListen, CannotPlay, CannotStore, InvalidFile, NoSandbox, StoreError) as error:
        refuse(str(error))
    except FolderRefused as error:
        refuse(printable(str(error)))


def store_path(file: Path, store: Path | None) -> Path:
    """Return the path of a tournament's store."""
    return store or file.with_suffix(".sqlite")
