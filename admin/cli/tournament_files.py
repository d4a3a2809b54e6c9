"""The files of a tournament: ``acquire tournament init`` and ``backup``; where its store is."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import click

from ...protocol.settings_file import InvalidFile
from ..refereeing.view.plain_text import plural, printable
from .console import refuse, unwritable_refused
from .tournament import BackupOptions, InitOptions


def init(options: InitOptions) -> None:
    """Write a tournament file to start from."""
    text = (files("acquire.admin.tournament.planning") / "sample.toml").read_text()
    file = options.file
    with unwritable_refused(file):
        try:
            with file.open("w" if options.force else "x") as opened:
                opened.write(text)
        except FileExistsError:
            refuse(f"{file} already exists. Choose another name, or overwrite it with --force.")
    click.echo(f"Wrote {file}. Next: acquire tournament check {shlex.quote(str(file))}")


def backup(options: BackupOptions) -> None:
    """Copy a tournament, also while it is played, and say how to go on from the copy."""
    from ..tournament.run.backup import back_up

    file, target = options.file, options.target
    with errors_refused(), unwritable_refused(target, "Name another folder.", 1):
        if target.exists():
            refuse(f"{target} exists already. Name a folder that does not.")
        done = back_up(file, store_path(file, options.store), target)
    beside = f"{plural(done.files, 'file')}, {plural(done.folders, 'folder')} of players"
    click.echo(f"Wrote {target}: the store with {plural(done.rows, 'row')}, its secret, {beside}.")
    for path in done.left:
        click.echo(f"Not copied, as it lies elsewhere or cannot be read: {printable(path)}")
    command = f"acquire tournament run {shlex.quote(str(target / file.name))}"
    click.echo("It has the secret of the tournament: keep it to yourself.")
    click.echo(f"To go on from the copy where it is: {command}")
    click.echo(f"To restore: stop the run, and copy all that is in {target} back to {file.parent}.")


@contextmanager
def errors_refused() -> Iterator[None]:
    """Refuse, with the error's own sentence, if a tournament cannot be played or read."""
    from ..launching.building import CannotStore
    from ..launching.player_folder import FolderRefused
    from ..launching.sandbox import NoSandbox
    from ..refereeing.table.listeners import CannotListen
    from ..tournament.run.executors import CannotPlay
    from ..tournament.store.store_reader import StoreError

    try:
        yield
    except (CannotListen, CannotPlay, CannotStore, InvalidFile, NoSandbox, StoreError) as error:
        refuse(str(error))
    except FolderRefused as error:
        refuse(printable(str(error)))


def store_path(file: Path, store: Path | None) -> Path:
    """Return the path of a tournament's store."""
    return store or file.with_suffix(".sqlite")
