"""Buying: "up to two stock certificates of the same kind" (Play 2 and Clarification 1)."""

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest
from loops import for_each
from positions import at_table, held, hotel, hotels, placement, plain, player, reference_game

from acquire.game.disposal import keep
from acquire.game.merger import merge
from acquire.game.placement import place
from acquire.game.purchase import buy, cost, legal_orders, legal_orders_of, verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED, WIKIPEDIA
from acquire.game.state import State
from acquire.game.violation import Illegal, Violation

ANY_THREE = replace(REVISED, order_limit=3, mixed_orders=True)
OFF_BOARD = [("American", 200), ("Continental", 300), ("Festival", 200), ("Imperial", 200)]
OFF_BOARD += [("Tower", 300)]


def refused(state: State, order: str) -> Illegal:
    """What is wrong with an order that is not legal."""
    illegal = verify_order(state, hotels(order))
    assert illegal is not None
    return illegal


# What can be ordered


@for_each(("name", "price"), OFF_BOARD)
def test_hotel_that_is_not_on_the_board_can_be_bought_if_it_has_a_price(
    name: str, price: int
) -> None:
    state = at_table()
    assert verify_order(state, hotels(f"{name} {name}")) is None
    after = buy(state, hotels(f"{name} {name}"))
    assert after.mover.cash == 8_000 - 2 * price
    assert held(after.mover) == {name: 2}


@pytest.mark.parametrize("name", ["Sackson", "Worldwide"])
def test_cheap_hotel_can_be_bought_on_the_board_only(name: str) -> None:
    assert refused(at_table(), name) == (Violation.NO_PRICE, f"{name} has no price at size 0.")
    assert verify_order(at_table(name[0] * 2), hotels(name)) is None


def test_nothing_can_always_be_ordered() -> None:
    penniless = at_table("", player("a", cash=0), player("b"), player("c"))
    assert verify_order(penniless, ()) is None
    assert buy(penniless, ()) is penniless
    assert legal_orders(penniless) == [()]


def test_orders_are_sorted_and_those_of_the_reference() -> None:
    state = at_table("TT.SSS", player("a"), player("b", Imperial=24, Festival=25), player("c"))
    orders = legal_orders(state)
    assert orders == sorted(orders) and orders[0] == ()
    named = [tuple(map(REVISED.hotel_name, order)) for order in orders]
    assert named == reference_game(state).legal_orders()
    assert named == [
        (),
        ("American",), ("American", "American"),
        ("Continental",), ("Continental", "Continental"),
        ("Imperial",),
        ("Sackson",), ("Sackson", "Sackson"),
        ("Tower",), ("Tower", "Tower"),
    ]  # fmt: skip


@for_each("dollars", range(0, 1_300, 50))
def test_legal_orders_are_what_verify_lets_through(dollars: int) -> None:
    mover = player("a", cash=dollars)
    state = at_table("TT.SSS", mover, player("b", Imperial=24, Festival=25), player("c"))
    singles = [(index,) * count for index in range(7) for count in (1, 2)]
    assert legal_orders(state) == [()] + [o for o in singles if verify_order(state, o) is None]


# Why an order is refused


@pytest.mark.parametrize("order", ["Tower Tower Tower", "Tower Tower American", "Tower " * 25])
def test_order_is_for_two_at_most(order: str) -> None:
    count = len(order.split())
    assert refused(at_table(), order) == (
        Violation.TOO_MANY,
        f"{count} certificates ordered; 2 are allowed.",
    )


def test_order_is_for_one_kind() -> None:
    assert refused(at_table(), "Tower American") == (
        Violation.MIXED_ORDER,
        "The order is for American and Tower.",
    )


@pytest.mark.parametrize(
    ("owned", "order", "detail"),
    [
        (25, "Tower", "1 Tower ordered; the bank has none."),
        (25, "Tower Tower", "2 Tower ordered; the bank has none."),
        (24, "Tower Tower", "2 Tower ordered; the bank has 1."),
    ],
)
def test_bank_sells_only_what_it_has(owned: int, order: str, detail: str) -> None:
    state = at_table("", player("a"), player("b", Tower=owned), player("c"))
    assert refused(state, order) == (Violation.SOLD_OUT, detail)


def test_last_certificates_can_be_bought() -> None:
    state = at_table("", player("a"), player("b", Tower=23), player("c"))
    after = buy(state, hotels("Tower Tower"))
    assert after.bank[hotel("Tower")] == 0
    assert held(after.mover) == {"Tower": 2}


@for_each(
    ("dollars", "order", "violation"),
    [
        (299, "Tower", Violation.TOO_DEAR),
        (300, "Tower", None),
        (599, "Tower Tower", Violation.TOO_DEAR),
        (600, "Tower Tower", None),
        (0, "American", Violation.TOO_DEAR),
    ],
)
def test_order_is_paid_from_the_cash_in_hand(
    dollars: int, order: str, violation: Violation | None
) -> None:
    state = at_table("", player("a", cash=dollars), player("b"), player("c"))
    illegal = verify_order(state, hotels(order))
    if violation is None:
        assert illegal is None
        assert buy(state, hotels(order)).mover.cash == 0
    else:
        due = cost(state, hotels(order))
        expected = f"The order costs ${due}; the player has ${dollars}."
        assert illegal == (violation, expected)


