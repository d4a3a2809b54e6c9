"""Mergers for the cases about certificates of acquired hotels, and how such a case is made.

Every tile of the mover merges. If the player moves, it places one of six tiles that do the same; an
opponent places its first tile, row by row.
"""

from collections.abc import Callable
from typing import NamedTuple

from ....game.rulebook import Rulebook
from ...refereeing.play.referee import Segment
from ..trial.script import Script
from .case import Case, CaseSource, section
from .position_text import hotel_name, make_script, parse_position
from .special_opponents import with_leaver

DISPOSAL = section("disposal")
CONVERSATION = "The conversation"
UNDONE = CaseSource(
    CONVERSATION,
    "the whole turn is undone, bonuses included, and the next player moves; no `state` is sent "
    "for an undone turn",
)


class Merging(NamedTuple):
    """A board, and six merging tiles; cases rely on what the first one does."""

    drawing: str
    hand: str


ONE = Merging(
    """
    ............
    ..SSSSSS....
    ............
    .AAAAAAA....
    ............
    ............
    .........TT.
    """,
    "3C 4C 5C 6C 7C 8C",
)
"""S, of 6 tiles, is acquired by A."""
TWO = Merging(
    """
    ....TTT.....
    ..TTTTTTT...
    FF.......II.
    F.AAAAAAA.I.
    FF.......II.
    F.WWWWWWW.I.
    FF.......II.
    ..SSSSSSS...
    ...SSS......
    """,
    "3C 9C 3E 9E 3G 9G",
)
"""Two of three hotels are acquired; with the first tile F, of 8 tiles, and A, of 7."""
THREE = Merging(
    """
    ..FFFFFFF...
    ..F..F..F...
    AA.CC.II.WW.
    ..S..S..T...
    ..SSSS..T...
    ............
    ..o..o..o...
    """,
    "3C 6C 9C 3F 6F 9F",
)
"""F acquires three of four hotels; with the first tile S, A and C. The last three tiles touch an
unincorporated tile, beside which some rulebooks forbid a merger."""
LONG = Merging(
    """
    ............
    .SSSSSSSSSS.
    ............
    AAAAAAAAAAA.
    ............
    ............
    ......TT....
    """,
    "2C 3C 4C 5C 1I 12I",
)
"""S, of 10 tiles, is acquired by A, of 11; the tiles 6C to 11C do the same."""
ELSEWHERE = "11A 12C 1F 3F 11F 1H"
"""Tiles that merge nothing on the board of ONE."""
SECOND = Merging(
    """
    ..SSSSSS....
    ............
    .AAAAAAA....
    ............
    ..........TT
    ..IIIIII....
    ............
    .WWWWWWW....
    """,
    "3B 4B 5B 6B 7B 8B",
)
"""As ONE; besides, the tiles 3G to 8G let W acquire I, of 6 tiles."""

WithNames = Callable[[str], str]
"""Puts a hotel's name for each letter in braces: ``{S} is acquired``."""


def hotel_names(rulebook: Rulebook) -> WithNames:
    """Return a function that puts the hotels' names into texts."""
    names = {letter: hotel_name(rulebook, letter) for letter in "ACFISTW"}
    return lambda text: text.format(**names)


def disposal_case(
    script: Script,
    slug: str,
    title: str,
    source: CaseSource,
    expected: str,
    hint: str,
    *tested: str,
) -> Case:
    """Make a case of this section."""
    return Case(
        section=DISPOSAL,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        tested=frozenset(tested),
        script=script,
    )


def merger_turn(rulebook: Rulebook, merging: Merging, *seats: str) -> Script:
    """Make a script of one turn; the first of the seats gets the merging tiles."""
    mover, *others = seats
    return make_script(
        rulebook, parse_position(rulebook, merging.drawing, f"{mover} {merging.hand}", *others)
    )  # fmt: skip


def two_turns(rulebook: Rulebook) -> Script:
    """Make a script of two mergers by opponents, of S and of I."""
    state = parse_position(
        rulebook,
        SECOND.drawing,
        f"ann {SECOND.hand} S2 A3",
        "bob 3G 4G 5G 6G 7G 8G I2 W3",
        "player S4 I3 $1500",
    )
    return make_script(rulebook, Segment(state, 2))


def mover_leaves(rulebook: Rulebook) -> Script:
    """Make a script in which a merger is undone, and the player can make the same merger next."""
    state = parse_position(
        rulebook,
        LONG.drawing,
        f"ann {LONG.hand} S2 A3",
        "player 6C 7C 8C 9C 10C 11C S4 A1 $1500",
        "bob A2 T3",
    )
    return with_leaver(make_script(rulebook, Segment(state, 2)), "ann", "players")


def opponent_leaves(rulebook: Rulebook, question: str) -> Script:
    """Make a script in which an opponent is ejected that is asked before the player."""
    seats = ("ann S2 A3", "bob S3 A2 T3", "player S4 A1 $2000")
    return with_leaver(merger_turn(rulebook, ONE, *seats), "bob", question)
