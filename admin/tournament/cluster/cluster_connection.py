"""The connection to a Dask cluster: its scheduler, and its workers, who join and are lost.

What may go wrong is an exception of ours. A worker that has joined is introduced, and then admitted
or refused. A program that runs on one worker has to run on all, so they are compared.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ....protocol.plugins import why_missing
from ....protocol.user_error import UserError
from ...refereeing.table.server_events import to_each
from ...refereeing.view.fitted_table import Column, FittedTable
from ...refereeing.view.plain_text import listed, plural, printable
from ..run.run_events import Notice, RunObserver, Trouble
from .cluster_worker import WorkerFacts, introduce

if TYPE_CHECKING:
    from distributed import Client

GAMES_RESOURCE = "games"  # how many games a worker plays at once, set by `--resources games=2`
CONNECT_TIMEOUT = 10.0  # seconds for the scheduler to answer, and for the first worker to join
REQUEST_TIMEOUT = 30.0  # seconds for a quick answer of the scheduler, or of a worker through it
SILENCE_TIMEOUT = 60.0  # seconds without signs of life until a worker is taken for lost
CANCEL_TIMEOUT = 0.1
CLOSE_TIMEOUT = 2.0


class Stopped(Exception):
    """The run is to be stopped while there is no scheduler."""


class NotPlayed(Exception):
    """A worker has not played a game; the text is why, empty if another one should."""


class SchedulerLost(Exception):
    """The scheduler does not answer any more."""


@dataclass
class Worker:
    """A worker that plays: how many games at once, and what it cannot."""

    address: str
    places: int
    declared: bool  # whether it has declared its places, as a resource
    unbuilt: set[str] = field(default_factory=set)  # players that could not be built there
    games: int = 0  # how many batches of games it has now
    failures: int = 0
    paused: bool = False
    shipping: asyncio.Lock = field(default_factory=asyncio.Lock)


@contextmanager
def dask() -> Iterator[None]:
    """Use Dask, which prints no tracebacks: what matters is reported. ``UserError`` without it."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise UserError(
            f"--cluster: {why_missing(error) or error} Every worker needs it, too."
        ) from error
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


