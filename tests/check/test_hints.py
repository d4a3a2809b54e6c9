"""What the hints of cases say: a player with that bug fails, because the position is as it is.

What is legal in each case is in ``cases.txt``.
"""

from collections.abc import Callable
from pathlib import Path

from loops import for_each

from acquire.admin.refereeing.play import events
from acquire.admin.testing.cases.case_file import looks_reversed
from acquire.admin.testing.cases.position_text import hotels
from acquire.game.disposal import Disposal, legal_disposals
from acquire.game.drawing import replace_hand
from acquire.game.placement import (
    Kind,
    Placement,
    kind_of,
    legal_placements,
    place,
    playable,
    verify_placement,
)
from acquire.game.rulebook import DisposalRule, End, Hands, Rulebook, StuckHand
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.state import State
from acquire.game.tiles import (
    NEIGHBOURS,
    ROWS,
    Tile,
    column_of,
    mask_of,
    near,
    row_of,
    tile_at,
    tiles_in,
)
from acquire.game.turn import Ending, regular_ending, verify_declaration
from acquire.game.violation import Violation
from acquire.protocol import messages
from acquire.protocol.messages import KeepAnswer, PlayerMessage, RefereeMessage
from acquire.protocol.position_messages import PositionMessages
from acquire.protocol.rulebook_file import read
from acquire.protocol.writing import Writer
from check.rehearsal import (
    EVERY,
    answering,
    case_of,
    every_rulebook,
    first_position,
    orderings,
    orders,
    position_of,
    rehearsals,
    rehearse,
    section_of,
    under,
)

KEEPING = [each for each in EVERY if each.disposal is DisposalRule.KEEP_OR_RETURN]
TRADING = [each for each in EVERY if each.disposal is DisposalRule.HOLD_SELL_TRADE]
MAY_REPLACE = [each for each in EVERY if each.stuck_hand is StuckHand.MAY_REPLACE]
HIDDEN = [each for each in EVERY if each.hands is Hands.HIDDEN]
DECLARED = [each for each in EVERY if each.end is End.DECLARED]


def violation(state: State, placement: Placement) -> Violation | None:
    illegal = verify_placement(state, placement)
    return illegal and illegal.violation


# -- which tiles touch --------------------------------------------------------------------------


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


@every_rulebook
@for_each(("slug", "wrap"), [("opposite-edge", True), ("next-row", False)])
def test_each_tile_would_found_if_the_edges_met(rulebook: Rulebook, slug: str, wrap: bool) -> None:
    state = position_of(rulebook, f"turn/{slug}")
    for tile in tiles_in(state.mover.hand):
        assert mask_of(_neighbours_of(tile, wrap=wrap)) & state.board.loose


