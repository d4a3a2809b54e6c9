"""Founding a hotel: which can be named, how large it is, and the founder's free certificate."""

from ....game.rulebook import EighthHotel
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from .turn import NAMED

BREAKABLE = "The rules that a move can break"
NOT_ON_BOARD = CaseSource(BREAKABLE, "Only a hotel that is not on the board can be founded.")
SOLD_OUT = CaseSource(BREAKABLE, "An order cannot take more certificates than the bank has left.")
TOO_DEAR = CaseSource(BREAKABLE, "An order cannot cost more than the player has.")
STAYS = CaseSource(
    "The rules in short", "With all seven on the board nothing is founded, and no hotel is named"
)
REFUSED = CaseSource(
    "The other rulebooks", "**unless all seven are on the board: then it cannot be placed**"
)

ONLY_I_LEFT = """
    AA....FF....
    ............
    ............
    CC..o...SSS.
    ............
    TT..o...WWW.
    ............
    .o......o...
    ............
    """
"""Every tile of ``FOUNDING`` founds a hotel here; the other hotels cost at least $300."""
ONLY_W_LEFT = ONLY_I_LEFT.replace("WWW", "III")
FOUNDING = "4D 5E 6F 3H 10H 9I"
ALL_SEVEN = """
    AA.FF.II.CC.
    ............
    TT.SS.WW....
    ............
    .o...o...o..
    ............
    ............
    .o...o...o..
    """
NO_EIGHTH = ALL_SEVEN + "player 2F 6F 10F 2G 6G 10G | ann A1 F2 T1 | bob I1 C2 S1 W1"
"""Every tile would found an eighth hotel."""

WHICH = (
    CaseRow(
        "choice-of-seven",
        "A hotel is founded while none is on the board",
        NAMED,
        """
        ............
        .o..o..o..o.
        ............
        ............
        ............
        ............
        ..o....o....
        player 2A 9B 4B 11C 7G 3H | ann | bob
        """,
        expected="Place a tile, name any of the seven hotels, and order anything affordable.",
        hint="naming no hotel, or leaving out the order as in a merger.",
    ),
    CaseRow(
        "only-one-left",
        "Only one hotel can be founded: the other six are on the board",
        NOT_ON_BOARD,
        ONLY_I_LEFT + f"player {FOUNDING} A1 T2 | ann F2 C1 S1 | bob S2 W3",
        expected="Place a tile, and name {I}.",
        hint="naming the first hotel, the last or the largest.",
    ),
)

ALONG = "o.o.o.o.o.o."
DOWN = "o.o.o.o.o"
EDGES = {
    "first-row": ("row A", ALONG, "2A 4A 6A 8A 10A 1B"),
    "last-row": ("row I", ".\n" * 8 + ALONG, "1H 2I 4I 6I 8I 10I"),
    "first-column": ("column 1", "\n".join(DOWN), "2A 1B 1D 1F 1H 2I"),
    "last-column": (
        "column 12",
        "\n".join("." * 11 + sign for sign in DOWN),
        "11A 12B 12D 12F 12H 11I",
    ),
}
"""By slug: where the neighbours are, the board, and six tiles that found a hotel."""

AT_THE_EDGES = tuple(
    CaseRow(
        slug,
        f"A hotel is founded next to tiles in {where}",
        NAMED,
        f"{drawing}\nplayer {hand} | ann | bob",
        expected="Place a tile, and name any of the seven hotels.",
        hint=f"forgetting {where} when looking for neighbours. Columns are 1 to 12, rows A to I.",
    )
    for slug, (where, drawing, hand) in EDGES.items()
)


def _founded(slug: str, title: str, drawing: str, hand: str, price: int) -> CaseRow:
    """Make a case in which every certificate costs at least ``price`` dollars.

    Only cheap hotels are left, and cash is one dollar short.
    """
    return CaseRow(
        slug,
        title,
        TOO_DEAR,
        drawing + f"player {hand} ${price - 1} A1 C1 | ann A2 F2 T1 | bob I3 C2",
        expected="Place a tile, name {S} or {W}, and order nothing: a certificate of the new "
        f"hotel costs ${price}, and you have ${price - 1}.",
        hint="assuming size two, or counting only the tiles adjacent to the one placed.",
    )


