"""How much is said about connections without a seat: there may be thousands."""

from collections import Counter
from collections.abc import Callable

import trio

SHOWN = 5  # connections of a kind that are shown one by one
PERIOD = 10.0  # seconds after which those that were not shown are summed up


class Crowds:
    """Shows the first few of each kind one by one, then one sum of each kind in every period.

    A kind is shown one by one again after a period in which nothing had to be summed up.
    """

    def __init__(self, show_sum: Callable[[str], None]) -> None:
        """``show_sum`` is called with a kind and how many more there were, in words."""
        self._show_sum = show_sum
        self._shown: Counter[str] = Counter()
        self._more: Counter[str] = Counter()
        self._waits = False

    def shows(self, kind: str) -> bool:
        """Count one more of a kind; return whether it is shown by itself."""
        if not self._waits and trio.lowlevel.in_trio_run():
            self._waits = True
            trio.lowlevel.spawn_system_task(self._sum_up_later)
        if self._shown[kind] < SHOWN:
            self._shown[kind] += 1
            return True
        self._more[kind] += 1
        return False

    def sum_up(self) -> None:
        """Show how many were not shown since the last sum."""
        self._shown = Counter(dict.fromkeys(self._more, SHOWN))
        more, self._more = self._more, Counter()
        for kind, count in more.items():
            self._show_sum(f"{count:,} more in the last {PERIOD:g} s ({kind}).")

    async def _sum_up_later(self) -> None:
        while self._shown:
            await trio.sleep(PERIOD)
            self.sum_up()
        self._waits = False
