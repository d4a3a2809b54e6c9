"""Games among house players alone, played by an executor: processes, a cluster, or this process.

    tournament --games--> batches --submit--> concurrent.futures.Executor --played--> tournament

A game is a pure function of the plan and its seed, so it does not matter where it is played, or
that it is played again when a process of the pool was killed.
"""

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import ParamSpec, TypeAlias, TypeVar

from admin.tournament.planning.schedule import Game
from admin.tournament.playing.built_in import Broken, Played, play_batch
from admin.tournament.playing.observer import Observer
from admin.tournament.playing.tournament_run import FailedGame, TournamentRun
from admin.tournament.results.store import FinishedGame

BATCH = 8
"""Games of one piece of work: enough that handing it over costs little, few enough to lose."""
AHEAD = 2
"""Pieces of work handed over for every worker, so that none has to wait for more."""
PATIENCE = 5
"""How often in a row an executor may break without a single game played."""

P = ParamSpec("P")
T = TypeVar("T")
Open: TypeAlias = Callable[[], Executor]
Work: TypeAlias = deque[Sequence[Game]]
"""Batches of games that are not handed over, or have to be once more."""


class CannotPlay(Exception):
    """Games cannot be played where it was asked; the text is for people."""


class _Lost(Exception):
    """A worker was lost, with the work that it had."""


class InThisProcess(Executor):
    """An executor without a process of its own: what is submitted has been done."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function now."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def processes(workers: int) -> Executor:
    """Return a pool of processes; with one worker there is no other process at all."""
    if workers == 1:
        return InThisProcess()
    return ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_end_with_parent, initargs=(os.getpid(),)
    )


def _end_with_parent(parent: int) -> None:
    """In a process of the pool: leave Ctrl-C to the parent, and go when it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def cluster(address: str, patience: float = 10.0) -> Iterator[tuple[Open, int]]:
    """Connect to a Dask cluster; yield a way to an executor, and the number of workers.

    ``patience`` is for how many seconds the scheduler may not answer.

    ``CannotPlay`` when the extra is not installed, or nobody answers at the address.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise CannotPlay(
            "A cluster needs the extra: pip install 'acquire-referee[cluster]', here and on "
            "every worker."
        ) from error
    try:
        client = Client(address, timeout=patience)  # type: ignore[no-untyped-call]  # half typed
    except (OSError, TimeoutError, ValueError) as error:
        raise CannotPlay(
            f"No Dask scheduler answers at {address}: {error or 'it took too long'}. Start one "
            "with `dask scheduler` and workers with `dask worker ADDRESS`."
        ) from error
    with client:
        threads = sum(client.nthreads().values())  # type: ignore[no-untyped-call]  # as above
        if not threads:
            raise CannotPlay(
                f"The cluster at {address} has no workers. Start some with `dask worker {address}`."
            )
        yield partial(Client.get_executor, client, retries=3), threads


def play_all(
    tournament: TournamentRun, observer: Observer, open_executor: Open, workers: int
) -> None:
    """Play all games that are left; ``CannotPlay`` when the executor keeps breaking."""
    for games in tournament.stages():
        work: Work = deque(games[at : at + BATCH] for at in range(0, len(games), BATCH))
        broken = 0
        while work:
            done = 0
            executor = open_executor()
            try:
                for played in _play(tournament, executor, work, workers):
                    done += _hand_in(tournament, played, work)
            except _Lost as error:
                broken = 0 if done else broken + 1
                if broken >= PATIENCE:
                    raise CannotPlay(
                        f"The workers failed {broken} times without a single game played: {error}"
                    ) from error
                observer.trouble(f"A worker was lost ({error}); its games are played again.")
            finally:
                executor.shutdown()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let a Ctrl-C wait: processes that are started meanwhile are not to hear it at all."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _play(
    tournament: TournamentRun, executor: Executor, work: Work, workers: int
) -> Iterator[tuple[Sequence[Game], list[Played | Broken]]]:
    """Hand over batches and yield them as they are played.

    Games break by themselves; when a batch does, its worker is lost. Then what was handed over
    and not played is put back into ``work``, and ``_Lost`` is raised.
    """
    under_way: dict[Future[list[Played | Broken]], Sequence[Game]] = {}
    try:
        while work or under_way:
            while work and len(under_way) < workers * AHEAD:
                games = work[0]
                with _undisturbed():
                    under_way[executor.submit(play_batch, tournament.rules, games)] = games
                work.popleft()
                for game in games:
                    tournament.begin(game)
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                played = future.result()
                yield under_way.pop(future), played
    except Exception as error:
        work.extendleft(reversed(under_way.values()))
        raise _Lost(str(error) or repr(error)) from error
    finally:
        for future in under_way:
            future.cancel()


def _hand_in(
    tournament: TournamentRun,
    played: tuple[Sequence[Game], list[Played | Broken]],
    work: Work,
) -> int:
    """Hand in a batch; return how many of its games count. What is void is played again."""
    games, outcomes = played
    finished = [
        FinishedGame(found.result, found.log) for found in outcomes if isinstance(found, Played)
    ]
    if finished:
        tournament.finish(finished)
    for game, found in zip(games, outcomes, strict=True):
        if isinstance(found, Broken):
            voided = FailedGame(game, "A defect of the referee broke it off.", found.why)
            if tournament.void(voided):
                work.append([game])
    return len(finished)
