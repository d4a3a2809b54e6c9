"""Shows rulebooks for ``acquire rulebooks``, or writes what belongs to one."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from ...game.rulebook import Rulebook
from ...game.rulebooks import RULEBOOKS, is_one_of_the_five
from ..advising.rulebooks import tables
from .console import echo_json, unwritable_refused, write_new
from .rulebooks import RulebooksOptions


def run(options: RulebooksOptions) -> None:
    """Show rulebooks, or write a file."""
    named = [each.value for each in options.named]
    chosen = named or list(RULEBOOKS.values())
    if options.init is not None:
        _begin(options.init, named)
    elif options.schemas is not None:
        if len(named) != 1:
            raise click.UsageError("--schemas needs one rulebook: its id, or its file.")
        with unwritable_refused(options.schemas):
            written = tables.write_schemas(named[0], options.schemas)
        click.echo("\n".join(map(str, written)))
    elif options.markdown:
        click.echo(tables.markdown(chosen), nl=False)
    elif options.as_json:
        echo_json([tables.fields(rulebook) for rulebook in chosen])
    else:
        tables.show(chosen)


def _begin(file: Path, named: Sequence[Rulebook]) -> None:
    if len(named) > 1 or (named and not is_one_of_the_five(named[0])):
        raise click.UsageError("--init takes one of the five rulebooks as its base.")
    base = named[0] if named else RULEBOOKS["classic"]
    write_new(file, tables.template(base, file.stem))
    command = f"acquire rulebooks {base.id} {shlex.quote(str(file))}"
    click.echo(f"Wrote {file}. Next: edit it, then {command}")
