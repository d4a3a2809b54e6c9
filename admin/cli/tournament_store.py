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
from ..tournament.standings.summarize import summarize
from ..tournament.standings.summary import Summary
from ..tournament.store.store import Store
from ..tournament.store.store_format import StoreError
from ..tournament.store.stored import stored_facts, stored_results
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


def summarize_store(store: Store) -> Summary:
    """Return all tables of the games that count."""
    facts = stored_facts(store)
    names = [name for name, _ in facts["players"]]
    by_rating = facts["format"] == "ladder"
    return summarize(names, stored_results(store, facts), facts["points"], by_rating=by_rating)
