"""Prices: the first size with each price, and the effect of the placed tile."""

from collections.abc import Mapping
from typing import NamedTuple

from ....game.rulebook import End, LooseNeighbours
from ..case_parts.case_row import CaseRow
from .founding import TOO_DEAR


class Level(NamedTuple):
    """A board on which every available certificate costs at least ``price`` dollars.

    ``hotels`` are the sizes of those with exactly this price. The ``others`` hold all cheaper
    certificates.
    """

    price: int
    hotels: Mapping[str, int]
    drawing: str
    hand: str
    others: str = "ann S3 A2 C1 | bob W2 F2 I1 T2"


ALL_BUT_SAC = "ann S1 A1 W13 F12 I13 C1 T12 | bob S2 W12 F13 I12 C1 T13"
ALL_BUT_AC = "ann S13 A1 W13 F12 I13 C1 T12 | bob S12 W12 F13 I12 C1 T13"

LEVELS = (
    Level(
        600,
        {"S": 6, "A": 5, "C": 4},
        """
        SSSSSS.WWWWW
        ...........W
        AAAAA.FFFF..
        .........F..
        IIIII.......
        ......CCCC..
        TTTT........
        """,
        "12D 11G 6H 9I 3I 12I",
    ),
    Level(
        700,
        {"S": 11, "A": 6, "C": 5},
        """
        SSSSSSSSSSS.
        ............
        WWWWWWWWWWW.
        ............
        AAAAAA.FFFFF
        ...........F
        IIIIII......
        ........CCCC
        TTTTT......C
        """,
        "12B 7F 8G 7H 7I 8I",
    ),
    Level(
        800,
        {"S": 21, "A": 11, "C": 6},
        """
        SSSSSSSSSSSS
        SSSSSSSSS...
        ............
        AAAAAAAAAAA.
        ............
        CCCCCC......
        ............
        ............
        ..........WW
        """,
        "8F 11F 10G 2H 6H 8I",
        ALL_BUT_SAC,
    ),
    Level(
        900,
        {"S": 31, "A": 21, "C": 11},
        """
        SSSSSSSSSSSS
        SSSSSSSSSSSS
        SSSSSSS.....
        .........WW.
        AAAAAAA.....
        AAAAAAA.CCCC
        AAAAAAA.CCCC
        ........CCC.
        """,
        "8D 2I 4I 6I 8I 12I",
        ALL_BUT_SAC,
    ),
    Level(
        1000,
        {"A": 31, "C": 21},
        """
        AAAAAAAAAAAA
        AAAAAAAAAAAA
        AAAAAAA.....
        .........WW.
        CCCCCCC.....
        CCCCCCC.....
        CCCCCCC.....
        """,
        "10F 12G 9H 3I 6I 11I",
        ALL_BUT_AC,
    ),
)
"""The prices from $600 up, at the first size that has them in each class."""


def _level(level: Level) -> CaseRow:
    price, cash = level.price, f"${level.price - 1}"
    sizes = " and ".join(map(str, level.hotels.values()))
    listed = ", ".join(f"{{{letter}}} {size}" for letter, size in level.hotels.items())
    return CaseRow(
        f"price-{price}",
        f"One dollar less than ${price}, the price at size {sizes}",
        TOO_DEAR,
        level.drawing + f"player {level.hand} {cash} | {level.others}",
        expected=f"Place a tile, and order nothing: ${price} is the price at these sizes "
        f"({listed}), and you have {cash}.",
        hint="raising the price one tile too late, or using the wrong price class.",
    )


CASES = (
    CaseRow(
        "after-the-tile",
        "The money is enough at the price before the placement, but not after it",
        TOO_DEAR,
        """
        ......FFFF..
        .AAA........
        ............
        ............
        IIII..SSSSS.
        ............
        CCC.TTT.....
        ............
        WWWWW.......
        player 2A 3A 4A 1B 5B 3C $499 A2 | ann F3 C1 | bob S2 W1 I2 T1
        """,
        expected="Place a tile beside {A}, and order nothing: with four tiles it costs "
        "$500, and you have $499.",
        hint="looking up the price on the board of <turn>, without the placed tile.",
    ),
    *map(_level, LEVELS),
    CaseRow(
        "price-1200",
        "One dollar less than the price at size 41",
        TOO_DEAR,
        """
        CCCCCCCCCCCC
        CCCCCCCCCCCC
        CCCCCCCCCCCC
        CCCCC.......
        ............
        .........WW.
        player 8E 2F 6F 11H 4I 9I $1199 C3 | ann W13 C4 | bob W12 C2
        """,
        expected="Place a tile, and order nothing: {C} costs $1200, and you have $1199.",
        hint="leaving out the last row of the price table, or starting it one tile too late.",
        when=End.DECLARED,
    ),
    # Where the referee ends a game at 40 tiles, a hotel of 41 can only come from a merger.
    CaseRow(
        "price-1200",
        "One dollar less than the price at size 41, reached by merging four hotels",
        TOO_DEAR,
        """
        ..o.o.o.o...
        ............
        .AAAAAAAAA..
        .....A......
        FFFFF.CCCCCC
        FFFF.T.CCCCC
        .....T......
        .TTTTTTTT.o.
        player 3B 5B 7B 9B 6E 10H $1199 | ann A13 F12 I13 T13 C4 | bob A12 F13 I12 T12 C3
        """,
        expected="Place 6E, name {C}, and then order nothing: {C} costs $1200, and you have $1199.",
        hint="leaving out the last row of the price table, or not counting the placed tile.",
        tested="turn players",
        when=lambda rulebook: (
            rulebook.end is not End.DECLARED
            and rulebook.loose_neighbours is LooseNeighbours.REFUSED
        ),
    ),
)
