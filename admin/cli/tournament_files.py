"""Copies a tournament for ``acquire tournament backup``; what its other commands share."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ...protocol.settings_file import InvalidFile
from ..launching.building import CannotStore
from ..launching.player_folder import FolderRefused
from ..launching.sandbox import NoSandbox
from ..refereeing.table.listeners import CannotListen
from ..refereeing.view.plain_text import plural, printable
from ..tournament.run.backup import back_up
from ..tournament.run.executors import CannotPlay
from ..tournament.store.store_reader import StoreError
from .console import refuse, unwritable_refused
from .tournament import BackupOptions


def backup(options: BackupOptions) -> None:
    """Copy a tournament, also while it is played, and say how to go on from the copy."""
    file, target = options.file, options.target
    with errors_refused(), unwritable_refused(target, "Name another folder.", 1):
        if target.exists():
            refuse(f"{target} exists already. Name a folder that does not.")
        done = back_up(file, options.path, target)
    beside = f"{plural(done.files, 'file')}, {plural(done.folders, 'folder')} of players"
    click.echo(f"Wrote {target}: the store with {plural(done.rows, 'row')}, its secret, {beside}.")
    for path in done.left:
        click.echo(f"Not copied, as it lies elsewhere or cannot be read: {printable(path)}")
    command = f"acquire tournament run {shlex.quote(str(target / file.name))}"
    click.echo("It has the secret of the tournament: keep it to yourself.")
    click.echo(f"To go on from the copy where it is: {command}")
    back = file.absolute().parent
    click.echo(f"To restore: stop the run, and copy all that is in {target} back to {back}.")


@contextmanager
def errors_refused() -> Iterator[None]:
    """Refuse, with the error's own sentence, if a tournament cannot be played or read."""
    try:
        yield
    except (CannotListen, CannotPlay, CannotStore, InvalidFile, NoSandbox, StoreError) as error:
        refuse(str(error))
    except FolderRefused as error:
        refuse(printable(str(error)))
