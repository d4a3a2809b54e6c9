"""The cases of buying: exactly the expected orders are legal, whatever tile is placed."""

from __future__ import annotations

from loops import for_each

from acquire.admin.testing.cases.position_text import hotels
from acquire.game.disposal import keep
from acquire.game.merger import merge
from acquire.game.placement import Kind, Placement, legal_placements
from acquire.game.purchase import legal_orders, verify_order
from acquire.game.rulebook import DisposalRule, Rulebook
from acquire.game.state import State
from acquire.game.tiles import parse_tile
from acquire.game.turn import ending
from acquire.game.violation import Violation
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from check.legal_moves import choices, hand, kinds, letters, order_violations, orders, placeable
from check.rehearsal import (
    EVERY,
    answering,
    every_rulebook,
    first_position,
    position_of,
    rehearse,
    section_of,
    under,
)

ONE_OF_ANY = tuple("AFISWCT")
AFTER_MERGER = {"survivor-is-dearer", "acquired-is-gone", "bonus-to-spend", "traded-away"}

LEVELS = {
    600: {"S": 6, "A": 5, "C": 4},
    700: {"S": 11, "A": 6, "C": 5},
    800: {"S": 21, "A": 11, "C": 6},
    900: {"S": 31, "A": 21, "C": 11},
    1000: {"A": 31, "C": 21},
}
"""The prices from $600 up, and the first size in each class that has them."""
AT_41 = {"price-1200": "C", "price-1100-at-41": "A", "price-1000-at-41": "S"}
"""The cases of a hotel of 41 tiles."""
EXACTLY: dict[str, tuple[str, ...]] = {
    "no-money": ("",),
    "one-dollar-short": ("",),
    "exact-price": ("", *ONE_OF_ANY),
    "for-two-short": ("", *ONE_OF_ANY),
    "one-left": ("", "S"),
    "none-left": ("",),
    "all-sold-out": ("",),
    "cheap-off-the-board": ("",),
    "dear-off-the-board": ("",),
    "nothing-on-the-board": ("",),
    "after-the-tile": ("",),
    "price-600": ("",),
    "price-700": ("",),
    "price-800": ("",),
    "price-900": ("",),
    "price-1000": ("",),
    "price-1200": ("",),
    "price-200": ("",),
    "price-1100": ("",),
    "price-1100-at-41": ("",),
    "price-1000-at-41": ("",),
    "survivor-is-dearer": ("",),
    "acquired-is-gone": ("",),
}
"""By slug, the legal orders, in the letters of drawings."""

WRONG: dict[str, tuple[str, Violation]] = {
    "no-money": ("S", Violation.TOO_DEAR),
    "one-dollar-short": ("S", Violation.TOO_DEAR),
    "exact-price": ("SS", Violation.TOO_DEAR),
    "for-two-short": ("CC", Violation.TOO_DEAR),
    "for-three-short": ("SAC", Violation.TOO_DEAR),
    "one-left": ("SS", Violation.SOLD_OUT),
    "none-left": ("S", Violation.SOLD_OUT),
    "all-sold-out": ("T", Violation.SOLD_OUT),
    "cheap-off-the-board": ("W", Violation.NO_PRICE),
    "dear-off-the-board": ("C", Violation.TOO_DEAR),
    "nothing-on-the-board": ("A", Violation.NO_PRICE),
    "after-the-tile": ("A", Violation.TOO_DEAR),
    "price-1200": ("C", Violation.TOO_DEAR),
    "price-200": ("S", Violation.TOO_DEAR),
    "price-1100": ("C", Violation.TOO_DEAR),
    "price-1100-at-41": ("A", Violation.TOO_DEAR),
    "price-1000-at-41": ("S", Violation.TOO_DEAR),
    "survivor-is-dearer": ("S", Violation.TOO_DEAR),
    "acquired-is-gone": ("W", Violation.NO_PRICE),
}
"""By slug, an order with the bug of the hint, and the rule that it breaks."""


@every_rulebook
def test_exactly_these_orders_are_legal(rulebook: Rulebook) -> None:
    for slug in section_of(rulebook, "buying").keys() & EXACTLY.keys():
        state = position_of(rulebook, f"buying/{slug}")
        assert orders(state) == letters(rulebook, *EXACTLY[slug]), slug


@every_rulebook
def test_order_with_the_bug_of_the_hint_is_refused(rulebook: Rulebook) -> None:
    for slug in section_of(rulebook, "buying").keys() & WRONG.keys():
        order, violation = WRONG[slug]
        state = position_of(rulebook, f"buying/{slug}")
        for each in letters(rulebook, order):
            assert order_violations(state, each) == {violation}, slug


def test_no_case_is_left_out() -> None:
    tested = EXACTLY.keys() | WRONG.keys() | AFTER_MERGER | {"limit", "one-of-each"}
    known = {slug for rulebook in EVERY for slug in section_of(rulebook, "buying")}
    assert known == tested


@every_rulebook
def test_all_tiles_of_the_hand_do_the_same(rulebook: Rulebook) -> None:
    """They stay unincorporated, except in cases about prices after growth or a merger."""
    for slug in section_of(rulebook, "buying"):
        state = position_of(rulebook, f"buying/{slug}")
        assert ending(state) is None, slug
        if slug in AT_41 and kinds(state) == {Kind.MERGING}:
            continue
        assert placeable(state) == hand(state), slug
        expected = Kind.SINGLETON
        if slug in AFTER_MERGER:
            expected = Kind.MERGING
        elif slug == "after-the-tile":
            expected = Kind.GROWING
        assert kinds(state) == {expected}, slug


