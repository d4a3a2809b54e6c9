"""The cases of the end: what ends the game, what is asked in which order, what is refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from loops import for_each

from acquire.admin.refereeing.play import events
from acquire.game.placement import Kind, kind_of, legal_placements, place, playable
from acquire.game.rulebook import EmptyBag, End, Rulebook, StuckHand
from acquire.game.turn import Ending, ending, regular_ending, verify_declaration
from acquire.game.violation import Violation
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from check.rehearsal import (
    EVERY,
    answering,
    case_of,
    ejection,
    first_position,
    rehearsals,
    rehearse,
    section_of,
    under,
)

SEEN = [rulebook for rulebook in EVERY if rulebook.end is End.ADMINISTRATOR]
DECLARED = [rulebook for rulebook in EVERY if rulebook.end is End.DECLARED]
STUCK = [rulebook for rulebook in EVERY if rulebook.stuck_hand is StuckHand.ENDS_GAME]
ENDS_EMPTY = [rulebook for rulebook in EVERY if rulebook.empty_bag is EmptyBag.ENDS_GAME]
PLAYS_ON = [rulebook for rulebook in EVERY if rulebook.empty_bag is EmptyBag.PLAYS_ON]
MARKETS = [rulebook for rulebook in EVERY if rulebook.market_for_two]


TURN = ["turn", "tile", "state"]
ENDINGS: list[tuple[Sequence[Rulebook], str, Ending, list[str] | None]] = [
    (SEEN, "large-own", Ending.LARGE_HOTEL, [*TURN, "score"]),
    (SEEN, "large-other", Ending.LARGE_HOTEL, ["state", "score"]),
    (SEEN, "safe-own", Ending.ALL_SAFE, [*TURN, "score"]),
    (SEEN, "safe-other", Ending.ALL_SAFE, ["state", "score"]),
    (STUCK, "stuck", Ending.NOTHING_PLACEABLE, ["state", "score"]),
    (STUCK, "next-stuck", Ending.NOTHING_PLACEABLE, [*TURN, "score"]),
    (ENDS_EMPTY, "bag-empty", Ending.BAG_EMPTY, ["turn", "score"]),
    (ENDS_EMPTY, "bag-empty-merger", Ending.BAG_EMPTY, ["turn", "keep", "players", "score"]),
    (ENDS_EMPTY, "bag-empty-other", Ending.BAG_EMPTY, ["score"]),
    (ENDS_EMPTY, "last-tile", Ending.BAG_EMPTY, [*TURN, "score"]),
    (DECLARED, "another-declares", Ending.LARGE_HOTEL, ["score"]),
    (EVERY, "score", Ending.NO_MORE_TURNS, None),
    (EVERY, "mover-left", Ending.NO_MORE_TURNS, None),
]


@for_each(("rulebooks", "slug", "how", "questions"), ENDINGS, ids=[each[1] for each in ENDINGS])
def test_game_ends_in_this_way_whatever_a_legal_player_does(
    rulebooks: Sequence[Rulebook], slug: str, how: Ending, questions: list[str] | None
) -> None:
    assert rulebooks
    for rulebook in rulebooks:
        for each in rehearsals(rulebook, f"end/{slug}"):
            (end,) = each.of(events.Ended)
            assert end.ending is how, rulebook.id
            assert questions is None or each.questions == ["setup", *questions], rulebook.id


@under(EVERY)
def test_game_is_not_over_when_a_case_begins(rulebook: Rulebook) -> None:
    for slug, case in section_of(rulebook, "end").items():
        state = first_position(case)
        assert ending(state) is None, slug
        assert regular_ending(state) is None or slug == "may-declare-before", slug


@under(SEEN)
@pytest.mark.parametrize(
    ("slug", "wrong"),
    [
        ("large-own", messages.Order(())),
        ("large-other", messages.Order(())),
        ("bag-empty", messages.Order(())),
        ("bag-empty-other", messages.KeepAnswer((True,))),
    ],
)
def test_score_does_not_take_a_move(
    rulebook: Rulebook, slug: str, wrong: messages.PlayerMessage
) -> None:
    left = ejection(case_of(rulebook, f"end/{slug}"), "score", wrong)
    assert (left.question, left.reason) == ("score", Reason.OUT_OF_TURN)


@under(SEEN)
def test_one_tile_short_of_the_end_the_player_has_two_turns(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "end/nearly-large"):
        assert each.questions.count("turn") == 2
        sizes = [max(event.state.board.sizes) for event in each.of(events.TurnBegan)]
        assert sizes[0] == rulebook.final_size - 2
        assert set(sizes[1:]) == {rulebook.final_size - 1}


@under(EVERY)
def test_opponents_are_ahead_or_tied(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "end/score"):
        assert each.of(events.Ranked)[-1].name == each.subject
    for each in rehearsals(rulebook, "end/score-tied"):
        scores = [event.score for event in each.of(events.Ranked)]
        assert len(scores) == 3 and len(set(scores)) == 2


# -- the empty bag ------------------------------------------------------------------------------


@under(EVERY)
@for_each("slug", ["bag-empty", "bag-empty-merger"])
def test_all_tiles_are_on_the_board_or_in_hands(rulebook: Rulebook, slug: str) -> None:
    state = first_position(case_of(rulebook, f"end/{slug}"))
    hands = [player.hand.bit_count() for player in state.players]
    assert hands == [rulebook.hand_size] * 6 and not state.bag
    assert sum(hands) + state.board.occupied.bit_count() == 108
    assert playable(state) == state.mover.hand
    merges = {kind_of(state.board, each.tile) is Kind.MERGING for each in legal_placements(state)}
    assert merges == {slug == "bag-empty-merger"}


@under(PLAYS_ON)
@for_each("slug", ["bag-empty", "bag-empty-merger"])
def test_state_follows_without_a_tile(rulebook: Rulebook, slug: str) -> None:
    for each in rehearsals(rulebook, f"end/{slug}"):
        assert "tile" not in each.questions
        assert each.questions[-2:] == ["state", "score"]
        assert each.questions[-3] == ("players" if slug.endswith("merger") else "turn")


@under(ENDS_EMPTY)
def test_player_draws_the_last_tile(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "end/last-tile"):
        (drew,) = each.of(events.Drew)
        assert drew.name == each.subject
        assert len(each.of(events.TurnBegan)) == 2


# -- declarations -------------------------------------------------------------------------------


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
    case = case_of(rulebook, f"end/{slug}")
    state = first_position(case)
    placements = legal_placements(state)
    assert placements and playable(state) == state.mover.hand
    for placement in placements:
        assert (verify_declaration(place(state, placement), begun=state) is None) == may_declare
    declaration = messages.Pbuy(placements[0], (), end=True)
    found = rehearse(case.script, answering(rulebook, "turn", lambda _: declaration))
    if may_declare:
        assert found.left is None and found.questions == ["setup", "turn", "score"]
    else:
        assert found.left is not None and found.left.violation is Violation.NOT_OVER


@under(DECLARED)
def test_only_the_board_before_the_placement_allows_a_declaration(rulebook: Rulebook) -> None:
    state = first_position(case_of(rulebook, "end/may-declare-before"))
    assert regular_ending(state) is Ending.ALL_SAFE
    assert not any(regular_ending(place(state, each)) for each in legal_placements(state))
    kinds = {kind_of(state.board, each.tile) for each in legal_placements(state)}
    assert kinds == {Kind.FOUNDING}


@under(DECLARED)
def test_sizes_are_one_short(rulebook: Rulebook) -> None:
    sizes = first_position(case_of(rulebook, "end/not-large-enough")).board.sizes
    assert max(sizes) + 1 == rulebook.final_size - 1
    sizes = first_position(case_of(rulebook, "end/not-all-safe")).board.sizes
    assert min(filter(None, sizes)) + 1 == rulebook.safe_size - 1
    assert max(sizes) >= rulebook.safe_size


@under(DECLARED)
def test_player_need_not_declare(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "end/may-declare-large")
    order = messages.Pbuy(legal_placements(first_position(case))[0], ())
    found = rehearse(case.script, answering(rulebook, "turn", lambda _: order))
    assert found.left is None and "state" in found.questions


# -- ejections, and two at the table ------------------------------------------------------------


def count(message: messages.RefereeMessage) -> int:
    """How many players are in a position or a score."""
    match message:
        case messages.Score(results) | messages.ScoreView(results):
            return len(results)
        case messages.State() | messages.Turn():
            return len(message.players)
        case messages.StateView() | messages.TurnView():
            return len(message.view.players)
    raise AssertionError(f"not a position: {message}")


@under(EVERY)
@for_each(
    ("slug", "left", "counts"),
    [("mover-left", 1, [3, 2, 2, 2]), ("all-left", 2, [3, 1, 1, 1, 1, 1])],
)
def test_turn_follows_a_state_with_more_players(
    rulebook: Rulebook, slug: str, left: int, counts: list[int]
) -> None:
    for each in rehearsals(rulebook, f"end/{slug}"):
        assert each.questions[:2] == ["setup", "turn"]
        assert len(each.of(events.Ejected)) == left
        positions = [
            message
            for question, message in zip(each.questions, each.messages, strict=True)
            if question in ("setup", "state", "turn", "score")
        ]
        assert [count(message) for message in positions] == counts


@under(EVERY)
def test_player_alone_moves_again_and_again(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "end/alone"):
        markets = ["market"] * each.questions.count("market")
        assert each.questions[1:] == [*TURN * 3, *markets, "score"]
        assert count(each.messages[-1]) == 1


@under(MARKETS)
def test_market_is_shown_once_for_each_hotel(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "end/market"):
        (end,) = each.of(events.Ended)
        shown = [m for m in each.asked("market") if isinstance(m, messages.MarketTile)]
        sizes = [end.state.board.size(message.hotel) for message in shown]
        assert sizes == sorted(filter(None, end.state.board.sizes), reverse=True)
        assert len(sizes) >= 3
    left = ejection(case_of(rulebook, "end/market"), "market", messages.DisposeAnswer(0, 0))
    assert (left.question, left.reason) == ("market", Reason.OUT_OF_TURN)