HOW_LARGE = (
    _founded(
        "two-neighbours",
        "Two unincorporated tiles are joined to a hotel of three",
        """
        AAA...FFF...
        ............
        III...CC....
        ............
        TT..........
        ............
        o.o.o.o.o.o.
        ............
        o.o.........
        """,
        "2G 4G 6G 8G 10G 2I",
        300,
    ),
    _founded(
        "three-neighbours",
        "Three unincorporated tiles are joined to a hotel of four",
        """
        o.o.AAA..III
        .o..........
        ....FFF.....
        ............
        CC.......TT.
        ............
        ............
        .o.o.o.o.o..
        o.o.o.o.o.o.
        """,
        "2A 2I 4I 6I 8I 10I",
        400,
    ),
    _founded(
        "four-neighbours",
        "Four unincorporated tiles are joined to a hotel of five",
        """
        AAAA.FFFF.TT
        ...........T
        IIII.CCC....
        ............
        ............
        ..o.o.o.....
        .o.o.o.o....
        o.o.o.o.....
        .o.o.o......
        """,
        "3G 5G 7G 2H 4H 6H",
        500,
    ),
    _founded(
        "chain",
        "A chain of three unincorporated tiles becomes a hotel of four",
        """
        AAA.FFF.III.
        ............
        CC.......TT.
        ............
        ....ooo.....
        """,
        "5D 6D 7D 4E 8E 6F",
        400,
    ),
)

FREE_CERTIFICATE = (
    CaseRow(
        "no-free-certificate",
        "The bank has no certificate of the founded hotel",
        SOLD_OUT,
        ONLY_W_LEFT + f"player {FOUNDING} $299 A1 | ann W13 F2 C1 | bob W12 S3 I1 T2",
        expected="Found {W}, without a free certificate, and order nothing.",
        hint="assuming that a new hotel has certificates. Other players have kept all of them.",
    ),
    CaseRow(
        "last-certificate-is-free",
        "The founder receives the last certificate, and none is left to buy",
        SOLD_OUT,
        ONLY_W_LEFT + f"player {FOUNDING} $299 A1 | ann W12 F2 C1 | bob W12 S3 I1 T2",
        expected="Found {W}, and order nothing: the free certificate is taken first.",
        hint="not taking the free certificate from the bank before the order.",
    ),
    CaseRow(
        "one-left-after-the-free-one",
        "The founder receives one of the last two certificates",
        SOLD_OUT,
        """
        AAAA....FFFF
        ............
        IIII....CCC.
        ............
        TTT...SSSSS.
        ............
        .o.o.o......
        ............
        o.o.o.o.....
        player 1G 3G 5G 2I 4I 6I $499 | ann W12 F2 C3 A1 | bob W11 S3 I1 T2
        """,
        expected="Found {W}, and order one more of its certificates, or none.",
        hint="ordering two. The free certificate is taken from the bank first.",
    ),
    CaseRow(
        "price-after-founding",
        "The price of a founded hotel is that of its new size",
        TOO_DEAR,
        ONLY_I_LEFT + f"player {FOUNDING} $299 A1 T2 | ann F2 C1 S1 | bob S2 W3",
        expected="Found {I}, and order nothing: at size 2 or 3 it costs $300 or more, and "
        "you have $299.",
        hint="looking up the price before placing the tile, or assuming that a new hotel is free.",
    ),
)

WITH_ALL_ON_THE_BOARD = (
    CaseRow(
        "all-seven-on-the-board",
        "Tiles beside unincorporated ones, with all seven hotels on the board",
        STAYS,
        NO_EIGHTH,
        expected="Place a tile, and name no hotel: nothing is founded.",
        hint="naming a hotel anyway, or believing that the tile cannot be placed.",
        when=EighthHotel.STAYS_LOOSE,
    ),
    CaseRow(
        "no-eighth-hotel",
        "Five tiles would found an eighth hotel; one in the middle of the hand would not",
        REFUSED,
        ALL_SEVEN + "player 2F 6F 8F 10F 2G 6G | ann A1 F2 T1 | bob I1 C2 S1 W1",
        expected="Place 8F, and name no hotel.",
        hint="placing such a tile without a name, as if it stayed unincorporated.",
        when=EighthHotel.REFUSED,
    ),
)

CASES = WHICH + AT_THE_EDGES + HOW_LARGE + FREE_CERTIFICATE + WITH_ALL_ON_THE_BOARD
