"""Running a server until it is done or stopped by a signal."""

import signal
from collections.abc import Awaitable, Callable

import trio


def run_until_stopped(serve: Callable[[], Awaitable[None]]) -> int | None:
    """Run ``serve`` under trio; SIGINT and SIGTERM cancel it, and the signal's number is returned.

    What ``serve`` raises comes out as it is, not in an exception group.
    """
    stopped_by: list[int] = []

    async def stop_at_signal(serving: trio.CancelScope) -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for number in signals:
                stopped_by.append(number)
                serving.cancel()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            with trio.CancelScope() as serving:
                nursery.start_soon(stop_at_signal, serving)
                await serve()
            nursery.cancel_scope.cancel()

    try:
        trio.run(main)
    except BaseExceptionGroup as group:
        raise _only(group) from None
    return stopped_by[0] if stopped_by else None


def _only(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the one exception of a group, or the group where there are more."""
    found: BaseException = group
    while isinstance(found, BaseExceptionGroup) and len(found.exceptions) == 1:
        found = found.exceptions[0]
    return found
