"""The plain turn: a tile with nothing around it, the one tile that may be placed, and the draw."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from admin.check.case import PLAYER, Case, Source, section
from admin.check.scene import ABSENT, hotel_name, scene, script
from admin.match.referee import Segment
from game.rulebook import ForbiddenMerger, LooseNeighbours, Rulebook

NAMED = Source("The conversation", "The placement names a hotel **when and only when** it founds")
ALL_SAID = Source("The messages", "a `turn` contains all there is to know")
DRAWN = Source("The conversation", "`A> tile` to the player who moved, with the tile drawn")
TOLD = Source(
    "The conversation", "Then `A> state` to every player, with the next player listed first"
)
LEFT_ALONE = Source("The conversation", "with those who remain, even with only one")
BESIDE_LOOSE = Source("The rules in short", "one hotel and unincorporated tiles | **not allowed**")

TWO_HOTELS = """
TT.........o
............
......SSS...
............
"""
"""Room for tiles with nothing around them, from row E on."""
LONE = "2E 9E 5F 12F 2H 9I"

_case = partial(Case, section=section("turn"), about=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _with_nothing_around(rulebook)
    yield from _one_of_six(rulebook)
    yield from _between_the_turns(rulebook)


def forbidden(rulebook: Rulebook) -> Source:
    """Return where it is written that no tile goes between two safe hotels."""
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        return Source("The rules in short", "**Not allowed** if one of them is *safe* (12 tiles")
    return Source("The other rulebooks", "forbidden only **if two of them are safe**")


# -- nothing around -----------------------------------------------------------------------------


def _with_nothing_around(rulebook: Rulebook) -> Iterator[Case]:
    alone = "One of the tiles in hand placed, no hotel named, and any order that can be paid."
    yield _case(
        slug="alone",
        title="A tile with nothing around it",
        source=NAMED,
        expected=alone,
        hint="Often a hotel is named though none is founded, or the order is left out.",
        script=script(
            rulebook,
            scene(rulebook, TWO_HOTELS, f"player {LONE}", "ann T1", "bob S1"),
        ),
    )
    yield _case(
        slug="diagonal",
        title="Tiles that touch others at their corners only",
        source=NAMED,
        expected=alone,
        hint="Neighbours are above, below, left and right; often the diagonal ones are counted.",
        script=script(
            rulebook,
            scene(
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
    """Yield two cases in which the board must not close round to the other side."""
    yield _case(
        slug="opposite-edge",
        title="Edges and corners of the board, with tiles at the opposite edge",
        source=NAMED,
        expected=alone,
        hint="Often index -1 is read, which in some languages is the last row or column.",
        script=script(
            rulebook,
            scene(
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
        hint="Often the cell after 12A is taken for 1B, or the one below 9I for 10A.",
        script=script(
            rulebook,
            scene(
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
    """Yield the cases in which five tiles cannot be placed; the sixth stands here and there."""
    yield _between_safe(
        rulebook,
        "only-first",
        "Five tiles lie between safe hotels; the first in hand does not",
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
        "Five tiles lie between safe hotels; one in the middle of the hand does not",
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
        "Five tiles lie between safe hotels; the last in hand does not",
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
    return _case(
        slug=slug,
        title=title,
        source=forbidden(rulebook),
        expected=f"The tile {legal} placed, no hotel named: "
        f"the others would merge {cheap} and {dear}, which have 12 tiles each.",
        hint="Often a tile is taken by its place in the hand, or as safe what is larger than that.",
        script=script(
            rulebook,
            scene(rulebook, drawing, f"player {legal} {others}", "ann S3 T1", "bob C4"),
        ),
    )


def _beside_loose(rulebook: Rulebook) -> Case:
    hotel = hotel_name(rulebook, "A")
    return _case(
        slug="beside-loose",
        title="Five tiles lie between a hotel and a single tile",
        source=BESIDE_LOOSE,
        expected=f"The tile 6G placed, no hotel named: the others touch {hotel}, "
        "and an unincorporated tile.",
        hint="Often such a tile is placed, and the hotel takes in the unincorporated one.",
        script=script(
            rulebook,
            scene(
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
        source=TOLD,
        expected="The answer <void/> to the position after each of the three turns, no more.",
        hint="Often a move is sent as soon as any position comes; it is asked for by `turn`.",
        about=frozenset({"state"}),
        script=script(
            rulebook,
            Segment(scene(rulebook, TWO_HOTELS, "ann T1", "bob S1", "cyd", f"player {LONE}"), 3),
        ),
    )
    yield _case(
        slug="drawn",
        title="A tile is drawn",
        source=DRAWN,
        expected="The answer <void/> to `tile`, and to the position that follows.",
        hint="Often `tile` is left without an answer, or the next question is taken for `state`.",
        about=frozenset({"tile", "state"}),
        script=script(rulebook, scene(rulebook, TWO_HOTELS, f"player {LONE}", "ann T1", "bob S1")),
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
        title="Tiles that had nothing around them have a neighbour now",
        source=ALL_SAID,
        expected="A tile placed and a hotel named, since each tile now founds one.",
        hint="Often the board that was told first is used; the one in `turn` counts.",
        script=script(
            rulebook,
            scene(rulebook, TWO_HOTELS, "ann T1", f"player {LONE}", "bob S1"),
            scene(rulebook, later, f"player {LONE}", "bob S1", "ann T1"),
        ),
    )


def _alone_at_table(rulebook: Rulebook) -> Case:
    """Lay out a table that the others have left; it began as one of three, without a market."""
    position = scene(rulebook, TWO_HOTELS, f"player {LONE} T1 S1")
    made = script(rulebook, Segment(position, 2))
    return _case(
        slug="alone-at-table",
        title="All others have left: two turns of your own, one after the other",
        source=LEFT_ALONE,
        expected="Two turns, with no other player in the position.",
        hint="Often another player is looked for, or a second turn in a row is not expected.",
        script=replace(made, seats=(PLAYER, f"{ABSENT}-1", f"{ABSENT}-2")),
    )