def test_certificates_in_hand_are_no_cash() -> None:
    state = at_table("TT", player("a", cash=100, Tower=9), player("b"), player("c"))
    assert refused(state, "Tower").violation is Violation.TOO_DEAR


# The price is the one after the placement and its merger, with the money that those brought


def test_price_is_the_one_after_the_tile() -> None:
    state = at_table("TT", player("a", "3A"), player("b"), player("c"))
    grown = place(state, placement("3A"))
    assert (cost(state, hotels("Tower")), cost(grown, hotels("Tower"))) == (400, 500)


def test_hotel_just_founded_can_be_bought() -> None:
    state = at_table("o", player("a", "2A"), player("b"), player("c"))
    founded = place(state, placement("2A", "Sackson"))
    after = buy(founded, hotels("Sackson Sackson"))
    assert held(after.mover) == {"Sackson": 3} and after.mover.cash == 8_000 - 400


def test_bonus_of_the_merger_can_be_spent() -> None:
    state = at_table("TT.SSS", player("a", "3A", 0, Tower=1), player("b"), player("c"))
    merger = merge(state, placement("3A", "Sackson"))
    assert verify_order(merger.state, hotels("Sackson Sackson")) is None
    assert verify_order(state, hotels("Sackson")) is not None


def test_second_certificate_costs_as_much_as_the_first() -> None:
    state = at_table("TTT")
    assert cost(state, hotels("Tower Tower")) == 2 * cost(state, hotels("Tower")) == 1_000
    assert cost(state, ()) == 0


def test_buying_touches_the_mover_and_the_bank_only() -> None:
    state = at_table("TT.o", player("a", "1I"), player("b", Tower=2), player("c"), bag="5E")
    before = plain(state)
    after = buy(state, hotels("Tower Tower"))
    assert after.bank == (25, 25, 25, 25, 25, 21, 25)
    assert after.players[1:] == state.players[1:]
    assert (after.board, after.bag, after.mover.hand) == (state.board, state.bag, state.mover.hand)
    assert plain(state) == before


def test_certificates_returned_by_others_can_be_bought_in_the_same_turn() -> None:
    state = at_table("TT.SSS", player("a", "3A"), player("b", Tower=25), player("c"))
    merger = merge(state, placement("3A", "Sackson"))
    assert refused(merger.state, "Tower").violation is Violation.SOLD_OUT
    returned = keep(merger, "b", (False,)).state
    assert verify_order(returned, hotels("Tower Tower")) is None
    assert held(buy(returned, hotels("Tower Tower")).mover) == {"Tower": 2}


# A rulebook of any three


def test_any_mix_can_be_ordered_where_the_rulebook_says_so() -> None:
    state = at_table("TT.SSS", rulebook=ANY_THREE)
    order = hotels("Sackson American Tower")
    assert verify_order(state, order) is None
    after = buy(state, order)
    assert held(after.mover) == {"American": 1, "Sackson": 1, "Tower": 1}
    assert after.mover.cash == 8_000 - 300 - 200 - 400
    assert refused(state, "Tower Tower Tower Tower").violation is Violation.TOO_MANY


@pytest.mark.parametrize(
    ("order", "violation", "detail"),
    [
        ("Tower Worldwide", Violation.NO_PRICE, "Worldwide has no price at size 0."),
        ("Imperial Tower", Violation.SOLD_OUT, "1 Imperial ordered; the bank has none."),
        ("American Festival Festival", Violation.SOLD_OUT,
         "2 Festival ordered; the bank has 1."),
        ("Tower Tower American", Violation.TOO_DEAR,
         "The order costs $1,000; the player has $900."),
    ],
)  # fmt: skip
def test_every_part_of_a_mixed_order_has_to_be_legal(
    order: str, violation: Violation, detail: str
) -> None:
    state = at_table(
        "TT", player("a", cash=900), player("b", Imperial=25, Festival=24), rulebook=ANY_THREE
    )
    assert refused(state, order) == (violation, detail)


@for_each("dollars", [0, 200, 500, 900, 8_000])
def test_legal_mixed_orders_are_every_mix_that_verify_lets_through(dollars: int) -> None:
    state = at_table(
        "TT.SSS",
        player("a", cash=dollars),
        player("b", Imperial=23, Festival=24, Tower=25),
        rulebook=ANY_THREE,
    )
    mixes = [mix for count in range(4) for mix in combinations_with_replacement(range(7), count)]
    assert legal_orders(state) == sorted(m for m in mixes if verify_order(state, m) is None)


@for_each("rulebook", [REVISED, CLASSIC, WIKIPEDIA])
def test_legal_orders_are_those_of_each_size(rulebook: Rulebook) -> None:
    state = at_table("TT.SSS", player("a", cash=900), player("b", Tower=23), rulebook=rulebook)
    for count in range(rulebook.order_limit + 1):
        those = [order for order in legal_orders(state) if len(order) == count]
        assert legal_orders_of(state, count) == those != []
    assert legal_orders_of(state, 0) == [()]
