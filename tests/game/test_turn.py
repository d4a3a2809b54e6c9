"""Between the actions: "Play", step 3, "Ending the Game", "Scoring", and who leaves the table."""

from dataclasses import replace

import pytest
from loops import for_each
from positions import (
    at_table,
    board,
    cash,
    hotel,
    mask,
    names,
    plain,
    player,
    reference_game,
    seven,
    tiles,
)

from acquire.game.board import Board, lay_out
from acquire.game.merger import Bonus
from acquire.game.rulebook import End, Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED, WIKIPEDIA
from acquire.game.state import Player, State, position
from acquire.game.tiles import TILES, mask_of, tile_name
from acquire.game.turn import (
    Ending,
    declared_ending,
    eject,
    ending,
    pass_turn,
    pay_out,
    regular_ending,
    returned_bag,
    verify_declaration,
)
from acquire.game.violation import BrokenRule, Violation

TOWER = hotel("Tower")


def grown(rulebook: Rulebook = REVISED, /, **sizes: int) -> Board:
    """Hotels of these sizes, each from the start of a row, an empty row between two."""
    regions, begin = [0] * 7, 0
    for name, size in sizes.items():
        regions[hotel(name)] = mask_of(TILES[begin : begin + size])
        begin = (begin + size + 11) // 12 * 12 + 12
    return lay_out(rulebook, 0, tuple(regions))


def seated(laid: Board, *players: Player, rulebook: Rulebook = REVISED) -> State:
    """Players at a board; ann has 12I if nobody is named."""
    return position(rulebook, laid, players or [player("ann", "12I")])


def test_turn_goes_round_the_table() -> None:
    state = at_table("TT", player("a"), player("b"), player("c"), bag="5E")
    order = []
    for _ in range(4):
        order.append("".join(seated.name for seated in state.players))
        state = pass_turn(state)
    assert order == ["abc", "bca", "cab", "abc"]
    assert plain(pass_turn(pass_turn(pass_turn(state)))) == plain(state)


# "First, the game is over when a hotel chain consists of 40 tiles or more. Second, the game is
# also over when all hotel chains are safe."


@for_each(
    ("sizes", "expected"),
    [
        pytest.param({}, None, id="no hotel"),
        pytest.param({"Tower": 11}, None, id="one of 11"),
        pytest.param({"Tower": 12}, Ending.ALL_SAFE, id="one of 12"),
        pytest.param({"Tower": 39}, Ending.ALL_SAFE, id="one of 39"),
        pytest.param({"Tower": 39, "American": 2}, None, id="39 and 2"),
        pytest.param({"Tower": 40, "American": 2}, Ending.LARGE_HOTEL, id="40 and 2"),
        pytest.param({"American": 40, "Tower": 2}, Ending.LARGE_HOTEL, id="40 and a later one"),
        pytest.param({"American": 40, "Tower": 12}, Ending.LARGE_HOTEL, id="40 and a safe one"),
        pytest.param({"Tower": 40}, Ending.LARGE_HOTEL, id="40 alone"),
        pytest.param({"Tower": 41, "American": 11}, Ending.LARGE_HOTEL, id="more than 40"),
        pytest.param({"Tower": 108}, Ending.LARGE_HOTEL, id="the whole board"),
        pytest.param({"Tower": 12, "American": 11}, None, id="12 and 11"),
        pytest.param({"Tower": 12, "American": 12, "Sackson": 13}, Ending.ALL_SAFE, id="three"),
        pytest.param({"Tower": 12, "American": 12, "Sackson": 2}, None, id="one of three is not"),
    ],
)
def test_game_is_over_with_a_hotel_of_40_or_when_all_hotels_are_safe(
    sizes: dict[str, int], expected: Ending | None
) -> None:
    laid = grown(**sizes)
    assert sum(laid.sizes) == sum(sizes.values())
    state = seated(laid, player("ann", names(1 << TILES[-1] & ~laid.occupied)))
    assert regular_ending(state) is expected
    assert ending(state) is expected
    assert reference_game(state).ending() == (None if expected is None else expected.value)


def test_sizes_that_end_the_game_are_the_rulebooks() -> None:
    other = replace(REVISED, safe_size=11, final_size=41)
    assert ending(seated(grown(other, Tower=11), rulebook=other)) is Ending.ALL_SAFE
    assert ending(seated(grown(other, Tower=40, American=2), rulebook=other)) is None
    assert ending(seated(grown(other, Tower=41), rulebook=other)) is Ending.LARGE_HOTEL


# "Third, the game ends when a player cannot place any of his tiles."


