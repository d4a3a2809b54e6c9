"""Every way to break a rule: its code, its sentence, and a detail that names what broke it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from positions import at_table, hotels, placement, player

from admin.events import Ejected, Event
from admin.referee import Referee, Reply
from game.merger import merge, verify_keep
from game.placement import verify_placement
from game.purchase import verify_order
from game.rulebook import REVISED, EighthHotel, Rulebook
from game.state import State
from game.tiles import TILES
from game.violation import BrokenRule, Illegal, Violation
from protocol.faults import Reason
from protocol.messages import Merge, Pbuy, PlayerMessage, Void

CODES = {
    Violation.NOT_IN_HAND: "tile-not-in-hand",
    Violation.BESIDE_LOOSE: "tile-beside-loose",
    Violation.SAFE_MERGER: "safe-merger",
    Violation.EIGHTH_HOTEL: "eighth-hotel",
    Violation.NO_HOTEL_NAMED: "no-hotel-named",
    Violation.HOTEL_NOT_DUE: "hotel-not-due",
    Violation.HOTEL_ON_BOARD: "hotel-on-board",
    Violation.NOT_A_MERGER: "not-a-merger",
    Violation.MERGER_WITH_ORDER: "merger-with-order",
    Violation.NOT_INVOLVED: "survivor-not-involved",
    Violation.NOT_LARGEST: "survivor-not-largest",
    Violation.KEEP_COUNT: "keep-count",
    Violation.TOO_MANY: "order-too-large",
    Violation.MIXED_ORDER: "order-mixed",
    Violation.NO_PRICE: "order-no-price",
    Violation.SOLD_OUT: "order-sold-out",
    Violation.TOO_DEAR: "order-too-dear",
}

# Sackson 3, Tower 2, a loose tile at 3C and 7A, a safe Festival in row E, Imperial beside it at 9E.
DRAWING = """
    TT.SSS.o....
    ............
    ..o.........
    ............
    FFFFFFFF.II.
    FFFFFF......
"""
HAND = "3A 7A 3B 9E 4C 1I"
NO_EIGHTH = replace(REVISED, eighth_hotel=EighthHotel.REFUSED)
SEVEN = """
    AA.CC.FF.II.
    ............
    SS.TT.WW.o..
