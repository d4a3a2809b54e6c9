"""How fast the secret of a server can be guessed, and how little that delays anybody else."""

from collections import deque

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 8.0
"""Seconds from a wrong secret to its refusal: the first of an address, twice as many each time."""
FORGET = 60.0
"""Seconds after which a wrong secret no longer counts."""
PENDING_OF_ADDRESS, PENDING = 8, 64
"""Refusals that an address, and all together, wait for at most; others are not looked at yet."""
MAX_REMEMBERED = 256
"""Wrong secrets of an address that are remembered: more than make its pause the longest."""


class Guesses:
    """How often secrets may be guessed: an address has a few refusals pending, each after a pause.

    A right secret is delayed only while others guess at its address: then it waits until it is
    looked at, as they do. A refusal is pending for its whole pause, even if nobody waits for it any
    more. Times are in seconds.
    """

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}
        """When each address was wrong, the oldest first; the last address comes last."""
        self._pending: dict[str, list[float]] = {}
        """When its pending refusals are due."""

    def wait(self, host: str, now: float) -> float:
        """Return how long to wait before a secret from this address may be looked at."""
        for other in tuple(self._pending):
            due = self._pending[other] = [time for time in self._pending[other] if time > now]
            if not due:
                del self._pending[other]
        own = self._pending.get(host, [])
        everybody = [time for due in self._pending.values() for time in due]
        if len(own) >= PENDING_OF_ADDRESS:
            return min(own) - now
        return min(everybody) - now if len(everybody) >= PENDING else 0.0

    def wrong(self, host: str, now: float) -> float:
        """Count a wrong secret; return after how long to refuse it."""
        while self._wrong and (oldest := next(iter(self._wrong))) != host:
            if self._wrong[oldest][-1] > now - FORGET:
                break
            del self._wrong[oldest]
        times = self._wrong[host] = self._wrong.pop(host, deque(maxlen=MAX_REMEMBERED))
        while times and times[0] <= now - FORGET:
            times.popleft()
        pause = float(min(FIRST_PAUSE * 2 ** len(times), LONGEST_PAUSE))
        times.append(now)
        self._pending.setdefault(host, []).append(now + pause)
        return pause
