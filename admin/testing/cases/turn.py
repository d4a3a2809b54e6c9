"""The plain turn: tiles without neighbours, the only playable tile, and the draw."""

from ....game.rulebook import ForbiddenMerger, LooseNeighbours, Rulebook
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario

NAMED = CaseSource(
    "The conversation", "The placement names a hotel **when and only when** it founds"
)
COMPLETE = CaseSource("The messages", "a `turn` contains all there is to know")
DRAWN = CaseSource("The conversation", "`A> tile` to the player who moved, with the tile drawn")
STATE_SENT = CaseSource(
    "The conversation", "Then `A> state` to every player, with the next player listed first"
)
LEFT_ALONE = CaseSource("The conversation", "with those who remain, even with only one")
BESIDE_LOOSE = CaseSource(
    "The rules in short", "one hotel and unincorporated tiles | **not allowed**"
)

TWO_HOTELS = """
    TT.........o
    ............
    ......SSS...
    ............
    """
"""Room for tiles without neighbours, from row E on."""
LATER = """
    TT.........o
    ............
    ......SSS...
    ............
    ..o......o..
    .....o......
    ...........o
    o...........
    .......o....
    """
LONE = "2E 9E 5F 12F 2H 9I"
ANY_TILE = "Place any tile of the hand, name no hotel, and order anything affordable."


def forbidden(rulebook: Rulebook) -> CaseSource:
    """Return the rule that a tile cannot merge two safe hotels."""
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        return CaseSource(
            "The rules in short", "**Not allowed** if one of them is *safe* (12 tiles"
        )
    return CaseSource("The other rulebooks", "forbidden only **if two of them are safe**")


WITHOUT_NEIGHBOURS = (
    CaseRow(
        "alone",
        "A tile without neighbours",
        NAMED,
        TWO_HOTELS + f"player {LONE} | ann T1 | bob S1",
        expected=ANY_TILE,
        hint="naming a hotel though none is founded, or leaving out the order.",
    ),
    CaseRow(
        "diagonal",
        "Tiles that touch others only at their corners",
        NAMED,
        """
        ............
        ..o...o...o.
        ............
        ............
        ............
        ..o...o...o.
        player 4C 8C 10C 4G 8G 10G | ann | bob
        """,
        expected=ANY_TILE,
        hint="counting diagonal neighbours. Neighbours are above, below, left and right.",
    ),
    CaseRow(
        "opposite-edge",
        "Edges and corners of the board, with tiles at the opposite edge",
        NAMED,
        """
        ...........o
        ............
        ...........o
        ............
        ...........o
        ............
        ...........o
        ............
        ...o.......o
        player 1A 4A 1C 1E 1G 1I | ann | bob
        """,
        expected=ANY_TILE,
        hint="reading index -1, which in some languages is the last row or column.",
    ),
    CaseRow(
        "next-row",
        "Ends of rows and columns, with tiles where the next one begins",
        NAMED,
        """
        .....o...o..
        o...........
        ............
        o...........
        ............
        o...........
        ............
        o...........
        player 12A 12C 12E 12G 5I 9I | ann | bob
        """,
        expected=ANY_TILE,
        hint="taking 1B for the cell after 12A, or 10A for the cell below 9I.",
    ),
)


def _one_of_six(place: str, where: str, drawing: str, legal: str, others: str) -> CaseRow:
    """Make a case with one playable tile, at some place in the hand."""
    return CaseRow(
        f"only-{place}",
        f"Five tiles are between safe hotels; {where} is not",
        forbidden,
        drawing + f"player {legal} {others} | ann S3 T1 | bob C4",
        expected=f"Place {legal} and name no hotel: the others would merge {{S}} and {{C}}, "
        "which have 12 tiles each.",
        hint="testing size > {safe}: a hotel of {safe} tiles is safe, so test size >= {safe}. "
        "Or picking a tile by its place in the hand.",
    )


ONE_OF_SIX = (
    _one_of_six(
        "first",
        "the first in hand",
        """
        ............
        ............
        .........TT.
        ............
        ............
        ............
        SSSSSSSSSSSS
        ............
        CCCCCCCCCCCC
        """,
        "3A",
        "1H 3H 6H 8H 12H",
    ),
    _one_of_six(
        "middle",
        "one in the middle of the hand",
        """
        SS.CC.......
        SS.CC.......
        SS.CC.......
        SS.CC.......
        SS.CC.......
        SS.CC.......
        ............
        ........TT..
        """,
        "9C",
        "3A 3B 3C 3D 3E",
    ),
    _one_of_six(
        "last",
        "the last in hand",
        """
        SSSSSSSSSSSS
        ............
        CCCCCCCCCCCC
        ............
        ............
        .TT.........
        """,
        "9H",
        "1B 3B 5B 7B 12B",
    ),
    CaseRow(
        "beside-loose",
        "Five tiles are between a hotel and an unincorporated tile",
        BESIDE_LOOSE,
        """
        AAAAAAAAAA..
        ............
        o.o.o.o.o...
        player 1B 3B 5B 7B 9B 6G | ann A3 | bob
        """,
        expected="Place 6G and name no hotel: the others touch {A} and an unincorporated tile.",
        hint="placing such a tile, as if the hotel absorbed the unincorporated one.",
        when=LooseNeighbours.REFUSED,
    ),
)

FROM_TURN_TO_TURN = (
    CaseRow(
        "others-turns",
        "Three turns of other players",
        STATE_SENT,
        Scenario(TWO_HOTELS + f"ann T1 | bob S1 | cyd | player {LONE}", turns=3),
        expected="Answer <void/> to the position after each of the three turns, and send "
        "nothing else.",
        hint="moving whenever a position arrives. Only <turn> asks for a move.",
        tested="state",
    ),
    CaseRow(
        "drawn",
        "A tile is drawn",
        DRAWN,
        TWO_HOTELS + f"player {LONE} | ann T1 | bob S1",
        expected="Answer <void/> to <tile>, and to the position that follows.",
        hint="not answering <tile>, or taking the next question for <state>.",
        tested="tile state",
    ),
    CaseRow(
        "changed-position",
        "Tiles that had no neighbours now have one",
        COMPLETE,
        Scenario(
            TWO_HOTELS + f"ann T1 | player {LONE} | bob S1",
            later=(Scenario(LATER + f"player {LONE} | bob S1 | ann T1"),),
        ),
        expected="Place a tile and name a hotel: now every tile founds one.",
        hint="using the first board that was sent instead of the one in <turn>.",
    ),
    # The table began with three players, so it has no market.
    CaseRow(
        "alone-at-table",
        "All others have left: two of your own turns in a row",
        LEFT_ALONE,
        Scenario(TWO_HOTELS + f"player {LONE} T1 S1", turns=2, at_table=3),
        expected="Move twice, with no other player in the position.",
        hint="looking for another player, or not expecting a second turn in a row.",
    ),
)

CASES = WITHOUT_NEIGHBOURS + ONE_OF_SIX + FROM_TURN_TO_TURN
