"""Play a tournament on a Dask cluster: its workers play the games, this process keeps the results.

    for each worker that joins:  introduction --> may it play? how many games at once?
    for each game:               folders that the worker does not have --> the game --> result

A worker is sent a game when one of its places is free, so it is known where every game is. A game
whose worker is lost is played again by another. When the scheduler is lost, all games in progress
are: this process connects again, for a while.
"""

import asyncio
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from admin.tournament.planning.schedule import Game
from admin.tournament.playing.built_in import play_batch
from admin.tournament.playing.cluster_connection import (
    NotPlayed,
    Stopped,
    answer,
    close,
    connect,
    identity,
    on_worker,
    quiet_logs,
)
from admin.tournament.playing.cluster_orders import (
    CannotBuild,
    GameOrder,
    MissingFolders,
    WorkerFacts,
    plan_of_game,
)
from admin.tournament.playing.executors import CannotPlay
from admin.tournament.playing.observer import Observer
from admin.tournament.playing.shipment import Shipment
from admin.tournament.playing.tournament_run import TournamentRun
from admin.tournament.results.result import FailedGame, FinishedGame

if TYPE_CHECKING:
    from distributed import Client

GAMES_RESOURCE = "games"
"""The resource by which a worker says how many games it plays at once: ``--resources games=2``."""
CONNECT_TIMEOUT = 10.0
"""Seconds that the scheduler has to answer at the start, and the first worker to join."""
RETURN_TIMEOUT = 60.0
"""Seconds that a lost scheduler, or the last worker, has to come back."""
REQUEST_TIMEOUT = 30.0
"""Seconds that the scheduler, or a worker through it, has for an answer that takes no time."""
SILENCE_TIMEOUT = 60.0
"""Seconds after which a worker that sends no signs of life is taken for lost."""
REFRESH_INTERVAL = 1.0
"""Seconds between two looks at which workers there are."""
POLL_INTERVAL = 0.1
"""Seconds between two looks at whether to stop."""
BATCH_SIZE = 8
"""Games of built-in players that are handed over together."""
MAX_FAILURES = 3
"""Games in a row that a worker may fail to play, before it is given no more."""
MAX_LOSSES = 20
"""Failures of all workers in a row, without a finished game, before the cluster is given up."""
MAX_SHIPMENTS = 3
MIN_BYTES_PER_SECOND = 100_000


class _SchedulerLost(Exception):
    """The scheduler does not answer any more."""


@dataclass
class _Worker:
    """A worker that plays: how many games at once, and what it has."""

    address: str
    places: int
    declared: bool
    """Whether it has declared its places, as a resource."""
    folders: set[str] = field(default_factory=set)
    unbuilt: set[str] = field(default_factory=set)
    """Players that could not be built there."""
    games: int = 0
    """How many batches of games it has now."""
    failures: int = 0
    paused: bool = False
    shipping: asyncio.Lock = field(default_factory=asyncio.Lock)


def play_on_cluster(
    tournament: TournamentRun,
    observer: Observer,
    address: str,
    stopped: Callable[[], bool],
    leaving: Callable[[], bool],
) -> None:
    """Play all games that are left, or until ``stopped`` returns true.

    No more games begin once ``leaving`` returns true; those in progress are finished.

    ``CannotPlay`` if the tournament cannot be played on a cluster, the extra is not installed, or
    the cluster does not come back.
    """
    try:
        import distributed  # noqa: F401  # to find out before anything is copied
    except ImportError as error:
        raise CannotPlay(
            "--cluster needs an extra: run pip install 'acquire-referee[cluster]' here and on "
            "every worker."
        ) from error
    with quiet_logs(), tempfile.TemporaryDirectory(prefix="acquire-") as folder:
        shipment = Shipment(tournament.plan, tournament.store_path, Path(folder))
        run = _ClusterRun(tournament, observer, address, shipment, stopped, leaving)
        with suppress(Stopped):
            asyncio.run(run.play())


