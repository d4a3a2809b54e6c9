"""``acquire rulebooks``: the five side by side, or one of them with its prices."""

import json

import click

from admin.cli.options import RulebookName, rulebook_names


@click.command(short_help="Show the rulebooks side by side, or one with its prices.")
@click.argument(
    "rulebook_id", metavar="[ID]", type=RulebookName(), required=False,
    shell_complete=rulebook_names,
)  # fmt: skip
@click.option("--markdown", is_flag=True, help="Write Markdown, as docs/rulebooks.md is.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def rulebooks(rulebook_id: str | None, markdown: bool, as_json: bool) -> None:
    """Show in what the rulebooks differ: all of them row by row, or one with its prices.

    A cell in bold differs from `classic`. Every cell is drawn from the data that the referee
    plays by.

    \b
        acquire rulebooks
        acquire rulebooks corporations
    """
    from admin.rulebooks import tables as tables
    from game.rulebooks import RULEBOOKS

    chosen = list(RULEBOOKS.values()) if rulebook_id is None else [RULEBOOKS[rulebook_id]]
    if markdown:
        click.echo(tables.markdown(chosen), nl=False)
    elif as_json:
        click.echo(json.dumps([tables.fields(rulebook) for rulebook in chosen], indent=2))
    elif rulebook_id is None:
        tables.show_all(chosen)
    else:
        tables.show_one(chosen[0])
