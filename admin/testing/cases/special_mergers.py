"""Mergers: safe hotels, unincorporated tiles beside the merger, the order, and the market."""

from ....game.rulebook import ForbiddenMerger, LooseNeighbours
from ..case_parts.acquisitions import CONVERSATION
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario
from .mergers import table_of_three

ANY_SAFE = CaseSource(
    "The rules in short", "**Not allowed** if one of them is *safe* (12 tiles or more)"
)
BESIDE_LOOSE = CaseSource("The rules in short", "if the tile also touches unincorporated tiles")
TWO_SAFE = CaseSource(
    "The other rulebooks",
    "It is forbidden only **if two of them are safe**; a safe hotel may acquire others.",
)
TAKEN_IN = CaseSource(
    "The other rulebooks",
    "Unincorporated tiles next to the tile go to the survivor and count towards no size in the "
    "merger.",
)
ORDER = CaseSource(
    CONVERSATION,
    "you receive the players as they now stand, bonuses paid and certificates returned, and send "
    "your order",
)
MARKETS_TILE = CaseSource(
    "Two players",
    "If one merges hotels, the mover is asked for the survivor, and answers with the placement "
    "of that tile",
)

OF_SAFE_HOTELS = (
    CaseRow(
        "safe",
        "A hotel of {safe} tiles is safe",
        ANY_SAFE,
        table_of_three(
            """
            ............
            ......SSS...
            ............
            {safe:A}
            ............
            .FFFF.......
            """,
            "7C 8C 9C 11C 3E 5E F2 $2500",
        ),
        expected="Place 11C, which makes {A} grow: the other five would merge it.",
        hint="calling hotels safe only from {safe+1} tiles on, or never.",
        when=ForbiddenMerger.ANY_SAFE,
    ),
    CaseRow(
        "nearly-safe",
        "A hotel of {safe-1} tiles is not yet safe",
        ANY_SAFE,
        table_of_three(
            """
            ............
            ............
            ............
            ............
            ..SSSSSS....
            ............
            {safe-1:A}
            ............
            ....TT......
            """,
            "3F 4F 5F 6F 7F 8F S2 $2500",
        ),
        expected="Send a bare placement that names {A}, which has {safe-1} tiles.",
        hint="calling hotels safe from {safe-1} tiles on.",
        when=ForbiddenMerger.ANY_SAFE,
    ),
    CaseRow(
        "two-safe",
        "Two hotels of {safe} tiles cannot merge",
        TWO_SAFE,
        table_of_three(
            """
            ............
            {safe:S}
            ............
            {safe:A}
            ............
            {safe:W}
            ............
            .......TT...
            """,
            "2C 5C 9C 12D 3E 7E T2 $2500",
        ),
        expected="Place 12D, which makes {A} grow: the others would merge two safe hotels.",
        hint="calling hotels safe only from {safe+1} tiles on, or letting two safe ones merge.",
        when=ForbiddenMerger.TWO_SAFE,
    ),
    CaseRow(
        "nearly-safe",
        "A safe hotel acquires one of {safe-1} tiles",
        TWO_SAFE,
        table_of_three(
            """
            ............
            ............
            ............
            ............
            {safe-1:S}
            ............
            {safe:A}
            ............
            .......TT...
            """,
            "2F 3F 5F 6F 8F 9F S2 $2500",
        ),
        expected="Send a bare placement that names {A}, which is safe; the other is not.",
        hint="calling hotels safe from {safe-1} tiles on.",
        when=ForbiddenMerger.TWO_SAFE,
    ),
    CaseRow(
        "safe-survivor",
        "A safe hotel acquires a small one",
        TWO_SAFE,
        table_of_three(
            """
            ............
            AAAAAAAAAAAA
            ............
            .....TTTTTT.
            ............
            ..WW........
            """,
            "6C 7C 8C 9C 10C 11C T2 $2500",
        ),
        expected="Send a bare placement that names {A}: one safe hotel may be in a merger.",
        hint="never merging with a safe hotel.",
        when=ForbiddenMerger.TWO_SAFE,
    ),
)

AMONG_LOOSE = """
    ...SSS......
    ..SSSSSS....
    .o......o...
    ..AAAAAA....
    .o......o...
    ..WWWWWW....
    .o......o...
    ..IIIIII....
    .....III....
    """

BESIDE_LOOSE_TILES = (
    CaseRow(
        "beside-loose",
        "A merger beside an unincorporated tile is not allowed",
        BESIDE_LOOSE,
        table_of_three(AMONG_LOOSE, "3C 8C 3E 5E 8E 3G A2 $2500"),
        expected="Place 5E: the other five touch an unincorporated tile as well.",
        hint="applying this rule only to growing hotels, or not at all.",
        when=LooseNeighbours.REFUSED,
    ),
    CaseRow(
        "beside-loose",
        "A merger absorbs an unincorporated tile",
        TAKEN_IN,
        table_of_three(AMONG_LOOSE, "3C 8C 3E 8E 3G 8G A2 $2500"),
        expected="Send a bare placement that names the larger hotel, or one of two that are equal.",
        hint="believing that a tile beside hotels and unincorporated tiles cannot be placed.",
        when=LooseNeighbours.ABSORBED,
    ),
)

ORDER_AFTERWARDS = CaseRow(
    "order-afterwards",
    "The order after a merger, at the new prices",
    ORDER,
    table_of_three(
        """
        ............
        ............
        ............
        ............
        .........CC.
        ..........C.
        ..SSSSSS..C.
        ..........C.
        .AAAAAAA..C.
        """,
        "3H 4H 5H 6H 7H 8H $700",
    ),
    expected="Order no {S}, which is gone, and no {A}, which now costs $800.",
    hint="using the board of <turn> for the order, before the hotels were joined.",
    tested="players",
)


def _market(slug: str, title: str, lower: str, expected: str) -> CaseRow:
    """Make a case in which the first tile that the market draws merges F and I."""
    drawing = f"""
        .AAAAAAA....
        ............
        ..WWWWWW....
        ............
        CC..........
        ............
        .FFFFF......
        ............
        .{lower}....
        """
    seats = "player 3B 4B 5B 6B 7B 8B W4 F2 $3000 | bob 11A 12C 10E 11F 12H 11I W2 I3 A4 $3500"
    return CaseRow(
        slug,
        title,
        MARKETS_TILE,
        Scenario(drawing + seats, bag_top="4H 12E"),
        expected=expected,
        hint="looking for the tile in your hand, or sending an order with the placement.",
        tested="merger",
        when=lambda rulebook: rulebook.market_for_two,
    )


OF_THE_MARKET = (
    _market(
        "markets-merger",
        "The market's tile merges two hotels",
        "IIIIIII",
        "Place 4H and name {I}, the larger hotel.",
    ),
    _market(
        "markets-merger-tie",
        "The market's tile merges two hotels of the same size",
        "IIIII..",
        "Place 4H and name {F} or {I}.",
    ),
)

CASES = (*OF_SAFE_HOTELS, *BESIDE_LOOSE_TILES, ORDER_AFTERWARDS, *OF_THE_MARKET)
