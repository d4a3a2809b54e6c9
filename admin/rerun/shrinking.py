"""The fewest turns of a recorded match that still break the player.

Turns need not follow one another: each begins with its own position. So the last turn is tried
alone, then the last two, four, eight .., and what is left is thinned out (delta debugging, after
Zeller and Hildebrandt, 2002): every half, quarter .. that is not needed goes.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from admin.rerun.rerunning import Rerun
from admin.trial.trial import Tried
from protocol.faults import Reason


class Break(NamedTuple):
    """How a player broke: the reason, the rule's code if one was broken, and the question."""

    reason: Reason
    rule: str
    question: str

    @classmethod
    def of(cls, tried: Tried) -> "Break | None":
        """Return how the player broke in a trial, if it did."""
        if tried.unseated is not None:
            return cls(tried.unseated.reason, "", "signup")
        left = tried.ejected
        if left is None:
            return None
        return cls(left.reason, left.violation.value if left.violation else "", left.question)

    def __str__(self) -> str:
        return f"{self.rule or self.reason.value}, in answer to <{self.question}>"


Drive: TypeAlias = Callable[[Sequence[int]], Awaitable[Rerun]]
"""Drives turns of the match into a new player."""


@dataclass(slots=True)
class Shrinker:
    """Looks for the fewest turns; ``tell`` is called before each trial with what is left.

    ``trials`` counts them.
    """

    drive: Drive
    tell: Callable[[int, int], None]
    trials: int = 0

    async def shrink(self, whole: Rerun) -> Rerun:
        """Return the shortest rerun that breaks as ``whole`` did, which is itself the longest."""
        broke = Break.of(whole.tried)
        assert broke is not None, "a player that is not broken"
        turns = _played(whole)
        best = whole
        count = 1
        while count < len(turns):
            found = await self._breaks(turns[-count:], broke)
            if found is not None:
                turns, best = turns[-count:], found
                break
            count *= 2
        return await self._thin_out(turns, best, broke)

    async def _breaks(self, turns: Sequence[int], broke: Break) -> Rerun | None:
        """Return the rerun of these turns if the player breaks in it as it did before."""
        self.trials += 1
        self.tell(self.trials, len(turns))
        found = await self.drive(turns)
        return found if Break.of(found.tried) == broke else None

    async def _thin_out(self, turns: list[int], best: Rerun, broke: Break) -> Rerun:
        """Leave out what is not needed; the last turn, in which the player breaks, is."""
        parts = 2
        while len(turns) > 1:
            size = max(1, (len(turns) - 1 + parts - 1) // parts)
            for start in range(0, len(turns) - 1, size):
                fewer = turns[:start] + turns[min(start + size, len(turns) - 1) :]
                found = await self._breaks(fewer, broke)
                if found is not None:
                    turns, best = fewer, found
                    parts = max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts *= 2
        return best


def _played(rerun: Rerun) -> list[int]:
    """Return the turns that were begun before the player broke."""
    outcome = rerun.tried.outcome
    return list(rerun.turns[: outcome.turns if outcome else 0])
