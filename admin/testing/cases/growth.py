"""Hotels that grow: by one tile, to and past the safe size, and by absorbing tiles."""

from ....game.rulebook import LooseNeighbours
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from .founding import BREAKABLE, TOO_DEAR
from .turn import BESIDE_LOOSE, NAMED

TAKES_IN = CaseSource(
    "The other rulebooks", "the hotel takes in all unincorporated tiles that the tile connects"
)
NO_MERGER = CaseSource(BREAKABLE, "without an order is for mergers only")

AMONG_LOOSE = """
    ............
    ....o.o.....
    ............
    ..o.SSS.o...
    ............
    ....o.o.....
    """
"""A cheap hotel of three; most cells beside it also touch one unincorporated tile."""
AMONG_MORE = """
    ............
    ....o.o.....
    ...o...o....
    ..o.SSS.o...
    ...o...o....
    ....o.o.....
    """
"""The same hotel; the cells at its ends and corners touch two or three such tiles."""

CASES = (
    CaseRow(
        "by-one",
        "A hotel grows by one tile",
        NAMED,
        """
        SS..........
        ............
        ............
        ....TT......
        ....TT......
        ............
        player 5C 4D 7D 4E 7E 6F T1 | ann S1 | bob T2
        """,
        expected="Place a tile beside {T}, name no hotel, and order anything affordable.",
        hint="naming the growing hotel. A name is for founding or a merger.",
    ),
    CaseRow(
        "to-the-safe-size",
        "A hotel grows to {safe} tiles, and is safe",
        NAMED,
        """
        {safe-1:I}
        ...........
        ...........
        .......WW
        player 1B 3B 5B 8B 9B 10B I1 | ann I3 | bob W1
        """,
        expected="Place a tile beside {I}, name no hotel, and order anything affordable.",
        hint="treating the hotel as safe already, or not placing beside it.",
    ),
    CaseRow(
        "past-the-safe-size",
        "A safe hotel grows",
        NAMED,
        """
        ............
        ............
        ............
        .FFFFFF...SS
        .FFFFFF.....
        ............
        player 2C 5C 1D 8E 3F 6F F2 | ann F3 | bob S2
        """,
        expected="Place a tile beside {F}, name no hotel, and order anything affordable.",
        hint="never placing beside a safe hotel. Safe only means that it cannot be acquired.",
    ),
    CaseRow(
        "two-sides",
        "A tile beside two tiles of the same hotel",
        NO_MERGER,
        """
        ..CC........
        ...CC.......
        ....CC......
        .....CC.....
        ......C.....
        ............
        .AA.........
        player 5A 3B 6B 4C 7C 6E C1 | ann C2 | bob A1
        """,
        expected="Place a tile beside {C}, name no hotel, and send an order: nothing merges.",
        hint="counting adjacent tiles of hotels instead of hotels.",
    ),
    CaseRow(
        "price-step",
        "The placed tile itself raises the price",
        TOO_DEAR,
        # a cheap hotel of five; all other certificates cost at least $600
        """
        SSSSS..TTTT.
        ............
        ............
        AAAAA.FFFFF.
        ............
        IIIII.CCCC..
        ............
        WWWWWW......
        player 6A 1B 2B 3B 4B 5B $599 S2 T1 | ann A3 F2 T2 | bob I3 C2 W4
        """,
        expected="Place a tile beside {S}, and order nothing: with six tiles it costs "
        "$600, and you have $599.",
        hint="using the size of the hotel before the placement.",
    ),
    CaseRow(
        "beside-loose",
        "One tile makes a hotel grow; five touch an unincorporated tile as well",
        BESIDE_LOOSE,
        AMONG_LOOSE + "player 5C 6C 7C 4D 8D 5E S1 | ann S1 | bob",
        expected="Place 6C and name no hotel: it touches only {S}.",
        hint="placing such a tile, as if the hotel absorbed the unincorporated one.",
        when=LooseNeighbours.REFUSED,
    ),
    CaseRow(
        "one-taken-in",
        "The hotel absorbs an unincorporated tile",
        TAKES_IN,
        AMONG_LOOSE + "player 5C 7C 4D 8D 5E 7E $499 S1 | ann S1 | bob",
        expected="Place a tile, name no hotel, and order nothing: then {S} has five tiles "
        "and costs $500, and you have $499.",
        hint="counting the placed tile, but not the one that it connects.",
        when=LooseNeighbours.ABSORBED,
    ),
    CaseRow(
        "several-taken-in",
        "The hotel absorbs two or three unincorporated tiles",
        TAKES_IN,
        AMONG_MORE + "player 5C 7C 4D 8D 5E 7E $599 S1 | ann S1 | bob",
        expected="Place a tile, name no hotel, and order nothing: then {S} has six or "
        "seven tiles and costs $600, and you have $599.",
        hint="counting only one of the connected tiles.",
        when=LooseNeighbours.ABSORBED,
    ),
)
