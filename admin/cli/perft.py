"""``acquire perft``: the options. :mod:`acquire.admin.cli.perft_run` counts."""

from typing import Annotated

import click

from ...protocol.commands import DeclaredCommand, option, option_group
from .options import File, NamedRulebook, Seats, rulebook_option


@option_group
class PerftOptions:
    """Count the ways to play on, to compare another engine with this one.

    Counts the sequences of 1, 2, ... legal decisions from a position with a known bag. Where two
    engines count differently, --divide shows after which first decision they do, and --after goes
    on from there. docs/students/perft.md defines a decision and a position file, and has counts
    for all rulebooks.

    \b
        acquire perft --rulebook classic --depth 4
        acquire perft --rulebook classic \\
            --position docs/perft/mergers.txt --depth 3 --divide
        acquire perft --after "place 1A" --after "buy nothing" --depth 2 --divide

    Exit codes: 0 counted; 2 a file cannot be used, or there is no such decision.
    """

    rulebook: NamedRulebook = rulebook_option()
    position: File | None = option(
        "Begin with the position in this file.  [default: the start of a game]"
    )
    bag: File | None = option(
        "Deal the start from this file, one tile a line, the first drawn first.  [default: row by "
        "row, 1A 2A .. 12I]"
    )
    players: Seats = option("How many players to deal to.", default=3)
    depth: Annotated[int, click.IntRange(1, 99), "N"] = option(
        "How many decisions to look ahead.", default=3
    )
    after: tuple[str, ...] = option(
        "Begin after these decisions, in their order, in the words of --divide.", metavar="DECISION"
    )
    divide: bool = option("List each first decision, with how many sequences begin with it.")
    as_json: bool = option("Write JSON.", "--json")


perft = DeclaredCommand("perft", PerftOptions, "perft_run:run")
