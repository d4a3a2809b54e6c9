"""The cases of mergers: each forces what it is about, and can be failed by the mistake it names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from admin.check.case import Case
from admin.check.cases.mergers import cases
from check.told import EVERY, always, answering, by_slug, position_of, tell, told_to_all
from game.board import Board
from game.placement import (
    Kind,
    Placement,
    kind_of,
    largest_of,
    legal_placements,
    playable,
    verify_hotels,
    verify_placement,
)
from game.rulebook import ForbiddenMerger, LooseNeighbours, Rulebook
from game.rulebooks import REVISED, RULEBOOKS
from game.tiles import Tile, tile_name, tiles_in
from game.violation import Violation
from protocol import messages
from protocol.messages import PlayerMessage

OTHERS = tuple(rulebook for rulebook in EVERY if rulebook is not REVISED)
NO_MERGER = {"safe", "two-safe", "markets-merger", "markets-merger-tie"}
"""Cases in which what the player places need not merge, or where another tile is the point."""


def cases_in(*rulebooks: Rulebook, leaving_out: set[str] = NO_MERGER) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=f"{rulebook.id}-{case.slug}")
            for rulebook in rulebooks
            for case in cases(rulebook)
            if case.slug not in leaving_out
        ],
    )


def case_of(rulebook: Rulebook, slug: str) -> Case:
    return by_slug(cases, rulebook)[slug]


def sizes(board: Board, tile: Tile) -> list[int]:
    """The sizes of the hotels that a tile touches, the largest first."""
    return sorted((board.size(hotel) for hotel in board.touched(tile)), reverse=True)


def all_sizes(case: Case) -> list[list[int]]:
    """The sizes of the hotels that each tile of the hand touches, row by row."""
    state = position_of(case)
    return [sizes(state.board, tile) for tile in tiles_in(state.mover.hand)]


@cases_in(*EVERY)
def test_every_legal_placement_merges(case: Case) -> None:
    state = position_of(case)
    kinds = {kind_of(state.board, placed.tile) for placed in legal_placements(state)}
    assert kinds == {Kind.MERGING}


@cases_in(*EVERY)
def test_order_with_the_placement_is_refused(case: Case) -> None:
    placement = legal_placements(position_of(case))[0]
    answerer = answering(case.script.rulebook, "turn", always(messages.Pbuy(placement, ())))
    left = tell(case, answerer).left
    assert left is not None
    assert (left.question, left.violation) == ("turn", Violation.MERGER_WITH_ORDER)


@cases_in(*EVERY)
def test_smaller_hotel_or_none_cannot_be_named(case: Case) -> None:
    state = position_of(case)
    for tile in tiles_in(playable(state)):
        touched = state.board.touched(tile)
        wrong = set(touched) - set(largest_of(state.board, touched))
        for hotel in wrong:
            illegal = verify_placement(state, Placement(tile, hotel))
            assert illegal is not None and illegal.violation is Violation.NOT_LARGEST
        illegal = verify_placement(state, Placement(tile))
        assert illegal is not None and illegal.violation is Violation.NO_HOTEL_NAMED


@cases_in(*EVERY, leaving_out=set())
def test_every_legal_player_reaches_what_it_is_about(case: Case) -> None:
    for told in told_to_all(case):
        assert set(told.questions) >= case.to_reach


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
@pytest.mark.parametrize(
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
    state = position_of(case_of(rulebook, slug))
    named = [
        Placement(tile, takes(state.board.touched(tile))) for tile in tiles_in(state.mover.hand)
    ]
    refused = [each for each in named if verify_placement(state, each) is not None]
    assert len(refused) >= at_least


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_dearer_hotel_is_the_smaller(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "dearer-smaller"))
    for tile in tiles_in(state.mover.hand):
        dearest = max(state.board.touched(tile), key=state.price)
        illegal = verify_placement(state, Placement(tile, dearest))
        assert illegal is not None and illegal.violation is Violation.NOT_LARGEST


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_ties_are_what_their_titles_say(rulebook: Rulebook) -> None:
    assert all(found == [6, 6] for found in all_sizes(case_of(rulebook, "tie")))
    assert all(found == [8, 8, 8] for found in all_sizes(case_of(rulebook, "three-equal")))
    assert all(found == [8, 7, 7] for found in all_sizes(case_of(rulebook, "three-one-largest")))
    three = all_sizes(case_of(rulebook, "three-two-largest"))
    assert sum(found[0] == found[1] > found[2] for found in three if len(found) == 3) == 5
    distinct = all_sizes(case_of(rulebook, "three"))
    assert sum(len(set(found)) == 3 for found in distinct) == 4
    four = all_sizes(case_of(rulebook, "four-ties"))
    assert four.count([10, 10, 2, 2]) == 3
    four = all_sizes(case_of(rulebook, "four"))
    assert sum(len(found) == 4 and found[0] > found[1] for found in four) == 3


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_only_mergers_are_all_of_other_hotels(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "only-mergers"))
    pairs = {tuple(state.board.touched(tile)) for tile in tiles_in(state.mover.hand)}
    assert len(pairs) == 6


@pytest.mark.parametrize("rulebook", OTHERS, ids=lambda rulebook: rulebook.id)
def test_only_equals_may_be_named_after_the_survivor(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "four-ties"))
    board = state.board
    crosses = [tile for tile in tiles_in(state.mover.hand) if len(board.touched(tile)) == 4]
    for tile in crosses:
        survivor = largest_of(board, board.touched(tile))[0]
        acquired = tuple(hotel for hotel in board.touched(tile) if hotel != survivor)
        illegal = verify_placement(state, Placement(tile, survivor, acquired))
        assert illegal is not None and illegal.violation is Violation.WRONG_EQUALS
        smallest = tuple(hotel for hotel in acquired if board.size(hotel) == 2)
        assert verify_placement(state, Placement(tile, survivor, smallest[::-1])) is None


# -- the same hotel on two sides ----------------------------------------------------------------


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_counting_a_hotel_twice_names_the_wrong_one(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "same-hotel-twice"))
    for found in all_sizes(case_of(rulebook, "same-hotel-twice")):
        larger, smaller = found
        assert smaller < larger < 2 * smaller
    assert playable(state) == state.mover.hand


# -- safe hotels, unincorporated tiles ----------------------------------------------------------


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_one_tile_is_left_beside_safe_hotels(rulebook: Rulebook) -> None:
    any_safe = rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE
    state = position_of(case_of(rulebook, "safe" if any_safe else "two-safe"))
    assert legal_placements(state) == [Placement(tiles_in(playable(state))[0])]
    hand = tiles_in(state.mover.hand)
    assert hand[0] != tiles_in(playable(state))[0] != hand[-1]
    expected = Violation.SAFE_MERGER if any_safe else Violation.TWO_SAFE
    for tile in hand:
        if not playable(state) >> tile & 1:
            illegal = verify_placement(state, Placement(tile, state.board.touched(tile)[0]))
            assert illegal is not None and illegal.violation is expected
            assert rulebook.safe_size in sizes(state.board, tile)


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_nearly_safe_hotel_leaves_nothing_to_who_is_one_off(rulebook: Rulebook) -> None:
    found = all_sizes(case_of(rulebook, "nearly-safe"))
    least = rulebook.safe_size - 1
    if rulebook.forbidden_merger is ForbiddenMerger.ANY_SAFE:
        assert all(larger == least for larger, _ in found)
    else:
        assert all(each == [least + 1, least] for each in found)
        for larger, smaller in all_sizes(case_of(rulebook, "safe-survivor")):
            assert larger >= rulebook.safe_size > smaller + 1


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
def test_tiles_beside_loose_ones(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "beside-loose"))
    if rulebook.loose_neighbours is LooseNeighbours.ABSORBED:
        assert playable(state) == state.mover.hand
        return
    assert [tile_name(tile) for tile in tiles_in(playable(state))] == ["5E"]
    for tile in tiles_in(state.mover.hand & ~playable(state)):
        illegal = verify_placement(state, Placement(tile, state.board.touched(tile)[0]))
        assert illegal is not None and illegal.violation is Violation.BESIDE_LOOSE


# -- the order, and the market ------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", EVERY, ids=lambda rulebook: rulebook.id)
@pytest.mark.parametrize(
    ("size", "violation"), [(6, Violation.NO_PRICE), (7, Violation.TOO_DEAR)], ids=["gone", "dear"]
)
def test_order_by_the_old_board_is_refused(
    rulebook: Rulebook, size: int, violation: Violation
) -> None:
    case = case_of(rulebook, "order-afterwards")
    state = position_of(case)
    touched = state.board.touched(tiles_in(state.mover.hand)[0])
    (hotel,) = [hotel for hotel in touched if state.board.size(hotel) == size]
    assert state.price(hotel) <= state.mover.cash
    order = messages.Order((hotel,))
    left = tell(case, answering(rulebook, "players", always(order))).left
    assert left is not None and (left.question, left.violation) == ("players", violation)


MARKETS = [rulebook for rulebook in RULEBOOKS.values() if rulebook.market_for_two]


@pytest.mark.parametrize("slug", ["markets-merger", "markets-merger-tie"])
@pytest.mark.parametrize("rulebook", MARKETS, ids=lambda rulebook: rulebook.id)
def test_market_merges_whatever_the_player_does(rulebook: Rulebook, slug: str) -> None:
    case = case_of(rulebook, slug)
    for told in told_to_all(case):
        (asked,) = told.asked("merger")
        assert isinstance(asked, messages.MarketMerger)
        assert tile_name(asked.tile) == "4H"
        board, wrong = asked.view.board, []
        for hotel in board.touched(asked.tile):
            illegal = verify_hotels(rulebook, board, Placement(asked.tile, hotel))
            wrong += [illegal.violation] if illegal is not None else []
        assert wrong == ([] if slug.endswith("tie") else [Violation.NOT_LARGEST])


@pytest.mark.parametrize("rulebook", MARKETS, ids=lambda rulebook: rulebook.id)
def test_tile_of_the_hand_is_refused_for_the_market(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "markets-merger")

    def from_the_hand(message: messages.AdministratorMessage) -> PlayerMessage:
        assert isinstance(message, messages.MarketMerger)
        hand = tiles_in(message.view.players[0].hand)
        return messages.Merge(Placement(hand[0], message.view.board.touched(message.tile)[0]))

    left = tell(case, answering(rulebook, "merger", from_the_hand)).left
    assert left is not None
    assert (left.question, left.violation) == ("merger", Violation.OTHER_TILE)