"""


def table(drawing: str = DRAWING, hand: str = HAND, rulebook: Rulebook = REVISED) -> State:
    """Ann is to move; all Imperial's certificates are bob's."""
    return at_table(
        drawing, player("ann", hand, 500), player("bob", Imperial=25), player("cyd"),
        rulebook=rulebook,
    )  # fmt: skip


def judged(answer: PlayerMessage) -> Illegal:
    """What the referee finds wrong with the answer to a turn at this table."""
    happened: list[Event] = []
    names = [seated.name for seated in table().players]
    referee = Referee(REVISED, names, TILES, tuple, happened.append)
    referee.state = table()
    story = referee.story()
    next(story)
    story.send({name: Reply(Void()) for name in names})
    story.send({"ann": Reply(answer)})
    (left,) = [event for event in happened if isinstance(event, Ejected)]
    assert left.reason is Reason.ILLEGAL and left.violation is not None
    return Illegal(left.violation, left.detail.removesuffix(f" {left.violation.sentence}"))


def found(violation: Violation) -> Illegal | None:
    """Break this rule, and return what the rules say to it."""
    match violation:
        case Violation.NOT_IN_HAND:
            return verify_placement(table(), placement("12I"))
        case Violation.BESIDE_LOOSE:
            return verify_placement(table(), placement("7A"))
        case Violation.SAFE_MERGER:
            return verify_placement(table(), placement("9E", "Festival"))
        case Violation.EIGHTH_HOTEL:
            return verify_placement(table(SEVEN, "11C", NO_EIGHTH), placement("11C"))
        case Violation.NO_HOTEL_NAMED:
            return verify_placement(table(), placement("4C"))
        case Violation.HOTEL_NOT_DUE:
            return verify_placement(table(), placement("1I", "Tower"))
        case Violation.HOTEL_ON_BOARD:
            return verify_placement(table(), placement("4C", "Tower"))
        case Violation.NOT_A_MERGER:
            return judged(Merge(placement("1I")))
        case Violation.MERGER_WITH_ORDER:
            return judged(Pbuy(placement("3A", "Sackson"), ()))
        case Violation.NOT_INVOLVED:
            return verify_placement(table(), placement("3A", "Festival"))
        case Violation.NOT_LARGEST:
            return verify_placement(table(), placement("3A", "Tower"))
        case Violation.KEEP_COUNT:
            return verify_keep(merge(table(), placement("3A", "Sackson")), (True, True))
        case Violation.TOO_MANY:
            return verify_order(table(), hotels("Tower Tower Tower"))
        case Violation.MIXED_ORDER:
            return verify_order(table(), hotels("Tower Sackson"))
        case Violation.NO_PRICE:
            return verify_order(table(), hotels("Worldwide"))
        case Violation.SOLD_OUT:
            return verify_order(table(), hotels("Imperial"))
        case Violation.TOO_DEAR:
            return verify_order(table(), hotels("Tower Tower"))


@pytest.mark.parametrize(
    ("violation", "named"),
    [
        (Violation.NOT_IN_HAND, "12I"),
        (Violation.BESIDE_LOOSE, "7A Sackson"),
        (Violation.SAFE_MERGER, "9E Festival Imperial"),
        (Violation.EIGHTH_HOTEL, "11C"),
        (Violation.NO_HOTEL_NAMED, "4C American Continental Worldwide"),
        (Violation.HOTEL_NOT_DUE, "1I Tower"),
        (Violation.HOTEL_ON_BOARD, "Tower American Continental Worldwide"),
        (Violation.NOT_A_MERGER, "1I"),
        (Violation.MERGER_WITH_ORDER, "3A"),
        (Violation.NOT_INVOLVED, "3A Festival Sackson"),
        (Violation.NOT_LARGEST, "Tower Sackson"),
        (Violation.KEEP_COUNT, "Tower 1 2"),
        (Violation.TOO_MANY, "3 2"),
        (Violation.MIXED_ORDER, "Sackson Tower"),
        (Violation.NO_PRICE, "Worldwide 0"),
        (Violation.SOLD_OUT, "Imperial none"),
        (Violation.TOO_DEAR, "800 500"),
    ],
    ids=[violation.value for violation in CODES],
)
def test_broken_rule_is_found_and_told_with_what_broke_it(violation: Violation, named: str) -> None:
    illegal = found(violation)
    assert illegal is not None
    assert illegal.violation is violation
    assert set(named.split()) <= set(re.findall(r"\w+", illegal.detail))
    assert illegal.detail[0].isupper() or illegal.detail[0].isdigit()
    assert illegal.detail.endswith(".")


def test_codes_are_these_and_no_others() -> None:
    assert {violation: violation.value for violation in Violation} == CODES


def test_every_rule_has_a_sentence_of_its_own() -> None:
    sentences = [violation.sentence for violation in Violation]
    assert len(set(sentences)) == len(Violation)
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)


def test_illegal_action_is_told_as_its_detail_and_the_rule() -> None:
    illegal = Illegal(Violation.TOO_DEAR, "The order costs 800, the player has 500.")
    assert str(illegal) == (
        "The order costs 800, the player has 500. A player pays for an order with the cash in hand."
    )


def test_applying_what_the_rules_refuse_is_an_exception_of_the_program() -> None:
    assert issubclass(BrokenRule, ValueError)
    with pytest.raises(BrokenRule):
        merge(table(), placement("1I"))


def test_table_is_as_described() -> None:
    assert verify_placement(table(), placement("1I")) is None
    assert verify_placement(table(), placement("3A", "Sackson")) is None
    assert verify_order(table(), hotels("Tower")) is None
