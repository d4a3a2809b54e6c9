"""What was sent shows the mistake behind it: one row for each mistake that is recognised.

The bytes go through the inbox that the table uses, at a step of the conversation; the illegal moves
through the referee's own rules.
"""

import random
import re
import time
from collections.abc import Callable, Sequence

import pytest
from loops import for_each
from lxml import etree

from acquire.admin.refereeing.diagnosis.diagnose import of_fault, of_move
from acquire.admin.refereeing.log.recorder import Recorder
from acquire.admin.refereeing.play import events
from acquire.game.notation import parse_position
from acquire.game.placement import Kind, Placement, kind_of, place, verify_placement
from acquire.game.purchase import verify_order
from acquire.game.rulebook import Rulebook
from acquire.game.rulebooks import CLASSIC, REVISED
from acquire.game.state import State
from acquire.game.tiles import parse_tile
from acquire.game.violation import Violation
from acquire.player.strategies.simple import Ordered
from acquire.protocol import messages
from acquire.protocol.conversation import Conversation, Side, Step
from acquire.protocol.dialect import Dialect
from acquire.protocol.faults import Circumstance, Fault, Reason
from acquire.protocol.framing import LIMIT_FROM_PLAYER
from acquire.protocol.inbox import DocumentCache, Inbox
from acquire.protocol.messages import TAGS, PlayerMessage, RefereeMessage
from acquire.protocol.reading import player_reader
from acquire.protocol.writing import attribute
from check.rehearsal import case_of, rehearse

STEPS = {
    "signup": Step.CONNECTED,
    "turn": Step.MOVING,
    "state": Step.INFORMED,
    "keep": Step.MOVER_KEEPING,
    "players": Step.ORDERING,
}
CACHES = {rulebook: DocumentCache(player_reader(rulebook)) for rulebook in (REVISED, CLASSIC)}


def received(data: bytes, question: str, rulebook: Rulebook = REVISED) -> Fault:
    """The fault in these bytes, as the table finds it; a time-out if they are no whole message."""
    conversation = Conversation(Side.REFEREE, STEPS[question], Dialect.of(rulebook))
    inbox = Inbox(CACHES[rulebook], conversation, LIMIT_FROM_PLAYER)
    found = inbox.receive(data)
    if found is None:
        return Fault(Reason.TIMED_OUT, "It was late.", inbox.pending)
    assert isinstance(found, Fault), f"{data!r} is no fault"
    return found


def hint_on_fault(fault: Fault, question: str, *, first: bool = False) -> str:
    return str(of_fault(fault, question, first=first) or "")


def first_sentence(hint: str) -> str:
    return re.split(r"(?<=[.!?])\s", hint, maxsplit=1)[0]


