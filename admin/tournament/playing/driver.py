"""Playing a tournament out, by whatever its players need, until it is done or told to stop."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from admin.tournament.playing.observer import Observer
from admin.tournament.playing.tournament_run import TournamentRun

if TYPE_CHECKING:
    from admin.web.feed import Feed


def play_out(
    tournament: TournamentRun,
    observer: Observer,
    workers: int,
    cluster: str | None,
    feed: "Feed | None" = None,
) -> int | None:
    """Play what is left; return the number of the signal that stopped it, if one did.

    ``feed`` is that of the pages, where there are some. ``CannotListen``, ``CannotPlay`` and
    ``StoreError`` when it cannot be played.
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
        return _play_house(tournament, observer, workers, cluster)
    finally:
        if feed is not None:
            import trio

            from admin.web.feed import drain_at_end

            trio.run(drain_at_end, feed)


def _play_house(
    tournament: TournamentRun, observer: Observer, workers: int, cluster: str | None
) -> int | None:
    """Play what house players alone have left to play."""
    from admin.tournament.playing import pool

    try:
        with _signals_raise():
            if cluster is None:
                pool.play_all(tournament, observer, partial(pool.processes, workers), workers)
            else:
                with pool.cluster(cluster) as (open_executor, threads):
                    pool.play_all(tournament, observer, open_executor, threads)
    except _Stopped as stopped:
        return stopped.number
    return None


class _Stopped(BaseException):
    """A signal came; like ``KeyboardInterrupt``, nothing on the way is to hold it up."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def _signals_raise() -> Iterator[None]:
    def stop(number: int, _frame: FrameType | None) -> None:
        for known in before:  # once is enough: what is under way is being ended
            signal.signal(known, signal.SIG_IGN)
        raise _Stopped(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
