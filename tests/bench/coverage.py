"""How often intervals miss the true mean, and groups separate equals: ``python -m bench.coverage``.

Tournaments are simulated: in every round the players are dealt to tables, which play a block of
games each, one per seat. The strength of a player in a game is its own, plus the luck of the block,
plus that of the game (Gumbel's distribution, so that places follow the Plackett-Luce model). The
true means come from a tournament of 20,000 rounds.

``python -m bench.coverage games`` plays real games instead, 300 blocks of built-in players, and
draws the blocks of each tournament from them.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from acquire.admin.studying.statistics.intervals import (
    IntervalKind,
    block_means,
    compare,
    estimates,
)
from acquire.admin.tournament.games.result import FinishedGame
from acquire.admin.tournament.planning.facts import Seatings
from acquire.admin.tournament.planning.schedule import Game, seatings
from acquire.admin.tournament.run.built_in import play_built_in_game
from acquire.admin.tournament.run.game_recorder import GameSettings
from acquire.admin.tournament.standings.summarize import tally
from acquire.game.rulebooks import REVISED
from acquire.protocol.rulebook_file import to_json

BLOCKS = (5, 10, 20, 40)
TOURNAMENTS = 2000
LONG = 20_000
PLAYED = 300
"""Blocks of a population."""
LUCK = 0.5
"""Standard deviation of a player's luck in a block."""


class Field(NamedTuple):
    """Players by their strengths, and how many sit at a table."""

    name: str
    strengths: tuple[float, ...]
    seats: int


FIELDS = (
    Field("2 equal", (0.0,) * 2, 2),
    Field("4 equal", (0.0,) * 4, 4),
    Field("12 equal", (0.0,) * 12, 4),
    Field("2 unequal", (1.0, -1.0), 2),
    Field("4 unequal", (1.5, 0.5, -0.5, -1.5), 4),
    Field("12 from weak to strong", tuple(np.linspace(2, -2, 12).tolist()), 4),
    Field("2 strong, 2 weak", (3.0, 3.0, -3.0, -3.0), 4),
    Field("6 strong, 6 weak", (1.0,) * 6 + (-1.0,) * 6, 4),
    Field("4, one nearly always first", (4.0, 0.0, 0.0, -3.0), 4),
)


class Found(NamedTuple):
    """Shares of all intervals: ``missed`` their true mean, and ``without`` an interval.

    ``wrong`` is the share of tournaments that separate equal players, ``right`` that of the unequal
    pairs that are separated; ``None`` if there are no such pairs.
    """

    missed: float
    without: float
    wrong: float | None
    right: float | None


class Population(NamedTuple):
    """Blocks that were really played, from which those of tournaments are drawn."""

    name: str
    strengths: tuple[float, ...]
    seats: int
    sums: NDArray[np.float64]


Players: TypeAlias = Field | Population
"""What a tournament is drawn from."""


def play(field: Players, rounds: int, chance: np.random.Generator) -> NDArray[np.float64]:
    """Return the sums of a tournament: by block and player, the number of games and the points."""
    if isinstance(field, Population):
        return field.sums[chance.integers(0, len(field.sums), rounds)]
    strengths, seats = np.array(field.strengths), field.seats
    order = np.argsort(chance.random((rounds, len(strengths))), axis=1)
    tables = order.reshape(-1, seats)
    luck = chance.normal(0, LUCK, tables.shape)
    form = (strengths[tables] + luck)[:, np.newaxis] + chance.gumbel(
        size=(len(tables), seats, seats)
    )
    points = np.argsort(np.argsort(form, axis=2), axis=2).sum(axis=1)
    sums = np.zeros((len(tables), len(strengths), 2))
    rows = np.arange(len(tables))[:, np.newaxis]
    sums[rows, tables, 0] = seats
    sums[rows, tables, 1] = points
    return sums


def played(*strategies: str) -> Population:
    """Play all orders of a table of built-in players, with one bag per block."""
    names = [f"p{number}" for number in range(len(strategies))]
    who = dict(zip(names, strategies, strict=True))
    settings = GameSettings(to_json(REVISED), True, who)
    orders = seatings(Seatings.ROTATIONS, len(names))
    games = [
        Game(f"d{block}-t1-s{at}", f"d{block}", block, tuple(names[player] for player in order))
        for block in range(PLAYED)
        for at, order in enumerate(orders, 1)
    ]
    results = []
    for game in track(games, ", ".join(strategies), transient=True):
        found = play_built_in_game(settings, game)
        assert isinstance(found, FinishedGame), found
        results.append(found.result)
    points = range(len(names) - 1, -1, -1)
    tallied = tally(names, results, points)
    sums = tallied.sums[:, : len(names), :2] / [1, tallied.units[0]]
    kinds = [float(strategies.index(strategy)) for strategy in strategies]
    return Population(", ".join(strategies), tuple(kinds), len(names), sums)


def measure(field: Players, blocks: int, tournaments: int, chance: np.random.Generator) -> Found:
    """Simulate tournaments in which every player has so many blocks."""
    everything = field.sums if isinstance(field, Population) else play(field, LONG, chance)
    true = block_means(everything, (1,)).values[:, 0]
    kind = IntervalKind(1, 6, (0.0, field.seats - 1.0))
    equal = np.equal.outer(field.strengths, field.strengths)
    above = np.triu(np.ones(equal.shape, np.bool_), 1)
    missed, without = 0, 0
    wrong, right = 0, 0.0
    for _ in range(tournaments):
        sums = play(field, blocks, chance)
        means = block_means(sums, (1,))
        for player, (found,) in enumerate(estimates(sums, means, [kind])):
            if found.low is None or found.high is None:
                without += 1
            else:
                missed += not found.low <= true[player] <= found.high
        distinct = compare(means.values[:, 0], means.pulls[:, :, 0], means.blocks).distinct
        wrong += bool((distinct & equal).any())
        right += float(distinct[above & ~equal].sum())
    pairs = int((above & ~equal).sum())
    return Found(
        missed / len(true) / tournaments,
        without / len(true) / tournaments,
        wrong / tournaments if (above & equal).any() else None,
        right / pairs / tournaments if pairs else None,
    )


def main(fields: Sequence[Players], tournaments: int = TOURNAMENTS) -> None:
    """Measure and print a row for every field and number of blocks."""
    chance = np.random.default_rng(20)
    table = Table(title=f"{tournaments} tournaments each; %")
    columns = ("missed", "no interval", "equals separated", "others separated")
    for heading in ("players", "blocks of each", *columns):
        table.add_column(heading, justify="left" if heading == "players" else "right")
    for field in track(fields, transient=True):
        for blocks in BLOCKS:
            found = measure(field, blocks, tournaments, chance)
            cells = ["" if share is None else f"{100 * share:.1f}" for share in found]
            table.add_row(field.name, str(blocks), *cells)
    Console().print(table)


if __name__ == "__main__":
    if "games" in sys.argv:
        unequal = ("investor", "random", "ordered", "smallest-anti")
        main([played(*unequal), played("investor", "investor", "random", "random")])
    else:
        main(FIELDS)
