"""In which orders the players of a table sit: in whole sets, so that no seat favours anybody.

    rotations  every player has every seat once; the neighbours stay the same (and are drawn by
               lot for every bag)
    balanced   besides, everybody sits as often right before each of the others
    all        every order there is

Who sits first moves first (in rulebooks that draw for the start, the bag decides it by seat).
"""

from enum import Enum
from itertools import permutations

Seating = tuple[int, ...]
"""Who has which seat: the player with this number, counted from 0, for each seat in turn."""


class Seatings(Enum):
    """A set of orders; the value is what a tournament file says."""

    ROTATIONS = "rotations"
    BALANCED = "balanced"
    ALL = "all"


_CIRCLES = {
    5: "ABCDE ADBEC ACEBD AEDCB",
    6: "ABCDEF ABCDFE ACBDEF ACBFED AECFBD ADFCEB ADCFBE AFDBEC AEBFDC AFCEDB",
}
"""Round tables which, all rotations of all of them together, are balanced.

With fewer players all orders there are make the smallest such set, or are few enough.
"""


def seatings(kind: Seatings, players: int) -> tuple[Seating, ...]:
    """Return the set for a table of 2 to 6; the order is always the same.

    Rotations of one circle follow each other, so a set that was not finished is nearly fair too.
    """
    match kind:
        case Seatings.ROTATIONS:
            return _rotations(tuple(range(players)))
        case Seatings.BALANCED if players in _CIRCLES:
            circles = _CIRCLES[players].split()
            return tuple(
                seating
                for circle in circles
                for seating in _rotations(tuple(map("ABCDEF".index, circle)))
            )
        case Seatings.BALANCED | Seatings.ALL:
            others = permutations(range(1, players))
            return tuple(seating for rest in others for seating in _rotations((0, *rest)))


def _rotations(circle: Seating) -> tuple[Seating, ...]:
    return tuple(circle[first:] + circle[:first] for first in range(len(circle)))
