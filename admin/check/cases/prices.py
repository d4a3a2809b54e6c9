"""What certificates cost: each price of the table where it begins to hold, and the tile placed."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from admin.check.case import Case, section
from admin.check.cases.founding import TOO_DEAR
from admin.check.scene import hotel_name, scene, script
from game.rulebook import End, LooseNeighbours, Rulebook

_case = partial(Case, section=section("buying"), about=frozenset({"turn"}))


class Level(NamedTuple):
    """A board on which nothing to be had costs less than ``price`` dollars.

    ``told`` names the hotels that cost as much, by their letters, and their sizes; of what would
    cost less the bank has none, since ``ann`` and ``bob`` hold it all.
    """

    price: int
    told: tuple[tuple[str, int], ...]
    drawing: str
    hand: str
    ann: str = "ann S3 A2 C1"
    bob: str = "bob W2 F2 I1 T2"


ALL_BUT_SAC = "ann S1 A1 W13 F12 I13 C1 T12", "bob S2 W12 F13 I12 C1 T13"
ALL_BUT_AC = "ann S13 A1 W13 F12 I13 C1 T12", "bob S12 W12 F13 I12 C1 T13"

LEVELS = (
    Level(
        600,
        (("S", 6), ("A", 5), ("C", 4)),
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
        (("S", 11), ("A", 6), ("C", 5)),
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
        (("S", 21), ("A", 11), ("C", 6)),
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
        *ALL_BUT_SAC,
    ),
    Level(
        900,
        (("S", 31), ("A", 21), ("C", 11)),
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
        *ALL_BUT_SAC,
    ),
    Level(
        1000,
        (("A", 31), ("C", 21)),
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
        *ALL_BUT_AC,
    ),
)
"""The prices from $600 up, each where it has just begun to hold for hotels of each class."""


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of the section of buying that are about the table of prices."""
    yield _after_the_tile(rulebook)
    for level in LEVELS:
        yield _level(rulebook, level)
    if rulebook.end is End.DECLARED:
        yield _forty_one(rulebook)
    elif rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        yield _merged_to_forty_one(rulebook)


def _level(rulebook: Rulebook, level: Level) -> Case:
    price = level.price
    told = ", ".join(f"{hotel_name(rulebook, letter)} {size}" for letter, size in level.told)
    cash = f"${price - 1}"
    sizes = " and ".join(str(size) for _, size in level.told)
    return _case(
        slug=f"price-{price}",
        title=f"One dollar less than ${price}, the price at size {sizes}",
        source=TOO_DEAR,
        expected=f"A tile placed, and an empty order: ${price} is the price at these sizes "
        f"({told}), and {cash} are there.",
        hint="Often a price begins a tile too late, or the class of a hotel is mistaken.",
        script=script(
            rulebook,
            scene(rulebook, level.drawing, f"player {level.hand} {cash}", level.ann, level.bob),
        ),
    )


def _forty_one(rulebook: Rulebook) -> Case:
    name = hotel_name(rulebook, "C")
    return _case(
        slug="price-1200",
        title="One dollar less than the price at size 41",
        source=TOO_DEAR,
        expected=f"A tile placed, and an empty order: {name} costs $1200, and $1199 are there.",
        hint="Often the last line of the table is left out, or begins a tile too late.",
        script=script(
            rulebook,
            scene(
                rulebook,
                """
                CCCCCCCCCCCC
                CCCCCCCCCCCC
                CCCCCCCCCCCC
                CCCCC.......
                ............
                .........WW.
                """,
                "player 8E 2F 6F 11H 4I 9I $1199 C3",
                "ann W13 C4",
                "bob W12 C2",
            ),
        ),
    )


def _merged_to_forty_one(rulebook: Rulebook) -> Case:
    """Let one tile make a hotel of 41 of four, for between turns there can be none."""
    name = hotel_name(rulebook, "C")
    return _case(
        slug="price-1200",
        title="One dollar less than the price at size 41, to which four hotels are merged",
        source=TOO_DEAR,
        expected=f"The tile 6E placed, {name} named, and in the end an empty order: "
        f"{name} costs $1200, and $1199 are there.",
        hint="Often the last line of the table is left out, or the tile itself is not counted.",
        about=frozenset({"turn", "players"}),
        script=script(
            rulebook,
            scene(
                rulebook,
                """
                ..o.o.o.o...
                ............
                .AAAAAAAAA..
                .....A......
                FFFFF.CCCCCC
                FFFF.T.CCCCC
                .....T......
                .TTTTTTTT.o.
                """,
                "player 3B 5B 7B 9B 6E 10H $1199",
                "ann A13 F12 I13 T13 C4",
                "bob A12 F13 I12 T12 C3",
            ),
        ),
    )


def _after_the_tile(rulebook: Rulebook) -> Case:
    name = hotel_name(rulebook, "A")
    return _case(
        slug="after-the-tile",
        title="The money would have done before the tile was placed",
        source=TOO_DEAR,
        expected=f"A tile placed beside {name}, and an empty order: "
        "with four tiles it costs $500, and $499 are there.",
        hint="Often the price is looked up on the board of `turn`, without the tile placed.",
        script=script(
            rulebook,
            scene(
                rulebook,
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
                """,
                "player 2A 3A 4A 1B 5B 3C $499 A2",
                "ann F3 C1",
                "bob S2 W1 I2 T1",
            ),
        ),
    )
