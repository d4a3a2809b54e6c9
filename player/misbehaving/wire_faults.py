"""What a misbehaving player does to its connection, and the ways to break a correct answer."""

import re
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from select import select
from typing import NamedTuple, TypeAlias

from lxml import etree

from ...protocol.faults import Reason
from ...protocol.framing import LIMIT_FROM_PLAYER
from ...protocol.reading import MAX_DEPTH


@dataclass(frozen=True)
class RawBytes:
    """Sends these bytes, whatever they are; none to be silent."""

    data: bytes

    def do(self, connection: socket.socket) -> None:
        """Send all bytes in one piece."""
        connection.sendall(self.data)


@dataclass(frozen=True)
class SlowBytes:
    """Sends bytes one at a time, ``interval`` seconds apart, until the referee answers."""

    data: bytes
    interval: float = 0.3

    def do(self, connection: socket.socket) -> None:
        """Send a byte, wait, send the next."""
        for index in range(len(self.data)):
            connection.sendall(self.data[index : index + 1])
            if select([connection], [], [], self.interval)[0]:
                return


@dataclass(frozen=True)
class HalfClose:
    """Closes its own direction of the connection, after sending ``first``."""

    first: bytes = b""

    def do(self, connection: socket.socket) -> None:
        """Send ``first`` and end the stream; the referee can still reply."""
        connection.sendall(self.first)
        connection.shutdown(socket.SHUT_WR)


class Reset:
    """Resets the connection, as a program does that crashes over unread bytes."""

    def do(self, connection: socket.socket) -> None:
        """Close with a reset; always ``OSError``, since nothing can be received after it."""
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        raise ConnectionAbortedError("This player reset the connection")


