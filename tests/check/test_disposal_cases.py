"""The cases of disposals: who is asked what, how often, and which answers are refused there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from admin.check.case import Case
from admin.check.cases import keeping, trades
from admin.match import events
from check.told import EVERY, Told, always, answering, by_slug, position_of, tell, told_to_all
from game.board import Board
from game.disposal import Disposal, legal_disposals
from game.placement import Kind, Placement, kind_of
from game.rulebook import Assets, DisposalRule, Rulebook
from game.tiles import tile_name, tiles_in
from game.violation import Violation
from player.strategies.simple import Ordered
from protocol import messages
from protocol.faults import Reason
from protocol.messages import AdministratorMessage


def cases(rulebook: Rulebook) -> Iterator[Case]:
    """The cases of this section that lay out a merger each."""
    yield from keeping.cases(rulebook)
    yield from trades.cases(rulebook)


KEEPING = [rulebook for rulebook in EVERY if rulebook.disposal is DisposalRule.KEEP_OR_RETURN]
TRADING = [rulebook for rulebook in EVERY if rulebook.disposal is DisposalRule.HOLD_SELL_TRADE]
HIDING = [rulebook for rulebook in EVERY if rulebook.assets is not Assets.OPEN]
MARKETS = [rulebook for rulebook in EVERY if rulebook.market_for_two]

DISPOSAL = always(messages.DisposeAnswer(0, 0))
"""An answer that is due only after <holders>, or <market>, was taken note of."""


def under(rulebooks: Sequence[Rulebook]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rulebook", rulebooks, ids=lambda rulebook: rulebook.id)


def case_of(rulebook: Rulebook, slug: str) -> Case:
    return by_slug(cases, rulebook)[slug]


def sole(told: Told) -> events.Ejected:
    """How the subject was ejected; it was."""
    assert told.left is not None
    return told.left


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


# -- keep or return -----------------------------------------------------------------------------


@under(KEEPING)
@pytest.mark.parametrize(
    ("slug", "counts"),
    [
        ("mover-one", [1]),
        ("mover-none", [1]),
        ("mover-two", [2]),
        ("mover-three", [3]),
        ("all-certificates", [1]),
        ("bystander", [1]),
        ("bystander-none", [1]),
        ("bystander-last", [2]),
        ("bystander-three", [3]),
        ("twice", [1, 1]),
        ("mover-leaves", [1, 1]),
        ("bystander-leaves", [1]),
    ],
)
def test_keep_asks_for_so_many_answers(rulebook: Rulebook, slug: str, counts: list[int]) -> None:
    case = case_of(rulebook, slug)
    for told in told_to_all(case):
        asked = [len(each.hotels) for each in told.asked("keep") if isinstance(each, messages.Keep)]
        assert asked == counts
    for wrong in {1, 2, 3} - {counts[0]}:
        kept = always(messages.KeepAnswer((True,) * wrong))
        left = sole(tell(case, answering(rulebook, "keep", kept)))
        assert (left.question, left.violation) == ("keep", Violation.KEEP_COUNT)


@under(KEEPING)
def test_larger_hotel_stands_first_where_the_alphabet_says_otherwise(rulebook: Rulebook) -> None:
    told = told_to_all(case_of(rulebook, "bystander-last"))[0]
    (asked,) = told.asked("keep")
    assert isinstance(asked, messages.Keep)
    assert list(asked.hotels) != sorted(asked.hotels)
    assert told.happened(events.Acquired)[0].size > told.happened(events.Acquired)[1].size


@under(KEEPING)
@pytest.mark.parametrize(("slug", "asked_before"), [("bystander-last", 5), ("bystander", 1)])
def test_others_are_asked_before(rulebook: Rulebook, slug: str, asked_before: int) -> None:
    told = told_to_all(case_of(rulebook, slug))[0]
    names = [event.name for event in told.happened(events.Answered) if event.question == "keep"]
    assert names.index(told.subject) == asked_before


@under(KEEPING)
@pytest.mark.parametrize("slug", ["mover-none", "bystander-none"])
def test_who_holds_none_is_asked_to_keep(rulebook: Rulebook, slug: str) -> None:
    case = case_of(rulebook, slug)
    for told in told_to_all(case):
        (acquired,) = told.happened(events.Acquired)
        assert not position_of(case).player(told.subject).shares[acquired.hotel]
    left = sole(tell(case, answering(rulebook, "keep", always(messages.Void()))))
    assert (left.question, left.reason) == ("keep", Reason.OUT_OF_TURN)


# -- hold, sell, trade --------------------------------------------------------------------------


@under(TRADING)
@pytest.mark.parametrize(
    ("slug", "count"),
    [
        ("mover", 1),
        ("bystander", 1),
        ("not-asked", 0),
        ("mover-two", 2),
        ("bystander-three", 3),
        ("twice", 2),
    ],
)
def test_dispose_is_asked_so_often(rulebook: Rulebook, slug: str, count: int) -> None:
    for told in told_to_all(case_of(rulebook, slug)):
        assert len(told.asked("dispose")) == count


def first_question(case: Case) -> tuple[int, int]:
    """How many certificates the first <dispose> is about, and how many the bank could give."""
    asked = tell(case, Ordered(case.script.rulebook, 0)).asked("dispose")[0]
    assert isinstance(asked, messages.Dispose)
    (own,) = [each for each in asked.view.players if each.name == case.script.subject]
    return own.shares[asked.hotel], asked.view.bank[asked.survivor]


@under(TRADING)
@pytest.mark.parametrize(
    ("slug", "owned", "left", "most"),
    [
        ("odd", 7, None, 6),
        ("single", 1, None, 0),
        ("all-certificates", 25, None, 24),
        ("bank-empty", 6, 0, 0),
        ("bank-has-one", 6, 1, 2),
        ("traded-before", 6, 0, 0),
    ],
)
def test_trade_of_all_is_refused(
    rulebook: Rulebook, slug: str, owned: int, left: int | None, most: int
) -> None:
    case = case_of(rulebook, slug)
    found, bank = first_question(case)
    assert found == owned
    assert left is None or bank == left
    assert max(each.trade for each in legal_disposals(found, bank)) == most
    answer = messages.DisposeAnswer(0, owned)
    ejected = sole(tell(case, answering(rulebook, "dispose", always(answer))))
    expected = Violation.ODD_TRADE if owned % 2 else Violation.TRADE_TOO_LARGE
    assert (ejected.question, ejected.violation) == ("dispose", expected)


@under(TRADING)
def test_bank_had_some_before_the_mover_traded(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "traded-before")
    (traded,) = told_to_all(case)[0].happened(events.Traded)
    before = position_of(case).bank[traded.survivor]
    assert before == traded.gained == 2
    assert Disposal(trade=2 * before) in legal_disposals(6, before)


@under(TRADING)
def test_answer_without_a_question_is_out_of_turn(rulebook: Rulebook) -> None:
    case = case_of(rulebook, "not-asked")
    answerer = answering(rulebook, "state", always(messages.DisposeAnswer(0, 0)))
    assert sole(tell(case, answerer)).reason is Reason.OUT_OF_TURN


@under(TRADING)
def test_two_are_asked_about_one_by_one_the_larger_first(rulebook: Rulebook) -> None:
    for told in told_to_all(case_of(rulebook, "mover-two")):
        acquired = told.happened(events.Acquired)
        asked = [each for each in told.asked("dispose") if isinstance(each, messages.Dispose)]
        assert [each.hotel for each in asked] == [each.hotel for each in acquired]
        assert acquired[0].size >= acquired[1].size


# -- ejections in the middle --------------------------------------------------------------------


@under(EVERY)
def test_turn_follows_the_merger_that_was_undone(rulebook: Rulebook) -> None:
    question = "keep" if rulebook in KEEPING else "dispose"
    case = case_of(rulebook, "mover-leaves")
    for told in told_to_all(case):
        assert told.questions[:3] == ["setup", question, "turn"]
        assert len(told.happened(events.TurnUndone)) == 1
        first, second = told.happened(events.TurnBegan)
        assert second.state.board == first.state.board
        assert second.state.mover == first.state.player(told.subject)


@under(EVERY)
def test_placement_on_the_board_that_was_undone_is_refused(rulebook: Rulebook) -> None:
    """To who remembers the merger every tile would make the survivor grow, which is a <pbuy>."""
    case = case_of(rulebook, "mover-leaves")
    state = position_of(case)
    hand = tiles_in(state.player(case.script.subject).hand)
    assert all(kind_of(state.board, tile) is Kind.MERGING for tile in hand)
    grown = messages.Pbuy(Placement(hand[0]), ())
    left = sole(tell(case, answering(rulebook, "turn", always(grown))))
    assert left.violation is Violation.NO_HOTEL_NAMED


def players(message: AdministratorMessage) -> list[str]:
    """Who is at the table in a position."""
    if isinstance(message, messages.State):
        return [player.name for player in message.players]
    assert isinstance(message, messages.StateView)
    return [player.name for player in message.view.players]


@under(EVERY)
def test_who_is_ejected_before_is_missing_afterwards(rulebook: Rulebook) -> None:
    question = "keep" if rulebook in KEEPING else "dispose"
    for told in told_to_all(case_of(rulebook, "bystander-leaves")):
        assert told.questions[:3] == ["setup", question, "state"]
        before, after = told.asked("state")
        assert players(before) == ["ann", "bob", "player"]
        assert players(after) == ["player", "ann"]


# -- what is told -------------------------------------------------------------------------------


@under(HIDING)
@pytest.mark.parametrize("slug", ["holders-mover", "holders-bystander"])
def test_holders_are_told_before_anybody_is_asked(rulebook: Rulebook, slug: str) -> None:
    case = case_of(rulebook, slug)
    for told in told_to_all(case):
        assert told.questions.count("holders") == 1
        assert ("dispose" in told.questions) == (slug == "holders-mover")
        (message,) = told.asked("holders")
        assert isinstance(message, messages.Holders) and len(message.counts) == 2
    left = sole(tell(case, answering(case.script.rulebook, "holders", DISPOSAL)))
    assert (left.question, left.reason) == ("holders", Reason.OUT_OF_TURN)


@under(MARKETS)
@pytest.mark.parametrize(
    ("slug", "tile", "disposes"),
    [
        ("market-mover", "12I", True),
        ("market-bystander", "12I", False),
        ("market-empty-bag", None, True),
    ],
)
def test_market_is_told_with_its_tile(
    rulebook: Rulebook, slug: str, tile: str | None, disposes: bool
) -> None:
    case = case_of(rulebook, slug)
    for told in told_to_all(case):
        message = told.asked("market")[0]
        assert isinstance(message, messages.MarketTile)
        name = None if message.tile is None else tile_name(message.tile)
        assert (name, message.count) == (tile, 12 if tile else 0)
        assert disposes or "dispose" not in told.questions
    left = sole(tell(case, answering(rulebook, "market", DISPOSAL)))
    assert (left.question, left.reason) == ("market", Reason.OUT_OF_TURN)


@under(MARKETS)
def test_empty_bag_means_that_every_tile_is_somewhere(rulebook: Rulebook) -> None:
    state = position_of(case_of(rulebook, "market-empty-bag"))
    hands = sum(player.hand.bit_count() for player in state.players)
    assert hands + state.board.occupied.bit_count() + state.aside.bit_count() == 108
    assert all(dead(state.board, rulebook, tile) for tile in tiles_in(state.aside))


def dead(board: Board, rulebook: Rulebook, tile: int) -> bool:
    """Whether a tile set aside touches a safe hotel, as those that are set aside do."""
    return any(board.size(hotel) >= rulebook.safe_size for hotel in board.touched(tile))
