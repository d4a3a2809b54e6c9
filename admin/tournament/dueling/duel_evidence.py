"""What is compared in a duel, and what games show: the interval, the verdict, and what was lost.

The value of a block is the mean difference of all its games, with several opponents over all ways
to seat them. Blocks are independent and alike, as each contains all tables.
They are counted in the order of their deals, and not as they end: otherwise a program that loses
slowly would look better in between.

A sequential probability ratio test, as chess engines are compared with, needs about half of the
games. But blocks of a game for several are few, skewed, and for deterministic programs often all
alike: such a test takes their variance from those played so far, and called 20 of 100 equal
programs stronger. And it answers with one of two hypotheses, while here the interval is the test:
what is shown during the duel, the verdict and the sentence at the end cannot disagree, and any
number of looks is allowed. The price is that even a hopeless opponent needs eight to ten blocks.
"""

import shlex
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from enum import Enum
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, Self

import numpy as np

from ...refereeing.view.frames import FrameKind
from ...studying.statistics.intervals import MAX_GROWTH, Bounds, interval
from ..games.entries import number_in
from ..games.result import GameResult, PlayerVerdict, game_points, log_name
from ..planning.plan import default_points
from ..reporting.game_story import Cause, PlayerGames, replay
from ..reporting.report_files import write_logs
from ..store.store import Store
from .contestants import Contestant
from .duel_plan import Lineup

MIN_BROKEN = 8  # games of which a side finishes none before the duel ends for that reason alone
SPANNING = 0.9  # an interval that is at least this part of what is possible says nothing yet
MIN_FORECAST = 5  # with fewer blocks nobody knows how it will go on
DIGITS = 12  # decimals to which values are equal
MAX_WORST = 3  # games played to the end that are listed
MAX_REPLAYED = 12  # unfinished games that are replayed to find the cause; more are only counted


class Measure(Enum):
    """What a player has of a game; the value is what the command line contains.

    ``points`` are those of a tournament, one for every player that it is placed before; wins are
    shared by players who tie; money is the share of all money that the players of a table have
    at the end. A player who did not finish has nothing. People read points, and per cent of wins
    and of money: so many units (``scale``), with so many decimals, before the ``unit``.
    """

    scale: int
    digits: int
    unit: str

    POINTS = ("points", 1, 2, " points per game")
    WINS = ("wins", 100, 1, " % wins")
    MONEY = ("money", 100, 1, " % of the money")

    def __new__(cls, word: str, scale: int, digits: int, unit: str) -> Self:
        """Return what is called so on the command line."""
        measure = object.__new__(cls)
        measure._value_ = word
        measure.scale, measure.digits, measure.unit = scale, digits, unit
        return measure

    def of(self, result: GameResult) -> dict[str, float]:
        """Return what every player has of a game."""
        if self is not Measure.MONEY:
            return game_points(result, self.places(len(result.seats)))
        total = sum(seat.money for seat in result.seats) or 1
        return {seat.player: seat.money / total for seat in result.seats}

    def places(self, seats: int) -> tuple[float, ...]:
        """Return what the places of a table can bring, the most for each of its players."""
        return default_points(seats) if self is Measure.POINTS else (1.0, *[0.0] * (seats - 1))

    def default_margin(self, seats: int) -> float:
        """Return the smallest difference worth knowing, if nobody says another.

        In points it is that of a player who is placed before an opponent in 55 of 100 games. It is
        the same at every table: whoever is placed before an opponent with probability *p* has, at
        *n* seats, a difference of *n* (*p* - 1/2) points, however the seats are shared.
        """
        margins = {Measure.POINTS: round(0.05 * seats, 2), Measure.WINS: 0.05, Measure.MONEY: 0.01}
        return margins[self]


class DuelVerdict(Enum):
    """What a duel has shown about the challenger; the value is what files contain."""

    STRONGER = "stronger"
    WEAKER = "weaker"
    EQUAL = "equal"
    UNDECIDED = "undecided"


