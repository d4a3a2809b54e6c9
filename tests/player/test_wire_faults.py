"""What a wire fault does to a connection."""

import socket
import threading
from collections.abc import Iterator

import pytest
from encounters import everything
from loops import for_each

from acquire.admin.refereeing.table.clocks import REPLY_TIMEOUT
from acquire.game.board import empty_board
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from acquire.game.state import position
from acquire.player.misbehaving.cast import SIGNUP, TURN, AnswerStep, Member, cast_for, steps_for
from acquire.player.misbehaving.illegal_moves import Moment
from acquire.player.misbehaving.wire_faults import (
    Flood,
    HalfClose,
    RawBytes,
    Reset,
    SlowBytes,
    WireFault,
    broken_answers,
    edited,
)
from acquire.player.program.client import connect
from acquire.protocol.conversation import Conversation, Side
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from acquire.protocol.inbox import DocumentCache, Inbox
from acquire.protocol.reading import player_reader
from acquire.protocol.writing import Writer


@pytest.mark.parametrize(
    "fault", [RawBytes(b""), HalfClose()], ids=lambda fault: type(fault).__name__
)
def test_some_faults_send_nothing(fault: WireFault) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        fault.do(theirs)
        theirs.close()
        assert everything(ours) == b""


def test_player_that_closes_its_side_can_still_receive() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        HalfClose(b"<vo").do(theirs)
        assert everything(ours) == b"<vo"
        ours.sendall(b"why?")
        assert theirs.recv(100) == b"why?"


def test_slow_bytes_come_several_times_within_a_clock() -> None:
    """Otherwise a clock that every byte restarts would run out, too."""
    assert SlowBytes(b"").interval <= REPLY_TIMEOUT / 3


def test_slow_bytes_end_when_the_referee_sends_something() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b"enough")
        SlowBytes(b"<void/>", interval=3_600).do(theirs)
        assert ours.recv(100) == b"<"


def test_slow_bytes_go_on_while_the_referee_is_silent() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        SlowBytes(b"<void/>", interval=0).do(theirs)
        theirs.close()
        assert everything(ours) == b"<void/>"


def test_flood_has_the_given_length_and_no_end() -> None:
    ours, theirs = socket.socketpair()
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(everything(ours)))
    with ours, theirs:
        reader.start()
        Flood(1_000_000).do(theirs)
        theirs.close()
        reader.join()
    assert 900_000 < len(received[0]) < 1_000_100
    assert received[0].startswith(b"<void ") and b">" not in received[0]


def test_flood_stops_when_the_referee_closes() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        ours.close()
        Flood().do(theirs)


def test_player_that_resets_the_connection_receives_nothing_more() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = connect("127.0.0.1", listener.getsockname()[1], 0)
        ours, _ = listener.accept()
        with ours:
            with pytest.raises(ConnectionAbortedError):
                Reset().do(theirs)
            with pytest.raises(ConnectionResetError):
                ours.recv(1)


# -- broken answers: what is sent, and what the protocol makes of it -------------------------------

SPOKEN = (REVISED, CLASSIC, CORPORATIONS)
"""One rulebook for each schema; the others have those of `classic` or `corporations`."""
MEMORIES = {rulebook: DocumentCache(player_reader(rulebook)) for rulebook in SPOKEN}


def first_fault(rulebook: Rulebook, step: AnswerStep, chunks: Iterator[bytes]) -> Fault | None:
    """Read chunks where this step's answer is expected, until there is a fault."""
    conversation = Conversation(Side.REFEREE, step.stands, Dialect.of(rulebook))
    inbox = Inbox(MEMORIES[rulebook], conversation, LIMIT_FROM_PLAYER)
    for chunk in chunks:
        message = inbox.receive(chunk)
        if isinstance(message, Fault):
            return message
    return None


def fault_of(rulebook: Rulebook, member: Member) -> WireFault:
    """Return what a member does instead of its step's example of a correct answer."""
    nowhere = position(rulebook, empty_board(rulebook), ())
    fault = member.act(Moment("x", None, nowhere, nowhere, member.step.answer))
    assert isinstance(fault, WireFault)
    return fault


def sent(rulebook: Rulebook, name: str) -> bytes:
    """Return the bytes that a member sends."""
    fault = fault_of(rulebook, cast_for(rulebook)[name])
    assert isinstance(fault, RawBytes)
    return fault.data


def senders(rulebook: Rulebook, step: AnswerStep) -> dict[Member, bytes]:
    """The members of a step that send bytes, and these."""
    members = [m for m in cast_for(rulebook).values() if m.step == step and m.violation is None]
    faults = {member: fault_of(rulebook, member) for member in members}
    found = {member: fault.data for member, fault in faults.items() if isinstance(fault, RawBytes)}
    assert found
    return found


