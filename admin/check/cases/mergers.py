"""Mergers: which hotel survives, which may not be merged, and how the answer is given.

Hands are laid so that every tile merges, most often between two long hotels with a row of cells
left free between them. Four of those, and a hotel at either end, make six cells that each touch
three hotels.
"""

from collections.abc import Iterator

from admin.check.case import Case, Source, section
from admin.check.scene import hotel_name, scene, script, tiles
from game.rulebook import EqualAcquired, ForbiddenMerger, LooseNeighbours, Rulebook
from game.state import State

MERGERS = section("mergers")
TURN = frozenset({"turn"})

CONVERSATION = "The conversation"
ALONE = Source(CONVERSATION, "If the tile merges hotels, answer `turn` with the placement alone")
LARGEST = Source(
    CONVERSATION, "which must be the largest of the merging hotels, or one of the largest"
)
ANY_SAFE = Source(
    "The rules in short", "**Not allowed** if one of them is *safe* (12 tiles or more)"
)
BESIDE_LOOSE = Source("The rules in short", "if the tile also touches unincorporated tiles")
TWO_SAFE = Source(
    "The other rulebooks",
    "It is forbidden only **if two of them are safe**; a safe hotel may acquire others.",
)
TAKEN_IN = Source(
    "The other rulebooks",
    "Unincorporated tiles next to the tile go to the survivor and count towards no size in the "
    "merger.",
)
EQUALS = Source(
    "What you can send",
    "in the order in which you name them after the survivor: all of them, and no other hotel",
)
ORDER = Source(
    CONVERSATION,
    "you receive the players as they now stand, bonuses paid and certificates returned, and send "
    "your order",
)
MARKETS_TILE = Source(
    "Two players",
    "If one merges hotels, the mover is asked for the survivor, and answers with the placement "
    "of that tile",
)


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _of_two(rulebook)
    yield from _of_three(rulebook)
    yield from _of_four(rulebook)
    yield _same_hotel_twice(rulebook)
    yield from _of_safe_hotels(rulebook)
    yield from _beside_loose_tiles(rulebook)
    yield _order_afterwards(rulebook)
    if rulebook.market_for_two:
        yield from _of_the_market(rulebook)


def _table(rulebook: Rulebook, drawing: str, player: str) -> State:
    """Lay out a position of three: the player moves, the others hold what is on the board."""
    held = [letter for letter in "ACFISTW" if letter in drawing]
    ann, bob = (" ".join(f"{letter}3" for letter in held[first::2]) for first in (0, 1))
    return scene(rulebook, drawing, f"player {player}", f"ann {ann} $4200", f"bob {bob} $3900")


def _case(
    rulebook: Rulebook,
    slug: str,
    title: str,
    drawing: str,
    player: str,
    *,
    expected: str,
    hint: str,
    source: Source = LARGEST,
    about: frozenset[str] = TURN,
) -> Case:
    """Make a case of one turn of the player's, whose tiles, shares and cash are ``player``."""
    return Case(
        section=MERGERS,
        slug=slug,
        title=title,
        source=source,
        expected=expected,
        hint=hint,
        about=about,
        script=script(rulebook, _table(rulebook, drawing, player)),
    )


# -- two hotels ---------------------------------------------------------------------------------


def _of_two(rulebook: Rulebook) -> Iterator[Case]:
    def name(letter: str) -> str:
        return hotel_name(rulebook, letter)

    yield _case(
        rulebook,
        "placement-alone",
        "A merger, and money to buy with",
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
        expected=f"A placement alone that names {name('C')}; the order follows after <players>.",
        hint="Often the order is sent with the placement, in <pbuy>, though the tile merges.",
        source=ALONE,
        about=frozenset({"turn", "players"}),
    )
    yield _case(
        rulebook,
        "larger-first",
        "The larger of two, first in the alphabet",
        """
        .AAAAAAA....
        ............
        ..WWWWWW....
        ............
        ............
        .........FF.
        """,
        "3B 4B 5B 6B 7B 8B W4 $3000",
        expected=f"A placement that names {name('A')}, which has 7 tiles to {name('W')}'s 6.",
        hint="Often the last hotel of the alphabet is named, or the one most held.",
    )
    yield _case(
        rulebook,
        "larger-last",
        "The larger of two, last in the alphabet",
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
        expected=f"A placement that names {name('W')}, which has 7 tiles to {name('A')}'s 6.",
        hint="Often the first hotel of the alphabet is named, whatever its size.",
    )
    yield _case(
        rulebook,
        "dearer-smaller",
        "The smaller of two is the dearer one",
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
        expected=f"A placement that names {name('W')}, which has 7 tiles to {name('T')}'s 5.",
        hint="Often the hotel of the higher price is named; it is the size that counts.",
    )
    yield _case(
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
        expected=f"A placement that names {name('F')} or {name('I')}, one of the two.",
        hint="Often none is named, or both, because neither is the larger.",
    )
    yield _case(
        rulebook,
        "only-mergers",
        "Every tile merges, each of them other hotels",
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
        expected="A placement alone that names the larger of the two hotels that its tile touches.",
        hint="Often tiles that merge are left out, and then there is nothing to place.",
        source=ALONE,
    )


