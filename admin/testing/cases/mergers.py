"""Mergers: which hotel survives, and how to answer.

Every tile of the hand merges, usually two long hotels with a row of free cells between them. Four
such hotels, and one at either end, leave six cells that each touch three hotels.
"""

from collections.abc import Iterator

from ....game.rulebook import EqualAcquired, Rulebook
from ....game.state import State
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import hotel_name, make_script, parse_position

MERGERS = section("mergers")
TURN = frozenset({"turn"})

CONVERSATION = "The conversation"
ALONE = CaseSource(
    CONVERSATION, "If the tile merges hotels, answer `turn` with the placement alone"
)
LARGEST_SURVIVES = CaseSource(
    CONVERSATION, "which must be the largest of the merging hotels, or one of the largest"
)
EQUALS = CaseSource(
    "What you can send",
    "in the order in which you name them after the survivor: all of them, and no other hotel",
)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this module that a rulebook has."""
    yield from _of_two(rulebook)
    yield from _of_three(rulebook)
    yield from _of_four(rulebook)
    yield _same_hotel_twice(rulebook)


def _table(rulebook: Rulebook, drawing: str, player: str) -> State:
    """Return a position of three: the player moves, the others hold shares of all hotels."""
    held = [letter for letter in "ACFISTW" if letter in drawing]
    ann, bob = (" ".join(f"{letter}3" for letter in held[first::2]) for first in (0, 1))
    return parse_position(
        rulebook, drawing, f"player {player}", f"ann {ann} $4200", f"bob {bob} $3900"
    )


def merger_case(
    rulebook: Rulebook,
    slug: str,
    title: str,
    drawing: str,
    player: str,
    *,
    expected: str,
    hint: str,
    source: CaseSource = LARGEST_SURVIVES,
    tested: frozenset[str] = TURN,
) -> Case:
    """Make a case of one turn; ``player`` has the player's tiles, shares and cash."""
    return Case(
        section=MERGERS,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        tested=tested,
        script=make_script(rulebook, _table(rulebook, drawing, player)),
    )


# -- two hotels ---------------------------------------------------------------------------------


def _of_two(rulebook: Rulebook) -> Iterator[Case]:
    def name(letter: str) -> str:
        return hotel_name(rulebook, letter)

    yield merger_case(
        rulebook,
        "placement-alone",
        "A merger, with money to spend",
        """
        ............
        ...C........
        .S.C........
        .S.C.....AA.
        .S.C......A.
        .S.C........
        .S.C........
        .S.C........
        """,
        "3C 3D 3E 3F 3G 3H C3 $7500",
        expected=f"Send a bare placement that names {name('C')}; send the order after <players>.",
        hint="sending the order with the placement, in <pbuy>, though the tile merges.",
        source=ALONE,
        tested=frozenset({"turn", "players"}),
    )
    yield merger_case(
        rulebook,
        "larger-first",
        "The larger of two hotels, first in the alphabet",
        """
        .AAAAAAA....
        ............
        ..WWWWWW....
        ............
        ............
        .........FF.
        """,
        "3B 4B 5B 6B 7B 8B W4 $3000",
        expected=f"Name {name('A')}, which has 7 tiles; {name('W')} has 6.",
        hint="naming the last hotel of the alphabet, or the one with most certificates.",
    )
    yield merger_case(
        rulebook,
        "larger-last",
        "The larger of two hotels, last in the alphabet",
        """
        ............
        ..S.........
        ..S.........
        ............
        ............
        .....AAAAAA.
        ............
        .....WWWWWWW
        """,
        "6G 7G 8G 9G 10G 11G A4 $3000",
        expected=f"Name {name('W')}, which has 7 tiles; {name('A')} has 6.",
        hint="naming the first hotel of the alphabet, whatever its size.",
    )
    yield merger_case(
        rulebook,
        "dearer-smaller",
        "The smaller of two hotels is the more expensive one",
        """
        ............
        ............
        ............
        .TTTTT......
        ......W.....
        .WWWWWW.....
        ............
        .........III
        """,
        "7D 2E 3E 4E 5E 6E T2 $2500",
        expected=f"Name {name('W')}, which has 7 tiles; {name('T')} has 5.",
        hint="naming the more expensive hotel. Only size counts.",
    )
    yield merger_case(
        rulebook,
        "tie",
        "Two hotels of the same size",
        """
        ............
        ....F.I.....
        ....F.I.....
        ....F.I.....
        ....F.I.....
        ....F.I.....
        ....F.I.....
        ............
        .CC.........
        """,
        "6B 6C 6D 6E 6F 6G F2 I2 $3000",
        expected=f"Name {name('F')} or {name('I')}.",
        hint="naming none or both, because neither is larger.",
    )
    yield merger_case(
        rulebook,
        "only-mergers",
        "Every tile merges, each a different pair of hotels",
        """
        ............
        ...TTTTTT...
        W.........S.
        W.FFFFFFF.S.
        W.........S.
        W..AAAAA....
        ............
        IIIIIIIII...
        """,
        "5C 2D 10D 5E 1G 5G T1 S1 $2000",
        expected="Send a bare placement that names the larger of the two hotels that the tile "
        "touches.",
        hint="never considering merging tiles.",
        source=ALONE,
    )


