"""Bytes that are no XML, XML that is not well-formed, or that never ends: which program writes it.

What is looked for is found in one pass over at most `LIMIT_FROM_PLAYER` bytes.
"""

import codecs
import re
from collections.abc import Iterator

from ....protocol.faults import Diagnosis, shown
from ....protocol.framing import LIMIT_FROM_PLAYER

WIDTHS = (1, 2, 4, 8)  # bytes of a length in binary
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
CURLY_QUOTES = "\u201c\u201d\u2018\u2019"
NO_PREFIX = "Send the element alone: it ends where its root element is closed."
NO_DECLARATION = "Leave it out: no message needs one."
AS_UTF_8 = (
    'Encode text as UTF-8: encode("utf-8") in Python, getBytes(StandardCharsets.UTF_8) in Java.'
)
ESCAPE = "Let an XML library write values, or escape & as &amp;, < as &lt; and quotes as &quot;."
_HTTP = re.compile(rb"(?:GET|POST|PUT|PATCH|HEAD|OPTIONS|DELETE|CONNECT) \S+ HTTP/|HTTP/\d")
_HEADER = re.compile(rb"([A-Za-z]+(?:-[A-Za-z]+)*): ?[^\r\n<]+\r?\n")
_NUMBER = re.compile(rb"\s*(\d{1,6})\s*[:;,]?\s*(?=<|$)")
_QUOTED = re.compile(rb"(b?)[\"']\s*<")
_OBJECT = re.compile(rb"\[object |<Element |<[\w.]+ object |[\w.$]+@[0-9a-f]{5,}\s*$")
_WORD = re.compile(rb"\s*[A-Za-z]")
_DOCTYPE = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
_BARE_AND = re.compile(
    rb"&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)[^\s<>\"';]{0,8}"
)
_TAG = re.compile(rb"<(/?+)([^\s<>/!?=\"']++)([^<>]*+)>")
_VALUE = re.compile(rb"\"[^\"]*\"|'[^']*'")
_UNQUOTED = re.compile(rb"(?<![\w-])([\w-]++) ?= ?[^\s\"'<>/]")


def of_bytes(data: bytes) -> Diagnosis | None:
    """Return the mistake behind bytes that are not well-formed XML, if one is recognised."""
    for recognise in (_not_xml, _with_a_length, _plain_text, _broken_xml, _attributes):
        if (found := next(recognise(data), None)) is not None:
            return found
    return nesting(data)


# -- no XML -------------------------------------------------------------------------------------


def zero_byte(data: bytes) -> Diagnosis | None:
    """Recognise a zero byte that ends a message; it can arrive with the next one."""
    bare = data.strip(b"\0 \t\r\n")
    ends = data[-1:] == b"\0" and bare.endswith(b">")
    begins = data[:1] == b"\0" != data[1:2] and bare.startswith(b"<")
    if not (ends or begins) if bare else len(data.strip()) != 1:
        return None
    return Diagnosis(
        "A zero byte was sent after a message, as if to end it.",
        "Send no terminator: a message ends where its root element is closed.",
    )


def _not_xml(data: bytes) -> Iterator[Diagnosis]:
    """Recognise UTF-16, other protocols and formats, and XML in quotes."""
    every_second = data[:1] == b"<" and data[1:2] == data[3:4] == b"\0"
    every_first = data[1:2] == b"<" and data[:1] == data[2:3] == b"\0"
    if data[:2] in BYTE_ORDER_MARKS or every_second or every_first:
        yield Diagnosis("The message is in UTF-16, not in UTF-8.", AS_UTF_8)
    if found := zero_byte(data):
        yield found
    plain = "Connect with a plain TCP socket and send the element alone."
    if _HTTP.match(data):
        yield Diagnosis("The player sent HTTP, but the server is not a web server.", plain)
    if header := _HEADER.match(data):
        yield Diagnosis(f"A header, {header[1].decode()}, is sent before the message.", NO_PREFIX)
    if data[:2] == b"\x16\x03":
        yield Diagnosis("The player began TLS, but this port expects plain text.", plain)
    quoted = _QUOTED.match(data)
    if quoted and quoted[1]:
        yield Diagnosis(
            "The message was sent as Python prints bytes, with b and quotes around it.",
            'Send the bytes themselves: text.encode("utf-8"), not str() of bytes.',
        )
    if quoted:
        yield Diagnosis(
            "The message is within quotes.", "Send the element itself, not a string literal of it."
        )
    if _OBJECT.match(data):
        yield Diagnosis(
            f"An object was sent as it is printed, {shown(data)}, instead of its text.",
            "Write the element as text: ET.tostring(element) in Python, outerHTML in JavaScript.",
        )
    if data[:1] in (b"{", b"["):
        yield Diagnosis("The player sent JSON, not XML.", "Every message is one XML element.")
    if data[:1] == b"\x80" or data[:2] == b"\xac\xed":
        yield Diagnosis(
            "The player sent a serialised object, not XML.",
            "Write the element as text and send its UTF-8 bytes.",
        )
    if data.startswith(b"&lt;"):
        yield Diagnosis(
            "The element is escaped: it begins with &lt; instead of <.",
            "Escape the values of attributes only, not the tags.",
        )