# -- three hotels -------------------------------------------------------------------------------


def _of_three(rulebook: Rulebook) -> Iterator[Case]:
    def name(letter: str) -> str:
        return hotel_name(rulebook, letter)

    yield _case(
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
        expected=f"A placement that names {name('T')} or {name('S')}, whichever it touches.",
        hint="Often only two of the hotels that the tile touches are compared.",
    )
    order = "names it alone"
    if rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS:
        order = "names it, and after it both of the others or none"
    yield _case(
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
        expected=f"A placement whose survivor is {name('F')} or {name('I')}: it {order}.",
        hint="Often the search for the largest ends with the last two that were compared.",
    )
    yield _case(
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
        expected="A placement that names one of the two hotels of 7 tiles that its tile touches.",
        hint="Often a tie makes a program take any of the three.",
    )
    yield _case(
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
        expected="A placement that names one of the three hotels that its tile touches.",
        hint="Often no hotel is named when none is larger than the others.",
    )


# -- four hotels --------------------------------------------------------------------------------


def _of_four(rulebook: Rulebook) -> Iterator[Case]:
    def name(letter: str) -> str:
        return hotel_name(rulebook, letter)

    ordered = rulebook.equal_acquired is EqualAcquired.PLACER_ORDERS
    yield _case(
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
        expected=f"A placement alone: it names {name('F')} where its tile touches four hotels.",
        hint="Often only the cells to the left and above are looked at.",
    )
    named = ", then both of the smallest or none" if ordered else ""
    yield _case(
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
        expected=f"A placement that names {name('I')} or {name('F')} where it touches four{named}.",
        hint=(
            "Often all acquired hotels are named after the survivor: only those of equal size are."
            if ordered
            else "Often the first or the last of the four is named, whatever its size."
        ),
        source=EQUALS if ordered else LARGEST,
    )


# -- the same hotel on two sides ----------------------------------------------------------------


def _same_hotel_twice(rulebook: Rulebook) -> Case:
    return _case(
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
        expected="A placement that names the hotel of 8 tiles, and not the one of 7 around it.",
        hint="Often a hotel's tiles are counted once for each side on which it touches.",
    )


# -- safe hotels --------------------------------------------------------------------------------


def _of_safe_hotels(rulebook: Rulebook) -> Iterator[Case]:
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        yield from _where_any_safe_is_refused(rulebook)
    else:
        yield from _where_two_safe_are_refused(rulebook)


def _where_any_safe_is_refused(rulebook: Rulebook) -> Iterator[Case]:
    safe, name = rulebook.safe_size, hotel_name(rulebook, "A")
    yield _case(
        rulebook,
        "safe",
        f"A hotel of {safe} tiles is safe",
        f"""
        ............
        ......SSS...
        ............
        {"A" * safe}
        ............
        .FFFF.......
        """,
        "7C 8C 9C 11C 3E 5E F2 $2500",
        expected=f"The tile 11C placed, by which {name} grows: the other five would merge it.",
        hint=f"Often a hotel is taken to be safe from {safe + 1} tiles on, or never.",
        source=ANY_SAFE,
    )
    yield _case(
        rulebook,
        "nearly-safe",
        f"A hotel of {safe - 1} tiles is not yet safe",
        f"""
        ............
        ............
        ............
        ............
        ..SSSSSS....
        ............
        {"A" * (safe - 1)}
        ............
        ....TT......
        """,
        "3F 4F 5F 6F 7F 8F S2 $2500",
        expected=f"A placement alone that names {name}, which has {safe - 1} tiles.",
        hint=f"Often a hotel is taken to be safe from {safe - 1} tiles on.",
        source=ANY_SAFE,
    )


