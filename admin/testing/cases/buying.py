"""Buying certificates: what they cost, how many the bank has, and how many may be ordered."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import DisposalRule, Rulebook
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import hotel_name, hotels, make_script, parse_position
from .founding import SOLD_OUT, TOO_DEAR

NO_PRICE = CaseSource(
    "The rules that a move can break",
    "A certificate can be bought only if it has a price at its hotel's size.",
)
PLAYERS_SENT = CaseSource(
    "The conversation", "you receive the players as they now stand, bonuses paid"
)
POSITION_SENT = CaseSource("A merger: hold, sell, trade", "Then the mover receives the position")

ALL_400 = """
SSSS.WWWW...
............
AAA.FFF.III.
............
CC.TT.......
"""
"""All seven hotels; a certificate of each costs $400."""
CHEAP_200 = """
SS.WWWWW....
............
AAAA.FFFF...
............
IIII.CCC.TTT
"""
"""All seven hotels; a certificate of S costs $200, of each other $500."""
LONE = "1G 4G 7G 10G 3I 9I"
"""Tiles without neighbours on boards that end with row E."""

HOLDERS = "ann S2 W1 A2 C1", "bob S1 W3 F2 I3 T2"

_case = partial(Case, section=section("buying"), tested=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this section that a rulebook has."""
    yield from _money(rulebook)
    yield from _bank(rulebook)
    yield from _limit(rulebook)
    yield from _off_the_board(rulebook)
    yield from _after_a_merger(rulebook)


# -- money --------------------------------------------------------------------------------------


def _money(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases in which all certificates cost $400, and cash is short."""
    nothing = "Place a tile, and order nothing."
    hint = "not comparing the order with the cash. Here certificates cost $400."
    one = "Place a tile, and order at most one certificate."
    yield _with(rulebook, "no-money", "No money", 0, nothing, hint)
    yield _with(rulebook, "one-dollar-short", "One dollar less than the price", 399, nothing, hint)
    yield _with(rulebook, "exact-price", "Exactly the price of one certificate", 400, one, hint)
    yield _with(rulebook, "for-two-short", "One dollar less than two certificates", 799, one, hint)
    if rulebook.order_limit > 2:
        two = "Place a tile, and order at most two certificates, of one hotel or of two."
        title = "One dollar less than three certificates"
        yield _with(rulebook, "for-three-short", title, 1199, two, hint)


def _with(rulebook: Rulebook, slug: str, title: str, cash: int, expected: str, hint: str) -> Case:
    seats = f"player {LONE} ${cash} S1 I1", *HOLDERS
    return _case(
        slug=slug,
        title=title,
        source=TOO_DEAR,
        expected=expected,
        hint=hint,
        script=make_script(rulebook, parse_position(rulebook, ALL_400, *seats)),
    )


# -- the bank -----------------------------------------------------------------------------------


def _bank(rulebook: Rulebook) -> Iterator[Case]:
    cheap = hotel_name(rulebook, "S")
    yield _case(
        slug="one-left",
        title="One certificate is left in the bank",
        source=SOLD_OUT,
        expected=f"Place a tile, and order one certificate of {cheap}, or none.",
        hint="ordering as many as the cash allows. The bank has one.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook, CHEAP_200, f"player {LONE} $499 S3 W1", "ann S11 A2 F1", "bob S10 T1"
            ),
        ),
    )
    yield _case(
        slug="none-left",
        title="The only affordable certificates are sold out",
        source=SOLD_OUT,
        expected=f"Place a tile, and order nothing: no {cheap} is left.",
        hint="counting only your own certificates, not those of the others.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook, CHEAP_200, f"player {LONE} $499 S4 W1", "ann S11 A2 F1", "bob S10 T1"
            ),
        ),
    )
    yield _case(
        slug="all-sold-out",
        title="Everything is sold out",
        source=SOLD_OUT,
        expected="Place a tile, and order nothing.",
        hint="choosing a hotel before checking whether the bank has any certificates of it.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ALL_400,
                f"player {LONE} $6000 S5 W8 A9 F2 I8 C7 T12",
                "ann $2100 S11 W8 A8 F14 I9 C9 T13",
                "bob $1700 S9 W9 A8 F9 I8 C9",
            ),
        ),
    )


# -- how many -----------------------------------------------------------------------------------


def _limit(rulebook: Rulebook) -> Iterator[Case]:
    most = {2: "two", 3: "three"}[rulebook.order_limit]
    mixed = rulebook.mixed_orders
    at_most = (
        CaseSource(
            "What you can send", "**Three certificates, any mix.** An order names up to three"
        )
        if mixed
        else CaseSource("The rules in short", "up to two certificates, both of the same hotel")
    )
    kind = "of any hotels" if mixed else "all of the same hotel"
    yield _case(
        slug="limit",
        title=f"Money for more than {most} certificates",
        source=at_most,
        expected=f"Place a tile, and order at most {most} certificates, {kind}.",
        hint="ordering as long as there is money.",
        script=make_script(
            rulebook, parse_position(rulebook, ALL_400, f"player {LONE} $9900 S1 I1", *HOLDERS)
        ),
    )
    one = "at most one of each" if mixed else "of one hotel, and one certificate"
    yield _case(
        slug="one-of-each",
        title="One certificate of each hotel is left in the bank",
        source=SOLD_OUT if mixed else at_most,
        expected=f"Place a tile, and order nothing, or certificates: {one}.",
        hint="ordering two of the same hotel, or the maximum of whatever is left.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                ALL_400,
                f"player {LONE} $4000 S5 W8 A9 F2 I8 C7 T11",
                "ann $2100 S10 W8 A7 F13 I8 C8 T13",
                "bob $1700 S9 W8 A8 F9 I8 C9",
            ),
        ),
    )


# -- hotels off the board -----------------------------------------------------------------------


def _off_the_board(rulebook: Rulebook) -> Iterator[Case]:
    names = f"{hotel_name(rulebook, 'S')} and {hotel_name(rulebook, 'W')}"
    yield _case(
        slug="cheap-off-the-board",
        title="Only certificates without a price seem affordable",
        source=NO_PRICE,
        expected=f"Place a tile, and order nothing: {names} are not on the board.",
        hint="treating a hotel without a price as free.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                AA.FF.II....
                ............
                CC.TT.......
                """,
                f"player {LONE} $299 A1",
                "ann F2 C1",
                "bob I1 T2",
            ),
        ),
    )
    if rulebook.price(hotels(rulebook)["C"], 0):
        yield _dear_off_the_board(rulebook)
    else:
        yield _nothing_on_the_board(rulebook)


