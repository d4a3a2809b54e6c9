"""The cases of mergers: each requires what it tests, and fails the bug of its hint."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from loops import for_each

from acquire.admin.testing.cases.case import Case
from acquire.game.board import Board
from acquire.game.placement import (
    Kind,
    Placement,
    kind_of,
    largest_of,
    legal_placements,
    playable,
    verify_hotels,
    verify_placement,
)
from acquire.game.rulebook import ForbiddenMerger, LooseNeighbours, Rulebook
from acquire.game.rulebooks import REVISED
from acquire.game.state import State
from acquire.game.tiles import Tile, tile_name, tiles_in
from acquire.game.violation import Violation
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage
from check.rehearsal import (
    EVERY,
    answering,
    case_of,
    ejection,
    every_rulebook,
    first_position,
    rehearsals,
    rehearse,
    section_of,
    under,
)

OTHERS = tuple(rulebook for rulebook in EVERY if rulebook is not REVISED)
MARKETS = [rulebook for rulebook in EVERY if rulebook.market_for_two]
NO_MERGER = {"safe", "two-safe", "markets-merger", "markets-merger-tie"}
"""Cases in which the player's tile need not merge, or another tile is tested."""


def position_of(rulebook: Rulebook, slug: str) -> State:
    return first_position(case_of(rulebook, f"mergers/{slug}"))


def merging_cases(rulebook: Rulebook) -> list[Case]:
    """The cases in which every legal placement merges."""
    found = [
        case for slug, case in section_of(rulebook, "mergers").items() if slug not in NO_MERGER
    ]
    assert len(found) >= 14
    return found


def sizes(board: Board, tile: Tile) -> list[int]:
    """The sizes of the hotels that a tile touches, the largest first."""
    return sorted((board.size(hotel) for hotel in board.touched(tile)), reverse=True)


def all_sizes(rulebook: Rulebook, slug: str) -> list[list[int]]:
    """The sizes of the hotels that each tile of the hand touches, row by row."""
    state = position_of(rulebook, slug)
    return [sizes(state.board, tile) for tile in tiles_in(state.mover.hand)]


def violation(state: State, placement: Placement) -> Violation | None:
    illegal = verify_placement(state, placement)
    return illegal and illegal.violation


@every_rulebook
def test_every_legal_placement_merges(rulebook: Rulebook) -> None:
    for case in merging_cases(rulebook):
        state = first_position(case)
        kinds = {kind_of(state.board, placed.tile) for placed in legal_placements(state)}
        assert kinds == {Kind.MERGING}, case.id


@every_rulebook
def test_order_with_the_placement_is_refused(rulebook: Rulebook) -> None:
    for case in merging_cases(rulebook):
        pbuy = messages.Pbuy(legal_placements(first_position(case))[0], ())
        left = ejection(case, "turn", pbuy)
        assert (left.question, left.violation) == ("turn", Violation.MERGER_WITH_ORDER), case.id


@every_rulebook
def test_smaller_hotel_or_none_cannot_be_named(rulebook: Rulebook) -> None:
    smaller = 0
    for case in merging_cases(rulebook):
        state = first_position(case)
        for tile in tiles_in(playable(state)):
            touched = state.board.touched(tile)
            for hotel in set(touched) - set(largest_of(state.board, touched)):
                assert violation(state, Placement(tile, hotel)) is Violation.NOT_LARGEST, case.id
                smaller += 1
            assert violation(state, Placement(tile)) is Violation.NO_HOTEL_NAMED, case.id
    assert smaller > 50


@every_rulebook
@for_each(
    ("slug", "takes", "at_least"),
    [
        ("larger-first", max, 6),
        ("larger-last", min, 6),
        ("three", min, 3),
        ("three-one-largest", min, 2),
        ("four", min, 3),
        ("four", max, 3),
    ],
)
def test_choice_by_the_alphabet_is_mostly_wrong(
    rulebook: Rulebook, slug: str, takes: Callable[[list[int]], int], at_least: int
) -> None:
    state = position_of(rulebook, slug)
    named = [
        Placement(tile, takes(state.board.touched(tile))) for tile in tiles_in(state.mover.hand)
    ]
    assert sum(violation(state, each) is not None for each in named) >= at_least


@every_rulebook
def test_more_expensive_hotel_is_the_smaller_one(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "dearer-smaller")
    for tile in tiles_in(state.mover.hand):
        dearest = max(state.board.touched(tile), key=state.price)
        assert violation(state, Placement(tile, dearest)) is Violation.NOT_LARGEST


@every_rulebook
def test_ties_are_as_in_the_titles(rulebook: Rulebook) -> None:
    assert all_sizes(rulebook, "tie") == [[6, 6]] * 6
    assert all_sizes(rulebook, "three-equal") == [[8, 8, 8]] * 6
    assert all_sizes(rulebook, "three-one-largest") == [[8, 7, 7]] * 6
    three = all_sizes(rulebook, "three-two-largest")
    assert sum(found[0] == found[1] > found[2] for found in three if len(found) == 3) == 5
    distinct = all_sizes(rulebook, "three")
    assert sum(len(set(found)) == 3 for found in distinct) == 4
    assert all_sizes(rulebook, "four-ties").count([10, 10, 2, 2]) == 3
    four = all_sizes(rulebook, "four")
    assert sum(len(found) == 4 and found[0] > found[1] for found in four) == 3


