"""A merger: "Play", step 1.3 of the rule text, and its Clarifications 2 and 4."""

from dataclasses import replace

import pytest
from loops import for_each
from positions import (
    CENTRE,
    at_table,
    cash,
    crossing,
    held,
    holders,
    hotel,
    hotels,
    names,
    placement,
    plain,
    player,
    reference_game,
)

from acquire.game.board import lay_out
from acquire.game.disposal import keep
from acquire.game.merger import Bonus, bonuses_for, merge, pay
from acquire.game.placement import Placement, legal_placements, place, playable, verify_placement
from acquire.game.purchase import buy, legal_orders
from acquire.game.rulebook import ForbiddenMerger, LooseNeighbours, Rounding, Rulebook, SoleHolder
from acquire.game.rulebooks import REVISED
from acquire.game.state import State
from acquire.game.tiles import parse_tile
from acquire.game.violation import BrokenRule, Violation

TOWER = hotel("Tower")
TO_THE_HUNDRED = replace(REVISED, rounding=Rounding.UP, rounding_step=100)
THREE_BONUSES = replace(
    REVISED,
    bonus_multiples=(10, 5, 2),
    sole_holder=SoleHolder.ALL_BONUSES,
    rounding=Rounding.UP,
    rounding_step=100,
)
BOTH = replace(REVISED, sole_holder=SoleHolder.ALL_BONUSES)


def paid(rulebook: Rulebook, price: int, counts: list[int]) -> list[int]:
    """What players with these numbers of certificates are paid for a hotel at this price."""
    owners = holders("Tower", counts)
    bonuses = bonuses_for(rulebook, TOWER, price, owners)
    assert [bonus.name for bonus in bonuses] == sorted(bonus.name for bonus in bonuses)
    assert {bonus.hotel for bonus in bonuses} <= {TOWER}
    due = {bonus.name: bonus.amount for bonus in bonuses}
    assert len(due) == len(bonuses)
    return [due.get(owner.name, 0) for owner in owners]


# "The banker pays the majority owner a bonus of 10x of the current price for a single stock
# certificate. The minority owner receives a bonus of 5x of the current price."


@for_each(
    ("counts", "expected"),
    [
        pytest.param([], [], id="no players"),
        pytest.param([0, 0, 0], [0, 0, 0], id="nobody holds any"),
        pytest.param([0, 1, 0], [0, 4_000, 0], id="sole holder of one"),
        pytest.param([25, 0, 0], [4_000, 0, 0], id="sole holder of all"),
        pytest.param([3, 0, 2], [4_000, 0, 2_000], id="majority and minority"),
        pytest.param([1, 2, 3], [0, 2_000, 4_000], id="the third gets nothing"),
        pytest.param([24, 1, 0], [4_000, 2_000, 0], id="however far apart"),
        pytest.param([3, 3, 2], [3_000, 3_000, 0], id="two tied for majority"),
        pytest.param([2, 0, 2, 1], [3_000, 0, 3_000, 0], id="tied, not beside each other"),
        pytest.param([2, 2, 2], [2_000] * 3, id="three tied for majority"),
        pytest.param([5, 5, 5, 5, 1], [1_500] * 4 + [0], id="four tied for majority"),
        pytest.param([4, 4, 4, 4, 4, 3], [1_200] * 5 + [0], id="five tied for majority"),
        pytest.param([4] * 6, [1_000] * 6, id="six tied for majority"),
        pytest.param([5, 2, 2], [4_000, 1_000, 1_000], id="two tied for minority"),
        pytest.param([2, 5, 2, 2], [667, 4_000, 667, 667], id="three tied for minority"),
        pytest.param([5, 2, 2, 2, 2, 1], [4_000] + [500] * 4 + [0], id="four tied for minority"),
        pytest.param([5, 4, 4, 4, 4, 4], [4_000] + [400] * 5, id="five tied for minority"),
    ],
)
def test_bonuses_of_a_hotel_at_400(counts: list[int], expected: list[int]) -> None:
    assert paid(REVISED, 400, counts) == expected


