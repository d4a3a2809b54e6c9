"""Placing a tile: "Play", step 1 of the rule text, mergers apart."""

from dataclasses import replace

import pytest
from loops import for_each
from positions import (
    CENTRE,
    at_table,
    board,
    crossing,
    held,
    hotel,
    hotels,
    named,
    names,
    placement,
    plain,
    player,
    reference_game,
    seven,
)

from acquire.game.merger import merge
from acquire.game.notation import parse_position
from acquire.game.placement import (
    Kind,
    Placement,
    hotel_choices,
    kind_of,
    largest_of,
    legal_placements,
    place,
    playable,
    verify_placement,
)
from acquire.game.rulebook import EighthHotel, ForbiddenMerger, LooseNeighbours, Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.game.tiles import GRID, parse_tile, tiles_in
from acquire.game.violation import BrokenRule, Violation

ABSORBED = replace(REVISED, loose_neighbours=LooseNeighbours.ABSORBED)
NO_EIGHTH = replace(REVISED, eighth_hotel=EighthHotel.REFUSED)
TWO_SAFE = replace(REVISED, forbidden_merger=ForbiddenMerger.TWO_SAFE)

SEVEN = seven(REVISED)


def hand(drawing: str, tiles: str, rulebook: Rulebook = REVISED) -> State:
    """Ann is to move with these tiles; bob and cyd have none."""
    return at_table(drawing, player("ann", tiles), player("bob"), player("cyd"), rulebook=rulebook)


# What a tile does


@for_each(
    ("drawing", "kinds"),
    [
        (
            "TT.SSS..o",
            {
                Kind.SINGLETON: "12I 4C",
                Kind.FOUNDING: "10A 9B",
                Kind.GROWING: "1B 6B",
                Kind.MERGING: "3A",
            },
        ),
        ("TT.o", {Kind.GROWING: "3A"}),
        ("TT.SS\n..o", {Kind.MERGING: "3A"}),
        ("TT\nT", {Kind.GROWING: "2B"}),
        (SEVEN, {Kind.SINGLETON: "3E"}),
        (SEVEN.replace("W", "."), {Kind.FOUNDING: "3E"}),
    ],
    ids=["one beside", "also loose", "also loose", "two sides", "no eighth", "a seventh"],
)
def test_kind_is_what_the_tile_has_beside_it(drawing: str, kinds: dict[Kind, str]) -> None:
    laid = board(drawing)
    for kind, tiles in kinds.items():
        assert {kind_of(laid, parse_tile(tile)) for tile in tiles.split()} == {kind}


# Which hotel a placement names


@for_each(
    ("drawing", "tile", "choices"),
    [
        pytest.param("TT", "12I", None, id="singleton"),
        pytest.param("TT", "3A", None, id="growing"),
        pytest.param(
            "TT..o", "5B", "American Continental Festival Imperial Sackson Worldwide", id="founding"
        ),
        pytest.param(
            SEVEN.replace("C", "."), "3E", "Continental", id="founding the last hotel there is"
        ),
        pytest.param(SEVEN, "3E", None, id="no hotel available"),
        pytest.param("TTT.SS", "4A", "Tower", id="the larger survives"),
        pytest.param("TT.SSS", "3A", "Sackson", id="though it is later in the alphabet"),
        pytest.param("TT.SS", "3A", "Sackson Tower", id="either of two equals"),
        pytest.param("TT.SS\nT..S\n..WW", "3A", "Sackson Tower", id="equals that touch"),
    ],
)
def test_hotels_to_choose_from(drawing: str, tile: str, choices: str | None) -> None:
    expected = [None] if choices is None else list(hotels(choices))
    assert hotel_choices(board(drawing), parse_tile(tile)) == expected
    reference = [name for name, _ in reference_game(hand(drawing, tile)).choices(tile)]
    assert reference == ([None] if choices is None else choices.split())