@every_rulebook
@for_each(("price", "sizes"), LEVELS.items())
def test_a_price_that_begins_a_tile_late_could_be_paid(
    rulebook: Rulebook, price: int, sizes: dict[str, int]
) -> None:
    state = position_of(rulebook, f"buying/price-{price}")
    for letter, size in sizes.items():
        hotel = hotels(rulebook)[letter]
        assert state.board.size(hotel) == size and state.price(hotel) == price
        assert rulebook.price(hotel, size - 1) <= state.mover.cash < price
        assert order_violations(state, (hotel,)) == {Violation.TOO_DEAR}


@every_rulebook
@for_each(("slug", "letter"), AT_41.items())
def test_the_last_price_begins_at_41(rulebook: Rulebook, slug: str, letter: str) -> None:
    state = position_of(rulebook, f"buying/{slug}")
    hotel = hotels(rulebook)[letter]
    assert {ordering.board.size(hotel) for _, ordering in choices(state)} == {41}
    assert rulebook.price(hotel, 40) <= state.mover.cash < rulebook.price(hotel, 41)
    if kinds(state) == {Kind.MERGING}:
        assert legal_placements(state) == [Placement(parse_tile("6E"), hotel)]
        assert len(hand(state)) == 6


def buys_illegally(state: State, tier: str, sizes: range) -> bool:
    """Whether all that can be bought is too dear, if a tier's price at these sizes is $100 less."""
    tempting = []
    for hotel in range(len(state.bank)):
        size = state.board.size(hotel)
        lower = state.rulebook.hotels[hotel].tier == tier and size in sizes
        if state.price(hotel) and state.bank[hotel]:
            tempting += [hotel] * (state.price(hotel) - 100 * lower <= state.mover.cash)
    return bool(tempting) and all(state.price(hotel) > state.mover.cash for hotel in tempting)


@every_rulebook
def test_each_price_is_tested_at_the_edge_of_the_cash(rulebook: Rulebook) -> None:
    """A player that has one price $100 too low fails a case, whatever it places and buys."""
    positions = [
        [ordering for _, ordering in choices(first_position(case))]
        for slug in ("founding", "growth", "mergers", "buying")
        for case in section_of(rulebook, slug).values()
    ]
    for tier, letter in {"cheap": "S", "medium": "A", "expensive": "C"}.items():
        prices = rulebook.prices[hotels(rulebook)[letter]]
        for price in {*prices} - {0}:
            sizes = range(prices.index(price), 109 - prices[::-1].index(price))
            assert any(
                all(buys_illegally(state, tier, sizes) for state in found)
                for found in positions
                if found
            ), f"{tier} hotels at ${price}"


@every_rulebook
def test_more_than_the_limit_is_refused(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "buying/limit")
    hotel = hotels(rulebook)["S"]
    more = (hotel,) * (rulebook.order_limit + 1)
    assert order_violations(state, more) == {Violation.TOO_MANY}
    assert order_violations(state, more[1:]) == {None}
    assert state.mover.cash >= state.price(hotel) * len(more)


@every_rulebook
def test_one_of_each_is_left(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "buying/one-of-each")
    (two,), (mixed,) = letters(rulebook, "SS"), letters(rulebook, "SC")
    assert state.bank == (1,) * 7
    assert order_violations(state, two) == {Violation.SOLD_OUT}
    assert order_violations(state, mixed) == {
        None if rulebook.mixed_orders else Violation.MIXED_ORDER
    }
    assert max(len(order) for order in orders(state)) == (3 if rulebook.mixed_orders else 1)


# -- after a merger -----------------------------------------------------------------------------


@every_rulebook
def test_survivor_was_affordable_before_the_merger(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "buying/survivor-is-dearer")
    assert state.price(hotels(rulebook)["S"]) <= state.mover.cash
    gone = position_of(rulebook, "buying/acquired-is-gone")
    acquired = hotels(rulebook)["W"]
    assert gone.price(acquired) <= gone.mover.cash and gone.bank[acquired]


@every_rulebook
def test_a_third_of_a_bonus_buys_one(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "buying/bonus-to-spend")
    dear = hotels(rulebook)["C"]
    assert state.mover.cash == 0
    for placement in legal_placements(state):
        assert placement.hotel == dear
        merger = merge(state, placement)
        assert merger.state.mover.cash == 1000
        for kept in (True, False):  # what returning brings is what selling brings
            ordering = keep(merger, "player", [kept]).state
            assert (dear,) in legal_orders(ordering)
            illegal = verify_order(ordering, (dear, dear))
            assert illegal is not None and illegal.violation is Violation.TOO_DEAR


TRADING = [each for each in EVERY if each.disposal is DisposalRule.HOLD_SELL_TRADE]


def test_only_rulebooks_with_trades_have_the_case_of_a_trade() -> None:
    assert [each for each in EVERY if "traded-away" in section_of(each, "buying")] == TRADING


@under(TRADING)
def test_opponent_trades_for_all_that_the_bank_had(rulebook: Rulebook) -> None:
    case = section_of(rulebook, "buying")["traded-away"]
    dear = hotels(rulebook)["C"]
    left_in_bank: list[int] = []

    def order(message: RefereeMessage) -> PlayerMessage:
        assert isinstance(message, messages.PlayersView)
        left_in_bank.append(message.view.bank[dear])
        return messages.Order((dear,))

    left = rehearse(case.script, answering(rulebook, "players", order)).left
    assert first_position(case).bank[dear] == 2 and left_in_bank == [0]
    assert left is not None and left.violation is Violation.SOLD_OUT
