"""The cases of the end: what ends the match there, what is told in which order, what is refused."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from admin.check.case import Case
from admin.check.cases.end import cases
from admin.match import events
from check.told import EVERY, Told, always, answering, by_slug, position_of, tell, told_to_all
from game.placement import Kind, kind_of, legal_placements, place, playable
from game.rulebook import EmptyBag, End, Rulebook, StuckHand
from game.turn import Ending, ending, regular_ending, verify_declaration
from game.violation import Violation
from protocol import messages
from protocol.faults import Reason

SEEN = [rulebook for rulebook in EVERY if rulebook.end is End.ADMINISTRATOR]
DECLARED = [rulebook for rulebook in EVERY if rulebook.end is End.DECLARED]
STUCK = [rulebook for rulebook in EVERY if rulebook.stuck_hand is StuckHand.ENDS_GAME]
ENDS_EMPTY = [rulebook for rulebook in EVERY if rulebook.empty_bag is EmptyBag.ENDS_GAME]
PLAYS_ON = [rulebook for rulebook in EVERY if rulebook.empty_bag is EmptyBag.PLAYS_ON]
MARKETS = [rulebook for rulebook in EVERY if rulebook.market_for_two]


def under(rulebooks: Sequence[Rulebook]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rulebook", rulebooks, ids=lambda rulebook: rulebook.id)


def case_of(rulebook: Rulebook, slug: str) -> Case:
    return by_slug(cases, rulebook)[slug]


def ended(told: Told) -> Ending:
    """How a match ended."""
    (event,) = told.happened(events.Ended)
    return event.ending


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{rulebook.id}-{case.slug}")
        for rulebook in EVERY
        for case in cases(rulebook)
    ],
)
def test_every_legal_player_reaches_what_it_is_about(case: Case) -> None:
    for told in told_to_all(case):
        assert set(told.questions) >= case.to_reach


TURN = ["turn", "tile", "state"]


@pytest.mark.parametrize(
    ("rulebooks", "slug", "how", "questions"),
    [
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
    ],
)
def test_match_ends_so_whatever_a_legal_player_does(
    rulebooks: Sequence[Rulebook], slug: str, how: Ending, questions: list[str] | None
) -> None:
    for rulebook in rulebooks:
        for told in told_to_all(case_of(rulebook, slug)):
            assert ended(told) is how
            assert questions is None or told.questions == ["setup", *questions]


@under(EVERY)
def test_nothing_has_ended_when_a_case_begins(rulebook: Rulebook) -> None:
    for case in cases(rulebook):
        state = position_of(case)
        assert ending(state) is None
        if case.slug != "safe-only-before":
            assert regular_ending(state) is None


@pytest.mark.parametrize(
    ("slug", "wrong"),
    [
        ("large-own", messages.Order(())),
        ("large-other", messages.Order(())),
        ("bag-empty", messages.Order(())),
        ("bag-empty-other", messages.KeepAnswer((True,))),
    ],
)
@under(SEEN)
def test_score_takes_no_move(rulebook: Rulebook, slug: str, wrong: messages.PlayerMessage) -> None:
    left = tell(case_of(rulebook, slug), answering(rulebook, "score", always(wrong))).left
    assert left is not None and (left.question, left.reason) == ("score", Reason.OUT_OF_TURN)


@under(SEEN)
def test_one_tile_short_of_the_end_two_turns_are_asked(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "nearly-large")
    for told in told_to_all(case):
        assert told.questions.count("turn") == 2
        sizes = [max(event.state.board.sizes) for event in told.happened(events.TurnBegan)]
        assert sizes[0] == rulebook.final_size - 2
        assert set(sizes[1:]) == {rulebook.final_size - 1}


@under(EVERY)
def test_others_are_ahead_or_tied(rulebook: Rulebook) -> None:
    for told in told_to_all(case_of(rulebook, "score")):
        ranked = told.happened(events.Ranked)
        assert ranked[-1].name == told.subject
    for told in told_to_all(case_of(rulebook, "score-tied")):
        scores = [event.score for event in told.happened(events.Ranked)]
        assert len(scores) == 3 and len(set(scores)) == 2


# -- the empty bag ------------------------------------------------------------------------------


@under(EVERY)
@pytest.mark.parametrize("slug", ["bag-empty", "bag-empty-merger"])
def test_all_tiles_are_on_the_board_or_in_hands(rulebook: Rulebook, slug: str) -> None:
    state = position_of(case_of(rulebook, slug))
    hands = [player.hand.bit_count() for player in state.players]
    assert hands == [rulebook.hand_size] * 6 and not state.bag
    assert sum(hands) + state.board.occupied.bit_count() == 108
    assert playable(state) == state.mover.hand
    merges = {kind_of(state.board, each.tile) is Kind.MERGING for each in legal_placements(state)}
    assert merges == {slug == "bag-empty-merger"}


@under(PLAYS_ON)
@pytest.mark.parametrize("slug", ["bag-empty", "bag-empty-merger"])
def test_state_follows_without_a_tile(rulebook: Rulebook, slug: str) -> None:
    for told in told_to_all(case_of(rulebook, slug)):
        assert "tile" not in told.questions
        assert told.questions[-2:] == ["state", "score"]
        assert told.questions[-3] == ("players" if slug.endswith("merger") else "turn")


@under(ENDS_EMPTY)
def test_last_tile_is_drawn_by_the_player(rulebook: Rulebook) -> None:
    for told in told_to_all(case_of(rulebook, "last-tile")):
        (drew,) = told.happened(events.Drew)
        assert drew.name == told.subject
        assert len(told.happened(events.TurnBegan)) == 2


# -- declarations -------------------------------------------------------------------------------


@under(DECLARED)
@pytest.mark.parametrize(
    ("slug", "declared"),
    [
        ("may-declare-large", True),
        ("may-declare-safe", True),
        ("not-large-enough", False),
        ("not-all-safe", False),
        ("safe-only-before", False),
    ],
)
def test_end_may_be_declared_by_the_board_after_every_placement(
    rulebook: Rulebook, slug: str, declared: bool
) -> None:
    case = case_of(rulebook, slug)
    state = position_of(case)
    placements = legal_placements(state)
    assert {each.tile for each in placements} and playable(state) == state.mover.hand
    for placement in placements:
        assert (verify_declaration(place(state, placement)) is None) == declared
    answer = always(messages.Pbuy(placements[0], (), end=True))
    told = tell(case, answering(rulebook, "turn", answer))
    if declared:
        assert told.left is None and told.questions == ["setup", "turn", "score"]
    else:
        assert told.left is not None and told.left.violation is Violation.NOT_OVER


@under(DECLARED)
def test_board_before_the_placement_would_allow_it(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "safe-only-before"))
    assert verify_declaration(state) is None
    assert all(kind_of(state.board, each.tile) is Kind.FOUNDING for each in legal_placements(state))


@under(DECLARED)
def test_sizes_are_one_short(rulebook: Rulebook) -> None:
    sizes = position_of(case_of(rulebook, "not-large-enough")).board.sizes
    assert max(sizes) + 1 == rulebook.final_size - 1
    sizes = position_of(case_of(rulebook, "not-all-safe")).board.sizes
    assert min(filter(None, sizes)) + 1 == rulebook.safe_size - 1
    assert max(sizes) >= rulebook.safe_size


@under(DECLARED)
def test_nobody_has_to_declare(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "may-declare-large")
    placement = legal_placements(position_of(case))[0]
    told = tell(case, answering(rulebook, "turn", always(messages.Pbuy(placement, ()))))
    assert told.left is None and "state" in told.questions


# -- ejections, and two at the table ------------------------------------------------------------


def count(message: messages.AdministratorMessage) -> int:
    """How many players are at the table in a position or a score."""
    match message:
        case messages.Score(results) | messages.ScoreView(results):
            return len(results)
        case messages.State() | messages.Turn():
            return len(message.players)
        case messages.StateView() | messages.TurnView():
            return len(message.view.players)
    raise AssertionError(f"no position: {message}")


@under(EVERY)
@pytest.mark.parametrize(
    ("slug", "left", "counts"),
    [("mover-left", 1, [3, 2, 2, 2]), ("all-left", 2, [3, 1, 1, 1, 1, 1])],
)
def test_turn_follows_a_state_of_more_players(
    rulebook: Rulebook, slug: str, left: int, counts: list[int]
) -> None:
    for told in told_to_all(case_of(rulebook, slug)):
        assert told.questions[:2] == ["setup", "turn"]
        assert len(told.happened(events.Ejected)) == left
        positions = [
            message
            for question, message in zip(told.questions, told.messages, strict=True)
            if question in ("setup", "state", "turn", "score")
        ]
        assert [count(message) for message in positions] == counts


@under(EVERY)
def test_who_is_alone_moves_again_and_again(rulebook: Rulebook) -> None:
    for told in told_to_all(case_of(rulebook, "alone")):
        assert told.questions[1:] == [
            *TURN * 3,
            *["market"] * told.questions.count("market"),
            "score",
        ]
        assert count(told.messages[-1]) == 1


@under(MARKETS)
def test_market_is_told_once_for_each_hotel(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "market")
    for told in told_to_all(case):
        (end,) = told.happened(events.Ended)
        asked = [each for each in told.asked("market") if isinstance(each, messages.MarketTile)]
        sizes = [end.state.board.size(each.hotel) for each in asked]
        assert sizes == sorted(filter(None, end.state.board.sizes), reverse=True)
        assert len(sizes) >= 3
    left = tell(case, answering(rulebook, "market", always(messages.DisposeAnswer(0, 0)))).left
    assert left is not None and (left.question, left.reason) == ("market", Reason.OUT_OF_TURN)