def test_game_ends_when_the_mover_can_place_no_tile() -> None:
    state = at_table("TT.o.AA", player("a", "3A 5A"), player("b", "12I"))
    assert ending(state) is Ending.NOTHING_PLACEABLE
    assert regular_ending(state) is None
    assert reference_game(state).ending() == "no-placeable-tile"


def test_game_goes_on_while_one_tile_can_be_placed() -> None:
    assert ending(at_table("TT.o.AA", player("a", "3A 5A 12I"), player("b", "4C"))) is None


def test_others_may_have_nothing_to_place() -> None:
    state = at_table("TT.o.AA", player("b", "12I"), player("a", "3A 5A"))
    assert ending(state) is None
    assert ending(pass_turn(state)) is Ending.NOTHING_PLACEABLE


def test_empty_hand_can_place_nothing() -> None:
    assert ending(at_table("TT", player("a"), player("b", "12I"))) is Ending.NOTHING_PLACEABLE


def test_eighth_hotels_tile_keeps_the_game_going() -> None:
    assert ending(at_table(seven(REVISED), player("a", "3E"))) is None


@pytest.mark.parametrize(("size", "expected"), [(12, Ending.ALL_SAFE), (40, Ending.LARGE_HOTEL)])
def test_regular_ending_goes_before_the_irregular(size: int, expected: Ending) -> None:
    state = seated(grown(Tower=size), player("ann"))
    assert ending(state) is expected


# "How to play Acquire": the end is declared, and who can place nothing skips the placement. No text
# says what follows a whole round in which nobody placed a tile and no hand changed: it ends the
# game, and purchases in that round do not prolong it.


@for_each("seats", range(1, 7))
def test_game_ends_after_a_round_in_which_nothing_was_placed_or_changed(seats: int) -> None:
    state = seated(grown(CLASSIC, Tower=2), *map(player, "abcdef"[:seats]), rulebook=CLASSIC)
    for _ in range(seats):
        assert ending(state) is None
        state = pass_turn(state, idle=True)
    assert ending(state) is Ending.DEAD_ROUND


def test_round_is_not_dead_while_the_bag_can_replace_a_hand_that_its_player_has_kept() -> None:
    """ "He may replace his entire hand" ("wikipedia"): who has declined it can do it next time."""
    for bag, over in ((2, None), (1, Ending.DEAD_ROUND), (0, Ending.DEAD_ROUND)):
        hands = [player("a", "1I 2I 3I"), player("b", "4I 5I")]
        state = seated(grown(WIKIPEDIA, Tower=2), *hands, rulebook=WIKIPEDIA)
        state = pass_turn(pass_turn(state._replace(bag=TILES[:bag]), idle=True), idle=True)
        assert ending(state) is over
        assert ending(state._replace(rulebook=CLASSIC)) is Ending.DEAD_ROUND


def test_players_who_all_decline_new_hands_do_not_play_forever() -> None:
    hands = [player("a", "1I 2I 3I"), player("b", "4I 5I")]
    state = seated(grown(WIKIPEDIA, Tower=2), *hands, rulebook=WIKIPEDIA)._replace(bag=TILES[:9])
    endings = []
    for _ in range(6):
        state = pass_turn(state, idle=True)
        endings.append(ending(state))
    assert endings == [None] * 5 + [Ending.DEAD_ROUND]


def test_placement_or_changed_hand_restarts_the_round() -> None:
    state = seated(grown(CLASSIC, Tower=2), player("a"), player("b"), rulebook=CLASSIC)
    turns = []
    for idle in (True, False, True, True):
        state = pass_turn(state, idle=idle)
        turns.append(ending(state))
    assert turns == [None, None, None, Ending.DEAD_ROUND]


@for_each(
    ("sizes", "declared"),
    [
        pytest.param({}, False, id="no hotel"),
        pytest.param({"Tower": 10}, False, id="one of 10"),
        pytest.param({"Tower": 11}, True, id="one of 11"),
        pytest.param({"Tower": 11, "American": 10}, False, id="11 and 10"),
        pytest.param({"Tower": 11, "American": 11, "Sackson": 12}, True, id="three"),
        pytest.param({"Tower": 40, "American": 2}, False, id="40 and 2"),
        pytest.param({"Tower": 41, "American": 2}, True, id="41 and 2"),
        pytest.param({"American": 41, "Tower": 2}, True, id="41 and a later one"),
    ],
)
def test_end_may_be_declared_with_a_hotel_of_41_or_when_all_hotels_are_safe(
    sizes: dict[str, int], declared: bool
) -> None:
    state = seated(grown(CLASSIC, **sizes), rulebook=CLASSIC)
    illegal = verify_declaration(state, begun=state)
    assert (illegal is None) is declared
    assert illegal is None or illegal.violation is Violation.NOT_OVER
    assert ending(state) is None, "nobody has declared it"


