"""Whether the workers of a cluster are alike: a program that runs on one has to run on all."""

import asyncio
from collections.abc import Iterator, Mapping

from rich import box
from rich.table import Table

from ...refereeing.table.server_events import to_each
from ...refereeing.view.plain_text import listed, printable
from .cluster_connection import Connection, SchedulerLost, dask
from .shipment import WorkerFacts

CONNECT_TIMEOUT = 10.0


def ask_workers(address: str, sandbox: str) -> dict[str, WorkerFacts]:
    """Return what the workers of a cluster say about themselves, by address.

    ``sandbox`` is what programs need there. ``CannotPlay`` if there is no cluster, or no worker.
    """
    with dask():
        return asyncio.run(_ask_workers(Connection(address, sandbox, to_each())))


async def _ask_workers(cluster: Connection) -> dict[str, WorkerFacts]:
    await cluster.connect(CONNECT_TIMEOUT)

    async def ask(worker: str) -> WorkerFacts:
        try:
            return await cluster.facts_of(worker, versions=True)
        except (OSError, TimeoutError):
            return WorkerFacts(why_not="It does not answer.")

    try:
        present = await cluster.present()
        found = await asyncio.gather(*map(ask, present))
        return dict(zip(present, found, strict=True))
    except SchedulerLost:
        return {}
    finally:
        await cluster.close()


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


def workers_table(workers: Mapping[str, WorkerFacts]) -> Table:
    """Draw what each worker has."""
    names = sorted({name for facts in workers.values() for name in facts.versions})
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("worker", "sandbox", *names):
        table.add_column(column, overflow="fold")
    for address, facts in workers.items():
        versions = (facts.versions.get(name) or "none" for name in names)
        table.add_row(printable(address), facts.sandbox or "none", *map(printable, versions))
    return table
