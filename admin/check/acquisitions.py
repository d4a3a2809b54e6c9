"""Mergers that the cases of acquired certificates begin with, and how such a case is made.

Every tile of the mover merges. Where the player moves it places one of six that do the same; where
another does, that one places its first tile row by row.
"""

from collections.abc import Callable
from typing import NamedTuple

from admin.check.case import Case, Source, section
from admin.check.scene import hotel_name, scene, script
from admin.check.tablemates import leaving
from admin.match.referee import Segment
from admin.trial.script import Script
from game.rulebook import Rulebook

DISPOSAL = section("disposal")
CONVERSATION = "The conversation"
UNDONE = Source(
    CONVERSATION,
    "the whole turn is undone, bonuses included, and the next player moves; no `state` is sent "
    "for an undone turn",
)


class Merging(NamedTuple):
    """A board, and six tiles of which each merges: the first does what a case is about."""

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
"""Two of three hotels are acquired, wherever; F, of 8 tiles, and A, of 7, at the first."""
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
"""Three of four hotels are acquired by F; S, A and C at the first. The last three tiles cannot be
placed where a tile may not touch a hotel and an unincorporated tile at once."""
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
"""S, of 10 tiles, is acquired by A, of 11; 6C to 11C would do it, too."""
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
"""As ONE, with I, of 6 tiles, that W acquires by the tiles 3G to 8G."""

Tell = Callable[[str], str]
"""Writes the hotel's name for each letter in braces: ``{S} is acquired``."""


def names(rulebook: Rulebook) -> Tell:
    """Return a way to write texts with the hotels' names."""
    names = {letter: hotel_name(rulebook, letter) for letter in "ACFISTW"}
    return lambda text: text.format(**names)


def case(
    played: Script,
    slug: str,
    title: str,
    source: Source,
    expected: str,
    hint: str,
    *about: str,
) -> Case:
    """Make a case of this section."""
    return Case(
        section=DISPOSAL,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        about=frozenset(about),
        script=played,
    )


def turn(rulebook: Rulebook, merging: Merging, *seats: str) -> Script:
    """Make a script of one turn, in which the first of the seats has the tiles that merge."""
    mover, *others = seats
    return script(
        rulebook, scene(rulebook, merging.drawing, f"{mover} {merging.hand}", *others)
    )  # fmt: skip


def two_turns(rulebook: Rulebook) -> Script:
    """Make a script of two mergers, of S and of I, neither of them the player's."""
    state = scene(
        rulebook,
        SECOND.drawing,
        f"ann {SECOND.hand} S2 A3",
        "bob 3G 4G 5G 6G 7G 8G I2 W3",
        "player S4 I3 $1500",
    )
    return script(rulebook, Segment(state, 2))


def mover_leaves(rulebook: Rulebook) -> Script:
    """Make a script in which a merger is undone that the player can then cause again."""
    state = scene(
        rulebook,
        LONG.drawing,
        f"ann {LONG.hand} S2 A3",
        "player 6C 7C 8C 9C 10C 11C S4 A1 $1500",
        "bob A2 T3",
    )
    return leaving(script(rulebook, Segment(state, 2)), "ann", "players")


def bystander_leaves(rulebook: Rulebook, question: str) -> Script:
    """Make a script in which somebody is ejected who is asked before the player."""
    seats = ("ann S2 A3", "bob S3 A2 T3", "player S4 A1 $2000")
    return leaving(turn(rulebook, ONE, *seats), "bob", question)
