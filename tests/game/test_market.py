"""The stock market as third holder: special rules for two players in "How to play Acquire"."""

from dataclasses import replace

import pytest
from loops import for_each
from positions import (
    CENTRE,
    ROW_E_IS_DEAD,
    by_initials,
    cash,
    crossing,
    initials_of,
    move,
    names,
    owned,
    scene,
    seven,
    sizes,
    tiles,
)

from acquire.game import market
from acquire.game.board import lay_out
from acquire.game.market import Holding
from acquire.game.merger import Merger, bonuses_for, join, pay_bonuses
from acquire.game.placement import Kind, place, verify_hotels, verify_placement
from acquire.game.rulebook import LooseNeighbours, Rulebook
from acquire.game.rulebooks import CLASSIC, RULEBOOKS
from acquire.game.state import State
from acquire.game.tiles import parse_tile
from acquire.game.turn import pay_out
from acquire.game.violation import Violation


def index(initial: str) -> int:
    (found,) = by_initials(initial, CLASSIC)
    return found


def merged(*seats: str, bag: str = "", drawing: str = "") -> Merger:
    """A of 3 tiles, at 400 dollars, goes to S; ann moves."""
    ann, *others = seats
    state = scene(CLASSIC, drawing or crossing(A=3, S=4), f"{ann} {CENTRE}", *others, bag=bag)
    return join(state, move(f"{CENTRE} S", CLASSIC))


# Who has a market beside him


