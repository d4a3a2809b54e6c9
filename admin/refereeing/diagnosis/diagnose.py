"""The entry: the hint on a fault or an illegal move, and on messages at a wrong moment.

Those were sent twice, unasked, or in answer to another question.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ....game.placement import place, verify_placement
from ....game.state import State
from ....game.violation import Violation
from ....protocol import messages
from ....protocol.conversation import TABLES, Side, allowed
from ....protocol.faults import Circumstance, Diagnosis, Fault, Reason, shown
from ....protocol.framing import LIMIT_FROM_PLAYER, Framer
from ....protocol.messages import PlayerMessage, RefereeMessage
from .malformed import of_bytes, unfinished, zero_byte
from .orders import of_keep, of_order
from .placements import of_no_placement, of_placement

ANSWERS = {
    row.message: allowed(row.then, Side.PLAYER, table)
    for table in TABLES.values()
    for row in table
    if row.side is Side.REFEREE
} | {"signup": ["signup"]}
"""What each question is answered with; a connection is asked to sign up without a message."""
ANSWERED_BY = {
    "signup": "is sent once, at the beginning",
    "pbuy": "answers <turn>",
    "placement": "answers <turn>, when the tile merges hotels",
    "keep": "answers <keep>",
    "order": "answers <players>, after a merger",
    "dispose": "answers <dispose>",
    "replace": "answers <replace>",
    "void": "answers messages that only inform, such as <state> and <tile>",
}
VOID_NOT_DUE = f"<void/> was sent when it was not due: it {ANSWERED_BY['void']}."
IN_ONE = "Send both in one <pbuy>: <pbuy><placement>...</placement><order>...</order></pbuy>."
NOTHING_YET: Mapping[str, str] = MappingProxyType({})
_ROOT = re.compile(rb"<([A-Za-z]+)[\s/>]")


def hint_on_sign_up(fault: Fault) -> str:
    """Return the hint on a fault before the player had a seat, or ``""``."""
    return str(of_fault(fault, "signup", first=True) or "")


def sign_up_fault_with_hint(fault: Fault) -> str:
    """Return a fault before the player had a seat in words, the hint first if there is one."""
    return f"{hint_on_sign_up(fault)} {fault}".lstrip()


def of_fault(
    fault: Fault,
    question: str,
    state: State | None = None,
    *,
    first: bool = False,
    answered: Mapping[str, str] = NOTHING_YET,
) -> Diagnosis | None:
    """Return the probable cause of a fault and what to do, ``None`` if nothing is recognised.

    ``question`` is the root element of the question that the fault came instead of an answer to;
    ``signup`` for a connection that has not signed up. ``state`` is the position in which it was
    put, ``first`` whether no other question has been answered before. ``answered`` are the
    questions that the player has answered in this turn, with the root elements of its answers.
    """
    data = fault.data
    match fault.reason:
        case Reason.MALFORMED:
            return of_bytes(data)
        case Reason.INVALID if question == "turn" and _root_of(data) == "pbuy":
            return None if b"<placement" in data or state is None else of_no_placement(state)
        case Reason.OUT_OF_TURN if fault.circumstance is Circumstance.UNASKED:
            again = _answered_again(_root_of(data), question, answered)
            return again or _of_unasked(data, after_sign_up=first)
        case Reason.OUT_OF_TURN:
            again = _answered_again(_root_of(data), question, answered)
            return again or _of_surplus(data, question, answered) or _of_unexpected(data, question)
        case Reason.TIMED_OUT if data:
            return unfinished(data)
        case Reason.TIMED_OUT if fault.circumstance is Circumstance.UNREAD:
            return Diagnosis(
                f"The player does not read what it is sent: <{question}> is still on its way.",
                "Read from the connection whenever you wait.",
            )
        case Reason.TIMED_OUT if fault.circumstance is Circumstance.COMPUTING and first:
            return Diagnosis(
                f"The program was computing when its time for <{question}> was over: probably it "
                "still loads something, or is in an endless loop.",
                "Connect when you are ready to answer.",
            )
        case Reason.TIMED_OUT if fault.circumstance is Circumstance.COMPUTING:
            return Diagnosis(
                f"The program was computing when its time for <{question}> was over: probably an "
                "endless loop, or a search without a limit.",
                "Print where it is, or interrupt it in a debugger.",
            )
        case Reason.TIMED_OUT:
            return of_silence(question, first=first)
    return None


def of_move(
    violation: Violation,
    message: RefereeMessage,
    state: State,
    name: str,
    answer: PlayerMessage | None,
    begun: Sequence[State] = (),
) -> Diagnosis | None:
    """Return the probable cause of an illegal move and what to do, ``None`` if it is not known.

    ``message`` is the question, ``state`` the position in which it was put to the player ``name``,
    ``begun`` the positions in which the turns of the game began, with this turn.
    """
    match message, answer:
        case _, messages.Pbuy(None) if violation is Violation.PLACEMENT_DUE:
            return of_no_placement(state)
        case _, messages.Pbuy(None, order):
            return of_order(state, state, order, violation)
        case ((messages.Turn() | messages.TurnView()), messages.Pbuy() as pbuy):
            assert pbuy.placement is not None, "the case above has those without"
            found = of_placement(state, pbuy.placement, violation, begun, alone=False)
            if found is not None or verify_placement(state, pbuy.placement) is not None:
                return found
            return of_order(place(state, pbuy.placement), state, pbuy.order, violation)
        case ((messages.Turn() | messages.TurnView()), messages.Merge(placement)):
            return of_placement(state, placement, violation, begun, alone=True)
        case _, messages.Order(hotels):
            return of_order(state, state, hotels, violation)
        case messages.Keep(asked), messages.KeepAnswer(decisions):
            return of_keep(asked, len(decisions), state.player(name).shares)
    return None


def of_silence(question: str, *, first: bool, idle: bool = False) -> Diagnosis:
    """Return why nothing was sent in answer to a question, and what to do.

    ``first`` is as in :func:`of_fault`; ``idle`` is whether the program is known to have computed
    nothing and to have sent nothing later either.
    """
    if question == "signup":
        return Diagnosis(
            "Nothing at all arrived: the sign-up is still in an output buffer, or was not sent, or "
            "the program still loads something.",
            "Flush after every message, do not wait for a greeting, and connect when you are ready "
            "to answer.",
        )
    advice = f"Answer it with {_answers_to(question)}; a message ends where its root is closed."
    late = "" if first else "it took too long, or "
    slow = "the program sleeps, or" if idle else f"{late}the program"
    lost = ", or an exception was swallowed" if idle else ""
    if first:
        advice += (
            " The answer to the sign-up and this message may arrive in one read: keep what follows "
            "the first element."
        )
    return Diagnosis(
        f"Nothing was sent in time in answer to <{question}>: {slow} waits for more, "
        "such as a line end, or has not flushed its output, or has no answer to this "
        f"message{lost}.",
        advice,
    )


# -- at a wrong moment --------------------------------------------------------------------------


def _of_unasked(data: bytes, *, after_sign_up: bool) -> Diagnosis | None:
    if found := zero_byte(data):
        return found
    sent = _element(_root_of(data)) or shown(data)
    advice = "Send exactly one answer to each message, and nothing between."
    if after_sign_up:
        advice = "The <signup> that you receive is itself an answer: wait for <state>."
    if sent == "<void/>":
        return Diagnosis(VOID_NOT_DUE, advice)
    if sent == "<signup>":
        return Diagnosis("The player signed up a second time.", f"Sign up once. {advice}")
    after = "after the answer to the sign-up" if after_sign_up else "after its question's answer"
    return Diagnosis(f"{sent} was sent unasked, {after}.", advice)


def _answered_again(sent: str, question: str, answered: Mapping[str, str]) -> Diagnosis | None:
    """Recognise a second answer to a question of this turn that has been answered already."""
    for asked, given in answered.items():
        if sent == given != "void":
            return _twice(asked, question, f"A second {_element(sent)} came")
        # in answer to <players> it is rather the other form of a turn, which is explained below
        if sent in ANSWERS[asked] and sent != given and question != "players":
            return _twice(asked, question, f"{_element(sent)} came after <{given}>")
    return None


def _twice(asked: str, question: str, what: str) -> Diagnosis:
    """Explain a second answer, which a player may have meant for the ``question`` after it."""
    advice = (
        f"Answer each <{asked}> once: look for a missing break or return, a timer that answers as "
        "well, or a thread or goroutine that still runs."
    )
    if asked == question or "void" in ANSWERS.get(question, []):
        return Diagnosis(f"{what} for the same <{asked}>: it was answered twice.", advice)
    return Diagnosis(
        f"{what}: either <{asked}> was answered twice, or <{question}> was answered with it.",
        f"<{question}> is answered by {_answers_to(question)}. {advice}",
    )


def _of_surplus(data: bytes, question: str, answered: Mapping[str, str]) -> Diagnosis | None:
    """Return why more was sent than one message, ``None`` if it was not: ``data`` is all of it."""
    framer = Framer(LIMIT_FROM_PLAYER)
    message = framer.feed(data)
    if not isinstance(message, bytes) or not framer.pending:
        return None
    if found := zero_byte(data):
        return found
    surplus = framer.pending
    first, second = _root_of(message), _root_of(surplus)
    if not second:
        return Diagnosis(
            f"Something follows the answer: {shown(surplus)}.",
            "Send one element and nothing after it but white space.",
        )
    if again := _answered_again(second, question, answered):
        return again
    if first == second != "void" and first in ANSWERS.get(question, []):
        return _twice(question, question, f"A second {_element(first)} came")
    if message == surplus.strip():
        return Diagnosis(
            f"{_element(first)} was sent twice.", "Send exactly one answer to each message."
        )
    if (first, second) == ("placement", "order"):
        return Diagnosis("The placement and the order were sent one after the other.", IN_ONE)
    if first == "void" and "void" not in ANSWERS.get(question, ["void"]):
        return _void_not_due(question)
    return Diagnosis(
        f"Two messages were sent for one: {_element(second)} follows {_element(first)}.",
        "Send one answer, then wait for the next message.",
    )


def _void_not_due(question: str) -> Diagnosis:
    return Diagnosis(
        VOID_NOT_DUE,
        f"Answer <{question}> with {_answers_to(question)}, without a <void/>, and the message "
        "before it only once.",
    )


def _of_unexpected(data: bytes, question: str) -> Diagnosis | None:
    sent = _root_of(data)
    if not sent or not question:
        return None
    expected = _answers_to(question)
    if question == "signup":
        return Diagnosis(
            f"The first message was {_element(sent)}, but a player begins with <signup>.",
            'Send <signup name="..."/> as soon as you are connected.',
        )
    if sent == "signup":
        return Diagnosis(
            f"The player signed up again instead of answering <{question}>.",
            f"Sign up once in a connection, and answer <{question}> with {expected}.",
        )
    if sent == "void":
        return _void_not_due(question)
    if (question, sent) == ("turn", "order"):
        return Diagnosis(
            "An order was sent alone in answer to <turn>, without a placement.", IN_ONE
        )
    if (question, sent) == ("players", "pbuy"):
        return Diagnosis(
            "A <pbuy> was sent after a merger, whose tile is placed already.",
            "Answer <players> with the <order> alone.",
        )
    use = ANSWERED_BY.get(sent, "is no answer")
    return Diagnosis(
        f"{_element(sent)} does not answer <{question}>: it {use}.",
        f"Look at the root element of what you receive; <{question}> is answered by {expected}.",
    )


def _answers_to(question: str) -> str:
    return " or ".join(map(_element, ANSWERS[question]))


def _root_of(data: bytes) -> str:
    found = _ROOT.search(data)
    return found[1].decode() if found else ""


def _element(tag: str) -> str:
    return f"<{tag}/>" if tag == "void" else f"<{tag}>" if tag else ""
