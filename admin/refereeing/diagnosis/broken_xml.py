"""XML that is not well-formed, or that never ends.

Every function takes the bytes received and returns what it recognises, or ``None``. What it looks
for is found in one pass over at most 4,096 bytes.
"""

import codecs
import re
from typing import NamedTuple

from ....protocol.faults import Diagnosis, shown
from .not_xml import AS_UTF_8

_incremental = codecs.getincrementaldecoder("utf-8")
CURLY_QUOTES = "\u201c\u201d\u2018\u2019"
ESCAPE = "Let an XML library write values, or escape & as &amp;, < as &lt; and quotes as &quot;."
_DOCTYPE = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
_BARE_AND = re.compile(
    rb"&(?!(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos);)[^\s<>\"';]{0,8}"
)
_TAG = re.compile(rb"<(/?)([^\s<>/!?=\"']+)([^<>]*)>")
_VALUE = re.compile(rb"\"[^\"]*\"|'[^']*'")
_UNQUOTED = re.compile(rb"([\w-]+) ?= ?[^\s\"'<>/]")


def encoding(data: bytes) -> Diagnosis | None:
    """Recognise text that is not UTF-8; a character that is cut off at the end is no fault."""
    try:
        _incremental().decode(data)
    except UnicodeDecodeError as error:
        wrong = data[error.start : error.start + 1]
        letter = wrong.decode("cp1252", errors="replace")
        return Diagnosis(
            f"The text is not in UTF-8: the byte 0x{wrong.hex().upper()} is {letter!r} in Latin-1.",
            AS_UTF_8,
        )
    return None


def doctype(data: bytes) -> Diagnosis | None:
    """Recognise a DOCTYPE."""
    if not _DOCTYPE.search(data):
        return None
    return Diagnosis(
        "The message has a DOCTYPE, which is not allowed.", "Send the element alone, without it."
    )


def declaration(data: bytes) -> Diagnosis | None:
    """Recognise an XML declaration that is wrong, or not at the beginning."""
    place = data.find(b"<?xml ")
    if place < 0:
        return None
    if place > 0 or data.count(b"<?xml ") > 1:
        return Diagnosis(
            "The XML declaration <?xml ...?> is not the first thing in the message.",
            "Leave it out: no message needs one.",
        )
    if data.find(b"?>") < 0:
        return Diagnosis(
            "The XML declaration does not end with ?>.", "Leave it out: no message needs one."
        )
    return None


def attributes(data: bytes) -> Diagnosis | None:
    """Recognise values without quotes, and characters in them that have to be escaped."""
    if any(quote.encode() in data for quote in CURLY_QUOTES) and b'="' not in data:
        return Diagnosis(
            "Attributes are written with typographic quotes.", "Use straight quotes, \" or '."
        )
    if bare := _BARE_AND.search(data):
        return Diagnosis(f"There is an unescaped & in the message: {shown(bare[0])}.", ESCAPE)
    for tag in _TAG.finditer(data):
        if unquoted := _UNQUOTED.search(_VALUE.sub(b'""', tag[3])):
            return Diagnosis(
                f"The value of the attribute {unquoted[1].decode(errors='replace')!r} is not in "
                "quotes.",
                'Write it like column="1".',
            )
        if _VALUE.sub(b"", tag[3]).count(b'"') % 2:
            return Diagnosis("A quote inside the value of an attribute is not escaped.", ESCAPE)
    return None


class _Nesting(NamedTuple):
    """The elements that are open at the end, and the first end tag that fits none of them."""

    open: list[str]
    wrong_end: str = ""


def _nesting(data: bytes) -> _Nesting:
    opened: list[str] = []
    for end, tag, rest in _TAG.findall(data):
        name = tag.decode(errors="replace")
        if not end:
            if not rest.endswith(b"/"):
                opened.append(name)
        elif opened and opened[-1] == name:
            opened.pop()
        else:
            return _Nesting(opened, name)
    return _Nesting(opened)


def nesting(data: bytes) -> Diagnosis | None:
    """Recognise an end tag that does not fit."""
    opened, wrong = _nesting(data)
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
    opened, wrong = _nesting(data)
    if wrong:
        return nesting(data)
    if data.rfind(b"<") > data.rfind(b">"):
        tag = data[data.rfind(b"<") :]
        within = "Its last tag has no >" if tag.count(b'"') % 2 == 0 else "Its last quote is open"
        return Diagnosis(
            f"Only the beginning of a message arrived: it breaks off at {shown(tag)}.",
            f"{within}: send the whole element, and flush the output.",
        )
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


RECOGNISERS = (doctype, declaration, encoding, attributes, nesting)
"""What is tried on XML that is not well-formed, in this order."""
