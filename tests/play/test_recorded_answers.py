"""Recorded answers are given again in order, each to its own question."""

from acquire.admin.refereeing.play.in_process import RecordedAnswers
from acquire.protocol import messages
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.messages import RefereeMessage

ORDER, KEPT = messages.Order((1,)), messages.KeepAnswer((True,))
LATE = Fault(Reason.TIMED_OUT, "")
TILE, KEEP, PLAYERS = messages.NewTile(5), messages.Keep((0,)), messages.Players(())


def own(message: RefereeMessage) -> messages.PlayerMessage:
    """The answers of the other player."""
    return messages.VOID


def test_each_answer_is_given_once_to_its_question() -> None:
    answers = RecordedAnswers([("keep", KEPT), ("players", ORDER)])
    player = answers.then(own)
    given = [(player(asked), answers.last) for asked in (TILE, KEEP, TILE, PLAYERS, PLAYERS)]
    nothing = (messages.VOID, None)
    assert given == [nothing, (KEPT, 0), nothing, (ORDER, 1), nothing]


def test_answers_before_the_one_asked_for_are_skipped() -> None:
    answers = RecordedAnswers([("keep", KEPT), ("players", ORDER), ("keep", LATE)])
    player = answers.then(own)
    assert [player(asked) for asked in (PLAYERS, KEEP, KEEP)] == [ORDER, LATE, messages.VOID]


def test_last_entry_can_end_the_answers() -> None:
    player = RecordedAnswers([("keep", KEPT), ("tile", messages.VOID)]).then(own)
    assert [player(asked) for asked in (TILE, KEEP)] == [messages.VOID, messages.VOID]
