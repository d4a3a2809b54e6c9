"""Mergers: which hotel survives, and how to answer.

Every tile of the hand merges, usually two long hotels with a row of free cells between them. Four
such hotels, and one at either end, leave six cells that each touch three hotels.
"""

from ....game.rulebook import EqualAcquired
from ..case_parts.acquisitions import CONVERSATION, TWO
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow

ALONE = CaseSource(
    CONVERSATION, "If the tile merges hotels, answer `turn` with the placement alone"
)
LARGEST_SURVIVES = CaseSource(
    CONVERSATION, "which must be the largest of the merging hotels, or one of the largest"
)
EQUALS = CaseSource(
    "What you can send",
    "in the order in which you name them after the survivor: all of them, and no other hotel",
)


def table_of_three(drawing: str, player: str) -> str:
    """Return a position of three: the player moves, the others hold shares of all hotels."""
    held = [f"{letter}3" for letter in "ACFISTW" if letter in drawing]
    ann, bob = " ".join(held[0::2]), " ".join(held[1::2])
    return drawing + f"player {player} | ann {ann} $4200 | bob {bob} $3900"


OF_TWO = (
    CaseRow(
        "placement-alone",
        "A merger, with money to spend",
        ALONE,
        table_of_three(
            """
            ............
            ...C........
            .S.C........
            .S.C.....AA.
            .S.C......A.
            .S.C........
            .S.C........
            .S.C........
            """,
            "3C 3D 3E 3F 3G 3H C3 $7500",
        ),
        expected="Send a bare placement that names {C}; send the order after <players>.",
        hint="sending the order with the placement, in <pbuy>, though the tile merges.",
        tested="turn players",
    ),
    CaseRow(
        "larger-first",
        "The larger of two hotels, first in the alphabet",
        LARGEST_SURVIVES,
        table_of_three(
            """
            .AAAAAAA....
            ............
            ..WWWWWW....
            ............
            ............
            .........FF.
            """,
            "3B 4B 5B 6B 7B 8B W4 $3000",
        ),
        expected="Name {A}, which has 7 tiles; {W} has 6.",
        hint="naming the last hotel of the alphabet, or the one with most certificates.",
    ),
    CaseRow(
        "larger-last",
        "The larger of two hotels, last in the alphabet",
        LARGEST_SURVIVES,
        table_of_three(
            """
            ............
            ..S.........
            ..S.........
            ............
            ............
            .....AAAAAA.
            ............
            .....WWWWWWW
            """,
            "6G 7G 8G 9G 10G 11G A4 $3000",
        ),
        expected="Name {W}, which has 7 tiles; {A} has 6.",
        hint="naming the first hotel of the alphabet, whatever its size.",
    ),
    CaseRow(
        "dearer-smaller",
        "The smaller of two hotels is the more expensive one",
        LARGEST_SURVIVES,
        table_of_three(
            """
            ............
            ............
            ............
            .TTTTT......
            ......W.....
            .WWWWWW.....
            ............
            .........III
            """,
            "7D 2E 3E 4E 5E 6E T2 $2500",
        ),
        expected="Name {W}, which has 7 tiles; {T} has 5.",
        hint="naming the more expensive hotel. Only size counts.",
    ),
    CaseRow(
        "tie",
        "Two hotels of the same size",
        LARGEST_SURVIVES,
        table_of_three(
            """
            ............
            ....F.I.....
            ....F.I.....
            ....F.I.....
            ....F.I.....
            ....F.I.....
            ....F.I.....
            ............
            .CC.........
            """,
            "6B 6C 6D 6E 6F 6G F2 I2 $3000",
        ),
        expected="Name {F} or {I}.",
        hint="naming none or both, because neither is larger.",
    ),
    CaseRow(
        "only-mergers",
        "Every tile merges, each a different pair of hotels",
        ALONE,
        table_of_three(
            """
            ............
            ...TTTTTT...
            W.........S.
            W.FFFFFFF.S.
            W.........S.
            W..AAAAA....
            ............
            IIIIIIIII...
            """,
            "5C 2D 10D 5E 1G 5G T1 S1 $2000",
        ),
        expected="Send a bare placement that names the larger of the two hotels that the tile "
        "touches.",
        hint="never considering merging tiles.",
    ),
)

ONE_LARGEST = table_of_three(
    """
    ............
    ..AAAAAAA...
    FF.......II.
    F.WWWWWWW.I.
    FF.......II.
    F.CCCCCCC.I.
    FF.......II.
    ..SSSSSSS...
    """,
    "3C 9C 3E 9E 3G 9G A2 W2 $2000",
)

