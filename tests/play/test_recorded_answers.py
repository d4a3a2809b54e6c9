"""Recorded answers are given when their questions come; another player answers all others."""

from __future__ import annotations

from acquire.admin.refereeing.play.recorded_answers import RecordedAnswers
from acquire.protocol import messages
from acquire.protocol.messages import PlayerMessage, RefereeMessage

ASKED = messages.Keep((0,))
KEPT: PlayerMessage = messages.KeepAnswer((True,))
RETURNED: PlayerMessage = messages.KeepAnswer((False,))
OTHER: PlayerMessage = messages.Order(())


def other(_: RefereeMessage) -> PlayerMessage:
    return OTHER


def test_each_answer_is_given_once_and_in_order() -> None:
    player = RecordedAnswers([("keep", KEPT), ("keep", RETURNED)]).then(other)
    assert [player(ASKED) for _ in range(3)] == [KEPT, RETURNED, OTHER]


def test_answer_whose_question_did_not_come_is_left_out() -> None:
    recorded = RecordedAnswers([("turn", OTHER), ("keep", KEPT)])
    assert recorded.take("keep") is KEPT
    assert recorded.take("turn") is None


def test_question_without_an_answer_leaves_the_others() -> None:
    recorded = RecordedAnswers([("keep", KEPT)])
    assert recorded.take("dispose") is None
    assert recorded.then(other)(ASKED) is KEPT


def test_last_is_the_given_answer_only_until_another_comes() -> None:
    recorded = RecordedAnswers([("turn", OTHER), ("keep", KEPT)])
    assert recorded.last is None
    recorded.take("keep")
    assert recorded.last == 1
    recorded.take("keep")
    assert recorded.last is None
