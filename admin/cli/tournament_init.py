"""Writes the file of ``acquire tournament init``."""

import shlex
from importlib.resources import files

import click

from .console import refuse, unwritable_refused
from .tournament import InitOptions


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
