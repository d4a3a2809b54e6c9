"""Who may send what, and when: every step, side and message, against the protocol's text."""

from __future__ import annotations

import re
from itertools import product

import pytest
from loops import for_each

from acquire.protocol.conversation import (
    DIALECT_TABLE,
    TABLE,
    TABLES,
    Conversation,
    Side,
    Step,
    Table,
    allowed,
    surplus_fault,
)
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import (
    MAX_SHOWN,
    Fault,
    LocalProtocolError,
    ProtocolError,
    Reason,
    shown,
)
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
STEPS = {
    dialect: [step for step in Step if step in {*sent.values(), Step.CONNECTED}]
    for dialect, sent in NEXT.items()
}
"""The steps of each table, in the order in which they are declared."""

OTHER = {Side.REFEREE: Side.PLAYER, Side.PLAYER: Side.REFEREE}

BOTH = for_each("dialect", Dialect, ids=lambda dialect: str(dialect.value))
EACH_SIDE = for_each(("dialect", "side"), [(dialect, side) for dialect in Dialect for side in Side])
EVERY_STEP = for_each(
    ("dialect", "step"), [(dialect, step) for dialect in Dialect for step in STEPS[dialect]]
)
EVERY_STEP_BUT_THE_LAST = for_each(
    ("dialect", "step"),
    [(dialect, step) for dialect in Dialect for step in STEPS[dialect] if step is not Step.OVER],
)

COURSE_TURNS = {
    "plain": "A turn  P pbuy  A tile  P void  A state  P void",
    "merger": "A turn  P placement  A keep  P keep  A players  P order  A tile  P void"
    "  A state  P void",
    "another's": "A state  P void",
    "another's merger": "A keep  P keep  A state  P void",
    "last": "A score  P void",
    "last, the bag empty": "A turn  P pbuy  A score  P void",
    "last, the bag empty after a merger": "A turn  P placement  A keep  P keep  A players  P order"
    "  A score  P void",
}
FULL_TURNS = {
    "none drawn": "A turn  P pbuy  A state  P void",
    "one drawn": "A turn  P pbuy  A tile  P void  A state  P void",
    "new hand offered": "A replace  P replace  A turn  P pbuy  A tile  P void  A state  P void",
    "three drawn": "A turn  P pbuy" + "  A tile  P void" * 3 + "  A state  P void",
    "merger in which one holds nothing": "A turn  P placement  A players  P order"
    "  A tile  P void  A state  P void",
    "merger with two disposals": "A turn  P placement  A dispose  P dispose  A dispose  P dispose"
    "  A players  P order  A tile  P void  A state  P void",
    "merger of two players": "A turn  P placement  A market  P void  A dispose  P dispose"
    "  A merger  P placement  A market  P void  A dispose  P dispose  A market  P void"
    "  A players  P order  A tile  P void  A state  P void",
    "merger that asks to keep": "A turn  P placement  A keep  P keep  A players  P order"
    "  A tile  P void  A state  P void",
    "another's": "A state  P void",
    "another's merger": "A dispose  P dispose  A dispose  P dispose  A state  P void",
    "merger where assets are hidden": "A turn  P placement  A holders  P void  A dispose  P dispose"
    "  A holders  P void  A players  P order  A tile  P void  A state  P void",
    "another's merger where assets are hidden": "A holders  P void  A dispose  P dispose"
    "  A state  P void",
    "another's merger of two players": "A market  P void  A dispose  P dispose  A market  P void"
    "  A state  P void",
    "another's merger that asks to keep": "A keep  P keep  A state  P void",
    "last": "A turn  P pbuy  A score  P void",
    "last, with the market's tiles": "A turn  P pbuy" + "  A market  P void" * 3 + "  A score"
    "  P void",
    "last, after a merger": "A turn  P placement  A dispose  P dispose  A players  P order"
    "  A score  P void",
    "last, another's": "A score  P void",
    "last, another's with the market's tiles": "A market  P void  A market  P void  A score"
    "  P void",
}
TURNS = {Dialect.COURSE: COURSE_TURNS, Dialect.FULL: FULL_TURNS}


@BOTH
def test_a_conversation_is_begun_by_the_players_sign_up(dialect: Dialect) -> None:
    referee = Conversation.of_referee(dialect=dialect)
    player = Conversation.of_player(dialect)
    for one in (referee, player):
        assert one.step is Step.CONNECTED
    assert referee.expected() == "<signup>"