@for_each(
    ("sizes", "largest"),
    [
        ({"Worldwide": 2, "American": 3, "Sackson": 4, "Tower": 2}, "Sackson"),
        ({"Worldwide": 4, "American": 3, "Sackson": 2, "Tower": 4}, "Tower Worldwide"),
        ({"Worldwide": 3, "American": 3, "Sackson": 2, "Tower": 3}, "American Tower Worldwide"),
        ({"Worldwide": 2, "American": 2, "Sackson": 2, "Tower": 2},
         "American Sackson Tower Worldwide"),
        ({"Worldwide": 4, "American": 3, "Tower": 4}, "Tower Worldwide"),
    ],
    ids=["one of four", "two of four", "three of four", "all four", "two of three"],
)  # fmt: skip
def test_survivor_is_any_of_the_largest(sizes: dict[str, int], largest: str) -> None:
    laid = board(crossing(**sizes))
    centre = parse_tile(CENTRE)
    assert largest_of(laid, laid.touched(centre)) == list(hotels(largest))
    assert hotel_choices(laid, centre) == list(hotels(largest))


# What the mover may place


def test_legal_placements_go_row_by_row_and_hotel_by_hotel() -> None:
    state = hand("o..TT.SS", "12I 6A 1B 2A 3A 5B")
    off_board = ["American", "Continental", "Festival", "Imperial", "Worldwide"]
    legal = [named(choice) for choice in legal_placements(state)]
    assert legal == [
        *[("2A", name, ()) for name in off_board],
        ("3A", None, ()),
        ("6A", "Sackson", ()),
        ("6A", "Tower", ()),
        *[("1B", name, ()) for name in off_board],
        ("5B", None, ()),
        ("12I", None, ()),
    ]
    assert legal == reference_game(state).legal_placements()


def test_playable_are_the_tiles_in_hand_that_no_rule_forbids() -> None:
    state = hand("TTTTTT.SS.o\nTTTTTT", "7A 10A 9B 12I")
    assert names(playable(state)) == "9B 12I"


def test_only_the_movers_hand_counts() -> None:
    state = at_table("", player("ann", "1A"), player("bob", "2A"), player("cyd"))
    assert names(playable(state)) == "1A"
    assert legal_placements(state) == [placement("1A")]


def test_empty_hand_has_no_placement() -> None:
    assert legal_placements(hand("", "")) == []


@pytest.mark.parametrize(
    ("rulebook", "tiles"),
    [(REVISED, "1B 5G"), (ABSORBED, "10A 1B 5G"), (TWO_SAFE, "7A 1B 5G"), (NO_EIGHTH, "1B")],
    ids=["revised", "absorbed", "two-safe", "no-eighth"],
)
def test_rulebook_says_what_is_playable(rulebook: Rulebook, tiles: str) -> None:
    drawing = """
        TTTTTT.SS.o.
        .TTTTTT.....
        ............
        AA.CC.FF.II.
        ............
        WW..o.......
    """
    assert names(playable(hand(drawing, "7A 10A 1B 5G", rulebook))) == tiles


# Why a placement is refused

LOOSE_AND_SAFE = """
    TTTTTT.SS..o
    TTTTTT......
    ............
    AA..........
"""


