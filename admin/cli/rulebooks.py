"""``acquire rulebooks``: rulebooks side by side, or one of them with its prices."""

import shlex
from pathlib import Path

import click

from ..refereeing.view.plain_text import json_text
from .console import refuse
from .options import NamedRulebook, RulebookType


@click.command(short_help="Compare rulebooks, show one, or begin one of your own.")
@click.argument("named", metavar="[RULEBOOK]...", type=RulebookType(), nargs=-1)
@click.option("--markdown", is_flag=True, help="Write Markdown, as docs/rulebooks.md is.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option(
    "--schemas",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write the XML Schemas of one rulebook's messages and logs to a folder.",
)
@click.option(
    "--init",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a new file with every setting explained, based on the rulebook named.",
)
def rulebooks(
    named: tuple[NamedRulebook, ...],
    markdown: bool,
    as_json: bool,
    schemas: Path | None,
    init: Path | None,
) -> None:
    """Compare rulebooks row by row: the five, or those named; show one with its prices.

    A cell in bold differs from `classic`. Every cell is drawn from the data that the referee
    plays by. A rulebook of your own is a TOML file: one of the five as a base, and what it
    changes. Every command with --rulebook takes such a file.

    \b
        acquire rulebooks
        acquire rulebooks corporations
        acquire rulebooks classic --init mine.toml        begin a rulebook of your own
        acquire rulebooks classic mine.toml               what it changes
        acquire rulebooks mine.toml --schemas schemas     the schemas to validate against
    """
    from ...game.rulebooks import RULEBOOKS, is_one_of_the_five
    from ..advising.rulebooks import tables, template

    chosen = [each.value for each in named] or list(RULEBOOKS.values())
    if init is not None:
        if len(named) > 1 or (named and not is_one_of_the_five(chosen[0])):
            raise click.UsageError("--init takes one of the five rulebooks as its base.")
        base = chosen[0] if named else RULEBOOKS["classic"]
        try:
            with init.open("x", encoding="utf-8") as file:
                file.write(template.text(base, init.stem))
        except FileExistsError:
            refuse(f"{init} exists already. Name a new file.")
        except OSError as error:
            refuse(f"{init} cannot be written: {error.strerror}.")
        command = f"acquire rulebooks {base.id} {shlex.quote(str(init))}"
        click.echo(f"Wrote {init}. Next: edit it, then {command}")
    elif schemas is not None:
        if len(named) != 1:
            raise click.UsageError("--schemas needs one rulebook: its id, or its file.")
        try:
            written = tables.write_schemas(chosen[0], schemas)
        except OSError as error:
            refuse(f"{schemas} cannot be written: {error.strerror}.")
        click.echo("\n".join(map(str, written)))
    elif markdown:
        click.echo(tables.markdown(chosen), nl=False)
    elif as_json:
        click.echo(json_text([tables.fields(rulebook) for rulebook in chosen], indent=2))
    elif len(chosen) == 1:
        tables.show_one(chosen[0])
    else:
        tables.show_all(chosen)
