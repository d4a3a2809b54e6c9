"""The orders in which the players of a table sit: whole sets, so that no player has an advantage.

    rotations  every player has every seat once; the neighbours stay the same (a draw for every bag
               decides who sits before whom)
    balanced   also, every player sits directly before every other player equally often
    all        every order there is

The first seat moves first; in rulebooks that draw for the start, the bag decides it by seat.
"""

from enum import Enum
from itertools import permutations
from typing import assert_never

Seating = tuple[int, ...]
"""The number of the player, counted from 0, on each seat."""


class Seatings(Enum):
    """A set of seat orders; the value is what a tournament file contains."""

    ROTATIONS = "rotations"
    BALANCED = "balanced"
    ALL = "all"


_CIRCLES = {
    5: "ABCDE ADBEC ACEBD AEDCB",
    6: "ABCDEF ABCDFE ACBDEF ACBFED AECFBD ADFCEB ADCFBE AFDBEC AEBFDC AFCEDB",
}
"""Seat orders whose rotations together are balanced.

With fewer players, all orders are the smallest such set, or are few enough.
"""


def seatings(kind: Seatings, players: int) -> tuple[Seating, ...]:
    """Return the seat orders for a table of 2 to 6 players, always in the same order.

    The rotations of an order follow each other, so that an unfinished set is nearly fair as well.
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
        case _:
            assert_never(kind)


def _rotations(circle: Seating) -> tuple[Seating, ...]:
    return tuple(circle[first:] + circle[:first] for first in range(len(circle)))