class Connection:
    """The cluster at an address: its workers, and the ``sandbox`` that programs need, if any do."""

    def __init__(self, address: str, sandbox: str, observer: RunObserver) -> None:
        self._address, self._sandbox, self._observer = address, sandbox, observer
        self.client: Client
        self.admitted: dict[str, Worker] = {}
        self.introductions: dict[asyncio.Task[None], str] = {}
        """Workers that are just asked whether they can play."""
        self._refused: dict[str, str] = {}  # why workers do not play, by address
        self._seen: dict[str, tuple[float, float]] = {}
        """The last sign of life of every worker, by the scheduler's clock, and when it came."""

    async def connect(self, timeout: float, stopped: Callable[[], bool] = lambda: False) -> None:
        """Connect to the scheduler; ``UserError`` if that fails for so long, ``Stopped``."""
        from distributed import Client

        deadline = time.monotonic() + timeout
        while True:
            left = max(deadline - time.monotonic(), 0.5)
            try:
                # half typed
                client = Client(self._address, timeout=min(left, 5), asynchronous=True)  # type: ignore[no-untyped-call]
            except ValueError as error:
                raise UserError(f"{self._address} is not an address: {error}.") from error
            self.client = client
            try:
                connected: Any = client
                await asyncio.wait_for(connected, left + 1)
                return
            except (OSError, TypeError, ValueError) as error:  # TypeError: no certificate for TLS
                await self.close()
                if time.monotonic() >= deadline or not isinstance(error, OSError):
                    why = str(error).strip(". ") or "it took too long"
                    raise UserError(
                        f"No Dask scheduler answers at {self._address}: {why}. Start one with "
                        "`dask scheduler`, and workers with `dask worker ADDRESS`. Games that are "
                        "finished are safe."
                    ) from error
                if stopped():
                    raise Stopped from error
                await asyncio.sleep(0.5)

    async def close(self) -> None:
        """Close the connection, even if nobody is at the other end, and forget the workers."""
        closing: Any = self.client.close(timeout=CLOSE_TIMEOUT)  # type: ignore[no-untyped-call]
        with suppress(Exception):
            await asyncio.wait_for(closing, 2 * CLOSE_TIMEOUT)
        self.introductions.clear()
        self.admitted.clear()
        self._refused.clear()

    # -- calls ----------------------------------------------------------------------------------

    async def present(self) -> dict[str, dict[str, Any]]:
        """Return what the scheduler knows about its workers; ``SchedulerLost``."""
        if self.client.status != "running":
            raise SchedulerLost
        scheduler: Any = self.client.scheduler
        try:
            found = await asyncio.wait_for(scheduler.identity(), REQUEST_TIMEOUT)
        except (OSError, TimeoutError) as error:
            raise SchedulerLost from error
        workers: dict[str, dict[str, Any]] = found["workers"]
        return workers

    async def ask(self, address: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function on a worker at once, in its event loop."""
        results: Any = self.client.run(function, *arguments, workers=[address])
        return (await results)[address]

    async def compute(self, worker: Worker, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function on a worker as a task, and return its result; ``NotPlayed``."""
        resources = {GAMES_RESOURCE: 1} if worker.declared else None
        future: Any = self.client.submit(
            function, *arguments, workers=[worker.address], resources=resources, pure=False
        )
        try:
            return await answer(future)
        except BaseException:
            with suppress(Exception):
                await asyncio.wait_for(asyncio.shield(future.cancel()), CANCEL_TIMEOUT)
            raise

    # -- workers --------------------------------------------------------------------------------

    async def refresh(self) -> list[Worker]:
        """Find out which workers there are; return those that were lost. ``SchedulerLost``."""
        present = await self.present()
        silent = {address for address, facts in present.items() if self._is_silent(address, facts)}
        gone = [at for at in self.admitted if at not in present or at in silent]
        lost = [self.admitted.pop(address) for address in gone]
        self._refused = {at: why for at, why in self._refused.items() if at in present}
        for address, facts in present.items():
            running = facts["status"] == "running"
            if address in self.admitted:
                self.admitted[address].paused = not running
            known = {*self.admitted, *self.introductions.values(), *self._refused, *silent}
            if running and address not in known:
                introduction = asyncio.create_task(self._introduce(address, facts))
                self.introductions[introduction] = address
        return lost

    def refuse(self, address: str, why: str) -> None:
        """Give a worker no more games."""
        self.admitted.pop(address, None)
        self._refused[address] = why

    def why_none(self) -> str:
        """Return why nobody plays, and what to do about it."""
        reasons = "".join(f"\n{address}: {why}" for address, why in self._refused.items())
        if reasons:
            return f"No worker of the cluster at {self._address} can play:{reasons}"
        return (
            f"The cluster at {self._address} has no workers. Start some with `dask worker "
            f"{self._address}`. Games that are finished are safe."
        )

    def _is_silent(self, address: str, facts: dict[str, Any]) -> bool:
        last, since = self._seen.get(address, (0.0, 0.0))
        if facts["last_seen"] != last:
            self._seen[address] = (facts["last_seen"], time.monotonic())
            return False
        return time.monotonic() - since > SILENCE_TIMEOUT

    async def _introduce(self, address: str, facts: dict[str, Any]) -> None:
        threads: int = facts["nthreads"]
        declared = GAMES_RESOURCE in facts["resources"]
        places = min(int(facts["resources"].get(GAMES_RESOURCE, threads)), threads)
        if (found := await self.facts_of(address)) is None:
            return  # it has gone, or is busy: it is asked again
        if not found.why_not and places < 1:
            found = WorkerFacts(why_not=f"It declares {GAMES_RESOURCE}={places}.")
        if found.why_not:
            self.refuse(address, found.why_not)
            self._observer(Trouble(f"The worker at {address} does not play: {found.why_not}"))
            return
        self.admitted[address] = Worker(address, places, declared)
        kept_apart = f" Sandbox: {found.sandbox}." if found.sandbox else ""
        offers = f"{address} plays {plural(places, 'game')} at once.{kept_apart}"
        fields = {"address": address, "games": places, "sandbox": found.sandbox or None}
        self._observer(Notice("worker", offers, fields, "Worker: "))

    async def facts_of(self, address: str, *, versions: bool = False) -> WorkerFacts | None:
        """Return what a worker says about itself, ``None`` if it does not answer."""
        try:
            asked = self.ask(address, introduce, self._sandbox, versions)
            found: WorkerFacts = await asyncio.wait_for(asked, REQUEST_TIMEOUT)
            return found
        except (OSError, TimeoutError):
            return None
        except Exception as error:  # it cannot even read the question
            why = f"{type(error).__name__}: {error}"
            return WorkerFacts(why_not=f"{why}. Install the same acquire-referee there as here.")


async def answer(awaitable: Awaitable[Any], timeout: float | None = None) -> Any:
    """Await what a worker does; ``NotPlayed`` if it fails, in whatever way."""
    from distributed.client import FutureCancelledError

    try:
        return await asyncio.wait_for(awaitable, timeout)
    except TimeoutError as error:
        raise NotPlayed("it does not answer in time") from error
    except FutureCancelledError as error:
        raise NotPlayed("its connection was lost") from error
    except Exception as error:
        raise NotPlayed(f"{type(error).__name__}: {error}") from error


# -- whether workers are alike ------------------------------------------------------------------


def ask_workers(address: str, sandbox: str) -> dict[str, WorkerFacts]:
    """Return what the workers of a cluster say about themselves, by address.

    ``sandbox`` is what programs need there. ``UserError`` if there is no cluster, or no worker.
    """
    cluster = Connection(address, sandbox, to_each())
    silent = WorkerFacts(why_not="It does not answer.")

    async def ask() -> dict[str, WorkerFacts]:
        await cluster.connect(CONNECT_TIMEOUT)
        try:
            present = await cluster.present()
            asked = (cluster.facts_of(worker, versions=True) for worker in present)
            found = await asyncio.gather(*asked)
            return {at: facts or silent for at, facts in zip(present, found, strict=True)}
        except SchedulerLost:
            return {}
        finally:
            await cluster.close()

    with dask():
        return asyncio.run(ask())


def differences(workers: Mapping[str, WorkerFacts]) -> Iterator[str]:
    """Yield user-facing sentences about what makes the workers of a cluster unequal."""
    if not workers:
        yield "The cluster has no workers. Start some with `dask worker ADDRESS`."
    for address, facts in workers.items():
        if facts.why_not:
            yield f"The worker at {address} cannot play: {facts.why_not}"
    able = {address: facts for address, facts in workers.items() if not facts.why_not}
    kinds = {"sandbox": {at: facts.sandbox for at, facts in able.items()}}
    for name in sorted({name for facts in able.values() for name in facts.versions}):
        kinds[name] = {at: facts.versions.get(name, "") for at, facts in able.items()}
    for name, found in kinds.items():
        values = sorted(set(found.values()))
        if len(values) > 1:
            where = (
                f"{value or 'none'} at {listed(at for at in found if found[at] == value)}"
                for value in values
            )
            yield (
                f"The workers differ in {name}: {'; '.join(where)}. A game may go otherwise on "
                "one than on another. Make them alike."
            )


def workers_table(workers: Mapping[str, WorkerFacts]) -> FittedTable:
    """Draw what each worker has."""
    names = sorted({name for facts in workers.values() for name in facts.versions})
    table = FittedTable(*(Column(name, text=True) for name in ("worker", "sandbox", *names)))
    for address, facts in workers.items():
        versions = (facts.versions.get(name) or "none" for name in names)
        table.add_row(printable(address), facts.sandbox or "none", *map(printable, versions))
    return table
