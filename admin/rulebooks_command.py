"""``acquire rulebooks``: the five side by side, or one of them with its prices."""

import json
from typing import Any

import click


def rulebook_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a rulebook on the command line."""
    from game.rulebooks import RULEBOOKS

    return [name for name in RULEBOOKS if name.startswith(incomplete)]


class RulebookName(click.ParamType[str]):
    """The id of a rulebook."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check that there is such a rulebook."""
        from game.rulebooks import RULEBOOKS

        if value not in RULEBOOKS:
            self.fail(f"{value!r} is no rulebook. There are: {', '.join(RULEBOOKS)}.", param, ctx)
        return str(value)


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
    from admin import rulebook_tables as tables
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
