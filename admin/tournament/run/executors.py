"""Executors (:mod:`concurrent.futures`) for games of built-in players."""

import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
OpenExecutor: TypeAlias = Callable[[], Executor]


class CannotPlay(Exception):
    """Games cannot be played with this executor; the text is user-facing."""


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


def process_pool(workers: int) -> Executor:
    """Return a pool of processes; with one worker there is no other process at all."""
    if workers == 1:
        return SerialExecutor()
    return ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_end_with_parent, initargs=(os.getpid(),)
    )


def _end_with_parent(parent: int) -> None:
    """In a process of the pool: ignore Ctrl-C, and exit when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
