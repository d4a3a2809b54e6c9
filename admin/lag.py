"""How late this process itself is: a time-out that it could explain is nobody's fault."""

import trio


class Lag:
    """Measures how much later than due a sleeping task of this process wakes up."""

    NOTABLE = 0.02
    """Seconds; less than that is every machine's jitter."""
    BEAT = 0.1
    """Seconds between two measurements."""

    def __init__(self) -> None:
        self._noticed = -1.0
        self._late = 0.0

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            due = trio.current_time() + self.BEAT
            await trio.sleep_until(due)
            now = trio.current_time()
            if now - due > self.NOTABLE:
                self._noticed, self._late = now, now - due

    def since(self, time: float) -> float:
        """Return the seconds by which the process was late when last so, if after ``time``."""
        return self._late if self._noticed >= time else 0.0
