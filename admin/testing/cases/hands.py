"""Hands that are hidden, short or stuck, and tiles that are set aside: cases of the plain turn."""

from ....game.rulebook import DeadTiles, EighthHotel, EmptyBag, Hands, StuckHand
from ..case_parts.case import CaseSource
from ..case_parts.case_row import CaseRow
from ..case_parts.scenario import Scenario
from .founding import NO_EIGHTH

ORDER_ALONE = CaseSource("What you can send", "answer `turn` with an order alone")
NEW_HAND = CaseSource("What you can send", "read your hand from `turn`")
OFFERED = CaseSource("What you can send", "answer with `<true/>` to have it replaced")
OWN_TILES = CaseSource("What you receive", "the number of tiles in a player's hand; only your own")
NONE_LEFT = CaseSource("The end of a turn", "none when the bag is empty")
EACH_DRAWN = CaseSource(
    "The end of a turn", "comes once for each tile drawn, and each is answered `void`"
)

CROWDED = """
    SSSSSSSSSSSS
    SSSSSSSSSSSS
    ............
    AAAAAAAAAAAA
    AAAAAAAAAAAA
    ............
    FFFFFFFFF...
    FFFFFFFFF.TT
    FFFFFFFFF.TT
    """
"""29 free cells; those in row C, and the first nine in row F, are between safe hotels."""
BETWEEN_SAFE = """
    SSSSSSSSSSSS
    ............
    CCCCCCCCCCCC
    ............
    ............
    .TT.........
    """
"""Row B is between two safe hotels."""
STUCK = Scenario(
    BETWEEN_SAFE + "player 1B 3B 5B 7B 9B 11B | ann S3 T1 | bob C4", bag_top="5F 9F 2I 5H 8H 11I"
)
"""No tile can be placed, and the tiles of a new hand could."""

CASES = (
    CaseRow(
        "hidden-hands",
        "Other hands are hidden and differ in size",
        OWN_TILES,
        CROWDED + "player 2C 4C 6C 8C 10F 10G S2 | ann S4 A3 | bob A5 T1 | cyd F3 | dan F4 | eve",
        expected="Place 10F or 10G, and name no hotel.",
        hint="expecting six tiles for every player.",
        tested="setup turn",
        when=Hands.HIDDEN,
    ),
    CaseRow(
        "short-hand",
        "Three tiles in hand, and an empty bag",
        NONE_LEFT,
        CROWDED + "player 2C 5C 10F S2 | ann S4 A3 | bob A5 T1 | cyd F3 | dan F4 | eve",
        expected="Place 10F beside {A} and name no hotel; <state> follows, because no "
        "tile is drawn.",
        hint="assuming six tiles in hand, or waiting for <tile>.",
        tested="turn state",
        when=EmptyBag.PLAYS_ON,
    ),
    CaseRow(
        "order-alone",
        "No tile can be placed: all are between safe hotels",
        ORDER_ALONE,
        CROWDED + "player 1C 3C 5C 7C 9C 11C S2 | ann S4 A3 | bob A5 T1 | cyd F3",
        expected="Send <pbuy> with an order, which may be empty, and without a placement.",
        hint="placing a tile anyway, or sending nothing at all.",
        when=lambda rulebook: rulebook.stuck_hand is not StuckHand.ENDS_GAME,
    ),
    CaseRow(
        "new-hand-offered",
        "No tile can be placed: a new hand is offered",
        OFFERED,
        STUCK,
        expected="Answer <replace> with <true/> or <false/> in it; then place a tile of the "
        "new hand, or send an order alone.",
        hint="placing a tile of the previous hand. Read it from every position.",
        tested="replace turn",
        when=StuckHand.MAY_REPLACE,
    ),
    CaseRow(
        "new-hand",
        "All tiles of the hand were replaced before the turn",
        NEW_HAND,
        STUCK,
        expected="Place one of the tiles listed in <turn>; the previous hand is gone.",
        hint="tracking the hand by <tile> messages alone. Read it from every position.",
        when=StuckHand.REPLACED,
    ),
    CaseRow(
        "order-alone-for-now",
        "No tile can be placed now: all would found an eighth hotel",
        ORDER_ALONE,
        NO_EIGHTH,
        expected="Send <pbuy> with an order, which may be empty, and without a placement; "
        "no <tile> follows.",
        hint="waiting for <tile>, though none is drawn because the hand is full.",
        tested="turn state",
        when=lambda rulebook: (
            rulebook.stuck_hand is StuckHand.SKIPS and rulebook.eighth_hotel is EighthHotel.REFUSED
        ),
    ),
    CaseRow(
        "set-aside",
        "Three tiles of the hand are set aside and replaced",
        EACH_DRAWN,
        BETWEEN_SAFE + "player 1B 5B 9B 6E 9G 3I | ann S3 T1 | bob C4",
        expected="Answer <void/> to each tile drawn; there are four or more.",
        hint="expecting one <tile> per turn. It is sent for each tile drawn.",
        tested="tile state",
        when=DeadTiles.REPLACED,
    ),
)