@for_each(
    ("drawing", "tile", "name", "rulebook", "violation", "detail"),
    [
        pytest.param(
            "", "5E", None, REVISED, Violation.NOT_IN_HAND,
            "Tile 5E is not in the hand (1A 12I).", id="not in hand",
        ),
        pytest.param(
            "TT.o", "3A", None, REVISED, Violation.BESIDE_LOOSE,
            "Tile 3A touches Tower and an unincorporated tile.", id="growing beside loose",
        ),
        pytest.param(
            "TTTTTTTTTTTT\n............\n.o", "2B", None, REVISED, Violation.BESIDE_LOOSE,
            "Tile 2B touches Tower and an unincorporated tile.", id="growing a safe one so",
        ),
        pytest.param(
            "TT.SSS\n..o", "3A", "Sackson", REVISED, Violation.BESIDE_LOOSE,
            "Tile 3A touches Sackson and Tower and an unincorporated tile.",
            id="merging beside loose",
        ),
        pytest.param(
            "TTTTTT.SS\nTTTTTT", "7A", "Tower", REVISED, Violation.SAFE_MERGER,
            "Tile 7A would merge Sackson and Tower; Tower is safe.", id="one is safe",
        ),
        pytest.param(
            "TTTTTT.SSSS\nTTTTTT.SSSS\n.......SSSS", "7A", "Tower", REVISED,
            Violation.SAFE_MERGER,
            "Tile 7A would merge Sackson and Tower; Sackson and Tower are safe.",
            id="both are safe",
        ),
        pytest.param(
            "TTTTTT.SSSS\nTTTTTT.SSSS\n.......SSSS", "7A", "Tower", TWO_SAFE,
            Violation.TWO_SAFE,
            "Tile 7A would merge Sackson and Tower; Sackson and Tower are safe.",
            id="two are safe where one may be",
        ),
        pytest.param(
            "TTTTTT.SS\nTTTTTTo", "7A", "Tower", REVISED, Violation.SAFE_MERGER,
            "Tile 7A would merge Sackson and Tower; Tower is safe.",
            id="safe goes before loose",
        ),
        pytest.param(
            SEVEN, "3E", None, NO_EIGHTH, Violation.EIGHTH_HOTEL,
            "Tile 3E would found a hotel, but all 7 are on the board.", id="an eighth hotel",
        ),
        pytest.param(
            "o..TT.CC.FF.\n............\n.AA.SS.II", "1B", None, REVISED,
            Violation.NO_HOTEL_NAMED, "Tile 1B founds a hotel; it can name Worldwide.",
            id="founding without a hotel",
        ),
        pytest.param(
            "o..TT.CC.FF", "1B", None, REVISED, Violation.NO_HOTEL_NAMED,
            "Tile 1B founds a hotel; it can name American, Imperial, Sackson or "
            "Worldwide.", id="founding without one of many",
        ),
        pytest.param(
            "TT.SS", "3A", None, REVISED, Violation.NO_HOTEL_NAMED,
            "Tile 3A merges hotels; it can name Sackson or Tower.",
            id="merging without a survivor",
        ),
        pytest.param(
            "TTT.SS", "4A", None, REVISED, Violation.NO_HOTEL_NAMED,
            "Tile 4A merges hotels; it can name Tower.", id="merging, no choice, unnamed",
        ),
        pytest.param(
            "", "1A", "Tower", REVISED, Violation.HOTEL_NOT_DUE,
            "Tile 1A neither founds nor merges, so cannot name Tower.", id="naming for a singleton",
        ),
        pytest.param(
            "TT", "3A", "Tower", REVISED, Violation.HOTEL_NOT_DUE,
            "Tile 3A neither founds nor merges, so cannot name Tower.", id="naming the one grown",
        ),
        pytest.param(
            SEVEN, "3E", "Tower", REVISED, Violation.HOTEL_NOT_DUE,
            "Tile 3E neither founds nor merges, so cannot name Tower.", id="naming an eighth",
        ),
        pytest.param(
            "o..TT.CC.FF.\n............\n.AA.SS.II", "1B", "Tower", REVISED,
            Violation.HOTEL_ON_BOARD, "Tower is already on the board; tile 1B can found Worldwide.",
            id="founding one that is there",
        ),
        pytest.param(
            "TT.SS....AA", "3A", "American", REVISED, Violation.NOT_INVOLVED,
            "Tile 3A does not touch American; the survivor can be Sackson or Tower.",
            id="survivor elsewhere on the board",
        ),
        pytest.param(
            "TTT.SS", "4A", "Festival", REVISED, Violation.NOT_INVOLVED,
            "Tile 4A does not touch Festival; the survivor can be Tower.",
            id="survivor off the board",
        ),
        pytest.param(
            "TTT.SS", "4A", "Sackson", REVISED, Violation.NOT_LARGEST,
            "Sackson is not the largest hotel; the survivor can be Tower.",
            id="the smaller as survivor",
        ),
    ],
)  # fmt: skip
def test_placement_is_refused_by_the_rule_it_breaks(
    drawing: str, tile: str, name: str | None, rulebook: Rulebook, violation: Violation, detail: str
) -> None:
    tiles = "1A 12I" if violation is Violation.NOT_IN_HAND else f"{tile} 12I"
    state = hand(drawing, tiles, rulebook)
    illegal = verify_placement(state, placement(tile, name))
    assert illegal == (violation, detail)
    assert placement(tile, name) not in legal_placements(state)


