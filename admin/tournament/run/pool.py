"""Play games of built-in players with an executor: in this process, or a process pool.

    tournament run --games--> batches --> executor (concurrent.futures) --results--> tournament run

A game is a pure function of the plan and its seed, so it does not matter where it is played, or
whether it is played again after a worker was killed.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager

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
        batches = range(0, len(games), BATCH_SIZE)
        work: deque[Sequence[Game]] = deque(games[at : at + BATCH_SIZE] for at in batches)
        failures = 0
        while work and not stopped():
            before = tournament.progress.games
            executor = open_executor()
            try:
                _play(tournament, executor, work, workers, stopped)
            except _WorkerLost as error:
                failures = failures + 1 if tournament.progress.games == before else 0
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


class _WorkerLost(Exception):
    """A worker was lost, and its batches with it."""


@contextmanager
def _loss_named() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # a failing game is a result: when a whole batch fails, it is this
        raise _WorkerLost(str(error) or repr(error)) from error


def _play(
    tournament: TournamentRun,
    executor: Executor,
    work: deque[Sequence[Game]],
    workers: int,
    stopped: Callable[[], bool],
) -> None:
    """Hand over batches, and hand in their results; void games are added to ``work``.

    If ``_WorkerLost`` is raised, the batches that were not finished are put back into ``work``.
    """
    handed_over: dict[Future[list[FinishedGame | FailedGame]], Sequence[Game]] = {}
    try:
        while (work or handed_over) and not stopped():
            while work and len(handed_over) < workers * BATCHES_PER_WORKER:
                games = work[0]
                with _loss_named():
                    future = executor.submit(play_batch, tournament.settings, games)
                handed_over[future] = games
                work.popleft()
                for game in games:
                    tournament.start(game)
            done, _ = wait(handed_over, POLL_INTERVAL, return_when=FIRST_COMPLETED)
            for future in done:
                with _loss_named():
                    results = future.result()
                batch = handed_over.pop(future)
                work.extend([game] for game in tournament.hand_in(batch, results))
    finally:
        work.extendleft(reversed(handed_over.values()))
        for future in handed_over:
            future.cancel()