PLACE = b'<placement><tile column="2" row="B"/></placement>'
ORDER = b'<order><hotel label="%s"/></order>'
SENT = [
    # -- bytes that are no XML
    (b"\xff\xfe<\0v\0o\0i\0d\0/\0>\0", "state", "UTF-16"),
    (b"\0<\0v\0o\0i\0d\0/\0>", "state", "UTF-16"),
    (b"<\0v\0o\0i\0d\0/\0>\0", "state", "UTF-16"),
    (b"<void/>\0", "state", "A zero byte was sent after a message"),
    (b"\0", "state", "A zero byte was sent after a message"),
    (b"\0<void/>", "state", "A zero byte was sent after a message"),
    (b"\0\0\0\x07<void/>", "state", "length is sent before the message: 7, in binary"),
    (b"\x07\0\0\0<void/>", "state", "length is sent before the message: 7, in binary"),
    (b"\0\x07<void/>", "state", "length is sent before the message: 7, in binary"),
    (b"\0\0\0\x07", "state", "length is sent before the message: 7, in binary"),
    (b"\0\0\0\x0b<void/>", "state", "length is sent before the message: in binary"),
    (b"7<void/>", "state", "length is sent before the message: 7"),
    (b"7\n<void/>", "state", "length is sent before the message: 7"),
    (b"7", "state", "length is sent before the message: 7"),
    (b"7:<void/>,", "state", "length is sent before the message: 7"),
    (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "signup", "sent HTTP"),
    (b"Content-Length: 7\r\n\r\n<void/>", "state", "header, Content-Length,"),
    (b"\x16\x03\x01\x02\0\x01\0", "signup", "began TLS"),
    (b'{"void": null}', "state", "JSON"),
    (b"b'<void/>'", "state", "as Python prints bytes"),
    (b'"<void/>"', "state", "within quotes"),
    (b"\x80\x04\x95\x0b\0\0\0", "state", "serialised object"),
    (b"&lt;void/&gt;", "state", "escaped"),
    (b"[object Object]", "state", "An object was sent as it is printed"),
    (b"<Element 'void' at 0x7f10>", "state", "An object was sent as it is printed"),
    (b"<__main__.Order object at 0x7f10>", "state", "An object was sent as it is printed"),
    (b"Void@1b6d3586", "state", "An object was sent as it is printed"),
    (b"void", "state", "plain text, 'void'"),
    (b"DEBUG: state <void/>", "state", r"text before the message: 'DEBUG: state '"),
    # -- XML that is not well-formed, or has no end
    (b"<!DOCTYPE void><void/>", "state", "DOCTYPE"),
    (b"<!-- x --><?xml version='1.0'?><void/>", "state", "XML declaration .* not the first"),
    (b'<signup name="Zo\xeb"/>', "signup", "not in UTF-8: the byte 0xEB is '\xeb' in Latin-1"),
    (b"<keep><true></keep>", "keep", "<true> is not closed before </keep>"),
    (b"<void></Void>", "state", "<void> is closed by </Void>, with other capitals"),
    (b"<tile column=1 row='B'/>", "turn", "attribute 'column' is not in quotes"),
    (b'<signup name="a & b"/>', "signup", "unescaped &"),
    (b'<signup name="a"b"/>', "signup", "quote inside the value"),
    ("<signup name=“ann”/>".encode(), "signup", "typographic quotes"),
    (b"<pbuy>" + PLACE + b"<order/>", "turn", "<pbuy> is never closed"),
    (b"<pbuy>" + PLACE[:30], "turn", "breaks off at '<tile column"),
    (b"<?xml version='1.0'?>", "state", "No element arrived"),
    # -- messages at a wrong moment
    (b"<void/>", "signup", "first message was <void/>, but a player begins with <signup>"),
    (b"<void/>", "turn", "<void/> was sent when it was not due"),
    (b"<order/>", "turn", "order was sent alone in answer to <turn>"),
    (b"<keep><true/></keep>", "players", "<keep> does not answer <players>"),
    (b"<pbuy>" + PLACE + b"<order/></pbuy>", "players", "<pbuy> was sent after a merger"),
    (b'<signup name="ann"/>', "state", "signed up again instead of answering <state>"),
    (b"<void/><void/>", "state", "<void/> was sent twice"),
    (b"<void/><pbuy>" + PLACE + b"<order/></pbuy>", "turn", "<void/> was sent when it was not"),
    (b"<void/><order/>", "state", "Two messages were sent for one"),
    (PLACE + b"<order/>", "turn", "placement and the order were sent one after the other"),
]


@pytest.mark.parametrize(("data", "question", "cause"), SENT)
def test_mistake_is_recognised_in_what_was_sent(data: bytes, question: str, cause: str) -> None:
    fault = received(data, question)
    told = hint_on_fault(fault, question) or fault.detail
    assert re.search(cause, first_sentence(told)), told
    assert told.endswith(".") and told != first_sentence(told), "it says what to do as well"


def test_white_space_before_a_message_is_no_text() -> None:
    fault = received(b" " * 4096 + b"<void/>", "state")
    assert "exceeds 4096 bytes" in fault.detail
    assert "text before" not in (hint_on_fault(fault, "state") or "")


def test_silence_is_explained_by_the_question() -> None:
    late = Fault(Reason.TIMED_OUT, "It was late.")
    sign_up = first_sentence(hint_on_fault(late, "signup"))
    assert "output buffer" in sign_up and "or the program still loads something" in sign_up
    hint = hint_on_fault(late, "tile")
    assert "in answer to <tile>: it took too long, or the program waits" in first_sentence(hint)
    assert "<void/>" in hint