def _with_a_length(data: bytes) -> Iterator[Diagnosis]:
    """Recognise a length in binary or digits before the message, or sent ahead of it."""

    def length(which: str) -> Diagnosis:
        return Diagnosis(f"A length is sent before the message: {which}.", NO_PREFIX)

    for width in WIDTHS:
        before, rest = data[:width], data[width:]
        orders = (int.from_bytes(before, "big"), int.from_bytes(before, "little"))
        if rest[:1] == b"<" and len(rest) in orders:
            yield length(f"{len(rest)}, in binary ({before.hex(' ')})")
    before = data.partition(b"<")[0]
    if len(before) <= WIDTHS[-1] and not (before.isascii() and min(before, default=32) >= 9):
        if len(before) in WIDTHS and b"<" not in data:
            for number in (int.from_bytes(before, "big"), int.from_bytes(before, "little")):
                if 0 < number <= LIMIT_FROM_PLAYER:
                    yield length(f"{number}, in binary ({before.hex(' ')})")
        if b"\0" in before:
            yield length(f"in binary ({before.hex(' ')})")
    if digits := _NUMBER.match(data):
        yield length(digits[1].decode())


def _plain_text(data: bytes) -> Iterator[Diagnosis]:
    """Recognise text without tags, or before the first one."""
    before = data.partition(b"<")[0]
    if before.strip() and b"<" in data:
        yield Diagnosis(
            f"There is text before the message: {shown(before)}.",
            "Send the element alone; print everything else to standard error.",
        )
    elif before and _WORD.match(data):
        yield Diagnosis(
            f"The player sent plain text, {shown(data)}, without XML tags.",
            "A message is an element, such as <void/>, and nothing else; print "
            "everything else to standard error.",
        )


# -- XML ----------------------------------------------------------------------------------------


def _broken_xml(data: bytes) -> Iterator[Diagnosis]:
    """Recognise what may not stand before an element, and text that is not UTF-8."""
    if _DOCTYPE.search(data):
        yield Diagnosis(
            "The message has a DOCTYPE, which is not allowed.",
            "Send the element alone, without it.",
        )
    place = data.find(b"<?xml ")
    if place > 0 or data.count(b"<?xml ") > 1:
        yield Diagnosis(
            "The XML declaration <?xml ...?> is not the first thing in the message.", NO_DECLARATION
        )
    if place == 0 and b"?>" not in data:
        yield Diagnosis("The XML declaration does not end with ?>.", NO_DECLARATION)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)  # its end may be cut off
    except UnicodeDecodeError as error:
        wrong = data[error.start : error.start + 1]
        letter = wrong.decode("cp1252", errors="replace")
        yield Diagnosis(
            f"The text is not in UTF-8: the byte 0x{wrong.hex().upper()} is {letter!r} in Latin-1.",
            AS_UTF_8,
        )


def _attributes(data: bytes) -> Iterator[Diagnosis]:
    """Recognise values without quotes, and characters in them that have to be escaped."""
    if any(quote.encode() in data for quote in CURLY_QUOTES) and b'="' not in data:
        yield Diagnosis(
            "Attributes are written with typographic quotes.", "Use straight quotes, \" or '."
        )
    if bare := _BARE_AND.search(data):
        yield Diagnosis(f"There is an unescaped & in the message: {shown(bare[0])}.", ESCAPE)
    for tag in _TAG.finditer(data):
        if unquoted := _UNQUOTED.search(_VALUE.sub(b'""', tag[3])):
            yield Diagnosis(
                f"The value of the attribute {unquoted[1].decode(errors='replace')!r} is not in "
                "quotes.",
                'Write it like column="1".',
            )
        if _VALUE.sub(b"", tag[3]).count(b'"') % 2:
            yield Diagnosis("A quote inside the value of an attribute is not escaped.", ESCAPE)


def _open_elements(data: bytes) -> tuple[list[str], str]:
    """Return the elements that are open at the end, or at an end tag that fits none; and that."""
    opened: list[str] = []
    for end, tag, rest in _TAG.findall(data):
        name = tag.decode(errors="replace")
        if not end:
            if not rest.endswith(b"/"):
                opened.append(name)
        elif opened and opened[-1] == name:
            opened.pop()
        else:
            return opened, name
    return opened, ""


def nesting(data: bytes) -> Diagnosis | None:
    """Recognise an end tag that does not fit."""
    opened, wrong = _open_elements(data)
    if not wrong:
        return None
    advice = "Close elements in the reverse of the order in which they were opened."
    if not opened:
        return Diagnosis(f"</{wrong}> closes an element that is not open.", advice)
    if opened[-1].lower() == wrong.lower():
        cause = f"<{opened[-1]}> is closed by </{wrong}>, with other capitals."
        return Diagnosis(cause, "Write all names of elements in lower case.")
    return Diagnosis(
        f"<{opened[-1]}> is not closed before </{wrong}>.",
        f"Write <{opened[-1]}/> for an empty element; else close it with </{opened[-1]}>.",
    )


def unfinished(data: bytes) -> Diagnosis | None:
    """Recognise why a message has no end; it is asked of those alone that have none."""
    if not data.strip():
        return None
    if found := nesting(data):
        return found
    if data.rfind(b"<") > data.rfind(b">"):
        tag = data[data.rfind(b"<") :]
        within = "Its last tag has no >" if tag.count(b'"') % 2 == 0 else "Its last quote is open"
        return Diagnosis(
            f"Only the beginning of a message arrived: it breaks off at {shown(tag)}.",
            f"{within}: send the whole element, and flush the output.",
        )
    opened, _ = _open_elements(data)
    if not opened:
        return Diagnosis(
            "No element arrived, only what may stand before one.",
            "Send the element itself, and flush the output.",
        )
    ends = "".join(f"</{name}>" for name in reversed(opened))
    return Diagnosis(
        f"The message is not finished: <{opened[-1]}> is never closed.",
        f"End it with {ends}, or write an empty element as <{opened[-1]}/>.",
    )
