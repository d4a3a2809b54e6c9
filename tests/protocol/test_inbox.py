"""What comes in on one connection: one awaited message, a fault, or nothing yet."""

import os
from collections.abc import Iterable, Sequence

import pytest
from cuts import by_bytes, cut, every_way
from hypothesis import example, given, settings
from hypothesis import strategies as st
from loops import for_each
from lxml import etree
from xml_documents import INVALID, MALFORMED, PLACES, SPELLINGS, VOID, splintered

from acquire.game.placement import Placement
from acquire.game.rulebooks import REVISED
from acquire.game.tiles import parse_tile
from acquire.protocol import messages
from acquire.protocol.conversation import Conversation, Side, Step
from acquire.protocol.faults import Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER, LIMIT_FROM_REFEREE
from acquire.protocol.inbox import MAX_CACHED_BYTES, MAX_CACHED_DOCUMENTS, DocumentCache, Inbox
from acquire.protocol.messages import PlayerMessage, RefereeMessage
from acquire.protocol.reading import player_reader, referee_reader

PLAYERS_SIDE = player_reader(REVISED)
REFEREES_SIDE = referee_reader(REVISED)

STEP_OF: dict[type[PlayerMessage], Step] = {
    messages.SignUp: Step.CONNECTED,
    messages.Void: Step.INFORMED,
    messages.Merge: Step.MOVING,
    messages.Pbuy: Step.MOVING,
    messages.KeepAnswer: Step.KEEPING,
    messages.Order: Step.ORDERING,
}
"""Where the conversation stands when the referee waits for such a message."""

EVERY_SPELLING = for_each(("data", "message"), SPELLINGS.items())

EVERY_MALFORMED = {
    **MALFORMED,
    # which the framer does not find
    "undeclared-prefix": b"<a:void/>",
    "undeclared-prefix-of-an-attribute": b'<signup a:name="b"/>',
    "two-colons": b"<void::a/>",
    "another-version-of-xml": b'<?xml version="2.0"?><void/>',
    # too deep, though the whole is well-formed
    "too-deep": b"<void>" * 17 + b"</void>" * 17,
    "far-too-deep": b"<a>" * 600,
}


def inbox(step: Step = Step.INFORMED) -> Inbox[PlayerMessage]:
    """The referee's inbox of one player, at a step of the conversation."""
    return Inbox(DocumentCache(PLAYERS_SIDE), Conversation(Side.REFEREE, step), LIMIT_FROM_PLAYER)


def first(chunks: Iterable[bytes], step: Step = Step.INFORMED) -> PlayerMessage | Fault | None:
    """The first message or fault that comes in, a fault without its bytes; ``None`` for neither."""
    box = inbox(step)
    for chunk in chunks:
        received = box.receive(chunk)
        if isinstance(received, Fault):
            return received._replace(data=b"")
        if received is not None:
            return received
    return None


# -- messages -----------------------------------------------------------------------------------


@EVERY_SPELLING
def test_message_is_read_however_it_is_spelt_and_cut(data: bytes, message: PlayerMessage) -> None:
    for chunks in [*every_way(data), *every_way(b" \t\r\n " + data + b"\n\n")]:
        assert first(chunks, STEP_OF[type(message)]) == message


@EVERY_SPELLING
def test_message_is_read_a_second_time_in_another_cut(data: bytes, message: PlayerMessage) -> None:
    memory = DocumentCache(PLAYERS_SIDE)
    for chunks in ([data], [data], by_bytes(data), [data]):
        conversation = Conversation(Side.REFEREE, STEP_OF[type(message)])
        box = Inbox(memory, conversation, LIMIT_FROM_PLAYER)
        assert [found for found in map(box.receive, chunks) if found is not None] == [message]


def test_conversation_goes_on_with_each_message() -> None:
    conversation = Conversation(Side.REFEREE, Step.INFORMED)
    box = Inbox(DocumentCache(PLAYERS_SIDE), conversation, LIMIT_FROM_PLAYER)
    assert box.receive(b"<void/>") == VOID
    conversation.send("turn")
    steps = []
    for byte in by_bytes(b'<pbuy><placement><tile column="6" row="E"/></placement><order/></pbuy'):
        assert box.receive(byte) is None
        steps.append(conversation.step)
    assert set(steps) == {Step.MOVING}
    assert box.receive(b">") == messages.Pbuy(Placement(parse_tile("6E")), ())
    assert conversation.step is Step.MOVED


