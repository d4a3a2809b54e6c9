"""The decisive turn of a game: the one after which nobody caught up with the winner any more.

It follows from the net worths alone (:mod:`acquire.game.turn`), so it is found at once, and
anybody can see it in the plot. It does not judge the moves: the tile that made it may have been
luck.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .frames import Frame, FrameKind

DEFINITION = (
    "The decisive turn is the one after which the winner was ahead of every other player in net "
    "worth to the end of the game."
)


class DecisiveTurn(NamedTuple):
    """A decisive turn.

    ``before`` and ``after`` are by how many dollars the winners led when the turn began and when it
    was over, negative if they were behind; ``None`` if nobody was left to compare with.
    """

    turn: int
    step: int  # the number of its first frame
    winners: tuple[int, ...]  # places in seat order, more than one if they tie
    before: int | None
    after: int | None
    rival: int | None  # the best of the others when the turn began


def decisive_turn(frames: Iterable[Frame]) -> DecisiveTurn | None:
    """Return the decisive turn of a whole game, ``None`` if nobody won or all of them did.

    A turn of 0 is the set-up.
    """
    begun: list[tuple[int, int, dict[int, int]]] = []  # turn, its first step, net worths then
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
        if not step or frame["kind"] == FrameKind.TurnBegan:
            begun.append((frame["turn"], step, dict(worths)))
    if not winners or not set(winners) < begun[0][2].keys():
        return None
    leads = [_lead(found, winners) for _, _, found in begun]
    behind = [at for at, lead in enumerate(leads) if lead is not None and lead <= 0]
    at = behind[-1] if behind else 0
    turn, step, before = begun[at]
    others = [place for place in before if place not in winners]
    rival = max(others, key=lambda place: (before[place], -place), default=None)
    after = [*leads[1:], _lead(worths, winners)][at]
    return DecisiveTurn(turn, step, winners, leads[at], after, rival)


def _lead(worths: dict[int, int], winners: tuple[int, ...]) -> int | None:
    """Return by how much the winners lead, ``None`` if there is nobody else."""
    others = [worth for place, worth in worths.items() if place not in winners]
    return min(worths[place] for place in winners) - max(others) if others else None
