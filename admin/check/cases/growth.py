"""Hotels that grow: by one tile, to the safe size, past it, and by single tiles taken in."""

from collections.abc import Iterator
from functools import partial

from admin.check.case import Case, Source, section
from admin.check.cases.founding import TOO_DEAR
from admin.check.cases.turn import BESIDE_LOOSE, NAMED
from admin.check.scene import hotel_name, scene, script
from game.rulebook import LooseNeighbours, Rulebook

TAKES_IN = Source(
    "The other rulebooks", "the hotel takes in all unincorporated tiles that the tile connects"
)
NO_MERGER = Source("The rules that a move can break", "without an order is for mergers only")

STEP = """
SSSSS..TTTT.
............
............
AAAAA.FFFFF.
............
IIIII.CCCC..
............
WWWWWW......
"""
"""A cheap hotel of five, and no other certificate for less than $600."""
AMONG_LOOSE = """
............
....o.o.....
............
..o.SSS.o...
............
....o.o.....
"""
"""A cheap hotel of three; most cells beside it are beside one single tile too."""
AMONG_MORE = """
............
....o.o.....
...o...o....
..o.SSS.o...
...o...o....
....o.o.....
"""
"""The same hotel; the cells at its ends and corners are beside two single tiles, or three."""

_case = partial(Case, section=section("growth"), about=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield _by_one(rulebook)
    yield _to_safe(rulebook)
    yield _past_safe(rulebook)
    yield _two_cells(rulebook)
    yield _price_step(rulebook)
    if rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        yield _beside_loose(rulebook)
    else:
        yield from _taken_in(rulebook)


def _by_one(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "T")
    return _case(
        slug="by-one",
        title="A hotel grows by one tile",
        source=NAMED,
        expected=f"A tile placed beside {hotel}, no hotel named, and any order.",
        hint="Often the hotel that grows is named; one is named when founded or surviving.",
        script=script(
            rulebook,
            scene(
                rulebook,
                """
                SS..........
                ............
                ............
                ....TT......
                ....TT......
                ............
                """,
                "player 5C 4D 7D 4E 7E 6F T1",
                "ann S1",
                "bob T2",
            ),
        ),
    )


def _to_safe(rulebook: Rulebook) -> Case:
    hotel, size = hotel_name(rulebook, "I"), rulebook.safe_size
    return _case(
        slug="to-the-safe-size",
        title=f"A hotel grows to {size} tiles, and is safe",
        source=NAMED,
        expected=f"A tile placed beside {hotel}, no hotel named, and any order.",
        hint="Often it is looked at as if it were safe already, or not to be touched.",
        script=script(
            rulebook,
            scene(
                rulebook,
                "I" * (size - 1) + "\n...........\n...........\n.......WW",
                "player 1B 3B 5B 8B 9B 10B I1",
                "ann I3",
                "bob W1",
            ),
        ),
    )


def _past_safe(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "F")
    return _case(
        slug="past-the-safe-size",
        title="A safe hotel grows",
        source=NAMED,
        expected=f"A tile placed beside {hotel}, no hotel named, and any order.",
        hint="Safe is against being merged; often nothing is placed beside a safe hotel.",
        script=script(
            rulebook,
            scene(
                rulebook,
                """
                ............
                ............
                ............
                .FFFFFF...SS
                .FFFFFF.....
                ............
                """,
                "player 2C 5C 1D 8E 3F 6F F2",
                "ann F3",
                "bob S2",
            ),
        ),
    )


def _two_cells(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "C")
    return _case(
        slug="two-sides",
        title="A tile beside two tiles of the same hotel",
        source=NO_MERGER,
        expected=f"A tile placed beside {hotel}, no hotel named, and an order: it merges nothing.",
        hint="Often the neighbouring tiles of hotels are counted, and not the hotels.",
        script=script(
            rulebook,
            scene(
                rulebook,
                """
                ..CC........
                ...CC.......
                ....CC......
                .....CC.....
                ......C.....
                ............
                .AA.........
                """,
                "player 5A 3B 6B 4C 7C 6E C1",
                "ann C2",
                "bob A1",
            ),
        ),
    )


def _price_step(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "S")
    return _case(
        slug="price-step",
        title="The tile itself raises the price",
        source=TOO_DEAR,
        expected=f"A tile placed beside {hotel}, and an empty order: "
        "with six tiles it costs $600, and $599 are there.",
        hint="Often the size of the hotel is taken before the tile was placed.",
        script=script(
            rulebook,
            scene(
                rulebook,
                STEP,
                "player 6A 1B 2B 3B 4B 5B $599 S2 T1",
                "ann A3 F2 T2",
                "bob I3 C2 W4",
            ),
        ),
    )


def _beside_loose(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "S")
    return _case(
        slug="beside-loose",
        title="One tile lets a hotel grow; five touch a single tile as well",
        source=BESIDE_LOOSE,
        expected=f"The tile 6C placed, no hotel named: it touches {hotel} alone.",
        hint="Often such a tile is placed, and the hotel takes in the unincorporated one.",
        script=script(
            rulebook,
            scene(rulebook, AMONG_LOOSE, "player 5C 6C 7C 4D 8D 5E S1", "ann S1", "bob"),
        ),
    )


def _taken_in(rulebook: Rulebook) -> Iterator[Case]:
    hotel = hotel_name(rulebook, "S")
    yield _case(
        slug="one-taken-in",
        title="The hotel takes in a single tile",
        source=TAKES_IN,
        expected=f"A tile placed, no hotel named, and an empty order: {hotel} has five tiles then "
        "and costs $500, and $499 are there.",
        hint="Often the tile placed is counted, and the one that it connects is not.",
        script=script(
            rulebook,
            scene(rulebook, AMONG_LOOSE, "player 5C 7C 4D 8D 5E 7E $499 S1", "ann S1", "bob"),
        ),
    )
    yield _case(
        slug="several-taken-in",
        title="The hotel takes in two single tiles or three",
        source=TAKES_IN,
        expected=f"A tile placed, no hotel named, and an empty order: {hotel} has six tiles then "
        "or seven and costs $600, and $599 are there.",
        hint="Often one of the tiles that are connected is counted.",
        script=script(
            rulebook,
            scene(rulebook, AMONG_MORE, "player 5C 7C 4D 8D 5E 7E $599 S1", "ann S1", "bob"),
        ),
    )