def test_pending_are_the_bytes_of_a_message_under_way() -> None:
    box = inbox()
    assert box.receive(b"\n<vo") is None
    assert box.pending == b"<vo"
    assert box.receive(b"id") is None
    assert box.pending == b"<void"
    assert box.receive(b"/>\n") == VOID
    assert box.pending == b""


# -- faults -------------------------------------------------------------------------------------


@for_each("data", EVERY_MALFORMED.values(), ids=EVERY_MALFORMED)
def test_what_cannot_be_read_is_malformed_however_it_is_cut(data: bytes) -> None:
    fault = first([data])
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.MALFORMED
    for chunks in every_way(data):
        assert first(chunks) == fault


@for_each("data", INVALID)
def test_what_the_schema_refuses_is_invalid_however_it_is_cut(data: bytes) -> None:
    fault = first([data])
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.INVALID
    is_void = b"<void" in data
    assert fault.detail.endswith(" Expected <void>.") is not is_void
    for chunks in every_way(data):
        assert first(chunks) == fault


def test_what_was_not_due_is_out_of_turn_however_it_is_cut() -> None:
    for chunks in every_way(b'\n<order><hotel label="Tower"/></order>\n'):
        assert first(chunks) == Fault(Reason.OUT_OF_TURN, "Received <order>; expected <void>.")


@pytest.mark.parametrize(
    "data", [b"<order/>", b"<nothing/>", b"<void></vold>"], ids=["out-of-turn", "invalid", "broken"]
)
def test_fault_has_all_bytes_of_the_message_however_it_is_cut(data: bytes) -> None:
    for chunks in every_way(data):
        (fault,) = [found for found in map(inbox().receive, chunks) if found is not None]
        assert isinstance(fault, Fault)
        assert fault.data == data


def test_conversation_stays_where_it_is_at_a_fault() -> None:
    for data in (b"<order/>", b"<nothing/>", b"<void></vold>", b"<void/><void/>"):
        conversation = Conversation(Side.REFEREE, Step.INFORMED)
        box = Inbox(DocumentCache(PLAYERS_SIDE), conversation, LIMIT_FROM_PLAYER)
        assert isinstance(box.receive(data), Fault)
        assert conversation.step is Step.INFORMED


def is_surplus(received: PlayerMessage | Fault | None) -> bool:
    """Whether more was received than the one expected message."""
    return (
        isinstance(received, Fault)
        and received.reason is Reason.OUT_OF_TURN
        and "followed: send one message" in received.detail
    )


@for_each(
    "behind",
    [b"<void/>", b"\n<void/>", b"<", b"text", b"</", b"</void>", b"<!-- -->", b"<?pi?>", b"\0"],
)
@for_each("message", [b"<void/>", b"<void></void>", b"<nothing/>"])
def test_more_than_the_message_due_is_out_of_turn(message: bytes, behind: bytes) -> None:
    for place in range(len(message)):
        assert is_surplus(first(cut(message + behind, [place])))


def test_surplus_is_reported_with_what_was_expected_and_received() -> None:
    fault = inbox().receive(b" <void/> <order/><vo")
    assert isinstance(fault, Fault)
    assert fault.data == b"<void/><order/><vo"
    assert fault.detail.startswith("Expected only <void>, but '<order/><vo' followed: ")


def test_message_sent_ahead_that_comes_later_is_out_of_turn() -> None:
    box = inbox()
    assert box.receive(b"<void/>") == VOID
    fault = box.receive(b"<void/>")
    assert fault == Fault(Reason.OUT_OF_TURN, "Received <void>; expected nothing.", b"<void/>")


@pytest.mark.parametrize("behind", [b"<void/>" * 1000, b"a" * 5000, b"<a>" + b" " * 5000])
def test_who_speaks_ahead_at_length_is_out_of_turn(behind: bytes) -> None:
    assert is_surplus(first([b"<void/>" + behind]))
    assert is_surplus(first([b"<vo", b"id/>" + behind]))


# -- limits -------------------------------------------------------------------------------------

COMMENT = b"<void><!--%s--></void>"
AROUND = len(COMMENT) - 2


