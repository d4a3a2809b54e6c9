"""How strong the built-in players are, one against another: ``python -m bench.opponents``.

Every pairing plays under every rulebook at tables of four, two seats each: Acquire is a game for
several players, in which a merger pays a second holder, and a table of two would only measure the
play of two. A block is one bag, played in all six ways to give two seats of four to each side, so
both sides get the same deals. Blocks are independent, games of a block are not: the 95 % intervals
are of block means.

Measured are the share of the four comparisons of a game (each seat of one side with each of the
other) that the first side wins, a tie counting half, and by how much its mean money is more. Every
block is written to a file as soon as it is played; a second run plays only what is missing. Delete
the file after changing a player. First come a few blocks of everything, then more. Where two
rulebooks have the same rules, as `corporations` and `digest`, the games would be the same, and are
played once.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from quick_players import BUILT_IN
from rich.console import Console
from rich.progress import Progress

from acquire.admin.refereeing.play import in_process
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.referee import Referee
from acquire.admin.studying.statistics.intervals import CONFIDENCE, MIN_BLOCKS, critical_distance
from acquire.admin.tournament.run.executors import process_pool
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol.dialect import Dialect

SEATINGS = ("AABB", "BBAA", "ABAB", "BABA", "ABBA", "BAAB")
SEED = 20261122
CHUNK = 8
"""Blocks of a cell that are played before the next cell gets its turn."""


class Cell(NamedTuple):
    """A pairing under a rulebook; ``first`` is the player that should be stronger."""

    rulebook: str
    first: str
    second: str


class Block(NamedTuple):
    """The means of a block's six games: comparisons won, and dollars more."""

    won: float
    dollars: float


WEAKEST_FIRST = (
    "random",
    "ordered",
    "largest-alpha",
    "smallest-anti",
    "investor",
    "planner",
    "simulator",
)
assert {*WEAKEST_FIRST} == {*BUILT_IN}

Results = dict[Cell, dict[int, Block]]


def play_block(cell: Cell, number: int) -> Block:
    """Play one bag in all seatings."""
    rulebook = RULEBOOKS[cell.rulebook]
    makes = {"A": BUILT_IN[cell.first], "B": BUILT_IN[cell.second]}
    won, dollars = [], []
    for game, seating in enumerate(SEATINGS):
        names = [f"{side}{seat}" for seat, side in enumerate(seating)]
        seed = 100 * number + 10 * game
        players = {name: makes[name[0]](rulebook, seed + at) for at, name in enumerate(names)}
        dealer = Dealer(SEED, number)
        referee = Referee(rulebook, names, dealer.bag, dealer.shuffle, lambda _: None)
        outcome = in_process.play(referee.play(), players, Dialect.of(rulebook))
        assert not outcome.ejected, outcome
        money = {place.name: place.score for place in outcome.standings}
        mine, theirs = ([money[n] for n in names if n[0] == side] for side in "AB")
        won.append(fmean((a > b) + (a == b) / 2 for a in mine for b in theirs))
        dollars.append(fmean(mine) - fmean(theirs))
    return Block(fmean(won), fmean(dollars))


def cells() -> list[Cell]:
    """List all pairings, each under all rulebooks with rules of their own."""
    return [
        Cell(rulebook, stronger, weaker)
        for weaker, stronger in combinations(WEAKEST_FIRST, 2)
        for rulebook in dict.fromkeys(same_rules(rulebook) for rulebook in RULEBOOKS)
    ]


def same_rules(name: str) -> str:
    """Return the first rulebook with the rules of this one."""
    return next(
        other.id
        for other in RULEBOOKS.values()
        if asdict(replace(RULEBOOKS[name], id=other.id, title=other.title)) == asdict(other)
    )


def work(targets: dict[Cell, int], known: Results) -> Iterator[tuple[Cell, int]]:
    """Yield the blocks that are missing, a chunk of each cell in turn."""
    for begin in range(0, max(targets.values()), CHUNK):
        for cell, blocks in targets.items():
            for number in range(begin, min(begin + CHUNK, blocks)):
                if number not in known[cell]:
                    yield cell, number


def read(path: Path) -> Results:
    """Read the blocks that were played before."""
    found: Results = defaultdict(dict)
    for line in path.read_text().splitlines() if path.exists() else ():
        rulebook, first, second, number, won, dollars = json.loads(line)
        found[Cell(rulebook, first, second)][number] = Block(won, dollars)
    return found


def interval(values: Sequence[float], scale: float, digits: int) -> str:
    """Write a mean with half the width of its interval, if there are enough blocks for one."""
    mean = f"{fmean(values) * scale:,.{digits}f}"
    if len(values) < MIN_BLOCKS:
        return mean
    reach = critical_distance(CONFIDENCE, len(values) - 1) * stdev(values) / sqrt(len(values))
    return f"{mean} ± {reach * scale:,.{digits}f}"


def table(found: Results) -> str:
    """Write the results as markdown: a row a pairing, a column a rulebook."""
    lines = [
        f"| pairing | games each | {' | '.join(RULEBOOKS)} |",
        f"|---|---|{'---|' * len(RULEBOOKS)}",
    ]
    pairings = dict.fromkeys((cell.first, cell.second) for cell in cells())
    for first, second in pairings:
        row = [[*found[Cell(same_rules(r), first, second)].values()] for r in RULEBOOKS]
        if not all(row):
            continue
        numbers = sorted({len(blocks) * len(SEATINGS) for blocks in row})
        played = f"{numbers[0]:,}" + (f" to {numbers[-1]:,}" if len(numbers) > 1 else "")
        shown = [
            f"{interval([b.won for b in blocks], 100, 1)} %, "
            f"${interval([b.dollars for b in blocks], 1e-3, 1)}k"
            for blocks in row
        ]
        lines.append(f"| `{first}` : `{second}` | {played} | {' | '.join(shown)} |")
    return "\n".join(lines)


def main() -> None:
    """Play what is missing, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.opponents", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each pairing and rulebook")
    parser.add_argument("--slow-games", type=int, default=120, help="the same, with simulator")
    parser.add_argument("--results", type=Path, default=Path("opponents.jsonl"))
    parser.add_argument("--only", nargs="*", default=[], help="pairings of these players alone")
    options = parser.parse_args()
    targets = {
        cell: -(-(options.slow_games if "simulator" in cell else options.games) // len(SEATINGS))
        for cell in cells()
        if not options.only or {cell.first, cell.second} <= {*options.only}
    }
    found = read(options.results)
    todo = [*work(targets, found)]
    os.nice(10)
    with (
        process_pool(2) as pool,
        Progress(console=Console(file=sys.stderr)) as progress,
        options.results.open("a") as file,
    ):
        played = pool.map(play_block, *zip(*todo, strict=True)) if todo else iter(())
        for (cell, number), block in zip(
            todo, progress.track(played, len(todo), description="blocks"), strict=True
        ):
            file.write(json.dumps([*cell, number, *block]) + "\n")
            file.flush()
            found[cell][number] = block
    print(table(found))


if __name__ == "__main__":
    main()
