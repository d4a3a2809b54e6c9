"""Hotels that grow: by one tile, to and past the safe size, and by absorbing tiles."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import LooseNeighbours, Rulebook
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import hotel_name, make_script, parse_position
from .founding import TOO_DEAR
from .turn import BESIDE_LOOSE, NAMED

TAKES_IN = CaseSource(
    "The other rulebooks", "the hotel takes in all unincorporated tiles that the tile connects"
)
NO_MERGER = CaseSource("The rules that a move can break", "without an order is for mergers only")

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
"""A cheap hotel of five; all other certificates cost at least $600."""
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

_case = partial(Case, section=section("growth"), tested=frozenset({"turn"}))


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
        yield from _absorbed(rulebook)


def _by_one(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "T")
    return _case(
        slug="by-one",
        title="A hotel grows by one tile",
        source=NAMED,
        expected=f"Place a tile beside {hotel}, name no hotel, and order anything affordable.",
        hint="naming the growing hotel. A name is for founding or a merger.",
        script=make_script(
            rulebook,
            parse_position(
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
        expected=f"Place a tile beside {hotel}, name no hotel, and order anything affordable.",
        hint="treating the hotel as safe already, or not placing beside it.",
        script=make_script(
            rulebook,
            parse_position(
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
        expected=f"Place a tile beside {hotel}, name no hotel, and order anything affordable.",
        hint="never placing beside a safe hotel. Safe only means that it cannot be acquired.",
        script=make_script(
            rulebook,
            parse_position(
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
        expected=f"Place a tile beside {hotel}, name no hotel, and send an order: nothing merges.",
        hint="counting adjacent tiles of hotels instead of hotels.",
        script=make_script(
            rulebook,
            parse_position(
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
        title="The placed tile itself raises the price",
        source=TOO_DEAR,
        expected=f"Place a tile beside {hotel}, and order nothing: with six tiles it costs "
        "$600, and you have $599.",
        hint="using the size of the hotel before the placement.",
        script=make_script(
            rulebook,
            parse_position(
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
        title="One tile makes a hotel grow; five touch an unincorporated tile as well",
        source=BESIDE_LOOSE,
        expected=f"Place 6C and name no hotel: it touches only {hotel}.",
        hint="placing such a tile, as if the hotel absorbed the unincorporated one.",
        script=make_script(
            rulebook,
            parse_position(rulebook, AMONG_LOOSE, "player 5C 6C 7C 4D 8D 5E S1", "ann S1", "bob"),
        ),
    )


def _absorbed(rulebook: Rulebook) -> Iterator[Case]:
    hotel = hotel_name(rulebook, "S")
    yield _case(
        slug="one-taken-in",
        title="The hotel absorbs an unincorporated tile",
        source=TAKES_IN,
        expected=f"Place a tile, name no hotel, and order nothing: then {hotel} has five tiles "
        "and costs $500, and you have $499.",
        hint="counting the placed tile, but not the one that it connects.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook, AMONG_LOOSE, "player 5C 7C 4D 8D 5E 7E $499 S1", "ann S1", "bob"
            ),
        ),
    )
    yield _case(
        slug="several-taken-in",
        title="The hotel absorbs two or three unincorporated tiles",
        source=TAKES_IN,
        expected=f"Place a tile, name no hotel, and order nothing: then {hotel} has six or "
        "seven tiles and costs $600, and you have $599.",
        hint="counting only one of the connected tiles.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook, AMONG_MORE, "player 5C 7C 4D 8D 5E 7E $599 S1", "ann S1", "bob"
            ),
        ),
    )
