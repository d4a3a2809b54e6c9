"""Nearly full boards: few cells that are free, hotels of dozens of tiles, long messages."""

from collections.abc import Iterator
from functools import partial

from admin.check.case import Case, Source, section
from admin.check.cases.growth import NO_MERGER
from admin.check.cases.hands import CROWDED
from admin.check.cases.turn import NAMED, forbidden
from admin.check.scene import hotel_name, scene, script
from game.rulebook import Rulebook

LONG = Source(
    "On the socket", "A message can be several kilobytes long, up to 64 KB: keep reading."
)

COMB = """
CCCCCCCCCCC.
C.C.C.C.C.C.
CCCCCCCCCCC.
C.........C.
C.........C.
CCC.....CCC.
............
.........SSS
............
"""
"""A hotel of 38 tiles with five holes of one cell each."""
HOLES = "2B 4B 6B 8B 10B"

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
"""Six hotels, all but T of 12 tiles or more, and 33 free cells."""

LONG_BOARD = """
SSSSSSSS.WWW
SSSSSSSS.WWW
.........WWW
.....FFF.WWW
AAAA.FFF....
AAAA.FFF.CCC
AAAA.FFF.CCC
.....FF..CCC
TTTT....CCCC
"""
"""Somewhat fewer tiles, so that six players have hands of six."""

CHEQUERED = """
o.o.o.o.o.o.
.o.o.o.o.o.o
o.o.o.o.o.o.
.o.o.o.o.o.o
o.o.o.o.o.o.
.o.o.o.o.o.o
o.o.o.o.o.o.
.o.o.o.o.o.o
o.o.o.o.o.o.
"""
"""Every cell of one colour, were the board chequered: 54 single tiles, and no hotel."""

_case = partial(Case, section=section("full-boards"), about=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _one_cell(rulebook)
    yield _holes(rulebook)
    yield _chequered(rulebook)
    yield _long_messages(rulebook)


def _one_cell(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases in which one tile of six can be placed."""
    grown = hotel_name(rulebook, "A")
    yield _case(
        slug="one-free-cell",
        title="One free cell for the last tile in hand, and 79 tiles on the board",
        source=forbidden(rulebook),
        expected=f"The tile 10F placed beside {grown}, no hotel named: "
        "the others lie between safe hotels.",
        hint="Often the first free cell is taken.",
        script=script(
            rulebook,
            scene(
                rulebook,
                CROWDED,
                "player 1C 6C 12C 1F 9F 10F S2 A1",
                *("ann S4 A3", "bob A5 T1", "cyd F3 T2"),
            ),
        ),
    )
    safe, small = hotel_name(rulebook, "S"), hotel_name(rulebook, "T")
    yield _case(
        slug="all-safe-but-one",
        title="All hotels are safe but one",
        source=forbidden(rulebook),
        expected=f"The tile 5C placed beside {safe}, no hotel named: "
        f"the others would merge two safe hotels. {small} is not safe, so the game goes on.",
        hint="Often the third tile in hand is not come to, for the first two are refused.",
        script=script(
            rulebook,
            scene(
                rulebook,
                SEVEN_LARGE,
                "player 9A 9B 5C 5E 11E 9F $1100 C3 S5",
                "ann $2600 S4 A7 T2",
                "bob $300 W9 F5 A2",
            ),
        ),
    )


def _holes(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "C")
    return _case(
        slug="holes",
        title="Cells with the same hotel on all four sides",
        source=NO_MERGER,
        expected=f"A tile placed in or beside {hotel}, no hotel named: it merges nothing.",
        hint="Often the neighbouring tiles of hotels are counted, and not the hotels.",
        script=script(
            rulebook,
            scene(rulebook, COMB, f"player {HOLES} 12C $2200 C5", "ann C9 S2", "bob C7 S4"),
        ),
    )


def _chequered(rulebook: Rulebook) -> Case:
    return _case(
        slug="chequered",
        title="Single tiles on half of all cells, and no hotel",
        source=NAMED,
        expected="A tile placed, and one of the seven hotels named.",
        hint="Often the tiles that stand first inside of the board are not read, or only some.",
        script=script(
            rulebook, scene(rulebook, CHEQUERED, "player 2A 12C 5D 8E 11F 2I", "ann", "bob")
        ),
    )


def _long_messages(rulebook: Rulebook) -> Case:
    shares = "S4 W4 A4 F4 I4 C4 T4"
    return _case(
        slug="long-messages",
        title="Messages of several kilobytes: six players who hold some of everything",
        source=LONG,
        expected="A tile placed beside a hotel, and no hotel named.",
        hint="Often a message is taken to be complete after one read, or cut at 4096 bytes.",
        about=frozenset({"setup", "turn", "state"}),
        script=script(
            rulebook,
            scene(
                rulebook,
                LONG_BOARD,
                f"player 5D 9E 5H 8H 9H 7I {shares} $12345",
                *(f"{name} {shares} $11111" for name in ("ann", "bob", "cyd", "dan", "eve")),
            ),
        ),
    )
