"""Play games of built-in players with an executor: in this process, or a process pool.

    tournament run --games--> batches --> executor (concurrent.futures) --results--> tournament run

A game is a pure function of the plan and its seed, so it does not matter where it is played, or
whether it is played again after a worker was killed.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import TypeAlias

from ..games.result import FailedGame, FinishedGame
from ..planning.schedule import Game
from .built_in import play_batch
from .executors import CannotPlay, OpenExecutor
from .run_events import RunObserver, Trouble
from .tournament_run import TournamentRun

BATCH_SIZE = 8
"""Games per batch: enough to make handing over cheap, few enough to lose with a worker."""
BATCHES_PER_WORKER = 2
"""Batches that are handed over per worker, so that none has to wait for its next one."""
MAX_FAILURES = 5
"""Failures of an executor in a row, without a finished game, before it is given up."""
POLL_INTERVAL = 0.1
"""Seconds between two looks at whether to stop."""

Work: TypeAlias = deque[Sequence[Game]]
"""Batches that are not handed over yet, or have to be handed over again."""
Results: TypeAlias = list[FinishedGame | FailedGame]


class _WorkerLost(Exception):
    """A worker was lost, and its batches with it."""


def play_all(
    tournament: TournamentRun,
    observer: RunObserver,
    open_executor: OpenExecutor,
    workers: int,
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Play all games that are left, or until ``stopped`` returns true.

    ``CannotPlay`` if the executor keeps failing.
    """
    for games in tournament.stages():
        work: Work = deque(games[at : at + BATCH_SIZE] for at in range(0, len(games), BATCH_SIZE))
        failures = 0
        while work and not stopped():
            finished = 0
            executor = open_executor()
            try:
                for batch, results in _play(tournament, executor, work, workers, stopped):
                    finished += sum(isinstance(each, FinishedGame) for each in results)
                    work.extend([game] for game in tournament.hand_in(batch, results))
            except _WorkerLost as error:
                failures = 0 if finished else failures + 1
                if failures >= MAX_FAILURES:
                    raise CannotPlay(
                        f"The workers failed {failures} times without a single finished game: "
                        f"{error}"
                    ) from error
                observer(Trouble(f"A worker was lost ({error}); its games are played again."))
            finally:
                executor.shutdown()
        if stopped():
            return


def _play(
    tournament: TournamentRun,
    executor: Executor,
    work: Work,
    workers: int,
    stopped: Callable[[], bool],
) -> Iterator[tuple[Sequence[Game], Results]]:
    """Hand over batches, and yield each with its results.

    A failing game is a result; when a whole batch fails, its worker is lost. Then the batches that
    were handed over and not finished are put back into ``work``, and ``_WorkerLost`` is raised.
    """
    handed_over: dict[Future[Results], Sequence[Game]] = {}
    try:
        while (work or handed_over) and not stopped():
            while work and len(handed_over) < workers * BATCHES_PER_WORKER:
                games = work[0]
                handed_over[executor.submit(play_batch, tournament.settings, games)] = games
                work.popleft()
                for game in games:
                    tournament.start(game)
            done, _ = wait(handed_over, POLL_INTERVAL, return_when=FIRST_COMPLETED)
            for future in done:
                results = future.result()
                yield handed_over.pop(future), results
    except Exception as error:
        work.extendleft(reversed(handed_over.values()))
        raise _WorkerLost(str(error) or repr(error)) from error
    finally:
        for future in handed_over:
            future.cancel()
