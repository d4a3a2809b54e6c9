"""The cases of the plain turn: each forces what it is about, and can be failed."""

from __future__ import annotations

import pytest

from admin.check.judging import Verdict
from check.doors import check
from check.laid_out import (
    answering,
    case_of,
    every_rulebook,
    hand,
    kinds,
    orders,
    placeable,
    placement_refused,
    position_of,
    slugs,
)
from game.board import Board
from game.drawing import refill, replace_hand
from game.placement import Kind, Placement, place, playable, verify_no_placement, verify_placement
from game.rulebook import DeadTiles, EmptyBag, LooseNeighbours, Rulebook, StuckHand
from game.rulebooks import RULEBOOKS
from game.tiles import ROWS, Tile, column_of, near, parse_tile, row_of, tile_at, tiles_in
from game.violation import Violation
from player.misbehaving.wire_faults import RawBytes, WireFault
from protocol import messages
from protocol.messages import AdministratorMessage

LONELY = (
    "alone",
    "diagonal",
    "opposite-edge",
    "next-row",
    "others-turns",
    "drawn",
    "alone-at-table",
)


@every_rulebook
@pytest.mark.parametrize("slug", LONELY)
def test_every_tile_stays_alone_and_no_hotel_may_be_named(rulebook: Rulebook, slug: str) -> None:
    state = position_of(rulebook, f"turn/{slug}")
    if slug != "others-turns":
        assert kinds(state) == {Kind.SINGLETON} and placeable(state) == hand(state)
    assert placement_refused(state, hotel=0) == {Violation.HOTEL_NOT_DUE}


def _neighbours_of(tile: Tile, *, round_the_edge: bool) -> list[Tile]:
    """Neighbours on a board whose edges meet, at the same row or at the next one."""
    column, row = column_of(tile), ROWS.index(row_of(tile))
    shift = 0 if round_the_edge else 1
    found = []
    if column == 12 and row + shift < 9:
        found.append((1, row + shift))
    if column == 1 and row - shift >= 0:
        found.append((12, row - shift))
    if row == 8 and column + shift <= 12:
        found.append((column + shift, 0))
    if row == 0 and column - shift >= 1:
        found.append((column - shift, 8))
    return [tile_at(column, ROWS[row]) for column, row in found]


def _lies(board: Board, tile: Tile) -> bool:
    return bool(board.loose >> tile & 1)


@every_rulebook
@pytest.mark.parametrize(("slug", "round_the_edge"), [("opposite-edge", True), ("next-row", False)])
def test_each_tile_would_found_were_the_edges_to_meet(
    rulebook: Rulebook, slug: str, round_the_edge: bool
) -> None:
    state = position_of(rulebook, f"turn/{slug}")
    for tile in tiles_in(state.mover.hand):
        beyond = _neighbours_of(tile, round_the_edge=round_the_edge)
        assert any(_lies(state.board, neighbour) for neighbour in beyond)