def test_a_conversation_is_the_courses_unless_another_is_asked_for() -> None:
    for one in (Conversation(Side.PLAYER, Step.MOVED), Conversation.of_player(step=Step.MOVED)):
        assert one.receive("state", b"") is not None, "only the dialect lets a turn draw nothing"
    referee = Conversation.of_referee(Step.WAITING)
    with pytest.raises(LocalProtocolError):
        referee.send("dispose")


def test_each_dialect_has_its_table() -> None:
    assert TABLES == {Dialect.COURSE: TABLE, Dialect.FULL: DIALECT_TABLE}


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


@for_each(("dialect", "step", "due"), DUE)
def test_out_of_turn_fault_names_the_received_and_the_expected_message(
    dialect: Dialect, step: Step, due: str
) -> None:
    one = Conversation.of_referee(step, dialect)
    assert one.expected() == due
    fault = one.receive("order", b"<order/>")
    assert fault is not None
    assert fault.detail == f"Received <order>; expected {due}."


@pytest.mark.parametrize(
    ("dialect", "step", "message", "due"),
    [
        (Dialect.COURSE, Step.MOVED, "state", "<tile> or <score> or <ejected>"),
        (Dialect.FULL, Step.MOVED, "turn", "<tile> or <state> or <market> or <score> or <ejected>"),
        (
            Dialect.FULL,
            Step.MERGING,
            "state",
            "<market> or <holders> or <dispose> or <keep> or <merger> or <players> or <ejected>",
        ),
    ],
)
def test_out_of_turn_fault_lists_everything_expected_of_the_referee(
    dialect: Dialect, step: Step, message: str, due: str
) -> None:
    fault = Conversation(Side.PLAYER, step, dialect).receive(message, b"")
    assert fault is not None
    assert fault.detail == f"Received <{message}>; expected {due}."


@BOTH
def test_allowed_lists_what_each_side_may_send(dialect: Dialect) -> None:
    for step, side in product(Step, Side):
        expected = [message for at, by, message in NEXT[dialect] if (at, by) == (step, side)]
        assert sorted(allowed(step, side, TABLES[dialect])) == sorted(expected)


@EVERY_STEP_BUT_THE_LAST
def test_only_one_side_speaks_at_a_step_ejections_apart(dialect: Dialect, step: Step) -> None:
    table = TABLES[dialect]
    speaking = [side for side in Side if set(allowed(step, side, table)) - {"ejected"}]
    assert len(speaking) == 1


@EVERY_STEP_BUT_THE_LAST
def test_player_can_be_ejected_whenever_the_conversation_is_not_over(
    dialect: Dialect, step: Step
) -> None:
    one = Conversation.of_referee(step, dialect)
    peer = Conversation(Side.PLAYER, step, dialect)
    one.send("ejected")
    assert peer.receive("ejected", b"") is None
    assert one.step is peer.step is Step.OVER


def reachable(table: Table, start: Step) -> set[Step]:
    """The steps that can come after a step without an ejection, itself included."""
    found, fresh = {start}, [start]
    while fresh:
        step = fresh.pop()
        for row in table:
            if row.step is step and row.then not in found and row.message != "ejected":
                found.add(row.then)
                fresh.append(row.then)
    return found


@BOTH
def test_every_step_can_be_reached_from_the_connection(dialect: Dialect) -> None:
    table = TABLES[dialect]
    named = {step for row in table for step in (row.step, row.then)}
    assert reachable(table, Step.CONNECTED) == named == set(STEPS[dialect])


def test_every_step_there_is_belongs_to_a_conversation() -> None:
    assert {step for steps in STEPS.values() for step in steps} == set(Step)


@EVERY_STEP
def test_every_step_can_reach_the_end_without_an_ejection(dialect: Dialect, step: Step) -> None:
    assert Step.OVER in reachable(TABLES[dialect], step)


@BOTH
def test_nothing_is_sent_after_the_end(dialect: Dialect) -> None:
    assert [row for row in TABLES[dialect] if row.step is Step.OVER] == []


def test_every_message_has_its_place_in_a_conversation() -> None:
    assert {row.message for table in TABLES.values() for row in table} == set(MESSAGES)


