"""Founding a hotel: which can be named, how large it is, and the founder's free certificate."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import EighthHotel, Rulebook
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import hotel_name, make_script, parse_position
from .turn import NAMED

NOT_ON_BOARD = CaseSource(
    "The rules that a move can break", "Only a hotel that is not on the board can be founded."
)
SOLD_OUT = CaseSource(
    "The rules that a move can break",
    "An order cannot take more certificates than the bank has left.",
)
TOO_DEAR = CaseSource(
    "The rules that a move can break", "An order cannot cost more than the player has."
)
STAYS = CaseSource(
    "The rules in short",
    "With all seven on the board nothing is founded, and no hotel is named",
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
ONLY_W_LEFT = """
AA....FF....
............
............
CC..o...SSS.
............
TT..o...III.
............
.o......o...
............
"""
FOUNDING = "4D 5E 6F 3H 10H 9I"

_case = partial(Case, section=section("founding"), tested=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _which(rulebook)
    yield from _at_the_edges(rulebook)
    yield from _how_large(rulebook)
    yield from _free_certificate(rulebook)
    yield _price(rulebook)
    if rulebook.eighth_hotel is EighthHotel.STAYS_LOOSE:
        yield _eighth_stays(rulebook)
    else:
        yield _eighth_refused(rulebook)


# -- which hotel --------------------------------------------------------------------------------


def _which(rulebook: Rulebook) -> Iterator[Case]:
    yield _case(
        slug="choice-of-seven",
        title="A hotel is founded while none is on the board",
        source=NAMED,
        expected="Place a tile, name any of the seven hotels, and order anything affordable.",
        hint="naming no hotel, or leaving out the order as in a merger.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                ............
                .o..o..o..o.
                ............
                ............
                ............
                ............
                ..o....o....
                """,
                "player 2A 9B 4B 11C 7G 3H",
                "ann",
                "bob",
            ),
        ),
    )
    name = hotel_name(rulebook, "I")
    yield _case(
        slug="only-one-left",
        title="Only one hotel can be founded: the other six are on the board",
        source=NOT_ON_BOARD,
        expected=f"Place a tile, and name {name}.",
        hint="naming the first hotel, the last or the largest.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ONLY_I_LEFT,
                f"player {FOUNDING} A1 T2",
                "ann F2 C1 S1",
                "bob S2 W3",
            ),
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


def _at_the_edges(rulebook: Rulebook) -> Iterator[Case]:
    for slug, (where, drawing, hand) in EDGES.items():
        yield _case(
            slug=slug,
            title=f"A hotel is founded next to tiles in {where}",
            source=NAMED,
            expected="Place a tile, and name any of the seven hotels.",
            hint=f"forgetting {where} when looking for neighbours. Columns are 1 "
            "to 12, rows A to I.",
            script=make_script(
                rulebook, parse_position(rulebook, drawing, f"player {hand}", "ann", "bob")
            ),
        )


# -- how large it is ----------------------------------------------------------------------------


def _how_large(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases in which only cheap hotels are left, and cash is one dollar short."""
    yield _founded(
        rulebook,
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
    )
    yield _founded(
        rulebook,
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
    )
    yield _founded(
        rulebook,
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
    )
    yield _founded(
        rulebook,
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
    )


def _founded(
    rulebook: Rulebook, slug: str, title: str, drawing: str, hand: str, price: int
) -> Case:
    """Make a case in which every certificate costs at least ``price`` dollars."""
    cheap = f"{hotel_name(rulebook, 'S')} or {hotel_name(rulebook, 'W')}"
    return _case(
        slug=slug,
        title=title,
        source=TOO_DEAR,
        expected=f"Place a tile, name {cheap}, and order nothing: a certificate of the new "
        f"hotel costs ${price}, and you have ${price - 1}.",
        hint="assuming size two, or counting only the tiles adjacent to the one placed.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                drawing,
                f"player {hand} ${price - 1} A1 C1",
                "ann A2 F2 T1",
                "bob I3 C2",
            ),
        ),
    )


# -- the founder's certificate ------------------------------------------------------------------


def _free_certificate(rulebook: Rulebook) -> Iterator[Case]:
    name = hotel_name(rulebook, "W")
    yield _case(
        slug="no-free-certificate",
        title="The bank has no certificate of the founded hotel",
        source=SOLD_OUT,
        expected=f"Found {name}, without a free certificate, and order nothing.",
        hint="assuming that a new hotel has certificates. Other players have kept all of them.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ONLY_W_LEFT,
                f"player {FOUNDING} $299 A1",
                "ann W13 F2 C1",
                "bob W12 S3 I1 T2",
            ),
        ),
    )
    yield _case(
        slug="last-certificate-is-free",
        title="The founder receives the last certificate, and none is left to buy",
        source=SOLD_OUT,
        expected=f"Found {name}, and order nothing: the free certificate is taken first.",
        hint="not taking the free certificate from the bank before the order.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ONLY_W_LEFT,
                f"player {FOUNDING} $299 A1",
                "ann W12 F2 C1",
                "bob W12 S3 I1 T2",
            ),
        ),
    )
    yield _one_to_buy(rulebook, name)


def _one_to_buy(rulebook: Rulebook, name: str) -> Case:
    drawing = """
    AAAA....FFFF
    ............
    IIII....CCC.
    ............
    TTT...SSSSS.
    ............
    .o.o.o......
    ............
    o.o.o.o.....
    """
    return _case(
        slug="one-left-after-the-free-one",
        title="The founder receives one of the last two certificates",
        source=SOLD_OUT,
        expected=f"Found {name}, and order one more of its certificates, or none.",
        hint="ordering two. The free certificate is taken from the bank first.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                drawing,
                "player 1G 3G 5G 2I 4I 6I $499",
                "ann W12 F2 C3 A1",
                "bob W11 S3 I1 T2",
            ),
        ),
    )


def _price(rulebook: Rulebook) -> Case:
    name = hotel_name(rulebook, "I")
    return _case(
        slug="price-after-founding",
        title="The price of a founded hotel is that of its new size",
        source=TOO_DEAR,
        expected=f"Found {name}, and order nothing: at size 2 or 3 it costs $300 or more, and "
        "you have $299.",
        hint="looking up the price before placing the tile, or assuming that a new hotel is free.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ONLY_I_LEFT,
                f"player {FOUNDING} $299 A1 T2",
                "ann F2 C1 S1",
                "bob S2 W3",
            ),
        ),
    )


# -- with all seven on the board ----------------------------------------------------------------

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


def _eighth_stays(rulebook: Rulebook) -> Case:
    return _case(
        slug="all-seven-on-the-board",
        title="Tiles beside unincorporated ones, with all seven hotels on the board",
        source=STAYS,
        expected="Place a tile, and name no hotel: nothing is founded.",
        hint="naming a hotel anyway, or believing that the tile cannot be placed.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ALL_SEVEN,
                "player 2F 6F 10F 2G 6G 10G",
                "ann A1 F2 T1",
                "bob I1 C2 S1 W1",
            ),
        ),
    )


def _eighth_refused(rulebook: Rulebook) -> Case:
    return _case(
        slug="no-eighth-hotel",
        title="Five tiles would found an eighth hotel; one in the middle of the hand would not",
        source=REFUSED,
        expected="Place 8F, and name no hotel.",
        hint="placing such a tile without a name, as if it stayed unincorporated.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ALL_SEVEN,
                "player 2F 6F 8F 10F 2G 6G",
                "ann A1 F2 T1",
                "bob I1 C2 S1 W1",
            ),
        ),
    )
