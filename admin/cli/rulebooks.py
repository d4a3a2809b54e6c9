"""``acquire rulebooks``: the options. :mod:`acquire.admin.cli.rulebooks_run` shows them."""

from .declared import DeclaredCommand, argument, option, option_group
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
        acquire rulebooks classic --init mine.toml        begin a rulebook of your own
        acquire rulebooks classic mine.toml               what it changes
        acquire rulebooks mine.toml --schemas schemas     the schemas to validate against
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


rulebooks = DeclaredCommand("rulebooks", RulebooksOptions, "rulebooks_run:run")