@for_each("price", range(200, 1_300, 100))
def test_majority_is_paid_ten_and_minority_five_times_any_price(price: int) -> None:
    assert paid(REVISED, price, [2, 1, 0]) == [10 * price, 5 * price, 0]


# "share the minority bonus equally, rounded to the nearest full unit of dollars"


@for_each(
    ("price", "counts", "expected"),
    [
        pytest.param(200, [2, 1, 1, 1], [2_000, 333, 333, 333], id="333.33 is rounded down"),
        pytest.param(400, [2, 1, 1, 1], [4_000, 667, 667, 667], id="666.67 is rounded up"),
        pytest.param(300, [2, 1, 1, 1], [3_000, 500, 500, 500], id="500 stays"),
        pytest.param(1_100, [2, 1, 1, 1], [11_000, 1_833, 1_833, 1_833], id="1833.33"),
        pytest.param(1_000, [1, 1, 1, 1, 1, 1], [2_500] * 6, id="a majority of six"),
        pytest.param(700, [2, 1, 1, 1, 1], [7_000] + [875] * 4, id="a quarter"),
    ],
)
def test_share_is_rounded_to_the_nearest_dollar(
    price: int, counts: list[int], expected: list[int]
) -> None:
    assert paid(REVISED, price, counts) == expected


@for_each(
    ("rulebook", "price", "counts", "expected"),
    [
        pytest.param(TO_THE_HUNDRED, 400, [3, 3, 2], [3_000, 3_000, 0], id="nothing to round"),
        pytest.param(TO_THE_HUNDRED, 300, [3, 3, 1], [2_300, 2_300, 0], id="majority, up to 100"),
        pytest.param(TO_THE_HUNDRED, 300, [4, 1, 1], [3_000, 800, 800], id="minority, up to 100"),
        pytest.param(TO_THE_HUNDRED, 400, [4, 1, 1, 1], [4_000] + [700] * 3, id="three, up to 100"),
        pytest.param(TO_THE_HUNDRED, 500, [4, 1], [5_000, 2_500], id="whole ones are not rounded"),
        pytest.param(BOTH, 400, [0, 7, 0], [0, 6_000, 0], id="both bonuses: alone"),
        pytest.param(BOTH, 400, [1, 7, 0], [2_000, 4_000, 0], id="both bonuses: not alone"),
        pytest.param(BOTH, 400, [7, 7, 0], [3_000, 3_000, 0], id="both bonuses: tied"),
        pytest.param(BOTH, 400, [0, 0, 0], [0, 0, 0], id="both bonuses: nobody"),
        pytest.param(THREE_BONUSES, 400, [5, 3, 2, 1], [4_000, 2_000, 800, 0], id="a place each"),
        pytest.param(THREE_BONUSES, 400, [5, 5, 2, 1], [3_000, 3_000, 800, 0], id="first tied"),
        pytest.param(THREE_BONUSES, 400, [5, 3, 3, 1], [4_000, 1_400, 1_400, 0], id="second tied"),
        pytest.param(THREE_BONUSES, 400, [5, 3, 1, 1], [4_000, 2_000, 400, 400], id="third tied"),
        pytest.param(THREE_BONUSES, 400, [5, 5, 5, 1], [2_300] * 3 + [0], id="all places taken up"),
        pytest.param(THREE_BONUSES, 400, [5, 3, 0, 0], [4_000, 2_000, 0, 0], id="nobody is third"),
        pytest.param(THREE_BONUSES, 400, [5, 0, 0, 0], [6_800, 0, 0, 0], id="sole holder of three"),
        pytest.param(THREE_BONUSES, 250, [5, 3, 2], [2_500, 1_250, 500], id="each bonus is whole"),
    ],
)
def test_bonuses_are_shared_and_rounded_as_the_rulebook_says(
    rulebook: Rulebook, price: int, counts: list[int], expected: list[int]
) -> None:
    """Who are tied share the bonuses of all places that they take up."""
    assert paid(rulebook, price, counts) == expected


