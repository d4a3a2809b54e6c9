"""Counts sequences of decisions for ``acquire perft``."""

from pathlib import Path

import click

from ...game.state import State, deal
from ...game.tiles import TILES, parse_tile
from ...protocol.files import bytes_of
from ..testing.perft.perft import Choices, InvalidPosition, Node, divide, perft, read_position
from .console import echo_json, refuse
from .perft import PerftOptions

WIDTH = 22  # columns of a decision, which few exceed


def run(options: PerftOptions) -> None:
    """Count, and print the counts."""
    node = Node(_begin(options))
    for words in options.after:
        node, decision = _decision(node)
        if words not in decision.words:
            one = f"{decision.player} cannot decide {words!r}"
            refuse(f"{one}. There are: {', '.join(map(repr, decision.words))}.")
        node = node.then(decision.words.index(words))
    node, decision = _decision(node)
    depths = range(1, options.depth + 1)
    counts = (
        divide(node, options.depth)
        if options.divide
        else ((f"depth {depth}", perft(node, depth)) for depth in depths)
    )
    rulebook = options.rulebook.value.id
    if options.as_json:
        fields = {"rulebook": rulebook, "after": options.after, "player": decision.player}
        found = dict(counts)
        all_of_it = {"divide": found} if options.divide else {"counts": [*found.values()]}
        echo_json(fields | {"depth": options.depth} | all_of_it)
        return
    click.echo(f"{rulebook}, {decision.player} decides first, depth {options.depth}")
    total = 0
    for name, count in counts:
        click.echo(f"{name:{WIDTH}} {count:>12,}")
        total += count
    if options.divide:
        click.echo(f"{'all':{WIDTH}} {total:>12,}")


def _begin(options: PerftOptions) -> State:
    rulebook, file = options.rulebook.value, options.position
    if file is not None and options.bag is not None:
        raise click.UsageError("--bag is for the start; a position file has a bag of its own.")
    try:
        if file is not None:
            return read_position(rulebook, _read(file))
        bag = TILES if options.bag is None else [*map(parse_tile, _read(options.bag).split())]
        return deal(rulebook, [*"abcdef"][: options.players], bag)
    except InvalidPosition as error:
        refuse(f"{file}: {error}")
    except ValueError as error:
        refuse(f"No game can be dealt: {error}.")


def _read(file: Path) -> str:
    try:
        return bytes_of(file).decode()
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.")


def _decision(node: Node) -> tuple[Node, Choices]:
    if (here := node.decision()) is None:
        refuse("The game is over there: nothing is left to decide.")
    return here