@dataclass(frozen=True)
class Flood:
    """Sends the start of an element that never ends."""

    total: int = 100_000_000

    def do(self, connection: socket.socket) -> None:
        """Send ``total`` bytes, or as many as the referee accepts."""
        block = b" " * 65536
        with suppress(OSError):
            connection.sendall(b"<void")
            for _ in range(self.total // len(block)):
                connection.sendall(block)


WireFault: TypeAlias = RawBytes | SlowBytes | HalfClose | Reset | Flood
"""Something done to a socket that no answer of the protocol would do.

``do`` raises ``OSError`` if the connection breaks.
"""


# -- ways to break a correct answer that need no knowledge of the game ----------------------------
# Each makes a WireFault of the bytes of a correct answer, or nothing where that answer gives no
# opening: a <void/> has no attribute to omit. An edit that the schema would still accept gives
# nothing either, so none of them can produce a correct answer.
Breaking: TypeAlias = Callable[[bytes], bytes | WireFault | None]
"""From a correct answer to wrong bytes or a fault, or ``None`` where it gives no opening."""
Way: TypeAlias = tuple[str, str, Breaking]  # a way to break an answer: name, description, deed


class BrokenAnswer(NamedTuple):
    """One way to break an answer: its name, the reason to eject for it, and what it does."""

    name: str
    reason: Reason
    summary: str
    breaking: Breaking

    def act(self, answer: bytes) -> WireFault | None:
        """Return what is done instead of giving this answer."""
        fault = self.breaking(answer)
        return RawBytes(fault) if isinstance(fault, bytes) else fault


# -- bytes that are not a message -----------------------------------------------------------------

_ROOT_START = re.compile(rb"<\w+")
BOMB = (
    b"<!DOCTYPE bomb [<!ENTITY a0 'lol'>"
    + b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
    + b"]>"
)
"""Nine entities, each ten times the one before: three billion letters when expanded."""

_EXTERNAL_ENTITY = b'<!DOCTYPE x [<!ENTITY file SYSTEM "/etc/passwd">]>'


def root_name(answer: bytes) -> bytes:
    """Return the name of an answer's root element."""
    found = _ROOT_START.match(answer)
    assert found is not None, answer
    return found[0][1:]


def unclosed(answer: bytes) -> bytes:
    """Omit the end tag of the root."""
    if answer.count(b"<") == 1:
        return answer.removesuffix(b"/>") + b">"
    return answer[: answer.rindex(b"</")]


def with_content(answer: bytes, content: bytes) -> bytes:
    """Put ``content`` at the end of the root element."""
    return b"%s%s</%s>" % (unclosed(answer), content, root_name(answer))


def padded(answer: bytes, size: int) -> bytes:
    """Make the answer ``size`` bytes long by white space in its first tag."""
    end = len(root_name(answer)) + 1
    return answer[:end] + b" " * (size - len(answer)) + answer[end:]


_UNDER_ANY_SCHEMA: dict[Reason, tuple[Way, ...]] = {
    Reason.TIMED_OUT: (
        ("silent", "sends nothing", lambda _: b""),
        (
            "dribble",
            "sends a byte every 0.3 s for 20 minutes",
            lambda a: SlowBytes(padded(a, LIMIT_FROM_PLAYER)),
        ),
        ("unclosed", "omits the last end tag", unclosed),
    ),
    Reason.DISCONNECTED: (
        ("goes-away", "closes the connection", lambda _: HalfClose()),
        (
            "goes-away-half",
            "closes the connection in the middle of its answer",
            lambda a: HalfClose(a[: len(a) // 2]),
        ),
        ("crashes", "resets the connection", lambda _: Reset()),
    ),
    Reason.OUT_OF_TURN: (("speaks-ahead", "sends the correct answer twice", lambda a: a * 2),),
    Reason.MALFORMED: (
        ("not-xml", "sends JSON", lambda a: b'{"answer": "%s"}\n' % root_name(a)),
        ("mismatched", "ends with the wrong tag", lambda a: unclosed(a) + b"</surprise>"),
        ("not-utf-8", "sends a byte that is not UTF-8", lambda a: with_content(a, b"\xff")),
        ("utf-16", "answers in UTF-16", lambda a: a.decode().encode("utf-16")),
        ("nul", "sends a zero byte", lambda a: with_content(a, b"\0")),
        ("doctype", "declares a DOCTYPE", lambda a: b"<!DOCTYPE void>" + a),
        ("doctype-bomb", "sends a billion laughs", lambda a: BOMB + with_content(a, b"&a9;")),
        (
            "doctype-file",
            "refers to a file by an external entity",
            lambda a: _EXTERNAL_ENTITY + with_content(a, b"&file;"),
        ),
        ("undefined-entity", "uses an undefined entity", lambda a: with_content(a, b"&nothing;")),
        (
            "too-deep",
            "nests elements more deeply than allowed",
            lambda a: with_content(a, b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH),
        ),
        (
            "too-long",
            "sends one byte more than a message may have",
            lambda a: padded(a, LIMIT_FROM_PLAYER + 1),
        ),
        ("floods", "sends 100 MB of an endless element", lambda _: Flood()),
    ),
}

# -- elements that the schema rejects -------------------------------------------------------------

Rejects: TypeAlias = Callable[[etree._Element], bool]  # whether the players' schema rejects it

Edit: TypeAlias = Callable[[etree._Element], object]  # changes an answer's tree in place


def edited(rejects: Rejects, edit: Edit) -> Callable[[bytes], bytes | None]:
    """Return what breaks an answer by an edit; nothing where the schema accepts the result."""

    def corrupt(answer: bytes) -> bytes | None:
        root = etree.fromstring(answer)
        edit(root)
        return etree.tostring(root) if rejects(root) else None

    return corrupt


def _rename_root(root: etree._Element) -> None:
    root.tag = "surprise"


def _capitalise_root(root: etree._Element) -> None:
    root.tag = str(root.tag).capitalize()


def _omit_attribute(root: etree._Element) -> None:
    for element in root.iter():
        for name in element.attrib:
            del element.attrib[name]
            return


def _add_text(root: etree._Element) -> None:
    root.text = "surprise"


def _order(count: int) -> Edit:
    def edit(root: etree._Element) -> None:
        for order in root.iter("order"):
            order[:] = [etree.Element("hotel", label="Sackson") for _ in range(count)]

    return edit


def _put_end_first(root: etree._Element) -> None:
    for end in root.iter("end"):
        parent = end.getparent()
        assert parent is not None
        parent.insert(0, end)


def _set_all(name: str, attribute: str, value: str) -> Edit:
    def edit(root: etree._Element) -> None:
        for element in root.iter(name):
            element.set(attribute, value)

    return edit


_EDITS: tuple[tuple[str, str, Edit], ...] = (
    ("unknown-element", "sends an unknown element", _rename_root),
    ("wrong-case", "capitalises the name of the element", _capitalise_root),
    (
        "unknown-child",
        "adds an unknown child element",
        lambda root: root.append(etree.Element("surprise")),
    ),
    ("unknown-attribute", "adds an unknown attribute", lambda root: root.set("surprise", "1")),
    ("missing-attribute", "omits an attribute", _omit_attribute),
    ("stray-text", "adds text", _add_text),
    (
        "wrong-child-order",
        "sends the children in the wrong order",
        lambda root: root.extend(root[:1]),
    ),
    (
        "too-many-children",
        "sends the first child four times",
        lambda root: root.extend(deepcopy(child) for child in [*root[:1]] * 3),
    ),
    ("no-children", "omits all children", lambda root: etree.strip_elements(root, "*")),
    ("three-certificates", "orders three certificates", _order(3)),
    ("four-certificates", "orders four certificates", _order(4)),
    ("no-order", "omits the order", lambda root: etree.strip_elements(root, "order")),
    ("end-first", "declares the end before the hotels of its order", _put_end_first),
    ("column-0", "names column 0", _set_all("tile", "column", "0")),
    ("column-13", "names column 13", _set_all("tile", "column", "13")),
    ("row-j", "names row J", _set_all("tile", "row", "J")),
    ("unknown-hotel", "names an unknown hotel", _set_all("hotel", "label", "Hilton")),
    ("sells-minus-1", "sells -1 certificates", _set_all("dispose", "sell", "-1")),
    ("trades-26", "trades 26 of 25 certificates", _set_all("dispose", "trade", "26")),
    ("empty-name", "asks for an empty name", _set_all("signup", "name", "")),
    ("long-name", "asks for a name of 65 characters", _set_all("signup", "name", "x" * 65)),
)
"""Name, summary and edit; wrong only where the schema rejects the edited answer."""


def broken_answers(rejects: Rejects) -> tuple[BrokenAnswer, ...]:
    """Return every way to break an answer, under the schema given by ``rejects``."""
    edits = tuple((name, summary, edited(rejects, edit)) for name, summary, edit in _EDITS)
    ways: dict[Reason, tuple[Way, ...]] = {**_UNDER_ANY_SCHEMA, Reason.INVALID: edits}
    return tuple(BrokenAnswer(way[0], reason, *way[1:]) for reason in ways for way in ways[reason])