def test_other_hotels_certificates_do_not_count() -> None:
    owners = [player("a", Tower=1, Sackson=20), player("b", Tower=2), player("c", American=9)]
    assert bonuses_for(REVISED, TOWER, 400, owners) == [
        Bonus(TOWER, "a", 2_000),
        Bonus(TOWER, "b", 4_000),
    ]


def test_bonuses_of_several_hotels_add_up() -> None:
    owners = [player("a", cash=10), player("b", cash=20), player("c", cash=30)]
    bonuses = [Bonus(0, "c", 5), Bonus(1, "a", 1), Bonus(3, "c", 100)]
    assert [owner.cash for owner in pay(owners, bonuses)] == [11, 20, 135]
    assert pay(owners, []) == tuple(owners)


# Merging


def meeting(**sizes: int) -> State:
    """Hotels that meet at 6E, the mover's only tile."""
    return at_table(crossing(**sizes), player("ann", CENTRE), player("bob"), player("cyd"))


@for_each(
    ("sizes", "survivor", "acquired"),
    [
        pytest.param({"Tower": 2, "Sackson": 3}, "Sackson", "Tower", id="two"),
        pytest.param({"Tower": 3, "Sackson": 3}, "Tower", "Sackson", id="two equals"),
        pytest.param(
            {"Tower": 2, "Sackson": 4, "Festival": 3}, "Sackson", "Festival Tower",
            id="three: by falling size",
        ),
        pytest.param(
            {"Tower": 3, "Sackson": 4, "Festival": 3}, "Sackson", "Festival Tower",
            id="three: equals by the alphabet",
        ),
        pytest.param(
            {"Tower": 4, "Sackson": 4, "American": 3}, "Tower", "Sackson American",
            id="three: the remaining equal first",
        ),
        pytest.param(
            {"Tower": 3, "Sackson": 3, "American": 3}, "Sackson", "American Tower",
            id="three: all equal",
        ),
        pytest.param(
            {"Worldwide": 5, "American": 2, "Tower": 4, "Festival": 3}, "Worldwide",
            "Tower Festival American", id="four: by falling size",
        ),
        pytest.param(
            {"Worldwide": 4, "American": 2, "Tower": 4, "Festival": 3}, "Worldwide",
            "Tower Festival American", id="four: two equal largest",
        ),
        pytest.param(
            {"Worldwide": 4, "American": 4, "Tower": 4, "Festival": 2}, "Tower",
            "American Worldwide Festival", id="four: three equal largest",
        ),
        pytest.param(
            {"Worldwide": 3, "American": 3, "Tower": 3, "Festival": 3}, "Festival",
            "American Tower Worldwide", id="four: all equal",
        ),
    ],
)  # fmt: skip
def test_acquired_are_the_remaining_largest_first_then_by_falling_size(
    sizes: dict[str, int], survivor: str, acquired: str
) -> None:
    state = meeting(**sizes)
    choice = placement(CENTRE, survivor)
    assert verify_placement(state, choice) is None
    merger = merge(state, choice)
    assert merger.acquired == hotels(acquired)
    assert merger.placement == choice
    after = merger.state.board
    assert after.sizes[hotel(survivor)] == sum(sizes.values()) + 1
    assert [after.sizes[index] for index in merger.acquired] == [0] * len(merger.acquired)
    assert merger.prices == tuple(state.price(index) for index in merger.acquired)
    assert names(playable(merger.state)) == ""
    reference = reference_game(state)
    reference.place(CENTRE, survivor)
    assert reference.acquired == acquired.split()
    assert reference.state() == plain(merger.state)


@pytest.mark.parametrize(
    ("equals", "acquired"),
    [("", "American Tower Sackson"), ("Tower American", "Tower American Sackson")],
)
def test_equals_are_acquired_in_the_order_of_the_placer(equals: str, acquired: str) -> None:
    sizes = {"Worldwide": 5, "Tower": 3, "American": 3, "Sackson": 2}
    choice = placement(CENTRE, "Worldwide")._replace(equals=hotels(equals))
    assert merge(meeting(**sizes), choice).acquired == hotels(acquired)


