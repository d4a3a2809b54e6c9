"""The reference itself: the rule texts' clauses one by one.

Where a test names no rulebook the clause is the same in all, and `classic` stands for them. Hotels
of the other edition would differ by name only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from loops import for_each

from reference.game import Game
from reference.rulebooks import ALL_TILES, RULES

Shares = dict[str, int]
OTHERS = [rulebook for rulebook in RULES if rulebook != "revised"]


def line(row: str, first: int, last: int) -> list[str]:
    """The tiles of one row from one column to another, both included."""
    return [f"{column}{row}" for column in range(first, last + 1)]


def bag_of(*front: str) -> list[str]:
    """All tiles, these first."""
    return [*front, *(tile for tile in ALL_TILES if tile not in front)]


def position(
    *hand: str,
    rulebook: str = "classic",
    loose: Sequence[str] = (),
    hotels: dict[str, list[str]] | None = None,
    shares: Sequence[Shares] = (),
    cash: int = 6_000,
    bag: Sequence[str] = (),
    market: bool = False,
) -> Game:
    """A table for a, b, c .., one for each of the shares; a is the mover and has the whole hand."""
    owners = shares or [{}] * (2 if market else 3)
    players = [
        (name, cash, held, hand if name == "a" else ())
        for name, held in zip("abcdef", owners, strict=False)
    ]
    return Game.laid_out(rulebook, players, loose, hotels, bag, market=market)


def cash(game: Game) -> list[int]:
    return [player.cash for player in game.players]


PAIR = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 6)}
"""Sackson, of three tiles, acquires Tower, at 400 dollars, by 3A."""
TWO_SAFE = {"Tower": line("B", 1, 12), "Sackson": line("D", 1, 12)}
"""Every tile of row C would merge them."""
FOUR = {
    "Worldwide": line("E", 1, 4),
    "American": line("E", 6, 7),
    "Tower": ["5A", "5B", "5C", "5D"],
    "Festival": ["5F", "5G", "5H"],
}
"""They meet at 5E."""


def seven(rulebook: str) -> dict[str, list[str]]:
    """All seven hotels on the board, two tiles each."""
    return {hotel: line(row, 1, 2) for hotel, row in zip(RULES[rulebook].tiers, "ABCDEFG")}  # noqa: B905


# -- setup -----------------------------------------------------------------------------------------


def test_first_come_moves_first_with_six_tiles_and_8000_dollars_in_revised() -> None:
    game = Game("revised", ["zoe", "adam", "eve"], ALL_TILES)
    assert [player.name for player in game.players] == ["zoe", "adam", "eve"]
    assert [player.tiles for player in game.players] == [
        {*line("A", 1, 6)}, {*line("A", 7, 12)}, {*line("B", 1, 6)},
    ]  # fmt: skip
    assert cash(game) == [8_000] * 3
    assert game.bag == ALL_TILES[18:] and game.loose == set()


@pytest.mark.parametrize("rulebook", OTHERS)
def test_closest_to_1a_moves_first_with_six_tiles_and_6000_dollars(rulebook: str) -> None:
    game = Game(rulebook, ["zoe", "adam", "eve"], bag_of("9I", "1A", "5E"))
    assert game.start_tiles == {"zoe": "9I", "adam": "1A", "eve": "5E"}
    assert [player.name for player in game.players] == ["adam", "eve", "zoe"]
    assert game.mover.tiles == {*line("A", 2, 7)}
    assert cash(game) == [6_000] * 3
    assert game.loose == {"1A", "5E", "9I"} and len(game.bag) == 108 - 3 - 18


def test_9a_is_closer_than_1b_but_2b_beats_2e_and_3a_in_classic() -> None:
    for rulebook in OTHERS:
        closest = "2B" if rulebook == "classic" else "3A"
        for tiles in permutations(["2E", "2B", "3A"]):
            game = Game(rulebook, "abc", bag_of(*tiles))
            assert game.start_tiles[game.mover.name] == closest, rulebook


def test_adjacent_start_tiles_are_unincorporated_until_a_tile_is_added() -> None:
    for rulebook in OTHERS:
        game = Game(rulebook, "abc", bag_of("1A", "2A", "4A", "3A"))
        assert game.hotels == {} and game.loose == {"1A", "2A", "4A"}
        game.place("3A", "Sackson")
        assert game.hotels == {"Sackson": {*line("A", 1, 4)}}, rulebook


def test_two_or_three_to_six_play() -> None:
    for rulebook in RULES:
        fewest = 3 if rulebook in ("revised", "wikipedia") else 2
        for count in range(fewest, 7):
            assert len(Game(rulebook, "abcdef"[:count], ALL_TILES).players) == count
        for names in ("abcdefg", "abcdef"[: fewest - 1]):
            with pytest.raises(AssertionError):
                Game(rulebook, names, ALL_TILES)


# -- placing a tile --------------------------------------------------------------------------------


def test_placements_are_sorted_row_by_row_then_by_hotel() -> None:
    game = position("2A", "1B", "12A", loose=["1A"], hotels={"Tower": line("I", 1, 2)})
    off_board = [hotel for hotel in RULES["classic"].tiers if hotel != "Tower"]
    assert game.legal_placements() == [
        *(("2A", hotel, ()) for hotel in off_board),
        ("12A", None, ()),
        *(("1B", hotel, ()) for hotel in off_board),
    ]


def test_diagonal_neighbours_are_not_connected() -> None:
    game = position("2B", loose=["1A"])
    game.place("2B", None)
    assert game.loose == {"1A", "2B"} and game.hotels == {}


def test_founder_paints_all_connected_tiles_and_gets_a_certificate_if_there_is_one() -> None:
    game = position("2B", loose=["1B", "1A", "3B", "2D"], shares=[{"Tower": 5}, {"Tower": 20}])
    assert game.kind("2B") == "founding"
    game.place("2B", "Imperial")
    assert game.hotels == {"Imperial": {"1A", "1B", "2B", "3B"}} and game.loose == {"2D"}
    assert game.mover.shares["Imperial"] == 1 and game.bank("Imperial") == 24
    game = position("2A", loose=["1A"], shares=[{"Tower": 5}, {"Tower": 20}])
    game.place("2A", "Tower")
    assert game.mover.shares["Tower"] == 5


def test_eighth_hotel_stays_loose_in_revised_and_cannot_be_placed_otherwise() -> None:
    for rulebook in RULES:
        hotels = seven(rulebook)
        game = position("12A", rulebook=rulebook, loose=["11A"], hotels=hotels)
        if rulebook == "revised":
            assert game.legal_placements() == [("12A", None, ())]
            game.place("12A", None)
            assert game.loose == {"11A", "12A"} and not any(game.mover.shares.values())
        else:
            assert game.legal_placements() == [], rulebook
            del game.hotels["Sackson"]
            assert game.legal_placements() == [("12A", "Sackson", ())], rulebook


def test_hotel_takes_in_loose_tiles_unless_in_revised() -> None:
    for rulebook in RULES:
        loose, hotels = ["4A", "5A", "5B", "7A"], {"Sackson": line("A", 1, 2)}
        game = position("3A", "1B", rulebook=rulebook, loose=loose, hotels=hotels)
        if rulebook == "revised":
            assert game.legal_placements() == [("1B", None, ())]
        else:
            game.place("3A", None)
            assert game.hotels == {"Sackson": {*line("A", 1, 5), "5B"}}, rulebook
            assert game.loose == {"7A"}, rulebook


def test_merger_takes_in_loose_tiles_which_count_for_no_size_unless_in_revised() -> None:
    hotels = {"Tower": line("A", 1, 2), "Sackson": line("A", 4, 5)}
    loose = ["3B", "3C", "9I"]
    assert position("3A", rulebook="revised", loose=loose, hotels=hotels).choices("3A") == []
    game = position("3A", loose=loose, hotels=hotels)
    assert game.choices("3A") == [("Sackson", ()), ("Tower", ())]
    game.place("3A", "Sackson")
    assert game.acquired == ["Tower"] and game.acquired_prices == {"Tower": 400}
    assert game.hotels == {"Sackson": {*line("A", 1, 5), "3B", "3C"}} and game.loose == {"9I"}


def test_two_safe_hotels_cannot_merge_and_in_revised_none_that_is_safe() -> None:
    for rulebook, sizes, allowed in [
        ("classic", (10, 11), True),
        ("classic", (11, 11), False),
        ("revised", (2, 11), True),
        ("revised", (2, 12), False),
    ]:
        hotels = {"Sackson": line("A", 1, sizes[0]), "Tower": line("C", 1, sizes[1])}
        game = position("1B", "1D", rulebook=rulebook, hotels=hotels)
        assert game.is_dead("1B") is not allowed
        assert game.choices("1B") == ([("Tower", ())] if allowed else []), (rulebook, sizes)
        assert game.choices("1D") == [(None, ())], "a safe hotel may grow"
    third = {"Tower": line("A", 1, 11), "Sackson": line("C", 1, 11), "Imperial": ["12B", "12C"]}
    assert position("11B", hotels=third).choices("11B") == []


# -- a merger --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", ["revised", "classic"])
def test_largest_survives_and_the_acquired_are_dealt_with_from_largest_to_smallest(
    rulebook: str,
) -> None:
    game = position("5E", rulebook=rulebook, hotels=FOUR)
    assert game.choices("5E") == [("Tower", ()), ("Worldwide", ())]
    game.place("5E", "Worldwide")
    assert game.acquired == ["Tower", "Festival", "American"]
    assert game.acquired_prices == {"Tower": 600, "Festival": 400, "American": 300}
    assert list(game.hotels) == ["Worldwide"] and game.size("Worldwide") == 14


def test_placer_orders_equal_acquired_hotels_and_in_revised_the_alphabet() -> None:
    two = {**FOUR, "Tower": ["5D", "5C"]}
    assert position("5E", rulebook="revised", hotels=two).choices("5E") == [("Worldwide", ())]
    for choice, acquired in [
        (("Worldwide", ()), ["Festival", "American", "Tower"]),
        (("Worldwide", ("Tower", "American")), ["Festival", "Tower", "American"]),
    ]:
        game = position("5E", hotels=two)
        assert choice in game.choices("5E") and len(game.choices("5E")) == 2
        game.place("5E", *choice)
        assert game.acquired == acquired
    three = {**two, "Festival": ["5F", "5G"]}
    game = position("5E", hotels=three)
    orders = [equals for _, equals in game.choices("5E")]
    assert orders == [(), *list(permutations(["American", "Festival", "Tower"]))[1:]]
    survivors = {"Tower": ["5D", "5C"], "Festival": ["5F", "5G"], "Sackson": line("E", 3, 4)}
    assert position("5E", hotels=survivors).choices("5E") == [
        ("Festival", ()), ("Festival", ("Tower", "Sackson")),
        ("Sackson", ()), ("Sackson", ("Tower", "Festival")),
        ("Tower", ()), ("Tower", ("Sackson", "Festival")),
    ]  # fmt: skip


@for_each(
    ("counts", "paid"),
    [
        ([0, 0, 0], [0, 0, 0]),
        ([1, 3, 2], [0, 4_000, 2_000]),
        ([3, 3, 2], [3_000, 3_000, 0]),
        ([2, 2, 2], [2_000, 2_000, 2_000]),
        ([2, 2, 2, 2], [1_500, 1_500, 1_500, 1_500]),
        ([5, 2, 2], [4_000, 1_000, 1_000]),
        ([10, 8, 6], [4_000, 2_000, 0]),
        ([8, 8, 7], [3_000, 3_000, 0]),
        ([8, 7, 7], [4_000, 1_000, 1_000]),
    ],
)
def test_majority_and_minority_bonuses_of_a_hotel_at_400(
    counts: list[int], paid: list[int]
) -> None:
    """The last three are examples in `wikipedia`."""
    for rulebook in ("revised", "classic", "wikipedia"):
        assert bonuses(rulebook, counts) == paid, rulebook


def bonuses(rulebook: str, counts: list[int]) -> list[int]:
    """What holders of Tower get when Sackson acquires it."""
    shares = [{"Tower": count} for count in counts]
    game = position("3A", rulebook=rulebook, hotels=PAIR, shares=shares, cash=0)
    game.place("3A", "Sackson")
    if rulebook != "revised":
        game.pay_bonuses("Tower")
    return cash(game)


def test_sole_holder_gets_both_bonuses_and_in_revised_the_majority_bonus_alone() -> None:
    assert bonuses("classic", [3, 0, 0]) == [6_000, 0, 0]
    assert bonuses("revised", [3, 0, 0]) == [4_000, 0, 0]


def test_minority_bonus_is_rounded_when_three_share_it() -> None:
    assert bonuses("classic", [5, 2, 2, 2, 1]) == [4_000, 700, 700, 700, 0]
    assert bonuses("revised", [5, 2, 2, 2, 1]) == [4_000, 667, 667, 667, 0]


def test_all_are_kept_or_returned_at_the_price_before_the_merger_in_revised() -> None:
    shares = [{"Tower": 4}, {"Tower": 4}, {"Sackson": 1}]
    game = position("3A", rulebook="revised", hotels=PAIR, shares=shares)
    game.place("3A", "Sackson")
    assert game.legal_disposals("a", "Tower") == [(0, 0), (4, 0)]
    for name, keeps in [("a", False), ("b", True), ("c", False)]:
        game.keep(name, [keeps])
    assert cash(game) == [6_000 + 3_000 + 4 * 400, 6_000 + 3_000, 6_000]
    assert [player.shares["Tower"] for player in game.players] == [0, 4, 0]


def test_holder_holds_sells_and_trades_in_any_mix() -> None:
    game = position("3A", hotels=PAIR, shares=[{"Tower": 3}, {}, {}])
    game.place("3A", "Sackson")
    assert game.legal_disposals("a", "Tower") == [(0, 0), (0, 2), (1, 0), (1, 2), (2, 0), (3, 0)]
    game.dispose("a", "Tower", 1, 2)
    assert game.mover.cash == 6_000 + 400  # the price before the merger
    assert (game.mover.shares["Tower"], game.mover.shares["Sackson"]) == (0, 1)
    assert (game.bank("Tower"), game.bank("Sackson")) == (25, 24)


def test_trade_is_limited_by_what_the_bank_has_at_that_moment() -> None:
    game = position("3A", hotels=PAIR, shares=[{"Tower": 6}, {"Tower": 4}, {"Sackson": 23}])
    game.place("3A", "Sackson")
    assert max(trade for _, trade in game.legal_disposals("a", "Tower")) == 4
    game.dispose("a", "Tower", 0, 4)
    assert game.legal_disposals("b", "Tower") == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    with pytest.raises(AssertionError):
        game.dispose("b", "Tower", 0, 2)


# -- buying ----------------------------------------------------------------------------------------

TWO = {"American": line("C", 1, 2), "Tower": line("A", 1, 2)}
"""At 300 and 400 dollars."""


def test_order_is_up_to_three_of_any_hotels_on_the_board() -> None:
    game = position(hotels=TWO)
    assert game.legal_orders() == [
        (),
        ("American",), ("American", "American"), ("American", "American", "American"),
        ("American", "American", "Tower"), ("American", "Tower"), ("American", "Tower", "Tower"),
        ("Tower",), ("Tower", "Tower"), ("Tower", "Tower", "Tower"),
    ]  # fmt: skip
    game.buy(["American", "Tower", "American"])
    assert game.mover.cash == 6_000 - 300 - 300 - 400
    assert (game.mover.shares["Tower"], game.mover.shares["American"]) == (1, 2)
    assert position().legal_orders() == [()]


def test_order_is_up_to_two_of_one_hotel_that_has_a_price_in_revised() -> None:
    priced = ["American", "Continental", "Festival", "Imperial", "Tower"]  # on the board or not
    pairs = [order for hotel in priced for order in [(hotel,), (hotel, hotel)]]
    assert position(rulebook="revised").legal_orders() == [(), *pairs]
    game = position(rulebook="revised", cash=400)
    game.buy(["Imperial", "Imperial"])
    assert game.mover.cash == 0 and game.mover.shares["Imperial"] == 2


def test_order_is_bounded_by_cash_and_bank() -> None:
    game = position(hotels=TWO, shares=[{}, {"American": 24}], cash=1_000)
    assert game.legal_orders() == [
        (), ("American",), ("American", "Tower"), ("Tower",), ("Tower", "Tower"),
    ]  # fmt: skip


# -- drawing, and hands that cannot move -----------------------------------------------------------


def test_one_tile_is_drawn_or_in_wikipedia_up_to_six() -> None:
    for rulebook in RULES:
        game = position("5C", rulebook=rulebook, bag=["1A", "9I", "8I", "7I", "6I", "5I"])
        game.end_turn()
        drawn = {"1A", "9I", "8I", "7I", "6I"} if rulebook == "wikipedia" else {"1A"}
        assert game.player("a").tiles == {"5C"} | drawn, rulebook
        full = position(*line("A", 1, 6), rulebook=rulebook, bag=["9I"])
        full.end_turn()
        assert full.bag == ["9I"], rulebook


def test_dead_tiles_are_replaced_once_at_the_end_of_the_turn() -> None:
    hand, bag = ["5C", "4C", "1F", "1G", "1H"], ["3C", "6C", "9I", "8I", "7I"]
    game = position(*hand, hotels=TWO_SAFE, bag=bag)
    game.begin_turn()
    assert game.aside == set()
    game.end_turn()
    assert game.aside == {"3C", "4C", "5C"}, "also the one just drawn"
    assert game.player("a").tiles == {"1F", "1G", "1H", "6C", "9I", "8I"}, "6C until the next turn"
    short = position("5C", "1F", hotels=TWO_SAFE)
    short.end_turn()
    assert short.player("a").tiles == {"1F"}, "with an empty bag too"


def test_dead_tiles_are_kept_in_revised_and_wikipedia() -> None:
    for rulebook in ("revised", "wikipedia"):
        game = position("5C", "1F", "1G", "1H", "1I", rulebook=rulebook, hotels=TWO_SAFE,
                        bag=["9I", "8I"])  # fmt: skip
        game.end_turn()
        assert "5C" in game.player("a").tiles and game.bag == ["8I"], rulebook


def test_tile_that_would_form_an_eighth_hotel_is_not_replaced() -> None:
    game = position("12A", loose=["11A"], hotels=seven("classic"))
    game.end_turn()
    assert game.player("a").tiles == {"12A"} and game.aside == set()


def test_whole_hand_without_a_permitted_tile_may_be_replaced_before_placing_in_wikipedia() -> None:
    game = position("5C", "4C", rulebook="wikipedia", hotels=TWO_SAFE, bag=["6C", "7C", "9I"])
    game.begin_turn()
    assert game.may_replace_hand() and game.mover.tiles == {"5C", "4C"}, "it is the mover's choice"
    game.replace_hand()
    assert game.aside == {"4C", "5C"} and game.mover.tiles == {"6C", "7C"}
    assert game.legal_placements() == [], "none of the new ones helps"
    for hand, bag in [(["5C", "9I"], ["6C", "7C"]), (["5C", "4C"], ["6C"])]:
        game = position(*hand, rulebook="wikipedia", hotels=TWO_SAFE, bag=bag)
        game.begin_turn()
        assert not game.may_replace_hand()
        with pytest.raises(AssertionError):
            game.replace_hand()


# -- the end ---------------------------------------------------------------------------------------


@for_each(
    ("sizes", "revised", "declarable"),
    [
        ([], None, None),
        ([10], None, None),
        ([11], None, "all-hotels-safe"),
        ([12], "all-hotels-safe", "all-hotels-safe"),
        ([12, 10], None, None),
        ([12, 11], None, "all-hotels-safe"),
        ([39, 2], None, None),
        ([40, 2], "large-hotel", None),
        ([40, 12], "large-hotel", "all-hotels-safe"),
        ([41, 2], "large-hotel", "large-hotel"),
    ],
)
def test_game_can_end_with_a_hotel_of_40_or_41_or_all_hotels_safe(
    sizes: list[int], revised: str | None, declarable: str | None
) -> None:
    """In `revised` it does; otherwise a player may declare it."""
    spots = {"Tower": ALL_TILES[:48], "Festival": ALL_TILES[60:]}
    hotels = {name: spots[name][:size] for name, size in zip(spots, sizes, strict=False)}
    assert position("12I", rulebook="revised", hotels=hotels).ending() == revised
    game = position("12I", hotels=hotels)
    assert (game.ending(), game.large_or_safe()) == (None, declarable)
    if declarable:
        game.declare()
        assert game.ending() == declarable
    else:
        with pytest.raises(AssertionError):
            game.declare()


def test_revised_ends_when_the_next_player_can_place_no_tile() -> None:
    game = position("3A", rulebook="revised", loose=["4A"], hotels=PAIR | {"Sackson": ["1C", "2C"]})
    assert game.ending() == "no-placeable-tile"
    game.mover.tiles.add("9I")
    assert game.ending() is None


def test_revised_ends_when_no_tile_is_left_to_hand_back() -> None:
    game = position("5C", rulebook="revised", shares=[{}] * 3, bag=["1A"])
    game.players[1].tiles.add("7E")
    game.end_turn()
    assert game.ending() is None and game.player("a").tiles == {"1A", "5C"}
    game.end_turn()
    assert game.ending() == "no-tile-to-hand-back"


def test_round_is_not_the_last_while_a_player_may_replace_his_hand() -> None:
    for tiles, turns, over in (
        *((["1A"], turns, None) for turns in (3, 8)),
        (["1A"], 9, "dead-round"),
        ([], 3, "dead-round"),
    ):
        game = position("5E", rulebook="wikipedia", shares=[{}] * 3, bag=tiles)
        game.idle_turns = turns
        assert game.ending() == over


def test_tile_of_the_market_is_put_aside_where_no_player_may_place_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusing = replace(RULES["classic"], hotels_take_in_loose_tiles=False)
    monkeypatch.setitem(RULES, "refusing", refusing)
    for rulebook, aside in (("classic", set()), ("refusing", {"6A"})):
        tower = {"Tower": ["4A", "5A"]}
        game = position("11I", rulebook=rulebook, loose=["7A"], hotels=tower, market=True)
        game.waiting = ["6A"]
        assert (game.next_waiting(), game.aside) == ("6A", aside)


def test_round_in_which_nobody_places_or_draws_is_the_last() -> None:
    game = position()
    for _ in range(3):
        assert game.ending() is None
        game.begin_turn()
        game.end_turn()
    assert game.ending() == "dead-round"


@pytest.mark.parametrize(
    ("hand", "bag", "hotels"),
    [(["9I"], [], {}), ([], ["9I"], {}), (["5C"], [], TWO_SAFE)],
    ids=["a tile placed", "a tile drawn", "a dead tile set aside"],
)
def test_turn_that_changes_something_restarts_the_round(
    hand: list[str], bag: list[str], hotels: dict[str, list[str]]
) -> None:
    game = position(*hand, bag=bag, hotels=hotels)
    game.idle_turns = 2
    for tile, hotel, _ in game.legal_placements():
        game.place(tile, hotel)
    game.end_turn()
    assert game.idle_turns == 0 and game.ending() is None


def test_scores_are_bonuses_and_stock_of_hotels_on_the_board_alone() -> None:
    shares = [{"Tower": 2, "Imperial": 9}, {"Tower": 1}, {}]
    for rulebook in ("revised", "classic"):
        game = position(rulebook=rulebook, hotels={"Tower": line("A", 1, 2)}, shares=shares)
        before = game.state()
        expected = {"a": 6_000 + 4_000 + 800, "b": 6_000 + 2_000 + 400, "c": 6_000}
        assert game.scores() == expected, rulebook
        assert game.state() == before


# -- the stock market of two players (classic) -----------------------------------------------------


def test_stock_market_takes_part_in_a_classic_game_of_two_only() -> None:
    with_market = [
        (rulebook, count)
        for rulebook in RULES
        for count in RULES[rulebook].players
        if Game(rulebook, "abcdef"[:count], ALL_TILES).market
    ]
    assert with_market == [("classic", 2)]


@for_each(
    ("counts", "drawn", "paid"),
    [
        ([11, 5], "9F", {"a": 4_000}),  # the rule text's own example
        ([11, 5], None, {"a": 4_000, "b": 2_000}),  # an empty bag: it holds nothing
        ([11, 0], None, {"a": 6_000}),
        ([11, 5], "3F", {"a": 4_000, "b": 2_000}),
        ([11, 5], "12F", {"a": 2_000}),
        ([9, 9], "12F", {"a": 1_000, "b": 1_000}),
        ([9, 5], "9F", {"a": 3_000}),
        ([9, 9], "9F", {"a": 2_000, "b": 2_000}),
        ([11, 9], "9F", {"a": 4_000, "b": 1_000}),
        ([2, 0], "1F", {"a": 4_000}),
        ([0, 0], "9F", {}),
    ],
)
def test_market_holds_the_number_of_the_tile_drawn(
    counts: list[int], drawn: str | None, paid: dict[str, int]
) -> None:
    shares = [{"Tower": count} for count in counts]
    game = position("3A", hotels=PAIR, shares=shares, bag=[drawn] if drawn else [], market=True)
    game.place("3A", "Sackson")
    assert game.draw_for_market("Tower") == drawn
    assert game.pay_bonuses("Tower") == paid
    assert game.bank("Tower") == 25 - sum(counts), "its certificates are not real"


@pytest.mark.parametrize(
    ("drawn", "loose", "hotels", "expected"),
    [
        pytest.param("9F", [], {}, ({"9F"}, {}, set()), id="alone: it stays unincorporated"),
        pytest.param("2F", ["1F"], {}, ({"1F", "2F"}, {}, set()), id="nothing is founded"),
        pytest.param("3F", ["4F", "5F"], {"Tower": line("F", 1, 2)},
                     (set(), {"Tower": {*line("F", 1, 5)}}, set()), id="a hotel grows"),
        pytest.param("5C", [], TWO_SAFE,
                     (set(), {name: {*tiles} for name, tiles in TWO_SAFE.items()}, {"5C"}),
                     id="a dead tile is set aside"),
    ],
)  # fmt: skip
def test_markets_tile_is_placed_after_the_merger(
    drawn: str,
    loose: list[str],
    hotels: dict[str, list[str]],
    expected: tuple[set[str], dict[str, set[str]], set[str]],
) -> None:
    small = {"Festival": ["10I", "9I"], "Imperial": ["12I", "12H"]}
    game = position("11I", loose=loose, hotels=hotels | small, bag=[drawn], market=True)
    game.place("11I", "Festival")
    game.draw_for_market("Imperial")
    assert (game.next_waiting(), game.waiting_merges) == (drawn, False)
    del game.hotels["Festival"]
    assert (game.loose, game.hotels, game.aside) == expected
    assert not any(game.mover.shares.values()) and game.next_waiting() is None


def test_markets_tiles_are_placed_in_the_order_drawn_and_may_merge_in_turn() -> None:
    hotels = {**FOUR, "Imperial": line("I", 1, 2), "Sackson": line("I", 4, 5)}
    bag = ["3I", "1A", "12A", "10A"]
    game = position("5E", hotels=hotels, bag=bag, market=True)
    game.place("5E", "Tower")
    assert [game.draw_for_market(hotel) for hotel in game.acquired] == ["3I", "1A", "12A"]
    assert game.next_waiting() == "3I" and game.waiting_merges
    assert game.waiting_choices() == [("Imperial", ()), ("Sackson", ())]
    game.place_waiting("Imperial")
    assert game.acquired == ["Sackson"] and game.acquired_prices == {"Sackson": 200}
    assert game.draw_for_market("Sackson") == "10A"
    assert [game.next_waiting() for _ in range(4)] == ["1A", "12A", "10A", None]


def test_market_competes_at_the_end_by_tiles_set_aside_largest_hotel_first() -> None:
    hotels = {"Tower": line("A", 1, 2), "Festival": line("C", 1, 3), "American": line("E", 1, 2)}
    shares = [{"Festival": 5, "American": 3, "Tower": 1}, {"Tower": 2}]
    game = position(hotels=hotels, shares=shares, bag=["6I", "2I"], market=True)
    a = 2_000 + 5 * 400  # Festival: second to the market's 6
    a += 3_000 + 3 * 300  # American: first before the market's 2
    a += 2_000 + 400  # Tower: the bag is empty
    assert game.scores() == {"a": 6_000 + a, "b": 6_000 + 4_000 + 2 * 400}
    assert game.aside == {"2I", "6I"} and game.waiting == [] and game.bag == []


# -- not in the rule texts -------------------------------------------------------------------------


def test_ejected_player_leaves_certificates_to_the_bank_and_tiles_to_the_bag() -> None:
    game = position("1A", "2A", shares=[{"Tower": 7}, {"Tower": 1}], bag=["9I"], market=True)
    game.idle_turns = 1
    game.eject("a", ["2A", "9I", "1A"])
    assert [player.name for player in game.players] == ["b"]
    assert game.bank("Tower") == 24 and game.bag == ["2A", "9I", "1A"]
    assert game.idle_turns == 0 and game.ending() is None
    game.eject("b", game.bag)
    assert game.ending() == "nobody-left"