@every_rulebook
def test_only_mergers_merge_different_pairs(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "only-mergers")
    pairs = {tuple(state.board.touched(tile)) for tile in tiles_in(state.mover.hand)}
    assert len(pairs) == 6


@under(OTHERS)
def test_only_equals_may_be_named_after_the_survivor(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "four-ties")
    board = state.board
    crosses = [tile for tile in tiles_in(state.mover.hand) if len(board.touched(tile)) == 4]
    assert len(crosses) == 3
    for tile in crosses:
        survivor = largest_of(board, board.touched(tile))[0]
        acquired = tuple(hotel for hotel in board.touched(tile) if hotel != survivor)
        assert violation(state, Placement(tile, survivor, acquired)) is Violation.WRONG_EQUALS
        smallest = tuple(hotel for hotel in acquired if board.size(hotel) == 2)
        assert violation(state, Placement(tile, survivor, smallest[::-1])) is None


@every_rulebook
def test_counting_a_hotel_twice_names_the_wrong_one(rulebook: Rulebook) -> None:
    for larger, smaller in all_sizes(rulebook, "same-hotel-twice"):
        assert smaller < larger < 2 * smaller
    state = position_of(rulebook, "same-hotel-twice")
    assert playable(state) == state.mover.hand


# -- safe hotels, unincorporated tiles ----------------------------------------------------------


@every_rulebook
def test_one_tile_is_playable_beside_safe_hotels(rulebook: Rulebook) -> None:
    any_safe = rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE
    state = position_of(rulebook, "safe" if any_safe else "two-safe")
    (legal,) = tiles_in(playable(state))
    assert legal_placements(state) == [Placement(legal)]
    hand = tiles_in(state.mover.hand)
    assert hand[0] != legal != hand[-1] and len(hand) == 6
    expected = Violation.SAFE_MERGER if any_safe else Violation.TWO_SAFE
    for tile in set(hand) - {legal}:
        assert violation(state, Placement(tile, state.board.touched(tile)[0])) is expected
        assert rulebook.safe_size in sizes(state.board, tile)


@every_rulebook
def test_nearly_safe_hotel_is_one_tile_short(rulebook: Rulebook) -> None:
    found = all_sizes(rulebook, "nearly-safe")
    least = rulebook.safe_size - 1
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        assert [larger for larger, _ in found] == [least] * 6
    else:
        assert found == [[least + 1, least]] * 6
        for larger, smaller in all_sizes(rulebook, "safe-survivor"):
            assert larger >= rulebook.safe_size > smaller + 1


@every_rulebook
def test_mergers_beside_unincorporated_tiles(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "beside-loose")
    if rulebook.loose_neighbours is LooseNeighbours.ABSORBED:
        assert playable(state) == state.mover.hand
        return
    assert [tile_name(tile) for tile in tiles_in(playable(state))] == ["5E"]
    for tile in tiles_in(state.mover.hand & ~playable(state)):
        named = Placement(tile, state.board.touched(tile)[0])
        assert violation(state, named) is Violation.BESIDE_LOOSE


# -- the order, and the market ------------------------------------------------------------------


@every_rulebook
@for_each(
    ("size", "expected"), [(6, Violation.NO_PRICE), (7, Violation.TOO_DEAR)], ids=["gone", "dear"]
)
def test_order_by_the_old_board_is_refused(
    rulebook: Rulebook, size: int, expected: Violation
) -> None:
    case = case_of(rulebook, "mergers/order-afterwards")
    state = first_position(case)
    touched = state.board.touched(tiles_in(state.mover.hand)[0])
    (hotel,) = [hotel for hotel in touched if state.board.size(hotel) == size]
    assert state.price(hotel) <= state.mover.cash
    order = messages.Order((hotel,))
    left = rehearse(case.script, answering(rulebook, "players", lambda _: order)).left
    assert left is not None and (left.question, left.violation) == ("players", expected)


@under(MARKETS)
@pytest.mark.parametrize("slug", ["markets-merger", "markets-merger-tie"])
def test_market_merges_whatever_the_player_does(rulebook: Rulebook, slug: str) -> None:
    for each in rehearsals(rulebook, f"mergers/{slug}"):
        (asked,) = each.asked("merger")
        assert isinstance(asked, messages.MarketMerger)
        assert tile_name(asked.tile) == "4H"
        board = asked.view.board
        found = [
            verify_hotels(rulebook, board, Placement(asked.tile, hotel))
            for hotel in board.touched(asked.tile)
        ]
        wrong = [illegal.violation for illegal in found if illegal is not None]
        assert wrong == ([] if slug.endswith("tie") else [Violation.NOT_LARGEST])


@under(MARKETS)
def test_any_other_tile_is_refused_for_the_market(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "mergers/markets-merger")
    for number in range(3):

        def another(message: messages.RefereeMessage, number: int = number) -> PlayerMessage:
            assert isinstance(message, messages.MarketMerger)
            in_hand = tiles_in(message.view.players[0].hand)[0]
            tile = (in_hand, message.tile - 1, message.tile + 1)[number]
            return messages.Merge(Placement(tile, message.view.board.touched(message.tile)[0]))

        left = rehearse(case.script, answering(rulebook, "merger", another)).left
        assert left is not None
        assert (left.question, left.violation) == ("merger", Violation.OTHER_TILE)
