"""How late this process itself is: a time-out that it could explain is nobody's fault."""

from collections import deque

import trio


class Lag:
    """Measures how much later than due a sleeping task of this process wakes up."""

    NOTABLE = 0.02
    """Seconds; less than that is every machine's jitter."""
    BEAT = 0.1
    """Seconds between two measurements."""
    MAX_CACHED_DOCUMENTS = 64
    """How many late awakenings are remembered."""

    def __init__(self) -> None:
        self._noticed: deque[tuple[float, float]] = deque(maxlen=self.MAX_CACHED_DOCUMENTS)

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            due = trio.current_time() + self.BEAT
            await trio.sleep_until(due)
            now = trio.current_time()
            if now - due > self.NOTABLE:
                self._noticed.append((now, now - due))

    def arrived(self, time: float) -> float:
        """Return when what was sent at this time had reached its reader: at once, on a socket."""
        return time

    def since(self, time: float) -> float:
        """Return the seconds by which the process was late at most, after ``time``."""
        if not self._noticed:
            return 0.0
        return max((late for noticed, late in self._noticed if noticed >= time), default=0.0)