@for_each(
    ("first", "cause"), [(True, "still loads something"), (False, "a search without a limit")]
)
def test_program_that_computes_may_still_load_at_its_first_answer(
    *, first: bool, cause: str
) -> None:
    computing = Fault(Reason.TIMED_OUT, "", circumstance=Circumstance.COMPUTING)
    assert cause in first_sentence(hint_on_fault(computing, "state", first=first))


def test_question_that_was_not_read_is_explained() -> None:
    unread = Fault(Reason.TIMED_OUT, "", circumstance=Circumstance.UNREAD)
    assert "does not read" in first_sentence(hint_on_fault(unread, "state"))


def test_message_that_was_not_asked_for_is_explained() -> None:
    unasked = Fault(Reason.OUT_OF_TURN, "", b"<order/>", circumstance=Circumstance.UNASKED)
    after_sign_up = hint_on_fault(unasked, "state", first=True)
    assert "after the answer to the sign-up" in first_sentence(after_sign_up)
    assert "after its question's answer" in first_sentence(hint_on_fault(unasked, "state"))
    again = unasked._replace(data=b'<signup name="ann"/>')
    assert hint_on_fault(again, "state").startswith("The player signed up a second time.")


@for_each("reason", [Reason.DISCONNECTED, Reason.NO_SEAT, Reason.INTERRUPTED])
def test_nothing_is_guessed_where_nothing_was_sent(reason: Reason) -> None:
    assert hint_on_fault(Fault(reason, "Gone."), "turn") == ""


def test_any_bytes_have_a_hint_or_none() -> None:
    """No bytes make reading or diagnosis fail, for they run in the referee's process."""
    source = random.Random(2013)
    whole = [data for data, _, _ in SENT]
    for _ in range(1_000):
        data = bytearray(source.choice(whole) + source.choice([b"", *whole]))
        for _ in range(source.randrange(6)):
            data[source.randrange(len(data))] = source.randrange(256)
            place = source.randrange(len(data))
            data[place:place] = source.choice([b"", b':\txmlns="a"', b"</\1>"])
        inbox = Inbox(CACHES[REVISED], Conversation(Side.REFEREE), LIMIT_FROM_PLAYER)
        found = inbox.receive(bytes(data))
        if isinstance(found, Fault):
            assert_log_can_have(f"{found} {hint_on_fault(found, 'signup')}")
        for reason in (Reason.MALFORMED, Reason.INVALID, Reason.OUT_OF_TURN, Reason.TIMED_OUT):
            fault = Fault(reason, "", bytes(data))
            hint = hint_on_fault(fault, source.choice([*STEPS, "tile", ""]))
            assert "\n" not in hint
            assert_log_can_have(hint)


