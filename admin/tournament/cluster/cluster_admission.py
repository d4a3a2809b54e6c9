"""The workers of a Dask cluster: who has joined, who may play, and who was lost."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..run.run_events import RunObserver, Trouble, WorkerJoined
from .cluster_connection import identity, on_worker
from .cluster_orders import WorkerFacts

if TYPE_CHECKING:
    from distributed import Client

GAMES_RESOURCE = "games"
"""The resource by which a worker says how many games it plays at once: ``--resources games=2``."""
REQUEST_TIMEOUT = 30.0
"""Seconds that the scheduler, or a worker through it, has for an answer that takes no time."""
SILENCE_TIMEOUT = 60.0
"""Seconds after which a worker that sends no signs of life is taken for lost."""


class SchedulerLost(Exception):
    """The scheduler does not answer any more."""


@dataclass
class Worker:
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


class Admission:
    """Knows the workers of a cluster, and admits those that can play.

    ``sandbox`` is what programs need there, or empty if there are none.
    """

    def __init__(self, sandbox: str, observer: RunObserver) -> None:
        self._sandbox = sandbox
        self._observer = observer
        self.admitted: dict[str, Worker] = {}
        self.introductions: dict[str, asyncio.Task[None]] = {}
        """Workers that are just asked whether they can play."""
        self._refused: dict[str, str] = {}
        """Why workers do not play, by address."""
        self._seen: dict[str, tuple[float, float]] = {}
        """The last sign of life of every worker, by the scheduler's clock, and when it came."""

    async def refresh(self, client: "Client") -> list[Worker]:
        """Find out which workers there are; return those that were lost. ``SchedulerLost``."""
        try:
            found = await asyncio.wait_for(identity(client), REQUEST_TIMEOUT)
        except (OSError, TimeoutError) as error:
            raise SchedulerLost from error
        present = found["workers"]
        silent = {address for address, facts in present.items() if self._is_silent(address, facts)}
        gone = [at for at in self.admitted if at not in present or at in silent]
        lost = [self.admitted.pop(address) for address in gone]
        for address in [*self._refused]:
            if address not in present:
                del self._refused[address]
        for address, facts in present.items():
            if address in self.admitted:
                self.admitted[address].paused = facts["status"] != "running"
            known = self.admitted.keys() | self.introductions.keys() | self._refused.keys()
            if address not in known and address not in silent and facts["status"] == "running":
                introduction = self._introduce(client, address, facts)
                self.introductions[address] = asyncio.create_task(introduction)
        return lost

    def refuse(self, address: str, why: str) -> None:
        """Give a worker no more games."""
        self.admitted.pop(address, None)
        self._refused[address] = why

    def settle(self, task: "asyncio.Task[None]") -> None:
        """Forget an introduction that has ended."""
        for address, introduction in [*self.introductions.items()]:
            if introduction is task:
                del self.introductions[address]

    def clear(self) -> None:
        """Forget all workers."""
        self.introductions.clear()
        self.admitted.clear()
        self._refused.clear()

    def why_none(self, cluster: str) -> str:
        """Return why nobody plays, and what to do about it."""
        reasons = "".join(f"\n{address}: {why}" for address, why in self._refused.items())
        if reasons:
            return f"No worker of the cluster at {cluster} can play:{reasons}"
        return (
            f"The cluster at {cluster} has no workers. Start some with `dask worker "
            f"{cluster}`. Games that are finished are safe."
        )

    def _is_silent(self, address: str, facts: dict[str, Any]) -> bool:
        last, since = self._seen.get(address, (0.0, 0.0))
        if facts["last_seen"] != last:
            self._seen[address] = (facts["last_seen"], time.monotonic())
            return False
        return time.monotonic() - since > SILENCE_TIMEOUT

    async def _introduce(self, client: "Client", address: str, facts: dict[str, Any]) -> None:
        """Admit a worker, unless it cannot play."""
        from .cluster_worker import introduce

        declared = GAMES_RESOURCE in facts["resources"]
        places = facts["nthreads"]
        if declared:
            places = min(int(facts["resources"][GAMES_RESOURCE]), places)
        try:
            found = await asyncio.wait_for(
                on_worker(client, address, introduce, self._sandbox), REQUEST_TIMEOUT
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
            self.refuse(address, found.why_not)
            self._observer(Trouble(f"The worker at {address} does not play: {found.why_not}"))
            return
        self.admitted[address] = Worker(address, places, declared, {*found.folders})
        self._observer(WorkerJoined(address, places, found.sandbox))
