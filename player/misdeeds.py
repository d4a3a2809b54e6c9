"""What a misbehaving player does to its connection, and the ways to spoil a right answer.

A :class:`Misdeed` acts on the socket. A :class:`Way` makes one of the bytes of the right answer, or
nothing where that answer has no place for it: a ``<void/>`` has no attribute to leave out. What
the schema would still take is no misdeed either, so no way can turn into good behaviour.
"""

import re
import socket
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from select import select
from typing import NamedTuple, TypeAlias

from lxml import etree

from protocol.faults import Reason
from protocol.framing import LIMIT_FROM_PLAYER
from protocol.reading import MAX_DEPTH


class Misdeed(ABC):
    """Something that a player does with its socket which no answer of the protocol would do."""

    @abstractmethod
    def do(self, connection: socket.socket) -> None:
        """Do it; ``OSError`` where the administrator cannot be heard any more."""


class Send(Misdeed):
    """Sends these bytes, whatever they are."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def do(self, connection: socket.socket) -> None:
        """Send all of them in one piece."""
        connection.sendall(self.data)


class Silence(Misdeed):
    """Says nothing."""

    def do(self, connection: socket.socket) -> None:
        """Leave the connection as it is."""


class Dribble(Misdeed):
    """Sends bytes one at a time, ``interval`` seconds apart, until the administrator speaks."""

    def __init__(self, data: bytes, interval: float = 1.0) -> None:
        self.data = data
        self.interval = interval

    def do(self, connection: socket.socket) -> None:
        """Send a byte, wait, send the next."""
        for index in range(len(self.data)):
            connection.sendall(self.data[index : index + 1])
            if select([connection], [], [], self.interval)[0]:
                return


class GoAway(Misdeed):
    """Closes its side of the connection, after ``first`` if that is given."""

    def __init__(self, first: bytes = b"") -> None:
        self.first = first

    def do(self, connection: socket.socket) -> None:
        """Send ``first`` and say no more; the administrator can still be heard."""
        connection.sendall(self.first)
        connection.shutdown(socket.SHUT_WR)


class Reset(Misdeed):
    """Breaks the connection off, as a program that crashes over unread bytes does."""

    def do(self, connection: socket.socket) -> None:
        """Close with a reset; always ``OSError``, for nothing can be heard after it."""
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        raise ConnectionAbortedError("This player broke it off")


class Flood(Misdeed):
    """Sends the start of an element that never ends."""

    def __init__(self, total: int = 100_000_000) -> None:
        self.total = total

    def do(self, connection: socket.socket) -> None:
        """Send ``total`` bytes, or as many as the administrator lets through."""
        block = b" " * 65536
        with suppress(OSError):
            connection.sendall(b"<void")
            for _ in range(self.total // len(block)):
                connection.sendall(block)


# -- bytes that are no message ----------------------------------------------------------------

Spoil: TypeAlias = Callable[[bytes], bytes | None]
"""From the bytes of a right answer to wrong ones, or ``None`` where it has no place for it."""

_NAME = re.compile(rb"<\w+")
BOMB = b"<!DOCTYPE bomb [<!ENTITY a0 'lol'>" + b"".join(
    b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10)
)
"""Nine entities, each ten times the one before: two thousand million letters when expanded."""


def root_name(answer: bytes) -> bytes:
    """Return the name of an answer's root element."""
    found = _NAME.match(answer)
    assert found is not None, answer
    return found[0][1:]


def unclosed(answer: bytes) -> bytes:
    """Leave the end tag of the root out."""
    if answer.count(b"<") == 1:
        return answer.removesuffix(b"/>") + b">"
    return answer[: answer.rindex(b"</")]


def inside(answer: bytes, content: bytes) -> bytes:
    """Put ``content`` at the end of the root element."""
    return b"%s%s</%s>" % (unclosed(answer), content, root_name(answer))


def padded(answer: bytes, size: int) -> bytes:
    """Make the answer ``size`` bytes long by white space in its first tag."""
    end = len(root_name(answer)) + 1
    return answer[:end] + b" " * (size - len(answer)) + answer[end:]


# -- elements that the schema refuses -----------------------------------------------------------

Refused: TypeAlias = Callable[[etree._Element], bool]
"""Whether the schema of the players' side refuses an element."""


Edit: TypeAlias = Callable[[etree._Element], object]


def edited(refused: Refused, edit: Edit) -> Spoil:
    """Make a way of an edit to the answer's tree; it is none where the schema takes the result."""

    def spoil(answer: bytes) -> bytes | None:
        root = etree.fromstring(answer)
        edit(root)
        return etree.tostring(root) if refused(root) else None

    return spoil


def _set_all(name: str, attribute: str, value: str) -> Edit:
    def edit(root: etree._Element) -> None:
        for element in root.iter(name):
            element.set(attribute, value)

    return edit


def _rename(root: etree._Element, name: str) -> None:
    root.tag = name


def _leave_out_attribute(root: etree._Element) -> None:
    for element in root.iter():
        for name in element.attrib:
            del element.attrib[name]
            return


def _add_children(root: etree._Element) -> None:
    for child in root[:1]:
        root.extend([deepcopy(child) for _ in range(3)])


def _order(count: int) -> Edit:
    def edit(root: etree._Element) -> None:
        for order in root.iter("order"):
            order[:] = [etree.Element("hotel", label="Sackson") for _ in range(count)]

    return edit


def _leave_out(name: str) -> Edit:
    def edit(root: etree._Element) -> None:
        for element in list(root.iter(name)):
            if (parent := element.getparent()) is not None:
                parent.remove(element)

    return edit


def _end_first(root: etree._Element) -> None:
    for end in root.iter("end"):
        parent = end.getparent()
        assert parent is not None
        parent.insert(0, end)