@every_rulebook
def test_each_tile_touches_another_only_at_its_corner(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/diagonal")
    for tile in tiles_in(state.mover.hand):
        around = near(1 << tile)
        corners = near(around) & ~around & ~(1 << tile)
        straight = {tile - 2, tile + 2, tile - 26, tile + 26}
        assert mask_of({*tiles_in(corners)} - straight) & state.board.loose


@every_rulebook
@for_each(
    ("slug", "row_or_column"),
    [("first-row", "A"), ("last-row", "I"), ("first-column", 1), ("last-column", 12)],
)
def test_without_the_edge_nothing_would_be_founded(
    rulebook: Rulebook, slug: str, row_or_column: str | int
) -> None:
    state = position_of(rulebook, f"founding/{slug}")
    loose = tiles_in(state.board.loose)
    seen = mask_of([n for n in loose if row_or_column not in (row_of(n), column_of(n))])
    assert not any(NEIGHBOURS[tile] & seen for tile in tiles_in(state.mover.hand))


@every_rulebook
@for_each(("case", "sides"), [("growth/two-sides", {2}), ("full-boards/holes", {1, 4})])
def test_same_hotel_is_on_several_sides(rulebook: Rulebook, case: str, sides: set[int]) -> None:
    state = position_of(rulebook, case)
    found = [NEIGHBOURS[tile] & state.board.occupied for tile in tiles_in(state.mover.hand)]
    assert {cells.bit_count() for cells in found} == sides


@under([CLASSIC, CORPORATIONS])
def test_tile_would_found_beside_one_that_is_set_aside_if_that_were_on_the_board(
    rulebook: Rulebook,
) -> None:
    position = first_position(case_of(rulebook, "set-up/set-aside"))
    (aside,) = tiles_in(position.aside)
    beside = [tile for tile in tiles_in(position.mover.hand) if NEIGHBOURS[tile] >> aside & 1]
    assert beside and position.board.closed >> aside & 1
    assert all(kind_of(position.board, tile) is Kind.SINGLETON for tile in beside)


@under(MAY_REPLACE)
def test_every_tile_of_the_new_hand_can_be_placed(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "turn/new-hand-offered")
    begun = replace_hand(state).state
    assert not begun.mover.hand & state.mover.hand and playable(begun) == begun.mover.hand


@under(HIDDEN)
def test_hidden_hands_of_opponents_have_different_sizes(rulebook: Rulebook) -> None:
    opponents = position_of(rulebook, "turn/hidden-hands").players[1:]
    assert {player.hand.bit_count() for player in opponents} == {6, 5, 0}


# -- who survives -------------------------------------------------------------------------------


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
    state = position_of(rulebook, f"mergers/{slug}")
    named = [
        Placement(tile, takes(state.board.touched(tile))) for tile in tiles_in(state.mover.hand)
    ]
    assert sum(violation(state, each) is not None for each in named) >= at_least


@every_rulebook
def test_more_expensive_hotel_is_the_smaller_one(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "mergers/dearer-smaller")
    for tile in tiles_in(state.mover.hand):
        dearest = max(state.board.touched(tile), key=state.price)
        assert violation(state, Placement(tile, dearest)) is Violation.NOT_LARGEST


@every_rulebook
def test_counting_a_hotel_twice_names_the_wrong_one(rulebook: Rulebook) -> None:
    state = position_of(rulebook, "mergers/same-hotel-twice")
    for tile in tiles_in(state.mover.hand):
        smaller, larger = sorted(map(state.board.size, state.board.touched(tile)))
        assert smaller < larger < 2 * smaller


# -- what an order costs ------------------------------------------------------------------------


@every_rulebook
@for_each(
    ("case", "letters", "believed"),
    [
        ("founding/two-neighbours", "SW", 2),
        ("founding/three-neighbours", "SW", 3),
        ("founding/four-neighbours", "SW", 4),
        ("founding/chain", "SW", 3),
        ("founding/no-free-certificate", "W", 2),
        ("founding/last-certificate-is-free", "W", 2),
        ("founding/price-after-founding", "I", 0),
        ("growth/price-step", "S", 5),
        ("growth/one-taken-in", "S", 4),
        ("growth/several-taken-in", "S", 5),
        ("mergers/order-afterwards", "A", 7),
        ("mergers/order-afterwards", "S", 6),
        ("buying/after-the-tile", "A", 3),
        ("buying/survivor-is-dearer", "S", 7),
        ("buying/acquired-is-gone", "W", 6),
    ],
)
def test_order_could_be_paid_at_the_size_that_is_believed(
    rulebook: Rulebook, case: str, letters: str, believed: int
) -> None:
    section, _, slug = case.partition("/")
    if slug in section_of(rulebook, section):
        state = position_of(rulebook, case)
        for letter in letters:
            hotel = hotels(rulebook)[letter]
            assert rulebook.price(hotel, believed) <= state.mover.cash
            assert (hotel,) not in orders(state)


def buys_illegally(state: State, tier: str, sizes: range) -> bool:
    """Whether all that can be bought is too dear, if a tier's price at these sizes is $100 less."""
    tempting = []
    for hotel in range(len(state.bank)):
        size = state.board.size(hotel)
        lower = state.rulebook.hotels[hotel].tier == tier and size in sizes
        if state.price(hotel) and state.bank[hotel]:
            tempting += [hotel] * (state.price(hotel) - 100 * lower <= state.mover.cash)
    return bool(tempting) and all(state.price(hotel) > state.mover.cash for hotel in tempting)


@every_rulebook
def test_each_price_is_tested_at_the_edge_of_the_cash(rulebook: Rulebook) -> None:
    """A player that raises a price one tile too late fails a case, whatever it places and buys."""
    positions = [
        [*orderings(first_position(case))]
        for slug in ("founding", "growth", "mergers", "buying")
        for case in section_of(rulebook, slug).values()
    ]
    for tier, letter in {"cheap": "S", "medium": "A", "expensive": "C"}.items():
        prices = rulebook.prices[hotels(rulebook)[letter]]
        for price in {*prices} - {0}:
            first = prices.index(price)
            sizes = range(first, first + 1)
            assert any(
                all(buys_illegally(state, tier, sizes) for state in found)
                for found in positions
                if found
            ), f"{tier} hotels at ${price}"


@under(TRADING)
def test_opponent_trades_for_all_that_the_bank_had(rulebook: Rulebook) -> None:
    case = section_of(rulebook, "buying")["traded-away"]
    dear = hotels(rulebook)["C"]
    left_in_bank: list[int] = []

    def order(message: RefereeMessage) -> PlayerMessage:
        assert isinstance(message, messages.PlayersView)
        left_in_bank.append(message.view.bank[dear])
        return messages.Order((dear,))

    left = rehearse(case.script, answering(rulebook, "players", order)).left
    assert first_position(case).bank[dear] == 2 and left_in_bank == [0]
    assert left is not None and left.violation is Violation.SOLD_OUT


# -- acquired certificates ----------------------------------------------------------------------


@under(KEEPING)
@for_each(("slug", "asked_before"), [("bystander-last", 5), ("bystander", 1)])
def test_opponents_are_asked_before(rulebook: Rulebook, slug: str, asked_before: int) -> None:
    found = rehearsals(rulebook, f"disposal/{slug}")[0]
    names = [event.name for event in found.of(events.Answered) if event.question == "keep"]
    assert names.index(found.subject) == asked_before


@under(KEEPING)
@for_each("slug", ["mover-none", "bystander-none"])
def test_player_without_certificates_is_asked_to_keep(rulebook: Rulebook, slug: str) -> None:
    case = case_of(rulebook, f"disposal/{slug}")
    for each in rehearsals(rulebook, case.id):
        (acquired,) = each.of(events.Acquired)
        assert not first_position(case).player(each.subject).shares[acquired.hotel]


@under(TRADING)
def test_bank_had_certificates_before_the_mover_traded(rulebook: Rulebook) -> None:
    (traded,) = rehearsals(rulebook, "disposal/traded-before")[0].of(events.Traded)
    before = first_position(case_of(rulebook, "disposal/traded-before")).bank[traded.survivor]
    assert before == traded.gained == 2
    assert Disposal(trade=2 * before) in legal_disposals(6, before)


CAMPUS = read(Path(__file__).parents[2] / "docs" / "examples" / "campus.toml")
"""A rulebook in which the hotel I comes after S, Este after Alto; in the course's it is before."""
YES, NO, YES_NO, NO_YES = (True,), (False,), (True, False), (False, True)


@for_each(
    ("rounds", "rulebook", "suspected"),
    [
        ([(YES, NO, NO_YES)] * 3, CAMPUS, True),
        ([(YES, NO, YES_NO)] * 3, CAMPUS, False),
        ([(YES, NO, YES_NO)] * 3, REVISED, True),
        ([(YES, NO, NO_YES)] * 3, REVISED, False),
        ([(YES, YES, (True, True))] * 3, CAMPUS, False),
        ([(YES, NO, NO_YES)] * 2 + [(YES, NO, YES_NO)], CAMPUS, False),
        ([(YES, NO, NO_YES)] * 2, CAMPUS, False),
    ],
)
def test_answers_in_reverse_order_are_suspected(
    rounds: list[tuple[tuple[bool, ...], ...]], rulebook: Rulebook, suspected: bool
) -> None:
    answers = [KeepAnswer(decisions) for each in rounds for decisions in each]
    assert ("reversed" in looks_reversed(rulebook, answers)) == suspected


# -- the end ------------------------------------------------------------------------------------


@every_rulebook
def test_game_is_not_over_when_a_case_of_its_end_begins(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "end").items():
        assert regular_ending(first_position(case)) is None or slug == "may-declare-before", slug


@every_rulebook
def test_opponents_are_ahead_or_tied(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "end/score"):
        assert each.of(events.Ranked)[-1].name == each.subject
    for each in rehearsals(rulebook, "end/score-tied"):
        scores = [event.score for event in each.of(events.Ranked)]
        assert len(scores) == 3 and len(set(scores)) == 2


@under(DECLARED)
@for_each(
    ("slug", "may_declare"),
    [
        ("may-declare-large", True),
        ("may-declare-safe", True),
        ("not-large-enough", False),
        ("may-declare-before", True),
        ("not-all-safe", False),
    ],
)
def test_end_may_be_declared_with_every_placement(
    rulebook: Rulebook, slug: str, may_declare: bool
) -> None:
    state = first_position(case_of(rulebook, f"end/{slug}"))
    placements = legal_placements(state)
    assert placements and playable(state) == state.mover.hand
    for placement in placements:
        assert (verify_declaration(place(state, placement), begun=state) is None) == may_declare


@under(DECLARED)
def test_only_the_board_before_the_placement_allows_a_declaration(rulebook: Rulebook) -> None:
    state = first_position(case_of(rulebook, "end/may-declare-before"))
    assert regular_ending(state) is Ending.ALL_SAFE
    assert not any(regular_ending(place(state, each)) for each in legal_placements(state))


# -- long messages ------------------------------------------------------------------------------


@every_rulebook
@for_each("case", ["framing/large", "full-boards/long-messages"])
def test_position_is_longer_than_a_usual_buffer(rulebook: Rulebook, case: str) -> None:
    turn = PositionMessages(rulebook).turn(position_of(rulebook, case))
    assert len(Writer(rulebook).write(turn)) > 4096
