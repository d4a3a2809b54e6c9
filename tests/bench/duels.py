"""How often duels are wrong, and how many games they take: ``python -m bench.duels``.

``drawn`` first records blocks of built-in players, and plays thousands of duels whose blocks are
drawn from these. ``ratio`` compares them with sequential likelihood ratio tests, ``unequal`` draws
duels between unequal players. A fixed-size tournament is one whose size was chosen before for a
power of 90 % at a two-sided test of 5 %.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from acquire.admin.studying.statistics.intervals import MIN_BLOCKS, SHARES, interval
from acquire.admin.tournament.dueling.contestants import parse_contestants
from acquire.admin.tournament.dueling.duel_evidence import DuelQuestion, DuelVerdict, Measure
from acquire.admin.tournament.dueling.duel_plan import Lineup, lineup
from acquire.admin.tournament.games.result import GameResult
from acquire.admin.tournament.planning.facts import Seatings
from acquire.admin.tournament.planning.game_seeds import seed_of
from acquire.admin.tournament.planning.schedule import Game, seatings
from acquire.admin.tournament.run.built_in import play_built_in_game
from acquire.admin.tournament.run.executors import process_pool
from acquire.admin.tournament.run.game_recorder import GameSettings
from acquire.game.rulebooks import RULEBOOKS
from acquire.protocol.rulebook_file import to_json

ERROR_RATE = 0.05
FIXED = (1.96 + 1.2816) ** 2
"""Blocks of a fixed-size tournament, times the squared ratio of difference and deviation."""
RECORDED = 600
"""Blocks of a pairing that are recorded."""
DRAWN_DUELS = 4000
MAX_BLOCKS = 1000
"""Blocks of a duel: 4,000 games at tables of four."""


class Pairing(NamedTuple):
    """Who meets, by the names of built-in players, the challenger first."""

    players: tuple[str, ...]
    rulebook: str = "revised"
    seats: int | None = None
    measure: Measure = Measure.POINTS

    @property
    def name(self) -> str:
        """A name for tables."""
        first, *others = self.players
        seats = f", {self.seats} seats" if self.seats else ""
        measure = "" if self.measure is Measure.POINTS else f", {self.measure.value}"
        rulebook = "" if self.rulebook == "revised" else f", {self.rulebook}"
        return f"{first} : {' '.join(others)}{rulebook}{seats}{measure}"

    @property
    def lineup(self) -> Lineup:
        """Who sits where."""
        found = parse_contestants(self.players, Path.cwd())
        return lineup(found, RULEBOOKS[self.rulebook], self.seats)

    @property
    def question(self) -> DuelQuestion:
        """What is asked, with the default margin."""
        seated, measure = self.lineup, self.measure
        return DuelQuestion(seated, measure, measure.default_margin(seated.seats), ERROR_RATE)


EQUAL = (
    Pairing(("random", "random")),
    Pairing(("random", "random"), seats=3),
    Pairing(("random", "random"), seats=6),
    Pairing(("random", "random"), "classic", 2),
    Pairing(("random", "random"), measure=Measure.WINS),
    Pairing(("random", "random"), measure=Measure.MONEY),
)
UNEQUAL = (
    Pairing(("investor", "random")),
    Pairing(("smallest-anti", "ordered")),
    Pairing(("largest-alpha", "ordered")),
    Pairing(("random", "ordered")),
)


# -- playing ------------------------------------------------------------------------------------


def games(seated: Lineup, seed: int) -> Iterator[Game]:
    """Yield the games of a duel with one table: blocks of rotations, neighbours by chance."""
    names = [name for team in seated.teams for name in team]
    chance = np.random.default_rng(seed)
    deal = 0
    while True:
        deal += 1
        circle = chance.permutation(names).tolist()
        for at, order in enumerate(seatings(Seatings.ROTATIONS, len(names)), 1):
            players = tuple(circle[place] for place in order)
            block = f"d{deal}-t1"
            yield Game(f"{block}-s{at}", block, seed_of(seed, block), players)


def settings_of(pairing: Pairing) -> GameSettings:
    """Return what all games of a pairing have in common."""
    seated = pairing.lineup
    strategies = {
        name: one.text
        for one, team in zip(seated.contestants, seated.teams, strict=True)
        for name in team
    }
    return GameSettings(to_json(RULEBOOKS[pairing.rulebook]), True, strategies)


def record_blocks(pairing: Pairing, first: int, blocks: int) -> list[float]:
    """Return the values of some blocks."""
    question, settings = pairing.question, settings_of(pairing)
    size = question.lineup.games_in_block
    played: list[GameResult] = [
        play_built_in_game(settings, game).result
        for game in islice(games(pairing.lineup, first), size * blocks)
    ]
    values = [question.difference(game) for game in played]
    return [fmean(values[at : at + size]) for at in range(0, len(values), size)]


def recorded(pairing: Pairing, executor: Executor, blocks: int) -> NDArray[np.float64]:
    """Play blocks of a pairing in the pool."""
    pieces = 20
    work = [executor.submit(record_blocks, pairing, at, blocks // pieces) for at in range(pieces)]
    return np.array([value for piece in work for value in piece.result()])


class Population(NamedTuple):
    """Blocks from which those of duels are drawn: their values, and how likely each is."""

    values: NDArray[np.float64]
    chances: NDArray[np.float64]

    @classmethod
    def equal(cls, values: NDArray[np.float64]) -> "Population":
        """Return values that are equally likely."""
        return cls(values, np.full(len(values), 1 / len(values)))

    @property
    def mean(self) -> float:
        """The true difference."""
        return float(self.values @ self.chances)

    @property
    def deviation(self) -> float:
        """The standard deviation of a block."""
        return float(np.sqrt((self.values - self.mean) ** 2 @ self.chances))

    def tilted(self, mean: float) -> "Population":
        """Return the same values with another mean: high ones are more likely."""
        low, high = 0.0, 100.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            chances = np.exp(middle * self.values)
            found = Population(self.values, chances / chances.sum())
            low, high = (middle, high) if found.mean < mean else (low, middle)
        return found


# -- drawing ------------------------------------------------------------------------------------


class Drawn(NamedTuple):
    """Of duels whose blocks were drawn: the share of each verdict, and their blocks."""

    shares: dict[DuelVerdict, float]
    mean: float
    median: float


def draw_duels(
    population: Population, question: DuelQuestion, duels: int, chance: np.random.Generator
) -> Drawn:
    """Play duels that draw their blocks, with replacement, from a population."""
    ends = [draw_duel(population, question, chance) for _ in range(duels)]
    found = Counter(verdict for verdict, _ in ends)
    lengths = [blocks for _, blocks in ends]
    shares = {verdict: found[verdict] / duels for verdict in DuelVerdict}
    return Drawn(shares, fmean(lengths), median(lengths))


def draw_duel(
    population: Population, question: DuelQuestion, chance: np.random.Generator
) -> tuple[DuelVerdict, int]:
    """Play one duel; return its verdict and blocks."""
    drawn = chance.choice(population.values, MAX_BLOCKS, p=population.chances)
    ends = {
        DuelVerdict.STRONGER: refutes(drawn, question, 0, above=True),
        DuelVerdict.WEAKER: refutes(drawn, question, 0, above=False),
        DuelVerdict.EQUAL: refutes(drawn, question, -question.margin, above=True)
        & refutes(drawn, question, question.margin, above=False),
    }
    blocks, verdict = min(
        ((int(np.argmax(end)) + 1 if end.any() else MAX_BLOCKS + 1), verdict.value)
        for verdict, end in ends.items()
    )
    if blocks > MAX_BLOCKS:
        return DuelVerdict.UNDECIDED, MAX_BLOCKS
    return DuelVerdict(verdict), blocks


def refutes(
    drawn: NDArray[np.float64], question: DuelQuestion, mean: float, *, above: bool
) -> NDArray[np.bool_]:
    """Return after which blocks it is refuted that the mean is at most (at least) this.

    The same as an interval after each block, but much faster; ``verify_refutes`` compares them.
    """
    least, most = question.bounds
    scaled, middle = (drawn - least) / (most - least), (mean - least) / (most - least)
    if not above:
        scaled, middle = 1 - scaled, 1 - middle
    growth = np.log1p(np.outer(SHARES, scaled / middle - 1)).cumsum(axis=1)
    capital = np.logaddexp.reduce(growth, axis=0) - np.log(len(SHARES))
    return np.asarray(capital >= np.log(2 / question.error_rate))


def verify_refutes(population: Population, question: DuelQuestion) -> None:
    """Verify that drawn duels end where those with intervals do."""
    for seed in range(5):
        verdict, blocks = draw_duel(population, question, np.random.default_rng(seed))
        drawn = np.random.default_rng(seed).choice(
            population.values, MAX_BLOCKS, p=population.chances
        )
        for size in (blocks - 1, blocks):
            ones = np.ones(size)
            bounds = interval(drawn[:size], ones, *question.bounds, question.error_rate)
            found = question.verdict(bounds)
            expected = verdict if size == blocks else DuelVerdict.UNDECIDED
            assert found is expected, (seed, size, found, expected)


def draw_ratio_tests(
    population: Population, margin: float, first: int, chance: np.random.Generator
) -> tuple[float, float]:
    """Return how often a sequential likelihood ratio test finds a difference, and its blocks.

    It decides between no difference and one of the margin, with 5 % of errors each, and takes the
    variance from the blocks so far (GSPRT); it first looks after so many blocks.
    """
    found, lengths = 0, []
    for _ in range(DRAWN_DUELS):
        drawn = chance.choice(population.values, MAX_BLOCKS, p=population.chances)
        blocks = np.arange(1, MAX_BLOCKS + 1)
        mean = drawn.cumsum() / blocks
        variance = np.maximum((drawn**2).cumsum() / blocks - mean**2, 1e-12)
        ratio = blocks * margin * (mean - margin / 2) / variance
        ends = np.abs(ratio) >= np.log((1 - ERROR_RATE) / ERROR_RATE)
        ends[: first - 1] = False
        end = int(np.argmax(ends)) if ends.any() else MAX_BLOCKS - 1
        found += bool(ends.any() and ratio[end] > 0)
        lengths.append(end + 1)
    return found / DRAWN_DUELS, fmean(lengths)


# -- the tables ---------------------------------------------------------------------------------


def table(title: str, *headings: str) -> Table:
    """Return an empty table."""
    found = Table(title=title)
    for heading in headings:
        found.add_column(heading, justify="left" if heading == "players" else "right")
    return found


def per_cent(share: float) -> str:
    """Write a share."""
    return f"{100 * share:.1f}"


def drawn_equal(console: Console) -> None:
    """Draw duels between equal players, and between players as unequal as the margin."""
    shown = table(
        f"{DRAWN_DUELS:,} duels drawn from {RECORDED} blocks each; %",
        *("players", "difference", "stronger", "weaker", "equal", "undecided"),
        *("wrong", "games, mean", "median"),
    )
    chance = np.random.default_rng(18)
    with process_pool(2) as executor:
        for pairing in track(EQUAL, transient=True, console=console):
            question = pairing.question
            values = recorded(pairing, executor, RECORDED)
            even = Population.equal(np.concatenate((values, -values)))  # equals are symmetric
            verify_refutes(even, question)
            for mean in (0.0, question.margin):
                population = even.tilted(mean)
                found = draw_duels(population, question, DRAWN_DUELS, chance)
                wrong = (
                    found.shares[DuelVerdict.WEAKER]
                    + found.shares[DuelVerdict.EQUAL if mean else DuelVerdict.STRONGER]
                )
                cells = [per_cent(found.shares[verdict]) for verdict in DuelVerdict]
                size = question.lineup.games_in_block
                shown.add_row(
                    *(pairing.name, f"{mean:.3g}", *cells, per_cent(wrong)),
                    *(f"{found.mean * size:,.0f}", f"{found.median * size:,.0f}"),
                )
    console.print(shown)


RARE = Population(np.array([0.2, -1.8]), np.array([0.9, 0.1]))
"""Of equal programs, one is a little better in nine blocks, and much worse in the tenth."""


def ratio_tests(console: Console) -> None:
    """Compare with sequential likelihood ratio tests, of which 5 % are said to be wrong."""
    shown = table(
        f"{DRAWN_DUELS:,} duels drawn; likelihood ratio tests look first after some blocks",
        *("players", "difference", "duel: wrong, %", "games"),
        *(
            f"ratio test from {first}: {what}"
            for first in RATIO_TESTS
            for what in ("wrong", "games")
        ),
    )
    chance = np.random.default_rng(20)
    pairing = EQUAL[0]
    question = pairing.question
    size, margin = question.lineup.games_in_block, question.margin
    with process_pool(2) as executor:
        values = recorded(pairing, executor, RECORDED)
    even = Population.equal(np.concatenate((values, -values)))
    rows = ((pairing.name, even, 0.0), (pairing.name, even.tilted(margin), margin))
    for name, population, mean in (*rows, ("one rarely much worse", RARE, 0.0)):
        duel = draw_duels(population, question, DRAWN_DUELS, chance)
        lost = duel.shares[DuelVerdict.WEAKER]
        wrong = lost + duel.shares[DuelVerdict.EQUAL if mean else DuelVerdict.STRONGER]
        cells = [per_cent(wrong), f"{duel.mean * size:,.0f}"]
        for first in RATIO_TESTS:
            found, blocks = draw_ratio_tests(population, margin, first, chance)
            cells += [per_cent(1 - found if mean else found), f"{blocks * size:,.0f}"]
        shown.add_row(name, f"{mean:g}", *cells)
    console.print(shown)


RATIO_TESTS = (2, 20)
"""After how many blocks a likelihood ratio test looks for the first time."""


def unequal(console: Console) -> None:
    """Draw duels between unequal players, beside the sizes of fixed tournaments."""
    shown = table(
        f"{DRAWN_DUELS:,} duels between unequal players, drawn from {RECORDED} blocks each",
        *("players", "difference", "deviation", "right, %", "wrong, %", "games, mean", "median"),
        *("fixed, for this difference", "fixed, for the margin"),
    )
    chance = np.random.default_rng(19)
    with process_pool(2) as executor:
        for pairing in track(UNEQUAL, transient=True, console=console):
            question, size = pairing.question, pairing.lineup.games_in_block
            population = Population.equal(recorded(pairing, executor, RECORDED))
            found = draw_duels(population, question, DRAWN_DUELS, chance)
            mean, deviation = population.mean, population.deviation
            right = DuelVerdict.STRONGER if mean > 0 else DuelVerdict.WEAKER
            share = found.shares[right]
            wrong = found.shares[DuelVerdict.WEAKER if mean > 0 else DuelVerdict.STRONGER]
            if abs(mean) <= question.margin:
                share += found.shares[DuelVerdict.EQUAL]
            else:
                wrong += found.shares[DuelVerdict.EQUAL]
            fixed = [FIXED * (deviation / gap) ** 2 for gap in (abs(mean), question.margin)]
            shown.add_row(
                *(pairing.name, f"{mean:+.2f}", f"{deviation:.2f}"),
                *(per_cent(share), per_cent(wrong)),
                *(f"{blocks * size:,.0f}" for blocks in (found.mean, found.median)),
                *(f"{max(MIN_BLOCKS, blocks) * size:,.0f}" for blocks in fixed),
            )
    console.print(shown)


def main(parts: Sequence[str]) -> None:
    """Run some parts, or all."""
    console = Console()
    console.width = max(console.width, 130)
    known = {"drawn": drawn_equal, "ratio": ratio_tests, "unequal": unequal}
    for name, part in known.items():
        if not parts or name in parts:
            part(console)


if __name__ == "__main__":
    main(sys.argv[1:])
