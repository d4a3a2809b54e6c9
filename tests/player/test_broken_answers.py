"""What the misbehaving cast sends, what the protocol makes of it, and what it does to a socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from misbehaviour import cases

from game.board import empty_board
from game.rulebook import Rulebook
from game.rulebooks import CLASSIC, CORPORATIONS, REVISED
from game.state import position
from player.misbehaving.broken_answers import broken_answers, edited
from player.misbehaving.cast import SIGNUP, TURN, AnswerStep, Member, cast_for, steps_for
from player.misbehaving.illegal_move import Moment
from player.misbehaving.wire_faults import (
    Flood,
    HalfClose,
    RawBytes,
    Reset,
    Silence,
    SlowBytes,
    WireFault,
)
from player.program.client import connect
from protocol.conversation import Conversation
from protocol.dialect import Dialect
from protocol.faults import Fault, Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.inbox import DocumentCache, Inbox
from protocol.reading import player_reader
from protocol.writing import Writer

SPOKEN = (REVISED, CLASSIC, CORPORATIONS)
"""One rulebook for each set of words; the others speak as `classic` or `corporations` do."""
MEMORIES = {rulebook: DocumentCache(player_reader(rulebook)) for rulebook in SPOKEN}


def first_fault(rulebook: Rulebook, step: AnswerStep, chunks: Iterator[bytes]) -> Fault | None:
    """Read chunks where this step's answer is due, and on, until there is a fault."""
    conversation = Conversation.of_administrator(step.stands, Dialect.of(rulebook))
    inbox = Inbox(MEMORIES[rulebook], conversation, LIMIT_FROM_PLAYER)
    for chunk in chunks:
        heard = inbox.receive(chunk)
        if isinstance(heard, Fault):
            return heard
    return None


def misdeed_of(rulebook: Rulebook, member: Member) -> WireFault:
    """Return what a member does instead of its step's example of a right answer."""
    nowhere = position(rulebook, empty_board(rulebook), ())
    misdeed = member.act(Moment("x", None, nowhere, nowhere, member.step.answer))
    assert isinstance(misdeed, WireFault)
    return misdeed


def sent(rulebook: Rulebook, name: str) -> bytes:
    """Return the bytes that a member sends."""
    misdeed = misdeed_of(rulebook, cast_for(rulebook)[name])
    assert isinstance(misdeed, RawBytes)
    return misdeed.data


def senders(*, at_once: bool) -> list[Any]:
    """The members that send bytes; those at once at fault, or those that are so in time."""
    return [
        case
        for case in cases(SPOKEN, lambda member: member.violation is None)
        if isinstance(misdeed_of(*case.values), RawBytes)
        and at_once is (case.values[1].reason is not Reason.TIMED_OUT)
    ]


at_once = pytest.mark.parametrize(("rulebook", "member"), senders(at_once=True))
every_spoken = pytest.mark.parametrize("rulebook", SPOKEN, ids=lambda rulebook: rulebook.id)


@at_once
def test_what_is_sent_is_the_fault_that_is_expected(rulebook: Rulebook, member: Member) -> None:
    fault = first_fault(rulebook, member.step, iter([sent(rulebook, member.name)]))
    assert fault is not None and fault.reason is member.reason


@at_once
def test_the_fault_is_the_same_however_the_bytes_are_cut(
    rulebook: Rulebook, member: Member
) -> None:
    data = sent(rulebook, member.name)
    for size in (1, 2, 7, 64):
        chunks = (data[start : start + size] for start in range(0, len(data), size))
        fault = first_fault(rulebook, member.step, chunks)
        assert fault is not None and fault.reason is member.reason, size


@pytest.mark.parametrize(("rulebook", "member"), senders(at_once=False))
def test_whoever_is_to_be_late_sends_nothing_that_is_at_fault(
    rulebook: Rulebook, member: Member
) -> None:
    assert first_fault(rulebook, member.step, iter([sent(rulebook, member.name)])) is None


@every_spoken
def test_a_right_answer_is_no_fault(rulebook: Rulebook) -> None:
    write = Writer(rulebook).write
    for step in steps_for(rulebook):
        assert first_fault(rulebook, step, iter([write(step.answer)])) is None, step.name


