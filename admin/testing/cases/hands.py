"""Hands that are hidden, short or stuck, and tiles that are set aside: cases of the plain turn."""

from collections.abc import Iterator
from functools import partial

from ....game.rulebook import DeadTiles, EighthHotel, EmptyBag, Hands, Rulebook, StuckHand
from ..case_parts.case import Case, CaseSource, section
from ..case_parts.position_text import (
    hotel_name,
    make_script,
    parse_position,
    parse_tiles,
)

ORDER_ALONE = CaseSource("What you can send", "answer `turn` with an order alone")
NEW_HAND = CaseSource("What you can send", "read your hand from `turn`")
OFFERED = CaseSource("What you can send", "answer with `<true/>` to have it replaced")
OWN_TILES = CaseSource("What you receive", "the number of tiles in a player's hand; only your own")
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

_case = partial(Case, section=section("turn"), tested=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this module that a rulebook has."""
    if rulebook.hands is Hands.HIDDEN:
        yield _hidden_hands(rulebook)
    if rulebook.empty_bag is EmptyBag.PLAYS_ON:
        yield _short_hand(rulebook)
    if rulebook.stuck_hand is not StuckHand.ENDS_GAME:
        yield from _stuck(rulebook)
    if rulebook.dead_tiles is DeadTiles.REPLACED:
        yield _set_aside(rulebook)


def _hidden_hands(rulebook: Rulebook) -> Case:
    return _case(
        slug="hidden-hands",
        title="Other hands are hidden and differ in size",
        source=OWN_TILES,
        expected="Place 10F or 10G, and name no hotel.",
        hint="expecting six tiles for every player.",
        tested=frozenset({"setup", "turn"}),
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                CROWDED,
                "player 2C 4C 6C 8C 10F 10G S2",
                *("ann S4 A3", "bob A5 T1", "cyd F3", "dan F4", "eve"),
            ),
        ),
    )


def _short_hand(rulebook: Rulebook) -> Case:
    grown = hotel_name(rulebook, "A")
    return _case(
        slug="short-hand",
        title="Three tiles in hand, and an empty bag",
        source=CaseSource("The end of a turn", "none when the bag is empty"),
        expected=f"Place 10F beside {grown} and name no hotel; <state> follows, because no "
        "tile is drawn.",
        hint="assuming six tiles in hand, or waiting for <tile>.",
        tested=frozenset({"turn", "state"}),
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                CROWDED,
                "player 2C 5C 10F S2",
                *("ann S4 A3", "bob A5 T1", "cyd F3", "dan F4", "eve"),
            ),
        ),
    )


def _stuck(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases in which no tile can be placed."""
    yield _case(
        slug="order-alone",
        title="No tile can be placed: all are between safe hotels",
        source=ORDER_ALONE,
        expected="Send <pbuy> with an order, which may be empty, and without a placement.",
        hint="placing a tile anyway, or sending nothing at all.",
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                CROWDED,
                "player 1C 3C 5C 7C 9C 11C S2",
                *("ann S4 A3", "bob A5 T1", "cyd F3"),
            ),
        ),
    )
    if rulebook.stuck_hand in (StuckHand.REPLACED, StuckHand.MAY_REPLACE):
        yield _new_hand(rulebook)
    elif rulebook.eighth_hotel is EighthHotel.REFUSED:
        yield _order_alone_for_now(rulebook)


def _order_alone_for_now(rulebook: Rulebook) -> Case:
    return _case(
        slug="order-alone-for-now",
        title="No tile can be placed now: all would found an eighth hotel",
        source=ORDER_ALONE,
        expected="Send <pbuy> with an order, which may be empty, and without a placement; "
        "no <tile> follows.",
        hint="waiting for <tile>, though none is drawn because the hand is full.",
        tested=frozenset({"turn", "state"}),
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                """
                AA.FF.II.CC.
                ............
                TT.SS.WW....
                ............
                .o...o...o..
                ............
                ............
                .o...o...o..
                """,
                "player 2F 6F 10F 2G 6G 10G",
                "ann A1 F2 T1",
                "bob I1 C2 S1 W1",
            ),
        ),
    )


def _new_hand(rulebook: Rulebook) -> Case:
    """Make the case of a stuck hand that is, or may be, replaced from the bag before the turn."""
    position = parse_position(
        rulebook,
        BETWEEN_SAFE,
        "player 1B 3B 5B 7B 9B 11B",
        "ann S3 T1",
        "bob C4",
    )
    new = [tile for tile in parse_tiles("5F 9F 2I 5H 8H 11I") if tile in position.bag]
    rest = [tile for tile in position.bag if tile not in new]
    position = position._replace(bag=(*new, *rest))
    if rulebook.stuck_hand is StuckHand.MAY_REPLACE:
        return _case(
            slug="new-hand-offered",
            title="No tile can be placed: a new hand is offered",
            source=OFFERED,
            expected="Answer <replace> with <true/> or <false/> in it; then place a tile of the "
            "new hand, or send an order alone.",
            hint="placing a tile of the previous hand. Read it from every position.",
            tested=frozenset({"replace", "turn"}),
            script=make_script(rulebook, position),
        )
    return _case(
        slug="new-hand",
        title="All tiles of the hand were replaced before the turn",
        source=NEW_HAND,
        expected="Place one of the tiles listed in <turn>; the previous hand is gone.",
        hint="tracking the hand by <tile> messages alone. Read it from every position.",
        script=make_script(rulebook, position),
    )


def _set_aside(rulebook: Rulebook) -> Case:
    return _case(
        slug="set-aside",
        title="Three tiles of the hand are set aside and replaced",
        source=EACH_DRAWN,
        expected="Answer <void/> to each tile drawn; there are four or more.",
        hint="expecting one <tile> per turn. It is sent for each tile drawn.",
        tested=frozenset({"tile", "state"}),
        script=make_script(
            rulebook,
            parse_position(
                rulebook,
                BETWEEN_SAFE,
                "player 1B 5B 9B 6E 9G 3I",
                "ann S3 T1",
                "bob C4",
            ),
        ),
    )
