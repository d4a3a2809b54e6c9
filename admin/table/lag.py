"""How late this process itself runs. A late answer that this could explain is not held against
a player.
"""

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

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            planned = trio.current_time() + self.INTERVAL
            await trio.sleep_until(planned)
            now = trio.current_time()
            if now - planned > self.JITTER:
                self._delays.append((now, now - planned))

    def delivered_at(self, sent: float) -> float:
        """Return when data sent at this time reached the player: at once, on a plain socket."""
        return sent

    def worst_since(self, time: float) -> float:
        """Return the longest delay in seconds measured at or after ``time``."""
        return max((delay for measured, delay in self._delays if measured >= time), default=0.0)
