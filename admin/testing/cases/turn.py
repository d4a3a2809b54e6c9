"""The plain turn: tiles without neighbours, the only playable tile, and the draw."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from ....game.rulebook import ForbiddenMerger, LooseNeighbours, Rulebook
from ...refereeing.play.referee import Segment
from ..case_parts.case import PLAYER, Case, CaseSource, section
from ..case_parts.position_text import ABSENT, hotel_name, make_script, parse_position

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
LONE = "2E 9E 5F 12F 2H 9I"

_case = partial(Case, section=section("turn"), tested=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _without_neighbours(rulebook)
    yield from _one_of_six(rulebook)
    yield from _between_the_turns(rulebook)


def forbidden(rulebook: Rulebook) -> CaseSource:
    """Return the rule that a tile cannot merge two safe hotels."""
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        return CaseSource(
            "The rules in short", "**Not allowed** if one of them is *safe* (12 tiles"
        )
    return CaseSource("The other rulebooks", "forbidden only **if two of them are safe**")


# -- nothing around -----------------------------------------------------------------------------


def _without_neighbours(rulebook: Rulebook) -> Iterator[Case]:
    alone = "Place any tile of the hand, name no hotel, and order anything affordable."
    yield _case(
        slug="alone",
        title="A tile without neighbours",
        source=NAMED,
        expected=alone,
        hint="naming a hotel though none is founded, or leaving out the order.",
        script=make_script(
            rulebook,
            parse_position(rulebook, TWO_HOTELS, f"player {LONE}", "ann T1", "bob S1"),
        ),
    )
    yield _case(
        slug="diagonal",
        title="Tiles that touch others only at their corners",
        source=NAMED,
        expected=alone,
        hint="counting diagonal neighbours. Neighbours are above, below, left and right.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                ............
                ..o...o...o.
                ............
                ............
                ............
                ..o...o...o.
                """,
                "player 4C 8C 10C 4G 8G 10G",
                "ann",
                "bob",
            ),
        ),
    )
    yield from _at_the_edges(rulebook, alone)


def _at_the_edges(rulebook: Rulebook, alone: str) -> Iterator[Case]:
    """Yield the cases in which neighbours must not wrap around the edge of the board."""
    yield _case(
        slug="opposite-edge",
        title="Edges and corners of the board, with tiles at the opposite edge",
        source=NAMED,
        expected=alone,
        hint="reading index -1, which in some languages is the last row or column.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
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
                """,
                "player 1A 4A 1C 1E 1G 1I",
                "ann",
                "bob",
            ),
        ),
    )
    yield _case(
        slug="next-row",
        title="Ends of rows and columns, with tiles where the next one begins",
        source=NAMED,
        expected=alone,
        hint="taking 1B for the cell after 12A, or 10A for the cell below 9I.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                .....o...o..
                o...........
                ............
                o...........
                ............
                o...........
                ............
                o...........
                """,
                "player 12A 12C 12E 12G 5I 9I",
                "ann",
                "bob",
            ),
        ),
    )


# -- one tile of six ----------------------------------------------------------------------------


def _one_of_six(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases with one playable tile, at different places in the hand."""
    yield _between_safe(
        rulebook,
        "only-first",
        "Five tiles are between safe hotels; the first in hand is not",
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
    )
    yield _between_safe(
        rulebook,
        "only-middle",
        "Five tiles are between safe hotels; one in the middle of the hand is not",
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
    )
    yield _between_safe(
        rulebook,
        "only-last",
        "Five tiles are between safe hotels; the last in hand is not",
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
    )
    if rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        yield _beside_loose(rulebook)


def _between_safe(
    rulebook: Rulebook, slug: str, title: str, drawing: str, legal: str, others: str
) -> Case:
    cheap, dear = hotel_name(rulebook, "S"), hotel_name(rulebook, "C")
    safe = rulebook.safe_size
    return _case(
        slug=slug,
        title=title,
        source=forbidden(rulebook),
        expected=f"Place {legal} and name no hotel: the others would merge {cheap} and {dear}, "
        "which have 12 tiles each.",
        hint=f"testing size > {safe}: a hotel of {safe} tiles is safe, so test size >= {safe}. "
        "Or picking a tile by its place in the hand.",
        script=make_script(
            rulebook,
            parse_position(rulebook, drawing, f"player {legal} {others}", "ann S3 T1", "bob C4"),
        ),
    )


def _beside_loose(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "A")
    return _case(
        slug="beside-loose",
        title="Five tiles are between a hotel and an unincorporated tile",
        source=BESIDE_LOOSE,
        expected=f"Place 6G and name no hotel: the others touch {hotel} and an unincorporated "
        "tile.",
        hint="placing such a tile, as if the hotel absorbed the unincorporated one.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                AAAAAAAAAA..
                ............
                o.o.o.o.o...
                """,
                "player 1B 3B 5B 7B 9B 6G",
                "ann A3",
                "bob",
            ),
        ),
    )


# -- from turn to turn --------------------------------------------------------------------------


def _between_the_turns(rulebook: Rulebook) -> Iterator[Case]:
    yield _case(
        slug="others-turns",
        title="Three turns of other players",
        source=STATE_SENT,
        expected="Answer <void/> to the position after each of the three turns, and send "
        "nothing else.",
        hint="moving whenever a position arrives. Only <turn> asks for a move.",
        tested=frozenset({"state"}),
        script=make_script(
            rulebook,
            Segment(
                parse_position(rulebook, TWO_HOTELS, "ann T1", "bob S1", "cyd", f"player {LONE}"), 3
            ),
        ),
    )
    yield _case(
        slug="drawn",
        title="A tile is drawn",
        source=DRAWN,
        expected="Answer <void/> to <tile>, and to the position that follows.",
        hint="not answering <tile>, or taking the next question for <state>.",
        tested=frozenset({"tile", "state"}),
        script=make_script(
            rulebook, parse_position(rulebook, TWO_HOTELS, f"player {LONE}", "ann T1", "bob S1")
        ),
    )
    yield _changed_position(rulebook)
    yield _alone_at_table(rulebook)


def _changed_position(rulebook: Rulebook) -> Case:
    later = """
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
    return _case(
        slug="changed-position",
        title="Tiles that had no neighbours now have one",
        source=COMPLETE,
        expected="Place a tile and name a hotel: now every tile founds one.",
        hint="using the first board that was sent instead of the one in <turn>.",
        script=make_script(
            rulebook,
            parse_position(rulebook, TWO_HOTELS, "ann T1", f"player {LONE}", "bob S1"),
            parse_position(rulebook, later, f"player {LONE}", "bob S1", "ann T1"),
        ),
    )


def _alone_at_table(rulebook: Rulebook) -> Case:
    """Make the case of a table that began with three players, so that it has no market."""
    position = parse_position(rulebook, TWO_HOTELS, f"player {LONE} T1 S1")
    made = make_script(rulebook, Segment(position, 2))
    return _case(
        slug="alone-at-table",
        title="All others have left: two of your own turns in a row",
        source=LEFT_ALONE,
        expected="Move twice, with no other player in the position.",
        hint="looking for another player, or not expecting a second turn in a row.",
        script=replace(made, seats=(PLAYER, f"{ABSENT}-1", f"{ABSENT}-2")),
    )