@for_each("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_market_plays_in_classic_only_and_with_two_only(rulebook: Rulebook) -> None:
    with_market = [seats for seats in range(1, 7) if market.takes_part(rulebook, seats)]
    assert with_market == ([2] if rulebook is CLASSIC else [])


# "If 9F is drawn, the Stock Market is said to own 9 blocks"


@for_each(
    ("tile", "shares"), [("9F", 9), ("1A", 1), ("1I", 1), ("12A", 12), ("12I", 12), ("10E", 10)]
)
def test_number_of_the_tile_is_what_the_market_holds(tile: str, shares: int) -> None:
    assert Holding(index("A"), parse_tile(tile)).shares == shares


def test_tile_is_the_next_of_the_bag() -> None:
    state = scene(CLASSIC, "AA", "ann 1I", "bob 2I", bag="9F 5E 1C")
    after, holding = market.draw_holding(state, index("A"))
    assert holding == (index("A"), parse_tile("9F"))
    assert after == state._replace(bag=tiles("5E 1C"))


def test_with_an_empty_bag_the_market_holds_nothing() -> None:
    state = scene(CLASSIC, "AA", "ann 1I", "bob 2I")
    after, holding = market.draw_holding(state, index("A"))
    assert (holding, holding.shares) == ((index("A"), None), 0)
    assert after is state


# The market is a holder like any other, and its bonus stays in the bank


@for_each(
    ("ann", "bob", "held", "paid"),
    [
        pytest.param(11, 5, 9, [4_000, 0], id="second: the rule text's own example"),
        pytest.param(11, 5, 12, [2_000, 0], id="first"),
        pytest.param(11, 5, 4, [4_000, 2_000], id="third"),
        pytest.param(9, 5, 9, [3_000, 0], id="tied for first"),
        pytest.param(9, 9, 9, [2_000, 2_000], id="all tied"),
        pytest.param(7, 7, 9, [1_000, 1_000], id="first, the others tied"),
        pytest.param(9, 9, 7, [3_000, 3_000], id="third, the others tied"),
        pytest.param(11, 5, 5, [4_000, 1_000], id="tied for second"),
        pytest.param(11, 0, 5, [4_000, 0], id="the only other holder"),
        pytest.param(3, 0, 5, [2_000, 0], id="first of two"),
        pytest.param(5, 0, 5, [3_000, 0], id="tied with the only other"),
        pytest.param(0, 0, 5, [0, 0], id="the sole holder"),
        pytest.param(0, 0, 0, [0, 0], id="nobody holds any"),
        pytest.param(3, 0, 0, [6_000, 0], id="empty bag: ann is the sole holder"),
        pytest.param(3, 2, 0, [4_000, 2_000], id="empty bag: as without"),
    ],
)
def test_market_competes_for_the_bonuses(ann: int, bob: int, held: int, paid: list[int]) -> None:
    merger = merged(f"ann A{ann}", f"bob A{bob}")
    after = pay_bonuses(merger, merger.acquired, held)
    assert [*cash(after.state).values()] == paid
    assert sum(bonus.amount for bonus in after.bonuses) == sum(paid)
    assert {bonus.name for bonus in after.bonuses} <= {"ann", "bob"}
    assert after.state.bank == merger.state.bank, "what the market holds is nobody's certificates"


def test_share_in_a_tie_with_the_market_is_rounded_up_to_the_next_hundred() -> None:
    owners = merged("ann A3", "bob A1").state.players
    tied = bonuses_for(CLASSIC, index("A"), 300, owners, 3)
    assert [(bonus.name, bonus.amount) for bonus in tied] == [("ann", 2_300)]
    tied = bonuses_for(CLASSIC, index("A"), 300, owners, 1)
    assert [(bonus.name, bonus.amount) for bonus in tied] == [("ann", 3_000), ("bob", 800)]


def test_each_acquired_hotel_has_a_holding_of_its_own() -> None:
    """F of 3 and A of 2 are acquired: the market has 9 of the one and 2 of the other."""
    merger = merged("ann F5 A5", "bob F2 A1", bag="9F 2B", drawing=crossing(F=3, A=2, S=4))
    for hotel in merger.acquired:
        state, holding = market.draw_holding(merger.state, hotel)
        merger = pay_bonuses(merger._replace(state=state), [hotel], holding.shares)
    paid = [(initials_of([b.hotel], CLASSIC), b.name, b.amount) for b in merger.bonuses]
    assert paid == [("F", "ann", 2_000), ("A", "ann", 3_000)]
    assert merger.state.bag == ()


# Placing the market's tile

SEVEN = seven(CLASSIC)
TWO_SAFE = ROW_E_IS_DEAD.replace("FF...", "FF.oo")


@for_each(
    ("drawing", "tile", "kind", "hotels", "loose"),
    [
        pytest.param("AA", "5E", Kind.SINGLETON, "A2", "5E", id="touches nothing"),
        pytest.param("AA.oo", "6A", Kind.SINGLETON, "A2", "4A 5A 6A", id="would found"),
        pytest.param("", "5E", Kind.SINGLETON, "", "5E", id="first of all"),
        pytest.param(
            SEVEN, "3E", Kind.SINGLETON, "A2 C2 F2 I2 S2 T2 W2", "2E 3E", id="would be an eighth"
        ),
        pytest.param("AA", "3A", Kind.GROWING, "A3", "", id="one hotel"),
        pytest.param("AA.o.o\n...oo", "3A", Kind.GROWING, "A6", "6A", id="and loose tiles"),
        pytest.param(TWO_SAFE, "1C", Kind.GROWING, "A13 F2 S12", "4A 5A", id="a safe hotel"),
    ],
)
def test_tile_that_merges_nothing_is_placed(
    drawing: str, tile: str, kind: Kind, hotels: str, loose: str
) -> None:
    state = scene(CLASSIC, drawing, "ann 1I", "bob 2I", bag="9I")
    assert market.kind_for_market(state.board, parse_tile(tile)) is kind
    after = market.place_tile(state, parse_tile(tile))
    assert (sizes(after), names(after.board.loose)) == (hotels, loose)
    assert after.board == lay_out(CLASSIC, after.board.loose, after.board.hotels)
    assert after._replace(board=state.board) == state, "nobody's hand, certificates or money"


def test_permanently_unplayable_tile_is_set_aside() -> None:
    state = scene(CLASSIC, TWO_SAFE, "ann 1I", "bob 2I")._replace(aside=1 << parse_tile("9E"))
    assert market.kind_for_market(state.board, parse_tile("1E")) is None
    after = market.place_tile(state, parse_tile("1E"))
    assert names(after.aside) == "1E 9E"
    assert after._replace(aside=state.aside) == state


def test_tile_beside_a_hotel_and_a_loose_tile_is_set_aside_where_no_player_may_place_it() -> None:
    refusing = replace(CLASSIC, loose_neighbours=LooseNeighbours.REFUSED)
    for drawing, kind in (("AA.o", Kind.GROWING), ("AA.SS\n..o", Kind.MERGING)):
        state, tile = scene(refusing, drawing, "ann", "bob"), parse_tile("3A")
        assert market.kind_for_market(scene(CLASSIC, drawing, "ann", "bob").board, tile) is kind
        after = market.place_tile(state, tile)
        assert (after.board, names(after.aside)) == (state.board, "3A")
    beside = market.place_tile(scene(refusing, "o", "ann", "bob"), parse_tile("2A"))
    assert names(beside.board.loose) == "1A 2A"


def test_next_player_founds_by_the_tile_that_the_market_could_not() -> None:
    state = scene(CLASSIC, "oo", "ann 4A", "bob")
    laid = market.place_tile(state, parse_tile("3A"))
    assert sizes(laid) == ""
    founded = place(laid, move("4A F", CLASSIC))
    assert (sizes(founded), owned(founded, "ann")) == ("F4", "F1 $0")


def test_eighth_hotels_tile_is_only_the_players_to_leave_unplaced() -> None:
    state = scene(CLASSIC, SEVEN, "ann 3E", "bob")
    illegal = verify_placement(state, move("3E", CLASSIC))
    assert illegal is not None and illegal.violation is Violation.EIGHTH_HOTEL
    assert market.kind_for_market(state.board, parse_tile("3E")) is Kind.SINGLETON


def test_tile_that_merges_is_a_merger_with_the_mover_as_the_placer() -> None:
    """Among equals the mover chooses who survives, with a tile that is in no hand."""
    state = scene(CLASSIC, "AA.SS", "ann 1I A3", "bob 2I A1")
    tile = parse_tile("3A")
    assert market.kind_for_market(state.board, tile) is Kind.MERGING
    for survivor, acquired in ("A", "S"), ("S", "A"):
        choice = move(f"3A {survivor}", CLASSIC)
        assert verify_hotels(CLASSIC, state.board, choice) is None
        merger = join(state, choice)
        assert initials_of(merger.acquired, CLASSIC) == acquired
        assert sizes(merger.state) == f"{survivor}5"
        assert names(merger.state.mover.hand) == "1I"
    smaller = scene(CLASSIC, "AAA.SS", "ann 1I", "bob")
    illegal = verify_hotels(CLASSIC, smaller.board, move("4A S", CLASSIC))
    assert illegal is not None and illegal.violation is Violation.NOT_LARGEST


@pytest.mark.parametrize(
    ("drawing", "kind"),
    [
        (TWO_SAFE.replace("SSSSSSSSSSSS", "SS"), Kind.MERGING),
        (TWO_SAFE.replace("SSSSSSSSSSSS", "SSSSSSSSSS"), Kind.MERGING),
        (TWO_SAFE.replace("SSSSSSSSSSSS", "SSSSSSSSSSS"), None),
    ],
    ids=["2", "10", "11"],
)
def test_tile_merges_one_safe_hotel_but_not_two(drawing: str, kind: Kind | None) -> None:
    state = scene(CLASSIC, drawing, "ann", "bob")
    assert market.kind_for_market(state.board, parse_tile("1E")) is kind


def test_merger_may_make_a_waiting_tile_another_kind() -> None:
    """What a tile does is judged when its turn to be placed comes."""
    state = scene(CLASSIC, "AA.SSS", "ann 3A", "bob")
    assert market.kind_for_market(state.board, parse_tile("3B")) is Kind.SINGLETON
    after = join(state, move("3A S", CLASSIC)).state
    assert market.kind_for_market(after.board, parse_tile("3B")) is Kind.GROWING
    assert sizes(market.place_tile(after, parse_tile("3B"))) == "S7"


# "At the end of game, the Stock Market again competes"


def ended(bag: str) -> State:
    """S of 4 tiles, A and F of 3, C of 2, at the end of a game."""
    drawing = "AAA.FFF.CC\n..........\nSSSS.....o"
    return scene(CLASSIC, drawing, "ann 1I A1 C2", "bob 2I S2", bag=bag)


def drawn_at_the_end(state: State) -> tuple[list[Holding], State]:
    """What the market holds at the end, and the position after its draws."""
    found = market.draw_final_holdings(state)
    return [holding for holding, _ in found], found[-1][1]


def test_at_the_end_a_tile_is_drawn_for_each_hotel_the_largest_first() -> None:
    state = ended("9I 8I 7I 6I 5I 4I")
    held, after = drawn_at_the_end(state)
    assert initials_of([holding.hotel for holding in held], CLASSIC) == "SAFC"
    assert [holding.shares for holding in held] == [9, 8, 7, 6]
    assert names(after.aside) == "6I 7I 8I 9I"
    assert after.bag == tiles("5I 4I")
    assert (after.board, after.players, after.bank) == (state.board, state.players, state.bank)


def test_tiles_drawn_at_the_end_are_not_placed_whatever_they_would_do() -> None:
    state = ended("4A 8A 9A 5C")
    _, after = drawn_at_the_end(state)
    assert after.board == state.board
    assert names(after.aside) == "4A 8A 9A 5C"


def test_bag_that_is_short_at_the_end_serves_the_largest() -> None:
    held, after = drawn_at_the_end(ended("9I 8I"))
    assert [(initials_of([hold.hotel], CLASSIC), hold.shares) for hold in held] == [
        ("S", 9), ("A", 8), ("F", 0), ("C", 0),
    ]  # fmt: skip
    assert [holding.tile is None for holding in held] == [False, False, True, True]
    assert names(after.aside) == "8I 9I"


def test_nothing_is_drawn_at_the_end_of_a_game_without_hotels() -> None:
    state = scene(CLASSIC, "o.o", "ann 1I", "bob 2I", bag="9I")
    assert market.draw_final_holdings(state) == []


def test_market_keeps_its_bonuses_at_the_end() -> None:
    """A of 3 costs 400: the market has 8 and ann one; S of 4 costs 400: the market 1, bob 2."""
    held, state = drawn_at_the_end(ended("1H 8I 7I 6I"))
    assert {one.hotel: one.shares for one in held} == {
        index("S"): 1,
        index("A"): 8,
        index("F"): 7,
        index("C"): 6,
    }
    final = pay_out(state, {one.hotel: one.shares for one in held})
    paid = [(initials_of([b.hotel], CLASSIC), b.name, b.amount) for b in final.bonuses]
    assert paid == [("A", "ann", 2_000), ("C", "ann", 2_000), ("S", "bob", 4_000)]
    assert final.scores == (("ann", 2_000 + 2_000 + 400 + 2 * 400), ("bob", 4_000 + 2 * 400))