@for_each("begin", [b"", b"<", b"</", b"<x ", b'<x a="', b"<?xml ", b"&", b"A: ", b"&lt;"])
def test_long_nonsense_takes_time_in_proportion_to_its_length(begin: bytes) -> None:
    """Anyone at the door could stop all games with a few messages that took half a second each."""
    units = (
        b"a",
        b"1",
        b"a-",
        b"a=",
        b"a='",
        b"<a ",
        b"<a>",
        b"</",
        b"&",
        b" ",
        b'"',
        b".@",
        b"\0",
    )
    for unit in units:
        short, long = (
            min(cost_of(begin + unit * (length // len(unit))) for _ in range(3))
            for length in (LIMIT_FROM_PLAYER // 8, LIMIT_FROM_PLAYER)
        )
        assert long <= 24 * short + 0.002, (begin, unit, short, long)


def cost_of(data: bytes) -> float:
    """Return the CPU seconds from receiving bytes to the hints on them, for whatever reason."""
    began = time.process_time()
    inbox = Inbox(CACHES[REVISED], Conversation(Side.REFEREE), LIMIT_FROM_PLAYER)
    inbox.receive(data)
    for reason in (Reason.MALFORMED, Reason.INVALID, Reason.OUT_OF_TURN, Reason.TIMED_OUT):
        hint_on_fault(Fault(reason, "", data), "turn")
    return time.process_time() - began


def assert_log_can_have(text: str) -> None:
    etree.fromstring(f"<ejected detail={attribute(text)}/>")


# -- illegal moves ------------------------------------------------------------------------------


def pbuy(tile: str, hotel: str = "", *order: str) -> messages.Pbuy:
    named = REVISED.hotel_index(hotel) if hotel else None
    placed = Placement(parse_tile(tile), named)
    return messages.Pbuy(placed, tuple(map(REVISED.hotel_index, order)))


def merge(tile: str, hotel: str = "") -> messages.Merge:
    named = REVISED.hotel_index(hotel) if hotel else None
    return messages.Merge(Placement(parse_tile(tile), named))


def violation_of(state: State, answer: PlayerMessage) -> Violation:
    """The rule that an answer to ``turn`` breaks."""
    assert isinstance(answer, messages.Pbuy | messages.Merge) and answer.placement is not None
    illegal = verify_placement(state, answer.placement)
    if isinstance(answer, messages.Merge):
        return illegal.violation if illegal else Violation.NOT_A_MERGER
    if illegal is None and kind_of(state.board, answer.placement.tile) is Kind.MERGING:
        return Violation.MERGER_WITH_ORDER
    illegal = illegal or verify_order(place(state, answer.placement), answer.order)
    assert illegal is not None, "it is legal"
    return illegal.violation


def hint_on(
    state: State,
    answer: PlayerMessage,
    violation: Violation | None = None,
    begun: Sequence[State] = (),
) -> str:
    question: RefereeMessage = messages.Turn(state.board, state.players)
    broken = violation or violation_of(state, answer)
    return str(of_move(broken, question, state, state.mover.name, answer, begun) or "")


HAND = ("", ["ann 2B 12A 5C 9H", "bob 7G"])
MOVES = [
    (*HAND, pbuy("1A"), "seems to be 12A, with only one digit of its column"),
    (*HAND, pbuy("2A"), "12A, with only one digit of its column, or 2B, with its row off by one"),
    (*HAND, pbuy("7G"), "seems to be from the hand of 'bob'"),
    (
        "",
        ["ann 7F", "bob 7G"],
        pbuy("7G"),
        "7F, with its row off by one, or from the hand of 'bob'",
    ),
    ("o", ["ann 1B"], pbuy("1A"), r"seems to be 1B, with its row off by one\."),
    ("", ["ann 2B 2D"], pbuy("2C"), "seems to be 2B or 2D, with its row off by one"),
    (*HAND, pbuy("3E"), "seems to be 5C, with row and column exchanged"),
    (*HAND, pbuy("8H"), "seems to be 9H, with its column off by one"),
    (*HAND, pbuy("9I"), "seems to be 9H, with its row off by one"),
    ("", ["ann 3B"], pbuy("3H"), "seems to be 3B, with its row counted from the other end"),
    ("", ["ann 12C 1B"], pbuy("1C"), "one digit of its column, or 1B, with its row off by one"),
    ("AA.o", ["ann 3A"], pbuy("3A"), r"unincorporated tile 4A \(to the right of 3A, in row A\)"),
    ("A" * 11 + "\nA.TT", ["ann 2B"], merge("2B", "American"), "American has exactly 12"),
    ("A" * 12 + "\nA.TT", ["ann 2B"], merge("2B", "American"), "of which American is safe"),
    ("A" * 11 + "\nA.TT", ["ann 2B"], merge("2B"), "of which American is safe"),
    ("A" * 11 + "\nA.TT", ["ann 2B"], pbuy("2B", "American"), "of which American is safe"),
    (
        "A" * 11 + "\nA.TT",
        ["ann 2B"],
        pbuy("2B"),
        r"it touches American \(above 2B\) and Tower \(to the right of 2B\): at least one is over",
    ),
    ("AA.o", ["ann 3A"], pbuy("3A", "Tower"), r"^American \(to the left of 3A\) is overlooked"),
    (
        "AA.TT\n..o",
        ["ann 3A"],
        pbuy("3A", "Sackson"),
        r"^American \(.*\) and Tower \(.*\) are over",
    ),
    (
        "A" * 12 + "\n..TT",
        ["ann 2B"],
        pbuy("2B", "Sackson"),
        r"^American \(above 2B\) and Tower \(to the right of 2B\) are overlooked",
    ),
    ("o", ["ann 2A"], pbuy("2A"), r"2A founds a hotel with 1A \(to the left of 2A, in column 1\)"),
    ("AA.TT", ["ann 3A"], merge("3A"), "merges American and Tower, but no survivor"),
    ("AA.TT", ["ann 3A"], pbuy("3A", "Tower"), "merges American and Tower, but came with an order"),
    ("AA", ["ann 3A"], pbuy("3A", "American"), "only makes American grow, but a hotel"),
    ("AA", ["ann 3A"], merge("3A"), "merges no hotels, but its <placement> was sent alone"),
    ("AA\nA.", ["ann 2B"], pbuy("2B", "American"), "grow, which it touches on 2 sides"),
    ("o", ["ann 2B"], pbuy("2B", "Tower"), r"it touches no other tile \(diagonal neighbours do"),
    ("o", ["ann 5E"], pbuy("5E", "Tower"), r"it touches no other tile\."),
    ("\no", ["ann 12A"], pbuy("12A", "Tower"), r"no other tile \(1B is next to it row by row only"),
    ("." * 11 + "o", ["ann 1B"], pbuy("1B", "Tower"), r"no other tile \(12A is next to it row by"),
    ("AA.o", ["ann 5A"], pbuy("5A", "American"), "American is already on the board, with 2 tiles"),
    (
        "AA.TTT",
        ["ann 3A"],
        merge("3A", "American"),
        "2 tiles, though first in the alphabet; Tower has 3",
    ),
    ("TT.SSS", ["ann 3A"], merge("3A", "Tower"), "2 tiles, though dearer; Sackson has 3"),
    (
        "AAAAAA.SSSSS\n.......SS",
        ["ann 7A"],
        merge("7A", "American"),
        "6 tiles, though first in the alphabet and dearer; Sackson has 7",
    ),
    (
        "AAAAAAAA.SSS\n.........SSS\n.........SSS\n.........S",
        ["ann 9A"],
        merge("9A", "American"),
        "dearer and largest if compared as text; Sackson has 10",
    ),
    (
        "AAAAAAA.SSSS\n........SSSS",
        ["ann 8A"],
        merge("8A", "American"),
        "7 tiles, though first in the alphabet and dearer; Sackson has 8",
    ),
    ("SS", ["ann 9I", "bob S25"], pbuy("9I", "", "Sackson"), "has none: the other players hold 25"),
    ("SS", ["ann 9I S24"], pbuy("9I", "", "Sackson", "Sackson"), "and the player itself 24"),
    ("o", ["ann 2A", "bob T24"], pbuy("2A", "Tower", "Tower"), "after the free certificate of the"),
    ("", ["ann 9I"], pbuy("9I", "", "Sackson"), "Sackson is not on the board, so it has no price"),
    ("AATT", ["ann 9I"], pbuy("9I", "", "American", "Tower"), "for several hotels"),
]


@pytest.mark.parametrize(("board", "players", "answer", "cause"), MOVES)
def test_mistake_is_recognised_in_a_move(
    board: str, players: list[str], answer: PlayerMessage, cause: str
) -> None:
    hint = hint_on(parse_position(REVISED, board, players), answer)
    assert re.search(cause, first_sentence(hint)), hint
    assert hint.endswith(".") and hint != first_sentence(hint), "it says what to do as well"


def test_order_that_is_too_dear_has_its_figures_first_and_then_what_may_be_wrong() -> None:
    hint = hint_on(parse_position(REVISED, "AAAAA", ["ann 6A $699"]), pbuy("6A", "", "American"))
    assert hint == (
        "The order costs $700 and the player has $699. Perhaps the program takes no account of "
        "its own cash, or takes the price at the size before the tile was placed, or takes the "
        "price without the placed tile."
    )


def test_hand_that_is_hidden_is_not_named() -> None:
    state = parse_position(CLASSIC, "", ["ann 2B", "bob 9I"])
    assert hint_on(state, pbuy("9I")) == ""


def test_tile_that_resembles_none_in_hand_has_no_hint() -> None:
    state = parse_position(REVISED, "", ["ann 2B"])
    assert hint_on(state, pbuy("9I")) == ""


@for_each(
    ("before", "meant"),
    [
        (["ann 1A 3A"], "from an earlier hand of the player."),
        (["bob 1A", "ann 3A"], ""),
        (["bob 3A", "ann 1A"], ""),
    ],
)
def test_earlier_hand_is_named_only_if_the_player_had_the_tile_in_a_turn_of_its_own(
    before: list[str], meant: str
) -> None:
    state = parse_position(REVISED, "o", ["ann 3A", "bob"])
    begun = [parse_position(REVISED, "", before), state]
    told = first_sentence(hint_on(state, pbuy("1A"), begun=begun))
    assert told == (f"Tile 1A seems to be {meant}" if meant else "")


@for_each(
    ("before", "movers", "board", "answer", "told"),
    [
        ("AA", ["ann 3A", "bob"], "AA.o", pbuy("3A"), "would touch it and American; or the board"),
        ("AA.o", ["ann 3A", "bob"], "AA.o", pbuy("3A"), "would touch it and American."),
        ("AA", ["bob", "ann 3A"], "AA.o", pbuy("3A"), "would touch it and American."),
        ("AA..o", ["ann 3A", "bob"], "AA.TT", pbuy("3A"), "no survivor is named; or the board"),
        ("AA..o", ["ann 3A", "bob"], "AA.TT", merge("3A"), "no survivor is named. Put"),
        ("", ["ann 2A", "bob"], "o", pbuy("2A"), "but none is named; or the board"),
        ("o", ["ann 2A", "bob"], "o...TT", pbuy("2A", "Tower"), "founded by 2A; or the board"),
        ("AAA.TT", ["ann 4A", "bob"], "AAA.TTT", merge("4A", "American"), "; or the board"),
    ],
)
def test_earlier_board_is_named_only_if_the_move_was_legal_there_in_a_turn_of_the_player(
    before: str, movers: list[str], board: str, answer: PlayerMessage, told: str
) -> None:
    state = parse_position(REVISED, board, ["ann 2A 3A 4A", "bob"])
    hint = hint_on(state, answer, begun=[parse_position(REVISED, before, movers), state])
    assert told in hint, hint
    assert ("or the board is that of an earlier turn." in first_sentence(hint)) == (
        "or the" in told
    )
    assert hint.endswith("Read the board of each <turn>.") == ("or the" in told)


def test_tile_taken_for_unplayable_is_named() -> None:
    state = parse_position(REVISED, "AA.TT", ["ann 3A"])
    sent = Fault(Reason.INVALID, "", b"<pbuy><order/></pbuy>")
    hint = str(of_fault(sent, "turn", state))
    assert first_sentence(hint) == (
        "No tile was placed, but 3A can be: it merges American (2) and Tower (2)."
    )
    assert hint_on(state, messages.Pbuy(None, ()), Violation.PLACEMENT_DUE) == hint
    assert hint.endswith("A hotel is safe from 12 tiles on.")


TAKEN_IN = "The hotel takes in the unincorporated tiles that the tile connects."
OWN_HAND = "Take the tiles of the <player> whose name is 'ann'."
SAFETY = "A hotel of 11 tiles or more may acquire smaller ones; two such hotels cannot merge."


@for_each(
    ("board", "tile", "rule"),
    [
        ("AAAAAAAAAA.C/A..........C", "11A", SAFETY),
        ("AA.CC/..o", "3A", f"{SAFETY} {TAKEN_IN}"),
        ("AA.o", "3A", TAKEN_IN),
        ("AA", "3A", OWN_HAND),
        ("AA/..o", "4B", OWN_HAND),
        ("AA", "9I", OWN_HAND),
    ],
)
def test_rule_is_told_by_which_a_tile_can_be_placed(board: str, tile: str, rule: str) -> None:
    state = parse_position(CLASSIC, board, [f"ann {tile}", "bob"])
    hint = hint_on(state, messages.Pbuy(None, ()), Violation.PLACEMENT_DUE)
    assert hint.endswith(f". A tile that can be placed has to be. {rule}"), hint


def test_tile_that_founds_nothing_has_to_be_placed() -> None:
    state = parse_position(REVISED, "AA.CC.FF.II/............/SS.TT.WW.o", ["ann 11C", "bob"])
    assert hint_on(state, messages.Pbuy(None, ()), Violation.PLACEMENT_DUE).endswith(
        "With all hotels on the board, nothing is founded beside an unincorporated tile."
    )


@for_each(
    ("asked", "decisions", "cause"),
    [
        (2, 1, "answers only for hotels of which certificates are held"),
        (2, 3, "as if the survivor counted"),
        (3, 7, "answers for all 7 hotels"),
        (4, 2, "has 2 answers, but 4 hotels were asked about"),
    ],
)
def test_wrong_number_of_answers_to_keep_is_explained(
    asked: int, decisions: int, cause: str
) -> None:
    state = parse_position(REVISED, "", ["ann A2"])
    answer = messages.KeepAnswer((True,) * decisions)
    question = messages.Keep(tuple(range(asked)))
    hint = str(of_move(Violation.KEEP_COUNT, question, state, "ann", answer))
    assert cause in first_sentence(hint), hint


UNASKED = Fault(
    Reason.OUT_OF_TURN, "Expected nothing.", b"<void/>", circumstance=Circumstance.UNASKED
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


def ejected_at(question: str, place: int, fault: Fault, case: str = "turn/drawn") -> events.Ejected:
    left = rehearse(case_of(REVISED, case).script, at(question, place, fault)).left
    assert left is not None
    return left


@pytest.mark.parametrize(
    ("place", "when"), [(1, "The <signup> that you receive"), (2, "exactly one answer to each")]
)
def test_unasked_message_is_explained_by_what_came_before(place: int, when: str) -> None:
    left = ejected_at("state", place, UNASKED)
    assert left.hint.startswith("<void/> was sent when it was not due") and when in left.hint
    assert left.with_hint == f"{left.hint} {left.detail}"
    assert left.sentences == f"{left.hint} {left.reason.sentence} {left.detail}"


PBUY = b"<pbuy>" + PLACE + b"<order/></pbuy>"
KEEP = b"<keep><true/></keep>"


@for_each(
    ("sent", "question", "answered", "twice"),
    [
        (PBUY, "tile", {"turn": "pbuy"}, "A second <pbuy> came for the same <turn>:"),
        (PBUY, "state", {"turn": "pbuy", "tile": "void"}, "A second <pbuy> came for the same <t"),
        (
            KEEP,
            "players",
            {"turn": "placement", "keep": "keep"},
            "A second <keep> came: either <keep> was",
        ),
        (PBUY, "keep", {"turn": "placement"}, "<pbuy> came after <placement>: either <t"),
        (b"<void/>" + PBUY, "tile", {"turn": "pbuy"}, "A second <pbuy> came for the same <turn>:"),
        (PBUY + PBUY, "turn", {}, "A second <pbuy> came for the same <turn>:"),
        (PBUY + b"<void/>", "turn", {}, ""),
        (PBUY, "players", {"turn": "placement"}, ""),
        (PBUY, "tile", {}, ""),
        (b"<void/>", "players", {"tile": "void"}, ""),
        (b"<order/>", "keep", {"turn": "placement"}, ""),
    ],
)
def test_question_that_was_answered_twice_is_named(
    sent: bytes, question: str, answered: dict[str, str], twice: str
) -> None:
    for circumstance in (None, Circumstance.UNASKED)[: 2 if sent == PBUY else 1]:
        fault = Fault(Reason.OUT_OF_TURN, "", sent, circumstance)
        hint = str(of_fault(fault, question, answered=answered))
        assert hint.startswith(twice) and ("answered twice" in hint) == bool(twice), hint


@pytest.mark.parametrize(("question", "place"), [("tile", 1), ("state", 2)])
def test_second_answer_in_a_turn_is_told_from_a_wrong_one(question: str, place: int) -> None:
    second = Fault(Reason.OUT_OF_TURN, "Received <pbuy>.", PBUY)
    assert ejected_at(question, place, second).hint.startswith("A second <pbuy> came for the same")


def test_answers_of_the_turn_before_do_not_count() -> None:
    """A second <pbuy> that comes after the next turn has begun is no second answer in it."""
    second = Fault(Reason.OUT_OF_TURN, "Received <pbuy>.", PBUY)
    assert "answered twice" not in ejected_at("state", 4, second, "matches/three-ordered").hint


def test_log_keeps_the_hint() -> None:
    left = ejected_at("turn", 1, Fault(Reason.OUT_OF_TURN, "Received <void>.", b"<void/>"))
    record = etree.fromstring(Recorder(REVISED).record(left))
    assert record.attrib["hint"] == left.hint != ""
    nothing = etree.fromstring(Recorder(REVISED).record(left._replace(hint="")))
    assert "hint" not in nothing.attrib
