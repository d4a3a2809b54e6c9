"""The connection to a Dask cluster, and what may go wrong with it, as exceptions of ours."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ..run.executors import CannotPlay

if TYPE_CHECKING:
    from distributed import Client

CLOSE_TIMEOUT = 2.0


class Stopped(Exception):
    """The run is to be stopped while there is no scheduler."""


class NotPlayed(Exception):
    """A worker has not played a game; the text is why, empty if another one should."""


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Keep Dask from printing tracebacks: what matters is reported to the observer."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


async def connect(address: str, timeout: float, stopped: Callable[[], bool]) -> "Client":
    """Connect to a scheduler; ``CannotPlay`` if that fails for so long, ``Stopped``."""
    from distributed import Client

    deadline = time.monotonic() + timeout
    while True:
        left = max(deadline - time.monotonic(), 0.5)
        try:
            # half typed
            client: Client = Client(address, timeout=min(left, 5), asynchronous=True)  # type: ignore[no-untyped-call]
        except ValueError as error:
            raise CannotPlay(f"{address} is not an address: {error}.") from error
        try:
            connected: Any = client
            await asyncio.wait_for(connected, left + 1)
            return client
        except (OSError, TypeError, ValueError) as error:  # TypeError: no certificate for TLS
            await close(client)
            if time.monotonic() >= deadline or not isinstance(error, OSError):
                why = str(error).strip(". ") or "it took too long"
                raise CannotPlay(
                    f"No Dask scheduler answers at {address}: {why}. Start one with "
                    "`dask scheduler`, and workers with `dask worker ADDRESS`. Games that are "
                    "finished are safe."
                ) from error
            if stopped():
                raise Stopped from error
            await asyncio.sleep(0.5)


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


def on_worker(client: "Client", address: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function on a worker at once, in its event loop; return an awaitable."""

    async def call() -> Any:
        results: Any = client.run(function, *arguments, workers=[address])
        return (await results)[address]

    return call()


async def identity(client: "Client") -> Any:
    """Return what the scheduler knows about its workers."""
    assert client.scheduler is not None
    try:
        return await client.scheduler.identity(n_workers=-1)
    except TypeError:  # earlier schedulers always name all
        return await client.scheduler.identity()


async def close(client: "Client") -> None:
    """Close the connection, even if nobody is at the other end."""
    closing: Any = client.close(timeout=CLOSE_TIMEOUT)  # type: ignore[no-untyped-call]  # half typed
    with suppress(Exception):
        await asyncio.wait_for(closing, 2 * CLOSE_TIMEOUT)
