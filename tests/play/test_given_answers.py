"""Given answers come when their questions do; another player answers all others."""

from __future__ import annotations

from acquire.admin.refereeing.play.given_answers import GivenAnswers
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage

ASKED, TILE = messages.Keep((0,)), messages.NewTile(0)
KEPT: PlayerMessage = messages.KeepAnswer((True,))
RETURNED: PlayerMessage = messages.KeepAnswer((False,))
OTHER: PlayerMessage = messages.Order(())


def other(_: RefereeMessage) -> PlayerMessage:
    return OTHER


def test_each_answer_is_given_once_and_in_order() -> None:
    player = GivenAnswers([("keep", KEPT), ("keep", RETURNED)], other)
    assert [player(ASKED) for _ in range(3)] == [KEPT, RETURNED, OTHER]


def test_answer_whose_question_did_not_come_is_left_out() -> None:
    player = GivenAnswers([("turn", OTHER), ("keep", KEPT)], other)
    assert player.take("keep") is KEPT
    assert player.take("turn") is None


def test_question_without_an_answer_leaves_the_others() -> None:
    player = GivenAnswers([("keep", KEPT)], other)
    assert player.take("dispose") is None
    assert player(ASKED) is KEPT


def test_turn_is_over_with_a_tile_that_was_not_drawn_then() -> None:
    player = GivenAnswers([("keep", KEPT)], other)
    assert player(TILE) is OTHER
    assert player(ASKED) is OTHER, "it is asked in another turn"
    drawn = GivenAnswers([("tile", messages.VOID), ("keep", KEPT)], other)
    assert [drawn(TILE), drawn(ASKED)] == [messages.VOID, KEPT]


def test_last_is_the_given_answer_only_until_another_comes() -> None:
    player = GivenAnswers([("turn", OTHER), ("keep", KEPT)], other)
    assert player.last is None
    player(ASKED)
    assert player.last == 1
    player(ASKED)
    assert player.last is None
