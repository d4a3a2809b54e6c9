"""Mergers for the cases about certificates of acquired hotels.

Every tile of the mover merges. If the player moves, it places one of six tiles that do the same; an
opponent places its first tile, row by row.
"""

from typing import NamedTuple

from .case import CaseSource
from .scenario import Scenario
from .special_opponents import leaves

CONVERSATION = "The conversation"
UNDONE = CaseSource(
    CONVERSATION,
    "the whole turn is undone, bonuses included, and the next player moves; no `state` is sent "
    "for an undone turn",
)


class Merging(NamedTuple):
    """A board, and six merging tiles; cases rely on what the first one does."""

    drawing: str
    hand: str


ONE = Merging(
    """
    ............
    ..SSSSSS....
    ............
    .AAAAAAA....
    ............
    ............
    .........TT.
    """,
    "3C 4C 5C 6C 7C 8C",
)
"""S, of 6 tiles, is acquired by A."""
TWO = Merging(
    """
    ....TTT.....
    ..TTTTTTT...
    FF.......II.
    F.AAAAAAA.I.
    FF.......II.
    F.WWWWWWW.I.
    FF.......II.
    ..SSSSSSS...
    ...SSS......
    """,
    "3C 9C 3E 9E 3G 9G",
)
"""Two of three hotels are acquired; with the first tile F, of 8 tiles, and A, of 7."""
THREE = Merging(
    """
    ..FFFFFFF...
    ..F..F..F...
    AA.CC.II.WW.
    ..S..S..T...
    ..SSSS..T...
    ............
    ..o..o..o...
    """,
    "3C 6C 9C 3F 6F 9F",
)
"""F acquires three of four hotels; with the first tile S, A and C. The last three tiles touch an
unincorporated tile, beside which some rulebooks forbid a merger."""
LONG = Merging(
    """
    ............
    .SSSSSSSSSS.
    ............
    AAAAAAAAAAA.
    ............
    ............
    ......TT....
    """,
    "2C 3C 4C 5C 1I 12I",
)
"""S, of 10 tiles, is acquired by A, of 11; the tiles 6C to 11C do the same."""
ELSEWHERE = "11A 12C 1F 3F 11F 1H"
"""Tiles that merge nothing on the board of ONE."""
SECOND = Merging(
    """
    ..SSSSSS....
    ............
    .AAAAAAA....
    ............
    ..........TT
    ..IIIIII....
    ............
    .WWWWWWW....
    """,
    "3B 4B 5B 6B 7B 8B",
)
"""As ONE; besides, the tiles 3G to 8G let W acquire I, of 6 tiles."""


def merger_turn(merging: Merging, seats: str) -> str:
    """Return the position of one turn; the first of the seats gets the merging tiles."""
    mover, _, rest = seats.partition(" ")
    return merging.drawing + f"{mover} {merging.hand} {rest}"


TWO_TURNS = Scenario(
    SECOND.drawing + f"ann {SECOND.hand} S2 A3 | bob 3G 4G 5G 6G 7G 8G I2 W3 | player S4 I3 $1500",
    turns=2,
)
"""Two mergers by opponents, of S and of I."""
MOVER_LEAVES = Scenario(
    LONG.drawing + f"ann {LONG.hand} S2 A3 | player 6C 7C 8C 9C 10C 11C S4 A1 $1500 | bob A2 T3",
    turns=2,
    others={"ann": leaves("players")},
)
"""A merger that is undone, and that the player can make next."""
OPPONENT_LEAVES = Scenario(
    ONE.drawing + f"ann {ONE.hand} S2 A3 | bob S3 A2 T3 | player S4 A1 $2000",
    others={"bob": leaves("keep", "dispose")},
)
"""An opponent is ejected that is asked about the merger before the player."""
