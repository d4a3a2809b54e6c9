"""One position, and setting the table: "Setup" of the rule text."""

import inspect
import os
import random
from dataclasses import replace

import pytest
from positions import at_table, board, hotel, mask, names, plain, player, scene, tiles

from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.state import Player, deal, position
from acquire.game.tiles import TILES, tile_name
from reference.game import Game

# "Each player receives $8,000 in cash and six randomly chosen tiles."


def test_hands_are_drawn_in_the_order_of_signing_up() -> None:
    state = deal(REVISED, ["zoe", "adam", "eve"], TILES)
    assert [seated.name for seated in state.players] == ["zoe", "adam", "eve"]
    assert [names(seated.hand) for seated in state.players] == [
        "1A 2A 3A 4A 5A 6A",
        "7A 8A 9A 10A 11A 12A",
        "1B 2B 3B 4B 5B 6B",
    ]
    assert state.mover.name == "zoe"


def test_bag_keeps_its_order_behind_the_hands() -> None:
    bag = random.Random(1).sample(TILES, len(TILES))
    state = deal(REVISED, ["a", "b", "c", "d"], bag)
    assert state.bag == tuple(bag[24:])
    assert state.players[1].hand == mask(" ".join(map(tile_name, bag[6:12])))


def test_game_begins_with_an_empty_board_8000_dollars_and_all_certificates_in_the_bank() -> None:
    state = deal(REVISED, ["a", "b", "c"], TILES)
    assert state.board == board("")
    assert state.bank == (25,) * 7
    assert {seated.cash for seated in state.players} == {8_000}
    assert {seated.shares for seated in state.players} == {(0,) * 7}


def test_deal_is_that_of_the_reference() -> None:
    bag = random.Random(2).sample(TILES, len(TILES))
    state = deal(REVISED, "abcdef", bag)
    assert plain(state) == Game("revised", "abcdef", [tile_name(tile) for tile in bag]).state()


@pytest.mark.parametrize(("rulebook", "first"), [(CLASSIC, "bob"), (CORPORATIONS, "cyd")])
def test_ties_in_who_starts_are_broken_by_the_other_coordinate(
    rulebook: Rulebook, first: str
) -> None:
    drawn = tiles("2E 2B 1B") if rulebook is CORPORATIONS else tiles("2E 2B 3A")
    bag = [*drawn, *(tile for tile in TILES if tile not in drawn)]
    assert deal(rulebook, ["ann", "bob", "cyd"], bag).mover.name == first


def test_deal_follows_the_rulebooks_numbers() -> None:
    other = replace(REVISED, cash=6_000, hand_size=2, certificates=30, min_players=2)
    state = deal(other, ["a", "b"], TILES)
    assert [names(seated.hand) for seated in state.players] == ["1A 2A", "3A 4A"]
    assert state.mover.cash == 6_000 and state.bank == (30,) * 7


@pytest.mark.parametrize("count", [0, 2, 7])
def test_game_is_for_three_to_six(count: int) -> None:
    with pytest.raises(ValueError, match=f"revised is for 3 to 6 players, not {count}"):
        deal(REVISED, "abcdefg"[:count], TILES)


@pytest.mark.parametrize("count", [3, 6])
def test_three_and_six_may_play(count: int) -> None:
    assert len(deal(REVISED, "abcdef"[:count], TILES).players) == count


def test_two_players_of_the_same_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two players have the same name: ann, bob, ann"):
        deal(REVISED, ["ann", "bob", "ann"], TILES)


@pytest.mark.parametrize(
    "bag",
    [TILES[:-1], (*TILES, TILES[0]), (*TILES[:-1], TILES[0]), (*TILES[:-1], 12)],
    ids=["one is missing", "one too many", "one twice", "one off the grid"],
)
def test_bag_has_to_hold_each_tile_once(bag: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="the bag must hold each of the 108 tiles once"):
        deal(REVISED, ["a", "b", "c"], bag)


# Any position


def test_bank_holds_the_certificates_that_no_player_has() -> None:
    state = at_table("", player("a", Tower=20, Sackson=1), player("b", Tower=5))
    assert state.bank == (25, 25, 25, 25, 24, 0, 25)
    assert position(REVISED, board(""), []).bank == (25,) * 7


def test_more_certificates_than_there_are_cannot_be_laid_out() -> None:
    players = [player("a", Tower=20), player("b", Tower=6, Sackson=25)]
    with pytest.raises(ValueError, match="more than 25 certificates of Tower are held"):
        position(REVISED, board(""), players)


def test_position_without_a_bag_is_what_a_player_sees() -> None:
    assert position(REVISED, board("TT"), [player("a")]).bag == ()
    assert position(REVISED, board("TT"), [player("a")], tiles("5E 1A")).bag == tiles("5E 1A")


def test_mover_stands_first() -> None:
    state = at_table("", player("ann"), player("bob"))
    assert state.mover is state.players[0]


def test_table_that_all_have_left_has_no_mover() -> None:
    with pytest.raises(IndexError):
        _ = position(REVISED, board(""), []).mover


def test_player_is_found_by_name() -> None:
    state = at_table("", player("ann"), player("bob", cash=3))
    assert state.player("bob") == Player("bob", 3, (0,) * 7, 0)
    with pytest.raises(KeyError, match="cyd"):
        state.player("cyd")


def test_price_is_the_one_at_the_hotels_present_size_on_the_board_or_not() -> None:
    state = at_table("CCC.SS")
    prices = [state.price(hotel(name)) for name in ("Continental", "Sackson", "Tower", "Worldwide")]
    assert prices == [500, 200, 300, 0]


def test_board_and_player_are_shown_in_one_line_each() -> None:
    state = scene(CLASSIC, "AA.CC/..o", "ann 3A 9I A2 $600", "bob")
    assert repr(state.board) == "<Board hotel 0: 2, hotel 1: 2, 1 loose>"
    assert [*map(repr, state.players)] == [
        "<Player ann $600, (2, 0, 0, 0, 0, 0, 0), 3A 9I>",
        "<Player bob $0, (0, 0, 0, 0, 0, 0, 0), no tiles>",
    ]


@pytest.mark.skipif("ACQUIRE_COMPILED" in os.environ, reason="compiled functions show no types")
def test_help_names_types_without_their_modules() -> None:
    assert str(inspect.signature(deal)).startswith("(rulebook: 'Rulebook', names: ")