def test_empty_hand_is_named_in_the_detail() -> None:
    illegal = verify_placement(hand("", ""), placement("5E"))
    assert illegal == (Violation.NOT_IN_HAND, "Tile 5E is not in the hand (empty).")


def test_tile_of_another_player_is_not_in_the_hand() -> None:
    state = at_table("", player("ann", "1A"), player("bob", "2A"), player("cyd"))
    illegal = verify_placement(state, placement("2A"))
    assert illegal is not None and illegal.violation is Violation.NOT_IN_HAND


@for_each("drawing", ["o..TT.SS", LOOSE_AND_SAFE, SEVEN, crossing(American=2, Tower=2, Sackson=2)])
@for_each("rulebook", [REVISED, ABSORBED, NO_EIGHTH, TWO_SAFE])
def test_verify_lets_through_what_is_legal_and_nothing_else(
    drawing: str, rulebook: Rulebook
) -> None:
    """Every free cell of the board, with every hotel and with none."""
    free = names(GRID & ~board(drawing, rulebook).occupied)
    state = hand(drawing, free, rulebook)
    legal = {*legal_placements(state)}
    for tile in tiles_in(state.mover.hand):
        for index in (None, *range(7)):
            choice = Placement(tile, index)
            assert (verify_placement(state, choice) is None) is (choice in legal), named(choice)


def test_tile_in_a_hand_and_on_the_board_is_a_mistake_of_the_program() -> None:
    with pytest.raises(BrokenRule, match="tile 2A is both in a hand and on the board"):
        verify_placement(hand("TT", "2A"), placement("2A"))


# Placing it


def test_tile_without_neighbours_stays_on_the_board_alone() -> None:
    before = hand("o", "5E 9I")
    after = place(before, placement("5E"))
    assert names(after.board.loose) == "1A 5E"
    assert names(after.mover.hand) == "9I"
    assert (after.bank, after.bag, after.players[1:]) == (before.bank, (), before.players[1:])


def test_founder_paints_all_connected_tiles_and_no_others() -> None:
    state = place(hand("o.o.o\no...o\n..o", "2A 9I"), placement("2A", "Imperial"))
    assert plain(state)["hotels"] == {"Imperial": ["1A", "2A", "3A", "1B"]}
    assert plain(state)["loose"] == ["5A", "5B", "3C"]


def test_founding_costs_nothing_and_the_others_keep_what_they_have() -> None:
    before = hand("o", "2A")
    after = place(before, placement("2A", "Imperial"))
    assert after.mover.cash == 8_000
    assert after.players[1:] == before.players[1:]


@for_each(("own", "others", "then"), [(0, 0, (1, 24)), (0, 24, (1, 0)), (5, 20, (5, 0))])
def test_founder_receives_a_certificate_while_the_bank_has_one(
    own: int, others: int, then: tuple[int, int]
) -> None:
    """All 25 can be held, kept from an acquired hotel, when it is founded again."""
    state = at_table("o", player("a", "2A", Imperial=own), player("b", Imperial=others))
    after = place(state, placement("2A", "Imperial"))
    imperial = hotel("Imperial")
    assert (after.mover.shares[imperial], after.bank[imperial]) == then
    assert after.board.size(imperial) == 2


@for_each(("free", "held", "received"), [(0, 0, 0), (2, 0, 2), (2, 24, 1), (30, 0, 25)])
def test_founder_receives_as_many_as_the_rulebook_says_and_the_bank_has(
    free: int, held: int, received: int
) -> None:
    rulebook = replace(REVISED, founders_certificates=free)
    state = parse_position(rulebook, "o", ["ann 2A", f"bob I{held}", "cyd"])
    after = place(state, placement("2A", "Imperial"))
    assert after.mover.shares[hotel("Imperial")] == received
    assert after.bank[hotel("Imperial")] == 25 - held - received
    assert after.mover.cash == state.mover.cash


