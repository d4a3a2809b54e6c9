"""The cases of founding, growth and nearly full boards: what each tile of the hand does."""

from __future__ import annotations

from loops import for_each

from acquire.admin.testing.cases.position_text import hotels
from acquire.game.placement import Kind, legal_placements
from acquire.game.rulebook import EighthHotel, LooseNeighbours, Rulebook
from acquire.game.state import State
from acquire.game.tiles import NEIGHBOURS, ROW_MASK, STRIDE, parse_tile, tiles_in
from acquire.game.turn import ending, regular_ending
from acquire.game.violation import Violation
from acquire.protocol.position_messages import PositionMessages
from acquire.protocol.writing import Writer
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

FOUNDING = (
    "choice-of-seven",
    "only-one-left",
    "first-row",
    "last-row",
    "first-column",
    "last-column",
    "two-neighbours",
    "three-neighbours",
    "four-neighbours",
    "chain",
    "no-free-certificate",
    "last-certificate-is-free",
    "one-left-after-the-free-one",
    "price-after-founding",
)


@every_rulebook
def test_every_tile_founds_and_needs_a_name(rulebook: Rulebook) -> None:
    for slug in FOUNDING:
        state = position_of(rulebook, f"founding/{slug}")
        assert kinds(state) == {Kind.FOUNDING} and placeable(state) == hand(state), slug
        assert placement_violations(state, None) == {Violation.NO_HOTEL_NAMED}, slug
    others = {"all-seven-on-the-board", "no-eighth-hotel"}
    assert section_of(rulebook, "founding").keys() - others == set(FOUNDING)


@every_rulebook
def test_any_of_seven_can_be_named(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "founding/choice-of-seven")
    named = {placement.hotel for placement in legal_placements(state)}
    assert named == set(range(7))


@every_rulebook
def test_only_the_hotel_off_the_board_can_be_named(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "founding/only-one-left")
    (free,) = {placement.hotel for placement in legal_placements(state)}
    assert free == hotels(rulebook)["I"] and free not in (0, 6)
    for other in set(range(7)) - {free}:
        assert placement_violations(state, other) == {Violation.HOTEL_ON_BOARD}


def _cells(slug: str) -> int:
    """The cells of the row or column that a case is named for."""
    column = sum(1 << STRIDE * row for row in range(9))
    return {
        "first-row": ROW_MASK,
        "last-row": ROW_MASK << STRIDE * 8,
        "first-column": column,
        "last-column": column << 11,
    }[slug]


@every_rulebook
def test_without_the_edge_nothing_would_be_founded(rulebook: Rulebook) -> None:
    for slug in ("first-row", "last-row", "first-column", "last-column"):
        state = position_of(rulebook, f"founding/{slug}")
        seen = state.board.loose & ~_cells(slug)
        assert not any(NEIGHBOURS[tile] & seen for tile in tiles_in(state.mover.hand)), slug


def sizes_founded(state: State) -> set[int]:
    """The sizes of the hotels that can be founded."""
    founded = ((each.placement.hotel, each.ordering.board) for each in choices(state))
    return {board.size(hotel) for hotel, board in founded if hotel is not None}


@every_rulebook
@for_each(
    ("slug", "size", "assumed"),
    [
        ("two-neighbours", 3, 2),
        ("three-neighbours", 4, 3),
        ("four-neighbours", 5, 4),
        ("chain", 4, 3),
    ],
)
def test_cash_is_short_of_the_price_at_the_true_size(
    rulebook: Rulebook, slug: str, size: int, assumed: int
) -> None:
    state = position_of(rulebook, f"founding/{slug}")
    assert sizes_founded(state) == {size}
    assert orders(state) == {()}
    for letter in "SW":
        hotel = hotels(rulebook)[letter]
        assert rulebook.price(hotel, assumed) <= state.mover.cash  # the bug of the hint
        founded = [each for each in legal_placements(state) if each.hotel == hotel]
        assert founded
    for order in letters(rulebook, "S", "W"):
        assert Violation.TOO_DEAR in order_violations(state, order)


@every_rulebook
@for_each("slug", ["no-free-certificate", "last-certificate-is-free"])
def test_no_certificate_of_the_founded_hotel_is_left(rulebook: Rulebook, slug: str) -> None:
    state = position_of(rulebook, f"founding/{slug}")
    hotel = hotels(rulebook)["W"]
    free = 1 if slug == "last-certificate-is-free" else 0
    assert state.bank[hotel] == free
    assert orders(state) == {()}
    assert order_violations(state, (hotel,)) == {Violation.SOLD_OUT}
    for _, ordering in choices(state):
        assert ordering.mover.shares[hotel] == free
    assert rulebook.price(hotel, 2) <= state.mover.cash


@every_rulebook
def test_one_of_the_last_two_is_free(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "founding/one-left-after-the-free-one")
    (one,), (two,) = letters(rulebook, "W"), letters(rulebook, "WW")
    assert orders(state) == {(), one}
    assert Violation.SOLD_OUT in order_violations(state, two)
    assert 2 * rulebook.price(one[0], 2) <= state.mover.cash


@every_rulebook
def test_cash_is_enough_for_the_price_before_the_placement(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "founding/price-after-founding")
    (order,) = letters(rulebook, "I")
    assert state.price(order[0]) <= state.mover.cash
    assert orders(state) == {()}
    assert order_violations(state, order) == {Violation.TOO_DEAR}


@every_rulebook
def test_with_all_seven_on_the_board_nothing_is_founded(rulebook: Rulebook) -> None:
    if rulebook.eighth_hotel is EighthHotel.STAYS_LOOSE:
        state = position_of(rulebook, "founding/all-seven-on-the-board")
        assert kinds(state) == {Kind.SINGLETON} and len(placeable(state)) == 6
        for hotel in range(7):
            assert placement_violations(state, hotel) == {Violation.HOTEL_NOT_DUE}
        assert all(NEIGHBOURS[t] & state.board.loose for t in tiles_in(state.mover.hand))
    else:
        state = position_of(rulebook, "founding/no-eighth-hotel")
        assert placeable(state) == ["8F"] and hand(state).index("8F") == 2
        refused = placement_violations(state, None, lambda tile: tile != parse_tile("8F"))
        assert refused == {Violation.EIGHTH_HOTEL}
    assert 0 not in state.board.sizes
    assert (
        len({"all-seven-on-the-board", "no-eighth-hotel"} & section_of(rulebook, "founding").keys())
        == 1
    )


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
