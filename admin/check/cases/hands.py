"""Hands that are hidden, short or stuck, and tiles that are set aside: cases of the plain turn."""

from collections.abc import Iterator
from functools import partial

from admin.check.case import Case, Source, section
from admin.check.scene import hotel_name, scene, script, tiles
from game.rulebook import DeadTiles, EighthHotel, EmptyBag, Hands, Rulebook, StuckHand

ORDER_ALONE = Source("What you can send", "answer `turn` with an order alone")
NEW_HAND = Source("What you can send", "read your hand from `turn`")
OWN_TILES = Source("What you receive", "the number of tiles in a player's hand; only your own")
EACH_DRAWN = Source(
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
"""29 free cells; those of row C, and the first nine of row F, lie between safe hotels."""
BETWEEN_SAFE = """
SSSSSSSSSSSS
............
CCCCCCCCCCCC
............
............
.TT.........
"""
"""Row B lies between two safe hotels."""

_case = partial(Case, section=section("turn"), about=frozenset({"turn"}))


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """Yield the cases of this kind that a rulebook has."""
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
        title="The others' tiles are only counted, and the counts differ",
        source=OWN_TILES,
        expected="The tile 10F or 10G placed, no hotel named.",
        hint="Often six tiles are looked for at every player.",
        about=frozenset({"setup", "turn"}),
        script=script(
            rulebook,
            scene(
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
        source=Source("The end of a turn", "none when the bag is empty"),
        expected=f"The tile 10F placed beside {grown}, no hotel named; then comes `state`, for "
        "no tile is drawn.",
        hint="Often six tiles are taken for granted, or `tile` is waited for.",
        about=frozenset({"turn", "state"}),
        script=script(
            rulebook,
            scene(
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
        title="No tile can be placed: all lie between safe hotels",
        source=ORDER_ALONE,
        expected="A `pbuy` with an order, which may be empty, and without a placement.",
        hint="Often some tile is sent all the same, or nothing at all.",
        script=script(
            rulebook,
            scene(
                rulebook,
                CROWDED,
                "player 1C 3C 5C 7C 9C 11C S2",
                *("ann S4 A3", "bob A5 T1", "cyd F3"),
            ),
        ),
    )
    if rulebook.stuck_hand is StuckHand.REPLACED:
        yield _new_hand(rulebook)
    elif rulebook.eighth_hotel is EighthHotel.REFUSED:
        yield _order_alone_for_now(rulebook)


def _order_alone_for_now(rulebook: Rulebook) -> Case:
    return _case(
        slug="order-alone-for-now",
        title="No tile can be placed now: all would found an eighth hotel",
        source=ORDER_ALONE,
        expected="A `pbuy` with an order, which may be empty, and without a placement; "
        "no `tile` follows.",
        hint="Often a tile is waited for though none is drawn: the hand is full.",
        about=frozenset({"turn", "state"}),
        script=script(
            rulebook,
            scene(
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
    """Lay out a stuck hand, and a bag from which it is replaced before the turn."""
    position = scene(
        rulebook,
        BETWEEN_SAFE,
        "player 1B 3B 5B 7B 9B 11B",
        "ann S3 T1",
        "bob C4",
    )
    new = [tile for tile in tiles("5F 9F 2I 5H 8H 11I") if tile in position.bag]
    rest = [tile for tile in position.bag if tile not in new]
    return _case(
        slug="new-hand",
        title="All tiles have been replaced before the turn",
        source=NEW_HAND,
        expected="One of the tiles placed that are in the `turn`; the hand told before is gone.",
        hint="Often the hand is kept up to date by `tile` alone; read it from every position.",
        script=script(rulebook, position._replace(bag=(*new, *rest))),
    )


def _set_aside(rulebook: Rulebook) -> Case:
    return _case(
        slug="set-aside",
        title="Three tiles of the hand are set aside and replaced",
        source=EACH_DRAWN,
        expected="The answer <void/> to each of the tiles drawn, which are four or more.",
        hint="Often one `tile` is expected for a turn; it comes for each tile drawn.",
        about=frozenset({"tile", "state"}),
        script=script(
            rulebook,
            scene(
                rulebook,
                BETWEEN_SAFE,
                "player 1B 5B 9B 6E 9G 3I",
                "ann S3 T1",
                "bob C4",
            ),
        ),
    )