def converse(script: str, referee: Conversation, player: Conversation) -> None:
    """Let both ends send and receive the messages of a script, always at the same step."""
    words = script.split()
    for side, message in zip(words[::2], words[1::2], strict=True):
        speaker, hearer = (referee, player) if side == "A" else (player, referee)
        speaker.send(message)
        assert hearer.receive(message, b"") is None
        assert referee.step is player.step


def both_ends(dialect: Dialect, step: Step = Step.CONNECTED) -> tuple[Conversation, Conversation]:
    """The referee's end of a conversation, and the player's."""
    return Conversation.of_referee(step, dialect), Conversation.of_player(dialect, step)


@for_each(
    ("dialect", "turn"),
    [
        (dialect, turn)
        for dialect, turns in TURNS.items()
        for turn in turns
        if not turn.startswith("last")
    ],
)
def test_a_turn_begins_and_ends_in_waiting(dialect: Dialect, turn: str) -> None:
    referee, player = both_ends(dialect, Step.WAITING)
    converse(TURNS[dialect][turn], referee, player)
    assert player.step is Step.WAITING


@for_each(
    ("dialect", "last"),
    [
        (dialect, turn)
        for dialect, turns in TURNS.items()
        for turn in turns
        if turn.startswith("last")
    ],
)
def test_both_ends_walk_a_whole_game_side_by_side(dialect: Dialect, last: str) -> None:
    referee, player = both_ends(dialect)
    converse("P signup  A signup  A state  P void", referee, player)
    turns = [turn for turn in TURNS[dialect] if not turn.startswith("last")]
    for turn in [*turns, *reversed(turns)]:
        converse(TURNS[dialect][turn], referee, player)
        assert player.step is Step.WAITING
    converse(TURNS[dialect][last], referee, player)
    assert player.step is Step.OVER


@BOTH
def test_the_scripts_walk_every_row_of_the_table_but_ejections(dialect: Dialect) -> None:
    walked: set[Key] = set()
    signing_up = "P signup  A signup  A state  P void"
    for script in TURNS[dialect].values():
        words = f"{signing_up}  {script}".split()
        step = Step.CONNECTED
        for side, message in zip(words[::2], words[1::2], strict=True):
            key = (step, Side(side), message)
            walked.add(key)
            step = NEXT[dialect][key]
    assert walked == {key for key in NEXT[dialect] if key[2] != "ejected"}


@for_each(
    ("dialect", "script"),
    [
        (Dialect.COURSE, "A turn  P pbuy  A state"),
        (Dialect.COURSE, "A turn  P pbuy  A tile  P void  A tile"),
        (Dialect.COURSE, "A turn  P placement  A players"),
        (Dialect.COURSE, "A turn  P placement  A keep  P keep  A keep"),
        (Dialect.COURSE, "A turn  P placement  A dispose"),
        (Dialect.COURSE, "A dispose"),
        (Dialect.COURSE, "A replace"),
        (Dialect.FULL, "A replace  P replace  A state"),
        (Dialect.FULL, "A replace  P replace  A replace"),
        (Dialect.FULL, "A turn  P replace"),
        (Dialect.FULL, "A replace  P pbuy"),
        (Dialect.COURSE, "A market"),
        (Dialect.COURSE, "A turn  P dispose"),
        (Dialect.FULL, "A turn  P pbuy  A turn"),
        (Dialect.FULL, "A turn  P pbuy  A dispose"),
        (Dialect.FULL, "A turn  P placement  A state"),
        (Dialect.FULL, "A turn  P placement  A tile"),
        (Dialect.FULL, "A turn  P placement  A dispose  P void"),
        (Dialect.FULL, "A turn  P placement  A merger  P pbuy"),
        (Dialect.FULL, "A turn  P placement  A players  P order  A dispose"),
        (Dialect.FULL, "A dispose  P keep"),
        (Dialect.FULL, "A market  P dispose"),
        (Dialect.FULL, "A merger"),
        (Dialect.FULL, "A tile"),
    ],
)
def test_the_last_word_of_a_script_is_not_due(dialect: Dialect, script: str) -> None:
    referee, player = both_ends(dialect, Step.WAITING)
    *begun, side, message = script.split()
    converse(" ".join(begun), referee, player)
    speaker, hearer = (referee, player) if side == "A" else (player, referee)
    with pytest.raises(LocalProtocolError):
        speaker.send(message)
    assert hearer.receive(message, b"") is not None


def test_local_error_is_the_packages_own_exception() -> None:
    assert issubclass(LocalProtocolError, ProtocolError)


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
