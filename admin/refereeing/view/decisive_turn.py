"""The decisive turn of a game: the one after which nobody caught up with the winner any more.

It follows from the net worths alone (:mod:`acquire.game.worth`), so it is found at once, and
anybody can see it in the plot. It does not judge the moves: the tile that made it may have been
luck.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from .frames import Frame, FrameKind

DEFINITION = (
    "The decisive turn is the one after which the winner was ahead of every other player in net "
    "worth to the end of the game."
)


class DecisiveTurn(NamedTuple):
    """A decisive turn; ``step`` is the number of its first frame.

    ``winners`` are places in seat order, more than one if they tie. ``before`` and ``after`` are by
    how many dollars they led when the turn began and when it was over, negative if they were
    behind; ``None`` if nobody was left to compare with. ``rival`` is the best of the others before.
    """

    turn: int
    step: int
    winners: tuple[int, ...]
    before: int | None
    after: int | None
    rival: int | None


@dataclass(slots=True)
class _Lead:
    """By how much the winners lead as a turn begins, ``None`` if there is nobody else."""

    turn: int
    step: int
    worths: dict[int, int] = field(default_factory=dict)

    def of(self, winners: tuple[int, ...]) -> int | None:
        others = [worth for place, worth in self.worths.items() if place not in winners]
        return min(self.worths[place] for place in winners) - max(others) if others else None

    def rival(self, winners: tuple[int, ...]) -> int | None:
        others = [place for place in self.worths if place not in winners]
        return max(others, key=lambda place: (self.worths[place], -place), default=None)


def decisive_turn(frames: Iterable[Frame]) -> DecisiveTurn | None:
    """Return the decisive turn of a whole game, ``None`` if nobody won or all of them did.

    A turn of 0 is the set-up.
    """
    leads = [_Lead(0, 0)]
    worths: dict[int, int] = {}
    winners: tuple[int, ...] = ()
    for step, frame in enumerate(frames):
        if frame["kind"] == FrameKind.RESULT:
            winners = tuple(frame["winners"])
            break  # whoever leaves later keeps the score
        for place, changed in frame.get("players", {}).items():
            if changed.get("out"):
                worths.pop(int(place), None)
            elif "worth" in changed:
                worths[int(place)] = changed["worth"]
        if not step:
            leads[0].worths = dict(worths)
        if frame["kind"] == FrameKind.TURN:
            leads.append(_Lead(frame["turn"], step, dict(worths)))
    if not winners or not set(winners) < leads[0].worths.keys():
        return None
    before, after = leads[-1], _Lead(0, 0, worths)
    for lead in reversed(leads):
        ahead = lead.of(winners)
        before = lead
        if ahead is not None and ahead <= 0:
            break
        after = lead
    led, leads_now, rival = before.of(winners), after.of(winners), before.rival(winners)
    return DecisiveTurn(before.turn, before.step, winners, led, leads_now, rival)
