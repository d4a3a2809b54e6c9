"""Nearly full boards: few free cells, hotels of dozens of tiles, long messages."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import Rulebook
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import hotel_name, make_script, parse_position
from .growth import NO_MERGER
from .hands import CROWDED
from .turn import NAMED, forbidden

LONG = CaseSource(
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
"""A few tiles less, so that six players can have full hands."""

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
"""All cells of one colour of a chequered board: 54 unincorporated tiles, and no hotel."""

_case = partial(Case, section=section("full-boards"), tested=frozenset({"turn"}))


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
        title="79 tiles on the board, and only one playable tile, the last in hand",
        source=forbidden(rulebook),
        expected=f"Place 10F beside {grown}, and name no hotel: the others are between safe "
        "hotels.",
        hint="taking the first free cell.",
        script=make_script(
            rulebook,
            parse_position(
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
        expected=f"Place 5C beside {safe}, and name no hotel: the others would merge two safe "
        f"hotels. {small} is not safe, so the game goes on.",
        hint="giving up after two rejected tiles.",
        script=make_script(
            rulebook,
            parse_position(
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
        expected=f"Place a tile in or beside {hotel}, and name no hotel: nothing merges.",
        hint="counting adjacent tiles of hotels instead of hotels.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook, COMB, f"player {HOLES} 12C $2200 C5", "ann C9 S2", "bob C7 S4"
            ),
        ),
    )


def _chequered(rulebook: Rulebook) -> Case:
    return _case(
        slug="chequered",
        title="Unincorporated tiles on half of all cells, and no hotel",
        source=NAMED,
        expected="Place a tile, and name any of the seven hotels.",
        hint="not reading the unincorporated tiles, which come first in <board>, or only some.",
        script=make_script(
            rulebook,
            parse_position(rulebook, CHEQUERED, "player 2A 12C 5D 8E 11F 2I", "ann", "bob"),
        ),
    )


def _long_messages(rulebook: Rulebook) -> Case:
    shares = "S4 W4 A4 F4 I4 C4 T4"
    return _case(
        slug="long-messages",
        title="Messages of several kilobytes: six players who hold certificates of every hotel",
        source=LONG,
        expected="Place a tile beside a hotel, and name no hotel.",
        hint="treating one read as a whole message, or cutting it at 4096 bytes.",
        tested=frozenset({"setup", "turn", "state"}),
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                LONG_BOARD,
                f"player 5D 9E 5H 8H 9H 7I {shares} $12345",
                *(f"{name} {shares} $11111" for name in ("ann", "bob", "cyd", "dan", "eve")),
            ),
        ),
    )
