"""How late this process itself runs. A late answer that this could explain is not held against
a player.
"""

import math
from collections import deque

import trio


class Lag:
    """Measures how much later than planned a sleeping task wakes up. ``run`` must be running."""

    JITTER = 0.02
    """Seconds of delay that any machine may show, and that do not count."""
    INTERVAL = 0.1
    """Seconds between measurements."""
    MAX_RECORDS = 64
    """How many delays are remembered."""

    def __init__(self) -> None:
        self._delays: deque[tuple[float, float]] = deque(maxlen=self.MAX_RECORDS)
        self._planned = math.inf

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            self._planned = trio.current_time() + self.INTERVAL
            await trio.sleep_until(self._planned)
            now = trio.current_time()
            if now - self._planned > self.JITTER:
                self._delays.append((now, now - self._planned))

    def delivered_at(self, sent: float) -> float:
        """Return when data sent at this time reached the player: at once, on a plain socket."""
        return sent

    def worst_since(self, time: float) -> float:
        """Return the longest delay in seconds measured at or after ``time``.

        This counts the delay that is being measured: after the process was blocked, whoever asks
        may be woken before the measuring task.
        """
        delays = [delay for measured, delay in self._delays if measured >= time]
        current = trio.current_time() - self._planned
        if current > self.JITTER:
            delays.append(current)
        return max(delays, default=0.0)
