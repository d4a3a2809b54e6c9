"""Executors (:mod:`concurrent.futures`) for games of built-in players, and for the logs of all.

    tournament run --games--> batches --> executor --results--> tournament run

A game of built-in players is a pure function of the plan and its seed, so it does not matter where
it is played, or whether it is played again after a worker was killed.
"""

import gc
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import process
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import get_context, resource_tracker
from typing import Any, ParamSpec, TypeAlias, TypeVar

from ....protocol.user_error import UserError
from ...refereeing.view.plain_text import plural
from ..games.result import FailedGame, FinishedGame
from ..planning.schedule import Game
from .built_in import play_batch
from .game_recorder import GameSettings
from .run_events import Notice, Trouble
from .tournament_run import TournamentRun

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")
BATCH_TIME = 0.5  # seconds that a batch of games takes: a run that is stopped waits for it
FADING = 0.9  # what is left of the time of the slowest game with every batch that is faster
BATCH_SIZE = 8  # most games per batch: cheap to hand over, few to lose with a worker
BATCHES_PER_WORKER = 2
"""Batches of several games that are handed over per worker, so that none waits for its next one. A
longer game is worth the wait, because one that is handed over cannot be taken back."""
MAX_FAILURES = 5  # failures in a row, without a finished game, until an executor is given up
POLL_INTERVAL = 0.1  # seconds between two looks at whether to stop
CALLS_PER_WORKER = 4  # calls handed over per worker, so that none has to wait for its next one
CALLS_THAT_PAY = 20  # calls of some 30 ms that are worth the half second of starting a process


class _ProcessPool(futures.ProcessPoolExecutor):
    """A pool whose processes never see Ctrl-C; the first call starts all of them.

    Its calls cannot be cancelled. Python's thread that manages the processes fails where it meets a
    cancelled one as a process is killed, and whoever waits for the pool then waits forever.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(
            workers, get_context("spawn"), initializer=_begin_worker, initargs=(os.getpid(),)
        )
        # If a process is killed while a later call starts another one, Python overlooks that one
        # when it ends the pool, and waits for it forever.
        self._safe_to_dynamically_spawn_children = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> futures.Future[T]:
        """Hand over a call, with SIGINT blocked in this thread, and so in a new process.

        A process would look for Python's own modules in the current folder first. The future runs
        from now on, so :meth:`~concurrent.futures.Future.cancel` does nothing; that of Python,
        which waits for a while, stays in here.
        """
        handed_over: futures.Future[T] = futures.Future()
        handed_over.set_running_or_notify_cancel()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _environment(PYTHONSAFEPATH="1"):
                call = super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        call.add_done_callback(partial(_pass_on, handed_over))
        return handed_over


_end = process._ExecutorManagerThread.terminate_broken


def _end_broken_pool(manager: Any, cause: str) -> None:
    """End a pool that has lost a process, as Pythons do since 3.11.5.

    Before, the thread that hands over calls waited for ever for room in a pipe that nobody reads.
    """
    manager.call_queue._reader.close()
    _end(manager, cause)


if sys.version_info[:3] < (3, 11, 5):
    process._ExecutorManagerThread.terminate_broken = _end_broken_pool  # type: ignore[assignment]


def _pass_on(to: futures.Future[T], done: futures.Future[T]) -> None:
    """Give a future what another one has become."""
    try:
        result = done.result()
    except BaseException as error:
        to.set_exception(error)
    else:
        to.set_result(result)


def process_pool(workers: int) -> futures.Executor:
    """Return a pool of processes; one worker is a thread, as this one has to see signals.

    So is the only one of a machine that has no semaphores, such as a container without /dev/shm.
    """
    if workers > 1:
        _start_silent_tracker()
        with suppress(OSError):
            return _ProcessPool(workers)
    return futures.ThreadPoolExecutor(1)


def _start_silent_tracker() -> None:
    """Start Python's process that removes the pool's semaphores if this one is ended at once.

    It would warn at the terminal that it does so.
    """
    silence = f"ignore::UserWarning:{resource_tracker.__name__}"
    warnings = filter(None, (os.environ.get("PYTHONWARNINGS"), silence))
    with _environment(PYTHONWARNINGS=",".join(warnings), PYTHONSAFEPATH="1"):
        resource_tracker.ensure_running()


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    """Set variables for the processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            del os.environ[name]
            if value is not None:
                os.environ[name] = value