@every_spoken
def test_what_is_right_where_something_else_is_due_is_a_message_all_the_same(
    rulebook: Rulebook,
) -> None:
    """What is said out of turn is refused for that alone: at its own step it is an answer."""
    read = MEMORIES[rulebook].read
    for name, member in cast_for(rulebook).items():
        if "-says-" in name:
            assert not isinstance(read(sent(rulebook, member.name)), Fault), name


def test_a_bomb_is_as_small_as_a_message_may_be_and_huge_when_it_goes_off() -> None:
    bomb = sent(REVISED, "turn-doctype-bomb")
    assert len(bomb) < LIMIT_FROM_PLAYER
    assert bomb.count(b"<!ENTITY") == 10 and bomb.count(b"&a8;") == 10


def test_a_message_that_is_too_long_is_so_by_one_byte_and_otherwise_right() -> None:
    too_long = sent(REVISED, "turn-too-long")
    assert len(too_long) == LIMIT_FROM_PLAYER + 1 == 4097
    assert first_fault(REVISED, TURN, iter([too_long.replace(b"  ", b" ", 1)])) is None


def test_a_message_that_is_too_deep_is_so_by_one_element() -> None:
    nesting_fault = sent(REVISED, "turn-too-deep")
    less = nesting_fault.replace(b"<a>", b"", 1).replace(b"</a>", b"", 1)
    fault = first_fault(REVISED, TURN, iter([less]))
    assert fault is not None and fault.reason is Reason.INVALID


@pytest.mark.parametrize(
    ("rulebook", "name", "said"),
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
def test_what_is_wrong_is_wrong_in_one_thing(rulebook: Rulebook, name: str, said: bytes) -> None:
    assert sent(rulebook, name) == said


def test_a_way_that_the_schema_would_take_is_none() -> None:
    answer = Writer(REVISED).write(SIGNUP.answer)
    assert edited(lambda root: root.get("name") != "x", lambda root: None)(answer) is None
    assert not [way for way in broken_answers(lambda _: False) if way.reason is Reason.INVALID and
                way.act(answer) is not None]  # fmt: skip


def test_every_edit_makes_something_else_of_an_answer_that_it_spoils() -> None:
    for rulebook in SPOKEN:
        write = Writer(rulebook).write
        for member in cast_for(rulebook).values():
            if member.reason is Reason.INVALID:
                assert sent(rulebook, member.name) != write(member.step.answer), member.name


# -- what is done to a connection ---------------------------------------------------------------


def everything(connection: socket.socket) -> bytes:
    """Read to the end."""
    received = b""
    while data := connection.recv(65536):
        received += data
    return received


@pytest.mark.parametrize(
    "misdeed", [Silence(), RawBytes(b""), HalfClose()], ids=lambda m: type(m).__name__
)
def test_some_misdeeds_say_nothing(misdeed: WireFault) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        misdeed.do(theirs)
        theirs.close()
        assert everything(ours) == b""


def test_who_goes_away_can_still_hear() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        HalfClose(b"<vo").do(theirs)
        assert everything(ours) == b"<vo"
        ours.sendall(b"why?")
        assert theirs.recv(100) == b"why?"


def test_a_dribble_ends_as_soon_as_the_administrator_speaks() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b"enough")
        SlowBytes(b"<void/>", interval=3_600).do(theirs)
        assert ours.recv(100) == b"<"


def test_a_dribble_goes_on_byte_by_byte_while_the_administrator_is_silent() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        SlowBytes(b"<void/>", interval=0).do(theirs)
        theirs.close()
        assert everything(ours) == b"<void/>"


def test_a_flood_is_as_long_as_it_is_said_to_be_and_has_no_end() -> None:
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


def test_a_flood_stops_where_the_administrator_closes() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        ours.close()
        Flood().do(theirs)


def test_who_resets_the_connection_hears_nothing_more() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        theirs = connect("127.0.0.1", listener.getsockname()[1], 0)
        ours, _ = listener.accept()
        with ours:
            with pytest.raises(ConnectionAbortedError):
                Reset().do(theirs)
            with pytest.raises(ConnectionResetError):
                ours.recv(1)
