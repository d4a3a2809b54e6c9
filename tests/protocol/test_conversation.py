"""Who may send what, and when: every step, side and message, against the protocol's text."""

import re
from itertools import product

import pytest
from loops import for_each

from acquire.protocol.conversation import TABLES, Conversation, Side, Step, allowed, surplus_fault
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import MAX_SHOWN, Fault, LocalProtocolError, Reason, shown
from acquire.protocol.messages import TAGS

MESSAGES = sorted(set(TAGS.values()))

COURSE = """
connected      P  signup     signed up
signed up      A  signup     seated
seated         A  state      informed
informed       P  void       waiting
waiting        A  turn       moving
waiting        A  keep       keeping
waiting        A  state      informed
waiting        A  score      scored
keeping        P  keep       waiting
moving         P  pbuy       moved
moving         P  placement  merging
merging        A  keep       mover keeping
mover keeping  P  keep       merged
merged         A  players    ordering
ordering       P  order      moved
moved          A  tile       drawing
moved          A  score      scored
drawing        P  void       waiting
scored         P  void       over
"""
"""At this step, this side may send this, and that is the next step."""

FULL = """
connected                    P  signup     signed up
signed up                    A  signup     seated
seated                       A  state      informed
informed                     P  void       waiting
waiting                      A  turn       moving
waiting                      A  replace    replacing
replacing                    P  replace    replaced
replaced                     A  turn       moving
waiting                      A  market     notified of holdings
waiting                      A  holders    notified of holdings
waiting                      A  dispose    disposing
waiting                      A  keep       keeping
waiting                      A  state      informed
waiting                      A  score      scored
notified of holdings             P  void       waiting
disposing                    P  dispose    waiting
keeping                      P  keep       waiting
moving                       P  pbuy       moved
moving                       P  placement  merging
merging                      A  market     merging, notified of holdings
merging                      A  holders    merging, notified of holdings
merging                      A  dispose    mover disposing
merging                      A  keep       mover keeping
merging                      A  merger     choosing
merging                      A  players    ordering
merging, notified of holdings  P  void       merging
mover disposing              P  dispose    merging
mover keeping                P  keep       merging
choosing                     P  placement  merging
ordering                     P  order      moved
moved                        A  tile       drawing
moved                        A  market     moved, notified of holdings
moved                        A  state      informed
moved                        A  score      scored
drawing                      P  void       moved
moved, notified of holdings    P  void       moved
scored                       P  void       over
"""

Key = tuple[Step, Side, str]


def account(text: str) -> dict[Key, Step]:
    """The rows that a table must have, ejections included: they are possible until it is over."""
    rows = [re.split(r"  +", line) for line in text.strip().splitlines()]
    sent = {(Step(step), Side(side), message): Step(then) for step, side, message, then in rows}
    steps = {step for step, _, _ in sent}
    return sent | {(step, Side.REFEREE, "ejected"): Step.OVER for step in steps}


NEXT = {Dialect.COURSE: account(COURSE), Dialect.FULL: account(FULL)}
OTHER = {Side.REFEREE: Side.PLAYER, Side.PLAYER: Side.REFEREE}

BOTH = for_each("dialect", Dialect, ids=lambda dialect: str(dialect.value))
EACH_SIDE = for_each(("dialect", "side"), [(dialect, side) for dialect in Dialect for side in Side])


@BOTH
def test_a_conversation_is_begun_by_the_players_sign_up(dialect: Dialect) -> None:
    referee = Conversation(Side.REFEREE, dialect=dialect)
    player = Conversation(Side.PLAYER, dialect=dialect)
    for one in (referee, player):
        assert one.step is Step.CONNECTED
    assert referee.expected() == "<signup>"


def test_a_conversation_is_the_courses_unless_another_is_asked_for() -> None:
    player = Conversation(Side.PLAYER, Step.MOVED)
    assert player.receive("state", b"") is not None, "only the dialect lets a turn draw nothing"
    referee = Conversation(Side.REFEREE, Step.WAITING)
    with pytest.raises(LocalProtocolError):
        referee.send("dispose")


@BOTH
def test_table_has_each_step_and_message_of_a_side_once(dialect: Dialect) -> None:
    keys = [(row.step, row.side, row.message) for row in TABLES[dialect]]
    assert len(keys) == len(set(keys))


@EACH_SIDE
def test_what_may_not_be_sent_is_a_local_error_at_every_step(dialect: Dialect, side: Side) -> None:
    for step, message in product(Step, MESSAGES):
        one = Conversation(side, step, dialect)
        then = NEXT[dialect].get((step, side, message))
        if then is None:
            expected = f"^<{message}> cannot be sent while {step.value}$"
            with pytest.raises(LocalProtocolError, match=expected):
                one.send(message)
        else:
            one.send(message)
        assert one.step is (then or step), (step, message)


@EACH_SIDE
def test_an_exchange_is_a_message_sent_and_its_answer_received(
    dialect: Dialect, side: Side
) -> None:
    for step, message, answer in product(Step, MESSAGES, MESSAGES):
        at_once, in_turn = (Conversation(side, step, dialect) for _ in range(2))
        expected: Fault | str | None
        try:
            in_turn.send(message)
            expected = in_turn.receive(answer, b"")
        except LocalProtocolError as error:
            expected = str(error)
        try:
            found: Fault | str | None = at_once.exchange(message, answer)
        except LocalProtocolError as error:
            found = str(error)
        assert (found, at_once.step) == (expected, in_turn.step), (step, message, answer)


