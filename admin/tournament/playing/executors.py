"""Executors (:mod:`concurrent.futures`) for games of built-in players."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
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


@contextmanager
def dask_cluster(address: str, timeout: float = 10.0) -> Iterator[tuple[OpenExecutor, int]]:
    """Connect to a Dask cluster; yield a function that opens an executor, and its workers' number.

    ``timeout`` is how many seconds the scheduler has to answer. ``CannotPlay`` if the extra is not
    installed, the scheduler does not answer, or the cluster has no workers.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise CannotPlay(
            "--cluster needs an extra: run pip install 'acquire-referee[cluster]' here and on "
            "every worker."
        ) from error
    try:
        client = Client(address, timeout=timeout)  # type: ignore[no-untyped-call]  # half typed
    except (OSError, TimeoutError, ValueError) as error:
        raise CannotPlay(
            f"No Dask scheduler answers at {address}: {error or 'it took too long'}. Start one "
            "with `dask scheduler`, and workers with `dask worker ADDRESS`."
        ) from error
    with client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]  # as above
        if not threads:
            raise CannotPlay(
                f"The cluster at {address} has no workers. Start some with `dask worker {address}`."
            )
        yield partial(Client.get_executor, client, retries=3), threads