OF_THREE = (
    CaseRow(
        "three",
        "Three hotels of three sizes",
        LARGEST_SURVIVES,
        table_of_three(TWO.drawing, "3C 5C 9C 3G 6G 9G A2 W2 $2000"),
        expected="Name {T} or {S}, whichever your tile touches.",
        hint="comparing only two of the hotels that the tile touches.",
    ),
    *(
        CaseRow(
            "three-one-largest",
            "Three hotels, the two smaller ones equal",
            LARGEST_SURVIVES,
            ONE_LARGEST,
            expected=f"Name {{F}} or {{I}} as the survivor, {others}.",
            hint="comparing only the last two hotels.",
            when=order,
        )
        for order, others in (
            (EqualAcquired.ALPHABETICAL, "and no other"),
            (EqualAcquired.PLACER_ORDERS, "and after it both of the others or neither"),
        )
    ),
    CaseRow(
        "three-two-largest",
        "Three hotels, two of them equal and larger than the third",
        LARGEST_SURVIVES,
        table_of_three(
            """
            ............
            ..FFFFFFF...
            AA.......WW.
            A.IIIIIII.W.
            AA.......WW.
            ..SSSSSSS...
            CC..........
            ..TTTTTTT...
            """,
            "3C 9C 2D 3E 9E 3G A2 W2 $2000",
        ),
        expected="Name one of the two hotels of 7 tiles that your tile touches.",
        hint="naming any of the three because two are tied.",
    ),
    CaseRow(
        "three-equal",
        "Three hotels, all of the same size",
        LARGEST_SURVIVES,
        table_of_three(
            """
            ............
            ..TTTTTTTT..
            FF........AA
            F.SSSSSSSS.A
            FF........AA
            F.WWWWWWWW.A
            FF........AA
            ..IIIIIIII..
            """,
            "3C 10C 3E 10E 3G 10G F2 A2 $2000",
        ),
        expected="Name any of the three hotels that your tile touches.",
        hint="naming no hotel when none is larger than the others.",
    ),
)

FOUR_TIES = table_of_three(
    """
    ............
    ............
    ............
    ..IIIIIII...
    ..I..I..I...
    AA.CC.TT.WW.
    ..F..F..F...
    ..FFFFFFF...
    """,
    "4E 7E 8E 3F 6F 9F A2 W2 $2000",
)

OF_FOUR = (
    CaseRow(
        "four",
        "Four hotels around one cell",
        LARGEST_SURVIVES,
        table_of_three(
            """
            ..FFFFFFF...
            ..F..F..F...
            AA.CC.II.WW.
            ..S..S..T...
            ..SSSS..T...
            """,
            "3C 6C 9C 4D 5D 7D C1 $2000",
        ),
        expected="Send a bare placement that names {F} if your tile touches four hotels.",
        hint="looking only at the cells to the left and above.",
    ),
    CaseRow(
        "four-ties",
        "Four hotels, two equal largest and two equal smallest",
        LARGEST_SURVIVES,
        FOUR_TIES,
        expected="Name {I} or {F} if your tile touches four hotels.",
        hint="naming the first or last of the four, whatever its size.",
        when=EqualAcquired.ALPHABETICAL,
    ),
    CaseRow(
        "four-ties",
        "Four hotels, two equal largest and two equal smallest",
        EQUALS,
        FOUR_TIES,
        expected="Name {I} or {F} if your tile touches four hotels, then both of the smallest or "
        "neither.",
        hint="naming all acquired hotels after the survivor. Name only those of equal size.",
        when=EqualAcquired.PLACER_ORDERS,
    ),
)

SAME_HOTEL_TWICE = CaseRow(
    "same-hotel-twice",
    "The smaller hotel touches the tile on two sides",
    LARGEST_SURVIVES,
    table_of_three(
        """
        AAAAA.TTTTT.
        A...A.T...T.
        .WWW...FFF..
        WWWWW.FFFFF.
        ............
        CCCCC.......
        C...C.......
        .III........
        IIIII.......
        """,
        "2B 4B 8B 10B 2G 4G A1 T1 $2000",
    ),
    expected="Name the hotel of 8 tiles, not the one of 7 around it.",
    hint="counting a hotel once for each side on which it touches the tile.",
)

CASES = (*OF_TWO, *OF_THREE, *OF_FOUR, SAME_HOTEL_TWICE)
