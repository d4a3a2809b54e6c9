"""Buying certificates: what they cost, how many the bank has, and how many may be ordered."""

from functools import partial

from ....game.rulebook import DisposalRule, Rulebook
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.position_text import hotels
from ..case_parts.scenario import Scenario
from ..case_parts.special_opponents import plays
from .founding import BREAKABLE, SOLD_OUT, TOO_DEAR

NO_PRICE = CaseSource(
    BREAKABLE, "A certificate can be bought only if it has a price at its hotel's size."
)
MIXED = CaseSource(
    "What you can send", "**Three certificates, any mix.** An order names up to three"
)
OF_ONE_HOTEL = CaseSource("The rules in short", "up to two certificates, both of the same hotel")

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


def mixes(rulebook: Rulebook) -> bool:
    """Whether an order may be for certificates of several hotels."""
    return rulebook.mixed_orders


def does_not_mix(rulebook: Rulebook) -> bool:
    """Whether all certificates of an order must be of one hotel."""
    return not rulebook.mixed_orders


def money_after_merger(rulebook: Rulebook) -> CaseSource:
    """Return the rule that says what the mover is sent before the order."""
    if rulebook.disposal is DisposalRule.KEEP_OR_RETURN:
        return CaseSource(
            "The conversation", "you receive the players as they now stand, bonuses paid"
        )
    return CaseSource("A merger: hold, sell, trade", "Then the mover receives the position")


def _with(cash: int) -> str:
    """Return a position in which all certificates cost $400, and cash is short."""
    return ALL_400 + f"player {LONE} ${cash} S1 I1 | ann S2 W1 A2 C1 | bob S1 W3 F2 I3 T2"


_money = partial(
    CaseRow,
    source=TOO_DEAR,
    expected="Place a tile, and order nothing.",
    hint="not comparing the order with the cash. Here certificates cost $400.",
)
AT_MOST_ONE = "Place a tile, and order at most one certificate."

MONEY = (
    _money("no-money", "No money", scenario=_with(0)),
    _money("one-dollar-short", "One dollar less than the price", scenario=_with(399)),
    _money(
        "exact-price",
        "Exactly the price of one certificate",
        scenario=_with(400),
        expected=AT_MOST_ONE,
    ),
    _money(
        "for-two-short",
        "One dollar less than two certificates",
        scenario=_with(799),
        expected=AT_MOST_ONE,
    ),
    _money(
        "for-three-short",
        "One dollar less than three certificates",
        scenario=_with(1199),
        expected="Place a tile, and order at most two certificates, of one hotel or of two.",
        when=lambda rulebook: rulebook.order_limit > 2,
    ),
)

BANK = (
    CaseRow(
        "one-left",
        "One certificate is left in the bank",
        SOLD_OUT,
        CHEAP_200 + f"player {LONE} $499 S3 W1 | ann S11 A2 F1 | bob S10 T1",
        expected="Place a tile, and order one certificate of {S}, or none.",
        hint="ordering as many as the cash allows. The bank has one.",
    ),
    CaseRow(
        "none-left",
        "The only affordable certificates are sold out",
        SOLD_OUT,
        CHEAP_200 + f"player {LONE} $499 S4 W1 | ann S11 A2 F1 | bob S10 T1",
        expected="Place a tile, and order nothing: no {S} is left.",
        hint="counting only your own certificates, not those of the others.",
    ),
    CaseRow(
        "all-sold-out",
        "Everything is sold out",
        SOLD_OUT,
        f"""{ALL_400}
        player {LONE} $6000 S5 W8 A9 F2 I8 C7 T12 |
        ann $2100 S11 W8 A8 F14 I9 C9 T13 | bob $1700 S9 W9 A8 F9 I8 C9
        """,
        expected="Place a tile, and order nothing.",
        hint="choosing a hotel before checking whether the bank has any certificates of it.",
    ),
)

_limit = partial(
    CaseRow,
    "limit",
    "Money for more than {most} certificates",
    scenario=_with(9900),
    hint="ordering as long as there is money.",
)
_one_of_each = partial(
    CaseRow,
    "one-of-each",
    "One certificate of each hotel is left in the bank",
    scenario=f"""{ALL_400}
    player {LONE} $4000 S5 W8 A9 F2 I8 C7 T11 |
    ann $2100 S10 W8 A7 F13 I8 C8 T13 | bob $1700 S9 W8 A8 F9 I8 C9
    """,
    hint="ordering two of the same hotel, or the maximum of whatever is left.",
)

