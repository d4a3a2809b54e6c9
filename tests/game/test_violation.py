"""Every way to break a rule: its sentence, and a detail that names what broke it."""

import re
from collections.abc import Callable

import pytest
from loops import for_each
from positions import at_table, crossing, hotel, hotels, placement, player

from acquire.admin.refereeing.play.events import Ejected, Event
from acquire.admin.refereeing.play.questions import Reply
from acquire.admin.refereeing.play.referee import Referee
from acquire.game.disposal import Disposal, verify_disposal
from acquire.game.merger import Merger, merge
from acquire.game.placement import Placement, verify_no_placement, verify_placement
from acquire.game.rulebooks import CLASSIC
from acquire.game.state import State
from acquire.game.tiles import TILES
from acquire.game.turn import verify_declaration
from acquire.game.violation import BrokenRule, Illegal, Violation
from acquire.protocol.faults import Reason
from acquire.protocol.messages import Merge, Pbuy, PlayerMessage, Void


def table() -> State:
    """Ann is to move, and can merge Tower into Sackson, or found a hotel at 4C."""
    drawing = "TT.SSS\n......\n..o"
    return at_table(drawing, player("ann", "3A 4C 1I", 500), player("bob"), player("cyd"))


# Where "How to play Acquire" has more to break: ann's tile merges Tower into Sackson, of which the
# bank has none. Of a stock market's tiles, the first, 7A, merges American into Sackson after that.
CLASSIC_DRAWING = "TT.SSS.AA"


def merging(owned: int = 3) -> State:
    """Ann moves and holds Tower certificates; with two players the market plays too."""
    return at_table(
        CLASSIC_DRAWING, player("ann", "3A", Tower=owned), player("bob", Sackson=25),
        bag="7A 12I", rulebook=CLASSIC,
    )  # fmt: skip


def merged() -> Merger:
    """Tower's certificates are to be disposed of."""
    return merge(merging(), placement("3A", "Sackson"))


def tied(equals: str) -> Illegal | None:
    """The verdict on this order of American and Tower, which Sackson acquires."""
    state = at_table(
        crossing(Tower=2, Sackson=3, American=2), player("ann", "6E"), rulebook=CLASSIC
    )
    return verify_placement(state, placement("6E", "Sackson")._replace(equals=hotels(equals)))


def to_place(hand: str) -> Illegal | None:
    """The verdict on a mover with this hand that places nothing."""
    return verify_no_placement(at_table("TT", player("ann", hand), rulebook=CLASSIC))


def market_places(choice: Placement) -> Illegal | None:
    """The verdict of the referee on the survivor that ann names for the market's tile."""
    return judged(merging(owned=0), Merge(placement("3A", "Sackson")), Merge(choice))


def judged(state: State, *answers: PlayerMessage) -> Illegal | None:
    """What the referee finds wrong with the mover's answers, from the first of the turn on."""
    happened: list[Event] = []
    names = [seated.name for seated in state.players]
    referee = Referee(state.rulebook, names, TILES, tuple, happened.append)
    referee.state = state
    questions = referee.play()
    asks = next(questions)
    for answer in answers:
        while not any(ask.thinking for ask in asks.values()):
            asks = questions.send({name: Reply(Void()) for name in asks})
        asks = questions.send({name: Reply(answer) for name in asks})
    left = [event for event in happened if isinstance(event, Ejected)]
    if not left:
        return None
    assert left[0].reason is Reason.ILLEGAL and left[0].violation is not None
    violation = left[0].violation
    return Illegal(violation, left[0].detail.removesuffix(f" {violation.sentence}"))


@for_each(
    ("found", "violation", "named"),
    [
        (lambda: judged(table(), Merge(placement("1I"))), Violation.NOT_A_MERGER, "1I"),
        (
            lambda: judged(table(), Pbuy(placement("3A", "Sackson"), ())),
            Violation.MERGER_WITH_ORDER,
            "3A",
        ),
        (lambda: tied("American Worldwide"), Violation.WRONG_EQUALS, "American Tower Worldwide"),
        (lambda: to_place("12I 1I"), Violation.PLACEMENT_DUE, "1I 12I"),
        (lambda: market_places(placement("12I", "Sackson")), Violation.OTHER_TILE, "7A 12I"),
        (
            lambda: verify_declaration(merging(), begun=merging()),
            Violation.NOT_OVER,
            "American 2 Sackson 3 Tower 2 41 11",
        ),
    ],
)
def test_broken_rule_is_reported_with_its_cause(
    found: Callable[[], Illegal | None], violation: Violation, named: str
) -> None:
    """Those of placing, disposing and buying are in the files of these actions."""
    illegal = found()
    assert illegal is not None
    assert illegal.violation is violation
    assert set(named.split()) <= set(re.findall(r"\w+", illegal.detail))
    assert illegal.detail[0].isupper()
    assert illegal.detail.endswith(".")


def test_every_rule_has_a_sentence_of_its_own() -> None:
    sentences = [violation.sentence for violation in Violation]
    assert len(set(sentences)) == len(Violation)
    assert all(text[0].isupper() and text.endswith(".") for text in sentences)


def test_illegal_action_is_reported_with_its_detail_and_the_rule() -> None:
    illegal = Illegal(Violation.TOO_DEAR, "The order costs $800; the player has $500.")
    assert str(illegal) == (
        "The order costs $800; the player has $500. An order cannot cost more than the player has."
    )


def test_applying_what_the_rules_refuse_is_an_exception_of_the_program() -> None:
    assert issubclass(BrokenRule, ValueError)
    with pytest.raises(BrokenRule):
        merge(table(), placement("1I"))


@pytest.mark.parametrize("order", ["", "American Tower", "Tower American"])
def test_equal_hotels_can_be_named_in_any_order(order: str) -> None:
    assert tied(order) is None


def test_who_can_place_nothing_may_place_nothing() -> None:
    assert to_place("") is None


def test_survivor_can_be_named_for_the_markets_tile() -> None:
    assert market_places(placement("7A", "Sackson")) is None


@pytest.mark.parametrize(
    "order", ["Tower", "American American", "American Tower American", "American Tower Worldwide"]
)
def test_equal_hotels_must_each_be_named_once(order: str) -> None:
    illegal = tied(order)
    assert illegal is not None and illegal.violation is Violation.WRONG_EQUALS


@for_each(
    ("placed", "detail"),
    [
        (placement("4C", "Worldwide"), "Tile 4C founds a hotel, so Tower cannot be named after it"),
        (placement("3A", "Sackson"), "names Tower after the survivor; no acquired hotels are tied"),
    ],
)
def test_hotels_are_named_after_the_survivor_only_where_equals_are_acquired(
    placed: Placement, detail: str
) -> None:
    illegal = verify_placement(table(), placed._replace(equals=hotels("Tower")))
    assert illegal is not None and illegal.violation is Violation.WRONG_EQUALS
    assert detail in illegal.detail


@pytest.mark.parametrize("disposal", [Disposal(sell=-1), Disposal(trade=-2), Disposal(4, -2)])
def test_numbers_of_certificates_are_not_negative(disposal: Disposal) -> None:
    illegal = verify_disposal(merged(), "ann", hotel("Tower"), disposal)
    assert illegal is not None and illegal.violation is Violation.NOT_OWNED
