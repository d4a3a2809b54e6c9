"""The cases of growth: every legal placement makes a hotel grow, and names none."""

from __future__ import annotations

from loops import for_each

from acquire.admin.testing.case_parts.position_text import hotels
from acquire.game.placement import Kind
from acquire.game.rulebook import LooseNeighbours, Rulebook
from acquire.game.state import State
from acquire.game.tiles import NEIGHBOURS, parse_tile, tiles_in
from acquire.game.turn import ending, regular_ending
from acquire.game.violation import Violation
from check.legal_moves import (
    choices,
    hand,
    kinds,
    letters,
    order_violations,
    orders,
    placeable,
    placement_violations,
)
from check.rehearsal import every_rulebook, position_of, section_of

ABSORBING = ("one-taken-in", "several-taken-in")
GROWING = ("by-one", "to-the-safe-size", "past-the-safe-size", "two-sides", "price-step")


def of(rulebook: Rulebook) -> list[str]:
    """The cases in which all six tiles make a hotel grow."""
    refused = rulebook.loose_neighbours is LooseNeighbours.REFUSED
    return [*GROWING, *(() if refused else ABSORBING)]


@every_rulebook
def test_every_tile_makes_a_hotel_grow_and_cannot_name_one(rulebook: Rulebook) -> None:
    for slug in of(rulebook):
        state = position_of(rulebook, f"growth/{slug}")
        assert kinds(state) == {Kind.GROWING}, slug
        assert placeable(state) == hand(state), slug
        for hotel in range(7):
            assert placement_violations(state, hotel) == {Violation.HOTEL_NOT_DUE}, slug
    assert section_of(rulebook, "growth").keys() - {"beside-loose"} == set(of(rulebook))


def grown(state: State, hotel: int) -> set[int]:
    """The sizes that a hotel can have after the placement."""
    return {ordering.board.size(hotel) for _, ordering in choices(state)}


@every_rulebook
def test_the_hotel_becomes_safe_with_the_tile(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "growth/to-the-safe-size")
    hotel = hotels(rulebook)["I"]
    assert state.board.size(hotel) == rulebook.safe_size - 1
    assert grown(state, hotel) == {rulebook.safe_size}
    assert all(regular_ending(ordering) is None for _, ordering in choices(state))


@every_rulebook
def test_the_hotel_was_safe_before_the_tile(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "growth/past-the-safe-size")
    assert state.board.size(hotels(rulebook)["F"]) >= rulebook.safe_size
    assert ending(state) is None


@every_rulebook
def test_each_tile_has_two_neighbours_of_the_one_hotel(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "growth/two-sides")
    for tile in tiles_in(state.mover.hand):
        (hotel,) = state.board.touched(tile)
        assert (NEIGHBOURS[tile] & state.board.hotels[hotel]).bit_count() == 2


@every_rulebook
@for_each(
    ("slug", "sizes"), [("price-step", {6}), ("one-taken-in", {5}), ("several-taken-in", {6, 7})]
)
def test_cash_is_enough_for_a_smaller_size(rulebook: Rulebook, slug: str, sizes: set[int]) -> None:
    if slug not in section_of(rulebook, "growth"):
        assert rulebook.loose_neighbours is LooseNeighbours.REFUSED and slug in ABSORBING
        return
    state = position_of(rulebook, f"growth/{slug}")
    (order,) = letters(rulebook, "S")
    assert grown(state, order[0]) == sizes
    assert orders(state) == {()}
    assert order_violations(state, order) == {Violation.TOO_DEAR}
    assert rulebook.price(order[0], min(sizes) - 1) <= state.mover.cash  # the bug of the hint


@every_rulebook
def test_one_tile_touches_the_hotel_alone(rulebook: Rulebook) -> None:
    if rulebook.loose_neighbours is not LooseNeighbours.REFUSED:
        assert "beside-loose" not in section_of(rulebook, "growth")
        return
    state = position_of(rulebook, "growth/beside-loose")
    assert placeable(state) == ["6C"] and kinds(state) == {Kind.GROWING}
    refused = placement_violations(state, None, lambda tile: tile != parse_tile("6C"))
    assert refused == {Violation.BESIDE_LOOSE}
