"""The analysis of one game: every decision valued, the chances of every turn, the turning points.

The work is cut into calls that depend on nothing but their arguments, so the result is the same in
any number of processes. It goes through the game turn by turn, so what is known when it is stopped
is the beginning of the game, unless somebody's decisions come first.
"""

import gc
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from ...refereeing.log.reader import read_bytes
from .decision_log import DecisionLog
from .playing import (
    LEAST_CONFIRMED,
    AnalysedTable,
    Chances,
    Shares,
    TurningPoint,
    chances,
    decisive_turn,
    gainer,
    games_shown,
    shares,
    turning_turns,
)
from .valuing import ANALYST, Compared, Valued, value

GAMES = 16  # games for each option of a decision in a stage, if no other number is given
POLL = 0.2  # seconds between two looks at whether to stop
_NO_PATH = Path("log")  # it has been read before, so no message names it
OnFound: TypeAlias = Callable[[Valued | Chances, int, Callable[[], "Analysis"]], object]
"""Is given the figures of a decision, or of the beginning of a turn, the turn, and all so far."""
Advance: TypeAlias = Callable[[int, int], object]
"""Is sent how much of the work is done, and how much there is, in turns that have to be played."""


class AnalysisWork(NamedTuple):
    """What is analysed, and how."""

    log: bytes  # the bytes of a log that verifies
    table: AnalysedTable
    games: int
    seats: tuple[str, ...] = ()  # players whose decisions are valued; all if it is empty
    first: str = ""  # the player whose decisions are valued before anything else


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found; if it was stopped, of the first turns only.

    ``decisive`` has by player the turn that changed its chance most, for the worse unless it won.
    """

    work: AnalysisWork
    log: DecisionLog
    valued: tuple[Valued, ...]
    due: int  # how many decisions there are
    chances: dict[int, Chances]  # as each turn began, by its number
    won: Shares  # the real result as chances, empty if the game has not ended
    points: tuple[TurningPoint, ...] = ()
    decisive: Mapping[str, TurningPoint] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether it was not stopped before all decisions were valued."""
        return len(self.valued) == self.due

    def costly(self, name: str) -> list[Valued]:
        """Return the costly decisions of a player, the one first that cost most."""
        found = [each for each in self.valued if each.decision.name == name and each.is_costly]
        return sorted(found, key=lambda each: -each.lost)


def work_on(log: bytes, games: int, seed: int | None, seats: tuple[str, ...] = ()) -> AnalysisWork:
    """Prepare the analysis of a log; the seed is that of the game, unless one is given."""
    header = read_bytes(_NO_PATH, log).header
    table = AnalysedTable(header.names, header.seed if seed is None else seed, ANALYST)
    return AnalysisWork(log, table, games, seats)


def analyse(
    work: AnalysisWork,
    executor: Executor,
    workers: int,
    on_found: OnFound = lambda found, turn, known: None,
    advance: Advance = lambda done, due: None,
    stops: Callable[[], object] = lambda: False,
) -> Analysis:
    """Analyse a game in the processes of an executor, until all is done or ``stops`` says so."""
    log = _found(work.log)
    winners = [place.name for place in log.so_far.outcome().standings if place.won]
    won = tuple((name in winners) / len(winners) for name in work.table.names if winners)
    mine = [
        at for at, each in enumerate(log.decisions) if not work.seats or each.name in work.seats
    ]
    begun: dict[int, Chances] = {}
    found: dict[int, Valued] = {}

    def known() -> Analysis:
        valued = tuple(found[at] for at in sorted(found))
        return Analysis(work, log, valued, len(mine), dict(sorted(begun.items())), won)

    calls = _Calls(work, executor, 2 * workers, advance, stops)
    for turn in log.turns:
        left = len(log.turns) - turn + 1
        calls.add(("turn", turn), left)
        for at in mine:
            if log.decisions[at].turn == turn:
                calls.add(("decision", at), left)
    owns = {("decision", at) for at in mine if log.decisions[at].name == work.first}
    for (kind, at), result in calls.results(owns):
        if kind == "turn":
            begun[at] = result
            on_found(result, at, known)
        else:
            found[at] = Valued(log.decisions[at], result)
            on_found(found[at], log.decisions[at].turn, known)
    points, decisive = _points(work, calls, begun, won)
    return replace(known(), points=points, decisive=decisive)