class DuelQuestion(NamedTuple):
    """What a duel asks, and how certain the answer has to be."""

    lineup: Lineup
    measure: Measure
    margin: float  # a difference below it counts as none
    error_rate: float  # how likely a verdict may be wrong

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest difference."""
        seats, mine = self.lineup.seats, len(self.lineup.teams[0])
        most = self.measure.places(seats)
        return -fmean(most[: seats - mine]), fmean(most[:mine])

    def difference(self, game: GameResult) -> float:
        """Return the mean of the challenger's seats in a game minus that of the others."""
        shares, mine = self.measure.of(game), self.lineup.teams[0]
        own = fmean(share for name, share in shares.items() if name in mine)
        return own - fmean(share for name, share in shares.items() if name not in mine)

    def verdict(self, bounds: Bounds) -> DuelVerdict:
        """Return what an interval shows."""
        if bounds.low > 0:
            return DuelVerdict.STRONGER
        if bounds.high < 0:
            return DuelVerdict.WEAKER
        if bounds.low >= -self.margin and bounds.high <= self.margin:
            return DuelVerdict.EQUAL
        return DuelVerdict.UNDECIDED


class DuelEvidence:
    """The games of a duel so far; those of a deal count when all of them have been played."""

    def __init__(self, question: DuelQuestion) -> None:
        self.question = question
        self.games: list[GameResult] = []  # the games that count
        self.bounds = Bounds(*question.bounds)  # the interval of the difference
        self.verdict = DuelVerdict.UNDECIDED  # once there is one, it stays; no more games count
        self.broken = False  # whether there is one because a side has finished no game
        self._waiting: defaultdict[int, list[GameResult]] = defaultdict(list)
        self._left_out: set[int] = set()
        self._deal = 1
        self._values = Counter[float]()

    @property
    def blocks(self) -> int:
        """The number of blocks that count."""
        return self._values.total()

    @property
    def value(self) -> float:
        """The mean difference, 0 before the first block."""
        blocks = self.blocks
        return sum(value * count for value, count in self._values.items()) / blocks if blocks else 0

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        return self.verdict is not DuelVerdict.UNDECIDED

    @property
    def spans_everything(self) -> bool:
        """Whether the interval says nothing yet."""
        least, most = self.question.bounds
        return self.bounds.high - self.bounds.low >= SPANNING * (most - least)

    def add(self, result: GameResult) -> None:
        """Add a game; it counts when all games of its deal and of those before it are there."""
        self._waiting[number_in(result.game, "d")].append(result)
        self._count()

    def leave_out(self, deal: int) -> None:
        """Leave out a deal of which a game could not be played."""
        self._left_out.add(deal)
        self._count()

    def _count(self) -> None:
        while not self.decided:
            played = self._waiting[self._deal]
            if self._deal not in self._left_out:
                if len(played) < self.question.lineup.games_in_block:
                    return
                value = fmean(sorted(map(self.question.difference, played)))
                self._values[round(value, DIGITS)] += 1
                self.games += played
                self.bounds = self._interval()
                self.verdict = self.question.verdict(self.bounds)
                if not self.decided and len(self.games) >= MIN_BROKEN:
                    self._end_if_broken()
            self._deal += 1

    def _end_if_broken(self) -> None:
        """End the duel if the challenger, or else all its opponents, have finished no game."""
        mine = self.question.lineup.teams[0]
        finished = {
            seat.player in mine for game in self.games for seat in game.seats if seat.finished
        }
        if finished != {True, False}:
            self.broken = True
            self.verdict = DuelVerdict.STRONGER if True in finished else DuelVerdict.WEAKER

    def _interval(self, times: float = 1) -> Bounds:
        """Return the interval if every block had come so many times."""
        values, counts = np.array([*self._values.items()], np.float64).T
        return interval(values, counts * times, *self.question.bounds, self.question.error_rate)

    def forecast(self) -> int | None:
        """Return how many more games would lead to a verdict if it stays like this.

        ``None`` with too few blocks, and if that needs more than ``MAX_GROWTH`` times as many.
        """
        if self.blocks < MIN_FORECAST or self.decided:
            return None

        def decides(blocks: int) -> bool:
            found = self.question.verdict(self._interval(blocks / self.blocks))
            return found is not DuelVerdict.UNDECIDED

        times = range(self.blocks, MAX_GROWTH * self.blocks + 1)
        at = bisect_left(times, True, key=decides)
        return at * self.question.lineup.games_in_block if at < len(times) else None


# -- what the challenger lost ------------------------------------------------------------------


class LossCause(NamedTuple):
    """A cause for which a contestant did not finish games, so that it lost them."""

    verdict: PlayerVerdict
    title: str
    games: int
    example: str  # the first of these games
    player: str  # the contestant's seat in the example
    sentence: str  # about the example
    output: str  # the end of what the program printed in it, or the traceback of a class
    commands: tuple[str, ...]


