"""The second yardstick measured: the clauses of the four other rule texts, and random games."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from clear_rules import ALL_TILES
from clear_rules import price_at as revised_price_at
from clear_table import RULES, ClearTable, share_of

Shares = dict[str, int]
ALL_RULES = list(RULES)
SAME = [rules for rules in RULES if rules != "wikipedia"]  # in what is done with a hand


def line(row: str, first: int, last: int) -> list[str]:
    """The tiles of one row from one column to another, both included."""
    return [f"{column}{row}" for column in range(first, last + 1)]


def bag_of(*front: str) -> list[str]:
    """All tiles, these first."""
    return [*front, *(tile for tile in ALL_TILES if tile not in front)]


def position(
    *hand: str,
    rules: str = "classic",
    loose: list[str] | None = None,
    hotels: dict[str, list[str]] | None = None,
    shares: list[Shares] | None = None,
    cash: int = 6_000,
    bag: list[str] | None = None,
    market: bool = False,
) -> ClearTable:
    """A table for a, b, c .., one for each of the shares; a is the mover and has the whole hand."""
    owners = shares or ([{}, {}] if market else [{}, {}, {}])
    hands = [list(hand)] + [[] for _ in owners[1:]]
    players = [
        (name, cash, held, tiles)
        for name, held, tiles in zip("abcdef", owners, hands, strict=False)
    ]
    return ClearTable.from_position(
        rules, loose or [], hotels or {}, players, bag or [], market=market
    )


def two_safe() -> dict[str, list[str]]:
    """Two safe hotels, in rows B and D, that every tile of row C would merge."""
    return {"Tower": line("B", 1, 12), "Sackson": line("D", 1, 12)}


# Setup


@pytest.mark.parametrize("rules", ALL_RULES)
def test_six_tiles_each_and_6000_dollars_from_the_starter_on(rules: str) -> None:
    table = ClearTable(rules, ["zoe", "adam", "eve"], bag_of("9I", "1A", "5E"))
    assert table.start_tiles == [("zoe", "9I"), ("adam", "1A"), ("eve", "5E")]
    players = table.state()["players"]
    assert [player["name"] for player in players] == ["adam", "eve", "zoe"]
    assert players[0]["tiles"] == line("A", 2, 7)
    assert players[1]["tiles"] == [*line("A", 8, 12), "1B"]
    assert players[2]["tiles"] == line("B", 2, 7)
    assert {player["cash"] for player in players} == {6_000}
    assert table.state()["loose"] == ["1A", "5E", "9I"]
    assert table.bag[0] == "8B" and len(table.bag) == 108 - 3 - 18


def test_lowest_number_starts_and_a_tie_goes_to_the_letter() -> None:
    names = ["a", "b", "c"]
    for tiles in permutations(["2E", "2B", "3A"]):  # "2B would beat 2E or 3A" (classic)
        table = ClearTable("classic", names, bag_of(*tiles))
        assert (table.mover.name, "2B") in table.start_tiles


@pytest.mark.parametrize("rules", ["corporations", "wikipedia", "digest"])
def test_topmost_row_starts_and_then_the_leftmost_column(rules: str) -> None:
    for tiles in permutations(["9A", "1B", "10A"]):  # "9A is closer than 1B"
        table = ClearTable(rules, ["a", "b", "c"], bag_of(*tiles))
        assert (table.mover.name, "9A") in table.start_tiles


@pytest.mark.parametrize("rules", ALL_RULES)
def test_adjacent_start_tiles_are_no_hotel_until_a_tile_is_added(rules: str) -> None:
    table = ClearTable(rules, ["a", "b", "c"], bag_of("1A", "2A", "4A", "3A"))
    assert table.hotels == {} and table.loose == {"1A", "2A", "4A"}
    hotel = RULES[rules].hotels[3]
    table.place("3A", hotel)
    assert table.state()["hotels"] == {hotel: line("A", 1, 4)}


@pytest.mark.parametrize(
    ("rules", "players", "allowed"),
    [
        *((rules, 2, rules != "wikipedia") for rules in ALL_RULES),
        *((rules, 1, False) for rules in ALL_RULES),
        *((rules, 6, True) for rules in ALL_RULES),
        *((rules, 7, False) for rules in ALL_RULES),
    ],
)
def test_two_to_six_play_or_three_to_six(rules: str, players: int, allowed: bool) -> None:
    if allowed:
        assert len(ClearTable(rules, "abcdefg"[:players], ALL_TILES).players) == players
    else:
        with pytest.raises(AssertionError):
            ClearTable(rules, "abcdefg"[:players], ALL_TILES)


def test_stock_market_takes_part_in_a_classic_game_of_two_only() -> None:
    assert ClearTable("classic", "ab", ALL_TILES).market
    assert not ClearTable("classic", "abc", ALL_TILES).market
    assert not ClearTable("corporations", "ab", ALL_TILES).market
    assert not ClearTable("digest", "ab", ALL_TILES).market


# The seven hotels and their prices


def test_hotels_are_alphabetical_and_bear_the_names_of_their_box() -> None:
    box = ["American", "Continental", "Festival", "Imperial", "Sackson", "Tower", "Worldwide"]
    card = ["America", "Fusion", "Hydra", "Phoenix", "Quantum", "Sackson", "Zeta"]
    assert RULES["classic"].hotels == RULES["wikipedia"].hotels == box
    assert RULES["corporations"].hotels == RULES["digest"].hotels == card


@pytest.mark.parametrize("rules", ["corporations", "digest"])
@pytest.mark.parametrize(
    ("hotel", "size", "price"),
    [
        ("Sackson", 0, 0), ("Sackson", 2, 200), ("Zeta", 3, 300), ("Zeta", 6, 600),
        ("Zeta", 10, 600), ("Zeta", 11, 700), ("Sackson", 40, 900), ("Sackson", 41, 1_000),
        ("Hydra", 0, 0), ("Hydra", 2, 300), ("Fusion", 5, 600), ("America", 10, 700),
        ("America", 20, 800), ("America", 21, 900), ("Hydra", 108, 1_100),
        ("Phoenix", 0, 0), ("Phoenix", 2, 400), ("Quantum", 5, 700), ("Quantum", 6, 800),
        ("Phoenix", 31, 1_100), ("Quantum", 41, 1_200),
    ],
)  # fmt: skip
def test_price_is_that_of_the_printed_card(rules: str, hotel: str, size: int, price: int) -> None:
    assert RULES[rules].price_at(hotel, size) == price


def test_formula_and_card_agree_at_every_size() -> None:
    card, formula = RULES["corporations"], RULES["digest"]
    for hotel in card.hotels:
        for size in range(109):
            assert card.price_at(hotel, size) == formula.price_at(hotel, size)


def test_prices_on_the_board_are_those_of_revised() -> None:
    for hotel in RULES["classic"].hotels:
        for size in range(2, 109):
            assert RULES["classic"].price_at(hotel, size) == revised_price_at(hotel, size)


# Step 1: a tile


def test_placements_are_sorted_row_by_row_then_by_hotel() -> None:
    table = position("2A", "1B", "12A", loose=["1A"], hotels={"Tower": line("I", 1, 2)})
    off_board = [hotel for hotel in RULES["classic"].hotels if hotel != "Tower"]
    assert table.legal_placements() == [
        *(("2A", hotel, ()) for hotel in off_board),
        ("12A", None, ()),
        *(("1B", hotel, ()) for hotel in off_board),
    ]


def test_singleton_stays_unincorporated() -> None:
    table = position("2B", loose=["1A"])  # "rank or file - not diagonally" (classic)
    assert table.legal_placements() == [("2B", None, ())]
    table.place("2B", None)
    assert table.state()["loose"] == ["1A", "2B"] and table.state()["hotels"] == {}


def test_founder_takes_all_connected_tiles_and_gets_a_certificate() -> None:
    table = position("2B", loose=["1B", "1A", "3B", "2D"])
    table.place("2B", "Imperial")
    assert table.state()["hotels"] == {"Imperial": ["1A", "1B", "2B", "3B"]}
    assert table.state()["loose"] == ["2D"]
    assert table.mover.shares["Imperial"] == 1 and table.bank("Imperial") == 24


def test_founder_gets_no_certificate_when_the_bank_has_none() -> None:
    table = position("2A", loose=["1A"], shares=[{"Tower": 5}, {"Tower": 20}])
    table.place("2A", "Tower")
    assert table.mover.shares["Tower"] == 5


@pytest.mark.parametrize("rules", ALL_RULES)
def test_tile_that_would_form_an_eighth_hotel_cannot_be_placed(rules: str) -> None:
    names = RULES[rules].hotels
    hotels = {hotel: line(row, 1, 2) for hotel, row in zip(names, "ABCDEFG", strict=True)}
    table = position("12A", "9A", rules=rules, loose=["11A"], hotels=hotels)
    assert table.legal_placements() == [("9A", None, ())]
    del table.hotels[names[3]]
    assert ("12A", names[3], ()) in table.legal_placements()


@pytest.mark.parametrize("rules", ALL_RULES)
def test_growing_hotel_takes_in_the_whole_connected_cluster(rules: str) -> None:
    loose = ["4A", "5A", "5B", "7A"]
    table = position("3A", rules=rules, loose=loose, hotels={"Sackson": line("A", 1, 2)})
    assert table.legal_placements() == [("3A", None, ())]
    table.place("3A", None)
    assert table.hotels["Sackson"] == {*line("A", 1, 5), "5B"}
    assert table.state()["loose"] == ["7A"] and table.acquired == []


@pytest.mark.parametrize(("sizes", "allowed"), [((10, 11), True), ((11, 11), False)])
def test_two_safe_hotels_cannot_merge_but_a_safe_one_may_acquire(
    sizes: tuple[int, int], allowed: bool
) -> None:
    hotels = {"Tower": line("A", 1, sizes[0]), "Sackson": line("C", 1, sizes[1])}
    table = position("1B", hotels=hotels)
    assert table.is_permanently_unplayable("1B") != allowed
    assert table.legal_placements() == ([("1B", "Sackson", ())] if allowed else [])


def test_two_safe_hotels_and_a_small_one_cannot_merge() -> None:
    hotels = {"Tower": line("A", 1, 11), "Sackson": line("C", 1, 11), "Imperial": ["12B", "12C"]}
    assert position("11B", hotels=hotels).legal_placements() == []


# A merger


def test_merging_tile_and_loose_tiles_count_for_no_size() -> None:
    hotels = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 5)}
    table = position("3A", loose=["3B", "3C", "9I"], hotels=hotels)
    assert table.legal_placements() == [("3A", "Sackson", ()), ("3A", "Tower", ())]
    table.place("3A", "Sackson")
    assert table.acquired == ["Tower"] and table.acquired_prices == {"Tower": 400}
    assert table.state()["hotels"] == {"Sackson": [*line("A", 1, 5), "3B", "3C"]}
    assert table.state()["loose"] == ["9I"]
    assert table.mover.cash == 6_000


FOUR = {
    "Worldwide": line("E", 1, 4),
    "American": line("E", 6, 7),
    "Tower": ["5A", "5B", "5C", "5D"],
    "Festival": ["5F", "5G", "5H"],
}


def test_acquired_are_dealt_with_from_largest_to_smallest() -> None:
    table = position("5E", hotels=FOUR)
    assert table.legal_placements() == [("5E", "Tower", ()), ("5E", "Worldwide", ())]
    table.place("5E", "Worldwide")
    assert table.acquired == ["Tower", "Festival", "American"]
    assert table.acquired_prices == {"Tower": 600, "Festival": 400, "American": 300}
    assert list(table.hotels) == ["Worldwide"] and table.size("Worldwide") == 14


def test_placer_orders_two_equal_acquired_hotels() -> None:
    hotels = {**FOUR, "Tower": ["5D", "5C"]}
    placements = [("5E", "Worldwide", ()), ("5E", "Worldwide", ("Tower", "American"))]
    for placement, acquired in zip(
        placements, [["American", "Tower"], ["Tower", "American"]], strict=True
    ):
        table = position("5E", hotels=hotels)
        assert table.legal_placements() == placements
        table.place(*placement)
        assert table.acquired == ["Festival", *acquired]


def test_placer_orders_the_equals_that_do_not_survive() -> None:
    hotels = {"Tower": ["5D", "5C"], "Festival": ["5F", "5G"], "Sackson": line("E", 3, 4)}
    assert position("5E", hotels=hotels).legal_placements() == [
        ("5E", "Festival", ()), ("5E", "Festival", ("Tower", "Sackson")),
        ("5E", "Sackson", ()), ("5E", "Sackson", ("Tower", "Festival")),
        ("5E", "Tower", ()), ("5E", "Tower", ("Sackson", "Festival")),
    ]  # fmt: skip


def test_placer_orders_three_equal_acquired_hotels() -> None:
    hotels = {**FOUR, "Tower": ["5D", "5C"], "Festival": ["5F", "5G"]}
    table = position("5E", hotels=hotels)
    assert [equals for _, _, equals in table.legal_placements()] == [
        (),
        ("American", "Tower", "Festival"),
        ("Festival", "American", "Tower"),
        ("Festival", "Tower", "American"),
        ("Tower", "American", "Festival"),
        ("Tower", "Festival", "American"),
    ]
    table.place("5E", "Worldwide", ("Tower", "American", "Festival"))
    assert table.acquired == ["Tower", "American", "Festival"]


@pytest.mark.parametrize("rules", ["classic", "wikipedia"])
@pytest.mark.parametrize(
    ("counts", "paid"),
    [
        ([0, 0, 0], {}),
        ([3, 0, 0], {"a": 6_000}),  # "If only one player owns stock .. gets both bonuses"
        ([1, 3, 2], {"b": 4_000, "c": 2_000}),
        ([3, 3, 2], {"a": 3_000, "b": 3_000}),
        ([2, 2, 2], {"a": 2_000, "b": 2_000, "c": 2_000}),
        ([2, 2, 2, 2], {"a": 1_500, "b": 1_500, "c": 1_500, "d": 1_500}),
        ([5, 2, 2], {"a": 4_000, "b": 1_000, "c": 1_000}),
        ([5, 2, 2, 2, 1], {"a": 4_000, "b": 700, "c": 700, "d": 700}),  # 666.67: up
        ([10, 8, 6], {"a": 4_000, "b": 2_000}),  # three of wikipedia's own
        ([8, 8, 7], {"a": 3_000, "b": 3_000}),
        ([8, 7, 7], {"a": 4_000, "b": 1_000, "c": 1_000}),
    ],
)
def test_bonuses_of_a_hotel_at_400(rules: str, counts: list[int], paid: dict[str, int]) -> None:
    hotels = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 6)}
    shares: list[Shares] = [{"Tower": count} for count in counts]
    table = position("3A", rules=rules, hotels=hotels, shares=shares, cash=0)
    table.place("3A", "Sackson")
    assert table.pay_bonuses("Tower") == paid
    assert {player.name: player.cash for player in table.players if player.cash} == paid


@pytest.mark.parametrize(
    ("dollars", "owners", "share"),
    [(3_000, 2, 1_500), (4_500, 4, 1_200), (2_000, 3, 700), (1_000, 4, 300), (1_500, 1, 1_500)],
)
def test_share_is_rounded_up_to_the_next_100(dollars: int, owners: int, share: int) -> None:
    assert share_of(dollars, owners) == share


def merged(shares: list[Shares]) -> ClearTable:
    """After Sackson, of three tiles, has acquired Tower, of two and at 400 dollars."""
    hotels = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 6)}
    table = position("3A", hotels=hotels, shares=shares)
    table.place("3A", "Sackson")
    return table


def test_holder_holds_sells_and_trades_in_any_mix() -> None:
    table = merged([{"Tower": 3}, {}, {}])
    assert table.legal_disposals("a", "Tower") == [(0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (3, 0)]
    table.dispose("a", "Tower", 1, 2)
    assert table.mover.cash == 6_000 + 400  # the price before the merger
    assert (table.mover.shares["Tower"], table.mover.shares["Sackson"]) == (0, 1)
    assert (table.bank("Tower"), table.bank("Sackson")) == (25, 24)


def test_trade_is_limited_by_what_the_bank_has_at_that_moment() -> None:
    table = merged([{"Tower": 6}, {"Tower": 4}, {"Sackson": 23}])
    assert max(trade for _, trade in table.legal_disposals("a", "Tower")) == 4
    table.dispose("a", "Tower", 0, 4)
    assert table.bank("Sackson") == 0  # "players may not trade" (classic)
    assert table.legal_disposals("b", "Tower") == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    with pytest.raises(AssertionError):
        table.dispose("b", "Tower", 0, 2)


# Step 2: certificates


def test_order_is_up_to_three_of_any_hotels_on_the_board() -> None:
    table = position(hotels={"Tower": line("A", 1, 2), "American": line("C", 1, 2)})
    assert table.legal_orders() == [
        (),
        ("American",), ("American", "American"), ("American", "American", "American"),
        ("American", "American", "Tower"), ("American", "Tower"), ("American", "Tower", "Tower"),
        ("Tower",), ("Tower", "Tower"), ("Tower", "Tower", "Tower"),
    ]  # fmt: skip
    table.buy(["American", "Tower", "American"])
    assert table.mover.cash == 6_000 - 300 - 300 - 400
    assert (table.mover.shares["American"], table.mover.shares["Tower"]) == (2, 1)
    assert position().legal_orders() == [()]


def test_order_is_bounded_by_cash_and_bank() -> None:
    hotels = {"Tower": line("A", 1, 2), "American": line("C", 1, 2)}
    shares: list[Shares] = [{}, {"American": 24}]
    assert position(hotels=hotels, shares=shares, cash=1_000).legal_orders() == [
        (), ("American",), ("American", "Tower"), ("Tower",), ("Tower", "Tower"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sizes", "may"),
    [([], False), ([10], False), ([11], True), ([11, 10], False), ([11, 11], True),
     ([40, 2], False), ([41, 2], True)],
)  # fmt: skip
def test_end_may_be_declared_with_all_safe_or_one_of_41(sizes: list[int], may: bool) -> None:
    spots = [ALL_TILES[:48], ALL_TILES[60:]]
    hotels = {
        hotel: tiles[:size]
        for hotel, tiles, size in zip(["Tower", "Festival"], spots, sizes, strict=False)
    }
    assert position(hotels=hotels).may_declare() == may


# Step 3: another tile, and hands that cannot move


@pytest.mark.parametrize("rules", SAME)
def test_one_tile_is_drawn_and_the_empty_bag_ends_nothing(rules: str) -> None:
    table = position("1A", "2A", rules=rules, bag=["9I", "8I"])
    assert table.end_turn() == ([], ["9I"])  # of four that are missing
    table = position("1A", rules=rules)
    assert table.end_turn() == ([], [])


def test_full_hand_draws_nothing() -> None:
    for rules in ALL_RULES:
        assert position(*line("A", 1, 6), rules=rules, bag=["9I"]).end_turn() == ([], [])


@pytest.mark.parametrize("rules", SAME)
def test_permanently_unplayable_tiles_are_replaced_at_the_end_once(rules: str) -> None:
    hotels = dict(zip(["Sackson", RULES[rules].hotels[0]], two_safe().values(), strict=True))
    hand = ["5C", "4C", "1F", "1G", "1H"]
    table = position(*hand, rules=rules, hotels=hotels, bag=["3C", "6C", "9I", "8I", "7I"])
    assert table.begin_turn() == ([], [])
    assert table.end_turn() == (["3C", "4C", "5C"], ["3C", "6C", "9I", "8I"])
    assert table.mover.tiles == {"1F", "1G", "1H", "6C", "9I", "8I"}  # 6C for a turn
    assert table.state()["aside"] == ["3C", "4C", "5C"]


def test_permanently_unplayable_tiles_are_set_aside_with_an_empty_bag_too() -> None:
    table = position("5C", "1F", hotels=two_safe())
    assert table.end_turn() == (["5C"], [])
    assert table.mover.tiles == {"1F"} and table.aside == {"5C"} and table.idle_turns == 0


def test_tiles_that_would_form_an_eighth_hotel_are_not_replaced() -> None:
    names = RULES["classic"].hotels
    hotels = {hotel: line(row, 1, 2) for hotel, row in zip(names, "ABCDEFG", strict=True)}
    table = position("12A", loose=["11A"], hotels=hotels)
    assert table.legal_placements() == [] and table.end_turn() == ([], [])


def test_whole_hand_without_a_permitted_tile_is_replaced_before_placing() -> None:
    table = position("5C", "4C", rules="wikipedia", hotels=two_safe(), bag=["6C", "7C", "9I"])
    assert table.begin_turn() == (["4C", "5C"], ["6C", "7C"])  # once, though none helps
    assert table.legal_placements() == [] and table.aside == {"4C", "5C"}
    assert table.end_turn() == ([], ["9I"])  # unplayable tiles are kept
    assert table.mover.tiles == {"6C", "7C", "9I"} and table.idle_turns == 0


def test_hand_is_not_replaced_with_a_permitted_tile_or_an_empty_bag() -> None:
    table = position("5C", "9I", rules="wikipedia", hotels=two_safe(), bag=["6C"])
    assert table.begin_turn() == ([], [])
    assert position("5C", rules="wikipedia", hotels=two_safe()).begin_turn() == ([], [])


def test_hand_is_filled_up_to_six_at_the_end() -> None:
    table = position("5C", rules="wikipedia", bag=["1A", "9I", "8I", "7I", "6I", "5I"])
    assert table.end_turn() == ([], ["1A", "9I", "8I", "7I", "6I"])
    assert table.bag == ["5I"]


# The stock market of two players


def test_market_holds_the_number_of_the_tile_drawn() -> None:
    hotels = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 6)}
    shares: list[Shares] = [{"Tower": 11}, {"Tower": 5}]  # the rule text's own example
    table = position("3A", hotels=hotels, shares=shares, bag=["9F"], market=True)
    table.place("3A", "Sackson")
    assert table.draw_for_market("Tower") == "9F" and table.waiting == ["9F"]
    assert table.pay_bonuses("Tower") == {"a": 4_000}
    assert [player.cash for player in table.players] == [10_000, 6_000]
    assert table.bank("Tower") == 9  # of certificates it holds none
    assert table.next_waiting() == "9F" and table.loose == {"9F"}
    assert table.next_waiting() is None


@pytest.mark.parametrize(
    ("counts", "drawn", "paid"),
    [
        ([11, 5], None, {"a": 4_000, "b": 2_000}),  # an empty bag: it holds nothing
        ([11, 0], None, {"a": 6_000}),
        ([11, 5], "3F", {"a": 4_000, "b": 2_000}),
        ([11, 5], "12F", {"a": 2_000}),
        ([9, 9], "12F", {"a": 1_000, "b": 1_000}),
        ([9, 5], "9F", {"a": 3_000}),
        ([9, 9], "9F", {"a": 2_000, "b": 2_000}),
        ([11, 9], "9F", {"a": 4_000, "b": 1_000}),
        ([2, 0], "9F", {"a": 2_000}),
        ([2, 0], "1F", {"a": 4_000}),
        ([0, 0], "9F", {}),
    ],
)
def test_market_counts_as_a_holder(
    counts: list[int], drawn: str | None, paid: dict[str, int]
) -> None:
    hotels = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 6)}
    shares: list[Shares] = [{"Tower": count} for count in counts]
    bag = [drawn] if drawn else []
    table = position("3A", hotels=hotels, shares=shares, bag=bag, market=True)
    table.place("3A", "Sackson")
    assert table.draw_for_market("Tower") == drawn
    assert table.pay_bonuses("Tower") == paid


def waiting(tile: str, hotels: dict[str, list[str]], loose: list[str]) -> ClearTable:
    """After a merger at 11I of two players, for which that tile was drawn."""
    small = {"Festival": ["10I", "9I"], "Imperial": ["12I", "12H"]}
    table = position("11I", loose=loose, hotels=hotels | small, bag=[tile, "1I"], market=True)
    table.place("11I", "Festival")
    table.draw_for_market("Imperial")
    return table


def test_waiting_tile_that_would_found_a_hotel_is_placed_without_founding() -> None:
    table = waiting("2F", {}, ["1F"])
    assert table.next_waiting() == "2F" and not table.waiting_merges
    assert table.loose == {"1F", "2F"} and list(table.hotels) == ["Festival"]
    assert not any(table.mover.shares.values())


def test_waiting_tile_grows_a_hotel_by_the_connected_tiles() -> None:
    table = waiting("3F", {"Tower": line("F", 1, 2)}, ["4F", "5F"])
    assert table.next_waiting() == "3F" and not table.waiting_merges
    assert table.hotels["Tower"] == set(line("F", 1, 5)) and table.loose == set()


def test_waiting_tile_that_is_permanently_unplayable_is_set_aside() -> None:
    table = waiting("5C", two_safe(), [])
    assert table.next_waiting() == "5C" and not table.waiting_merges
    assert table.aside == {"5C"} and table.waiting == []


def test_waiting_tile_that_merges_is_a_merger_of_its_own() -> None:
    table = waiting("3F", {"Tower": line("F", 1, 2), "Sackson": line("F", 4, 5)}, ["3E"])
    assert table.next_waiting() == "3F" and table.waiting_merges
    assert table.waiting_choices() == [("Sackson", ()), ("Tower", ())]
    table.place_waiting("Tower")
    assert not table.waiting_merges and table.waiting_choices() == []
    assert table.acquired == ["Sackson"] and table.acquired_prices == {"Sackson": 200}
    assert table.hotels["Tower"] == {*line("F", 1, 5), "3E"}
    assert table.draw_for_market("Sackson") == "1I"
    assert table.pay_bonuses("Sackson") == {}
    assert table.next_waiting() == "1I" and table.next_waiting() is None


def test_waiting_tiles_are_placed_in_the_order_drawn() -> None:
    hotels = {**FOUR, "Imperial": line("I", 1, 2), "Sackson": line("I", 4, 5)}
    bag = ["3I", "1A", "12A", "10A"]
    table = position("5E", hotels=hotels, bag=bag, market=True)
    table.place("5E", "Tower")
    assert [table.draw_for_market(hotel) for hotel in table.acquired] == ["3I", "1A", "12A"]
    assert table.next_waiting() == "3I" and table.waiting_merges
    table.place_waiting("Imperial")
    assert table.draw_for_market("Sackson") == "10A"
    assert [table.next_waiting() for _ in range(4)] == ["1A", "12A", "10A", None]


def test_market_competes_at_the_end_by_tiles_set_aside_largest_hotel_first() -> None:
    hotels = {"Tower": line("A", 1, 2), "Festival": line("C", 1, 3), "American": line("E", 1, 2)}
    shares: list[Shares] = [{"Festival": 5, "American": 3, "Tower": 1}, {"Tower": 2}]
    table = position(hotels=hotels, shares=shares, bag=["6I", "2I"], market=True)
    a = 2_000 + 5 * 400  # Festival: second to the market's 6
    a += 3_000 + 3 * 300  # American: first before the market's 2
    a += 2_000 + 400  # Tower: the bag is empty
    assert table.scores() == {"a": 6_000 + a, "b": 6_000 + 4_000 + 2 * 400}
    assert table.state()["aside"] == ["2I", "6I"] and table.waiting == [] and table.bag == []


# The end


def test_scores_pay_bonuses_and_sell_the_stock_of_hotels_on_the_board_only() -> None:
    hotels = {"Tower": line("A", 1, 2)}
    table = position(hotels=hotels, shares=[{"Tower": 2, "Imperial": 9}, {"Tower": 1}, {}])
    before = table.state()
    assert table.scores() == {"a": 6_000 + 4_000 + 800, "b": 6_000 + 2_000 + 400, "c": 6_000}
    assert table.state() == before


def test_round_in_which_nothing_changes_is_the_last() -> None:
    table = position()
    for _ in range(3):
        assert table.ending() is None
        assert table.end_turn() == ([], [])
        table.next_turn()
    assert table.ending() == "dead-round"


def test_tile_placed_or_drawn_makes_a_turn_that_is_not_idle() -> None:
    table = position("1A")
    table.idle_turns = 2
    table.place("1A", None)
    table.end_turn()
    assert table.idle_turns == 0
    table = position(bag=["9I"])
    table.idle_turns = 2
    assert table.end_turn() == ([], ["9I"])
    assert table.idle_turns == 0


# Beside the rule texts


def test_ejected_player_leaves_certificates_to_the_bank_and_tiles_to_the_bag() -> None:
    table = position("1A", "2A", shares=[{"Tower": 7}, {"Tower": 1}], bag=["9I"], market=True)
    table.idle_turns = 1
    table.eject("a", ["2A", "9I", "1A"])
    assert table.mover.name == "b" and len(table.players) == 1
    assert table.bank("Tower") == 24 and table.bag == ["2A", "9I", "1A"]
    assert table.idle_turns == 0 and table.ending() is None and table.market


def settle(table: ClearTable, rng: random.Random) -> None:
    """The bonuses and the disposal of one merger, at random."""
    for hotel in table.acquired:
        if table.market:
            table.draw_for_market(hotel)
        table.pay_bonuses(hotel)
        for player in table.players:
            if player.shares[hotel]:
                options = table.legal_disposals(player.name, hotel)
                assert options == sorted(set(options))
                table.dispose(player.name, hotel, *rng.choice(options))
    table.acquired = []


def play_turn(table: ClearTable, rng: random.Random) -> bool:
    """One turn at random; whether the end was declared in it."""
    table.begin_turn()
    if placements := table.legal_placements():
        table.place(*rng.choice(placements))
        settle(table, rng)
        while table.next_waiting() is not None:
            if table.waiting_merges:
                table.place_waiting(*rng.choice(table.waiting_choices()))
                settle(table, rng)
    declares = table.may_declare() and rng.random() < 0.1
    table.buy(rng.choice(table.legal_orders()))
    table.end_turn()
    return declares


def check(table: ClearTable) -> None:
    """Nothing is lost, and unincorporated tiles touch no hotel."""
    places = [table.loose, table.bag, table.aside, table.waiting, *table.hotels.values()]
    places += [player.tiles for player in table.players]
    assert sorted(tile for place in places for tile in place) == sorted(ALL_TILES)
    assert all(0 <= table.bank(hotel) <= 25 for hotel in table.rules.hotels)
    assert all(min(player.shares.values()) >= 0 for player in table.players)
    assert all(player.cash >= 0 and player.cash % 100 == 0 for player in table.players)
    assert all(len(player.tiles) <= 6 for player in table.players)
    assert not any(table.hotels_beside(tile) for tile in table.loose)


@pytest.mark.parametrize(
    ("rules", "players"),
    [(r, n) for r in ALL_RULES for n in range(RULES[r].min_players, 7)],
)
def test_random_play_loses_no_tile_and_no_certificate_and_ends(rules: str, players: int) -> None:
    for seed in range(3):
        rng = random.Random(f"{rules} {players} {seed}")
        names = "abcdef"[:players]
        table = ClearTable(rules, names, rng.sample(ALL_TILES, len(ALL_TILES)))
        check(table)
        for turn in range(400):
            declared = play_turn(table, rng)
            check(table)
            if declared:
                break
            table.next_turn()
            if turn == 20 and seed == 2:
                leaver = rng.choice(table.players)
                tiles = [*table.bag, *leaver.tiles]
                table.eject(leaver.name, rng.sample(sorted(tiles), len(tiles)))
                check(table)
            if table.ending() is not None:
                break
        scores = table.scores()
        assert all(scores[player.name] >= player.cash for player in table.players)
        check(table)