# -- three hotels -------------------------------------------------------------------------------


def _of_three(rulebook: Rulebook) -> Iterator[Case]:
    def name(letter: str) -> str:
        return hotel_name(rulebook, letter)

    yield merger_case(
        rulebook,
        "three",
        "Three hotels of three sizes",
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
        "3C 5C 9C 3G 6G 9G A2 W2 $2000",
        expected=f"Name {name('T')} or {name('S')}, whichever your tile touches.",
        hint="comparing only two of the hotels that the tile touches.",
    )
    order = "and no other"
    if rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS:
        order = "and after it both of the others or neither"
    yield merger_case(
        rulebook,
        "three-one-largest",
        "Three hotels, the two smaller ones equal",
        """
        ............
        ..AAAAAAA...
        FF.......II.
        F.WWWWWWW.I.
        FF.......II.
        F.CCCCCCC.I.
        FF.......II.
        ..SSSSSSS...
        """,
        "3C 9C 3E 9E 3G 9G A2 W2 $2000",
        expected=f"Name {name('F')} or {name('I')} as the survivor, {order}.",
        hint="comparing only the last two hotels.",
    )
    yield merger_case(
        rulebook,
        "three-two-largest",
        "Three hotels, two of them equal and larger than the third",
        """
        ............
        ..FFFFFFF...
        AA.......WW.
        A.IIIIIII.W.
        AA.......WW.
        ..SSSSSSS...
        CC..........
        ..TTTTTTT...
        """,
        "3C 9C 2D 3E 9E 3G A2 W2 $2000",
        expected="Name one of the two hotels of 7 tiles that your tile touches.",
        hint="naming any of the three because two are tied.",
    )
    yield merger_case(
        rulebook,
        "three-equal",
        "Three hotels, all of the same size",
        """
        ............
        ..TTTTTTTT..
        FF........AA
        F.SSSSSSSS.A
        FF........AA
        F.WWWWWWWW.A
        FF........AA
        ..IIIIIIII..
        """,
        "3C 10C 3E 10E 3G 10G F2 A2 $2000",
        expected="Name any of the three hotels that your tile touches.",
        hint="naming no hotel when none is larger than the others.",
    )


# -- four hotels --------------------------------------------------------------------------------


def _of_four(rulebook: Rulebook) -> Iterator[Case]:
    def name(letter: str) -> str:
        return hotel_name(rulebook, letter)

    ordered = rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS
    yield merger_case(
        rulebook,
        "four",
        "Four hotels around one cell",
        """
        ..FFFFFFF...
        ..F..F..F...
        AA.CC.II.WW.
        ..S..S..T...
        ..SSSS..T...
        """,
        "3C 6C 9C 4D 5D 7D C1 $2000",
        expected=f"Send a bare placement that names {name('F')} if your tile touches four hotels.",
        hint="looking only at the cells to the left and above.",
    )
    named = ", then both of the smallest or neither" if ordered else ""
    yield merger_case(
        rulebook,
        "four-ties",
        "Four hotels, two equal largest and two equal smallest",
        """
        ............
        ............
        ............
        ..IIIIIII...
        ..I..I..I...
        AA.CC.TT.WW.
        ..F..F..F...
        ..FFFFFFF...
        """,
        "4E 7E 8E 3F 6F 9F A2 W2 $2000",
        expected=f"Name {name('I')} or {name('F')} if your tile touches four hotels{named}.",
        hint=(
            "naming all acquired hotels after the survivor. Name only those of equal size."
            if ordered
            else "naming the first or last of the four, whatever its size."
        ),
        source=EQUALS if ordered else LARGEST_SURVIVES,
    )


# -- the same hotel on two sides ----------------------------------------------------------------


def _same_hotel_twice(rulebook: Rulebook) -> Case:
    return merger_case(
        rulebook,
        "same-hotel-twice",
        "The smaller hotel touches the tile on two sides",
        """
        AAAAA.TTTTT.
        A...A.T...T.
        .WWW...FFF..
        WWWWW.FFFFF.
        ............
        CCCCC.......
        C...C.......
        .III........
        IIIII.......
        """,
        "2B 4B 8B 10B 2G 4G A1 T1 $2000",
        expected="Name the hotel of 8 tiles, not the one of 7 around it.",
        hint="counting a hotel once for each side on which it touches the tile.",
    )