def test_survivor_takes_in_the_tiles_of_all_and_the_one_placed() -> None:
    merger = merge(meeting(Tower=2, Sackson=3), placement(CENTRE, "Sackson"))
    assert plain(merger.state)["hotels"] == {"Sackson": ["6B", "6C", "6D", "4E", "5E", "6E"]}
    assert plain(merger.state)["loose"] == []


def test_merger_leaves_other_hotels_and_loose_tiles_alone() -> None:
    state = at_table("TT.SSS\n......\nFF..o", player("a", "3A"), player("b"), player("c"))
    after = plain(merge(state, placement("3A", "Sackson")).state)
    assert after["hotels"] == {
        "Festival": ["1C", "2C"],
        "Sackson": ["1A", "2A", "3A", "4A", "5A", "6A"],
    }
    assert after["loose"] == ["5C"]


def test_merged_board_equals_a_new_layout() -> None:
    after = merge(meeting(Tower=4, Sackson=4, American=6), placement(CENTRE, "American")).state
    assert after.board == lay_out(REVISED, after.board.loose, after.board.hotels)
    assert after.board.sizes[hotel("American")] == 15


TWO_OF_11 = """
    TTTTTTTTTTT.
    ............
    SSSSSSSSSSS.
"""


def test_two_hotels_of_11_merge_into_a_safe_one() -> None:
    state = at_table(TWO_OF_11, *holders("Tower", [1, 0, 0], hand="5B"))
    merger = merge(state, placement("5B", "Sackson"))
    assert merger.prices == (900,)
    assert merger.state.board.sizes[hotel("Sackson")] == 23


def test_hotel_of_40_can_survive_only_where_one_may_be_safe() -> None:
    two_safe = replace(REVISED, forbidden_merger=ForbiddenMerger.TWO_SAFE)
    drawing = "\n".join(["TTTTTTTTTTTT"] * 3 + ["TTTT", "....SS"])
    revised = at_table(drawing, player("a", "4E"))
    other = at_table(drawing, player("a", "4E"), rulebook=two_safe)
    illegal = verify_placement(revised, placement("4E", "Tower"))
    assert illegal is not None and illegal.violation is Violation.SAFE_MERGER
    assert verify_placement(other, placement("4E", "Tower")) is None
    merger = merge(other, placement("4E", "Tower"))
    assert merger.state.board.sizes[TOWER] == 43
    assert merger.acquired == hotels("Sackson")


def test_survivor_that_absorbs_takes_in_loose_clusters_uncounted() -> None:
    """Neither the cluster nor the tile placed counts for a size in the merger."""
    absorbed = replace(REVISED, loose_neighbours=LooseNeighbours.ABSORBED)
    drawing = """
        TTT.SSS
        ...o...
        ...oo.o
    """
    state = at_table(drawing, *holders("Tower", [1, 0, 0], hand="4A"), rulebook=absorbed)
    assert verify_placement(state, placement("4A", "Sackson")) is None
    merger = merge(state, placement("4A", "Sackson"))
    assert merger.prices == (500,) and merger.bonuses == (Bonus(TOWER, "a", 5_000),)
    assert merger.state.board.sizes[hotel("Sackson")] == 10
    assert names(merger.state.board.loose) == "7C"


@pytest.mark.parametrize("name", [None, "American", "Worldwide"])
def test_survivor_has_to_be_one_of_those_merged(name: str | None) -> None:
    state = at_table("TT.SS.AA", player("a", "3A"))
    with pytest.raises(
        BrokenRule, match="the survivor of a merger must be one of the merging hotels"
    ):
        merge(state, placement("3A", name))


# The bonuses of a merger are paid at the prices before it (Clarification 2)


def test_bonuses_are_paid_at_the_price_before_the_tile_was_placed() -> None:
    state = at_table("TT.SSS", *holders("Tower", [2, 1, 0], hand="3A", cash=100))
    merger = merge(state, placement("3A", "Sackson"))
    assert merger.bonuses == (Bonus(TOWER, "a", 4_000), Bonus(TOWER, "b", 2_000))
    assert cash(merger.state) == {"a": 4_100, "b": 2_100, "c": 100}