def _dear_off_the_board(rulebook: Rulebook) -> Case:
    names = f"{hotel_name(rulebook, 'C')} and {hotel_name(rulebook, 'T')}"
    return _case(
        slug="dear-off-the-board",
        title="One dollar less than an expensive hotel costs off the board",
        source=CaseSource("The rules in short", "can be bought if it has a price at size 0"),
        expected=f"Place a tile, and order nothing: {names} cost $300 each, and you have $299.",
        hint="assuming that every hotel off the board costs $200.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                AA.FF.II....
                ............
                SSS.WWW.....
                """,
                f"player {LONE} $299 A1",
                "ann F2 S1",
                "bob I1 W2",
            ),
        ),
    )


def _nothing_on_the_board(rulebook: Rulebook) -> Case:
    return _case(
        slug="nothing-on-the-board",
        title="No hotel is on the board",
        source=CaseSource("The other rulebooks", "Only hotels on the board can be bought"),
        expected="Place a tile, and order nothing.",
        hint="ordering a hotel off the board, as if it had a price there.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                o....o.....o
                """,
                f"player {LONE}",
                "ann",
                "bob",
            ),
        ),
    )


# -- after a merger -----------------------------------------------------------------------------


def _after_a_merger(rulebook: Rulebook) -> Iterator[Case]:
    source = PLAYERS_SENT if rulebook.disposal is DisposalRule.KEEP_OR_RETURN else POSITION_SENT
    case = partial(_case, tested=frozenset({"turn", "players"}))
    survivor, acquired = hotel_name(rulebook, "S"), hotel_name(rulebook, "W")
    yield case(
        slug="survivor-is-dearer",
        title="After a merger the survivor costs more",
        source=TOO_DEAR,
        expected=f"Merge, name {survivor}, and then order nothing: with 14 tiles {survivor} "
        "costs $700, and you have $699.",
        hint="using the price of the survivor before the merger.",
        script=make_script(
            rulebook,
            parse_position(rulebook, _pair("S"), f"{MERGING} $699 S2", *_holding("S4 W3", "W1")),
        ),
    )
    yield case(
        slug="acquired-is-gone",
        title="After a merger the acquired hotel has no price",
        source=NO_PRICE,
        expected=f"Merge, name {survivor}, and then order nothing: {acquired} is no longer on "
        "the board.",
        hint="using the board of <turn> for the order; it still has the acquired hotel.",
        script=make_script(
            rulebook,
            parse_position(rulebook, _pair("S"), f"{MERGING} $2000", *_holding("S13 W3", "S12")),
        ),
    )
    dear = hotel_name(rulebook, "C")
    yield case(
        slug="bonus-to-spend",
        title="No money but a third of a bonus",
        source=source,
        expected=f"Merge, name {dear}, and order at most one certificate of {dear}, at $900: "
        "the bonus was $1000.",
        hint="computing the bonus without the players who share it. <players> has the cash.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook, _pair("C"), f"{MERGING} $0 W1", "ann W3 C4", "bob W1 C2", "cyd W1"
            ),
        ),
    )
    if rulebook.disposal is DisposalRule.HOLD_SELL_TRADE:
        yield _traded_away(rulebook, case)


MERGING = "player 1B 2B 3B 4B 5B 6B"


def _pair(survivor: str) -> str:
    """Draw a hotel of seven and one of six; every tile of ``MERGING`` is between them."""
    return f"""
    {survivor * 7}.....
    ............
    WWWWWW......
    """


def _holding(ann: str, bob: str) -> tuple[str, str]:
    """Return the opponents, who hold all certificates of hotels with a price off the board."""
    return f"ann {ann} A13 F12 I13 C12 T13", f"bob {bob} A12 F13 I12 C13 T12"


def _traded_away(rulebook: Rulebook, case: "partial[Case]") -> Case:
    """Let ann trade for all that the bank has left: it gets her the minority bonus."""
    dear = hotel_name(rulebook, "C")
    return case(
        slug="traded-away",
        title="Another player trades for the last certificates of the survivor",
        source=CaseSource(
            "A merger: hold, sell, trade", "What is sold or traded in is back in the bank"
        ),
        expected=f"Merge, name {dear}, and then order nothing: the bank had two of {dear}, and "
        "ann has traded for them.",
        hint="using the bank of <turn> for the order. <players> has what is left.",
        script=make_script(
            rulebook,
            parse_position(rulebook, _pair("C"), f"{MERGING} $4000 C12", "ann W4 C5", "bob C6"),
            strategies={"ann": "investor"},
        ),
    )
