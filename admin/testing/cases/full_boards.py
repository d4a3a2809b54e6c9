"""Nearly full boards: few free cells, hotels of dozens of tiles, long messages."""

from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.position_text import OPPONENTS
from .growth import NO_MERGER
from .hands import CROWDED
from .turn import NAMED, forbidden

LONG = CaseSource(
    "On the socket", "A message can be several kilobytes long, up to 64 KB: keep reading."
)

# Six hotels, all but T of 12 tiles or more, and 33 free cells.
SEVEN_LARGE = """
    SSSSSSSS.WWW
    SSSSSSSS.WWW
    SSSS.....WWW
    .....FFF.WWW
    AAAA.FFF....
    AAAA.FFF.CCC
    AAAA.FFF.CCC
    .....FF..CCC
    TTTT....CCCC
    """
LONG_BOARD = SEVEN_LARGE.replace("SSSS.....WWW", ".........WWW")
"""A few tiles less, so that six players can have full hands."""
OF_EACH = "S4 W4 A4 F4 I4 C4 T4"

CASES = (
    CaseRow(
        "one-free-cell",
        "79 tiles on the board, and only one playable tile, the last in hand",
        forbidden,
        CROWDED + "player 1C 6C 12C 1F 9F 10F S2 A1 | ann S4 A3 | bob A5 T1 | cyd F3 T2",
        expected="Place 10F beside {A}, and name no hotel: the others are between safe hotels.",
        hint="taking the first free cell.",
    ),
    CaseRow(
        "all-safe-but-one",
        "All hotels are safe but one",
        forbidden,
        f"""{SEVEN_LARGE}
        player 9A 9B 5C 5E 11E 9F $1100 C3 S5 | ann $2600 S4 A7 T2 | bob $300 W9 F5 A2
        """,
        expected="Place 5C beside {S}, and name no hotel: the others would merge two safe "
        "hotels. {T} is not safe, so the game goes on.",
        hint="giving up after two rejected tiles.",
    ),
    CaseRow(
        "holes",
        "Cells with the same hotel on all four sides",
        NO_MERGER,
        """
        CCCCCCCCCCC.
        C.C.C.C.C.C.
        CCCCCCCCCCC.
        C.........C.
        C.........C.
        CCC.....CCC.
        ............
        .........SSS
        ............
        player 2B 4B 6B 8B 10B 12C $2200 C5 | ann C9 S2 | bob C7 S4
        """,
        expected="Place a tile in or beside {C}, and name no hotel: nothing merges.",
        hint="counting adjacent tiles of hotels instead of hotels.",
    ),
    CaseRow(
        "chequered",
        "Unincorporated tiles on half of all cells, and no hotel",
        NAMED,
        """
        o.o.o.o.o.o.
        .o.o.o.o.o.o
        o.o.o.o.o.o.
        .o.o.o.o.o.o
        o.o.o.o.o.o.
        .o.o.o.o.o.o
        o.o.o.o.o.o.
        .o.o.o.o.o.o
        o.o.o.o.o.o.
        player 2A 12C 5D 8E 11F 2I | ann | bob
        """,
        expected="Place a tile, and name any of the seven hotels.",
        hint="not reading the unincorporated tiles, which come first in <board>, or only some.",
    ),
    CaseRow(
        "long-messages",
        "Messages of several kilobytes: six players who hold certificates of every hotel",
        LONG,
        LONG_BOARD
        + f"player 5D 9E 5H 8H 9H 7I {OF_EACH} $12345 | "
        + " | ".join(f"{name} {OF_EACH} $11111" for name in OPPONENTS),
        expected="Place a tile beside a hotel, and name no hotel.",
        hint="treating one read as a whole message, or cutting it at 4096 bytes.",
        tested="setup turn state",
    ),
)
