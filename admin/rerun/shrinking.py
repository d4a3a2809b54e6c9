"""The fewest turns of a recorded match that still break the player.

Turns need not follow one another: each begins with its own position. So the last turn is tried
alone, then the last two, four, eight .., and what is left is thinned out (delta debugging, after
Zeller and Hildebrandt, 2002): every half, quarter .. that is not needed goes.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from admin.rerun.rerunning import Break, Rerun
from admin.trial.door import NoShow

Drive: TypeAlias = Callable[[Sequence[int]], Awaitable[Rerun]]
"""Drives turns of the match into a new player."""
MOST_ABSENT = 3
"""Trials in a row to which no player comes, before it is waited for no more."""


@dataclass(slots=True)
class Shrinker:
    """Looks for the fewest turns; ``tell`` is called before each trial with what is left.

    ``best`` is the shortest rerun so far that breaks the player as ``whole``, the first, did;
    ``trials`` counts them.
    """

    drive: Drive
    tell: Callable[[int, int], None]
    best: Rerun
    trials: int = 0
    absent: int = 0
    """Trials in a row to which no player came."""

    async def shrink(self) -> None:
        """Look for shorter ones, until there is none, or the player comes no more."""
        broke = Break.of(self.best.tried)
        assert broke is not None, "a player that is not broken"
        turns = _played(self.best)
        count = 1
        while count < len(turns):
            if await self._breaks(turns[-count:], broke):
                turns = turns[-count:]
                break
            count *= 2
        await self._thin_out(turns, broke)

    async def _breaks(self, turns: Sequence[int], broke: Break) -> bool:
        """Whether the player breaks in these turns as it did before: then they are the best."""
        if self.absent >= MOST_ABSENT:
            return False
        self.trials += 1
        self.tell(self.trials, len(turns))
        try:
            found = await self.drive(turns)
        except NoShow:
            self.absent += 1
            return False
        self.absent = 0
        if Break.of(found.tried) != broke:
            return False
        self.best = found
        return True

    async def _thin_out(self, turns: list[int], broke: Break) -> None:
        """Leave out what is not needed; the last turn, in which the player breaks, is."""
        parts = 2
        while len(turns) > 1:
            size = max(1, (len(turns) - 1 + parts - 1) // parts)
            for start in range(0, len(turns) - 1, size):
                fewer = turns[:start] + turns[min(start + size, len(turns) - 1) :]
                if await self._breaks(fewer, broke):
                    turns = fewer
                    parts = max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts *= 2


def _played(rerun: Rerun) -> list[int]:
    """Return the turns that were begun before the player broke."""
    outcome = rerun.tried.outcome
    return list(rerun.turns[: outcome.turns if outcome else 0])
