"""The cases of the plain turn: each requires what it tests, and can be failed."""

from __future__ import annotations

from collections.abc import Callable

from loops import for_each

from acquire.admin.testing.judging.case_judge import judge
from acquire.admin.testing.judging.check_result import CaseVerdict
from acquire.game.board import Board
from acquire.game.drawing import refill, replace_hand
from acquire.game.placement import (
    Kind,
    Placement,
    place,
    playable,
    verify_no_placement,
    verify_placement,
)
from acquire.game.rulebook import DeadTiles, EmptyBag, LooseNeighbours, Rulebook, StuckHand
from acquire.game.tiles import ROWS, Tile, column_of, near, parse_tile, row_of, tile_at, tiles_in
from acquire.game.violation import Violation
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from check.legal_moves import hand, kinds, orders, placeable, placement_violations
from check.rehearsal import (
    EVERY,
    answering,
    every_rulebook,
    position_of,
    rehearse,
    section_of,
    under,
)

WITHOUT_NEIGHBOURS = (
    "alone",
    "diagonal",
    "opposite-edge",
    "next-row",
    "others-turns",
    "drawn",
    "alone-at-table",
)


@every_rulebook
def test_every_tile_stays_unincorporated_and_cannot_name_a_hotel(rulebook: Rulebook) -> None:
    for slug in WITHOUT_NEIGHBOURS:
        state = position_of(rulebook, f"turn/{slug}")
        if slug != "others-turns":
            assert kinds(state) == {Kind.SINGLETON} and placeable(state) == hand(state), slug
        assert placement_violations(state, hotel=0) == {Violation.HOTEL_NOT_DUE}, slug


def _neighbours_of(tile: Tile, *, wrap: bool) -> list[Tile]:
    """Neighbours on a board whose edges meet: in the same row and column, or in the next."""
    column, row = column_of(tile), ROWS.index(row_of(tile))
    shift = 0 if wrap else 1
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


def _is_loose(board: Board, tile: Tile) -> bool:
    return bool(board.loose >> tile & 1)


@every_rulebook
@for_each(("slug", "wrap"), [("opposite-edge", True), ("next-row", False)])
def test_each_tile_would_found_if_the_edges_met(rulebook: Rulebook, slug: str, wrap: bool) -> None:
    state = position_of(rulebook, f"turn/{slug}")
    for tile in tiles_in(state.mover.hand):
        beyond = _neighbours_of(tile, wrap=wrap)
        assert any(_is_loose(state.board, neighbour) for neighbour in beyond)


