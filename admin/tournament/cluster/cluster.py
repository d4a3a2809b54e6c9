"""Play a tournament on a Dask cluster: its workers play the games, this process keeps the results.

    for each worker that joins:  introduction --> may it play? how many games at once?
    for each game:               folders that the worker does not have --> the game --> result

A worker is sent a game when one of its places is free, so it is known where every game is, which
worker cannot build a player, and which games were lost with it. Dask's scheduler does not assign
them: a task that waits for a worker that never returns would hang. A game whose worker is lost is
played again by another. When the scheduler is lost, all games in progress are: this process
connects again, for a while, as if for the first time.
"""

import asyncio
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ....protocol.plugins import names_file
from ....protocol.user_error import UserError
from ...launching.building import verify_unchanged
from ...launching.player_folder import FolderRefused, pack_folder
from ..arena.player_files import Programs
from ..games.result import FailedGame, FinishedGame
from ..planning.plan import Plan
from ..planning.schedule import Game
from ..planning.sections import LobbySettings
from ..planning.submissions import folder_of
from ..run.built_in import play_batch
from ..run.run_events import FolderSent, Notice, Trouble
from ..run.tournament_run import TournamentRun
from .cluster_connection import (
    CONNECT_TIMEOUT,
    REQUEST_TIMEOUT,
    Connection,
    NotPlayed,
    SchedulerLost,
    Stopped,
    Worker,
    answer,
    dask,
)
from .cluster_worker import CannotBuild, GameOrder, play, receive

RETURN_TIMEOUT = 60.0  # seconds that a lost scheduler, or the last worker, has to come back
REFRESH_INTERVAL = 1.0  # seconds between two looks at which workers there are
POLL_INTERVAL = 0.1  # seconds between two looks at whether to stop
BATCH_SIZE = 8  # games of built-in players that are handed over together
MAX_FAILURES = 3  # games in a row that a worker may fail to play, before it is given no more
MAX_LOSSES = 20
"""Failures of all workers in a row, without a finished game, before the cluster is given up."""
MIN_BYTES_PER_SECOND = 100_000


def play_on_cluster(
    tournament: TournamentRun,
    address: str,
    stopped: Callable[[], bool],
    leaving: Callable[[], bool],
) -> None:
    """Play all games that are left, or until ``stopped`` returns true.

    No more games begin once ``leaving`` returns true; those in progress are finished.

    ``UserError`` if the tournament cannot be played on a cluster, the extra is not installed, or
    the cluster does not come back.
    """
    with dask(), tempfile.TemporaryDirectory(prefix="acquire-") as folder:
        shipment = Shipment(tournament.plan, tournament.store_path, Path(folder))
        run = _ClusterRun(tournament, address, shipment, stopped, leaving)
        with suppress(Stopped):
            asyncio.run(run.play())


