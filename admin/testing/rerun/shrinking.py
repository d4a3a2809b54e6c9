"""Finds the fewest turns of a recorded game in which a player still fails.

Each turn begins with its own position, so turns can be left out. First the last turn is tried, then
the last two, four, eight and so on. From what is left, every half, quarter and so on that is not
needed is removed (delta debugging, after Zeller and Hildebrandt, 2002).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ..trial.player_source import PlayerNotConnected
from .rerunning import Failure, RerunResult

MAX_NOT_CONNECTED = 3
"""After this many trials in a row without a connection, no more are tried."""


@dataclass(slots=True)
class Shrinker:
    """Looks for the fewest turns; ``play`` plays some of them against a new player.

    ``on_trial`` is called with each trial's number and how many turns it has. ``best`` is the
    shortest rerun so far in which the player fails in the same way as in the first.
    """

    play: Callable[[Sequence[int]], Awaitable[RerunResult]]
    on_trial: Callable[[int, int], None]
    best: RerunResult
    trials: int = 0
    not_connected: int = 0
    """Trials in a row to which the player did not connect."""

    async def shrink(self) -> None:
        """Try shorter and shorter reruns until none is left to try."""
        failure = Failure.in_trial(self.best.trial)
        assert failure is not None, "the player does not fail"
        outcome = self.best.trial.outcome
        turns = list(self.best.turns[: outcome.turns if outcome else 0])  # those that began
        count = 1
        while count < len(turns):
            if await self._fails(turns[-count:], failure):
                turns = turns[-count:]
                break
            count *= 2
        await self._remove_parts(turns, failure)

    async def _fails(self, turns: Sequence[int], failure: Failure) -> bool:
        """Whether the player fails in the same way in these turns; if so they become the best."""
        if self.not_connected >= MAX_NOT_CONNECTED:
            return False
        self.trials += 1
        self.on_trial(self.trials, len(turns))
        try:
            found = await self.play(turns)
        except PlayerNotConnected:
            self.not_connected += 1
            return False
        self.not_connected = 0
        if Failure.in_trial(found.trial) != failure:
            return False
        self.best = found
        return True

    async def _remove_parts(self, turns: list[int], failure: Failure) -> None:
        """Remove what is not needed; the last turn, in which the player fails, always is."""
        parts = 2
        while len(turns) > 1:
            size = max(1, (len(turns) - 1 + parts - 1) // parts)
            for start in range(0, len(turns) - 1, size):
                fewer = turns[:start] + turns[min(start + size, len(turns) - 1) :]
                if await self._fails(fewer, failure):
                    turns = fewer
                    parts = max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts *= 2
