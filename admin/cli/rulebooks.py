"""``acquire rulebooks``: shows rulebooks, or writes what belongs to one."""

import shlex

import click

from ...protocol.commands import DeclaredCommand, argument, option, option_group
from .console import echo_json, unwritable_refused, write_new
from .options import RULEBOOK, File, Folder, NamedRulebook


@option_group
class RulebooksOptions:
    """Compare rulebooks, show one, or begin one of your own.

    The five rulebooks, or those named, are compared row by row; one is shown with its prices. A
    cell in bold differs from `classic`. Every cell is drawn from the data that the referee plays
    by. A rulebook of your own is a TOML file: one of the five as a base, and what it changes. Every
    command with --rulebook takes such a file.

    \b
        acquire rulebooks
        acquire rulebooks corporations
        acquire rulebooks classic --init mine.toml        begin one of your own
        acquire rulebooks classic mine.toml               what it changes
        acquire rulebooks mine.toml --schemas schemas     schemas to validate with

    Exit codes: 0 shown or written; 2 a rulebook or a file cannot be used.
    """

    named: tuple[NamedRulebook, ...] = argument(metavar="[RULEBOOK]...", type=RULEBOOK)
    markdown: bool = option("Write Markdown, as docs/reference/rulebooks.md is.")
    as_json: bool = option("Write JSON.", "--json")
    schemas: Folder | None = option(
        "Write the XML Schemas of one rulebook's messages and logs to a folder."
    )
    init: File | None = option(
        "Write a new file with every setting explained, based on the rulebook named."
    )


def run(options: RulebooksOptions) -> None:
    """Show rulebooks, or write a file."""
    from rich.console import Console
    from rich.markdown import Markdown

    from ...game.rulebooks import RULEBOOKS, is_one_of_the_five
    from ..advising.rulebooks import tables

    named = [each.value for each in options.named]
    chosen = named or list(RULEBOOKS.values())
    if options.init is not None:
        if len(named) > 1 or (named and not is_one_of_the_five(named[0])):
            raise click.UsageError("--init takes one of the five rulebooks as its base.")
        file, base = options.init, named[0] if named else RULEBOOKS["classic"]
        write_new(file, tables.template(base, file.stem))
        command = f"acquire rulebooks {base.id} {shlex.quote(str(file))}"
        click.echo(f"Wrote {file}. Next: edit it, then {command}")
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
        Console().print(Markdown(tables.markdown(chosen)))


rulebooks = DeclaredCommand("rulebooks", RulebooksOptions, "rulebooks:run")
