"""The analysis of one game: every decision valued, the chances of every turn, the turning points.

The work is cut into calls that depend on nothing but their arguments, so the result is the same in
any number of processes.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from ...refereeing.log.reader import read_bytes
from ...refereeing.log.verifier import Verifier
from ...refereeing.play.outcome import Outcome
from .chances import (
    CANDIDATES,
    Chances,
    TurningPoint,
    chances,
    most_changed,
    turning_points,
)
from .decision_log import DecisionLog
from .playing import AnalysedTable
from .valuing import Valued, valued

T = TypeVar("T")
GAMES = 16
"""Games for each option of a decision, if no other number is given."""
TURN_GAMES, CLOSE_GAMES = 2, 8
"""Games for the chances in a turn, in multiples of those for an option; and in a closer look."""
OnDone = Callable[[int, int], None]
"""Is called with how many calls are done, and how many there are."""


class AnalysisWork(NamedTuple):
    """What is analysed, and how: the bytes of a log that verifies."""

    log: bytes
    table: AnalysedTable
    games: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found. ``chances`` are those as each turn began, by its number."""

    work: AnalysisWork
    valued: tuple[Valued, ...]
    steps: dict[int, int]
    """The frame with which each turn begins."""
    chances: dict[int, Chances]
    points: tuple[TurningPoint, ...]

    @property
    def costly(self) -> list[Valued]:
        """The costly decisions, in order."""
        return [each for each in self.valued if each.is_costly]


def work_on(log: bytes, games: int, seed: int | None) -> AnalysisWork:
    """Prepare the analysis of a log; the seed is that of the game, unless one is given."""
    header = read_bytes(_NO_PATH, log).header
    names = tuple(seat.name for seat in header.seats)
    return AnalysisWork(
        log, AnalysedTable(names, header.seed if seed is None else seed, ANALYST), games
    )


ANALYST = "quick"
_NO_PATH = Path("log")  # it has been read before, so no message names it


def analyse(work: AnalysisWork, executor: Executor, on_done: OnDone) -> Analysis:
    """Analyse a game in the processes of an executor."""
    found = _found(work.log)
    turns = sorted(found.log.turns)
    calls = _Calls(executor, on_done, len(found.log.decisions) + len(turns) + 3 * CANDIDATES)
    values = [calls.add(_value, work, at) for at in range(len(found.log.decisions))]
    every = range(TURN_GAMES * work.games)
    starts = [calls.add(_chances, work, turn, every, False) for turn in turns]
    calls.wait()
    at_start = [start.result() for start in starts]
    last = _won(work, found.outcome)
    ends = at_start + ([last] if last else [])
    candidates = most_changed(turns[: len(ends) - 1], ends, CANDIDATES)
    points = _looked_at_closely(work, calls, candidates, turns, last)
    return Analysis(
        work,
        tuple(value.result() for value in values),
        {turn: found.log.turns[turn][0] for turn in turns},
        dict(zip(turns, at_start, strict=True)),
        turning_points(points),
    )


def _looked_at_closely(
    work: AnalysisWork,
    calls: "_Calls",
    candidates: Sequence[int],
    turns: Sequence[int],
    last: Chances,
) -> list[TurningPoint]:
    """Return the changes in these turns, measured again in other games and more of them."""
    first = TURN_GAMES * work.games
    games = range(first, first + CLOSE_GAMES * work.games)
    done = _found(work.log).log.done
    found = []
    for turn in candidates:
        before = calls.add(_chances, work, turn, games, False)
        decided = calls.add(_chances, work, turn, games, True) if turn in done else None
        is_last = turn == turns[-1]
        after = None if is_last else calls.add(_chances, work, turn + 1, games, False)
        found.append((turn, before, decided, after))
    calls.wait()
    return [
        TurningPoint(
            turn,
            before.result(),
            None if decided is None else decided.result(),
            last if after is None else after.result(),
        )
        for turn, before, decided, after in found
    ]


# -- in the processes ---------------------------------------------------------------------------


class _Found(NamedTuple):
    log: DecisionLog
    outcome: Outcome


@lru_cache(maxsize=1)
def _found(log: bytes) -> _Found:
    """Return what is in a log, read once in every process."""
    record = read_bytes(_NO_PATH, log)
    verifier = Verifier(record)
    verifier.verify()
    return _Found(DecisionLog(record), verifier.outcome)


def _value(work: AnalysisWork, at: int) -> Valued:
    return valued(work.table, _found(work.log).log.decisions[at], work.games)


def _chances(work: AnalysisWork, turn: int, games: Sequence[int], decided: bool) -> Chances:
    log = _found(work.log).log
    if not decided:
        return chances(work.table, log.turns[turn][1], games)
    done = log.done[turn]
    return chances(work.table, done.position, games, done)


def _won(work: AnalysisWork, outcome: Outcome) -> Chances:
    """Return the real result as chances, nothing if the game has not ended."""
    winners = [place.name for place in outcome.standings if place.won]
    return tuple((name in winners) / len(winners) for name in work.table.names if winners)


class _Calls:
    """Calls in an executor, counted."""

    def __init__(self, executor: Executor, on_done: OnDone, expected: int) -> None:
        self._executor = executor
        self._on_done = on_done
        self._expected = expected
        self._waiting: list[Future[object]] = []
        self._done = 0

    def add(self, call: Callable[..., T], *arguments: object) -> "Future[T]":
        """Have a function called."""
        future: Future[T] = self._executor.submit(call, *arguments)
        self._waiting.append(future)  # type: ignore[arg-type]  # only waited for
        return future

    def wait(self) -> None:
        """Wait for all calls so far."""
        for future in as_completed(self._waiting):
            future.result()
            self._done += 1
            self._on_done(self._done, self._expected)
        self._waiting.clear()