# "The game ends when one player, during his turn, announces ... After announcing that the game is
# over. The player may finish his turn."


@for_each(
    ("begun", "sizes", "expected"),
    [
        pytest.param({"Tower": 11}, {"Tower": 11, "American": 2}, Ending.ALL_SAFE, id="founding"),
        pytest.param({"Tower": 10}, {"Tower": 11}, Ending.ALL_SAFE, id="growing"),
        pytest.param({"Tower": 11}, {"Tower": 12}, Ending.ALL_SAFE, id="both times"),
        pytest.param({"Tower": 40}, {"Tower": 41}, Ending.LARGE_HOTEL, id="the later one counts"),
        pytest.param({"Tower": 10}, {"Tower": 10, "American": 2}, None, id="neither time"),
    ],
)
def test_declaration_holds_at_the_start_of_the_turn_or_after_the_placement(
    begun: dict[str, int], sizes: dict[str, int], expected: Ending | None
) -> None:
    before, after = (seated(grown(CLASSIC, **each), rulebook=CLASSIC) for each in (begun, sizes))
    assert declared_ending(after, begun=before) is expected
    assert (verify_declaration(after, begun=before) is None) is (expected is not None)
    strict = replace(CLASSIC, end=End.DECLARED_AFTER_PLACING)
    only_after = declared_ending(after._replace(rulebook=strict), begun=before)
    assert only_after is regular_ending(after)


def test_nobody_declares_an_end_that_the_referee_sees() -> None:
    state = seated(grown(Tower=40))
    assert declared_ending(state, begun=state) is None


def test_game_ends_when_no_player_is_left() -> None:
    assert ending(at_table("TT", player("a", "12I"))) is None
    assert ending(seated(grown(Tower=40))) is Ending.LARGE_HOTEL
    assert ending(position(REVISED, grown(Tower=40), [])) is Ending.NOBODY_LEFT


# Every ending


def test_two_endings_are_regular_and_each_has_a_code_and_a_sentence() -> None:
    assert [over.value for over in Ending if over.regular] == ["large-hotel", "all-hotels-safe"]
    assert [over.value for over in Ending if not over.regular] == [
        *("no-placeable-tile", "no-tile-to-hand-back", "dead-round", "nobody-left", "interrupted"),
        "no-more-turns",  # a part of a game ends so
    ]
    assert len({over.sentence for over in Ending}) == len(Ending)
    assert all(over.sentence[0].isupper() and over.sentence.endswith(".") for over in Ending)


# "At the end of the game, the majority and minority stock holders of each hotel chain receive a
# bonus according to the bonus rules for mergers. Once the bonus is distributed, the hotel chains
# buy back their stock."


def test_pay_out_is_bonuses_and_the_stock_of_the_hotels_on_the_board() -> None:
    state = at_table(
        "TTT.SS",
        player("a", "", 100, Tower=2, Sackson=1),
        player("b", "", 200, Tower=1),
        player("c", "", 300),
    )
    final = pay_out(state)
    assert final.bonuses == (
        Bonus(hotel("Sackson"), "a", 2_000),
        Bonus(TOWER, "a", 5_000),
        Bonus(TOWER, "b", 2_500),
    )
    assert final.scores == (
        ("a", 100 + 2_000 + 5_000 + 200 + 2 * 500),
        ("b", 200 + 2_500 + 500),
        ("c", 300),
    )
    assert dict(final.scores) == reference_game(state).scores()


def test_hotel_off_the_board_is_worthless_though_it_has_a_price() -> None:
    state = at_table("TT", player("a", "", 5, American=25, Continental=25), player("b", cash=0))
    assert pay_out(state) == ((), (("a", 5), ("b", 0)))


def test_pay_out_of_an_empty_board_is_the_cash() -> None:
    assert pay_out(at_table()).scores == (("ann", 8_000), ("bob", 8_000), ("cyd", 8_000))


@pytest.mark.parametrize(
    ("counts", "bonuses"),
    [
        ([3, 3, 1], [3_000, 3_000, 0]),
        ([3, 1, 1], [4_000, 1_000, 1_000]),
        ([5, 1, 1, 1], [4_000, 667, 667, 667]),
        ([0, 2, 0], [0, 4_000, 0]),
    ],
)
def test_ties_at_the_end_are_those_of_a_merger(counts: list[int], bonuses: list[int]) -> None:
    owners = [player(name, cash=0, Tower=n) for name, n in zip("abcdef", counts, strict=False)]
    scores = [score for _, score in pay_out(at_table("TT", *owners)).scores]
    assert scores == [bonus + 400 * n for bonus, n in zip(bonuses, counts, strict=True)]