def called_in_order(
    calls: Iterable[tuple[K, Callable[[], T] | None]], total: int, workers: int
) -> Iterator[tuple[K, T | None]]:
    """Yield each key with what its call returns, in order; of ``total`` calls, few take a pool.

    The workers are a few calls ahead. ``UserError`` if one of them was killed.
    """
    workers = min(workers, total // CALLS_THAT_PAY or 1)
    waiting: deque[tuple[K, futures.Future[T] | None]] = deque()

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
        raise UserError(f"A worker was killed ({error}). Run it with --workers 1.") from error


def _begin_worker(parent: int) -> None:
    """In a process of the pool: leave signals to the parent, and exit when it is gone.

    ``timeout`` and others send SIGTERM to the whole process group: the parent says what is kept.
    """
    gc.freeze()  # games make few cycles: collecting as often as by default costs 5%
    gc.set_threshold(10_000)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setpgrp"):  # not on Windows
        os.setpgrp()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


# -- games of built-in players ------------------------------------------------------------------


_Timed: TypeAlias = tuple[list[FinishedGame | FailedGame], float]
"""What games of a batch have become, and the seconds that it took."""


def _play_timed(settings: GameSettings, games: Sequence[Game]) -> _Timed:
    start = time.monotonic()
    return play_batch(settings, games), time.monotonic() - start


def play_all(
    tournament: TournamentRun,
    open_executor: Callable[[], futures.Executor],
    workers: int,
    stopped: Callable[[], bool] = lambda: False,
) -> None:
    """Play all games that are left, or until ``stopped`` returns true.

    Games that are being played then are finished and stored. ``UserError`` if the executor keeps
    failing.
    """
    for games in tournament.stages():
        work = deque(games)
        failures = 0
        while work and not stopped():
            before = tournament.progress.games
            with open_executor() as executor:
                why = _play(tournament, executor, work, workers, stopped)
            if not why:
                continue
            failures = failures + 1 if tournament.progress.games == before else 0
            if failures >= MAX_FAILURES:
                raise UserError(
                    f"The workers failed {failures} times without a single finished game: {why}"
                )
            tournament.observer(Trouble(f"A worker was lost ({why}); its games are played again."))
        if stopped():
            return


def _play(
    tournament: TournamentRun,
    executor: futures.Executor,
    work: deque[Game],
    workers: int,
    stopped: Callable[[], bool],
) -> str:
    """Hand over games of ``work``, and hand in their results; void games are added to ``work``.

    Return why the executor has failed, empty if it has not. Games that were not finished are put
    back into ``work``.
    """
    handed_over: dict[futures.Future[_Timed], list[Game]] = {}
    size, slowest = 1, 0.001  # until it is known how long a game takes
    stopping = False
    try:
        while handed_over or (work and not stopping):
            if not stopping and stopped():
                stopping = True
                if left := sum(map(len, handed_over.values())):
                    again = "A second Ctrl-C ends the run at once."
                    sentence = f"Finishing {plural(left, 'game')}. {again}"
                    tournament.observer(Notice("finishing", sentence))
            ahead = workers * (BATCHES_PER_WORKER if size > 1 else 1)
            while work and len(handed_over) < ahead and not stopping:
                games = [work.popleft() for _ in range(min(size, len(work)))]
                try:
                    future = executor.submit(_play_timed, tournament.settings, games)
                except Exception as error:
                    work.extendleft(reversed(games))
                    return str(error) or repr(error)
                handed_over[future] = games
                for game in games:
                    tournament.start(game)
            done, _ = futures.wait(handed_over, POLL_INTERVAL, return_when=futures.FIRST_COMPLETED)
            for future in done:
                # a failing game is a result: if a whole batch fails, its worker was lost
                if (lost := future.exception()) is not None:
                    return str(lost) or repr(lost)
                games, (results, seconds) = handed_over.pop(future), future.result()
                slowest = max(seconds / len(games), FADING * slowest)
                size = min(max(int(BATCH_TIME / slowest), 1), BATCH_SIZE)
                work.extend(tournament.hand_in(games, results))
        return ""
    finally:
        for games in handed_over.values():
            work.extendleft(reversed(games))