@every_rulebook
def test_each_tile_touches_another_only_at_its_corner(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/diagonal")
    for tile in tiles_in(state.mover.hand):
        around = near(1 << tile)
        corners = near(around) & ~around & ~(1 << tile)
        straight = {tile - 2, tile + 2, tile - 26, tile + 26}
        diagonal = [corner for corner in tiles_in(corners) if corner not in straight]
        assert any(_is_loose(state.board, corner) for corner in diagonal)


@every_rulebook
@for_each(("slug", "place_in_hand"), [("only-first", 0), ("only-middle", 3), ("only-last", 5)])
def test_one_tile_of_six_is_playable(rulebook: Rulebook, slug: str, place_in_hand: int) -> None:
    state = position_of(rulebook, f"turn/{slug}")
    assert placeable(state) == [hand(state)[place_in_hand]]
    assert kinds(state) == {Kind.SINGLETON}
    legal = parse_tile(placeable(state)[0])
    refused = {Violation.SAFE_MERGER, Violation.TWO_SAFE}
    touched = state.board.touched(tiles_in(state.mover.hand & ~(1 << legal))[0])
    for named in (None, *touched):
        found = placement_violations(state, named, lambda tile: tile != legal)
        assert len(found) == 1 and found < refused


@every_rulebook
def test_beside_a_hotel_and_a_single_tile(rulebook: Rulebook) -> None:
    if rulebook.loose_neighbours is not LooseNeighbours.REFUSED:
        assert "beside-loose" not in section_of(rulebook, "turn")
        return
    state = position_of(rulebook, "turn/beside-loose")
    assert placeable(state) == ["6G"]
    found = placement_violations(state, None, lambda tile: tile != parse_tile("6G"))
    assert found == {Violation.BESIDE_LOOSE}


@every_rulebook
def test_tiles_without_neighbours_found_a_hotel_later(rulebook: Rulebook) -> None:
    segments = section_of(rulebook, "turn")["changed-position"].script.segments
    first, second = (segment.position for segment in segments)
    own = first.player("player").hand
    assert own == second.mover.hand
    assert kinds(first._replace(players=second.players)) == {Kind.SINGLETON}
    assert kinds(second) == {Kind.FOUNDING} and len(placeable(second)) == 6
    assert placement_violations(second, None) == {Violation.NO_HOTEL_NAMED}


@every_rulebook
def test_a_player_alone_has_two_turns_at_a_table_of_three(rulebook: Rulebook) -> None:
    made = section_of(rulebook, "turn")["alone-at-table"].script
    (segment,) = made.segments
    assert len(made.seats) == 3 and segment.turns == 2
    assert [player.name for player in segment.position.players] == ["player"]


# -- other rulebooks ----------------------------------------------------------------------------


def having(slug: str) -> list[Rulebook]:
    """The rulebooks that have a case."""
    return [rulebook for rulebook in EVERY if slug in section_of(rulebook, "turn")]


def test_which_rulebooks_have_which_cases() -> None:
    rulebooks = EVERY
    plays_on = [each for each in rulebooks if each.empty_bag is EmptyBag.PLAYS_ON]
    assert having("short-hand") == plays_on
    assert having("order-alone") == [
        each for each in rulebooks if each.stuck_hand is not StuckHand.ENDS_GAME
    ]
    assert having("set-aside") == [
        each for each in rulebooks if each.dead_tiles is DeadTiles.REPLACED
    ]
    assert having("new-hand") == []
    assert having("new-hand-offered") == [
        each for each in rulebooks if each.stuck_hand is StuckHand.MAY_REPLACE
    ]
    assert len(having("order-alone-for-now")) == 3


@under(having("short-hand"))
def test_a_short_hand_draws_nothing(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/short-hand")
    assert placeable(state) == ["10F"] and len(hand(state)) == 3
    after = refill(place(state, Placement(parse_tile("10F"))))
    assert not after.tiles and not after.replacements


@under(having("order-alone"))
def test_no_tile_can_be_placed_between_safe_hotels(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/order-alone")
    assert not playable(state) and len(hand(state)) == 6
    assert verify_no_placement(state) is None
    assert not replace_hand(state).tiles and replace_hand(state).state == state
    assert placement_violations(state, None) == {Violation.TWO_SAFE}


@under(having("order-alone-for-now"))
def test_no_tile_can_be_placed_for_now_and_none_is_drawn(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/order-alone-for-now")
    assert not playable(state) and len(hand(state)) == 6
    assert placement_violations(state, None) == {Violation.EIGHTH_HOTEL}
    drawn = refill(state)
    assert state.bag and not drawn.tiles and not drawn.replacements


@under(having("new-hand-offered"))
def test_the_previous_hand_is_gone(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/new-hand-offered")
    assert not playable(state)
    begun = replace_hand(state).state
    assert hand(begun) == ["5F", "9F", "5H", "8H", "2I", "11I"] and len(placeable(begun)) == 6
    for tile in tiles_in(state.mover.hand):
        illegal = verify_placement(begun, Placement(tile))
        assert illegal is not None and illegal.violation is Violation.NOT_IN_HAND


@under(having("set-aside"))
def test_three_tiles_or_more_are_replaced(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/set-aside")
    for name in placeable(state):
        drawn = refill(place(state, Placement(parse_tile(name))))
        assert len(drawn.tiles) == 1 and len(drawn.replacements) >= 3


@under(having("hidden-hands"))
def test_opponents_have_hands_of_different_sizes(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/hidden-hands")
    assert placeable(state) == ["10F", "10G"] and () in orders(state)
    assert {player.hand.bit_count() for player in state.players[1:]} == {6, 5, 0}


# -- wrong answers to questions without a choice -------------------------------------------------


@every_rulebook
def test_answering_a_tile_with_an_order_fails_the_case(rulebook: Rulebook) -> None:
    assert ended_by(rulebook, "drawn", "tile", lambda _: messages.Order(())) == "out-of-turn"


@every_rulebook
def test_moving_in_another_players_turn_fails_the_case(rulebook: Rulebook) -> None:
    asked: list[RefereeMessage] = []

    def move_at_second_state(message: RefereeMessage) -> PlayerMessage:
        asked.append(message)
        move = messages.Pbuy(Placement(parse_tile("2E")), ())
        return move if len(asked) > 1 else messages.Void()

    assert ended_by(rulebook, "others-turns", "state", move_at_second_state) == "out-of-turn"


def ended_by(
    rulebook: Rulebook, slug: str, question: str, answer: Callable[[RefereeMessage], PlayerMessage]
) -> str:
    """Answer a question of a case, which is failed by it; return the reason."""
    case = section_of(rulebook, "turn")[slug]
    played = rehearse(case.script, answering(rulebook, question, answer))
    result = judge(case, played.trial(case.name), None, strict=False)
    assert result.verdict is CaseVerdict.FAIL
    return result.ended_by
