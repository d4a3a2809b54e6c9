"""Play a tournament until it is done or stopped, by the pool or in the arena."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from admin.tournament.playing.observer import Observer
from admin.tournament.playing.tournament_run import TournamentRun

if TYPE_CHECKING:
    from admin.web.feed import Feed


def play_tournament(
    tournament: TournamentRun,
    observer: Observer,
    workers: int,
    cluster: str | None,
    feed: "Feed | None" = None,
) -> int | None:
    """Play the games that are left; return the number of the signal that stopped it, if one did.

    ``cluster`` is the address of a Dask scheduler, ``feed`` leads to the pages for spectators.
    ``CannotListen``, ``CannotPlay`` and ``StoreError`` if the tournament cannot be played.
    """
    if not tournament.plan.built_in_only:
        from admin.table.run import run_until_stopped
        from admin.tournament.playing.arena import Arena

        arena = Arena(tournament, observer, workers)
        if feed is None:
            return run_until_stopped(arena.run)
        from admin.web.feed import run_with_feed

        return run_until_stopped(partial(run_with_feed, arena.run, feed))
    try:
        return _play_built_in(tournament, observer, workers, cluster)
    finally:
        if feed is not None:
            import trio

            from admin.web.feed import drain_at_end

            trio.run(drain_at_end, feed)


def _play_built_in(
    tournament: TournamentRun, observer: Observer, workers: int, cluster: str | None
) -> int | None:
    """Play the games of a tournament of built-in players."""
    from admin.tournament.playing.executors import dask_cluster, process_pool
    from admin.tournament.playing.pool import play_all

    with _signal_noted() as number:
        if cluster is None:
            pool = partial(process_pool, workers)
            play_all(tournament, observer, pool, workers, lambda: number() is not None)
        else:
            with dask_cluster(cluster) as (open_executor, threads):
                play_all(tournament, observer, open_executor, threads, lambda: number() is not None)
        return number()


@contextmanager
def _signal_noted() -> Iterator[Callable[[], int | None]]:
    """Note the first SIGINT or SIGTERM; yield a function that returns its number.

    The handler only notes it. If it raised an exception, that could occur anywhere, even where
    Python prints exceptions and drops them, as in the callbacks of :mod:`concurrent.futures`.
    """
    noted: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        noted.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: noted[0] if noted else None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
