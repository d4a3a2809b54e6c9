"""How a tournament's cost grows with games and teams: ``python -m bench.growth [--games N]``.

Games of built-in players are played, reported and audited by the commands, at sizes ten times apart
up to N (10,000). For the teams of a ladder nothing is played: rounds are paired, the results are
drawn at random, and all tables are made. Costs are CPU time, of all processes of a command, and the
peak of the memory of its largest process. The plot is written to docs/images/growth.svg.
"""

import argparse
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from command_line import ACQUIRE

from acquire.admin.studying.statistics.intervals import Estimate
from acquire.admin.tournament.games.entries import Entries, Entry
from acquire.admin.tournament.games.result import GameResult, PlayerVerdict, SeatResult
from acquire.admin.tournament.planning.pairing import Ladder
from acquire.admin.tournament.reporting.result_pages import Mark, interval_plot
from acquire.admin.tournament.standings.summarize import summarize
from bench.rows import seconds

SEATS, PLAYERS = 4, 5
GAMES_PER_DEAL = 20
"""Five players, four at a table: five tables, each in four seatings."""
PLAN = "[tournament]\nname = 'Growth'\nseats = 4\ndeals = {deals}\n" + "".join(
    f"[[players]]\nname = 'p{number}'\nstrategy = 'random'\n" for number in range(PLAYERS)
)
FIRST, FACTOR = 100, 10
TEAMS = (10, 100, 1000)
ROUNDS = 10
"""Rounds of a ladder, in each of which every team plays a block, or all but a few."""
POINTS = (3.0, 2.0, 1.0, 0.0)
SVG = Path(__file__).parents[2] / "docs" / "images" / "growth.svg"
STYLE = """<style>text { font: 13px sans-serif; fill: #555 } .label { fill: #222 }
.grid { stroke: #ddd } .mark { fill: #2563a8 } svg { background: white }</style>"""


class Cost(NamedTuple):
    """What one size of one thing costs: CPU seconds, and bytes of memory and on disk."""

    what: str
    size: int
    seconds: float
    memory: int = 0
    disk: int = 0

    @property
    def each(self) -> float:
        """Milliseconds for each game or team."""
        return 1000 * self.seconds / self.size


def measured(what: str, size: int, *words: object) -> Cost:
    """Run a command, and return its cost."""
    command = [ACQUIRE, "tournament", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Cost(what, size, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def tournaments(most: int) -> Iterator[Cost]:
    """Yield what tournaments of more and more games cost."""
    games = FIRST
    while games <= most:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            file, report = folder / "growth.toml", folder / "growth"
            file.write_text(PLAN.format(deals=games // GAMES_PER_DEAL))
            run = measured("run, games", games, "run", file)
            yield run._replace(disk=(folder / "growth.sqlite").stat().st_size)
            written = measured("report, games", games, "report", file)
            files = (path for path in report.rglob("*") if path.is_file())
            yield written._replace(disk=sum(path.stat().st_size for path in files))
            yield measured("audit, games", games, "audit", report)
        games *= FACTOR


def ladder(teams: int) -> Iterator[Cost]:
    """Yield what pairing the rounds of a ladder costs, and making its tables at the end."""
    chance = random.Random(7)
    entries = [Entry(number, f"team-{number:04}", "x", first=1) for number in range(1, teams + 1)]
    rounds, results = Ladder(Entries(entries)), list[GameResult]()
    pairing = 0.0
    for number in range(1, ROUNDS + 1):
        began = time.process_time()
        tables = rounds.pair(number, SEATS, results, random.Random(number))
        pairing += time.process_time() - began
        results += [
            result_of(f"r{number}-d1-t{at}", [entry.name for entry in table], chance)
            for at, table in enumerate(tables, 1)
        ]
    yield Cost("pairing, teams", teams, pairing)
    names = [entry.name for entry in entries]
    summary = seconds(lambda: summarize(names, results, POINTS, by_rating=True))
    yield Cost("tables, teams", teams, summary)


def result_of(block: str, names: list[str], chance: random.Random) -> GameResult:
    """Return a result drawn at random: the later teams are the stronger ones."""
    order = sorted(names, key=lambda name: -chance.gauss(int(name[5:]) / 100, 1.0))
    seats = tuple(
        SeatResult(name, PlayerVerdict.FINISHED, place, 40_000 // place, "", None, 60, 100, 10)
        for name in names
        for place in [order.index(name) + 1]
    )
    return GameResult(f"{block}-s1", block, 1, "no-placeable-tile", 60, None, seats)


def drawn(costs: list[Cost]) -> str:
    """Draw what each game or team costs: equal rows are linear growth."""
    marks = [
        Mark(f"{cost.what}: {cost.size:,}", Estimate(cost.each), f"{cost.each:.1f} ms")
        for cost in sorted(costs, key=lambda cost: cost.what)
    ]
    title = "Milliseconds of processor time for each game or team"
    svg = interval_plot("growth", title, "One row for each size.", marks, 0.0)
    return svg.replace(
        '<svg class="plot" width="100%"', '<svg xmlns="http://www.w3.org/2000/svg" width="820"'
    ).replace("</desc>", f"</desc>{STYLE}", 1)


def main() -> None:
    """Measure all, print it, and draw the plot."""
    parser = argparse.ArgumentParser(description="Measure how costs grow.")
    parser.add_argument("--games", type=int, default=10_000)
    most = parser.parse_args().games
    costs: list[Cost] = []
    print("| | size | CPU time | each | peak memory | on disk |\n|---|---|---|---|---|---|")
    for costs_of in (tournaments(most), *map(ladder, TEAMS)):
        for cost in costs_of:
            costs.append(cost)
            memory, disk = (f"{n / 1e6:.1f} MB" if n else "" for n in (cost.memory, cost.disk))
            size, each = f"{cost.size:,}", f"{cost.each:.2f} ms"
            row = cost.what, size, f"{cost.seconds:.1f} s", each, memory, disk
            print(f"| {' | '.join(row)} |", flush=True)
    SVG.write_text(drawn(costs))


if __name__ == "__main__":
    main()
