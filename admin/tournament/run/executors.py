"""Executors (:mod:`concurrent.futures`) for games of built-in players, and for the logs of all.

    tournament run --games--> batches --> executor --results--> tournament run

A game of built-in players is a pure function of the plan and its seed, so it does not matter where
it is played, or whether it is played again after a worker was killed.
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import ParamSpec, TypeAlias, TypeVar

from ..games.result import FailedGame, FinishedGame
from ..planning.schedule import Game
from .built_in import play_batch
from .run_events import RunObserver, Trouble
from .tournament_run import TournamentRun

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")
OpenExecutor: TypeAlias = Callable[[], Executor]
BATCH_SIZE = 8
"""Games per batch: enough to make handing over cheap, few enough to lose with a worker."""
BATCHES_PER_WORKER = 2
"""Batches that are handed over per worker, so that none has to wait for its next one."""
MAX_FAILURES = 5
"""Failures of an executor in a row, without a finished game, before it is given up."""
POLL_INTERVAL = 0.1
"""Seconds between two looks at whether to stop."""
CALLS_PER_WORKER = 4
"""Calls that are handed over per worker, so that none has to wait for its next one."""
CALLS_THAT_PAY = 20
"""Calls of some 30 ms for which it pays to start another process, which takes half a second."""


class CannotPlay(Exception):
    """Games cannot be played or verified with this executor; the text is user-facing."""


class SerialExecutor(Executor):
    """An executor that runs every call at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function now."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _ProcessPool(ProcessPoolExecutor):
    """A pool whose processes never see Ctrl-C: each call may start one of them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand over a call, with SIGINT blocked in this thread, and so in a new process."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def process_pool(workers: int) -> Executor:
    """Return a pool of processes; with one worker there is no other process at all."""
    if workers == 1:
        return SerialExecutor()
    return _ProcessPool(
        workers, get_context("spawn"), initializer=_end_with_parent, initargs=(os.getpid(),)
    )


def called_in_order(
    calls: Iterable[tuple[K, Callable[[], T] | None]], total: int, workers: int
) -> Iterator[tuple[K, T | None]]:
    """Yield each key with what its call returns, in order; of ``total`` calls, few take a pool.

    The workers are a few calls ahead. ``CannotPlay`` if one of them was killed.
    """
    workers = min(workers, total // CALLS_THAT_PAY or 1)
    waiting: deque[tuple[K, Future[T] | None]] = deque()

    def first() -> tuple[K, T | None]:
        key, future = waiting.popleft()
        return key, None if future is None else future.result()

    try:
        with process_pool(workers) as pool:
            for key, call in calls:
                waiting.append((key, None if call is None else pool.submit(call)))
                if len(waiting) > CALLS_PER_WORKER * (workers - 1):
                    yield first()
            while waiting:
                yield first()
    except BrokenProcessPool as error:
        raise CannotPlay(f"A worker was killed ({error}). Run it with --workers 1.") from error


def _end_with_parent(parent: int) -> None:
    """In a process of the pool: leave signals to the parent, and exit when it is gone.

    ``timeout`` and others send SIGTERM to the whole process group: the parent says what is kept.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpgrp"):  # not on Windows
        os.setpgrp()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


# -- games of built-in players ------------------------------------------------------------------


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
                why = _play(tournament, executor, work, workers, stopped)
            finally:
                executor.shutdown()
            if not why:
                continue
            failures = failures + 1 if tournament.progress.games == before else 0
            if failures >= MAX_FAILURES:
                raise CannotPlay(
                    f"The workers failed {failures} times without a single finished game: {why}"
                )
            observer(Trouble(f"A worker was lost ({why}); its games are played again."))
        if stopped():
            return


def _play(
    tournament: TournamentRun,
    executor: Executor,
    work: deque[Sequence[Game]],
    workers: int,
    stopped: Callable[[], bool],
) -> str:
    """Hand over batches, and hand in their results; void games are added to ``work``.

    Return why the executor has failed, empty if it has not. The batches that were not finished are
    put back into ``work``.
    """
    handed_over: dict[Future[list[FinishedGame | FailedGame]], Sequence[Game]] = {}
    try:
        while (work or handed_over) and not stopped():
            while work and len(handed_over) < workers * BATCHES_PER_WORKER:
                games = work[0]
                try:
                    future = executor.submit(play_batch, tournament.settings, games)
                except Exception as error:
                    return str(error) or repr(error)
                handed_over[future] = games
                work.popleft()
                for game in games:
                    tournament.start(game)
            done, _ = wait(handed_over, POLL_INTERVAL, return_when=FIRST_COMPLETED)
            for future in done:
                # a failing game is a result: if a whole batch fails, its worker was lost
                if (lost := future.exception()) is not None:
                    return str(lost) or repr(lost)
                batch = handed_over.pop(future)
                work.extend([game] for game in tournament.hand_in(batch, future.result()))
        return ""
    finally:
        work.extendleft(reversed(handed_over.values()))
        for future in handed_over:
            future.cancel()
