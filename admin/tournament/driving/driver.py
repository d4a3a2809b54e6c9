"""Play a tournament until it is done or stopped: by the pool, in the arena, or on a cluster."""

import time
from functools import partial
from typing import TYPE_CHECKING

from ...refereeing.table.run import run_until_stopped, signal_noted
from ..run.run_events import RunObserver, Trouble
from ..run.tournament_run import TournamentRun

if TYPE_CHECKING:
    from ...pages.web.feed import Feed
    from ..run.plan_watch import PlanWatch, Watch

POLL_INTERVAL = 0.2
"""Seconds between two looks at whether a signal has come."""


def play_tournament(
    tournament: TournamentRun,
    observer: RunObserver,
    workers: int,
    cluster: str | None,
    feed: "Feed | None" = None,
    watch: "Watch | None" = None,
) -> int | None:
    """Play the games that are left; return the number of the signal that stopped it, if one did.

    ``cluster`` is the address of a Dask scheduler, ``feed`` leads to the pages for spectators. When
    ``watch`` says so, no more games begin. ``CannotListen``, ``CannotPlay`` and
    ``StoreError`` if the tournament cannot be played.
    """
    if cluster is None and not tournament.plan.built_in_only:
        from ..arena.arena import Arena

        arena = Arena(tournament, observer, workers, watch)
        if feed is None:
            return run_until_stopped(arena.run)
        from ...pages.web.feed import run_with_feed

        return run_until_stopped(partial(run_with_feed, arena.run, feed))
    try:
        return _play_and_poll(tournament, observer, workers, cluster, watch)
    finally:
        if feed is not None:
            import trio

            from ...pages.web.feed import drain_at_end

            trio.run(drain_at_end, feed)


def _play_and_poll(
    tournament: TournamentRun,
    observer: RunObserver,
    workers: int,
    cluster: str | None,
    watch: "Watch | None",
) -> int | None:
    """Play where this process looks now and then whether to stop: by the pool or on a cluster."""
    with signal_noted() as number:
        changed = False

        def stopped() -> bool:
            nonlocal changed
            changed = changed or (watch is not None and watch.look())
            return changed or number() is not None

        if cluster is None:
            from ..run.executors import process_pool
            from ..run.pool import play_all

            play_all(tournament, observer, partial(process_pool, workers), workers, stopped)
            return number()
        from ...launching.player_folder import FolderRefused
        from ..cluster.cluster import play_on_cluster

        try:
            play_on_cluster(tournament, observer, cluster, lambda: number() is not None, stopped)
        except FolderRefused as error:
            if watch is None:
                raise
            observer(Trouble(str(error)))  # it has just been changed: a new plan follows
        return number()


def wait_for_change(watch: "PlanWatch") -> int | None:
    """Wait for a new plan; return the number of the signal that stopped the wait, if one did."""
    with signal_noted() as number:
        while number() is None and not watch.look():
            time.sleep(POLL_INTERVAL)
        return number()
