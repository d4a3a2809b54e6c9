"""Net worth: the score if the game ended now, also while a merger is settled."""

import pytest

from acquire.game.disposal import Disposal, dispose, keep
from acquire.game.merger import join, merge, pay_bonuses
from acquire.game.notation import parse_position
from acquire.game.placement import Placement
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.game.tiles import parse_tile
from acquire.game.turn import pay_out, worth, worth_in_merger

THREE_A = parse_tile("3A")
AMERICAN, CONTINENTAL = 0, 1


def before_a_merger() -> State:
    """American, two tiles at $300, joins Continental, three at $400, six at $700 afterwards."""
    players = ["ann 3A A6 $100", "bob A2 C1", "cyd $50"]
    return parse_position(CLASSIC, "AA.CCC", players)


MERGING = Placement(THREE_A, hotel=CONTINENTAL)


def test_net_worth_is_what_the_pay_out_would_give() -> None:
    state = before_a_merger()
    assert worth(state) == dict(pay_out(state).scores)
    assert worth(state)["cyd"] == 50


def test_certificates_of_a_hotel_off_the_board_count_nothing() -> None:
    state = parse_position(CLASSIC, "", ["ann A6 $100", "bob"])
    assert worth(state) == {"ann": 100, "bob": 0}


def test_market_counts_only_hotels_whose_tile_is_drawn() -> None:
    state = parse_position(CLASSIC, "AA.TT", ["ann A5 T5", "bob"])
    price = state.price(AMERICAN)
    without = worth(state)["ann"]
    assert worth(state, {AMERICAN: 12})["ann"] == without - 10 * price
    assert worth(state, {AMERICAN: 0}) == worth(state)


def test_joining_hotels_takes_nothing_from_holders_of_the_acquired_one() -> None:
    before = before_a_merger()
    joined = join(before, MERGING)
    rise = joined.state.price(CONTINENTAL) - before.price(CONTINENTAL)
    bonuses = 15 * rise  # bob alone holds Continental
    assert worth_in_merger(joined) == {
        "ann": worth(before)["ann"],
        "bob": worth(before)["bob"] + rise + bonuses,
        "cyd": 50,
    }


def test_payment_of_the_bonuses_changes_no_net_worth() -> None:
    joined = join(before_a_merger(), MERGING)
    assert worth_in_merger(pay_bonuses(joined, joined.acquired)) == worth_in_merger(joined)


def test_sale_at_the_price_before_the_merger_changes_no_net_worth() -> None:
    merged = merge(before_a_merger(), MERGING)
    sold = dispose(merged, "ann", AMERICAN, Disposal(sell=6))
    assert worth_in_merger(sold) == worth_in_merger(merged)


def test_markets_tile_of_an_acquired_hotel_counts_until_its_bonuses_are_paid() -> None:
    joined = join(before_a_merger(), MERGING)
    held = {AMERICAN: 9}
    paid = pay_bonuses(joined, joined.acquired, market=9)
    assert worth_in_merger(joined, held) == worth_in_merger(paid, held)
    assert worth_in_merger(paid) == worth_in_merger(paid, held)
    assert worth_in_merger(joined, held)["bob"] < worth_in_merger(joined)["bob"]


@pytest.mark.parametrize("kept", [True, False])
def test_kept_certificates_count_until_the_merger_is_over(kept: bool) -> None:
    players = ["ann 3A A6 $100", "bob A2 C1", "cyd $50"]
    merged = merge(parse_position(REVISED, "AA.CCC", players), MERGING)
    decided = keep(merged, "ann", [kept])
    assert worth_in_merger(decided) == worth_in_merger(merged)
    lost = 6 * merged.price(AMERICAN) if kept else 0
    assert worth(decided.state)["ann"] == worth_in_merger(merged)["ann"] - lost
