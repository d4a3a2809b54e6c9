"""Bytes that do not begin as XML does: which program writes such bytes.

Every function takes the bytes received and returns what it recognises, or ``None``.
"""

import re

from ....protocol.faults import Diagnosis, shown
from ....protocol.framing import LIMIT_FROM_PLAYER

WIDTHS = (1, 2, 4, 8)
"""Bytes of a length in binary."""
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
NO_PREFIX = "Send the element alone: it ends where its root element is closed."
AS_UTF_8 = (
    'Encode text as UTF-8: encode("utf-8") in Python, getBytes(StandardCharsets.UTF_8) in Java.'
)
_HTTP = re.compile(rb"(?:GET|POST|PUT|PATCH|HEAD|OPTIONS|DELETE|CONNECT) \S+ HTTP/|HTTP/\d")
_HEADER = re.compile(rb"([A-Za-z]+(?:-[A-Za-z]+)*): ?[^\r\n<]+\r?\n")
_NUMBER = re.compile(rb"\s*(\d{1,6})\s*[:;,]?\s*(?=<|$)")
_QUOTED = re.compile(rb"(b?)[\"']\s*<")
_WORD = re.compile(rb"\s*[A-Za-z]")


def utf_16(data: bytes) -> Diagnosis | None:
    """Recognise UTF-16, with or without a byte order mark."""
    every_second = data[:1] == b"<" and data[1:2] == data[3:4] == b"\0"
    every_first = data[1:2] == b"<" and data[:1] == data[2:3] == b"\0"
    if data[:2] not in BYTE_ORDER_MARKS and not every_second and not every_first:
        return None
    return Diagnosis("The message is in UTF-16, not in UTF-8.", AS_UTF_8)


def zero_byte(data: bytes) -> Diagnosis | None:
    """Recognise a zero byte that ends a message; it can arrive with the next one."""
    bare = data.strip(b"\0 \t\r\n")
    ends = data[-1:] == b"\0" and bare.endswith(b">")
    begins = data[:1] == b"\0" != data[1:2]
    if bare and not ends and not (begins and bare.startswith(b"<")):
        return None
    if not bare and len(data.strip()) != 1:
        return None
    return Diagnosis(
        "A zero byte was sent after a message, as if to end it.",
        "Send no terminator: a message ends where its root element is closed.",
    )


def binary_length(data: bytes) -> Diagnosis | None:
    """Recognise a length in binary before the message, or sent ahead of it."""
    for width in WIDTHS:
        before, rest = data[:width], data[width:]
        orders = (int.from_bytes(before, "big"), int.from_bytes(before, "little"))
        if rest[:1] == b"<" and len(rest) in orders:
            return _length(f"{len(rest)}, in binary ({before.hex(' ')})")
    before = data.partition(b"<")[0]
    if len(before) > WIDTHS[-1] or (before.isascii() and min(before, default=32) >= 9):
        return None
    if len(before) in WIDTHS and b"<" not in data:
        for number in (int.from_bytes(before, "big"), int.from_bytes(before, "little")):
            if 0 < number <= LIMIT_FROM_PLAYER:
                return _length(f"{number}, in binary ({before.hex(' ')})")
    return _length(f"in binary ({before.hex(' ')})") if b"\0" in before else None


def decimal_length(data: bytes) -> Diagnosis | None:
    """Recognise a length in digits before the message, or sent ahead of it."""
    number = _NUMBER.match(data)
    return _length(number[1].decode()) if number is not None else None


def _length(which: str) -> Diagnosis:
    return Diagnosis(f"A length is sent before the message: {which}.", NO_PREFIX)


def http(data: bytes) -> Diagnosis | None:
    """Recognise HTTP, or a header in its style."""
    plain = "Connect with a plain TCP socket and send the element alone."
    if _HTTP.match(data):
        return Diagnosis("The player sent HTTP, but the server is not a web server.", plain)
    if header := _HEADER.match(data):
        return Diagnosis(f"A header, {header[1].decode()}, is sent before the message.", NO_PREFIX)
    if data[:2] == b"\x16\x03":
        return Diagnosis("The player began TLS, but this port expects plain text.", plain)
    return None


def other_format(data: bytes) -> Diagnosis | None:
    """Recognise JSON, objects of Python and Java, and XML in quotes."""
    if quoted := _QUOTED.match(data):
        if quoted[1]:
            return Diagnosis(
                "The message was sent as Python prints bytes, with b and quotes around it.",
                'Send the bytes themselves: text.encode("utf-8"), not str() of bytes.',
            )
        return Diagnosis(
            "The message is within quotes.", "Send the element itself, not a string literal of it."
        )
    if data[:1] in (b"{", b"["):
        return Diagnosis("The player sent JSON, not XML.", "Every message is one XML element.")
    if data[:1] == b"\x80" or data[:2] == b"\xac\xed":
        return Diagnosis(
            "The player sent a serialised object, not XML.",
            "Write the element as text and send its UTF-8 bytes.",
        )
    if data.startswith(b"&lt;"):
        return Diagnosis(
            "The element is escaped: it begins with &lt; instead of <.",
            "Escape the values of attributes only, not the tags.",
        )
    return None


def plain_text(data: bytes) -> Diagnosis | None:
    """Recognise text without tags, or before the first one."""
    before = data.partition(b"<")[0]
    if before and b"<" in data:
        return Diagnosis(
            f"There is text before the message: {shown(before)}.",
            "Send the element alone; print everything else to standard error.",
        )
    if not before:
        return None
    if _WORD.match(data):
        return Diagnosis(
            f"The player sent plain text, {shown(data)}, without XML tags.",
            "A message is an element, such as <void/>, and nothing else; print "
            "everything else to standard error.",
        )
    return None


RECOGNISERS = (utf_16, zero_byte, http, other_format, binary_length, decimal_length, plain_text)
"""What is tried on bytes that are not XML, in this order."""
