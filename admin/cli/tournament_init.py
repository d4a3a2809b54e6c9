"""Writes the file of ``acquire tournament init``."""

import shlex
from importlib.resources import files

import click

from .console import write_new
from .tournament import InitOptions


def init(options: InitOptions) -> None:
    """Write a tournament file to start from."""
    text = (files("acquire.admin.tournament.planning") / "sample.toml").read_text()
    file = options.file
    write_new(file, text, "Name a new file, or give --force.", "w" if options.force else "x")
    click.echo(f"Wrote {file}. Next: acquire tournament check {shlex.quote(str(file))}")