def _where_two_safe_are_refused(rulebook: Rulebook) -> Iterator[Case]:
    safe, name = rulebook.safe_size, hotel_name(rulebook, "A")
    yield _case(
        rulebook,
        "two-safe",
        f"Two hotels of {safe} tiles are safe from one another",
        f"""
        ............
        {"S" * safe}
        ............
        {"A" * safe}
        ............
        {"W" * safe}
        ............
        .......TT...
        """,
        "2C 5C 9C 12D 3E 7E T2 $2500",
        expected=f"The tile 12D placed, by which {name} grows: the others would merge two safe.",
        hint=f"Often a hotel is taken to be safe from {safe + 1} tiles on, or two may merge.",
        source=TWO_SAFE,
    )
    yield _case(
        rulebook,
        "nearly-safe",
        f"A safe hotel takes over one of {safe - 1} tiles",
        f"""
        ............
        ............
        ............
        ............
        {"S" * (safe - 1)}
        ............
        {"A" * safe}
        ............
        .......TT...
        """,
        "2F 3F 5F 6F 8F 9F S2 $2500",
        expected=f"A placement alone that names {name}, which is safe; the other is not.",
        hint=f"Often a hotel is taken to be safe from {safe - 1} tiles on.",
        source=TWO_SAFE,
    )
    yield _case(
        rulebook,
        "safe-survivor",
        "A safe hotel takes over a small one",
        """
        ............
        AAAAAAAAAAAA
        ............
        .....TTTTTT.
        ............
        ..WW........
        """,
        "6C 7C 8C 9C 10C 11C T2 $2500",
        expected=f"A placement alone that names {name}: one safe hotel may be in a merger.",
        hint="Often no hotel that is safe is let into a merger.",
        source=TWO_SAFE,
    )


# -- unincorporated tiles beside the merger -----------------------------------------------------


def _beside_loose_tiles(rulebook: Rulebook) -> Iterator[Case]:
    drawing = """
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
    if rulebook.loose_neighbours is LooseNeighbours.REFUSED:
        yield _case(
            rulebook,
            "beside-loose",
            "A merger beside an unincorporated tile is refused",
            drawing,
            "3C 8C 3E 5E 8E 3G A2 $2500",
            expected="The tile 5E placed; the other five touch an unincorporated tile as well.",
            hint="Often only growth beside an unincorporated tile is refused, or nothing is.",
            source=BESIDE_LOOSE,
        )
    else:
        yield _case(
            rulebook,
            "beside-loose",
            "A merger takes in an unincorporated tile",
            drawing,
            "3C 8C 3E 8E 3G 8G A2 $2500",
            expected="A placement alone that names the larger hotel, or one of two that are equal.",
            hint="Often a tile beside hotels and unincorporated tiles is taken for unplayable.",
            source=TAKEN_IN,
        )


# -- the order afterwards -----------------------------------------------------------------------


def _order_afterwards(rulebook: Rulebook) -> Case:
    survivor, acquired = hotel_name(rulebook, "A"), hotel_name(rulebook, "S")
    return _case(
        rulebook,
        "order-afterwards",
        "The order after a merger, at the prices after it",
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
        expected=f"No {acquired} ordered, which is gone, and no {survivor}, which costs $800.",
        hint="Often the order is worked out on the board of <turn>, before the hotels were joined.",
        source=ORDER,
        about=frozenset({"players"}),
    )


# -- the market's tile --------------------------------------------------------------------------


def _of_the_market(rulebook: Rulebook) -> Iterator[Case]:
    yield _market(
        rulebook,
        "markets-merger",
        "The market's tile merges two hotels",
        "IIIIIII",
        f"A placement of 4H that names {hotel_name(rulebook, 'I')}, the larger one.",
    )
    yield _market(
        rulebook,
        "markets-merger-tie",
        "The market's tile merges two hotels of the same size",
        "IIIII..",
        f"A placement of 4H that names {hotel_name(rulebook, 'F')} or {hotel_name(rulebook, 'I')}.",
    )


def _market(rulebook: Rulebook, slug: str, title: str, lower: str, expected: str) -> Case:
    """Make a case in which the tile that the market draws first merges F and I."""
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
    state = scene(
        rulebook,
        drawing,
        "player 3B 4B 5B 6B 7B 8B W4 F2 $3000",
        "bob 11A 12C 10E 11F 12H 11I W2 I3 A4 $3500",
    )
    first = tiles("4H 12E")
    rest = [tile for tile in state.bag if tile not in first]
    return Case(
        section=MERGERS,
        slug=slug,
        title=title,
        source=MARKETS_TILE,
        expected=expected,
        hint="Often the tile is looked for in the hand, or an order is sent with the placement.",
        about=frozenset({"merger"}),
        script=script(rulebook, state._replace(bag=(*first, *rest))),
    )
