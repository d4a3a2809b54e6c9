"""Executors (:mod:`concurrent.futures`) for games of built-in players, and for their logs."""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K")
OpenExecutor: TypeAlias = Callable[[], Executor]
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
    """In a process of the pool: ignore Ctrl-C, and exit when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