@dataclass
class _ClusterRun:
    """Plays the games of a tournament; ``play`` may be called once."""

    tournament: TournamentRun
    address: str
    shipment: "Shipment"
    stopped: Callable[[], bool]
    leaving: Callable[[], bool]

    def __post_init__(self) -> None:
        self.plan, self.observer = self.tournament.plan, self.tournament.observer
        programs = self.shipment.digests or self.shipment.refused
        sandbox = self.plan.limits.sandbox if programs else ""
        self.cluster = Connection(self.address, sandbox, self.observer)
        self.work: deque[Sequence[Game]] = deque()
        self.running: dict[asyncio.Task[None], tuple[Worker, Sequence[Game]]] = {}
        self.losses = 0
        self.patience = CONNECT_TIMEOUT  # seconds to wait for workers if there are none

    async def play(self) -> None:
        """Play all games that are left, or until stopped."""
        for name, why in self.shipment.refused.items():
            self.observer(Trouble(f"{name} could not be built, and loses its games. {why}"))
        self.observer(Notice("preparing", f"Connecting to the Dask cluster at {self.address}."))
        await self.cluster.connect(CONNECT_TIMEOUT, self.stopped)
        self.observer(Notice("preparing", "Connected. Waiting for workers to join."))
        try:
            for games in self.tournament.stages():
                size = BATCH_SIZE if self.plan.built_in_only else 1
                self.work = deque(games[at : at + size] for at in range(0, len(games), size))
                while self.work and not self.leaving():
                    try:
                        await self._play_stage()
                    except SchedulerLost:
                        await self._end()
                        lost = f"The scheduler at {self.address} does not answer"
                        again = "games in progress are played again when it does"
                        self.observer(Trouble(f"{lost}; {again}."))
                        await self.cluster.connect(RETURN_TIMEOUT, self.stopped)
                if self.leaving():
                    return
        finally:
            await self._end()

    async def _play_stage(self) -> None:
        """Play the games that are left of a stage; ``SchedulerLost``, ``UserError``."""
        cluster, refreshed = self.cluster, -REFRESH_INTERVAL
        alone_since = time.monotonic()
        while (self.running or (self.work and not self.leaving())) and not self.stopped():
            if cluster.client.status != "running":
                raise SchedulerLost
            if time.monotonic() - refreshed >= REFRESH_INTERVAL:
                for lost in await cluster.refresh():
                    self._lose(lost)
                refreshed = time.monotonic()
            if cluster.admitted:
                alone_since, self.patience = time.monotonic(), RETURN_TIMEOUT
            elif time.monotonic() - alone_since > self.patience and not cluster.introductions:
                raise UserError(cluster.why_none())
            if not self.leaving():
                self._assign()
            waiting = [*self.running, *cluster.introductions]
            if not waiting:
                await asyncio.sleep(POLL_INTERVAL)
                continue
            done, _ = await asyncio.wait(
                waiting, timeout=POLL_INTERVAL, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                if cluster.introductions.pop(task, None) is None:
                    self.running.pop(task)[0].games -= 1
                if not task.cancelled():
                    task.result()

    def _lose(self, worker: Worker) -> None:
        lost = [task for task, (other, _) in self.running.items() if other is worker]
        for task in lost:
            task.cancel()
        games = sum(len(self.running[task][1]) for task in lost)
        again = f"; {games} of its games are played again" if games else ""
        self.observer(Trouble(f"The worker at {worker.address} was lost{again}."))

    async def _end(self) -> None:
        tasks = [*self.running, *self.cluster.introductions]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.running.clear()
        await self.cluster.close()

    # -- games ----------------------------------------------------------------------------------

    def _assign(self) -> None:
        # built-in players take no time: the next batch should be there when one is finished
        ahead = 2 if self.plan.built_in_only else 1
        workers = self.cluster.admitted.values()
        for worker in sorted(workers, key=lambda worker: worker.games):
            while worker.games < worker.places * ahead and not worker.paused:
                games = next((games for games in self.work if self._suits(worker, games)), None)
                if games is None:
                    break
                self.work.remove(games)
                worker.games += 1
                task = asyncio.create_task(self._play(worker, games))
                self.running[task] = worker, games

    def _suits(self, worker: Worker, games: Sequence[Game]) -> bool:
        """Whether a worker can build all players of a game, as far as others can."""
        failed = worker.unbuilt.intersection(*(game.players for game in games))
        return not any(failed - other.unbuilt for other in self.cluster.admitted.values())

    async def _play(self, worker: Worker, games: Sequence[Game]) -> None:
        """Have some games played and hand them in; they stay to be played if that fails."""
        results = None
        try:
            started = [self.tournament.start(game) for game in games]
            if self.plan.built_in_only:
                settings = self.tournament.settings
                results = await self.cluster.compute(worker, play_batch, settings, started)
            else:
                results = [await self._play_programs(worker, started[0])]
        except NotPlayed as error:
            self._penalize(worker, str(error))
        finally:
            if results is None:
                self.work.appendleft(games)
        if results is not None:
            worker.failures = 0
            if any(isinstance(result, FinishedGame) for result in results):
                self.losses = 0
            self.work.extend([game] for game in self.tournament.hand_in(games, results))

    async def _play_programs(self, worker: Worker, game: Game) -> FinishedGame | FailedGame:
        """Have a game of programs played, after sending what the worker needs for it."""
        names = [name for name in game.players if name in self.shipment.digests]
        order = GameOrder(
            game,
            plan_of_game(self.plan, game),
            self.tournament.settings,
            {name: self.shipment.digests[name] for name in names},
            frozenset(filter(self.tournament.missed.is_skipped, names)),
            frozenset(worker.unbuilt.intersection(names)),
            {name: why for name, why in self.shipment.refused.items() if name in game.players},
        )
        await self._ship(worker, order)
        found = await self.cluster.compute(worker, play, order)
        if not isinstance(found, CannotBuild):
            assert isinstance(found, FinishedGame | FailedGame)
            return found
        if found.player not in worker.unbuilt:
            worker.unbuilt.add(found.player)
            where = f"by the worker at {worker.address}"
            self.observer(Trouble(f"{found.player} could not be built {where}. {found.failure}"))
        raise NotPlayed

    async def _ship(self, worker: Worker, order: GameOrder) -> None:
        """Send a worker the folders that it lacks: another process may have its address by now."""
        async with worker.shipping:
            if (facts := await self.cluster.facts_of(worker.address)) is None:
                raise NotPlayed("it does not answer in time")
            for digest in {*order.folders.values()} - {"", *facts.folders}:
                packed = await asyncio.to_thread(self.shipment.packed, digest)
                timeout = REQUEST_TIMEOUT + len(packed) / MIN_BYTES_PER_SECOND
                await answer(self.cluster.ask(worker.address, receive, digest, packed), timeout)
                self.observer(FolderSent(worker.address, digest, len(packed)))

    def _penalize(self, worker: Worker, why: str) -> None:
        if not why:
            return
        worker.failures += 1
        self.losses += 1
        if self.losses >= MAX_LOSSES:
            raise UserError(
                f"The workers failed {self.losses} times without a single finished game: {why}"
            )
        if worker.failures >= MAX_FAILURES and worker.address in self.cluster.admitted:
            self.cluster.refuse(worker.address, why)
            self.observer(Trouble(f"The worker at {worker.address} is given up: {why}."))


# -- folders of players -------------------------------------------------------------------------


def plan_of_game(plan: Plan, game: Game) -> Plan:
    """Return a plan with what a game needs; its folder is none of this machine's."""
    general = plan.tournament.model_copy(update={"seed": None, "submissions": None, "roster": None})
    return plan.model_copy(
        update={
            "tournament": general,
            "lobby": LobbySettings(),
            "players": tuple(plan.entrant(name) for name in game.players),
            "folder": Path("/"),
            "left_out": (),
            "roster": (),
        }
    )


class Shipment:
    """The folders of the players as they were at the start, to be sent to workers.

    ``digests`` are theirs, by name, empty for a program without files; ``refused`` says which
    players lose their games, and why: their folders were changed since the plan was read.
    """

    def __init__(self, plan: Plan, store: Path, folder: Path) -> None:
        """Pack them into a new folder; ``UserError`` if that is not possible for all."""
        self._folder = folder
        self.digests: dict[str, str] = {}
        self.refused: dict[str, str] = {}
        refused, programs = [], Programs(plan, store)
        for player in plan.players:
            if player.remote is not None:
                refused.append(f"{player.name} is a remote player, which connects to this machine.")
            elif player.strategy is not None and names_file(player.strategy):
                refused.append(
                    f"{player.name} cannot be sent to other machines: its class is in a file of "
                    "this one. Have it played as a program, in a directory of its own."
                )
            elif player.command is not None and (why := programs.why_not_shipped(player)):
                refused.append(f"{player.name} cannot be sent to other machines: {why}.")
        if refused:
            raise UserError("\n".join(["A cluster cannot play this tournament:", *refused]))
        for player in plan.programs:
            self.digests[player.name] = ""
            if player.directory is not None:
                own = folder_of(plan.folder, player)
                try:
                    digest, packed = pack_folder(own)
                    verify_unchanged(own, digest, player.read_folder.digest)
                except FolderRefused as error:  # the others play, however often it is changed
                    del self.digests[player.name]
                    self.refused[player.name] = str(error)
                    continue
                (folder / digest).write_bytes(packed)
                self.digests[player.name] = digest

    def packed(self, digest: str) -> bytes:
        """Return a folder as an archive."""
        return (self._folder / digest).read_bytes()