# -- the ways -----------------------------------------------------------------------------------


class Way(NamedTuple):
    """One way of not answering: its name, what it is ejected for, and what it does."""

    name: str
    reason: Reason
    summary: str
    act: Callable[[bytes], Misdeed | None]


def _sends(name: str, reason: Reason, summary: str, spoil: Spoil) -> Way:
    def act(answer: bytes) -> Misdeed | None:
        data = spoil(answer)
        return None if data is None else Send(data)

    return Way(name, reason, summary, act)


def _malformed(name: str, summary: str, spoil: Spoil) -> Way:
    return _sends(name, Reason.MALFORMED, summary, spoil)


_ANYHOW: tuple[Way, ...] = (
    Way("silent", Reason.TIMED_OUT, "says nothing", lambda _: Silence()),
    Way(
        "dribble",
        Reason.TIMED_OUT,
        "answers with a byte a second, for an hour",
        lambda answer: Dribble(padded(answer, LIMIT_FROM_PLAYER)),
    ),
    _sends("unclosed", Reason.TIMED_OUT, "leaves the last end tag out", unclosed),
    Way("goes-away", Reason.DISCONNECTED, "closes the connection", lambda _: GoAway()),
    Way(
        "goes-away-half",
        Reason.DISCONNECTED,
        "closes the connection in the middle of the answer",
        lambda answer: GoAway(answer[: len(answer) // 2]),
    ),
    Way("crashes", Reason.DISCONNECTED, "resets the connection", lambda _: Reset()),
    _sends(
        "speaks-ahead", Reason.OUT_OF_TURN, "gives the right answer twice at once", lambda a: a * 2
    ),
    _malformed("not-xml", "sends JSON", lambda a: b'{"answer": "%s"}\n' % root_name(a)),
    _malformed("mismatched", "closes with the wrong tag", lambda a: unclosed(a) + b"</surprise>"),
    _malformed("not-utf-8", "sends a byte that is no UTF-8", lambda a: inside(a, b"\xff")),
    _malformed("utf-16", "answers in UTF-16", lambda a: a.decode().encode("utf-16")),
    _malformed("nul", "sends a zero byte", lambda a: inside(a, b"\0")),
    _malformed("doctype", "declares a DOCTYPE", lambda a: b"<!DOCTYPE void>" + a),
    _malformed(
        "doctype-bomb", "sends a billion laughs", lambda a: BOMB + b"]>" + inside(a, b"&a9;")
    ),
    _malformed(
        "doctype-file",
        "wants a file to be read",
        lambda a: b'<!DOCTYPE x [<!ENTITY file SYSTEM "/etc/passwd">]>' + inside(a, b"&file;"),
    ),
    _malformed(
        "undefined-entity", "uses an entity that there is not", lambda a: inside(a, b"&nothing;")
    ),
    _malformed(
        "too-deep",
        "nests elements deeper than is read",
        lambda a: inside(a, b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH),
    ),
    _malformed(
        "too-long",
        "answers with one byte more than a message may have",
        lambda a: padded(a, LIMIT_FROM_PLAYER + 1),
    ),
    Way("floods", Reason.MALFORMED, "sends 100 MB without an end", lambda _: Flood()),
)
"""Those that are wrong under every schema."""

_EDITS: tuple[tuple[str, str, Edit], ...] = (
    (
        "unknown-element",
        "answers with an element that there is not",
        lambda root: _rename(root, "surprise"),
    ),
    (
        "wrong-case",
        "capitalises the element's name",
        lambda root: _rename(root, str(root.tag).capitalize()),
    ),
    (
        "unknown-child",
        "adds an element that there is not",
        lambda root: root.append(etree.Element("surprise")),
    ),
    (
        "unknown-attribute",
        "adds an attribute that there is not",
        lambda root: root.set("surprise", "1"),
    ),
    ("missing-attribute", "leaves an attribute out", _leave_out_attribute),
    ("stray-text", "adds text", lambda root: setattr(root, "text", "surprise")),
    (
        "wrong-child-order",
        "sends the children in the wrong order",
        lambda root: root.append(root[0]) if len(root) else None,
    ),
    ("too-many-children", "sends the first child four times", _add_children),
    ("no-children", "leaves all children out", lambda root: root.__delitem__(slice(None))),
    ("three-certificates", "orders three certificates", _order(3)),
    ("four-certificates", "orders four certificates", _order(4)),
    ("no-order", "leaves the order out", _leave_out("order")),
    ("end-first", "declares the end before the order's hotels", _end_first),
    ("column-0", "names column 0", _set_all("tile", "column", "0")),
    ("column-13", "names column 13", _set_all("tile", "column", "13")),
    ("row-j", "names row J", _set_all("tile", "row", "J")),
    ("unknown-hotel", "names a hotel that there is not", _set_all("hotel", "label", "Hilton")),
    ("sells-minus-1", "sells a certificate less than none", _set_all("dispose", "sell", "-1")),
    ("trades-26", "trades more than there are", _set_all("dispose", "trade", "26")),
    ("empty-name", "wants no name", _set_all("signup", "name", "")),
    ("long-name", "wants a name of 65 characters", _set_all("signup", "name", "x" * 65)),
)
"""Those that are wrong where the schema refuses what they make of an answer."""


def ways(refused: Refused) -> tuple[Way, ...]:
    """Return every way that needs no knowledge of the game, under the schema that refuses so.

    They are applied to every answer that has room for them.
    """
    invalid = Reason.INVALID
    return (
        *_ANYHOW,
        *(_sends(name, invalid, summary, edited(refused, edit)) for name, summary, edit in _EDITS),
    )