@for_each("size", [2, 11, 12, 40, 41, 108])
def test_pay_out_is_at_the_price_of_the_final_size(size: int) -> None:
    state = seated(grown(Tower=size), player("a", cash=0, Tower=1))
    price = REVISED.price(TOWER, size)
    assert pay_out(state).scores == (("a", 10 * price + price),)


def test_pay_out_of_a_table_that_all_have_left_is_empty() -> None:
    assert pay_out(position(REVISED, board("TT"), [])) == ((), ())


def test_pay_out_leaves_the_position_as_it_was() -> None:
    state = at_table("TT", player("a", Tower=3), player("b", Tower=1))
    before = plain(state)
    pay_out(state)
    assert plain(state) == before


# Leaving the table


def leaving() -> State:
    """Ann, bob and cyd with tiles, certificates and cash."""
    return at_table(
        "TT.SS",
        player("ann", "1I 9H", 1_000, Tower=3, Imperial=1),
        player("bob", "2I", 2_000, Tower=1),
        player("cyd", "3I", 3_000),
        bag="5E 5F",
    )


def test_returned_tiles_go_behind_the_bag_until_it_is_shuffled() -> None:
    assert returned_bag(leaving(), "ann") == tiles("5E 5F 9H 1I")
    assert returned_bag(leaving(), "cyd") == tiles("5E 5F 3I")


@pytest.mark.parametrize(
    ("name", "left", "bank"),
    [
        ("ann", "bob cyd", (25, 25, 25, 25, 25, 24, 25)),
        ("bob", "ann cyd", (25, 25, 25, 24, 25, 22, 25)),
        ("cyd", "ann bob", (25, 25, 25, 24, 25, 21, 25)),
    ],
)
def test_ejected_players_certificates_and_tiles_return_and_the_cash_is_gone(
    name: str, left: str, bank: tuple[int, ...]
) -> None:
    state = leaving()
    bag = tuple(reversed(returned_bag(state, name)))
    after = eject(state, name, bag)
    assert [seated.name for seated in after.players] == left.split()
    assert all(seated == state.player(seated.name) for seated in after.players)
    assert after.bank == bank
    assert after.bag == bag
    assert after.board == state.board
    assert name not in cash(after)


def test_next_player_moves_when_the_mover_is_ejected() -> None:
    state = leaving()
    assert eject(state, "ann", returned_bag(state, "ann")).mover.name == "bob"


def test_ejection_agrees_with_the_reference_and_leaves_the_old_state_alone() -> None:
    state = leaving()
    before, reference = plain(state), reference_game(state)
    bag = tuple(reversed(returned_bag(state, "ann")))
    reference.eject("ann", [tile_name(tile) for tile in bag])
    assert plain(eject(state, "ann", bag)) == reference.state()
    assert plain(state) == before


def test_all_can_be_ejected() -> None:
    state = leaving()
    for name in ("bob", "ann", "cyd"):
        state = eject(state, name, returned_bag(state, name))
    assert state.players == () and state.bank == (25,) * 7
    assert mask_of(state.bag) == mask("5E 5F 1I 9H 2I 3I")


@for_each(
    "bag",
    ["5E 5F", "5E 5F 1I", "5E 5F 1I 9H 2I", "5E 5F 1I 1I", "5E 5F 1I 8H"],
    ids=["hand missing", "one missing", "one too many", "one twice", "another"],
)
def test_bag_that_does_not_hold_the_returned_tiles_is_a_mistake(bag: str) -> None:
    with pytest.raises(
        BrokenRule, match="the bag does not hold the tiles left after ann is ejected"
    ):
        eject(leaving(), "ann", tiles(bag))


def test_stranger_cannot_be_ejected() -> None:
    with pytest.raises(KeyError, match="zoe"):
        eject(leaving(), "zoe", ())


def test_ejection_begins_the_idle_round_again() -> None:
    """The leaver's tiles are back in the bag, so the next draw can change a hand."""
    state = seated(grown(CLASSIC, Tower=2), *map(player, "abc"), rulebook=CLASSIC)
    state = pass_turn(pass_turn(state, idle=True), idle=True)
    state = eject(state, "a", returned_bag(state, "a"))
    assert state.idle == 0
    assert ending(state) is None
