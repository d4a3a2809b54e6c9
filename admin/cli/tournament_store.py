"""What the commands share that read a tournament's store: options, its path, and its errors."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ..refereeing.view.plain_text import printable
from .console import refuse

STORE = click.option(
    "--store",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with all games.  [default: FILE with .sqlite instead of .toml]",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


@contextmanager
def errors_refused() -> Iterator[None]:
    """Refuse, with the error's own sentence, if a tournament cannot be played or read."""
    try:
        yield
    except Exception as error:
        from ..launching.building import CannotStore
        from ..launching.player_folder import FolderRefused
        from ..launching.sandbox import NoSandbox
        from ..refereeing.table.listeners import CannotListen
        from ..tournament.run.executors import CannotPlay
        from ..tournament.store.store_format import StoreError

        refused = (CannotListen, CannotPlay, CannotStore, FolderRefused, NoSandbox, StoreError)
        if isinstance(error, refused):
            refuse(printable(str(error)) if isinstance(error, FolderRefused) else str(error))
        raise


def store_path(file: Path, store: Path | None) -> Path:
    """Return the path of a tournament's store."""
    return store or file.with_suffix(".sqlite")