every_step = for_each(
    ("rulebook", "step"),
    [
        pytest.param(rulebook, step, id=f"{rulebook.id}-{step.name}")
        for rulebook in SPOKEN
        for step in steps_for(rulebook)
    ],
)

every_spoken = pytest.mark.parametrize("rulebook", SPOKEN, ids=lambda rulebook: rulebook.id)


@every_step
def test_what_is_sent_is_the_expected_fault_however_the_bytes_are_cut(
    rulebook: Rulebook, step: AnswerStep
) -> None:
    for member, data in senders(rulebook, step).items():
        for size in (1, 7, LIMIT_FROM_PLAYER + 1):
            chunks = (data[start : start + size] for start in range(0, len(data), size))
            fault = first_fault(rulebook, step, chunks)
            reason = Reason.TIMED_OUT if fault is None else fault.reason
            assert reason is member.reason, (member.name, size)


@every_spoken
def test_correct_answer_is_not_a_fault(rulebook: Rulebook) -> None:
    write = Writer(rulebook).write
    for step in steps_for(rulebook):
        assert first_fault(rulebook, step, iter([write(step.answer)])) is None, step.name


@every_spoken
def test_message_that_is_out_of_turn_is_valid_elsewhere(rulebook: Rulebook) -> None:
    """It is refused only because it is out of turn: at its own step it is an answer."""
    read = MEMORIES[rulebook].read
    for name, member in cast_for(rulebook).items():
        if "-says-" in name:
            assert not isinstance(read(sent(rulebook, member.name)), Fault), name


def test_billion_laughs_fit_in_a_message() -> None:
    bomb = sent(REVISED, "turn-doctype-bomb")
    assert len(bomb) < LIMIT_FROM_PLAYER
    assert bomb.count(b"<!ENTITY") == 10 and bomb.count(b"&a8;") == 10


def test_message_that_is_too_long_is_one_byte_too_long_and_otherwise_correct() -> None:
    too_long = sent(REVISED, "turn-too-long")
    assert len(too_long) == LIMIT_FROM_PLAYER + 1 == 4097
    assert first_fault(REVISED, TURN, iter([too_long.replace(b"  ", b" ", 1)])) is None


def test_message_that_is_too_deep_is_one_element_too_deep() -> None:
    nesting_fault = sent(REVISED, "turn-too-deep")
    less = nesting_fault.replace(b"<a>", b"", 1).replace(b"</a>", b"", 1)
    fault = first_fault(REVISED, TURN, iter([less]))
    assert fault is not None and fault.reason is Reason.INVALID


@for_each(
    ("rulebook", "name", "expected"),
    [
        (
            CLASSIC,
            "turn-end-first",
            b'<pbuy><placement><tile column="1" row="A"/><hotel label="American"/></placement>'
            b'<order><end/><hotel label="American"/><hotel label="American"/></order></pbuy>',
        ),
        (CLASSIC, "dispose-sells-minus-1", b'<dispose sell="-1" trade="0"/>'),
        (CLASSIC, "dispose-trades-26", b'<dispose sell="0" trade="26"/>'),
        (CLASSIC, "dispose-missing-attribute", b'<dispose trade="0"/>'),
        (
            CLASSIC,
            "merger-row-j",
            b'<placement><tile column="1" row="J"/><hotel label="American"/>'
            b'<hotel label="Continental"/><hotel label="Festival"/></placement>',
        ),
        (
            REVISED,
            "turn-no-order",
            b'<pbuy><placement><tile column="1" row="A"/><hotel label="American"/></placement>'
            b"</pbuy>",
        ),
        (
            REVISED,
            "order-four-certificates",
            b"<order>" + 4 * b'<hotel label="Sackson"/>' + b"</order>",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_broken_answer_differs_in_one_thing(rulebook: Rulebook, name: str, expected: bytes) -> None:
    assert sent(rulebook, name) == expected


def test_edit_that_the_schema_accepts_gives_nothing() -> None:
    answer = Writer(REVISED).write(SIGNUP.answer)
    assert edited(lambda root: root.get("name") != "x", lambda root: None)(answer) is None
    assert not [way for way in broken_answers(lambda _: False) if way.reason is Reason.INVALID and
                way.act(answer) is not None]  # fmt: skip


def test_edit_changes_the_answer_that_it_breaks() -> None:
    for rulebook in SPOKEN:
        write = Writer(rulebook).write
        for member in cast_for(rulebook).values():
            if member.reason is Reason.INVALID:
                assert sent(rulebook, member.name) != write(member.step.answer), member.name
