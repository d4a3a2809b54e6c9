"""Moves that another program refuses in its own tests, under the rules of `classic`.

They are refused here for the same reason. The program is the engine of `classic` games in
``tests/golden/others``, whose README says more; its hotels have our names here, by their prices.
Its tests refuse a few more moves, such as a tile 13A, which none of our messages can express.
"""

from loops import for_each
from positions import by_initials, move, scene

from acquire.game.disposal import Disposal, verify_disposal
from acquire.game.merger import merge
from acquire.game.placement import verify_placement
from acquire.game.purchase import verify_order
from acquire.game.rulebooks import CLASSIC
from acquire.game.state import State
from acquire.game.violation import Illegal, Violation

START = scene(
    CLASSIC,
    """
    .
    .o
    .
    .
    .
    .
    .
    .
    ...o
    """,
    "a 4B 1D 11D 2G 8G 10H $6000",
    "b 1B 7B 12C 7E 12H 11I $6000",
)
BETWEEN_SAFE_HOTELS = scene(
    CLASSIC,
    """
    ...o..FF.o
    TT..o...o.A
    .TT...C...AA
    TT..o.CCC
    TTT..o.....o
    .T.II..I.o
    .T..IIIII.SS
    o..III..II
    .o..I....I
    """,
    "b 5A 10C 12D 4E 8E 11F A2 C3 F1 I7 S14 T1 W1 $4200",
    "a 6A 9A 6B 3D 9E 8I A2 C4 F2 I9 S10 W7 $6000",
)
ALL_SEVEN_ON_THE_BOARD = scene(
    CLASSIC,
    """
    ......WW
    ....II..AA
    ..C
    ..C.......FF
    .o.SS..o
    .
    ..........o
    .
    ...TT
    """,
    "b 9C 4D 10D 1G 10G 12I A2 C2 F2 I2 S1 T1 W2 $4000",
    "a 1A 10C 6D 6G 2H 7H A2 C2 F1 I2 S1 T1 W3 $3000",
)
SACKSON_ALONE = scene(
    CLASSIC,
    """
    .
    ......o
    .
    ...SS
    """,
    "a 1B 4E 5E 3G 11I S1 $6000",
    "b 7A 2B 3D 5F 4H 7H $6000",
)
LATE = scene(
    CLASSIC,
    """
    C.....T
    CC....TT
    .....o
    ...SS.....WW
    ...S.o
    ..I.o..FF
    A.I
    A
    .....o
    """,
    "a 9C 5E 10E 11H 11I A1 C1 I13 S5 T1 W1 $500",
    "b 9A 3D 5G 4H 7H 9H A2 C2 F1 I10 S5 T1 $1300",
)
FOUR_MERGE = scene(
    CLASSIC,
    """
    .
    .
    .
    .
    ....T
    ....T
    ..SS.CC
    ....W
    ....W
    """,
    "a 4C 5C 2D 1F 5G 8G S4 $5400",
    "b 3A 1B 10B 4F 9I 11I W4 $5400",
    "c 9C 4D 10D 1G 11G 2I C4 $4800",
    "d 5D 3F 8H 11H 12H 10I C1 S1 T1 W1 $5200",
)
TWO_EQUAL_MERGE = scene(
    CLASSIC,
    """
    .
    .C.A
    .C.A
    .
    .
    .
    .
    ......o....o
    """,
    "a 3B 12C 6E 7E 6I 11I A4 $5100",
    "b 6B 2D 2G 8G 8H 10H A1 C3 $4900",
    "c 3A 1B 3C 1D 12F 4G A3 $5100",
)
UNEQUAL_MERGE = scene(
    CLASSIC,
    """
    .
    CC.A
    .C.A
    .
    .
    .
    .
    ...........o
    """,
    "a 3B 12C 6E 7E 6I 11I A4 $5100",
    "b 6B 2D 2G 8G 8H 10H A1 C3 $4900",
    "c 3A 3C 1D 12F 4G 7G A3 $5100",
)
ONE_FOUNDED = scene(
    CLASSIC,
    """
    .
    SS
    .
    .
    .
    .
    .
    .
    ...o
    """,
    "b 11D 2G 8G 4H 8H 10H $6000",
    "a 7B 12C 7E 12G 12H 11I S2 $5800",
)


def broken(illegal: Illegal | None) -> Violation | None:
    """The rule that a move breaks."""
    return illegal and illegal.violation


@for_each(
    ("state", "tile", "rule"),
    [
        (START, "7F", Violation.NOT_IN_HAND),
        (BETWEEN_SAFE_HOTELS, "4E", Violation.TWO_SAFE),
        (ALL_SEVEN_ON_THE_BOARD, "10G", Violation.EIGHTH_HOTEL),
    ],
)
def test_tile_that_cannot_be_placed(state: State, tile: str, rule: Violation) -> None:
    assert broken(verify_placement(state, move(tile, CLASSIC))) is rule


@for_each(
    ("state", "placement", "offered", "rule"),
    [
        (ONE_FOUNDED, "4H {}", "ACFITW", Violation.HOTEL_ON_BOARD),
        (TWO_EQUAL_MERGE, "3B {}", "AC", Violation.NOT_INVOLVED),
        (FOUR_MERGE, "5G T {}CS", "W", Violation.WRONG_EQUALS),
    ],
)
def test_hotel_that_is_not_offered(
    state: State, placement: str, offered: str, rule: Violation
) -> None:
    for hotel in "ACFISTW":
        expected = None if hotel in offered else rule
        assert broken(verify_placement(state, move(placement.format(hotel), CLASSIC))) is expected


@for_each(
    ("disposal", "rule"),
    [
        (Disposal(0, 5), Violation.ODD_TRADE),
        (Disposal(0, 46), Violation.NOT_OWNED),  # there: more than the bank has
        (Disposal(1, 4), Violation.NOT_OWNED),
    ],
)
def test_disposal(disposal: Disposal, rule: Violation) -> None:
    merger = merge(UNEQUAL_MERGE, move("3B C", CLASSIC))
    (american,) = merger.acquired
    assert broken(verify_disposal(merger, "a", american, disposal)) is rule


@for_each(
    ("state", "order", "rule"),
    [
        *((SACKSON_ALONE, hotel, Violation.NO_PRICE) for hotel in "ACFITW"),
        (LATE, "WAFI", Violation.TOO_MANY),
        (LATE, "III", Violation.SOLD_OUT),
        (LATE, "ST", Violation.TOO_DEAR),
    ],
)
def test_order(state: State, order: str, rule: Violation) -> None:
    assert broken(verify_order(state, by_initials(order, CLASSIC))) is rule