def test_survivors_holders_are_paid_nothing() -> None:
    state = at_table("TT.SSS", *holders("Sackson", [2, 1, 0], hand="3A"))
    assert merge(state, placement("3A", "Sackson")).bonuses == ()


def test_certificates_stay_with_their_holders_until_they_are_asked() -> None:
    state = at_table("TT.SSS", *holders("Tower", [2, 1, 0], hand="3A 9I"))
    after = merge(state, placement("3A", "Sackson")).state
    assert [owner.shares for owner in after.players] == [owner.shares for owner in state.players]
    assert after.bank == state.bank and after.bag == state.bag
    assert names(after.mover.hand) == "9I"


def test_four_way_merger_pays_each_acquired_hotel_by_itself() -> None:
    """Worldwide 2, Tower 3 and Festival 4 go to American 5: at 200, 500 and 500 dollars."""
    state = at_table(
        crossing(American=5, Festival=4, Tower=3, Worldwide=2),
        player("a", CENTRE, 0, Festival=2, Tower=1, American=9),
        player("b", "", 0, Festival=2, Tower=1, Worldwide=3),
        player("c", "", 0, Festival=1, Tower=1),
        player("d", "", 0, Tower=2),
    )
    merger = merge(state, placement(CENTRE, "American"))
    assert merger.acquired == hotels("Festival Tower Worldwide")
    assert merger.prices == (500, 500, 200)
    festival, _, worldwide = merger.acquired
    assert merger.bonuses == (
        Bonus(festival, "a", 3_750),
        Bonus(festival, "b", 3_750),
        Bonus(TOWER, "a", 833),
        Bonus(TOWER, "b", 833),
        Bonus(TOWER, "c", 833),
        Bonus(TOWER, "d", 5_000),
        Bonus(worldwide, "b", 2_000),
    )
    assert cash(merger.state) == {"a": 4_583, "b": 6_583, "c": 833, "d": 5_000}


# What follows


def test_mover_can_buy_an_acquired_hotel_at_once_if_it_has_a_price() -> None:
    """Clarification 1: a medium hotel that has left the board costs 200, an expensive one 300."""
    state = at_table(
        crossing(Festival=2, Tower=2, Sackson=3, Worldwide=2), *holders("Tower", [25, 0], hand="6E")
    )
    merger = merge(state, placement(CENTRE, "Sackson"))
    orders = legal_orders(merger.state)
    assert (hotel("Festival"),) * 2 in orders
    assert (hotel("Worldwide"),) not in orders  # cheap: no price off the board
    assert (TOWER,) not in orders  # the bank has none
    returned = keep(merger, "a", (True, False, True)).state
    assert (TOWER,) * 2 in legal_orders(returned)
    bought = buy(returned, (TOWER, TOWER))
    assert bought.mover.cash == returned.mover.cash - 600
    assert held(bought.mover) == {"Tower": 2}


def test_acquired_hotel_can_be_founded_by_the_next_tile() -> None:
    state = at_table("TT.SSS..o", *holders("Tower", [25, 0], hand="3A 10A"))
    kept = merge(state, placement("3A", "Sackson")).state
    founding = placement("10A", "Tower")
    assert founding in legal_placements(kept)
    after = place(kept, founding)
    assert after.board.sizes[TOWER] == 2
    assert held(after.mover) == {"Tower": 25}  # all kept: the bank has none for the founder


def test_old_states_stay_as_they_were() -> None:
    state = at_table("TT.SSS", *holders("Tower", [3, 1, 0], hand="3A"))
    first = plain(state)
    merger = merge(state, Placement(parse_tile("3A"), hotel("Sackson")))
    second = plain(merger.state)
    keep(merger, "a", (False,))
    buy(merger.state, (TOWER,))
    assert plain(state) == first
    assert plain(merger.state) == second