def _points(
    work: AnalysisWork, calls: "_Calls", begun: dict[int, Chances], last: Shares
) -> tuple[tuple[TurningPoint, ...], dict[str, TurningPoint]]:
    """Find the turning points among turns of known chances, and each player's decisive turn."""
    log, names = _found(work.log), work.table.names
    turns = [*takewhile(begun.__contains__, sorted(log.turns))]
    by_some = [begun[turn].found_by for turn in turns]
    shown = {turn: tuple(each.value for each in begun[turn].win) for turn in turns}
    if turns and len(turns) == len(log.turns) and last:
        by_some.append(last)
        shown[turns[-1] + 1] = last
    chosen = turning_turns(turns, by_some)
    decisive = {
        name: decisive_turn(turns, by_some, seat, for_better=bool(last and last[seat]))
        for seat, name in enumerate(names)
        if len(by_some) > 1 and name in (work.seats or names)
    }
    needed = {*chosen, *decisive.values()}
    for at, each in enumerate(log.decisions):
        if each.turn in needed & log.done.keys():  # nobody was ejected in it
            calls.add(("step", at), len(log.turns) - each.turn + 1)
    after = sorted((at, found) for (_, at), found in calls.results())
    points: dict[int, TurningPoint] = {}
    for turn in needed:
        decided = ((log.decisions[at], found) for at, found in after)
        steps = tuple(step for step in decided if step[0].turn == turn)
        seat = gainer(*by_some[turns.index(turn) :][:2])
        points[turn] = TurningPoint(turn, seat, shown[turn], shown[turn + 1], steps)
    own = {name: points[turn]._replace(seat=names.index(name)) for name, turn in decisive.items()}
    confirmed = [turn for turn in chosen if abs(points[turn].change) >= LEAST_CONFIRMED]
    return tuple(points[turn] for turn in confirmed), own


# -- in the processes ---------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _found(log: bytes) -> DecisionLog:
    """Return the decisions in a log, read once in every process."""
    found = DecisionLog(read_bytes(_NO_PATH, log))
    gc.freeze()  # positions make no cycles, and what is here now stays: collecting costs a tenth
    gc.set_threshold(100_000)
    return found


def _result(work: AnalysisWork, kind: str, at: int) -> Chances | Compared | Shares:
    """Return the chances of a turn, the worth of a decision, or the shares after this ``step``."""
    log = _found(work.log)
    if kind == "turn":
        return chances(work.table, log.turns[at][1], work.games)
    decision = log.decisions[at]
    if kind == "decision":
        return value(work.table, decision, work.games)
    done = decision.start_with(decision.recorded)
    return shares(work.table, done.position, games_shown(work.games), done)


# -- calls --------------------------------------------------------------------------------------

Key: TypeAlias = tuple[str, int]


@dataclass(slots=True)
class _Calls:
    """Calls in an executor, a few ahead, so that it can be stopped."""

    work: AnalysisWork
    executor: Executor
    ahead: int
    advance: Advance
    stops: Callable[[], object]
    waiting: list[tuple[Key, int]] = field(default_factory=list)
    done: int = 0
    due: int = 0

    def add(self, key: Key, weight: int) -> None:
        """Have a result found; ``weight`` says how long that takes in comparison."""
        self.waiting.append((key, weight))
        self.due += weight

    def results(self, first: Collection[Key] = ()) -> Iterator[tuple[Key, Any]]:
        """Yield what the calls return, as they are done, until all are or it is stopped.

        The calls for ``first`` are made before all others. What stops it may also end the
        processes, such as a signal to all of them.
        """
        self.waiting.sort(key=lambda each: each[0] not in first)
        begun: dict[Future[Any], tuple[Key, int]] = {}
        try:
            while (self.waiting or begun) and not self.stops():
                while self.waiting and len(begun) < self.ahead:
                    key, weight = self.waiting.pop(0)
                    begun[self.executor.submit(_result, self.work, *key)] = key, weight
                ended = wait(begun, POLL, FIRST_COMPLETED).done
                for future in [each for each in begun if each in ended]:
                    key, weight = begun.pop(future)
                    self.done += weight
                    self.advance(self.done, self.due)
                    yield key, future.result()
        except BrokenExecutor:
            if not self.stops():
                raise
        self.waiting.clear()
        for future in begun:
            future.cancel()