@for_each("places", [[], [1], [4090], range(5000)], ids=lambda places: str(places[:3]))
def test_message_may_be_as_long_as_the_limit(places: Sequence[int]) -> None:
    assert first(cut(COMMENT % (b"a" * (4096 - AROUND)), places)) == VOID
    too_long = Fault(Reason.MALFORMED, "The message exceeds 4096 bytes.")
    for stream in (COMMENT % (b"a" * (4097 - AROUND)), b" " * 4090 + b"<void/>"):
        assert first(cut(stream, places)) == too_long


def test_white_space_before_a_message_counts_though_such_a_message_is_known() -> None:
    memory = DocumentCache(PLAYERS_SIDE)
    conversation = Conversation(Side.REFEREE, Step.INFORMED)
    assert Inbox(memory, conversation, 100).receive(b"<void/>") == VOID
    box = Inbox(memory, Conversation(Side.REFEREE, Step.INFORMED), 100)
    assert box.receive(b" " * 94) is None
    fault = box.receive(b"<void/>")
    assert isinstance(fault, Fault)
    assert fault.reason is Reason.MALFORMED


# -- the other side -----------------------------------------------------------------------------

NEW_TILE = b'<tile column="1" row="A"/>'
EJECTED = b'<ejected reason="illegal">No.</ejected>'


def players_inbox(step: Step) -> Inbox[RefereeMessage]:
    """A player's inbox, in which an ejection may come behind another message."""
    conversation = Conversation(Side.PLAYER)
    conversation.step = step
    return Inbox(
        DocumentCache(REFEREES_SIDE), conversation, LIMIT_FROM_REFEREE, one_at_a_time=False
    )


def all_of(chunks: Iterable[bytes], step: Step) -> list[RefereeMessage | Fault]:
    """All that a player hears, the next message asked for whenever there was one."""
    box = players_inbox(step)
    found: list[RefereeMessage | Fault] = []
    for chunk in chunks:
        received = box.receive(chunk)
        while received is not None:
            if isinstance(received, Fault):
                return [*found, received._replace(data=b"")]
            found.append(received)
            received = box.receive(b"")
    return found


def test_player_hears_an_ejection_behind_another_message_however_they_are_cut() -> None:
    for chunks in every_way(NEW_TILE + b"\n" + EJECTED + b"\n"):
        assert all_of(chunks, Step.MOVED) == [
            messages.NewTile(0),
            messages.Ejected("illegal", "No."),
        ]


def test_players_inbox_takes_more_bytes_after_the_first_of_two_messages() -> None:
    box = players_inbox(Step.MOVED)
    assert box.receive(NEW_TILE + EJECTED[:10]) == messages.NewTile(0)
    assert box.receive(b"") is None
    assert box.receive(EJECTED[10:]) == messages.Ejected("illegal", "No.")


def test_what_stands_behind_a_message_may_be_out_of_turn_for_the_player() -> None:
    for chunks in every_way(NEW_TILE + NEW_TILE):
        assert all_of(chunks, Step.MOVED) == [
            messages.NewTile(0),
            Fault(Reason.OUT_OF_TURN, "Received <tile>; expected <ejected>."),
        ]


# -- memory -------------------------------------------------------------------------------------


def test_same_bytes_are_read_once() -> None:
    memory = DocumentCache(PLAYERS_SIDE)
    boxes = [
        Inbox(memory, Conversation(Side.REFEREE, Step.INFORMED), LIMIT_FROM_PLAYER)
        for _ in range(2)
    ]
    one, other = (box.receive(b"<void></void>") for box in boxes)
    assert one is other


def test_faults_are_not_remembered() -> None:
    memory = DocumentCache(PLAYERS_SIDE)
    for data in (b"<nothing/>", b"<void></vold>", b"<void/><void/>"):
        box = Inbox(memory, Conversation(Side.REFEREE, Step.INFORMED), LIMIT_FROM_PLAYER)
        assert isinstance(box.receive(data), Fault)
    assert memory.messages == {}


@pytest.mark.skipif("ACQUIRE_COMPILED" in os.environ, reason="compiled classes have no subclass")
def test_invalid_message_in_one_piece_is_explained_once() -> None:
    explained = []

    class CountingCache(DocumentCache[PlayerMessage]):
        def convert(self, root: etree._Element, document: bytes) -> PlayerMessage | Fault:
            explained.append(document)
            return super().convert(root, document)

    cache = CountingCache(PLAYERS_SIDE)
    box = Inbox(cache, Conversation(Side.REFEREE, Step.INFORMED), LIMIT_FROM_PLAYER)
    assert isinstance(box.receive(b"<nothing/>"), Fault)
    assert explained == [b"<nothing/>"]