def test_hotel_grows_by_the_tile() -> None:
    state = place(hand("TT..o", "2B"), placement("2B"))
    assert plain(state)["hotels"] == {"Tower": ["1A", "2A", "2B"]}
    assert plain(state)["loose"] == ["5A"]


def test_growing_gives_no_certificate() -> None:
    assert held(place(hand("TT", "2B"), placement("2B")).mover) == {}


def test_safe_hotel_may_grow() -> None:
    state = place(hand("T" * 12, "1B"), placement("1B"))
    assert state.board.size(hotel("Tower")) == 13


def test_hotel_that_absorbs_takes_in_the_whole_cluster() -> None:
    assert legal_placements(hand("TT.oo", "3A", ABSORBED)) == [placement("3A")]
    state = place(hand("TT.oo.o\n...o\n..o", "3A", ABSORBED), placement("3A"))
    assert plain(state)["hotels"] == {"Tower": ["1A", "2A", "3A", "4A", "5A", "4B"]}
    assert plain(state)["loose"] == ["7A", "3C"]


def test_with_all_seven_on_the_board_the_tile_stays_loose() -> None:
    before = hand(SEVEN, "3E 9I")
    after = place(before, placement("3E"))
    assert names(after.board.loose) == "2E 3E"
    assert held(after.mover) == {} and after.bank == before.bank
    assert after.board.hotels == before.board.hotels


def test_cluster_that_could_found_nothing_is_founded_later() -> None:
    """The tile "cannot found a new hotel", but the next one beside it can once one is free."""
    state = hand(SEVEN, "3A 3E 4E 1G 2G")
    state = place(place(state, placement("3E")), placement("1G"))
    assert [named(choice) for choice in legal_placements(state)][-1] == ("2G", None, ())
    state = merge(state, placement("3A", "American")).state
    found = placement("4E", "Continental")
    assert verify_placement(state, found) is None
    state = place(state, found)
    assert names(state.board.hotels[hotel("Continental")]) == "2E 3E 4E"
    assert names(state.board.loose) == "1G"
    assert held(state.mover) == {"Continental": 1}
    assert [named(choice) for choice in legal_placements(state)] == [("2G", None, ())]


@pytest.mark.parametrize(
    ("drawing", "tile", "name"),
    [("o..TT", "1B", "Tower"), ("TT", "3A", "American"), ("TT.SS", "3A", "Tower")],
    ids=["a hotel on the board", "a hotel beside it", "a merger"],
)
def test_founding_where_none_can_be_is_a_mistake_of_the_program(
    drawing: str, tile: str, name: str
) -> None:
    with pytest.raises(BrokenRule, match=f"{tile} founds no hotel here"):
        place(hand(drawing, tile), placement(tile, name))


@pytest.mark.parametrize(
    ("drawing", "tile", "name"),
    [("", "5E", None), ("o", "2A", "Tower"), ("TT", "3A", None), (SEVEN, "3E", None)],
    ids=["singleton", "founding", "growing", "eighth"],
)
def test_placing_agrees_with_the_reference_and_leaves_the_old_state_alone(
    drawing: str, tile: str, name: str | None
) -> None:
    state = hand(drawing, f"{tile} 9I")
    before, reference = plain(state), reference_game(state)
    reference.place(tile, name)
    assert plain(place(state, placement(tile, name))) == reference.state()
    assert plain(state) == before


def test_each_order_of_equal_hotels_is_listed_once() -> None:
    """Naming none means alphabetical order, so that order is not listed again."""
    state = parse_position(CLASSIC, "AA.CC/..F/..F/..F", ["ann 3A"])
    assert [choice.equals for choice in legal_placements(state)] == [(), (1, 0)]
    three = parse_position(CLASSIC, "..C/..C/AA.FF/..T/..T/..T", ["ann 3C"])
    orders = [choice.equals for choice in legal_placements(three)]
    assert len(orders) == len(set(orders)) == 6
    assert () in orders and (0, 1, 2) not in orders
