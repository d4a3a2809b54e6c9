"""The cases of nearly full boards: few free cells, and long messages."""

from __future__ import annotations

from loops import for_each

from acquire.game.placement import Kind, legal_placements
from acquire.game.rulebook import Rulebook
from acquire.game.tiles import NEIGHBOURS, parse_tile, tiles_in
from acquire.game.turn import ending, regular_ending
from acquire.game.violation import Violation
from acquire.protocol.position_messages import PositionMessages
from acquire.protocol.writing import Writer
from check.legal_moves import hand, kinds, placeable, placement_violations
from check.rehearsal import every_rulebook, position_of


@every_rulebook
@for_each(
    ("slug", "legal", "place_in_hand"), [("one-free-cell", "10F", 5), ("all-safe-but-one", "5C", 2)]
)
def test_one_tile_of_six_is_playable(
    rulebook: Rulebook, slug: str, legal: str, place_in_hand: int
) -> None:
    state = position_of(rulebook, f"full-boards/{slug}")
    assert placeable(state) == [legal] == [hand(state)[place_in_hand]]
    assert kinds(state) == {Kind.GROWING}
    refused = placement_violations(state, None, lambda tile: tile != parse_tile(legal))
    assert len(refused) == 1 and refused < {Violation.SAFE_MERGER, Violation.TWO_SAFE}
    assert state.board.occupied.bit_count() >= 70


@every_rulebook
def test_all_are_safe_but_one(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "full-boards/all-safe-but-one")
    sizes = [size for size in state.board.sizes if size]
    assert [size for size in sizes if size < rulebook.safe_size] == [4] and len(sizes) == 6
    assert ending(state) is None and regular_ending(state) is None


@every_rulebook
def test_holes_have_the_same_hotel_on_four_sides(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "full-boards/holes")
    assert kinds(state) == {Kind.GROWING} and placeable(state) == hand(state)
    around = [NEIGHBOURS[tile] & state.board.occupied for tile in tiles_in(state.mover.hand)]
    assert sorted(cells.bit_count() for cells in around) == [1, 4, 4, 4, 4, 4]
    for hotel in range(7):
        assert placement_violations(state, hotel) == {Violation.HOTEL_NOT_DUE}


@every_rulebook
def test_every_tile_founds_among_54_unincorporated_tiles(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "full-boards/chequered")
    assert state.board.loose.bit_count() == 54 and not any(state.board.sizes)
    assert kinds(state) == {Kind.FOUNDING} and len(legal_placements(state)) == 42
    assert placement_violations(state, None) == {Violation.NO_HOTEL_NAMED}


@every_rulebook
def test_long_messages_are_longer_than_a_usual_buffer(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "full-boards/long-messages")
    message = Writer(rulebook).write(PositionMessages(rulebook).turn(state))
    assert len(message) > 4096 and len(state.players) == 6
    assert kinds(state) == {Kind.GROWING} and placeable(state) == hand(state)