LIMIT = (
    _limit(
        source=MIXED,
        expected="Place a tile, and order at most {most} certificates, of any hotels.",
        when=mixes,
    ),
    _limit(
        source=OF_ONE_HOTEL,
        expected="Place a tile, and order at most {most} certificates, all of the same hotel.",
        when=does_not_mix,
    ),
    _one_of_each(
        source=SOLD_OUT,
        expected="Place a tile, and order nothing, or certificates: at most one of each.",
        when=mixes,
    ),
    _one_of_each(
        source=OF_ONE_HOTEL,
        expected="Place a tile, and order nothing, or certificates: of one hotel, and one "
        "certificate.",
        when=does_not_mix,
    ),
)


def _has_price_off_the_board(rulebook: Rulebook) -> bool:
    return bool(rulebook.price(hotels(rulebook)["C"], 0))


OFF_THE_BOARD = (
    CaseRow(
        "cheap-off-the-board",
        "Only certificates without a price seem affordable",
        NO_PRICE,
        f"""
        AA.FF.II....
        ............
        CC.TT.......
        player {LONE} $299 A1 | ann F2 C1 | bob I1 T2
        """,
        expected="Place a tile, and order nothing: {S} and {W} are not on the board.",
        hint="treating a hotel without a price as free.",
    ),
    CaseRow(
        "dear-off-the-board",
        "One dollar less than an expensive hotel costs off the board",
        CaseSource("The rules in short", "can be bought if it has a price at size 0"),
        f"""
        AA.FF.II....
        ............
        SSS.WWW.....
        player {LONE} $299 A1 | ann F2 S1 | bob I1 W2
        """,
        expected="Place a tile, and order nothing: {C} and {T} cost $300 each, and you have $299.",
        hint="assuming that every hotel off the board costs $200.",
        when=_has_price_off_the_board,
    ),
    CaseRow(
        "nothing-on-the-board",
        "No hotel is on the board",
        CaseSource("The other rulebooks", "Only hotels on the board can be bought"),
        f"o....o.....o\nplayer {LONE} | ann | bob",
        expected="Place a tile, and order nothing.",
        hint="ordering a hotel off the board, as if it had a price there.",
        when=lambda rulebook: not _has_price_off_the_board(rulebook),
    ),
)

MERGING = "player 1B 2B 3B 4B 5B 6B"
PAIR = """
    SSSSSSS.....
    ............
    WWWWWW......
    """
"""A hotel of seven and one of six; every tile of ``MERGING`` is between them."""
DEAR_PAIR = PAIR.replace("S", "C")
OTHERS = "A13 F12 I13 C12 T13", "A12 F13 I12 C13 T12"
"""All certificates of hotels with a price off the board."""

_after_merger = partial(CaseRow, tested="turn players")

AFTER_A_MERGER = (
    _after_merger(
        "survivor-is-dearer",
        "After a merger the survivor costs more",
        TOO_DEAR,
        PAIR + f"{MERGING} $699 S2 | ann S4 W3 {OTHERS[0]} | bob W1 {OTHERS[1]}",
        expected="Merge, name {S}, and then order nothing: with 14 tiles {S} "
        "costs $700, and you have $699.",
        hint="using the price of the survivor before the merger.",
    ),
    _after_merger(
        "acquired-is-gone",
        "After a merger the acquired hotel has no price",
        NO_PRICE,
        PAIR + f"{MERGING} $2000 | ann S13 W3 {OTHERS[0]} | bob S12 {OTHERS[1]}",
        expected="Merge, name {S}, and then order nothing: {W} is no longer on the board.",
        hint="using the board of <turn> for the order; it still has the acquired hotel.",
    ),
    _after_merger(
        "bonus-to-spend",
        "No money but a third of a bonus",
        money_after_merger,
        DEAR_PAIR + f"{MERGING} $0 W1 | ann W3 C4 | bob W1 C2 | cyd W1",
        expected="Merge, name {C}, and order at most one certificate of {C}, at $900: "
        "the bonus was $1000.",
        hint="computing the bonus without the players who share it. <players> has the cash.",
    ),
    _after_merger(
        "traded-away",
        "Another player trades for the last certificates of the survivor",
        CaseSource("A merger: hold, sell, trade", "What is sold or traded in is back in the bank"),
        Scenario(  # it gets ann the minority bonus, so an investor does it
            DEAR_PAIR + f"{MERGING} $4000 C12 | ann W4 C5 | bob C6",
            others={"ann": plays("investor")},
        ),
        expected="Merge, name {C}, and then order nothing: the bank had two of {C}, and "
        "ann has traded for them.",
        hint="using the bank of <turn> for the order. <players> has what is left.",
        when=DisposalRule.HOLD_SELL_TRADE,
    ),
)

CASES = MONEY + BANK + LIMIT + OFF_THE_BOARD + AFTER_A_MERGER
