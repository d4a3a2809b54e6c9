"""Measure every goal, and print it beside what was measured: ``python -m bench [--quick]``."""

import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from acquire.admin.refereeing.play import events
from acquire.admin.refereeing.play import in_process as local
from acquire.admin.refereeing.play.dealer import Dealer
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.tiles import tile_name
from acquire.player.strategies.simple import Random
from acquire.protocol import messages
from acquire.protocol.writing import Writer
from bench import crowd, engine, spectators, wire
from bench.script import script
from bench.servers import cpu_per_turn, echo, pin, referee

SEED = 2013
QUICK = "--quick" in sys.argv
ROUNDS = 3 if QUICK else 9
WIDTH = 118
"""Columns of the table, so that no row is folded where the output is a file."""


class Measured(NamedTuple):
    """One goal: the ratio measured, what it may be at most (or at least), and both medians."""

    what: str
    ratio: float
    goal: str
    met: bool
    ours: str
    theirs: str


def seconds(run: Callable[[], object]) -> float:
    """Return the CPU seconds of one run in this process."""
    began = time.process_time()
    run()
    return time.process_time() - began


def interleaved(ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[float, float]:
    """Return the medians of two measurements taken in turn."""
    pairs = [(ours(), theirs()) for _ in range(ROUNDS)]
    first, second = zip(*pairs, strict=True)
    return statistics.median(first), statistics.median(second)


def at_most(
    what: str, goal: float, ours: float, theirs: float, unit: str, scale: float
) -> Measured:
    """Judge a ratio that is to be small; the medians are shown in ``unit``."""
    ratio = ours / theirs
    shown = [f"{value * scale:.3g} {unit}" for value in (ours, theirs)]
    return Measured(what, ratio, f"<= {goal:g}", ratio <= goal, *shown)


def measure_server() -> list[Measured]:
    """Compare the whole referee with a bare echo, and 32 games at once with one."""
    scripts = [script(SEED, game) for game in range(1, (8 if QUICK else 32) + 1)]

    def one() -> float:
        return cpu_per_turn(referee, SEED, scripts, 1)

    def bare() -> float:
        return cpu_per_turn(echo, SEED, scripts, 1)

    def many() -> float:
        return cpu_per_turn(referee, SEED, scripts, 32)

    return [
        at_most(
            "referee over TCP / bare trio echo, CPU a turn", 1.2, *interleaved(one, bare), "us", 1
        ),
        at_most(
            "32 games at once / one at a time, CPU a turn", 1.0, *interleaved(many, one), "us", 1
        ),
    ]


def measure_crowd() -> list[Measured]:
    """Compare 64 games of 256 players at once with one at a time, in a tournament's server."""
    rounds, games = (1, 16) if QUICK else (3, 64)
    pairs = [(crowd.cpu_per_turn(64, games), crowd.cpu_per_turn(1, games)) for _ in range(rounds)]
    many, one = (statistics.median(column) for column in zip(*pairs, strict=True))
    what = "64 games (256 players) at once / one at a time, CPU a turn"
    return [at_most(what, 1.0, many, one, "us", 1)]


def measure_spectators() -> list[Measured]:
    """Compare what a game costs with 500 spectators and without pages, pages' process apart."""
    found = spectators.measure(3 if QUICK else spectators.ROUNDS)
    bare, crowded = spectators.median(found.bare), spectators.median(found.crowded)
    ratio = spectators.ratio(found.crowded, found.bare)
    what = f"referee with {spectators.SPECTATORS} spectators / without pages, CPU a turn"
    speed = [f"{cost.referee:.3g} us" for cost in (crowded, bare)]
    return [Measured(what, ratio, "<= 1.1", ratio <= 1.1, *speed)]


def measure_engine() -> list[Measured]:
    """Compare the rules engine with the reference, after checking that they agree."""
    return [_measure_engine(REVISED), _measure_engine(CLASSIC)]


def _measure_engine(rulebook: Rulebook) -> Measured:
    engine.compare(rulebook, 20)
    games = 30 if QUICK else 100
    bags = engine.bags(games)
    names = [[tile_name(tile) for tile in bag] for bag in bags]

    def fast() -> float:
        return seconds(lambda: [engine.fast(rulebook, bag, n) for n, bag in enumerate(bags)])

    def reference() -> float:
        return seconds(
            lambda: [engine.by_reference(rulebook, bag, n) for n, bag in enumerate(names)]
        )

    ours, theirs = interleaved(fast, reference)
    speed = [f"{games / value:,.0f} games/s" for value in (ours, theirs)]
    what = f"random games of {rulebook.id} a second, engine / reference"
    return Measured(what, theirs / ours, ">= 12", theirs / ours >= 12, *speed)


def last_state() -> messages.State:
    """Return the position at the end of a game, the longest that is written."""
    seen: list[events.Ended] = []
    dealer = Dealer(SEED)
    names = engine.NAMES
    referee = Referee(
        REVISED,
        names,
        dealer.bag,
        dealer.shuffle,
        lambda event: seen.append(event) if isinstance(event, events.Ended) else None,
    )
    local.play(referee.play(), {name: Random(REVISED, 0) for name in names})
    state = seen[0].state
    return messages.State(state.board, state.players)


def measure_wire() -> list[Measured]:
    """Compare framing, parsing and writing with lxml alone."""
    rounds = 300 if QUICK else 2000
    reader, writer, state = wire.reader(), Writer(REVISED), last_state()
    text = writer.write(state)
    scale = 1e6 / rounds
    frame = interleaved(
        lambda: seconds(lambda: wire.frame_and_parse(rounds, reader)),
        lambda: seconds(lambda: wire.bare_parse(rounds)),
    )
    write = interleaved(
        lambda: seconds(lambda: wire.write_state(rounds, writer, state)),
        lambda: seconds(lambda: wire.tree_of_state(rounds, text)),
    )
    few = max(rounds // 50, 5)
    cut = interleaved(
        lambda: seconds(lambda: wire.framer_byte_by_byte(few)),
        lambda: seconds(lambda: wire.framer_in_one_piece(few)),
    )
    return [
        at_most("framing + parsing a reply / lxml.etree.fromstring", 1.15, *frame, "us", scale),
        at_most("bytes of a state / lxml tree + tostring", 1 / 20, *write, "us", scale),
        at_most("4 KB byte by byte / in one piece, framer", 3.0, *cut, "us", 1e6 / few),
    ]


def main() -> None:
    """Measure all and print the table."""
    pin()
    console = Console()
    console.width = max(console.width, WIDTH)
    rows: list[Measured] = []
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=5)
        measures = (measure_wire, measure_engine, measure_server, measure_crowd, measure_spectators)
        for measure in measures:
            rows += measure()
            progress.advance(task)
    table = Table(title=f"CPU time, one core, medians of {ROUNDS}, interleaved")
    for heading in ("what", "goal", "measured", "", "ours", "theirs"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for row in rows:
        met = "met" if row.met else "missed"
        table.add_row(row.what, row.goal, f"{row.ratio:.3g}", met, row.ours, row.theirs)
    console.print(table)


main()
