"""The referee gives the hint with the ejection: in the event, to the player, and in the log."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lxml import etree

from acquire.admin.refereeing.log.recorder import Recorder
from acquire.admin.refereeing.play import events
from acquire.game.rulebooks import REVISED
from acquire.player.strategies.simple import Ordered
from acquire.protocol.faults import Circumstance, Fault, Reason
from acquire.protocol.messages import TAGS, PlayerMessage, RefereeMessage
from check.rehearsal import case_of, rehearse

UNASKED = Fault(
    Reason.OUT_OF_TURN, "Expected only Nothing.", b"<void/>", circumstance=Circumstance.UNASKED
)


def at(question: str, place: int, fault: Fault) -> Callable[[RefereeMessage], PlayerMessage]:
    """A legal player that has a fault at a question, when it is asked for the nth time."""
    strategy, asked = Ordered(REVISED, 0), [0]

    def answer(message: RefereeMessage) -> PlayerMessage:
        asked[0] += TAGS[type(message)] == question
        if TAGS[type(message)] == question and asked[0] == place:
            return fault  # type: ignore[return-value]  # a recorded player's answer can be one
        return strategy(message)

    return answer


def ejected_at(question: str, place: int, fault: Fault) -> events.Ejected:
    left = rehearse(case_of(REVISED, "turn/drawn").script, at(question, place, fault)).left
    assert left is not None
    return left


@pytest.mark.parametrize(
    ("place", "when"), [(1, "after the answer to the sign-up"), (2, "the question before it")]
)
def test_unasked_message_is_explained_by_what_came_before(place: int, when: str) -> None:
    left = ejected_at("state", place, UNASKED)
    assert left.hint.startswith("<void/> was sent unasked") and when in left.hint
    assert left.with_hint == f"{left.hint} {left.detail}"
    assert left.sentences == f"{left.hint} {left.reason.sentence} {left.detail}"


def test_log_keeps_the_hint() -> None:
    left = ejected_at("turn", 1, Fault(Reason.OUT_OF_TURN, "Received <void>.", b"<void/>"))
    record = etree.fromstring(Recorder(REVISED).record(left))
    assert record.attrib["hint"] == left.hint != ""
    nothing = etree.fromstring(Recorder(REVISED).record(left._replace(hint="")))
    assert "hint" not in nothing.attrib
