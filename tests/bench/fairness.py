"""What balanced seatings and duplicate deals are worth: ``python -m bench.fairness``.

Four players, by default equals, or those named (``random`` ...), play the same number of games
five times over: in fixed seats, rotated or balanced ones, with a bag for every game or one for
every block. Printed are each seat's mean placement, and how wide the intervals of the players'
mean points are.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.games.result import FinishedGame, GameResult
from acquire.admin.tournament.planning.facts import Seatings
from acquire.admin.tournament.planning.game_seeds import seed_of
from acquire.admin.tournament.planning.schedule import Game, Seating, seatings
from acquire.admin.tournament.run.built_in import play_batch
from acquire.admin.tournament.run.executors import process_pool
from acquire.admin.tournament.run.game_recorder import GameSettings
from acquire.admin.tournament.standings.summarize import summarize
from acquire.game.rulebooks import REVISED
from acquire.protocol.rulebook_file import to_json

NAMES = ("ann", "bob", "cyd", "dan")
POINTS = (3.0, 2.0, 1.0, 0.0)
BLOCKS = 83
FIXED = ((0, 1, 2, 3),)
ROTATIONS = seatings(Seatings.ROTATIONS, len(NAMES))
BALANCED = seatings(Seatings.BALANCED, len(NAMES))
GAMES = BLOCKS * len(BALANCED)
BATCH = 24


class Design(NamedTuple):
    """How games are laid out: in blocks of some seatings, each block with one bag or with many."""

    name: str
    seatings: tuple[Seating, ...]
    duplicate: bool


DESIGNS = (
    Design("fixed seats", FIXED, False),
    Design("rotations", ROTATIONS, False),
    Design("balanced", BALANCED, False),
    Design("rotations, duplicate deals", ROTATIONS, True),
    Design("balanced, duplicate deals", BALANCED, True),
)


def games(design: Design) -> Iterator[Game]:
    """Yield the games of a design; as many for each, all with chance of their own."""
    for number in range(GAMES):
        block, which = divmod(number, len(design.seatings))
        key = f"{design.name} {block if design.duplicate else number}"
        players = tuple(NAMES[player] for player in design.seatings[which])
        yield Game(f"d{block}-t1-s{which + 1}", f"d{block}-t1", seed_of(1, key), players)


def play(
    design: Design, settings: GameSettings, executor: Executor, progress: Progress
) -> list[GameResult]:
    """Play a design's games in the pool."""
    every = list(games(design))
    work = [every[at : at + BATCH] for at in range(0, len(every), BATCH)]
    results = []
    for batch in progress.track(
        executor.map(play_batch, [settings] * len(work), work), len(work), description=design.name
    ):
        for played in batch:
            assert isinstance(played, FinishedGame), played
            results.append(played.result)
    return results


def main(strategies: list[str]) -> None:
    """Measure and print a row a design."""
    if strategies and len(strategies) != len(NAMES):
        sys.exit(f"Name {len(NAMES)} strategies, or none for four of `random`.")
    chosen = strategies or ["random"] * len(NAMES)
    settings = GameSettings(to_json(REVISED), True, dict(zip(NAMES, chosen, strict=True)))
    console = Console()
    console.width = max(console.width, 130)
    table = Table(title=f"{GAMES} games of {', '.join(chosen)}; 95 % intervals")
    for heading in (
        "design",
        *(f"seat {n}" for n in range(1, 5)),
        "width of points",
        "against 1st",
    ):
        table.add_column(heading, justify="left" if heading == "design" else "right")
    first = 0.0
    with process_pool(2) as executor, Progress(console=console, transient=True) as progress:
        for design in DESIGNS:
            summary = summarize(NAMES, play(design, settings, executor, progress), POINTS)
            width = sum(_width(row.points) for row in summary.rows) / len(summary.rows)
            first = first or width
            seats = [
                f"{row.placement.value:.3f} ± {_width(row.placement) / 2:.3f}"
                for row in summary.seats
            ]
            table.add_row(design.name, *seats, f"{width:.4f}", f"{width / first:.2f}")
    console.print(table)


def _width(estimate: Estimate) -> float:
    assert estimate.low is not None and estimate.high is not None
    return estimate.high - estimate.low


if __name__ == "__main__":
    main(sys.argv[1:])