@EACH_SIDE
def test_what_may_not_be_received_is_out_of_turn_at_every_step(
    dialect: Dialect, side: Side
) -> None:
    for step, message in product(Step, MESSAGES):
        one = Conversation(OTHER[side], step, dialect)
        then = NEXT[dialect].get((step, side, message))
        fault = one.receive(message, b"the bytes")
        if then is None:
            assert fault is not None, (step, message)
            assert fault.reason is Reason.OUT_OF_TURN
            assert fault.detail.startswith(f"Received <{message}>; expected ")
            assert fault.data == b"the bytes"
        else:
            assert fault is None, (step, message)
        assert one.step is (then or step), (step, message)


DUE = [
    (Dialect.COURSE, Step.CONNECTED, "<signup>"),
    (Dialect.COURSE, Step.MOVING, "<pbuy> or <placement>"),
    (Dialect.COURSE, Step.INFORMED, "<void>"),
    (Dialect.COURSE, Step.WAITING, "nothing"),
    (Dialect.COURSE, Step.MERGING, "nothing"),
    (Dialect.COURSE, Step.DISPOSING, "nothing"),
    (Dialect.COURSE, Step.OVER, "nothing"),
    (Dialect.FULL, Step.CONNECTED, "<signup>"),
    (Dialect.FULL, Step.MOVING, "<pbuy> or <placement>"),
    (Dialect.FULL, Step.REPLACING, "<replace>"),
    (Dialect.FULL, Step.DISPOSING, "<dispose>"),
    (Dialect.FULL, Step.MOVER_DISPOSING, "<dispose>"),
    (Dialect.FULL, Step.CHOOSING, "<placement>"),
    (Dialect.FULL, Step.MERGING_NOTIFIED, "<void>"),
    (Dialect.FULL, Step.MERGING, "nothing"),
    (Dialect.FULL, Step.OVER, "nothing"),
]


ASKED_OF_THE_MOVER = "<market> or <holders> or <dispose> or <keep> or <merger> or <players>"
DUE_FROM_REFEREE = [
    (Dialect.COURSE, Step.MOVED, "<tile> or <score> or <ejected>"),
    (Dialect.FULL, Step.MOVED, "<tile> or <state> or <market> or <score> or <ejected>"),
    (Dialect.FULL, Step.MERGING, f"{ASKED_OF_THE_MOVER} or <ejected>"),
]


@for_each(
    ("end", "message", "dialect", "step", "due"),
    [
        *((Side.REFEREE, "order", *row) for row in DUE),
        *((Side.PLAYER, "turn", *row) for row in DUE_FROM_REFEREE),
    ],
)
def test_out_of_turn_fault_names_the_received_and_the_expected_messages(
    end: Side, message: str, dialect: Dialect, step: Step, due: str
) -> None:
    one = Conversation(end, step, dialect)
    assert one.expected() == due
    fault = one.receive(message, b"")
    assert fault is not None
    assert fault.detail == f"Received <{message}>; expected {due}."


@BOTH
def test_allowed_lists_what_each_side_may_send(dialect: Dialect) -> None:
    for step, side in product(Step, Side):
        expected = [message for at, by, message in NEXT[dialect] if (at, by) == (step, side)]
        assert sorted(allowed(step, side, TABLES[dialect])) == sorted(expected)


def test_every_step_there_is_belongs_to_a_conversation() -> None:
    steps = {step for sent in NEXT.values() for step in sent.values()}
    assert steps | {Step.CONNECTED} == set(Step)


def test_every_message_has_its_place_in_a_conversation() -> None:
    assert {row.message for table in TABLES.values() for row in table} == set(MESSAGES)


@pytest.mark.parametrize(
    ("surplus", "shown"),
    [
        (b"<void/>", "'<void/>'"),
        (b"\xff\n", "'\\\\xff\\n'"),
        (b"<a>" + b"b" * 100, "'<a>" + "b" * 37 + "'"),
    ],
    ids=["message", "not-utf-8", "long"],
)
def test_surplus_bytes_are_out_of_turn_and_quoted(surplus: bytes, shown: str) -> None:
    assert surplus_fault("<order>", surplus, b"<order/>" + surplus) == Fault(
        Reason.OUT_OF_TURN,
        f"Expected only <order>, but {shown} followed: send one message when asked, and nothing "
        "else.",
        b"<order/>" + surplus,
    )


@for_each("reason", Reason)
def test_every_reason_has_a_sentence_of_its_own(reason: Reason) -> None:
    assert reason.sentence.endswith(".")
    assert [other for other in Reason if other.sentence == reason.sentence] == [reason]


def test_fault_reads_as_its_reasons_sentence_and_its_detail() -> None:
    fault = Fault(Reason.TIMED_OUT, "1 s were allowed.")
    assert str(fault) == "No complete answer arrived in time. 1 s were allowed."
    assert fault.data == b""


def test_what_was_sent_is_shown_from_its_beginning_and_whole_if_it_is_short() -> None:
    whole = b"<void/>\xff" + b"x" * (MAX_SHOWN - len(r"<void/>\xff"))
    assert shown(b"<void/>\xff") == r"'<void/>\\xff'"
    assert shown(whole) == repr(whole.decode(errors="backslashreplace"))
    assert shown(whole + b"y") == repr(whole.decode(errors="backslashreplace") + "...")
