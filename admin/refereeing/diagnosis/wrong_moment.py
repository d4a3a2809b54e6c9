"""Messages that were not expected: sent twice, unasked, or in answer to another question."""

import re

from ....protocol.conversation import TABLES, Side, allowed
from ....protocol.faults import Diagnosis, shown
from ....protocol.framing import LIMIT_FROM_PLAYER, Framer
from .not_xml import zero_byte

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
_ROOT = re.compile(rb"<([A-Za-z]+)[\s/>]")


def answers_to(question: str) -> str:
    """Return how a question is answered.

    >>> answers_to("turn"), answers_to("tile")
    ('<pbuy> or <placement>', '<void/>')
    """
    return " or ".join(map(_element, ANSWERS[question]))


def root_of(data: bytes) -> str:
    """Return the first root element in the bytes, or nothing."""
    found = _ROOT.search(data)
    return found[1].decode() if found else ""


def of_unasked(data: bytes, *, after_sign_up: bool) -> Diagnosis | None:
    """Return why something was sent while nothing was asked."""
    if found := zero_byte(data):
        return found
    sent = _element(root_of(data)) or shown(data)
    if after_sign_up:
        return Diagnosis(
            f"{sent} was sent unasked, after the answer to the sign-up.",
            "The <signup> that you receive is itself an answer: wait for <state>.",
        )
    return Diagnosis(
        f"{sent} was sent unasked: the question before it had been answered.",
        "Send exactly one answer to each message, and nothing between.",
    )


def of_surplus(data: bytes, question: str) -> Diagnosis | None:
    """Return why more was sent than one message, ``None`` if it was not: ``data`` is all of it."""
    framer = Framer(LIMIT_FROM_PLAYER)
    message = framer.feed(data)
    if not isinstance(message, bytes) or not framer.pending:
        return None
    if found := zero_byte(data):
        return found
    surplus = framer.pending
    first, second = root_of(message), root_of(surplus)
    if not second:
        return Diagnosis(
            f"Something follows the answer: {shown(surplus)}.",
            "Send one element and nothing after it but white space.",
        )
    if message == surplus.strip():
        return Diagnosis(
            f"{_element(first)} was sent twice.", "Send exactly one answer to each message."
        )
    if first == "void" and "void" not in ANSWERS.get(question, ["void"]):
        return Diagnosis(
            f"<void/> was sent before the answer to <{question}>.",
            f"Answer <{question}> with {answers_to(question)} alone, without acknowledging it.",
        )
    return Diagnosis(
        f"Two messages were sent for one: {_element(second)} follows {_element(first)}.",
        "Send one answer, then wait for the next message.",
    )


def of_unexpected(data: bytes, question: str) -> Diagnosis | None:
    """Return why a valid message does not answer the question."""
    sent = root_of(data)
    if not sent or not question:
        return None
    expected = answers_to(question)
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
        return Diagnosis(
            f"<{question}> was only acknowledged with <void/>, but it asks for {expected}.",
            f"Answer <{question}> with {expected}, without a <void/>.",
        )
    if (question, sent) == ("turn", "order"):
        return Diagnosis(
            "An order was sent alone in answer to <turn>, without a placement.",
            "Send both in one <pbuy>: <pbuy><placement>...</placement><order>...</order></pbuy>.",
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


def _element(tag: str) -> str:
    return f"<{tag}/>" if tag == "void" else f"<{tag}>" if tag else ""
