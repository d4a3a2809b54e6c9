"""Play a tournament until it is done or stopped: by the pool, in the arena, or on a cluster."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ...refereeing.table.run import run_until_stopped, signal_noted
from ..run.tournament_run import TournamentRun

if TYPE_CHECKING:
    from ...pages.web.serving import Feed

POLL_INTERVAL = 0.2  # seconds between two looks at whether a signal has come


def play_tournament(
    tournament: TournamentRun,
    workers: int,
    cluster: str | None,
    feed: "Feed | None" = None,
    is_over: Callable[[], bool] = lambda: False,
) -> int | None:
    """Play the games that are left; return the number of the signal that stopped it, if one did.

    ``cluster`` is the address of a Dask scheduler, ``feed`` leads to the pages for spectators. Once
    ``is_over``, no more games begin. ``CannotListen``, ``UserError`` and ``StoreError`` if the
    tournament cannot be played.
    """
    if cluster is None and not tournament.plan.built_in_only:
        from ...pages.web.serving import run_with_feed
        from ..arena.arena import Arena

        arena = Arena(tournament, workers, is_over)
        return run_until_stopped(partial(run_with_feed, arena.run, feed))
    changed = False

    def stopped() -> bool:
        """Look whether to stop, which this process does now and then."""
        nonlocal changed
        changed = changed or is_over()
        return changed or number() is not None

    try:
        with signal_noted() as number:
            if cluster is None:
                from ..run.executors import play_all, process_pool

                play_all(tournament, partial(process_pool, workers), workers, stopped)
            else:
                from ..cluster.cluster import play_on_cluster

                play_on_cluster(tournament, cluster, lambda: number() is not None, stopped)
            return number()
    finally:
        if feed is not None:
            import trio

            from ...pages.web.serving import drain_at_end

            trio.run(drain_at_end, feed)


def wait_until(is_over: Callable[[], bool]) -> int | None:
    """Wait for a new plan, say; return the number of the signal that stopped the wait, if any."""
    with signal_noted() as number:
        while number() is None and not is_over():
            time.sleep(POLL_INTERVAL)
        return number()