@every_rulebook
def test_each_tile_touches_a_single_one_at_its_corner(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/diagonal")
    for tile in tiles_in(state.mover.hand):
        around = near(1 << tile)
        corners = near(around) & ~around & ~(1 << tile)
        straight = {tile - 2, tile + 2, tile - 26, tile + 26}
        diagonal = [corner for corner in tiles_in(corners) if corner not in straight]
        assert any(_lies(state.board, corner) for corner in diagonal)


@every_rulebook
@pytest.mark.parametrize(
    ("slug", "place_in_hand"), [("only-first", 0), ("only-middle", 3), ("only-last", 5)]
)
def test_one_tile_of_six_can_be_placed(rulebook: Rulebook, slug: str, place_in_hand: int) -> None:
    state = position_of(rulebook, f"turn/{slug}")
    assert placeable(state) == [hand(state)[place_in_hand]]
    assert kinds(state) == {Kind.SINGLETON}
    legal = parse_tile(placeable(state)[0])
    refused = {Violation.SAFE_MERGER, Violation.TWO_SAFE}
    touched = state.board.touched(tiles_in(state.mover.hand & ~(1 << legal))[0])
    for named in (None, *touched):
        found = placement_refused(state, named, lambda tile: tile != legal)
        assert len(found) == 1 and found < refused


@every_rulebook
def test_beside_a_hotel_and_a_single_tile(rulebook: Rulebook) -> None:
    if rulebook.loose_neighbours is not LooseNeighbours.REFUSED:
        assert "beside-loose" not in slugs(rulebook, "turn")
        return
    state = position_of(rulebook, "turn/beside-loose")
    assert placeable(state) == ["6G"]
    found = placement_refused(state, None, lambda tile: tile != parse_tile("6G"))
    assert found == {Violation.BESIDE_LOOSE}


@every_rulebook
def test_tiles_that_were_alone_found_a_hotel_in_the_turn(rulebook: Rulebook) -> None:
    segments = case_of(rulebook, "turn/changed-position").script.segments
    first, second = (segment.position for segment in segments)
    own = first.player("player").hand
    assert own == second.mover.hand
    assert kinds(first._replace(players=second.players)) == {Kind.SINGLETON}
    assert kinds(second) == {Kind.FOUNDING} and len(placeable(second)) == 6
    assert placement_refused(second, None) == {Violation.NO_HOTEL_NAMED}


@every_rulebook
def test_a_player_alone_has_two_turns_at_a_table_of_three(rulebook: Rulebook) -> None:
    made = case_of(rulebook, "turn/alone-at-table").script
    (segment,) = made.segments
    assert len(made.seats) == 3 and segment.turns == 2
    assert [player.name for player in segment.position.players] == ["player"]


# -- other rulebooks ----------------------------------------------------------------------------


def having(slug: str) -> list[Rulebook]:
    return [rulebook for rulebook in RULEBOOKS.values() if slug in slugs(rulebook, "turn")]


def test_which_rulebooks_have_which_cases() -> None:
    everybody = list(RULEBOOKS.values())
    plays_on = [each for each in everybody if each.empty_bag is EmptyBag.PLAYS_ON]
    assert having("short-hand") == plays_on
    assert having("order-alone") == [
        each for each in everybody if each.stuck_hand is not StuckHand.ENDS_GAME
    ]
    assert having("set-aside") == [
        each for each in everybody if each.dead_tiles is DeadTiles.REPLACED
    ]
    assert len(having("new-hand")) == 1 and len(having("order-alone-for-now")) == 3


@pytest.mark.parametrize("rulebook", having("short-hand"), ids=lambda each: each.id)
def test_a_short_hand_draws_nothing(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/short-hand")
    assert placeable(state) == ["10F"] and len(hand(state)) == 3
    after = refill(place(state, Placement(parse_tile("10F"))))
    assert not after.tiles and not after.replacements


@pytest.mark.parametrize("rulebook", having("order-alone"), ids=lambda each: each.id)
def test_no_tile_can_be_placed_between_safe_hotels(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/order-alone")
    assert not playable(state) and len(hand(state)) == 6
    assert verify_no_placement(state) is None
    assert not replace_hand(state).tiles and replace_hand(state).state == state
    assert placement_refused(state, None) == {Violation.TWO_SAFE}


@pytest.mark.parametrize("rulebook", having("order-alone-for-now"), ids=lambda each: each.id)
def test_no_tile_can_be_placed_for_now_and_none_is_drawn(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/order-alone-for-now")
    assert not playable(state) and len(hand(state)) == 6
    assert placement_refused(state, None) == {Violation.EIGHTH_HOTEL}
    drawn = refill(state)
    assert state.bag and not drawn.tiles and not drawn.replacements


@pytest.mark.parametrize("rulebook", having("new-hand"), ids=lambda each: each.id)
def test_the_hand_told_before_is_gone(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/new-hand")
    assert not playable(state)
    begun = replace_hand(state).state
    assert hand(begun) == ["5F", "9F", "5H", "8H", "2I", "11I"] and len(placeable(begun)) == 6
    for tile in tiles_in(state.mover.hand):
        illegal = verify_placement(begun, Placement(tile))
        assert illegal is not None and illegal.violation is Violation.NOT_IN_HAND


@pytest.mark.parametrize("rulebook", having("set-aside"), ids=lambda each: each.id)
def test_three_tiles_or_more_are_replaced(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/set-aside")
    for name in placeable(state):
        drawn = refill(place(state, Placement(parse_tile(name))))
        assert len(drawn.tiles) == 1 and len(drawn.replacements) >= 3


@pytest.mark.parametrize("rulebook", having("hidden-hands"), ids=lambda each: each.id)
def test_the_others_have_hands_of_different_sizes(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/hidden-hands")
    assert placeable(state) == ["10F", "10G"] and () in orders(state)
    assert {player.hand.bit_count() for player in state.players[1:]} == {6, 5, 0}


# -- wrong answers where nothing is decided -----------------------------------------------------


def _ordering_at_the_tile(message: AdministratorMessage) -> WireFault | None:
    return RawBytes(b"<order/>") if isinstance(message, messages.NewTile) else None


class _MovingAtOnce:
    """Places a tile when told a position, but for the first."""

    def __init__(self) -> None:
        self.told = 0

    def __call__(self, message: AdministratorMessage) -> WireFault | None:
        self.told += isinstance(message, messages.State | messages.StateView)
        move = b'<pbuy><placement><tile column="2" row="E"/></placement><order/></pbuy>'
        return RawBytes(move) if self.told > 1 else None


@every_rulebook
async def test_a_tile_without_void_fails_the_case(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "turn/drawn")
    (result,) = await check(rulebook, [case], answering(_ordering_at_the_tile))
    assert result.verdict is Verdict.FAIL and result.ended_by == "out-of-turn"


@every_rulebook
async def test_a_move_in_another_players_turn_fails_the_case(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "turn/others-turns")
    (result,) = await check(rulebook, [case], answering(_MovingAtOnce()))
    assert result.verdict is Verdict.FAIL and result.ended_by == "out-of-turn"