def test_message_that_was_known_is_still_to_be_due() -> None:
    memory = DocumentCache(PLAYERS_SIDE)
    for step, expected in [(Step.ORDERING, messages.Order), (Step.INFORMED, Fault)]:
        box = Inbox(memory, Conversation(Side.REFEREE, step), LIMIT_FROM_PLAYER)
        assert isinstance(box.receive(b"<order/>"), expected)


def test_memory_is_bounded() -> None:
    memory = DocumentCache(PLAYERS_SIDE)
    for number in range(MAX_CACHED_DOCUMENTS + 10):
        assert memory.read(b'<signup name="%d"/>' % number) == messages.SignUp(str(number))
        assert len(memory.messages) <= MAX_CACHED_DOCUMENTS
    assert memory.messages
    long = COMMENT % (b"a" * MAX_CACHED_BYTES)
    assert memory.read(long) == VOID
    assert long not in memory.messages


# -- any stream, any cuts -----------------------------------------------------------------------

STEPS = st.sampled_from([step for step in Step if step is not Step.OVER])
PIECES = [
    *SPELLINGS,
    *(data for data in EVERY_MALFORMED.values() if len(data) < 100),
    *INVALID,
    b"<order/>", b"<keep><true/><false/></keep>", b"", b" ", b"\n\n",
]  # fmt: skip
OURS = [
    NEW_TILE, EJECTED, b'<signup name="a"/>', b"\n<keep><hotel label='Tower'>\n</hotel></keep>\n",
    b'<state><board/><player name="a" cash="0"/></state>', b"<void/>",
]  # fmt: skip


def streams(pieces: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Messages one after another, of which a few bytes may be others."""
    return splintered(st.lists(st.sampled_from(pieces), max_size=3).map(b"".join))


@settings(deadline=None)
@given(stream=streams(PIECES), step=STEPS, places=PLACES)
@example(stream=b"<void/><?pi?>", step=Step.INFORMED, places=[1])
@example(stream=b"<void/></", step=Step.INFORMED, places=[1])
@example(stream=b"<void>< ", step=Step.INFORMED, places=[6])
def test_what_comes_in_does_not_depend_on_the_cuts(
    stream: bytes, step: Step, places: list[int]
) -> None:
    whole = first([stream], step)
    for chunks in (cut(stream, places), by_bytes(stream)):
        received = first(chunks, step)
        if is_surplus(whole):  # which is known only once the later bytes have arrived
            prefixes = [first([stream[:end]], step) for end in range(len(stream))]
            alone = [found for found in prefixes if found is not None and not is_surplus(found)]
            assert is_surplus(received) or received in alone
        else:
            assert received == whole


@settings(deadline=None)
@given(stream=streams(PIECES), step=STEPS, places=PLACES, limit=st.sampled_from([20, 64, 4096]))
@example(stream=b" " * 30, step=Step.INFORMED, places=[9], limit=20)
@example(stream=b" " * 18 + b"<void/>", step=Step.INFORMED, places=[], limit=20)
@example(stream=b"\n<void>  </void><void/>", step=Step.INFORMED, places=[], limit=20)
def test_bytes_of_a_fault_give_the_same_fault_again(
    stream: bytes, step: Step, places: list[int], limit: int
) -> None:
    def inbox() -> Inbox[PlayerMessage]:
        conversation = Conversation(Side.REFEREE, step)
        return Inbox(DocumentCache(PLAYERS_SIDE), conversation, limit)

    receiving = inbox()
    for chunk in cut(stream, places):
        received = receiving.receive(chunk)
        if isinstance(received, Fault):
            assert len(received.data) <= limit + 1
            again = inbox().receive(received.data)
            assert isinstance(again, Fault) and again.reason is received.reason
        if received is not None:
            break


@settings(deadline=None)
@given(stream=streams(OURS), step=STEPS, places=PLACES)
def test_what_a_player_hears_does_not_depend_on_the_cuts(
    stream: bytes, step: Step, places: list[int]
) -> None:
    whole = all_of([stream], step)
    assert all_of(cut(stream, places), step) == whole
    assert all_of(by_bytes(stream), step) == whole