class WorstGame(NamedTuple):
    """A game in which the challenger did badly."""

    game: str
    difference: float
    turn: int | None  # the decisive one, if it is known
    places: tuple[tuple[str, int, int], ...]  # the players by place, with their money
    commands: tuple[str, ...]


class Losses(NamedTuple):
    """What a contestant lost: games that it did not finish, in all and by cause, and bad games."""

    unfinished: int = 0
    verdicts: str = ""  # how often each was the verdict on them: "13 out-of-turn, 6 crashed"
    not_replayed: int = 0  # those of `unfinished` whose cause was not looked for
    faults: tuple[LossCause, ...] = ()
    worst: tuple[WorstGame, ...] = ()


def losses_of(
    store: Store, results: Sequence[GameResult], question: DuelQuestion, folder: Path
) -> Losses:
    """Return the challenger's losses, and write their logs to the duel's folder."""
    mine = question.lineup.teams[0]
    failed, lost, verdicts = [], [], Counter[PlayerVerdict]()
    for result in results:
        own = [seat for seat in result.seats if seat.player in mine]
        if ejected := [seat for seat in own if not seat.finished]:
            verdict = ejected[0].verdict
            failed.append((all(seat.was_skipped for seat in own), verdicts[verdict], result))
            verdicts[verdict] += 1
        elif (difference := question.difference(result)) < 0:
            lost.append((difference, sum(seat.money for seat in own), result.game, result))
    # a program that was not even started, as it had missed sign-ups before, says nothing
    several = sorted((each for each in failed if not each[0]), key=lambda each: each[1])
    telling = [result for *_, result in several[:MAX_REPLAYED]]  # the verdicts take turns
    games = PlayerGames()
    for result in telling:
        if (replayed := replay(result.game, store.log(result.game))) is None:
            continue
        outputs = store.outputs(result.game)
        for number, seat in enumerate(result.seats, 1):
            if seat.player in mine and not seat.finished:
                games.take(result, number, replayed.story, outputs.get(seat.player, b""))
    found = (_loss_cause(cause, question.lineup.mine, folder) for cause in games.causes.values())
    faults = sorted(found, key=lambda cause: -cause.games)
    worst = tuple(
        _worst_game(store, result, difference, mine, folder)
        for difference, _, _, result in sorted(lost)[:MAX_WORST]
    )
    written = [fault.example for fault in faults] + [each.game for each in worst]
    write_logs(folder, store.logs(written))
    told = ", ".join(f"{count} {verdict.value}" for verdict, count in verdicts.most_common())
    return Losses(len(failed), told, len(failed) - len(telling), tuple(faults), worst)


def _log(folder: Path, game: str) -> str:
    return shlex.quote(str(folder / log_name(game)))


def _loss_cause(cause: Cause, mine: Contestant, folder: Path) -> LossCause:
    """Return a cause with its first loss as an example, and commands that explain and repeat it."""
    first = cause.losses[0]
    seat = first.seat
    commands = [
        f"acquire explain {_log(folder, first.game)} --seat {shlex.quote(seat.player)}",
        # from the beginning: it may remember
        mine.rerun(folder / log_name(first.game), seat.player) if seat.turn else "",
    ]
    games = len({loss.game for loss in cause.losses})
    example = (first.game, seat.player, seat.explanation, first.output)
    return LossCause(cause.verdict, cause.title, games, *example, tuple(filter(None, commands)))


def _worst_game(
    store: Store, result: GameResult, difference: float, mine: Collection[str], folder: Path
) -> WorstGame:
    replayed = replay(result.game, store.log(result.game))
    decisive = None if replayed is None else replayed.story.decisive
    turn = decisive.turn if decisive and decisive.turn else None
    log = _log(folder, result.game)
    commands = [f"acquire replay {log}" + (f" --turn {turn}" if turn else "")]
    if replayed is not None and turn is not None:
        last = min(turn, result.turns - 1)
        own = [
            (frame["turn"], name)
            for frame in replayed.frames
            if frame["kind"] == FrameKind.TurnBegan
            and frame["turn"] <= last
            and (name := replayed.story.players[frame["player"]]) in mine
        ]
        if own:
            start, seat = own[-1][0], shlex.quote(own[-1][1])
            played_on = f"--from {start} --seat {seat}=recorded --seat {seat}=investor"
            commands.append(f"acquire replay {log} {played_on}")
    order = sorted(result.seats, key=lambda seat: (seat.rank, -seat.money))
    places = tuple((seat.player, seat.rank, seat.money) for seat in order)
    return WorstGame(result.game, difference, turn, places, tuple(commands))
