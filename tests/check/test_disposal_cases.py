"""The cases of disposals: the questions to each player, and the answers that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from loops import for_each

from acquire.admin.refereeing.play import events
from acquire.admin.testing.cases.case import Case
from acquire.admin.testing.cases.case_file import looks_reversed
from acquire.game.board import Board
from acquire.game.disposal import Disposal, legal_disposals
from acquire.game.placement import Kind, Placement, kind_of
from acquire.game.rulebook import Assets, DisposalRule, Rulebook
from acquire.game.rulebooks import REVISED
from acquire.game.tiles import tile_name, tiles_in
from acquire.game.violation import Violation
from acquire.protocol import messages
from acquire.protocol.faults import Reason
from acquire.protocol.messages import KeepAnswer, PlayerMessage, RefereeMessage
from acquire.protocol.rulebook_file import read
from check.rehearsal import (
    EVERY,
    case_of,
    ejection,
    first_position,
    rehearsals,
    rehearse,
    section_of,
    under,
)

KEEPING = [rulebook for rulebook in EVERY if rulebook.disposal is DisposalRule.KEEP_OR_RETURN]
TRADING = [rulebook for rulebook in EVERY if rulebook.disposal is DisposalRule.HOLD_SELL_TRADE]
HIDING = [rulebook for rulebook in EVERY if rulebook.assets is not Assets.OPEN]
MARKETS = [rulebook for rulebook in EVERY if rulebook.market_for_two]

DISPOSAL = messages.DisposeAnswer(0, 0)
"""An answer that is too early before <holders> or <market> was answered."""


# -- keep or return -----------------------------------------------------------------------------

KEEP_COUNTS = {
    "mover-one": [1],
    "mover-none": [1],
    "mover-two": [2],
    "mover-three": [3],
    "all-certificates": [1],
    "bystander": [1],
    "bystander-none": [1],
    "bystander-last": [2],
    "bystander-three": [3],
    "twice": [1, 1],
    "mover-leaves": [1, 1],
    "bystander-leaves": [1],
    "order-of-answers": [1, 1, 2] * 3,
}
"""By slug, the number of hotels in each <keep>."""


@under(KEEPING)
def test_keep_asks_about_each_acquired_hotel(rulebook: Rulebook) -> None:
    assert KEEP_COUNTS.keys() == section_of(rulebook, "disposal").keys()
    for slug, counts in KEEP_COUNTS.items():
        for each in rehearsals(rulebook, f"disposal/{slug}"):
            asked = [len(m.hotels) for m in each.asked("keep") if isinstance(m, messages.Keep)]
            assert asked == counts, slug


@under(KEEPING)
@pytest.mark.parametrize("slug", ["mover-one", "bystander-last", "bystander-three"])
def test_keep_with_another_number_of_answers_is_refused(rulebook: Rulebook, slug: str) -> None:
    for wrong in {1, 2, 3} - {KEEP_COUNTS[slug][0]}:
        left = ejection(case_of(rulebook, f"disposal/{slug}"), "keep", KeepAnswer((True,) * wrong))
        assert (left.question, left.violation) == ("keep", Violation.KEEP_COUNT)


@under(KEEPING)
def test_larger_hotel_comes_first_against_the_alphabet(rulebook: Rulebook) -> None:
    found = rehearsals(rulebook, "disposal/bystander-last")[0]
    (asked,) = found.asked("keep")
    assert isinstance(asked, messages.Keep)
    assert list(asked.hotels) != sorted(asked.hotels)
    assert found.of(events.Acquired)[0].size > found.of(events.Acquired)[1].size


@under(KEEPING)
@pytest.mark.parametrize(("slug", "asked_before"), [("bystander-last", 5), ("bystander", 1)])
def test_opponents_are_asked_before(rulebook: Rulebook, slug: str, asked_before: int) -> None:
    found = rehearsals(rulebook, f"disposal/{slug}")[0]
    names = [event.name for event in found.of(events.Answered) if event.question == "keep"]
    assert names.index(found.subject) == asked_before


@under(KEEPING)
@pytest.mark.parametrize("slug", ["mover-none", "bystander-none"])
def test_player_without_certificates_is_asked_to_keep(rulebook: Rulebook, slug: str) -> None:
    case = case_of(rulebook, f"disposal/{slug}")
    for each in rehearsals(rulebook, f"disposal/{slug}"):
        (acquired,) = each.of(events.Acquired)
        assert not first_position(case).player(each.subject).shares[acquired.hotel]
    left = ejection(case, "keep", messages.Void())
    assert (left.question, left.reason) == ("keep", Reason.OUT_OF_TURN)


def keeps(*decisions: tuple[bool, ...]) -> list[PlayerMessage]:
    return [KeepAnswer(each) for each in decisions]


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
    answers = [answer for each in rounds for answer in keeps(*each)]
    assert ("reversed" in looks_reversed(rulebook, answers)) == suspected


# -- hold, sell, trade --------------------------------------------------------------------------


@under(TRADING)
def test_dispose_is_asked_for_each_hotel_with_certificates(rulebook: Rulebook) -> None:
    counts = {
        "mover": 1,
        "bystander": 1,
        "not-asked": 0,
        "mover-two": 2,
        "bystander-three": 3,
        "twice": 2,
    }
    for slug, count in counts.items():
        for each in rehearsals(rulebook, f"disposal/{slug}"):
            assert len(each.asked("dispose")) == count, slug


def first_question(case: Case) -> tuple[int, int]:
    """How many certificates the first <dispose> is about, and what the bank has to trade for."""
    asked = rehearse(case.script).asked("dispose")[0]
    assert isinstance(asked, messages.Dispose)
    (own,) = [each for each in asked.view.players if each.name == case.script.subject]
    assert own.shares is not None
    return own.shares[asked.hotel], asked.view.bank[asked.survivor]


@under(TRADING)
@for_each(
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
def test_trade_of_all_certificates_is_refused(
    rulebook: Rulebook, slug: str, owned: int, left: int | None, most: int
) -> None:
    case = case_of(rulebook, f"disposal/{slug}")
    found, bank = first_question(case)
    assert found == owned
    assert left is None or bank == left
    assert max(each.trade for each in legal_disposals(found, bank)) == most
    ejected = ejection(case, "dispose", messages.DisposeAnswer(0, owned))
    expected = Violation.ODD_TRADE if owned % 2 else Violation.TRADE_TOO_LARGE
    assert (ejected.question, ejected.violation) == ("dispose", expected)


@under(TRADING)
def test_bank_had_certificates_before_the_mover_traded(rulebook: Rulebook) -> None:
    (traded,) = rehearsals(rulebook, "disposal/traded-before")[0].of(events.Traded)
    before = first_position(case_of(rulebook, "disposal/traded-before")).bank[traded.survivor]
    assert before == traded.gained == 2
    assert Disposal(trade=2 * before) in legal_disposals(6, before)


@under(TRADING)
def test_answer_without_a_question_is_out_of_turn(rulebook: Rulebook) -> None:
    left = ejection(case_of(rulebook, "disposal/not-asked"), "state", DISPOSAL)
    assert left.reason is Reason.OUT_OF_TURN


@under(TRADING)
def test_two_hotels_are_asked_about_one_by_one_the_larger_first(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "disposal/mover-two"):
        acquired = each.of(events.Acquired)
        asked = [m.hotel for m in each.asked("dispose") if isinstance(m, messages.Dispose)]
        assert asked == [event.hotel for event in acquired]
        assert acquired[0].size >= acquired[1].size


# -- ejections in the middle --------------------------------------------------------------------


def question(rulebook: Rulebook) -> str:
    return "keep" if rulebook in KEEPING else "dispose"


@under(EVERY)
def test_turn_follows_the_merger_that_was_undone(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "disposal/mover-leaves"):
        assert each.questions[:3] == ["setup", question(rulebook), "turn"]
        assert len(each.of(events.TurnUndone)) == 1
        first, second = each.of(events.TurnBegan)
        assert second.state.board == first.state.board
        assert second.state.mover == first.state.player(each.subject)


@under(EVERY)
def test_placement_on_the_board_of_an_undone_merger_is_refused(rulebook: Rulebook) -> None:
    """For a player that remembers the merger every tile makes the survivor grow: a <pbuy>."""
    case = case_of(rulebook, "disposal/mover-leaves")
    state = first_position(case)
    hand = tiles_in(state.player(case.script.subject).hand)
    assert all(kind_of(state.board, tile) is Kind.MERGING for tile in hand)
    left = ejection(case, "turn", messages.Pbuy(Placement(hand[0]), ()))
    assert left.violation is Violation.NO_HOTEL_NAMED


def names(message: RefereeMessage) -> list[str]:
    """The players in a position."""
    if isinstance(message, messages.State):
        return [player.name for player in message.players]
    assert isinstance(message, messages.StateView)
    return [player.name for player in message.view.players]


@under(EVERY)
def test_opponent_ejected_before_is_missing_afterwards(rulebook: Rulebook) -> None:
    for each in rehearsals(rulebook, "disposal/bystander-leaves"):
        assert each.questions[:3] == ["setup", question(rulebook), "state"]
        before, after = each.asked("state")
        assert names(before) == ["ann", "bob", "player"]
        assert names(after) == ["player", "ann"]


# -- what is shown ------------------------------------------------------------------------------


@under(HIDING)
@for_each("slug", ["holders-mover", "holders-bystander"])
def test_holders_are_shown_before_the_question(rulebook: Rulebook, slug: str) -> None:
    for each in rehearsals(rulebook, f"disposal/{slug}"):
        assert each.questions.count("holders") == 1
        assert ("dispose" in each.questions) == (slug == "holders-mover")
        (message,) = each.asked("holders")
        assert isinstance(message, messages.Holders) and len(message.counts) == 2
    left = ejection(case_of(rulebook, f"disposal/{slug}"), "holders", DISPOSAL)
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
def test_market_is_shown_with_its_tile(
    rulebook: Rulebook, slug: str, tile: str | None, disposes: bool
) -> None:
    for each in rehearsals(rulebook, f"disposal/{slug}"):
        message = each.asked("market")[0]
        assert isinstance(message, messages.MarketTile)
        name = None if message.tile is None else tile_name(message.tile)
        assert (name, message.count) == (tile, 12 if tile else 0)
        assert disposes or "dispose" not in each.questions
    left = ejection(case_of(rulebook, f"disposal/{slug}"), "market", DISPOSAL)
    assert (left.question, left.reason) == ("market", Reason.OUT_OF_TURN)


@under(MARKETS)
def test_all_tiles_are_somewhere_though_the_bag_is_empty(rulebook: Rulebook) -> None:
    state = first_position(case_of(rulebook, "disposal/market-empty-bag"))
    hands = sum(player.hand.bit_count() for player in state.players)
    assert hands + state.board.occupied.bit_count() + state.aside.bit_count() == 108
    assert all(beside_safe(state.board, rulebook, tile) for tile in tiles_in(state.aside))


def beside_safe(board: Board, rulebook: Rulebook, tile: int) -> bool:
    """Whether a tile touches a safe hotel, as tiles that are set aside do."""
    return any(board.size(hotel) >= rulebook.safe_size for hotel in board.touched(tile))