class _ClusterRun:
    """Plays the games of a tournament; ``play`` may be called once."""

    def __init__(
        self,
        tournament: TournamentRun,
        observer: Observer,
        address: str,
        shipment: Shipment,
        stopped: Callable[[], bool],
        leaving: Callable[[], bool],
    ) -> None:
        self._tournament = tournament
        self._plan = tournament.plan
        self._observer = observer
        self._address = address
        self._shipment = shipment
        self._stopped = stopped
        self._leaving = leaving
        self._workers: dict[str, _Worker] = {}
        self._introductions: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, str] = {}
        """Why workers do not play, by address."""
        self._seen: dict[str, tuple[float, float]] = {}
        """The last sign of life of every worker, by the scheduler's clock, and when it came."""
        self._work: deque[Sequence[Game]] = deque()
        self._running: dict[asyncio.Task[None], tuple[_Worker, Sequence[Game]]] = {}
        self._losses = 0
        self._patience = CONNECT_TIMEOUT
        """Seconds to wait for workers if there are none."""

    async def play(self) -> None:
        """Play all games that are left, or until stopped."""
        client = await connect(self._address, CONNECT_TIMEOUT, self._stopped)
        try:
            for games in self._tournament.stages():
                size = BATCH_SIZE if self._plan.built_in_only else 1
                self._work = deque(games[at : at + size] for at in range(0, len(games), size))
                while self._work and not self._stopped() and not self._leaving():
                    try:
                        await self._play_stage(client)
                    except _SchedulerLost:
                        await self._end_all()
                        await close(client)
                        self._observer.problem(
                            f"The scheduler at {self._address} does not answer; games in progress "
                            "are played again when it does."
                        )
                        client = await connect(self._address, RETURN_TIMEOUT, self._stopped)
                if self._stopped() or self._leaving():
                    return
        finally:
            await self._end_all()
            await close(client)

    # -- the cluster ----------------------------------------------------------------------------

    async def _play_stage(self, client: "Client") -> None:
        """Play the games that are left of a stage; ``_SchedulerLost``, ``CannotPlay``."""
        refreshed = -REFRESH_INTERVAL
        alone_since = time.monotonic()
        while (self._running or (self._work and not self._leaving())) and not self._stopped():
            if client.status != "running":
                raise _SchedulerLost
            if time.monotonic() - refreshed >= REFRESH_INTERVAL:
                await self._refresh(client)
                refreshed = time.monotonic()
            if self._workers:
                alone_since, self._patience = time.monotonic(), RETURN_TIMEOUT
            elif time.monotonic() - alone_since > self._patience and not self._introductions:
                raise CannotPlay(self._why_no_workers())
            if not self._leaving():
                self._assign(client)
            waiting = [*self._running, *self._introductions.values()]
            if not waiting:
                await asyncio.sleep(POLL_INTERVAL)
                continue
            done, _ = await asyncio.wait(
                waiting, timeout=POLL_INTERVAL, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                self._settle(task)

    def _settle(self, task: "asyncio.Task[None]") -> None:
        """Take note of a task that has ended."""
        if task in self._running:
            worker, _ = self._running.pop(task)
            worker.games -= 1
        for address, introduction in [*self._introductions.items()]:
            if introduction is task:
                del self._introductions[address]
        if not task.cancelled():
            task.result()

    def _why_no_workers(self) -> str:
        reasons = "".join(f"\n{address}: {why}" for address, why in self._refused.items())
        if reasons:
            return f"No worker of the cluster at {self._address} can play:{reasons}"
        return (
            f"The cluster at {self._address} has no workers. Start some with `dask worker "
            f"{self._address}`. Games that are finished are safe."
        )

    async def _refresh(self, client: "Client") -> None:
        """Find out which workers there are."""
        try:
            found = await asyncio.wait_for(identity(client), REQUEST_TIMEOUT)
        except (OSError, TimeoutError) as error:
            raise _SchedulerLost from error
        present = found["workers"]
        silent = {address for address, facts in present.items() if self._is_silent(address, facts)}
        for address in [*self._workers]:
            if address not in present or address in silent:
                self._lose(self._workers.pop(address))
        for address in [*self._refused]:
            if address not in present:
                del self._refused[address]
        for address, facts in present.items():
            if address in self._workers:
                self._workers[address].paused = facts["status"] != "running"
            known = self._workers.keys() | self._introductions.keys() | self._refused.keys()
            if address not in known and address not in silent and facts["status"] == "running":
                introduction = self._introduce(client, address, facts)
                self._introductions[address] = asyncio.create_task(introduction)

    def _is_silent(self, address: str, facts: dict[str, Any]) -> bool:
        last, since = self._seen.get(address, (0.0, 0.0))
        if facts["last_seen"] != last:
            self._seen[address] = (facts["last_seen"], time.monotonic())
            return False
        return time.monotonic() - since > SILENCE_TIMEOUT

    async def _introduce(self, client: "Client", address: str, facts: dict[str, Any]) -> None:
        """Admit a worker, unless it cannot play."""
        from admin.tournament.playing.cluster_worker import introduce

        wanted = self._plan.limits.sandbox if self._shipment.digests else ""
        declared = GAMES_RESOURCE in facts["resources"]
        places = facts["nthreads"]
        if declared:
            places = min(int(facts["resources"][GAMES_RESOURCE]), places)
        try:
            found = await asyncio.wait_for(
                on_worker(client, address, introduce, wanted), REQUEST_TIMEOUT
            )
        except (OSError, TimeoutError):
            return  # it has gone, or is busy: it is asked again
        except Exception as error:  # it cannot even read the question
            why = (
                f"{type(error).__name__}: {error}. Install the same acquire-referee there as here."
            )
            found = WorkerFacts(why_not=why)
        if not found.why_not and places < 1:
            found = WorkerFacts(why_not=f"It declares {GAMES_RESOURCE}={places}.")
        if found.why_not:
            self._refused[address] = found.why_not
            self._observer.problem(f"The worker at {address} does not play: {found.why_not}")
            return
        self._workers[address] = _Worker(address, places, declared, {*found.folders})
        self._observer.worker_joined(address, places, found.sandbox)

    def _lose(self, worker: _Worker) -> None:
        """Give the games of a lost worker to others."""
        lost = [task for task, (other, _) in self._running.items() if other is worker]
        for task in lost:
            task.cancel()
        games = sum(len(self._running[task][1]) for task in lost)
        again = f"; {games} of its games are played again" if games else ""
        self._observer.problem(f"The worker at {worker.address} was lost{again}.")

    async def _end_all(self) -> None:
        """End all games in progress, and forget the workers."""
        tasks = [*self._running, *self._introductions.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._running.clear()
        self._introductions.clear()
        self._workers.clear()
        self._refused.clear()

    # -- games ----------------------------------------------------------------------------------

    def _assign(self, client: "Client") -> None:
        """Give every free place a game."""
        # built-in players take no time: the next batch should be there when one is finished
        ahead = 2 if self._plan.built_in_only else 1
        for worker in sorted(self._workers.values(), key=lambda worker: worker.games):
            while worker.games < worker.places * ahead and not worker.paused:
                games = next((games for games in self._work if self._suits(worker, games)), None)
                if games is None:
                    break
                self._work.remove(games)
                worker.games += 1
                task = asyncio.create_task(self._play(client, worker, games))
                self._running[task] = worker, games

    def _suits(self, worker: _Worker, games: Sequence[Game]) -> bool:
        """Whether a worker can build all players of a game, as far as others can."""
        failed = worker.unbuilt.intersection(*(game.players for game in games))
        return not any(failed - other.unbuilt for other in self._workers.values())

    async def _play(self, client: "Client", worker: _Worker, games: Sequence[Game]) -> None:
        """Have some games played and hand them in; they stay to be played if that fails."""
        results = None
        try:
            started = [self._tournament.start(game) for game in games]
            if self._plan.built_in_only:
                settings = self._tournament.settings
                results = await self._result(client, worker, play_batch, settings, started)
            else:
                results = [await self._play_programs(client, worker, started[0])]
        except NotPlayed as error:
            self._penalize(worker, error)
        finally:
            if results is None:
                self._work.appendleft(games)
        if results is not None:
            worker.failures = 0
            self._hand_in(games, results)

    async def _play_programs(
        self, client: "Client", worker: _Worker, game: Game
    ) -> FinishedGame | FailedGame:
        """Have a game of programs played, after sending what the worker needs for it."""
        from admin.tournament.playing.cluster_worker import play

        names = [name for name in game.players if name in self._shipment.digests]
        order = GameOrder(
            game,
            plan_of_game(self._plan, game),
            self._tournament.settings,
            {name: self._shipment.digests[name] for name in names},
            frozenset(filter(self._tournament.missed.is_skipped, names)),
            frozenset(worker.unbuilt.intersection(names)),
        )
        for _ in range(MAX_SHIPMENTS):
            await self._ship(client, worker, order)
            found = await self._result(client, worker, play, order)
            if isinstance(found, CannotBuild):
                if found.player not in worker.unbuilt:
                    worker.unbuilt.add(found.player)
                    self._observer.problem(
                        f"{found.player} could not be built by the worker at {worker.address}. "
                        f"{found.failure}"
                    )
                raise NotPlayed
            if not isinstance(found, MissingFolders):
                assert isinstance(found, FinishedGame | FailedGame)
                return found
            worker.folders.difference_update(found.digests)  # another process has its address
        raise NotPlayed("it loses the folders that it is sent")

    async def _ship(self, client: "Client", worker: _Worker, order: GameOrder) -> None:
        """Send the folders of players to a worker that does not have them."""
        from admin.tournament.playing.cluster_worker import receive

        async with worker.shipping:
            for digest in {*order.folders.values()} - worker.folders - {""}:
                packed = await asyncio.to_thread(self._shipment.pack, digest)
                timeout = REQUEST_TIMEOUT + len(packed) / MIN_BYTES_PER_SECOND
                await answer(on_worker(client, worker.address, receive, digest, packed), timeout)
                worker.folders.add(digest)
                self._observer.folder_sent(worker.address, digest, len(packed))

    async def _result(
        self, client: "Client", worker: _Worker, function: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Call a function on a worker as a task, and return its result; ``NotPlayed``."""
        resources = {GAMES_RESOURCE: 1} if worker.declared else None
        future: Any = client.submit(
            function, *arguments, workers=[worker.address], resources=resources, pure=False
        )
        try:
            return await answer(future)
        except BaseException:
            with suppress(Exception):
                await asyncio.wait_for(asyncio.shield(future.cancel()), POLL_INTERVAL)
            raise

    def _penalize(self, worker: _Worker, error: "NotPlayed") -> None:
        """Note that a worker has not played a game; give it up if that goes on."""
        if not str(error):
            return
        worker.failures += 1
        self._losses += 1
        if self._losses >= MAX_LOSSES:
            raise CannotPlay(
                f"The workers failed {self._losses} times without a single finished game: {error}"
            )
        if worker.failures >= MAX_FAILURES and worker.address in self._workers:
            del self._workers[worker.address]
            self._refused[worker.address] = str(error)
            self._observer.problem(f"The worker at {worker.address} is given up: {error}.")

    def _hand_in(self, games: Sequence[Game], results: Sequence[FinishedGame | FailedGame]) -> None:
        """Hand in results; void games are played again."""
        finished = [result for result in results if isinstance(result, FinishedGame)]
        if finished:
            self._losses = 0
            self._tournament.finish(finished)
        for game, result in zip(games, results, strict=True):
            if isinstance(result, FailedGame) and self._tournament.void(result):
                self._work.append([game])
